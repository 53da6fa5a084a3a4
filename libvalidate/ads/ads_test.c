/*
 * ads_test.c - every .case file below testdata/ads is a session of a client: what a
 * server sends, and what the client asks, answers and holds.
 *
 *   -- args --     CLIENT, --target T, --server-listener ADDRESS, --bootstrap FILE, --env
 * A=B,
 *                  --delta, --always-ack
 *   -- script --   a step a line:
 *       begin N, end N                      the stream N
 *       next N, first N                     the server of its list
 *       pass MS                             time
 *       send N FILE [version=] [nonce=] [type=] [removed=A,B]
 *                                           the resources of a file as one response; "-":
 * none bytes N HEX                         a message byte by byte held what it holds now
 *   -- FILE --     resources in YAML, and the bootstrap
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ads/inner.h"
#include "base/limits.h"
#include "cli/dev/test/case.h"
#include "source/wire/wire_field.h"

struct name {
    char path[256];
};

ParameterizedTestParameters(ads, plays_as_written)
{
    char **paths = case_list(getenv("CASES") ? getenv("CASES") : "testdata/ads");
    size_t all = 0, n = 0;

    while (paths[all])
        all++;
    struct name *names = cr_malloc((all ? all : 1) * sizeof *names);
    for (size_t i = 0; i < all; i++) {
        if (strstr(paths[i], "testdata/ads/")) {
            snprintf(names[n].path, sizeof names[n].path, "%s", paths[i]);
            n++;
        }
        free(paths[i]);
    }
    free(paths);
    return cr_make_param_array(struct name, names, n);
}

enum { MOST_TEXTS = 16 };

struct play {
    const struct case_file *c;
    struct xds_ads_settings settings;
    struct xds_options options;
    struct xds_parsed *bootstrap;
    const char *targets[MOST_TEXTS], *servers[MOST_TEXTS];
    struct xds_ads *ads;
    FILE *out;
    int64_t now;
    bool node_is_known;
};

/* ---- messages ---- */

static bool append(void *user, const char *data, size_t len)
{
    FILE *file = user;

    return fwrite(data, 1, len, file) == len;
}

struct bytes {
    char *data;
    size_t len;
};

static struct xds_slice slice(const struct bytes *b)
{
    return xds_slice_make(b->data, b->len);
}

/* What body writes through a printer. */
#define WRITTEN(bytes, printer, statement)                                               \
    do {                                                                                 \
        FILE *memory_ = open_memstream(&(bytes).data, &(bytes).len);                     \
        struct xds_printer printer = {.write = append, .user = memory_};                 \
        statement;                                                                       \
        fclose(memory_);                                                                 \
    } while (0)

static void put(struct xds_ads_out *out, unsigned field, struct bytes *value)
{
    xds_ads_put_bytes(out, field, slice(value));
    free(value->data);
}

static struct xds_slice first_text(struct xds_slice message, unsigned number)
{
    struct xds_wire_field field;
    struct xds_slice value;

    while (message.len > 0 && xds_wire_next(&message, &field, &value))
        if (field.number == number)
            return value;
    return XDS_S("");
}

/* An option of a step, such as version=1; fallback where there is none. */
static struct xds_slice option(struct xds_slice step, const char *name,
                               const char *fallback)
{
    struct xds_slice word;

    while (step.data) {
        step = xds_slice_cut(step, ' ', &word);
        if (xds_slice_take(&word, name))
            return word;
    }
    return xds_slice_of(fallback);
}

static void put_resource(const struct play *p, struct xds_ads_out *out,
                         struct xds_report *report, const struct xds_resource *in,
                         struct xds_slice version)
{
    const struct xds_convert_options to = {.format = XDS_FORMAT_BINARY, .bare = true};
    struct bytes resource, any, wrapper;

