/*
 * nack.c - the text that C-core puts into its NACK.
 *
 * Source: spec listener 0.3, G1 to G8, L1; spec cluster 0.3, 0.4.
 */
#include "print/findings/findings.h"
#include "print/findings/nack.h"
#include "print/write/json.h"

#include <stdlib.h>

#include "base/order.h"

#define MAX_ERRORS_PER_FIELD 20 /* ValidationErrors of C-core */

/* How text gets out: as a part of a JSON string, or safe for a terminal. */
struct pen {
    struct xds_out *out;
    xds_put_fn *put;
};

/* A run of findings. */
struct run {
    const struct xds_finding *const *at;
    size_t n;
};

static int by_resource_path_order(const void *left, const void *right)
{
    const struct xds_finding *a = *(const struct xds_finding *const *)left;
    const struct xds_finding *b = *(const struct xds_finding *const *)right;
    int c = xds_u32_cmp(a->resource, b->resource);

    if (c == 0)
        c = xds_slice_cmp(a->path, b->path);
    return c ? c : xds_u32_cmp(a->order, b->order);
}

static bool is_rejected(const struct xds_finding *finding)
{
    return finding->resource != XDS_NO_RESOURCE &&
           finding->verdict[XDS_CLIENT_CORE] == XDS_NACK &&
           finding->rule->effect != XDS_EFFECT_SYNTAX &&
           !(finding->core.data && finding->core.len == 0);
}

/* ---- faults that keep C-core from others ---- */

/* The message that a fault is in: the path without the field of its row. */
static struct xds_slice message_of(const struct xds_finding *finding)
{
    const size_t field = finding->rule->field ? strlen(finding->rule->field) + 1 : 0;
    const struct xds_slice path = finding->path;

    return xds_slice_make(path.data, path.len > field ? path.len - field : path.len);
}

static bool is_inside(const struct xds_finding *a, const struct xds_finding *b,
                      struct xds_slice message)
{
    const struct xds_slice path = a->path;

    return a->resource == b->resource && path.len > message.len &&
           xds_slice_starts(path, message) &&
           (path.data[message.len] == '.' || path.data[message.len] == '[');
}

/* Those inside of one message are neighbours. */
static void silence(const struct xds_nacks *nacks, size_t i, bool *silent)
{
    const struct xds_finding *const *list = nacks->list;
    const struct xds_slice message = message_of(list[i]);
    const enum xds_core_says says = list[i]->rule->core_says;

    if (says == XDS_CORE_SAYS_ALL)
        return;

    for (size_t k = i; k-- > 0 && is_inside(list[k], list[i], message);)
        silent[says == XDS_CORE_SAYS_INNER ? i : k] = true;
    for (size_t k = i + 1; k < nacks->n && is_inside(list[k], list[i], message); k++)
        silent[says == XDS_CORE_SAYS_INNER ? i : k] = true;
}

static void leave_out_silent(struct xds_nacks *nacks, struct xds_arena *arena)
{
    bool *silent = XDS_NEW_ARRAY(arena, bool, nacks->n);
    size_t n = 0;

    for (size_t i = 0; i < nacks->n; i++)
        silence(nacks, i, silent);
    for (size_t i = 0; i < nacks->n; i++)
        if (!silent[i])
            nacks->list[n++] = nacks->list[i];
    nacks->n = n;
}

/* ---- the findings of a resource ---- */

void xds_nacks_init(struct xds_nacks *nacks, struct xds_arena *arena,
                    const struct xds_report *report)
{
    const size_t n = report->n_findings + report->n_hidden + report->n_suppressed;

    *nacks = (struct xds_nacks){.report = report};
    nacks->list = XDS_NEW_ARRAY(arena, const struct xds_finding *, n);
    for (size_t i = 0; i < n; i++)
        if (is_rejected(&report->findings[i]))
            nacks->list[nacks->n++] = &report->findings[i];
    if (nacks->n > 1)
        qsort(nacks->list, nacks->n, sizeof(const struct xds_finding *),
              by_resource_path_order);
    leave_out_silent(nacks, arena);
}

struct xds_nack xds_nack_of(const struct xds_nacks *nacks, uint32_t resource)
{
    /* Where the findings of this resource, or of a later one, begin. */
    size_t from = 0, high = nacks->n;

    while (from < high) {
        const size_t middle = from + (high - from) / 2;

        if (nacks->list[middle]->resource < resource)
            from = middle + 1;
        else
            high = middle;
    }
    size_t to = from;

    while (to < nacks->n && nacks->list[to]->resource == resource)
        to++;
    return (struct xds_nack){xds_report_resource(nacks->report, resource),
                             nacks->list + from, to - from};
}

/* Each message once. C-core drops what comes when there are twenty, then sorts. */
struct messages {
    size_t n;
    struct xds_slice text[MAX_ERRORS_PER_FIELD];
};

static bool has(const struct messages *messages, struct xds_slice text)
{
    for (size_t i = 0; i < messages->n; i++)
        if (xds_slice_eq(messages->text[i], text))
            return true;
    return false;
}

static struct xds_slice words_of(const struct xds_finding *finding)
{
    return finding->core.len > 0 ? finding->core : finding->message;
}

XDS_PRINTF(2, 3) static void put(const struct pen *pen, const char *format, ...)
{
    XDS_OUT_ARGS(pen->out, pen->put, format);
}

/* The findings in front of run whose path is that of the first one. */
static struct run same_path(struct run run)
{
    size_t n = 1;

    while (n < run.n && xds_slice_eq(run.at[n]->path, run.at[0]->path))
        n++;
    return (struct run){run.at, n};
}

