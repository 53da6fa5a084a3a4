/*
 * request_read.c - one RPC from an object, as in files of tests and on lines of JSON.
 *
 * Fails:  with one sentence for a member that is unknown or of the wrong type.
 */
#include "explain/request_read.h"

#include "base/ascii.h"
#include "base/limits.h"
#include "base/text.h"

/* False: the member is not what it should be. */
typedef bool read_fn(struct xds_request_reader *r, const struct xds_tree *value,
                     size_t which);

XDS_PRINTF(3, 4)
static bool complain(struct xds_request_reader *r, const struct xds_tree *at,
                     const char *format, ...)
{
    va_list args;

    r->wrong = at;
    va_start(args, format);
    r->fault = xds_arena_vprintf(r->arena, format, args);
    va_end(args);
    return false;
}

static struct xds_slice quote(const struct xds_request_reader *r, struct xds_slice name)
{
    return xds_arena_printf(r->arena, "\"%.*s\"",
                            XDS_FMT(xds_slice_clip(name, XDS_MAX_VALUE_IN_NAME)));
}

static bool is_text(const struct xds_tree *value)
{
    return value->kind == XDS_TREE_STRING;
}

static bool is_list(const struct xds_tree *value)
{
    return value->kind == XDS_TREE_ARRAY;
}

static bool read_text(struct xds_request_reader *r, const struct xds_tree *value,
                      size_t offset)
{
    if (!is_text(value))
        return false;
    memcpy((char *)&r->rpc + offset, &value->text, sizeof value->text);
    return true;
}

static bool read_path(struct xds_request_reader *r, const struct xds_tree *value,
                      size_t offset)
{
    return read_text(r, value, offset) && xds_slice_starts(value->text, XDS_S("/"));
}

/* A list with room for `more` items after the n that it has. */
static void *with_room(struct xds_arena *arena, const void *items, size_t n, size_t more,
                       size_t size)
{
    void *larger = xds_arena_zero(arena, n + more, size);

    if (n > 0)
        memcpy(larger, items, n * size);
    return larger;
}

/* ---- headers ---- */

static bool read_header(const struct xds_tree *item, bool pair, struct xds_header *out)
{
    if (!pair) {
        *out = (struct xds_header){item->key, item->text};
        return is_text(item);
    }
    if (!is_list(item) || item->n != 2 || !is_text(&item->items[0]) ||
        !is_text(&item->items[1]))
        return false;
    *out = (struct xds_header){item->items[0].text, item->items[1].text};
    return true;
}

/* [["k", "v"], ...] keeps an order and may repeat a name; {"k": "v"} is shorter. */
static bool read_headers(struct xds_request_reader *r, const struct xds_tree *value,
                         size_t which)
{
    const size_t n = r->rpc.n_headers;

    (void)which;
    if (!is_list(value) && value->kind != XDS_TREE_OBJECT)
        return false;
    struct xds_header *list =
        with_room(r->arena, r->rpc.headers, n, value->n, sizeof *list);

    for (size_t i = 0; i < value->n; i++)
        if (!read_header(&value->items[i], is_list(value), &list[n + i]))
            return false;
    r->rpc.headers = list;
    r->rpc.n_headers = n + value->n;
    return true;
}

static void add_header(struct xds_request_reader *r, struct xds_slice name,
                       struct xds_slice value)
{
    struct xds_header *list =
        with_room(r->arena, r->rpc.headers, r->rpc.n_headers, 1, sizeof *list);

    list[r->rpc.n_headers++] = (struct xds_header){name, value};
    r->rpc.headers = list;
}

/* ---- lists of text ---- */

/* A text is a list of one. */
static const struct xds_tree *items_of(const struct xds_tree *value, size_t *n)
{
    *n = is_list(value) ? value->n : 1;
    return is_list(value) ? value->items : value;
}

static bool is_texts(const struct xds_tree *value)
{
    size_t n;
    const struct xds_tree *items = items_of(value, &n);

    for (size_t i = 0; i < n; i++)
        if (!is_text(&items[i]))
            return false;
    return true;
}

