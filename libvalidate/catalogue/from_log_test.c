/* from_log_test.c - errors found in the logs of all clients, and hostile texts. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <time.h>

#include "base/arena.h"
#include "catalogue/log.h"

/* ---- globs ---- */

Test(glob, a_hole_takes_any_text)
{
    static const struct row {
        const char *pattern, *text;
        bool matches;
        const char *found; /* NULL: nowhere */
    } rows[] = {
        {"abc", "abc", true, "abc"},
        {"abc", "xabcx", false, "abc"},
        {"a*c", "abbc", true, "abbc"},
        {"a*c", "ac", true, "ac"},
        {"a*c", "acx", false, "ac"},
        {"*b*", "abc", true, "ab"},
        {"a*", "xab", false, "a"},
        {"*", "", true, ""},
        {"", "", true, ""},
        {"", "a", false, ""},
        {"a*b*b", "abxb", true, "abxb"},
        {"a*b*b", "ab", false, NULL},
        {"a**b", "ab", true, "ab"},
        {"a: *", "a:", true, "a:"},
        {"a: *", "ba:", false, "a:"},
        {"*b: *", "ab:", true, "ab:"},
        {"a: *b", "a:b", false, NULL},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        struct xds_slice at;
        const struct xds_slice text = xds_slice_of(rows[i].text);

        cr_expect_eq(xds_glob_matches(rows[i].pattern, text), rows[i].matches, "%zu", i);
        cr_expect_eq(xds_glob_search(rows[i].pattern, text, &at), rows[i].found != NULL,
                     "%zu", i);
        if (rows[i].found)
            cr_expect(xds_slice_is(at, rows[i].found), "%zu", i);
    }
}

/* ---- paths ---- */

Test(log_path, ends_are_compared_without_indexes_keys_and_packages)
{
    static const struct row {
        const char *root, *path, *pattern;
        bool ends;
    } rows[] = {
        {"", "virtual_hosts[3].domains", "virtual_hosts[].domains", true},
        {"", "virtual_hosts[3].domains", "domains", true},
        {"", "virtual_hosts[3].domains", "routes[].domains", false},
        {"", "virtual_hosts[3].domains[0]", "domains", false},
        {"", "domains", "virtual_hosts[].domains", true},
        {"Cluster", "type", "Cluster.type", true},
        {"Listener", "type", "Cluster.type", false},
        {"", "type", "Cluster.type", true},
        {"", "a.value[x.y.Router]", "value[Router]", true},
        {"", "a.value[x.y.Router]", "value[*]", true},
        {"", "a.value[x.y.Router]", "value[HTTPFault]", false},
        {"", "a.value[xds.type.v3.TypedStruct].value[Router]", "a.value[Router]", true},
        {"", "a.value[xds.type.v3.TypedStruct]", "a.value[TypedStruct]", true},
        {"", "m[a.b].value[x.T].f", "m[].value[T].f", true},
        {"", "m[a]b].f", "m[].f", true},
        {"", "m[].f", "m[].f", true},
        {"", "", "", true},
        {"", "a.b", "", true},
        {"", "", "a", false},
        {"", "a[", "a[]", true},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        struct xds_log_path path;

        xds_log_path_read(&path, rows[i].root, xds_slice_of(rows[i].path));
        cr_expect_eq(xds_log_path_ends(&path, rows[i].pattern), rows[i].ends, "%s %s",
                     rows[i].path, rows[i].pattern);
    }
}

Test(log_path, one_with_too_many_steps_is_like_one_of_which_nothing_is_known)
{
    char text[4 * XDS_LOG_STEPS] = "";
    struct xds_log_path path;

    for (size_t i = 0; i < XDS_LOG_STEPS + 2; i++)
        strcat(text, "a.");
    xds_log_path_read(&path, "Cluster", xds_slice_of(text));
    cr_expect_eq(path.n, 0);
    cr_expect(xds_log_path_ends(&path, ""));
    cr_expect_not(xds_log_path_ends(&path, "a"));
}

/* ---- field lists ---- */

Test(log_fields, messages_may_hold_what_parts_them)
{
    static const struct row {
        const char *line;
        const char *errors[4]; /* "path|message" */
    } rows[] = {
        {"x: [field:a error:m]", {"a|m"}},
        {"[field:a error:m; field:b error:n]", {"a|m", "b|n"}},
        {"[field:a errors:[m; n]; field:b error:o]", {"a|m", "a|n", "b|o"}},
        {"[field:a error:in [0, 9]; field:b error:n]", {"a|in [0, 9]", "b|n"}},
        {"[field:a error:x: [field: error:m; field:b error:n]; field:c error:o]",
         {"a|x: [field: error:m; field:b error:n]", "c|o"}},
        {"[field:a error:\"q[\"; field:b error:n]", {"a|\"q[\"", "b|n"}},
        {"[field:a error:\"; field:b error:n]", {"a|\"", "b|n"}},
        {"[field:a errors:[one \"; \" text; two]]", {"a|one \"; \" text", "a|two"}},
        {"[field:m[a b] error:n] (node ID:1)", {"m[a b]|n"}},
        {"field: error:m", {"|m"}},
        {"[field:a error:missing ]: b; field:c error:n]", {"a|missing ]: b", "c|n"}},
        {"field:a", {NULL}},
        {"field:a error", {NULL}},
        {"field:a error:", {"a|"}},
        {"field:a error of mine error:m", {"a error of mine|m"}},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        struct xds_log_fields fields = {.rest = xds_slice_of(rows[i].line)};
        struct xds_slice path, message;
        size_t n = 0;

        for (; xds_log_fields_next(&fields, &path, &message); n++) {
            char error[128];

            snprintf(error, sizeof error, "%.*s|%.*s", XDS_FMT(path), XDS_FMT(message));
            cr_assert(n < 4 && rows[i].errors[n], "%s: %s", rows[i].line, error);
            cr_expect_str_eq(error, rows[i].errors[n]);
        }
        cr_expect(n == 4 || !rows[i].errors[n], "%s", rows[i].line);
    }
}