static struct run behind(struct run run, struct run part)
{
    return (struct run){run.at + part.n, run.n - part.n};
}

static const char *headline(struct xds_slice type, struct run run)
{
    static const struct row {
        const char *type, *headline;
    } rows[] = {
        {"Bootstrap", "errors validating JSON"},
        {"RouteConfiguration", "errors validating RouteConfiguration resource"},
        {"Cluster", "errors validating Cluster resource"},
        {"ClusterLoadAssignment", "errors parsing EDS resource"},
    };
    const struct xds_slice name = xds_type_short(type);

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++)
        if (xds_slice_is(name, rows[i].type))
            return rows[i].headline;
    /* C-core reads a listener with an api_listener for that alone. */
    for (size_t i = 0; i < run.n; i++)
        if (xds_slice_starts(run.at[i]->path, XDS_S("api_listener")))
            return "errors validating ApiListener";
    return "errors validating server Listener";
}

static void write_fields(const struct pen *pen, struct xds_slice type, struct run run)
{
    put(pen, "%s", headline(type, run));
    for (const char *separator = ": ["; run.n > 0; separator = "; ") {
        const struct run field = same_path(run);

        struct messages messages = {0};

        for (size_t i = 0; i < field.n && messages.n < MAX_ERRORS_PER_FIELD; i++)
            if (!has(&messages, words_of(field.at[i])))
                messages.text[messages.n++] = words_of(field.at[i]);
        qsort(messages.text, messages.n, sizeof messages.text[0], xds_slice_order);

        put(pen, "%sfield:%.*s %s", separator, XDS_FMT(field.at[0]->path),
            messages.n > 1 ? "errors:[" : "error:");
        for (size_t i = 0; i < messages.n; i++)
            put(pen, "%s%.*s", i > 0 ? "; " : "", XDS_FMT(messages.text[i]));
        put(pen, "%s", messages.n > 1 ? "]" : "");
        run = behind(run, field);
    }
    put(pen, "]");
}

/* When the client knows the name of a resource that it reports. */
enum naming { NAME_UNKNOWN, NAME_OF_WRAPPER, NAME_KNOWN };

/* What the client itself has to say of a resource; all else is said by the parser of the
 * resource, whose errors have a status code. */
static const struct voice {
    const char *slug;
    enum naming naming;
    bool has_status;
} voices[] = {
    {"resource-type-mismatch", NAME_OF_WRAPPER, false},
    {"resource-undecodable", NAME_OF_WRAPPER, true},
    {"resource-wrapper-empty", NAME_UNKNOWN, false},
    {"resource-wrapper-undecodable", NAME_UNKNOWN, false},
    {"resource-xdstp-name", NAME_KNOWN, false},
};

static const struct voice parser = {"", NAME_KNOWN, true};

static const struct voice *find_voice(const struct xds_finding *finding)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(voices); i++)
        if (strcmp(voices[i].slug, finding->rule->slug) == 0)
            return &voices[i];
    return &parser;
}

struct writer {
    struct pen pen;
    struct xds_nack nack;
    bool in_response;
    size_t n; /* errors so far */
};

static void begin_error(struct writer *w, const struct voice *voice)
{
    const struct xds_resource_result *resource = w->nack.resource;

    put(&w->pen, "%s", w->n++ > 0 ? "; " : "");
    if (!w->in_response)
        return;
    put(&w->pen, "resource index %u: ", resource->index);
    if (voice->naming == NAME_KNOWN ||
        (voice->naming == NAME_OF_WRAPPER && resource->named_by_wrapper))
        put(&w->pen, "%.*s: ", XDS_FMT(resource->name));
    put(&w->pen, "%s", voice->has_status ? "INVALID_ARGUMENT: " : "");
}

/* Errors without a path: of the parser, or the client's own. */
static void write_plain(struct writer *w, struct run run, bool has_status)
{
    for (size_t i = 0; i < run.n; i++) {
        const struct voice *voice = find_voice(run.at[i]);

        if (voice->has_status != has_status)
            continue;
        begin_error(w, voice);
        w->pen.put(w->pen.out, words_of(run.at[i]));
    }
}

/* The client looks at the name when the parser is done. */
static void write_errors(struct writer *w)
{
    const struct run all = {w->nack.at, w->nack.n};
    const struct run first = same_path(all);
    const struct run plain = {all.at, all.at[0]->path.len == 0 ? first.n : 0};
    const struct run fields = behind(all, plain);

    write_plain(w, plain, true);
    if (fields.n > 0) {
        begin_error(w, &parser);
        write_fields(&w->pen, w->nack.resource->type, fields);
    }
    write_plain(w, plain, false);
}

void xds_json_nack(struct xds_out *out, struct xds_nack nack)
{
    struct writer w = {.pen = {out, xds_json_part}, .nack = nack};

    if (nack.n == 0) {
        xds_json_null(out);
        return;
    }
    xds_json_begin_string(out);
    write_errors(&w);
    xds_json_end_string(out);
}

void xds_out_nack(struct xds_out *out, struct xds_nack nack)
{
    struct writer w = {.pen = {out, xds_out_clean}, .nack = nack, .in_response = true};

    xds_out_text(out, "xDS response validation errors: [");
    write_errors(&w);
    xds_out_char(out, ']');
}

void xds_out_nack_part(struct xds_out *out, struct xds_nack nack, bool in_response)
{
    struct writer w = {
        .pen = {out, xds_out_raw}, .nack = nack, .in_response = in_response};

    write_errors(&w);
}