    WRITTEN(resource, printer, {
        struct xds_convert *convert = xds_convert_new(report, &to, &printer);

        cr_assert_eq(xds_convert_resource(convert, in), XDS_OK);
        cr_assert_eq(xds_convert_finish(convert), XDS_OK);
        xds_convert_free(convert);
    });
    WRITTEN(any, printer, {
        struct xds_ads_out inner = {.to = &printer};

        xds_ads_put_bytes(
            &inner, 1, in->type_url.len > 0 ? in->type_url : xds_ads_type_url(in->type));
        xds_ads_put_bytes(&inner, 2, slice(&resource));
    });
    if (!p->settings.delta) {
        put(out, 2, &any);
        free(resource.data);
        return;
    }
    WRITTEN(wrapper, printer, {
        struct xds_ads_out inner = {.to = &printer};

        xds_ads_put_bytes(&inner, 1, version);
        put(&inner, 2, &any);
        xds_ads_put_bytes(&inner, 3, first_text(slice(&resource), 1));
    });
    put(out, 2, &wrapper);
    free(resource.data);
}

static struct xds_slice section(const struct play *p, struct xds_slice name)
{
    char text[64];

    snprintf(text, sizeof text, "%.*s", XDS_FMT(name));
    const struct case_section *found = case_find(p->c, text);

    return found ? xds_slice_make(found->text, found->len) : XDS_S("");
}

static void put_response(const struct play *p, struct xds_ads_out *out,
                         struct xds_slice file, struct xds_slice step)
{
    struct xds_report *report = xds_report_new(&p->options);
    struct xds_source *source = xds_source_new(report, XDS_TYPE_UNKNOWN);
    struct xds_slice type_url = XDS_S(""), removed = option(step, "removed=", ""), name;
    const struct xds_slice type = option(step, "type=", ""), text = section(p, file);
    const struct xds_slice version = option(step, "version=", "1");
    struct xds_resource in;

    xds_ads_put_bytes(out, 1, version);
    cr_assert_eq(xds_source_add_bytes(source, "in.yaml", text), XDS_OK);
    while (text.len > 0 && xds_source_next(source, &in) == XDS_OK) {
        if (type_url.len == 0)
            type_url = xds_ads_type_url(in.type);
        put_resource(p, out, report, &in, version);
    }
    if (type.len > 0) {
        const enum xds_resource_type known = xds_resource_type_from_name(type);

        type_url = known ? xds_ads_type_url(known) : type;
    }
    xds_ads_put_bytes(out, 4, type_url);
    xds_ads_put_bytes(out, 5, option(step, "nonce=", "n"));
    while (removed.len > 0) {
        removed = xds_slice_cut(removed, ',', &name);
        xds_ads_put_bytes(out, 6, name);
    }
    xds_source_free(source);
    xds_report_free(report);
}

/* ---- what the client says ---- */

static const char *short_type(struct xds_slice url)
{
    static const char *const names[] = {"?", "LDS", "RDS", "CDS", "EDS"};

    return names[xds_resource_type_from_name(url)];
}

static void say_node(struct play *p, struct xds_slice node)
{
    static const char *const names[] = {[1] = "id", "cluster", "metadata", "locality",
                                        "",         "agent",   "version",  "",
                                        "",         "feature"};
    struct xds_wire_field field;
    struct xds_slice value;

    if (p->node_is_known) {
        fprintf(p->out, " node");
        return;
    }
    p->node_is_known = true;
    fprintf(p->out, " node{");
    while (node.len > 0 && xds_wire_next(&node, &field, &value)) {
        fprintf(p->out, " %s=", names[field.number]);
        for (size_t i = 0; i < value.len; i++)
            if (value.data[i] >= 0x20 && value.data[i] < 0x7F)
                fputc(value.data[i], p->out);
            else
                fprintf(p->out, "\\%o", (unsigned char)value.data[i]);
    }
    fprintf(p->out, " }");
}

