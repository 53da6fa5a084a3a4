/*
 * ads_harness.c - a hostile control plane, and time passing.
 *
 * Input:  a byte that chooses client and protocol, then steps: a byte, and for messages
 * two bytes of length and so many bytes (see enum step). Whatever comes, requests come to
 *         an end, what is held can be read, and the dump of it holds the same.
 */
#include <stdlib.h>
#include <string.h>

#include "ads/inner.h"
#include "fuzz/harness.h"
#include "fuzz/memory.h"

enum step {
    LISTENERS, /* a response with one resource: its value */
    ROUTES,
    CLUSTERS,
    ENDPOINTS,
    BYTES, /* a message as it is */
    BEGIN,
    END,
    PASS, /* 5 s */
    STEPS
};

/* More steps are those of another input. */
enum { MOST_STEPS = 64, MOST_REQUESTS = 64 };

static const char bootstrap_text[] =
    "{\"xds_servers\":[{\"server_uri\":\"one\"},{\"server_uri\":\"three\"}],"
    "\"authorities\":{\"x\":{\"xds_servers\":"
    "[{\"server_uri\":\"two\",\"server_features\":[\"ignore_resource_deletion\"]}]}},"
    "\"node\":{\"id\":\"i\",\"metadata\":{\"k\":[1,null,{\"l\":\"v\"}]}}}";

struct session {
    struct xds_ads *ads;
    const uint8_t *data;
    size_t size;
    int64_t now;
    bool delta;
};

static size_t take_byte(struct session *s)
{
    if (s->size == 0)
        return 0;
    s->size--;
    return *s->data++;
}

static struct xds_slice take_bytes(struct session *s)
{
    size_t n = take_byte(s) << 8;

    n |= take_byte(s);
    if (n > s->size)
        n = s->size;
    const struct xds_slice bytes = xds_slice_make((const char *)s->data, n);

    s->data += n;
    s->size -= n;
    return bytes;
}

/* ---- messages ---- */

struct resource {
    struct xds_slice type_url, value;
    bool delta;
};

static void put_any(struct xds_ads_out *out, const void *arg)
{
    const struct resource *r = arg;

    xds_ads_put_text(out, 1, r->type_url);
    xds_ads_put_bytes(out, 2, r->value);
}

static void put_wrapper(struct xds_ads_out *out, const void *arg)
{
    xds_ads_put_text(out, 1, XDS_S("1"));
    xds_ads_put_message(out, 2, put_any, arg);
}

static void give(struct session *s, size_t stream, struct xds_slice bytes)
{
    char *copy = malloc(bytes.len + 1);

    if (!copy)
        xds_fuzz_fail("no memory");
    if (bytes.len > 0)
        memcpy(copy, bytes.data, bytes.len);
    if (xds_ads_response(s->ads, stream, s->now, copy, bytes.len) == XDS_ERR_NO_MEMORY)
        xds_fuzz_fail("no memory");
}

static void give_resource(struct session *s, size_t stream, enum xds_resource_type type)
{
    const struct resource r = {xds_ads_type_url(type), take_bytes(s), s->delta};
    struct xds_memory memory = {NULL, 0, 0};
    const struct xds_printer to = {.write = xds_memory_write, .user = &memory};
    struct xds_ads_out out = {.to = &to};

    xds_ads_put_text(&out, 1, XDS_S("v"));
    xds_ads_put_message(&out, 2, s->delta ? put_wrapper : put_any, &r);
    xds_ads_put_text(&out, 4, r.type_url);
    xds_ads_put_text(&out, 5, XDS_S("n"));
    give(s, stream, xds_memory_text(&memory));
    free(memory.data);
}

/* ---- what must hold ---- */

static void drain(struct session *s)
{
    struct xds_slice message;

    for (size_t i = 0; i < xds_ads_streams(s->ads); i++)
        for (size_t n = 0; xds_ads_request(s->ads, i, s->now, &message) == XDS_OK; n++)
            if (n == MOST_REQUESTS)
                xds_fuzz_fail("requests without end");
}