/* ---- lists ---- */

Test(log_list, errors_are_parted_at_commas_outside_of_brackets)
{
    static const struct row {
        const char *line;
        const char *errors[4]; /* "path|message" */
        const char *rest;
    } rows[] = {
        {"Cluster message validation failed: [a,b]", {"|a", "|b"}, ""},
        {"x message validation failed: [a,b]]; c", {"|a", "|b"}, "]; c"},
        {"x message validation failed: [a: b]", {"a|b"}, ""},
        {"x message validation failed: [a[b: c].d: e f: g]", {"a[b: c].d|e f: g"}, ""},
        {"x message validation failed: [a[]: b[0].c: d e]", {"a[]: b[0].c|d e"}, ""},
        {"x message validation failed: [a: [10.0.0.1],b]", {"a|[10.0.0.1]", "|b"}, ""},
        {"x message validation failed: [a: {\"b\":1,\"c\":2} vs {},d: e]",
         {"a|{\"b\":1,\"c\":2} vs {}", "d|e"},
         ""},
        {"x message validation failed: [a, b,c: ]", {"|a, b", "c|"}, ""},
        {"x message validation failed: [a b: c]", {"|a b: c"}, ""},
        {"x message validation failed: [a:b]", {"|a:b"}, ""},
        {"x message validation failed: [a]b,c", {"|a]b", "|c"}, ""},
        {"x message validation failed: [a}b", {"|a}b"}, ""},
        {"x message validation failed: [,a,]", {"|a"}, ""},
        {"x message validation failed: []", {NULL}, ""},
        {"x message validation failed: [", {NULL}, ""},
        {"x message validation failed: a,b", {NULL}, "x message validation failed: a,b"},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        struct xds_log_list list = xds_log_list_of(xds_slice_of(rows[i].line));
        struct xds_slice path, message;
        size_t n = 0;

        for (; xds_log_list_next(&list, &path, &message); n++) {
            char error[128];

            snprintf(error, sizeof error, "%.*s|%.*s", XDS_FMT(path), XDS_FMT(message));
            cr_assert(n < 4 && rows[i].errors[n], "%s: %s", rows[i].line, error);
            cr_expect_str_eq(error, rows[i].errors[n]);
        }
        cr_expect(n == 4 || !rows[i].errors[n], "%s", rows[i].line);
        cr_expect(xds_slice_is(list.rest, rows[i].rest), "%s: %.*s", rows[i].line,
                  XDS_FMT(list.rest));
    }
}

/* ---- whole texts ---- */

/* "type|name|path|message|slug" of each error, on lines. */
static const char *told(const char *text)
{
    static char all[4096];
    struct xds_log *log;
    size_t n = 0;

    all[0] = '\0';
    cr_assert_eq(xds_log_read(xds_slice_of(text), &log), XDS_OK);
    for (size_t i = 0; i < xds_log_errors(log); i++) {
        const struct xds_log_error *e = xds_log_error(log, i);

        n += (size_t)snprintf(all + n, sizeof all - n, "%s|%.*s|%.*s|%.*s|%s\n", e->type,
                              XDS_FMT(e->resource), XDS_FMT(e->path), XDS_FMT(e->message),
                              e->n_matches ? e->matches[0].rule->slug : "?");
    }
    cr_expect_null(xds_log_error(log, xds_log_errors(log)));
    xds_log_free(log);
    return all;
}

