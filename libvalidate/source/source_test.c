/* source_test.c - what the source makes of whole inputs, through the public API. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/report.h"
#include "source/token.h"

#define TYPE_CDS "type.googleapis.com/envoy.config.cluster.v3.Cluster"
#define TYPE_EDS "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment"
#define TYPE_WRAPPER "type.googleapis.com/envoy.service.discovery.v3.Resource"
#define CLUSTER "{\"@type\":\"" TYPE_CDS "\",\"name\":\"c\"}"
#define WRAPPED(rest) "{\"@type\":\"" TYPE_WRAPPER "\"" rest "}"

/* What was seen: per resource "TYPE@LINE:COLUMN", with " name=" and " wrapper=" where
 * set; per finding "LINE:COLUMN slug"; all separated by "; ". */
static char seen[4096];

static void see(const char *text)
{
    if (*seen)
        strncat(seen, "; ", sizeof seen - strlen(seen) - 1);
    strncat(seen, text, sizeof seen - strlen(seen) - 1);
}

static void see_resource(const struct xds_resource *r)
{
    static const char *const types[] = {"?", "LDS", "RDS", "CDS", "EDS"};
    static const char *const wrappers[] = {"", " wrapped", " undecodable", " empty"};
    char text[300];

    snprintf(text, sizeof text, "%s@%u:%u%s%s%.*s", types[r->type], r->at.line,
             r->at.column, wrappers[r->wrapper], r->name.len ? " name=" : "",
             XDS_FMT(r->name));
    see(text);
}

static void see_findings(const struct xds_report *report)
{
    for (size_t i = 0; i < xds_report_findings(report); i++) {
        const struct xds_finding *f = xds_report_finding(report, i);
        char text[200];

        snprintf(text, sizeof text, "%u:%u %s", f->at.line, f->at.column, f->rule->slug);
        see(text);
    }
}

static struct xds_report *new_report(void)
{
    struct xds_options options;

    xds_options_init(&options);
    return xds_report_new(&options);
}

static const char *drain(struct xds_source *source, struct xds_report *report)
{
    struct xds_resource resource;
    enum xds_status status;

    seen[0] = '\0';
    while ((status = xds_source_next(source, &resource)) != XDS_END) {
        if (status == XDS_OK)
            see_resource(&resource);
        else
            see("error");
    }
    see_findings(report);
    xds_source_free(source);
    xds_report_free(report);
    return seen;
}

static const char *read_slice(const char *name, struct xds_slice text,
                              enum xds_resource_type type)
{
    struct xds_report *report = new_report();
    struct xds_source *source = xds_source_new(report, type);

    cr_assert_eq(xds_source_add_bytes(source, name, text), XDS_OK);
    return drain(source, report);
}

static const char *read_folder(const struct xds_found_file *files, size_t n)
{
    struct xds_report *report = new_report();
    struct xds_source *source = xds_source_new(report, XDS_TYPE_UNKNOWN);

    cr_assert_eq(xds_source_add_folder(source, "d", files, n), XDS_OK);
    return drain(source, report);
}

static const char *read_text(const char *name, const char *text)
{
    return read_slice(name, xds_slice_of(text), XDS_TYPE_UNKNOWN);
}

struct row {
    const char *name, *text, *seen;
};

static void check_rows(const struct row *rows, size_t n)
{
    for (const struct row *row = rows; row < rows + n; row++)
        cr_expect_str_eq(read_text(row->name, row->text), row->seen, "%s: %s", row->text,
                         seen);
}