/* Each of them is in the dump, once for each of its versions. */
static size_t count_held(const struct session *s)
{
    struct xds_ads_resource r;
    size_t n = 0;

    for (size_t i = 0; xds_ads_resource_at(s->ads, i, &r); i++)
        n += r.bytes.data && r.rejected.data ? 2 : 1;
    return n;
}

static void read_dump(const struct session *s)
{
    struct xds_memory memory = {NULL, 0, 0};
    const struct xds_printer to = {.write = xds_memory_write, .user = &memory};
    struct xds_options options;
    struct xds_resource in;
    size_t n = 0;

    xds_options_init(&options);
    struct xds_report *report = xds_report_new(&options);
    struct xds_source *source = xds_source_new(report, XDS_TYPE_UNKNOWN);

    if (xds_ads_write_dump(s->ads, &to) != XDS_OK ||
        xds_source_add_bytes(source, "d.pb", xds_memory_text(&memory)) != XDS_OK)
        xds_fuzz_fail("no dump");
    while (xds_source_next(source, &in) == XDS_OK)
        n += in.held != NULL;
    if (n != count_held(s))
        xds_fuzz_fail("%zu resources in the dump, not %zu", n, count_held(s));
    if (xds_ads_write_versions(s->ads, &to) != XDS_OK)
        xds_fuzz_fail("no versions");
    xds_source_free(source);
    xds_report_free(report);
    free(memory.data);
}

/* ---- steps ---- */

static void step(struct session *s)
{
    const size_t byte = take_byte(s);
    const size_t stream = byte / STEPS % xds_ads_streams(s->ads);

    switch ((enum step)(byte % STEPS)) {
    case LISTENERS:
        give_resource(s, stream, XDS_TYPE_LISTENER);
        break;
    case ROUTES:
        give_resource(s, stream, XDS_TYPE_ROUTE);
        break;
    case CLUSTERS:
        give_resource(s, stream, XDS_TYPE_CLUSTER);
        break;
    case ENDPOINTS:
        give_resource(s, stream, XDS_TYPE_ENDPOINT);
        break;
    case BYTES:
        give(s, stream, take_bytes(s));
        break;
    case BEGIN:
        xds_ads_begin(s->ads, stream);
        break;
    case END:
        xds_ads_end(s->ads, stream);
        if (!xds_ads_next_server(s->ads, stream))
            xds_ads_first_server(s->ads, stream);
        break;
    case PASS:
    case STEPS:
        s->now += 5000;
        break;
    }
    drain(s);
}

void xds_fuzz_ads(const uint8_t *data, size_t size)
{
    static const char *const targets[] = {"xds:///a", "xds://x/a"};
    static const char *const servers[] = {"0.0.0.0:80"};
    struct session s = {.data = data, .size = size, .now = 1000};
    const size_t first = take_byte(&s);
    struct xds_options options;
    struct xds_parsed *bootstrap = NULL;
    struct xds_ads_note note;

    if (xds_parse(XDS_FORMAT_JSON, xds_slice_of(bootstrap_text), &bootstrap) != XDS_OK)
        xds_fuzz_fail("no memory");
    const struct xds_ads_settings settings = {
        .as = {.client = (enum xds_client)(first % XDS_CLIENTS)},
        .targets = targets,
        .n_targets = 2,
        .server_listeners = servers,
        .n_server_listeners = 1,
        .bootstrap = bootstrap,
        .delta = first & 0x40,
        .always_ack = first & 0x80,
    };

    s.delta = settings.delta;
    xds_options_init(&options);
    if (xds_ads_new(&settings, &options, &s.ads, &note) != XDS_OK)
        xds_fuzz_fail("%s", note.text);
    xds_ads_begin(s.ads, 0);
    xds_ads_begin(s.ads, 1);
    drain(&s);
    for (size_t n = 0; s.size > 0 && n < MOST_STEPS; n++)
        step(&s);
    read_dump(&s);
    xds_ads_free(s.ads);
    xds_parsed_free(bootstrap);
}