Test(from_log, every_client_has_its_own_way_to_say_it)
{
    static const struct row {
        const char *text, *errors;
    } rows[] = {
        {"errors validating RouteConfiguration resource: [field:virtual_hosts[0].domains "
         "error:must be non-empty]",
         "RouteConfiguration||virtual_hosts[0].domains|must be non-empty|"
         "virtual-host-domains-empty\n"},
        {"E] NACK: xDS response validation errors: [resource index 0: a: "
         "INVALID_ARGUMENT: "
         "errors validating Cluster resource: [field:type error:unknown discovery type]; "
         "resource index 1: INVALID_ARGUMENT: Can't parse Cluster resource.; "
         "resource index 2: b: Cannot parse xDS resource name]",
         "Cluster|a|type|unknown discovery type|cluster-discovery-type\n"
         "|||Can't parse Cluster resource.|resource-undecodable\n"
         "|b||Cannot parse xDS resource name|resource-xdstp-name\n"},
        {"resource index 0: xdstp://a/b: c: INVALID_ARGUMENT: Listener has neither "
         "address "
         "nor ApiListener",
         "|xdstp://a/b: c||Listener has neither address nor ApiListener|"
         "listener-neither-form\n"},
        {"{\"msg\":\"resource \\\"r\\\": no RouteSpecifier: {}\\nresource \\\"s\\\": "
         "filter missing name field\"}",
         "|r||no RouteSpecifier: {}|hcm-no-routes\n"
         "|s||filter missing name field|http-filter-name-empty\n"},
        {"CDS response Cluster 'c' validation error: Cluster c: unsupported lb policy: X",
         "Cluster|c||unsupported lb policy: X|lb-policy-unsupported\n"},
        {"resource index 0: Cluster message validation failed: [Unsupported type STATIC]",
         "Cluster|||Unsupported type STATIC|cluster-discovery-type\n"},
        {"resource index 0: Listener message validation failed: [filter_chains[a]: "
         "filters[0].typed_config: f filter validation failed,nobody has ever said so]; "
         "resource index 1: index out of range: 1 + 1 > 1]",
         "Listener||filter_chains[a]: filters[0].typed_config|f filter validation failed|"
         "http-filter-unknown\n"
         "Listener|||nobody has ever said so|?\n"
         "|||index out of range: 1 + 1 > 1|resource-undecodable\n"},
        {"resource \"c\": no filter implementation found for {\n  \"a\": [\n    1\n  "
         "]\n}\n"
         "resource \"d\": filter missing name field",
         "|c||no filter implementation found for {\n  \"a\": [\n    1\n  ]\n}|?\n"
         "|d||filter missing name field|http-filter-name-empty\n"},
        {"resource \"r\": a:{b:\"\\n\\x01\\\\\\n\"}: no RouteSpecifier: {}",
         "|r||no RouteSpecifier: {}|hcm-no-routes\n"},
        {"resource index 4: nobody has ever said so", "|||nobody has ever said so|?\n"},
        {"\n  nobody has ever said so\nnor this\n", "|||nobody has ever said so|?\n"},
        {"", ""},
        {" \n ", ""},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++)
        cr_expect_str_eq(told(rows[i].text), rows[i].errors, "%s", rows[i].text);
}

Test(from_log, noise_around_known_errors_is_no_error)
{
    cr_expect_str_eq(told("some line\nmust be non-empty, it says\n[field:virtual_hosts[0]"
                          ".domains error:must be non-empty]\nanother line\n"),
                     "||virtual_hosts[0].domains|must be non-empty|"
                     "virtual-host-domains-empty\n");
}

Test(from_log, a_text_may_not_be_longer_than_the_limit)
{
    static char text[XDS_LOG_TEXT_MAX + 1];
    struct xds_log *log;

    memset(text, 'x', sizeof text);
    cr_expect_eq(xds_log_read(xds_slice_make(text, sizeof text), &log), XDS_ERR_USAGE);
    cr_expect_null(log);
    cr_expect_eq(xds_log_read(xds_slice_make(text, sizeof text - 1), &log), XDS_OK);
    cr_expect_eq(xds_log_errors(log), 1);
    xds_log_free(log);
    xds_log_free(NULL);
}

/* Pieces that begin much and end nothing, over and over: time must stay linear. */
Test(from_log, hostile_texts_take_no_time_and_no_memory, .timeout = 120)
{
    static const char *const pieces[] = {
        "resource index 1: ",
        "resource \"\": ",
        " response '' validation error: ",
        "field:",
        "field: error:",
        "field:a errors:[",
        "; ",
        "[field:",
        "\"; field:\" ",
        ": ",
        "field not presen",
        "\n12345678",
        "\\\"",
        "]",
        "[",
        "resource \"",
        " response ",
        "a.",
        "field:a error:x; ",
        "field:a error:\"",
        "Cluster message validation failed: [",
        "Cluster message validation failed: [a,",
        "a: ",
        "{\n",
        "\n ",
        ",\n]",
    };
    static char text[XDS_LOG_TEXT_MAX];

    for (size_t i = 0; i < XDS_ARRAY_LEN(pieces); i++) {
        const size_t len = strlen(pieces[i]);
        const clock_t begin = clock();
        struct xds_log *log;
        size_t n = 0;

        for (; n + len <= sizeof text; n += len)
            memcpy(text + n, pieces[i], len);
        cr_assert_eq(xds_log_read(xds_slice_make(text, n), &log), XDS_OK);
        cr_expect_leq(xds_log_errors(log), XDS_LOG_ERRORS_MAX);
        xds_log_free(log);
        cr_expect_lt((double)(clock() - begin) / CLOCKS_PER_SEC, 5.0, "%s", pieces[i]);
    }
}