static void say_request(struct play *p, size_t stream, struct xds_slice message)
{
    const bool delta = p->settings.delta;
    static const char *const sotw_names[] = {[1] = "version", "node",  "",
                                             "type",          "nonce", "error"};
    static const char *const delta_names[] = {[1] = "node", "type",  "+",    "-",
                                              "initial",    "nonce", "error"};
    const char *const *names = delta ? delta_names : sotw_names;
    struct xds_slice value;
    struct xds_wire_field field;

    fprintf(p->out, "  %zu< %s", stream, short_type(first_text(message, delta ? 2 : 4)));
    while (message.len > 0) {
        cr_assert(xds_wire_next(&message, &field, &value));
        const char *name = names[field.number];

        if (strcmp(name, "node") == 0)
            say_node(p, value);
        else if (strcmp(name, "error") == 0)
            fprintf(p->out, "\n       error %d: %.*s", value.data[1],
                    XDS_FMT(first_text(value, 2)));
        else if (strcmp(name, "initial") == 0)
            fprintf(p->out, " %.*s@%.*s", XDS_FMT(first_text(value, 1)),
                    XDS_FMT(first_text(value, 2)));
        else if (*name == '\0' || *name == '+' || *name == '-')
            fprintf(p->out, " %s%.*s", name, XDS_FMT(value));
        else if (strcmp(name, "type") != 0)
            fprintf(p->out, " %s=%.*s", name, XDS_FMT(value));
    }
    fprintf(p->out, "\n");
}

static void drain(struct play *p)
{
    struct xds_slice message;
    enum xds_status status = XDS_OK;

    for (size_t i = 0; i < xds_ads_streams(p->ads); i++) {
        while ((status = xds_ads_request(p->ads, i, p->now, &message)) == XDS_OK)
            say_request(p, i, message);
        cr_assert_eq(status, XDS_END);
    }
}

/* ---- what it holds ---- */

static void say_held(struct play *p)
{
    struct xds_ads_resource r;

    for (size_t i = 0; xds_ads_resource_at(p->ads, i, &r); i++) {
        fprintf(p->out, "%s %.*s %s", short_type(r.type_url), XDS_FMT(r.name),
                xds_held_status_name(r.status));
        if (r.stream == XDS_ADS_NO_STREAM)
            fprintf(p->out, " no stream");
        else if (r.stream > 0)
            fprintf(p->out, " stream %zu", r.stream);
        if (r.bytes.data)
            fprintf(p->out, " version=%.*s nonce=%.*s at=%lld", XDS_FMT(r.version),
                    XDS_FMT(r.nonce), (long long)r.updated);
        if (r.rejected.data)
            fprintf(p->out, " rejected=%.*s at=%lld", XDS_FMT(r.rejected_version),
                    (long long)r.rejected_at);
        fprintf(p->out, "%s", r.is_late ? " late" : "");
        if (r.error.len > 0)
            fprintf(p->out, ": %.*s", XDS_FMT(r.error));
        fprintf(p->out, "\n");
    }
    fprintf(p->out, "%s\n", xds_ads_is_complete(p->ads) ? "complete" : "not complete");
}

/* The dump says the same of each name: read as any other one. */
static void compare_with_dump(struct play *p)
{
    struct xds_report *report = xds_report_new(&p->options);
    struct xds_source *source = xds_source_new(report, XDS_TYPE_UNKNOWN);
    struct xds_ads_resource r;
    struct xds_resource in;
    struct bytes dump;

    WRITTEN(dump, printer, cr_assert_eq(xds_ads_write_dump(p->ads, &printer), XDS_OK));
    cr_assert_eq(xds_source_add_bytes(source, "dump.pb", slice(&dump)), XDS_OK);
    for (size_t i = 0; xds_ads_resource_at(p->ads, i, &r); i++)
        for (size_t n = (r.bytes.data ? 1u : 0u) + (r.rejected.data ? 1u : 0u), k = 0;
             k < (n ? n : 1); k++) {
            cr_assert_eq(xds_source_next(source, &in), XDS_OK, "%.*s", XDS_FMT(r.name));
            cr_expect_not_null(in.held);
            cr_expect_eq(in.held->status, r.status, "%.*s", XDS_FMT(r.name));
            cr_expect(xds_slice_eq(in.held->version, r.version));
            cr_expect(xds_slice_eq(in.held->error, r.error));
            cr_expect_eq(in.held->is_absent, n == 0);
            if (n > 0)
                cr_expect(
                    xds_slice_eq(in.bytes, in.held->is_rejected ? r.rejected : r.bytes));
        }
    cr_expect_eq(xds_source_next(source, &in), XDS_END);
    xds_source_free(source);
    xds_report_free(report);
    free(dump.data);
}