/* After what is there already. */
static struct xds_slice join(struct xds_arena *arena, struct xds_slice before,
                             const struct xds_tree *value, struct xds_slice separator)
{
    struct xds_text text = {.arena = arena};
    size_t n;
    const struct xds_tree *items = items_of(value, &n);

    xds_text_add(&text, before);
    for (size_t i = 0; i < n; i++) {
        if (text.len > 0)
            xds_text_add(&text, separator);
        xds_text_add(&text, items[i].text);
    }
    return xds_slice_make(xds_slice_text((struct xds_slice){text.data, 0}), text.len);
}

static bool read_cookies(struct xds_request_reader *r, const struct xds_tree *value,
                         size_t which)
{
    size_t n;
    const struct xds_tree *items = items_of(value, &n);

    (void)which;
    if (!is_texts(value))
        return false;
    for (size_t i = 0; i < n; i++) {
        const size_t name = xds_slice_find(items[i].text, '=');

        if (name == 0 || name == items[i].text.len)
            return false;
    }
    r->cookies = join(r->arena, r->cookies, value, XDS_S("; "));
    return true;
}

static struct xds_assumption *more_assumptions(struct xds_request_reader *r, size_t more)
{
    struct xds_assumption *list =
        with_room(r->arena, r->rpc.assumptions, r->rpc.n_assumptions, more, sizeof *list);

    r->rpc.assumptions = list;
    return list + r->rpc.n_assumptions;
}

bool xds_is_host_address(struct xds_slice address)
{
    size_t port = address.len;

    while (port > 0 && xds_ascii_digit(address.data[port - 1]))
        port--;
    if (xds_slice_find(address, '/') < address.len) /* a pipe */
        return true;
    if (port < 2 || port == address.len || address.data[port - 1] != ':')
        return false;
    /* Of IPv6 the address is in brackets. */
    const struct xds_slice host = {address.data, port - 1};

    return xds_slice_find(host, ':') == host.len || xds_slice_ends(host, XDS_S("]"));
}

static bool check_address(struct xds_request_reader *r, const struct xds_tree *at,
                          struct xds_slice address)
{
    return xds_is_host_address(address) ||
           complain(r, at,
                    "%.*s has no port: the address of a host is one such as 10.0.0.1:80",
                    XDS_FMT(quote(r, address)));
}

static bool read_states(struct xds_request_reader *r, const struct xds_tree *value,
                        size_t state)
{
    size_t n;
    const struct xds_tree *items = items_of(value, &n);

    if (!is_texts(value))
        return false;
    struct xds_assumption *list = more_assumptions(r, n);

    for (size_t i = 0; i < n; i++) {
        if (!check_address(r, &items[i], items[i].text))
            return false;
        list[i] = (struct xds_assumption){items[i].text, (enum xds_connectivity)state};
    }
    r->rpc.n_assumptions += n;
    return true;
}

static bool read_one_state(struct xds_request_reader *r, const struct xds_tree *item,
                           struct xds_assumption *out)
{
    out->address = item->key;
    if (!check_address(r, item, item->key))
        return false;
    return (is_text(item) && xds_connectivity_from_name(item->text, &out->state)) ||
           complain(r, item,
                    "\"state\": the state of %.*s is not READY, IDLE, "
                    "CONNECTING or TRANSIENT_FAILURE",
                    XDS_FMT(quote(r, item->key)));
}

/* {"10.0.0.1:80": "READY"}. An object that says two things of one address says nothing;
 * it is found out with a sort, as there may be many. */
static bool read_state(struct xds_request_reader *r, const struct xds_tree *value,
                       size_t which)
{
    (void)which;
    if (value->kind != XDS_TREE_OBJECT)
        return false;
    const struct xds_tree *twice = xds_tree_twice(r->arena, value);

    if (twice)
        return complain(r, twice, "\"state\": duplicate key %.*s",
                        XDS_FMT(quote(r, twice->key)));
    struct xds_assumption *list = more_assumptions(r, value->n);

    for (size_t i = 0; i < value->n; i++)
        if (!read_one_state(r, &value->items[i], &list[i]))
            return false;
    r->rpc.n_assumptions += value->n;
    return true;
}

/* ---- numbers ---- */

/* Whole, and of a size up to which every number has a double. */
static bool read_double(double value, uint64_t *number)
{
    const double exact = 9007199254740992.0; /* 2^53 */

    *number = value >= 0 && value <= exact ? (uint64_t)value : 0;
    return (double)*number == value;
}

