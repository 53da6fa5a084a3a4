/*
 * nack.c - the text that C-core puts into its NACK.
 *
 * Takes:  the findings that C-core rejects, sorted by resource, path and message.
 * Gives:  "HEADLINE: [field:PATH error:MSG; field:PATH errors:[A; B]]"; what concerns
 *         the resource as a whole stands before it in plain words.
 * Source: spec listener 0.3, L1; spec cluster 0.3.
 */
#include "print/nack.h"

#include <stdlib.h>

#define MAX_ERRORS_PER_FIELD 20 /* ValidationErrors of C-core */

/* A run of findings. */
struct run {
    const struct xds_finding *const *at;
    size_t n;
};

static int by_resource_path_message(const void *left, const void *right)
{
    const struct xds_finding *a = *(const struct xds_finding *const *)left;
    const struct xds_finding *b = *(const struct xds_finding *const *)right;
    int c = (a->resource > b->resource) - (a->resource < b->resource);

    if (c == 0)
        c = xds_slice_cmp(a->path, b->path);
    return c ? c : xds_slice_cmp(a->message, b->message);
}

void xds_nacks_init(struct xds_nacks *nacks, struct xds_arena *arena,
                    const struct xds_report *report)
{
    const size_t n = report->n_findings + report->n_hidden;

    *nacks = (struct xds_nacks){.report = report};
    nacks->list = XDS_NEW_ARRAY(arena, const struct xds_finding *, n);
    for (size_t i = 0; i < n; i++) {
        const struct xds_finding *finding = &report->findings[i];

        if (finding->resource != XDS_NO_RESOURCE &&
            finding->verdict[XDS_CLIENT_CORE] == XDS_NACK)
            nacks->list[nacks->n++] = finding;
    }
    if (nacks->n > 1)
        qsort(nacks->list, nacks->n, sizeof(const struct xds_finding *),
              by_resource_path_message);
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

/* Sorted, so repetitions stand together. */
static bool repeats(struct run run, size_t i)
{
    return i > 0 && xds_slice_eq(run.at[i]->message, run.at[i - 1]->message);
}

static size_t count_distinct(struct run run)
{
    size_t n = 0;

    for (size_t i = 0; i < run.n; i++)
        n += !repeats(run, i);
    return n;
}

static void write_messages(struct xds_out *out, struct run run)
{
    size_t written = 0;

    for (size_t i = 0; i < run.n && written < MAX_ERRORS_PER_FIELD; i++) {
        if (repeats(run, i))
            continue;
        if (written++ > 0)
            xds_json_part(out, XDS_S("; "));
        xds_json_part(out, run.at[i]->message);
    }
}

static void write_field(struct xds_out *out, struct run run)
{
    const bool many = count_distinct(run) > 1;

    xds_json_part(out, XDS_S("field:"));
    xds_json_part(out, run.at[0]->path);
    xds_json_part(out, many ? XDS_S(" errors:[") : XDS_S(" error:"));
    write_messages(out, run);
    if (many)
        xds_json_part(out, XDS_S("]"));
}

static void write_fields(struct xds_out *out, struct run run)
{
    const char *separator = "";

    while (run.n > 0) {
        const struct run field = same_path(run);

        xds_json_part(out, xds_slice_of(separator));
        write_field(out, field);
        separator = "; ";
        run = behind(run, field);
    }
}

static struct xds_slice headline(struct xds_slice type, struct run run)
{
    static const struct row {
        const char *type, *headline;
    } rows[] = {
        {"RouteConfiguration", "errors validating RouteConfiguration resource"},
        {"Cluster", "errors validating Cluster resource"},
        {"ClusterLoadAssignment", "errors parsing EDS resource"},
    };
    const struct xds_slice name = xds_type_short(type);

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++)
        if (xds_slice_is(name, rows[i].type))
            return xds_slice_of(rows[i].headline);
    /* C-core reads a listener with an api_listener for that alone. */
    for (size_t i = 0; i < run.n; i++)
        if (xds_slice_starts(run.at[i]->path, XDS_S("api_listener")))
            return XDS_S("errors validating ApiListener");
    return XDS_S("errors validating server Listener");
}

static void write_text(struct xds_out *out, struct xds_slice type, struct run run)
{
    if (run.at[0]->path.len == 0) {
        const struct run whole = same_path(run);

        write_messages(out, whole);
        run = behind(run, whole);
        if (run.n == 0)
            return;
        xds_json_part(out, XDS_S("; "));
    }
    xds_json_part(out, headline(type, run));
    xds_json_part(out, XDS_S(": ["));
    write_fields(out, run);
    xds_json_part(out, XDS_S("]"));
}

static struct run take(struct xds_nacks *nacks, uint32_t resource)
{
    const size_t from = nacks->next;

    while (nacks->next < nacks->n && nacks->list[nacks->next]->resource == resource)
        nacks->next++;
    return (struct run){nacks->list + from, nacks->next - from};
}

void xds_nacks_write(struct xds_nacks *nacks, struct xds_out *out, uint32_t resource)
{
    const struct run run = take(nacks, resource);

    if (run.n == 0) {
        xds_json_null(out);
        return;
    }
    xds_json_begin_string(out);
    write_text(out, xds_report_resource(nacks->report, resource)->type, run);
    xds_json_end_string(out);
}