/* ---- steps ---- */

static size_t number(struct xds_slice word)
{
    uint64_t n = 0;

    cr_assert(xds_slice_to_u64(word, &n), "%.*s: no number", XDS_FMT(word));
    return (size_t)n;
}

static void give(struct play *p, size_t stream, struct bytes message)
{
    const enum xds_status status =
        xds_ads_response(p->ads, stream, p->now, message.data, message.len);

    if (status == XDS_ERR_USAGE)
        fprintf(p->out, "  %s\n", xds_ads_fault(p->ads));
    else
        cr_assert_eq(status, XDS_OK);
}

static void send_bytes(struct play *p, size_t stream, struct xds_slice hex)
{
    struct bytes message = {malloc(hex.len + 1), 0};
    unsigned byte;

    for (size_t i = 0; i + 1 < hex.len; i += 2) {
        sscanf(hex.data + i, "%2x", &byte);
        message.data[message.len++] = (char)byte;
    }
    give(p, stream, message);
}

static void play_step(struct play *p, struct xds_slice step)
{
    struct xds_slice verb, rest = xds_slice_cut(step, ' ', &verb), word, file;

    if (xds_slice_is(verb, "held")) {
        say_held(p);
        return;
    }
    const struct xds_slice options = xds_slice_cut(rest, ' ', &word);
    const size_t n = number(word);
    struct bytes message;

    fprintf(p->out, "%.*s\n", XDS_FMT(step));
    if (xds_slice_is(verb, "begin"))
        xds_ads_begin(p->ads, n);
    else if (xds_slice_is(verb, "end"))
        xds_ads_end(p->ads, n);
    else if (xds_slice_is(verb, "next")) {
        const bool has_next = xds_ads_next_server(p->ads, n);

        fprintf(p->out, "  %s: %.*s\n", has_next ? "the next server" : "no other server",
                XDS_FMT(xds_ads_server(p->ads, n).uri));
    } else if (xds_slice_is(verb, "first"))
        xds_ads_first_server(p->ads, n);
    else if (xds_slice_is(verb, "pass"))
        p->now += (int64_t)n;
    else if (xds_slice_is(verb, "bytes"))
        send_bytes(p, n, options);
    else {
        (void)xds_slice_cut(options, ' ', &file);
        WRITTEN(message, printer, {
            struct xds_ads_out out = {.to = &printer};

            put_response(p, &out, file, options);
        });
        give(p, n, message);
    }
    drain(p);
}

/* ---- the case ---- */

static void read_args(struct play *p)
{
    struct xds_slice rest = xds_slice_trim(section(p, XDS_S("args"))), word;
    struct xds_ask_note note;
    const char *hint;
    char *text = strndup(rest.data, rest.len), *at = NULL;
    char *given = strtok_r(text, " \n", &at);

    xds_options_init(&p->options);
    cr_assert_eq(xds_options_ask_one(&p->options, xds_slice_of(given),
                                     &p->settings.as.client, &note),
                 XDS_OK);
    p->settings.as.release = p->options.release[p->settings.as.client];
    p->settings.targets = p->targets;
    p->settings.server_listeners = p->servers;
    while ((given = strtok_r(NULL, " \n", &at))) {
        word = xds_slice_of(given);
        if (xds_slice_is(word, "--delta"))
            p->settings.delta = true;
        else if (xds_slice_is(word, "--always-ack"))
            p->settings.always_ack = true;
        else if (xds_slice_is(word, "--target"))
            p->targets[p->settings.n_targets++] = strtok_r(NULL, " \n", &at);
        else if (xds_slice_is(word, "--server-listener"))
            p->servers[p->settings.n_server_listeners++] = strtok_r(NULL, " \n", &at);
        else if (xds_slice_is(word, "--env"))
            cr_assert_eq(xds_options_set_env(&p->options,
                                             xds_slice_of(strtok_r(NULL, " \n", &at)),
                                             &hint),
                         XDS_OK);
        else {
            word = section(p, xds_slice_of(strtok_r(NULL, " \n", &at)));
            cr_assert_eq(xds_parse(XDS_FORMAT_YAML, word, &p->bootstrap), XDS_OK);
            p->settings.bootstrap = p->bootstrap;
        }
    }
    struct xds_ads_note fault;

    if (xds_ads_new(&p->settings, &p->options, &p->ads, &fault) != XDS_OK)
        fprintf(p->out, "%s\n", fault.text);
    free(text);
}