/* As text, since many writers of JSON lose digits; a number will do as well. */
static bool read_u64(const struct xds_tree *value, uint64_t *number)
{
    if (value->kind == XDS_TREE_NUMBER && read_double(value->number, number))
        return true;
    return (is_text(value) || value->kind == XDS_TREE_NUMBER) &&
           xds_slice_to_u64(value->text, number);
}

static bool read_channel_id(struct xds_request_reader *r, const struct xds_tree *value,
                            size_t which)
{
    (void)which;
    return r->rpc.has_channel_id = read_u64(value, &r->rpc.channel_id);
}

static bool read_hash(struct xds_request_reader *r, const struct xds_tree *value,
                      size_t which)
{
    (void)which;
    return r->rpc.has_hash = read_u64(value, &r->rpc.hash);
}

static bool read_random(struct xds_request_reader *r, const struct xds_tree *value,
                        size_t which)
{
    double *list = XDS_NEW_ARRAY(r->arena, double, value->n);

    (void)which;
    if (!is_list(value))
        return false;
    for (size_t i = 0; i < value->n; i++) {
        const struct xds_tree *item = &value->items[i];

        if (item->kind != XDS_TREE_NUMBER || !(item->number >= 0 && item->number < 1))
            return false;
        list[i] = item->number;
    }
    r->rpc.random = list;
    r->rpc.n_random = value->n;
    return true;
}

/* ---- the session cookie ---- */

static bool read_cookie_host(struct xds_request_reader *r, const struct xds_tree *value,
                             size_t which)
{
    (void)which;
    r->hosts = value;
    return is_texts(value);
}

static bool read_cookie_cluster(struct xds_request_reader *r,
                                const struct xds_tree *value, size_t which)
{
    (void)which;
    r->host_cluster = value->text;
    return is_text(value);
}

/* ---- the object ---- */

#define RPC(member) offsetof(struct xds_request, member)
#define NAME(text)                                                                       \
    {                                                                                    \
        text, sizeof(text) - 1                                                           \
    }

static const struct member {
    struct xds_slice name;
    read_fn *read;
    size_t which;
    const char *wanted;
    bool one; /* takes a single value */
} members[] = {
    {NAME("target"), read_text, RPC(target), "text", true},
    {NAME("listener"), read_text, RPC(listener), "text", true},
    {NAME("route_config"), read_text, RPC(route_config), "text", true},
    {NAME("authority"), read_text, RPC(authority), "text", true},
    {NAME("path"), read_path, RPC(path),
     "text that begins with '/': /package.Service/Method", true},
    {NAME("headers"), read_headers, 0,
     "a list of [\"name\", \"value\"] or an object of strings", false},
    {NAME("cookie"), read_cookies, 0, "\"NAME=VALUE\" or a list of that", false},
    {NAME("cookie_host"), read_cookie_host, 0, "an address or a list of them", false},
    {NAME("cookie_cluster"), read_cookie_cluster, 0, "text", true},
    {NAME("channel_id"), read_channel_id, 0, "an unsigned 64-bit number, as a string",
     true},
    {NAME("hash"), read_hash, 0, "an unsigned 64-bit number, as a string", true},
    {NAME("random"), read_random, 0, "a list of numbers in [0,1)", false},
    /* What is below counts more, wherever "state" is. */
    {NAME("state"), read_state, 0,
     "an object of addresses, each once, and their states: READY, IDLE, CONNECTING or "
     "TRANSIENT_FAILURE",
     false},
    {NAME("down"), read_states, XDS_STATE_TRANSIENT_FAILURE,
     "an address or a list of them", false},
    {NAME("idle"), read_states, XDS_STATE_IDLE, "an address or a list of them", false},
    {NAME("connecting"), read_states, XDS_STATE_CONNECTING,
     "an address or a list of them", false},
    {NAME("observed_host"), read_text, RPC(observed_host), "text", true},
    {NAME("why_not"), read_text, RPC(why_not), "text", true},
};

static const struct member *find_member(struct xds_slice name)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(members); i++)
        if (xds_slice_eq(name, members[i].name))
            return &members[i];
    return NULL;
}

bool xds_request_takes_one(struct xds_slice name)
{
    const struct member *member = find_member(name);

    return member && member->one;
}

/* What the member has to say itself comes first. */
static bool read_known(struct xds_request_reader *r, const struct member *member,
                       const struct xds_tree *value)
{
    if (value->kind == XDS_TREE_NULL || member->read(r, value, member->which))
        return true;
    return !r->fault.data && complain(r, value, "\"%.*s\" must be %s",
                                      XDS_FMT(member->name), member->wanted);
}