Test(source, every_shape_is_recognised)
{
    static const struct row rows[] = {
        {"a.json", CLUSTER, "CDS@1:1"},
        {"a.json", "[" CLUSTER ",\n " CLUSTER "]", "CDS@1:2; CDS@2:2"},
        {"a.json", "{\"name\":\"c\",\"@type\":\"" TYPE_CDS "\"}", "CDS@1:1"},
        {"a.json", "{\"clusters\":[{}],\"routes\":{\"a\":{}}}", "CDS@1:14; RDS@1:32"},
        {"a.json", "{\"versionInfo\":\"1\",\"resources\":[" CLUSTER "]}", "CDS@1:33"},
        {"a.json", "[{\"resources\":[" CLUSTER "]},{\"resources\":[]}]", "CDS@1:16"},
        {"a.yaml", "resources:\n- name: n\n  version: '1'\n  resource: " CLUSTER "\n",
         "CDS@4:13 name=n"},
        {"a.yaml",
         "config:\n- node: {}\n  xds_config:\n  - route_config:\n"
         "      dynamic_route_configs:\n      - route_config: {name: r}\n",
         "RDS@6:23"},
        {"a.json",
         "{\"genericXdsConfigs\":[{\"typeUrl\":\"" TYPE_CDS
         "\",\"xdsConfig\":{\"name\":\"c\"}}]}",
         "CDS@1:100"},
        {"a.yaml",
         "configs:\n- '@type': type.googleapis.com/envoy.admin.v3.SecretsConfigDump\n"
         "  static_secrets: [{secret: {}}]\n"
         "- dynamic_listeners: [{active_state: {listener: {}}}]\n"
         "- bootstrap: {static_resources: {clusters: [{}]}}\n",
         "LDS@4:49; CDS@5:45"},
        {"a.yaml", "xds: {a/b: {configs: [{static_clusters: [{cluster: {}}]}]}}\n",
         "CDS@1:52"},
        {"a.yaml",
         "layered_runtime: {}\nstatic_resources: {secrets: [{}], listeners: [{}]}\n",
         "LDS@2:47"},
        {"a.endpoints.yaml", "- endpoints: [{lb_endpoints: []}]\n", "EDS@1:3"},
        {"a.json", "{\"endpoints\":[{\"clusterName\":\"c\"}]}", "EDS@1:15"},
        {"routes.yml", "name: r\n---\nname: s\n", "RDS@1:1; RDS@3:1"},
        {"a.json", "{\"@type\":\"a.b/c.Other\"}", "?@1:1"},
    };

    check_rows(rows, XDS_ARRAY_LEN(rows));
}

Test(source, wrappers_are_opened_once)
{
    static const struct row rows[] = {
        {"a.json", "[" WRAPPED(",\"name\":\"n\",\"resource\":" CLUSTER) "]",
         "CDS@1:91 wrapped name=n"},
        {"a.json", "{\"typeUrl\":\"" TYPE_CDS "\",\"resources\":[" WRAPPED("") "]}",
         "CDS@1:79 empty"},
        {"a.json",
         "{\"typeUrl\":\"" TYPE_CDS "\",\"resources\":[" WRAPPED(",\"resource\":1") "]}",
         "CDS@1:79 undecodable"},
        {"a.json", WRAPPED(",\"resource\":" WRAPPED(",\"resource\":" CLUSTER)),
         "?@1:79 wrapped"},
    };

    check_rows(rows, XDS_ARRAY_LEN(rows));
}

Test(source, a_type_url_behind_the_resources_is_expected_of_them)
{
    struct xds_report *report = new_report();
    struct xds_source *source = xds_source_new(report, XDS_TYPE_UNKNOWN);
    struct xds_resource resource;

    cr_assert_eq(xds_source_add_bytes(
                     source, "a.yaml",
                     XDS_S("resources:\n- " CLUSTER "\ntype_url: " TYPE_EDS "\n")),
                 XDS_OK);
    cr_assert_eq(xds_source_next(source, &resource), XDS_OK);
    cr_expect(xds_slice_is(resource.type_url, TYPE_CDS));
    cr_expect(xds_slice_is(resource.expected, TYPE_EDS));
    cr_expect_eq(xds_source_next(source, &resource), XDS_END);
    xds_source_free(source);
    xds_report_free(report);
}