static void play_all(struct play *p)
{
    struct xds_slice rest = section(p, XDS_S("script")), line;

    read_args(p);
    if (!p->ads)
        return;
    for (size_t i = 0; i < xds_ads_streams(p->ads); i++)
        if (xds_ads_server(p->ads, i).uri.len > 0)
            fprintf(p->out, "stream %zu: %.*s%s\n", i,
                    XDS_FMT(xds_ads_server(p->ads, i).uri),
                    xds_ads_is_needed(p->ads, i) ? "" : ", not needed");
    while (rest.len > 0) {
        rest = xds_slice_cut(rest, '\n', &line);
        if (line.len > 0)
            play_step(p, line);
    }
    say_held(p);
    compare_with_dump(p);
}

ParameterizedTest(struct name *name, ads, plays_as_written)
{
    struct case_file c;
    struct case_result got = {.err = strdup("")};
    size_t len;

    cr_assert(case_read(name->path, &c), "%s: not a case file", name->path);
    struct play p = {.c = &c, .out = open_memstream(&got.out, &len), .now = 1000};

    play_all(&p);
    fclose(p.out);
    xds_ads_free(p.ads);
    xds_parsed_free(p.bootstrap);
    char *difference = case_compare(&c, &got);
    if (*difference && getenv("UPDATE"))
        cr_assert(case_rewrite(&c, &got), "%s: cannot write it", name->path);
    else
        cr_assert_str_empty(difference, "%s: %s", name->path, difference);
    free(difference);
    case_release_result(&got);
    case_release(&c);
}

/* ---- what no text can express ---- */

struct fixture {
    struct xds_ads *ads;
    struct xds_slice message; /* the last request */
};

static void expect_requests(struct fixture *f)
{
    struct xds_slice message;

    while (xds_ads_request(f->ads, 0, 0, &message) == XDS_OK)
        f->message = message;
}

static struct fixture ask_as(const char *client)
{
    static const char *const targets[] = {"xds:///a"};
    struct xds_ads_settings settings = {.targets = targets, .n_targets = 1};
    struct fixture f = {NULL, {NULL, 0}};
    struct xds_options options;
    struct xds_ads_note note;

    xds_options_init(&options);
    cr_assert(xds_client_from_name(xds_slice_of(client), &settings.as.client));
    cr_assert_eq(xds_ads_new(&settings, &options, &f.ads, &note), XDS_OK);
    xds_ads_begin(f.ads, 0);
    expect_requests(&f);
    return f;
}

/* Server listeners without anything, each of which is rejected. */
static void put_listener(struct xds_ads_out *out, const void *arg)
{
    const char *name = arg;

    xds_ads_put_text(out, 1, xds_slice_of(name));
}

static void put_any_listener(struct xds_ads_out *out, const void *arg)
{
    xds_ads_put_text(out, 1, xds_ads_type_url(XDS_TYPE_LISTENER));
    xds_ads_put_message(out, 2, put_listener, arg);
}

static struct bytes listeners(const char *first, size_t n)
{
    struct bytes message;

    WRITTEN(message, printer, {
        struct xds_ads_out out = {.to = &printer};

        xds_ads_put_text(&out, 1, XDS_S("7"));
        xds_ads_put_text(&out, 4, xds_ads_type_url(XDS_TYPE_LISTENER));
        xds_ads_put_text(&out, 5, XDS_S("nonce"));
        xds_ads_put_message(&out, 2, put_any_listener, first);
        for (size_t i = 1; i < n; i++)
            xds_ads_put_message(&out, 2, put_any_listener, "other");
    });
    return message;
}

