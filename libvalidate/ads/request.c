/*
 * request.c - what is due on a stream: answers first, then other names.
 *
 * States of a line (one type on one stream):
 *   answers   a response is to be answered; the names are those from before it took
 * effect changed   other names than in the last request idle      nothing is due An entry
 * is waited for from the request on that names it, until its deadline.
 *
 * Source: the xDS protocol's page; runs of clients, see clients.def.
 */
#include "ads/inner.h"

/* DiscoveryRequest and DeltaDiscoveryRequest share 2 and the place of error_detail. */
enum { SOTW_VERSION = 1, SOTW_NODE, SOTW_NAMES, SOTW_TYPE, SOTW_NONCE, SOTW_ERROR };
enum {
    DELTA_NODE = 1,
    DELTA_TYPE,
    DELTA_SUBSCRIBE,
    DELTA_UNSUBSCRIBE,
    DELTA_VERSIONS,
    DELTA_NONCE,
    DELTA_ERROR
};
enum { STATUS_CODE = 1, STATUS_MESSAGE };
enum { KEY = 1, VALUE };

struct sending {
    struct xds_ads *ads;
    size_t stream;
    enum xds_resource_type type;
    bool answers; /* a response */
    struct xds_ads_out out;
    struct xds_ads_entry **list; /* of this line */
    size_t n;
};

static struct xds_ads_line *line_of(const struct sending *s)
{
    return &s->ads->streams[s->stream].line[s->type];
}

/* ---- names ---- */

static void gather(struct sending *s)
{
    struct xds_ads_list *all = &s->ads->list[s->type];
    struct xds_ads_entry **from =
        s->ads->client.sorted ? xds_ads_sorted(s->ads, all) : all->items;

    s->n = 0;
    s->list = xds_arena_alloc(&s->ads->scratch, (all->n + 1) * sizeof *s->list);
    for (size_t i = 0; i < all->n; i++)
        if (from[i]->stream == s->stream)
            s->list[s->n++] = from[i];
}

static bool is_wanted(const struct sending *s, const struct xds_ads_entry *entry)
{
    return entry->wanted == s->ads->walk.number;
}

/* It was sent: wait for what is not there yet. */
static void await(const struct sending *s, struct xds_ads_entry *entry)
{
    entry->is_asked = true;
    if (entry->status != XDS_HELD_REQUESTED || entry->deadline != INT64_MAX)
        return;
    entry->deadline = s->ads->now + s->ads->settings.resource_ms;
    s->ads->n_waiting++;
}

/* ---- messages ---- */

static void put_error(struct sending *s, unsigned field)
{
    const struct xds_ads_line *line = line_of(s);
    struct xds_text text = {.arena = &s->ads->scratch};
    struct xds_ads_out inner = {.text = &text};

    if (!line->has_error)
        return;
    xds_ads_put_uint(&inner, STATUS_CODE, s->ads->client.code);
    xds_ads_put_text(&inner, STATUS_MESSAGE, xds_ads_text(&line->error));
    xds_ads_put_bytes(&s->out, field, xds_slice_make(text.data, text.len));
}

static void put_node(struct sending *s, unsigned field)
{
    struct xds_ads_stream *stream = &s->ads->streams[s->stream];

    if (!stream->has_node || s->ads->client.node_in_each)
        xds_ads_put_bytes(&s->out, field, s->ads->node);
    stream->has_node = true;
}

static void put_sotw(struct sending *s)
{
    const struct xds_ads_line *line = line_of(s);

    xds_ads_put_text(&s->out, SOTW_VERSION, xds_ads_text(&line->version));
    put_node(s, SOTW_NODE);
    for (size_t i = 0; i < s->n; i++)
        if (is_wanted(s, s->list[i])) {
            xds_ads_put_text(&s->out, SOTW_NAMES, s->list[i]->name);
            await(s, s->list[i]);
        }
    xds_ads_put_text(&s->out, SOTW_TYPE, xds_ads_type_url(s->type));
    xds_ads_put_text(&s->out, SOTW_NONCE, xds_ads_text(&line->nonce));
    put_error(s, SOTW_ERROR);
}

/* The version of what is held, in the first request of a stream. */
static void put_version(struct sending *s, const struct xds_ads_entry *entry)
{
    struct xds_text text = {.arena = &s->ads->scratch};
    struct xds_ads_out inner = {.text = &text};

    if (entry->used.version.len == 0)
        return;
    xds_ads_put_text(&inner, KEY, entry->name);
    xds_ads_put_text(&inner, VALUE, entry->used.version);
    xds_ads_put_bytes(&s->out, DELTA_VERSIONS, xds_slice_make(text.data, text.len));
}

static bool is_told(const struct xds_ads *ads, const struct xds_ads_entry *entry)
{
    return entry->wanted != ads->walk.number && !entry->is_asked;
}

/* An answer names nothing: what changes is a request of its own. */
static void put_delta(struct sending *s)
{
    const struct xds_ads_line *line = line_of(s);
    const bool is_first = !line->asked;

    put_node(s, DELTA_NODE);
    xds_ads_put_text(&s->out, DELTA_TYPE, xds_ads_type_url(s->type));
    for (size_t i = 0; !s->answers && i < s->n; i++)
        if (is_wanted(s, s->list[i]) && !s->list[i]->is_asked) {
            xds_ads_put_text(&s->out, DELTA_SUBSCRIBE, s->list[i]->name);
            await(s, s->list[i]);
        }
    for (size_t i = 0; !s->answers && i < s->n; i++)
        if (!is_wanted(s, s->list[i])) {
            xds_ads_put_text(&s->out, DELTA_UNSUBSCRIBE, s->list[i]->name);
            s->list[i]->is_asked = false;
        }
    for (size_t i = 0; is_first && i < s->n; i++)
        put_version(s, s->list[i]);
    if (s->answers)
        xds_ads_put_text(&s->out, DELTA_NONCE, xds_ads_text(&line->nonce));
    put_error(s, DELTA_ERROR);
    if (!s->answers)
        xds_ads_purge(s->ads, s->type, is_told);
}