Test(source, what_cannot_be_read_is_one_finding_and_the_rest_is_read)
{
    static const struct row rows[] = {
        {"a.json", "", "1:1 input-empty"},
        {"a.json", " \n", "1:1 input-empty"},
        {"a.yaml", "# nothing\n", "1:1 input-empty"},
        {"a.yaml", "---\n---\n", ""},
        {"a.yaml", "[]\n", ""},
        {"a.txtpb", "name: \"x\"", "1:1 resource-type-unknown"},
        {"a.txtpb", "name \"x\"", "1:6 text-proto-syntax"},
        {"a.json", "{\"name\":\"envoy.filters.http.rbac\"}", "1:1 resource-type-unknown"},
        {"a.yaml", "- a: 1\n- b: 2\n", "1:3 resource-type-unknown"},
        {"a.json", "[1,2]", "1:2 input-not-xds"},
        {"a.json", "{\"clusters\":[1,{}]}", "CDS@1:16; 1:14 input-not-xds"},
        {"a.json", "x", "1:1 json-structure"},
        {"a.json", "[" CLUSTER "," CLUSTER, "CDS@1:2; CDS@1:77; 1:151 json-structure"},
        {"a.json", "{\"clusters\":[{},]}", "CDS@1:14; 1:17 json-structure"},
        {"a.json", "{\"clusters\":[{\"a\":[}]}]}", "1:20 json-structure"},
        {"a.json", "{\"clusters\":[{\"a\":\"}]", "1:22 json-structure"},
        {"a.ndjson", CLUSTER "\n{\"a\":[\n" CLUSTER,
         "CDS@1:1; CDS@3:1; 2:7 json-structure"},
        {"a.json", "{\"a\" 1}\n" CLUSTER, "CDS@2:1; 1:6 json-structure"},
        {"a.yaml", "clusters: [{}\n---\nclusters: [{}]\n",
         "CDS@1:12; CDS@3:12; 2:1 yaml-syntax"},
        {"a.yaml", "clusters:\n- {}\n- \xFF\n---\nclusters: [{}]\n",
         "CDS@5:12; 3:3 yaml-syntax"},
    };

    check_rows(rows, XDS_ARRAY_LEN(rows));
}

Test(source, the_format_is_told_by_the_content_where_no_ending_tells)
{
    static const struct row rows[] = {
        {"-", " " CLUSTER, "CDS@1:2"},
        {"-", "\xEF\xBB\xBF" CLUSTER, "CDS@1:1"},
        {"-",
         "\xEF\xBB\xBF"
         "clusters:\n- {}\n",
         "CDS@2:3"},
        {"-", "{\"@type\": " TYPE_CDS "}", "1:11 json-structure"},
        {"-", "{clusters: [{}]}", "CDS@1:13"},
        {"-", "clusters:\n- {}\n", "CDS@2:3"},
        {"-", "\x12\x05\x0a\x03x/y", "?@0:0"},
    };

    check_rows(rows, XDS_ARRAY_LEN(rows));
}

Test(source, aliases_are_expanded_within_bounds)
{
    static const struct row rows[] = {
        {"a.yaml", "x: &c {name: c}\nclusters:\n- *c\n- a: *c\n", "CDS@1:4; CDS@4:3"},
        {"a.yaml", "clusters:\n- &k name: a\n  b: *k\n- {a: *none}\n- {}\n",
         "CDS@2:3; CDS@5:3; 4:7 yaml-alias"},
        {"a.yaml", "clusters: &a\n- {b: *a}\n", "2:7 yaml-alias"},
        {"a.yaml", "x: &x {y: 1}\nclusters:\n- {<<: *x, a: 1}\n- {}\n",
         "CDS@4:3; 3:8 yaml-key"},
        {"a.yaml", "clusters:\n- {? [a] : b}\n- {}\n", "CDS@3:3; 2:12 yaml-key"},
        {"a.yaml",
         "a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"
         "c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n"
         "e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nclusters:\n- {x: *e}\n- {x: *d}\n",
         "CDS@8:3; 7:7 yaml-alias"},
    };

    check_rows(rows, XDS_ARRAY_LEN(rows));
}

/* The tokens of the value of "v" in the only resource, as text. */
static const char *value_tokens(const char *yaml)
{
    static const char kinds[] = "{}[]ksnTFN";
    struct xds_report *report = new_report();
    struct xds_source *source = xds_source_new(report, XDS_TYPE_CLUSTER);
    struct xds_resource resource;
    static char text[512];

    text[0] = '\0';
    cr_assert_eq(xds_source_add_bytes(source, "a.yaml", xds_slice_of(yaml)), XDS_OK);
    cr_assert_eq(xds_source_next(source, &resource), XDS_OK);
    for (const struct xds_token *t = resource.tokens; t->kind != XDS_TOKEN_END; t++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%c%.*s ",
                 kinds[t->kind], XDS_FMT(t->text));
    xds_source_free(source);
    xds_report_free(report);
    return text;
}