static void give_listeners(struct fixture *f, const char *first, size_t n)
{
    const struct bytes message = listeners(first, n);

    cr_assert_eq(xds_ads_response(f->ads, 0, 0, message.data, message.len), XDS_OK);
    expect_requests(f);
}

/* limit: XDS_MAX_NACK_BYTES */
Test(ads, a_nack_is_not_longer_than_a_limit)
{
    struct fixture f = ask_as("core");
    const size_t n = XDS_MAX_NACK_BYTES / 50;

    give_listeners(&f, "a", 2);
    cr_expect_lt(f.message.len, 1000);
    give_listeners(&f, "a", n);
    cr_expect_gt(f.message.len, XDS_MAX_NACK_BYTES);
    cr_expect_lt(f.message.len, XDS_MAX_NACK_BYTES + 1000);
    xds_ads_free(f.ads);
}

Test(ads, of_a_response_only_what_is_held_stays)
{
    struct fixture f = ask_as("node"); /* it does not look at the others */
    struct xds_ads_resource r;

    give_listeners(&f, "a", 10000);
    cr_assert(xds_ads_resource_at(f.ads, 0, &r));
    cr_expect_eq(r.status, XDS_HELD_NACKED);
    cr_expect(xds_slice_is(r.rejected, "\n\1a"));
    cr_expect(xds_slice_is(r.rejected_version, "7"));
    cr_expect_lt(f.ads->list[XDS_TYPE_LISTENER].items[0]->rejected.message->size, 100);
    xds_ads_free(f.ads);
}

Test(ads, what_one_resource_needs_is_given_back_before_the_next)
{
    struct fixture f = ask_as("core");
    const struct bytes message = listeners("a", XDS_MAX_NACK_BYTES / 20);

    cr_assert_eq(xds_ads_response(f.ads, 0, 0, message.data, message.len), XDS_OK);
    cr_expect_lt(f.ads->scratch.used, 10000);
    xds_ads_free(f.ads);
}

static void put_nothing(struct xds_ads_out *out, const void *arg)
{
    (void)out;
    (void)arg;
}

/* limit: XDS_MAX_RESOURCES */
Test(ads, a_response_of_too_many_resources_is_not_read)
{
    struct fixture f = ask_as("go");
    struct bytes message;

    WRITTEN(message, printer, {
        struct xds_ads_out out = {.to = &printer};

        xds_ads_put_text(&out, 4, xds_ads_type_url(XDS_TYPE_LISTENER));
        for (size_t i = 0; i <= XDS_MAX_RESOURCES; i++)
            xds_ads_put_message(&out, 2, put_nothing, NULL);
    });
    cr_assert_eq(xds_ads_response(f.ads, 0, 0, message.data, message.len), XDS_ERR_IO);
    cr_expect_str_eq(xds_ads_fault(f.ads),
                     "a response of 2000001 resources is not read: more than 2000000");
    xds_ads_free(f.ads);
}

static bool stop_later(void *user)
{
    int *left = user;

    return (*left)-- == 0;
}

Test(ads, a_response_is_left_when_the_caller_stops)
{
    struct fixture f = ask_as("core");
    struct bytes message = listeners("other", 1000);
    struct xds_ads_resource r;
    int left = 500;

    xds_ads_stop_when(f.ads, stop_later, &left);
    cr_assert_eq(xds_ads_response(f.ads, 0, 0, message.data, message.len), XDS_END);
    cr_expect_eq(left, -1);
    cr_assert(xds_ads_resource_at(f.ads, 0, &r));
    cr_expect_eq(r.status, XDS_HELD_REQUESTED);
    xds_ads_stop_when(f.ads, NULL, NULL);
    message = listeners("a", 1);
    cr_assert_eq(xds_ads_response(f.ads, 0, 0, message.data, message.len), XDS_OK);
    xds_ads_free(f.ads);
}