enum xds_request_member xds_request_read_member(struct xds_request_reader *reader,
                                                const struct xds_tree *member)
{
    const struct member *known = find_member(member->key);

    if (!known)
        return XDS_MEMBER_UNKNOWN;
    return read_known(reader, known, member) ? XDS_MEMBER_READ : XDS_MEMBER_WRONG;
}

static bool refuse_unknown(struct xds_request_reader *r, const struct xds_tree *member)
{
    struct xds_nearest nearest = xds_nearest_to(member->key);

    for (size_t i = 0; i < XDS_ARRAY_LEN(members); i++)
        xds_nearest_offer(&nearest, members[i].name.data);
    const struct xds_slice hint = xds_nearest_words(r->arena, nearest.best);

    r->wrong_key = true;
    return complain(r, member, "a request has no member %.*s%.*s",
                    XDS_FMT(quote(r, member->key)), XDS_FMT(hint));
}

/* values: what is there for each of the members. */
static bool sort_members(struct xds_request_reader *r, const struct xds_tree *object,
                         const struct xds_tree *values[])
{
    for (size_t i = 0; i < object->n; i++) {
        const struct xds_tree *value = &object->items[i];
        const struct member *member = find_member(value->key);

        if (!member)
            return refuse_unknown(r, value);
        if (values[member - members]) {
            r->wrong_key = true;
            return complain(r, value, "duplicate key \"%.*s\"", XDS_FMT(value->key));
        }
        values[member - members] = value;
    }
    return true;
}

bool xds_request_finish(struct xds_request_reader *reader)
{
    const struct xds_request *rpc = &reader->rpc;

    if (rpc->target.data && rpc->listener.data)
        return complain(reader, NULL, "\"target\" and \"listener\" exclude each other");
    if (rpc->route_config.data && rpc->listener.data)
        return complain(reader, NULL,
                        "\"route_config\" and \"listener\" exclude each other");
    if (reader->host_cluster.data && !reader->hosts)
        return complain(reader, NULL,
                        "\"cookie_cluster\" needs \"cookie_host\" with addresses");
    if (reader->hosts) {
        const struct xds_slice hosts =
            join(reader->arena, XDS_S(""), reader->hosts, XDS_S(","));
        const size_t len = xds_cookie_encode(hosts, reader->host_cluster, NULL, 0);
        char *value = xds_arena_alloc(reader->arena, len + 1);

        (void)xds_cookie_encode(hosts, reader->host_cluster, value, len);
        reader->session_cookie = xds_slice_make(value, len);
    }
    if (reader->cookies.len > 0)
        add_header(reader, XDS_S("cookie"), reader->cookies);
    return true;
}

bool xds_request_read(struct xds_request_reader *reader, const struct xds_tree *object)
{
    const struct xds_tree *values[XDS_ARRAY_LEN(members)] = {NULL};

    if (object->kind != XDS_TREE_OBJECT)
        return complain(reader, object, "a request must be an object");
    if (!sort_members(reader, object, values))
        return false;
    for (size_t i = 0; i < XDS_ARRAY_LEN(members); i++)
        if (values[i] && !read_known(reader, &members[i], values[i]))
            return false;
    if (xds_request_finish(reader))
        return true;
    reader->wrong = reader->wrong ? reader->wrong : object;
    return false;
}

/* ---- the answer ---- */

enum xds_status xds_request_ask(struct xds_explainer *explainer,
                                struct xds_request_reader *reader,
                                const struct xds_decision **out)
{
    const enum xds_status status = xds_explain(explainer, &reader->rpc, out);

    if (status != XDS_OK || !reader->session_cookie.data)
        return status;
    const struct xds_slice name = xds_decision_cookie_name(*out);

    if (name.len == 0)
        return status;
    if (reader->cookies.len > 0)
        reader->rpc.n_headers--;
    const struct xds_tree cookie = xds_tree_string(xds_arena_printf(
        reader->arena, "%.*s=%.*s", XDS_FMT(name), XDS_FMT(reader->session_cookie)));

    reader->cookies = join(reader->arena, reader->cookies, &cookie, XDS_S("; "));
    add_header(reader, XDS_S("cookie"), reader->cookies);
    return xds_explain(explainer, &reader->rpc, out);
}
