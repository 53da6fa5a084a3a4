/*
 * fault.c - decide what fault injection does to an RPC.
 *
 * Source: gRFC A33, spec listener FI1 to FI19 and 12.3.
 */
#include "route/route.h"

#include "base/ascii.h"

#define NS_PER_MS INT64_C(1000000)

enum { OK = 0, UNKNOWN = 2, UNIMPLEMENTED = 12, INTERNAL = 13 };
enum { PERMISSION_DENIED = 7, UNAVAILABLE = 14, UNAUTHENTICATED = 16 };

struct work {
    const struct xds_rpc *rpc;
    const struct xds_fault *config;
    struct xds_fault_chance *out;
};

/* ---- status codes ---- */

static const char *const code_names[] = {
    "OK",
    "CANCELLED",
    "UNKNOWN",
    "INVALID_ARGUMENT",
    "DEADLINE_EXCEEDED",
    "NOT_FOUND",
    "ALREADY_EXISTS",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION",
    "ABORTED",
    "OUT_OF_RANGE",
    "UNIMPLEMENTED",
    "INTERNAL",
    "UNAVAILABLE",
    "DATA_LOSS",
    "UNAUTHENTICATED",
};

static bool is_code(uint64_t code)
{
    return code < XDS_ARRAY_LEN(code_names);
}

const char *xds_status_code_name(uint32_t code)
{
    return is_code(code) ? code_names[code] : NULL;
}

struct xds_slice xds_status_code_text(struct xds_arena *arena, uint32_t code)
{
    return is_code(code) ? xds_slice_of(code_names[code])
                         : xds_arena_printf(arena, "%lu", (unsigned long)code);
}

static const struct {
    uint32_t http, grpc;
} http_codes[] = {
    {400, INTERNAL},      {401, UNAUTHENTICATED}, {403, PERMISSION_DENIED},
    {404, UNIMPLEMENTED}, {429, UNAVAILABLE},     {502, UNAVAILABLE},
    {503, UNAVAILABLE},   {504, UNAVAILABLE},
};

static uint32_t from_http(uint32_t http)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(http_codes); i++)
        if (http_codes[i].http == http)
            return http_codes[i].grpc;
    return UNKNOWN;
}

/* ---- abort codes ---- */

static struct xds_slice injected(const struct work *w)
{
    return xds_failure_text(w->rpc, XDS_FAILURE_FAULT, XDS_S("")).text;
}

/* False: this HTTP status aborts nothing. */
static bool use_http(struct work *w, uint32_t http)
{
    const bool inside = http >= 200 && http < 600;

    if ((!inside && XDS_DIFFERS(w->rpc, XDS_DIFF_FAULT_HTTP_OUTSIDE_NOTHING)) ||
        ((http == 200 || http == 0) &&
         XDS_DIFFERS(w->rpc, XDS_DIFF_FAULT_OK_ABORTS_NOTHING)))
        return false;
    w->out->code = from_http(http);
    if (http / 100 == 1 && XDS_DIFFERS(w->rpc, XDS_DIFF_FAULT_HTTP_1XX_INTERNAL))
        w->out->code = INTERNAL;
    w->out->text =
        XDS_DIFFERS(w->rpc, XDS_DIFF_FAULT_TEXT_OF_CODE)
            ? xds_arena_printf(w->rpc->arena, "HTTP status code %lu", (unsigned long)http)
            : injected(w);
    return true;
}

/* False: this code aborts nothing. */
static bool use_grpc(struct work *w, uint32_t code)
{
    const bool known = is_code(code);

    if (code == OK && XDS_DIFFERS(w->rpc, XDS_DIFF_FAULT_OK_ABORTS_NOTHING))
        return false;
    w->out->code =
        known || XDS_DIFFERS(w->rpc, XDS_DIFF_FAULT_CODE_KEPT) ? code : UNKNOWN;
    if (code == OK)
        w->out->text = XDS_S("");
    else if (!XDS_DIFFERS(w->rpc, XDS_DIFF_FAULT_TEXT_OF_CODE))
        w->out->text = injected(w);
    else if (known)
        w->out->text = XDS_S("");
    else
        w->out->text =
            xds_arena_printf(w->rpc->arena, "Unknown code %ld", (long)(int32_t)code);
    return true;
}

