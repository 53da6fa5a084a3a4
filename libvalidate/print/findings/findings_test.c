/* findings_test.c - C-core's NACK text, and findings that are taken out. */
#include <criterion/criterion.h>

#include "base/arena.h"
#include "base/slice.h"
#include "print/write/out.h"
#include "report/report.h"

/* A rule of the clients' kind; which one does not matter here. */
static const struct xds_rule rule = {
    .id = "ID",
    .slug = "slug",
    .source = "gRFC A0",
    .text = "Text.",
    .effect = XDS_EFFECT_NACK,
    .level = XDS_LEVEL_ERROR,
};

struct row {
    const char *path, *message;
    unsigned char core;
};

struct fixture {
    const char *type;
    const struct row *rows;
    size_t n;
    struct xds_report *report;
    char text[32768];
    size_t len;
};

static void fill(void *arg)
{
    struct fixture *f = arg;
    const uint32_t resource = xds_report_add_resource(
        f->report, xds_slice_of(f->type), XDS_S("r"), (struct xds_place){0, 1, 1, 1, 1});

    (void)xds_report_add_file(f->report, XDS_S("in.yaml"));
    for (size_t i = 0; i < f->n; i++) {
        struct xds_verdict_sets verdict = {{0}};
        const char *field = f->rows[i].path;

        verdict.of[XDS_IGNORE] = XDS_GRFC;
        verdict.of[f->rows[i].core] = XDS_CORE;
        xds_report_add(f->report, &rule, resource, *field ? XDS_AT(NULL, field) : NULL,
                       NULL, &verdict, xds_slice_of(f->rows[i].message));
    }
}

static bool collect(void *user, const char *data, size_t len)
{
    struct fixture *f = user;

    cr_assert_lt(f->len + len, sizeof f->text);
    memcpy(f->text + f->len, data, len);
    f->len += len;
    f->text[f->len] = '\0';
    return true;
}

static void make(struct fixture *f, const char *type, const struct row *rows, size_t n)
{
    struct xds_options options;

    xds_options_init(&options);
    *f = (struct fixture){.type = type, .rows = rows, .n = n};
    f->report = xds_report_new(&options);
    struct xds_arena *const arenas[] = {&f->report->arena};

    cr_assert_eq(xds_arena_guard(arenas, 1, fill, f), XDS_OK);
    xds_report_sort(f->report);
}

static const char *json(struct fixture *f)
{
    const struct xds_printer to = {.write = collect, .user = f};

    f->len = 0;
    cr_assert_eq(xds_print_findings_json(&to, f->report), XDS_OK);
    return f->text;
}

/* The value of "nack", up to the brace after it. */
static void expect_nack(struct fixture *f, const char *nack)
{
    const char *at = strstr(json(f), "\"nack\":");

    cr_assert_not_null(at);
    at += strlen("\"nack\":");
    cr_expect(strncmp(at, nack, strlen(nack)) == 0 && at[strlen(nack)] == '}',
              "want %s, got %.200s", nack, at);
}

static const struct {
    const char *type;
    struct row rows[4];
    const char *nack;
} table[] = {
    {"envoy.config.route.v3.RouteConfiguration", {{"", "", 0}}, "null"},
    {"envoy.config.route.v3.RouteConfiguration", {{"a", "skipped", XDS_SKIP}}, "null"},
    {"envoy.config.route.v3.RouteConfiguration",
     {{"b", "two", XDS_NACK}, {"b", "one", XDS_NACK}, {"a.c", "x", XDS_NACK}},
     "\"errors validating RouteConfiguration resource: "
     "[field:a.c error:x; field:b errors:[one; two]]\""},
    {"envoy.config.cluster.v3.Cluster",
     {{"b", "same", XDS_NACK}, {"b", "same", XDS_NACK}, {"b", "other", XDS_SKIP}},
     "\"errors validating Cluster resource: [field:b error:same]\""},
    {"envoy.config.endpoint.v3.ClusterLoadAssignment",
     {{"endpoints", "priority 0 empty", XDS_NACK}},
     "\"errors parsing EDS resource: [field:endpoints error:priority 0 empty]\""},
    {"envoy.config.listener.v3.Listener",
     {{"api_listener.api_listener", "field not present", XDS_NACK}},
     "\"errors validating ApiListener: "
     "[field:api_listener.api_listener error:field not present]\""},
    {"envoy.config.listener.v3.Listener",
     {{"filter_chains", "x", XDS_NACK}},
     "\"errors validating server Listener: [field:filter_chains error:x]\""},
    {"envoy.config.listener.v3.Listener",
     {{"", "Listener has neither address nor ApiListener", XDS_NACK}},
     "\"Listener has neither address nor ApiListener\""},
};

Test(findings, the_nack_is_cores_text_of_what_core_rejects)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(table); i++) {
        struct fixture f;
        size_t n = 0;

        while (n < XDS_ARRAY_LEN(table[i].rows) && table[i].rows[n].message &&
               *table[i].rows[n].message)
            n++;
        make(&f, table[i].type, table[i].rows, n);
        expect_nack(&f, table[i].nack);
        xds_report_free(f.report);
    }
}

Test(findings, one_field_shows_the_twenty_errors_that_were_found_first)
{
    struct row rows[25];
    char messages[25][4];
    struct fixture f;

    for (unsigned i = 0; i < 25; i++) {
        messages[i][0] = (char)('y' - i);
        messages[i][1] = '\0';
        rows[i] = (struct row){"f", messages[i], XDS_NACK};
    }
    make(&f, "envoy.config.cluster.v3.Cluster", rows, 25);
    expect_nack(&f,
                "\"errors validating Cluster resource: [field:f errors:[f; g; h; i; j; "
                "k; l; m; n; o; p; q; r; s; t; u; v; w; x; y]]\"");
    xds_report_free(f.report);
}

static bool is_wanted(const struct xds_finding *finding, void *user)
{
    return xds_slice_is(finding->path, user);
}

Test(findings, what_is_taken_out_still_stands_in_the_nack)
{
    const struct row rows[] = {
        {"a", "1", XDS_NACK}, {"b", "2", XDS_NACK}, {"c", "3", XDS_NACK}};
    char b[] = "b";
    struct fixture f;

    make(&f, "envoy.config.cluster.v3.Cluster", rows, 3);
    cr_assert_eq(xds_report_keep(f.report, is_wanted, b), XDS_OK);
    cr_assert_eq(xds_report_findings(f.report), 1);
    cr_expect(xds_slice_is(xds_report_finding(f.report, 0)->path, "b"));
    cr_expect_null(xds_report_finding(f.report, 1));
    expect_nack(&f, "\"errors validating Cluster resource: "
                    "[field:a error:1; field:b error:2; field:c error:3]\"");
    cr_assert_eq(xds_report_keep(f.report, is_wanted, b), XDS_OK);
    cr_assert_eq(xds_report_findings(f.report), 1);
    xds_report_free(f.report);
}

Test(findings, without_a_place_a_finding_stands_at_the_start)
{
    const struct row rows[] = {{"a", "bad\nline", XDS_NACK}};
    struct fixture f;

    make(&f, "envoy.config.cluster.v3.Cluster", rows, 1);
    const struct xds_printer to = {.write = collect, .user = &f};

    cr_assert_eq(xds_print_findings_gcc(&to, f.report), XDS_OK);
    cr_expect_str_eq(f.text, "in.yaml:1:1: error: bad\\nline [slug]\n");
    xds_report_free(f.report);
}