Test(source, plain_scalars_follow_the_core_schema)
{
    static const struct {
        const char *yaml, *tokens;
    } rows[] = {
        {"v: [~, null, Null, '', \"null\"]", "{ kv [ N~ Nnull NNull s snull ] } "},
        {"v: [true, True, TRUE, yes, on, 'true']",
         "{ kv [ Ttrue TTrue TTRUE syes son strue ] } "},
        {"v: [0x1F, 0o17, 0b1, 017, +12, -0]", "{ kv [ n31 n15 s0b1 n17 n12 n-0 ] } "},
        {"v: [.5, 5., -.5e3, 1e3, 1e, 1_0, 1.2.3]",
         "{ kv [ n0.5 n5 n-0.5e3 n1e3 s1e s1_0 s1.2.3 ] } "},
        {"v: [.inf, -.INF, .nan]", "{ kv [ sInfinity s-Infinity sNaN ] } "},
        {"v: [18446744073709551615, 0xFFFFFFFFFFFFFFFF, 0x1FFFFFFFFFFFFFFFF]",
         "{ kv [ n18446744073709551615 n18446744073709551615 s0x1FFFFFFFFFFFFFFFF ] } "},
        {"v: [!!str 5, !!int 5, ! 5, +, .]", "{ kv [ s5 n5 s5 s+ s. ] } "},
        {"v:", "{ kv N } "},
        {"1:\n  true: |\n    a\n    b\n", "{ k1 { ktrue sa\nb\n } } "},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++)
        cr_expect_str_eq(value_tokens(rows[i].yaml), rows[i].tokens);
}

Test(source, binary_responses_are_walked_with_their_wrappers)
{
    static const char text[] = "\x12\x0a\x0a\x03x/y\x12\x03\x0a\x01"
                               "c"
                               "\x0a\x01"
                               "1"
                               "\x22\x03x/y"
                               "\x12\x02\x0a\x09"
                               "\x12\x7f";

    cr_expect_str_eq(
        read_slice("a.pb", xds_slice_make(text, sizeof text - 1), XDS_TYPE_UNKNOWN),
        "?@0:0; 0:0 wire-format; 0:0 wire-format");
    cr_expect_str_eq(read_slice("a.pb", XDS_S("\x0a\x01x"), XDS_TYPE_CLUSTER), "CDS@0:0");
    cr_expect_str_eq(read_slice("a.pb", XDS_S("\xff\xff"), XDS_TYPE_UNKNOWN),
                     "0:0 wire-format");
}

Test(source, nesting_ends_at_a_limit_and_not_the_stack)
{
    static const struct {
        const char *name, *head, *opener, *slug;
    } rows[] = {
        {"a.json", "{\"@type\":\"" TYPE_CDS "\",\"a\":", "[", "json-structure"},
        {"a.json", "", "[", "input-not-xds"},
        {"a.json", "", "{\"a\":", "json-structure"},
        {"a.yaml", "a: ", "[", "yaml-syntax"},
        {"a.yaml", "? ", "[", "yaml-syntax"},
        {"a.yaml", "", "? ", "yaml-syntax"},
        {"a.yaml", "", "- ", "input-not-xds"},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        char text[5000];

        strcpy(text, rows[i].head);
        for (int level = 0; level < 600; level++)
            strcat(text, rows[i].opener);
        cr_expect(strstr(read_text(rows[i].name, text), rows[i].slug), "%zu: %s", i,
                  seen);
    }
}

/* ---- files ---- */

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
}

static char folder[] = "/tmp/xdscope-source-XXXXXX";

static void go_to_new_folder(void)
{
    cr_assert_not_null(mkdtemp(folder));
    cr_assert_eq(chdir(folder), 0);
}

static void leave_folder(void)
{
    char command[64];

    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    cr_expect_eq(chdir("/"), 0);
    cr_expect_eq(system(command), 0);
}

static const char *read_path(const char *path)
{
    struct xds_report *report = new_report();
    struct xds_source *source = xds_source_new(report, XDS_TYPE_UNKNOWN);

    if (xds_source_add(source, path) == XDS_OK)
        return drain(source, report);
    xds_source_free(source);
    xds_report_free(report);
    return "cannot be added";
}