/* ---- headers ---- */

static bool get_header(const struct work *w, const char *name, struct xds_slice *value)
{
    const struct xds_slice key = xds_slice_of(name);
    const bool first = XDS_DIFFERS(w->rpc, XDS_DIFF_FAULT_HEADER_FIRST);
    size_t n = 0;

    if (!first && !XDS_DIFFERS(w->rpc, XDS_DIFF_FAULT_HEADER_LAST))
        return xds_metadata_get(w->rpc, key, value);
    while (!(first && n > 0) && xds_metadata_nth(w->rpc, key, n, value))
        n++;
    return n > 0;
}

static struct xds_slice first_digits(struct xds_slice s)
{
    size_t from = 0, to;

    while (from < s.len && !xds_ascii_digit(s.data[from]))
        from++;
    for (to = from; to < s.len && xds_ascii_digit(s.data[to]);)
        to++;
    return xds_slice_make(s.data + from, to - from);
}

/* Any sign counts as readable here. */
static bool read_number(const struct work *w, struct xds_slice value, int64_t *out)
{
    if (XDS_DIFFERS(w->rpc, XDS_DIFF_FAULT_FIRST_DIGITS))
        value = first_digits(value);
    else if (XDS_DIFFERS(w->rpc, XDS_DIFF_FAULT_NUMBER_TRIMMED))
        value = xds_slice_trim(value);
    return xds_slice_to_i64(value, out);
}

/* False: the header is there and of no use, or there is none. */
static bool header_number(const struct work *w, const char *name, int64_t *out)
{
    struct xds_slice value;

    return get_header(w, name, &value) && read_number(w, value, out) && *out >= 0;
}

static bool use_grpc_header(struct work *w)
{
    struct xds_slice value;
    int64_t code;

    if (!get_header(w, "x-envoy-fault-abort-grpc-request", &value))
        return false;
    if (read_number(w, value, &code) && code >= INT32_MIN && code <= INT32_MAX)
        return use_grpc(w, (uint32_t)(int32_t)code);
    return XDS_DIFFERS(w->rpc, XDS_DIFF_FAULT_CODE_UNREADABLE) && use_grpc(w, UNKNOWN);
}

/* The HTTP status wins, also when it cannot be read. */
static bool use_headers(struct work *w)
{
    struct xds_slice value;
    int64_t http;

    if (XDS_DIFFERS(w->rpc, XDS_DIFF_FAULT_HTTP_HEADER_UNREAD) ||
        !get_header(w, "x-envoy-fault-abort-request", &value))
        return use_grpc_header(w);
    return read_number(w, value, &http) && http >= 0 && http <= INT32_MAX &&
           use_http(w, (uint32_t)http);
}

/* ---- probabilities ---- */

static double share(struct xds_fraction f, int64_t numerator)
{
    return numerator >= f.denominator ? 1 : (double)numerator / f.denominator;
}

/* header: NULL, or what may lower the numerator; not readable it triggers nothing. */
static double probability(const struct work *w, struct xds_fraction f, const char *header)
{
    struct xds_slice value;
    int64_t number;

    if (!header || !get_header(w, header, &value))
        return share(f, f.numerator);
    if (!header_number(w, header, &number))
        return 0;
    return share(f, number < (int64_t)f.numerator ? number : (int64_t)f.numerator);
}

static bool has_abort(struct work *w)
{
    switch (w->config->abort) {
    case XDS_FAULT_ABORT_GRPC:
        return use_grpc(w, w->config->abort_code);
    case XDS_FAULT_ABORT_HTTP:
        return use_http(w, w->config->abort_code);
    case XDS_FAULT_ABORT_HEADER:
        return use_headers(w);
    case XDS_FAULT_ABORT_NONE:
        break;
    }
    return false;
}

