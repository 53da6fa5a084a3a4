/*
 * harness.c - one hostile input through everything a user can reach with it.
 *
 * Takes:  bytes nobody checked.
 * Gives:  nothing; a fault shows as a crash, a leak or a sanitizer's report.
 */
#include "fuzz/harness.h"

#include <string.h>

#include "base/slice.h"

static bool nowhere(void *user, const char *data, size_t len)
{
    (void)user;
    (void)data;
    (void)len;
    return true;
}

static const struct xds_printer printer = {.write = nowhere, .verbose = true};

static void explain(struct xds_check *check, enum xds_client client)
{
    static const struct xds_header headers[] = {
        {{"cookie", 6}, {"session=MTAuMC4wLjE6ODA7Y0E=", 28}},
        {{"x-env", 5}, {"prod", 4}},
    };
    const struct xds_request request = {
        .path = XDS_S("/pkg.Svc/Get"),
        .headers = headers,
        .n_headers = XDS_ARRAY_LEN(headers),
    };
    struct xds_explainer *explainer = xds_explainer_new(check, client);
    const struct xds_decision *decision;

    if (explainer && xds_explain(explainer, &request, &decision) == XDS_OK) {
        (void)!xds_print_decision_text(&printer, decision);
        (void)!xds_print_decision_json(&printer, decision);
    }
    xds_explainer_free(explainer);
}

static void print(struct xds_report *report)
{
    xds_report_sort(report);
    if (xds_print_findings_text(&printer, report) != XDS_OK ||
        xds_print_findings_gcc(&printer, report) != XDS_OK ||
        xds_print_findings_json(&printer, report) != XDS_OK)
        return;
}

static void read_all(struct xds_source *source, struct xds_check *check)
{
    struct xds_resource resource;

    while (xds_source_next(source, &resource) == XDS_OK)
        if (xds_check_resource(check, &resource) != XDS_OK)
            return;
}

void xds_fuzz_file(const char *name, const uint8_t *data, size_t size)
{
    struct xds_options options;

    xds_options_init(&options);
    options.clients = XDS_ALL_CLIENTS;
    struct xds_report *report = xds_report_new(&options);
    struct xds_check *check = report ? xds_check_new(report, true) : NULL;
    struct xds_source *source = report ? xds_source_new(report, XDS_TYPE_UNKNOWN) : NULL;

    if (check && source &&
        xds_source_add_bytes(source, name, xds_slice_make((const char *)data, size)) ==
            XDS_OK) {
        read_all(source, check);
        for (unsigned client = 0; client < XDS_CLIENTS; client++)
            explain(check, (enum xds_client)client);
        print(report);
    }
    xds_source_free(source);
    xds_check_free(check);
    xds_report_free(report);
}

/* "-- NAME --" alone on a line begins a section. */
static bool heading(struct xds_slice line, struct xds_slice *name)
{
    if (line.len < 7 || !xds_slice_starts(line, XDS_S("-- ")) ||
        !xds_slice_ends(line, XDS_S(" --")))
        return false;
    *name = xds_slice_make(line.data + 3, line.len - 6);
    return true;
}

static void run_section(struct xds_slice name, struct xds_slice text)
{
    char file[64];

    if (xds_slice_is(name, "args") || xds_slice_is(name, "stdout") || name.len == 0 ||
        name.len >= sizeof file)
        return;
    memcpy(file, name.data, name.len);
    file[name.len] = '\0';
    xds_fuzz_file(file, (const uint8_t *)text.data, text.len);
}

void xds_fuzz_case(const uint8_t *data, size_t size)
{
    struct xds_slice rest = xds_slice_make((const char *)data, size);
    struct xds_slice name = XDS_S(""), found, line;
    const char *start = rest.data;

    while (rest.data) {
        rest = xds_slice_cut(rest, '\n', &line);
        if (!heading(line, &found))
            continue;
        run_section(name, xds_slice_make(start, (size_t)(line.data - start)));
        name = found;
        start = rest.data ? rest.data : line.data + line.len;
    }
    run_section(name, xds_slice_make(start, (size_t)((const char *)data + size - start)));
}