static size_t count_wanted(const struct sending *s)
{
    size_t n = 0;

    for (size_t i = 0; i < s->n; i++)
        n += is_wanted(s, s->list[i]);
    return n;
}

static void settle(struct sending *s)
{
    struct xds_ads_line *line = line_of(s);

    line->asked = true;
    if (s->answers)
        line->answers = 0;
    else
        line->changed = false;
    if (!s->ads->client.repeats || s->ads->settings.delta)
        line->has_error = false;
    if (s->ads->client.forgets && !s->answers && count_wanted(s) == 0)
        line->version.len = 0;
}

static void put(struct sending *s)
{
    struct xds_text text = {.arena = &s->ads->sending};

    s->out.text = &text;
    if (s->ads->settings.delta)
        put_delta(s);
    else
        put_sotw(s);
    settle(s);
    s->out.text = NULL;
    s->ads->message = xds_slice_make(text.data, text.len);
}

/* ---- what is next ---- */

/* The type of which the oldest answer is due. */
static enum xds_resource_type next_answer(const struct xds_ads_stream *stream)
{
    enum xds_resource_type next = XDS_TYPE_UNKNOWN;

    for (unsigned type = XDS_TYPE_LISTENER; type <= XDS_TYPE_ENDPOINT; type++)
        if (stream->line[type].answers &&
            (!next || stream->line[type].answers < stream->line[next].answers))
            next = (enum xds_resource_type)type;
    return next;
}

static enum xds_resource_type type_of_letter(char letter)
{
    switch (letter) {
    case 'L':
        return XDS_TYPE_LISTENER;
    case 'R':
        return XDS_TYPE_ROUTE;
    case 'C':
        return XDS_TYPE_CLUSTER;
    default:
        return XDS_TYPE_ENDPOINT;
    }
}

static bool put_change(struct sending *s)
{
    for (const char *letter = s->ads->client.order; *letter; letter++) {
        s->type = type_of_letter(*letter);
        struct xds_ads_line *line = line_of(s);

        if (!line->changed)
            continue;
        gather(s);
        /* Some close the stream instead of asking for nothing. */
        const bool closes =
            s->ads->closes_at_end && !xds_ads_is_needed(s->ads, s->stream);

        if ((line->asked || s->n > 0) && !closes) {
            put(s);
            return true;
        }
        line->changed = false;
    }
    return false;
}

struct asking {
    struct sending sending;
    bool found;
};

static void expire(struct xds_ads *ads)
{
    for (size_t type = 0; ads->n_waiting > 0 && type < XDS_ARRAY_LEN(ads->list); type++)
        for (size_t i = 0; i < ads->list[type].n; i++) {
            struct xds_ads_entry *entry = ads->list[type].items[i];

            if (entry->deadline > ads->now)
                continue;
            const bool is_transient =
                ads->streams[entry->stream].late_is_transient &&
                xds_env_on(&ads->options, XDS_ENV_DATA_ERROR_HANDLING,
                           ads->settings.as.client);

            entry->status = is_transient ? XDS_HELD_TIMEOUT : XDS_HELD_DOES_NOT_EXIST;
            entry->is_late = true;
            xds_ads_stop_waiting(ads, entry);
        }
}

static void ask(void *arg)
{
    struct asking *a = arg;
    struct sending *s = &a->sending;
    const struct xds_ads_stream *stream = &s->ads->streams[s->stream];

    expire(s->ads);
    if (stream->is_open && (s->type = next_answer(stream))) {
        s->answers = a->found = true;
        gather(s);
        put(s);
        return;
    }
    xds_ads_walk(s->ads);
    a->found = stream->is_open && put_change(s);
}

enum xds_status xds_ads_request(struct xds_ads *ads, size_t stream, int64_t now,
                                struct xds_slice *message)
{
    struct asking a = {.sending = {.ads = ads, .stream = stream}};

    (void)xds_ads_now(ads, now);
    const enum xds_status status = xds_ads_guard(ads, ask, &a);

    *message = ads->message;
    return status == XDS_OK && !a.found ? XDS_END : status;
}

void xds_ads_begin(struct xds_ads *ads, size_t stream)
{
    struct xds_ads_stream *s = &ads->streams[stream];

    xds_ads_end(ads, stream);
    s->is_open = true;
    for (unsigned type = XDS_TYPE_LISTENER; type <= XDS_TYPE_ENDPOINT; type++)
        s->line[type].changed = true;
}

void xds_ads_end(struct xds_ads *ads, size_t stream)
{
    struct xds_ads_stream *s = &ads->streams[stream];

    s->is_open = s->has_node = false;
    for (unsigned type = XDS_TYPE_LISTENER; type <= XDS_TYPE_ENDPOINT; type++) {
        s->line[type].nonce.len = 0;
        s->line[type].answers = 0;
        s->line[type].has_error = s->line[type].asked = false;
        for (size_t i = 0; i < ads->list[type].n; i++)
            if (ads->list[type].items[i]->stream == stream) {
                ads->list[type].items[i]->is_asked = false;
                xds_ads_stop_waiting(ads, ads->list[type].items[i]);
            }
    }
    /* What is not asked for any more is not reported. */
    ads->walk.stale = true;
}