Test(source, a_folder_is_read_in_byte_order_without_following_loops, .fini = leave_folder)
{
    go_to_new_folder();
    cr_assert_eq(mkdir("d", 0700) | mkdir("d/b", 0700) | mkdir("d/.git", 0700), 0);
    write_file("d/c.listeners.yaml", "{}\n");
    write_file("d/a.routes.yaml", "{}\n");
    write_file("d/b/x.clusters.yaml", "{}\n");
    write_file("d/.git/x.clusters.yaml", "{}\n");
    write_file("d/README.md", "# no snapshot\n");
    cr_assert_eq(symlink("..", "d/b/loop"), 0);
    cr_expect_str_eq(read_path("d"), "RDS@1:1; CDS@1:1; LDS@1:1");
    cr_expect_str_eq(read_path("d/.git/.."), "RDS@1:1; CDS@1:1; LDS@1:1");
    cr_assert_eq(mkdir("d/.git/b", 0700), 0);
    cr_expect_str_eq(read_path("d/.git/b"), "");
    cr_expect_str_eq(read_path("nowhere"), "cannot be added");
    cr_assert_eq(symlink("nowhere", "d/bb.yaml"), 0);
    cr_expect_str_eq(read_path("d"), "RDS@1:1; CDS@1:1; error; LDS@1:1");
}

/* Resources that roll through the window; each thousandth is larger than it. */
static void write_large_file(const char *path, size_t n)
{
    FILE *file = fopen(path, "w");

    cr_assert_not_null(file);
    fputs("{\"resources\": [\n", file);
    for (size_t i = 0; i < n; i++)
        fprintf(file, "%s{\"@type\": \"" TYPE_CDS "\", \"name\": \"\\\"]%0*zu\"}\n",
                i ? "," : "", i % 1000 == 500 ? 700000 : 5, i);
    fputs("]}\n", file);
    fclose(file);
}

Test(source, a_folder_in_memory_has_files_that_are_not_xds)
{
    static const struct xds_found_file files[] = {
        {"d/a.json", {CLUSTER, sizeof CLUSTER - 1}},
        {"d/notes.txt", {CLUSTER, sizeof CLUSTER - 1}},
        {"d/values.yaml", {"replicas: 2\n", 12}},
    };

    cr_expect_str_eq(read_folder(files, 3), "CDS@1:1", "%s", seen);
    cr_expect_str_eq(read_folder(files + 2, 1), "", "%s", seen);
    cr_expect_str_eq(read_text("values.yaml", "replicas: 2\n"),
                     "1:1 resource-type-unknown", "%s", seen);
}

Test(source, resources_keep_their_text_and_line_while_the_window_rolls,
     .fini = leave_folder)
{
    const size_t n = 4000;
    struct xds_report *report = new_report();
    struct xds_source *source = xds_source_new(report, XDS_TYPE_UNKNOWN);
    struct xds_resource resource;

    go_to_new_folder();
    write_large_file("large.json", n);
    cr_assert_eq(xds_source_add(source, "large.json"), XDS_OK);
    for (size_t i = 0; i < n; i++) {
        char end[16];

        cr_assert_eq(xds_source_next(source, &resource), XDS_OK);
        snprintf(end, sizeof end, "%05zu\"}", i);
        cr_assert(xds_slice_ends(resource.bytes, xds_slice_of(end)));
        cr_assert_eq(resource.bytes.data[0], '{');
        cr_assert_eq(resource.at.line, i + 2);
        cr_assert_eq(resource.at.column, i ? 2 : 1);
    }
    cr_expect_eq(xds_source_next(source, &resource), XDS_END);
    cr_expect_eq(xds_report_findings(report), 0);
    xds_source_free(source);
    xds_report_free(report);
}

Test(source, a_resource_over_the_limit_is_left_out, .fini = leave_folder)
{
    const size_t size = (size_t)65 << 20;
    char *text = malloc(size + 100);

    cr_assert_not_null(text);
    const int head = snprintf(text, 100, "{\"clusters\":[{\"@type\":\"" TYPE_CDS "\"");
    memset(text + head, ' ', size);
    snprintf(text + (size_t)head + size, 20, "},{}]}");
    go_to_new_folder();
    write_file("a.json", text);
    cr_expect_str_eq(read_path("a.json"), "CDS@1:68157518; 1:14 resource-too-large");
    free(text);
}