static void decide_delay(struct work *w)
{
    const bool by_header = w->config->delay == XDS_FAULT_DELAY_HEADER;
    int64_t ms = 0;

    w->out->delay_ns = w->config->delay_ns;
    if (by_header) {
        if (!header_number(w, "x-envoy-fault-delay-request", &ms))
            ms = 0;
        w->out->delay_ns = ms > INT64_MAX / NS_PER_MS ? INT64_MAX : ms * NS_PER_MS;
    }
    if (w->config->delay != XDS_FAULT_DELAY_NONE && w->out->delay_ns > 0)
        w->out->delay =
            probability(w, w->config->delay_fraction,
                        by_header ? "x-envoy-fault-delay-request-percentage" : NULL);
}

/* ---- the chain ---- */

static const struct xds_fault *config_of(const struct xds_rpc *rpc,
                                         const struct xds_override_scope *scope,
                                         const struct xds_filter *filter)
{
    if (filter->kind != XDS_FILTER_FAULT || !xds_filter_in_chain(scope, rpc, filter))
        return NULL;
    const struct xds_filter_override *o = xds_override_find(scope, rpc->client, filter);
    return o ? o->fault : filter->fault;
}

static void decide_filter(const struct xds_rpc *rpc, const struct xds_fault *config,
                          struct xds_fault_chance *out)
{
    struct work w = {rpc, config, out};
    const char *percentage = NULL;

    out->config = config;
    if (config->abort == XDS_FAULT_ABORT_HEADER)
        percentage = XDS_DIFFERS(rpc, XDS_DIFF_FAULT_ABORT_PERCENTAGE)
                         ? "x-envoy-fault-abort-percentage"
                         : "x-envoy-fault-abort-request-percentage";
    if (has_abort(&w))
        out->abort = probability(&w, config->abort_fraction, percentage);
    decide_delay(&w);
    /* No fault at all may be active: the filter is off. In core an RPC for which a delay
     * was drawn is aborted all the same. */
    if (!config->has_max_active_faults || config->max_active_faults > 0)
        return;
    out->abort *= XDS_DIFFERS(rpc, XDS_DIFF_FAULT_DELAY_LIFTS_LIMIT) ? out->delay : 0;
    out->delay = 0;
}

const struct xds_fault_header xds_fault_headers[XDS_FAULT_HEADERS] = {
    {"x-envoy-fault-abort-request", "header_abort", false, true, &xds_fault_headers[1]},
    {"x-envoy-fault-abort-grpc-request", "header_abort", false, false, NULL},
    {"x-envoy-fault-delay-request", "header_delay", true, false, NULL},
};

/* The headers that a filter looks at: bit i for xds_fault_headers[i]. */
static unsigned headers_read(const struct xds_rpc *rpc, const struct xds_fault *config)
{
    const bool unread = XDS_DIFFERS(rpc, XDS_DIFF_FAULT_HTTP_HEADER_UNREAD);
    unsigned out = 0;

    for (unsigned i = 0; i < XDS_FAULT_HEADERS; i++) {
        const struct xds_fault_header *header = &xds_fault_headers[i];

        if (header->delays
                ? config->delay == XDS_FAULT_DELAY_HEADER
                : config->abort == XDS_FAULT_ABORT_HEADER && !(unread && header->is_http))
            out |= 1u << i;
    }
    return out;
}

struct xds_faults xds_faults_of(const struct xds_rpc *rpc,
                                const struct xds_listener *listener,
                                const struct xds_override_scope *scope)
{
    struct xds_faults out = {.list = NULL};
    struct xds_fault_chance *list = NULL;

    for (size_t i = 0; i < listener->n_filters && !out.aborts; i++) {
        const struct xds_fault *config = config_of(rpc, scope, &listener->filters[i]);

        if (!config)
            continue;
        out.has_filter = true;
        out.headers |= headers_read(rpc, config);
        if (!list)
            list = XDS_NEW_ARRAY(rpc->arena, struct xds_fault_chance,
                                 listener->n_filters - i);
        struct xds_fault_chance *chance = &list[out.n];
        *chance = (struct xds_fault_chance){.filter = &listener->filters[i]};
        decide_filter(rpc, config, chance);
        if (chance->abort > 0 || chance->delay > 0)
            out.n++;
        out.aborts = chance->abort >= 1;
        out.ends_at = i;
    }
    out.list = list;
    return out;
}
