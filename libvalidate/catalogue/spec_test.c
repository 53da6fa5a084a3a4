/* spec_test.c - rows of the spec, and what cites them. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "catalogue/spec.h"

/* "A37 cluster 1.4/5 ..." */
static void list_citations(const char *source, char *out, size_t size)
{
    struct xds_citations citations = xds_citations_of(source);
    struct xds_citation citation;
    size_t n = 0;

    *out = '\0';
    while (xds_citations_next(&citations, &citation) && n < size)
        n += (size_t)(citation.grfc > 0
                          ? snprintf(out + n, size - n, "A%u;", citation.grfc)
                          : snprintf(out + n, size - n, "%s;", citation.spec));
}

Test(cite, a_source_is_read_item_by_item)
{
    static const struct {
        const char *source, *want;
    } rows[] = {
        {"", ""},
        {"service_config.proto", ""},
        {"gRFC A37", "A37;"},
        {"gRFC A27, A37, spec cluster 1.1/4, 1.1/5",
         "A27;A37;cluster 1.1/4;cluster 1.1/5;"},
        {"gRFC A92 draft, draft A93, spec G84, EA2", "A92;A93;G84;EA2;"},
        {"spec W4, 12.3", "W4;listener 12.3;"},
        {"spec V-d, V6, S7", "V-d;V6;S7;"},
        {"spec routing 2.4, S24", "routing 2.4;S24;"},
        {"spec cluster 1.7/8-10, 1.8",
         "cluster 1.7/8;cluster 1.7/9;cluster 1.7/10;cluster 1.8;"},
        {"spec T1, spec cluster 1.6.1/2", "T1;cluster 1.6.1/2;"},
        {"gRFC A6, service_config.proto", "A6;"},
    };
    char got[256];

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        list_citations(rows[i].source, got, sizeof got);
        cr_expect_str_eq(got, rows[i].want, "%s", rows[i].source);
    }
}

Test(cite, what_rules_cite_is_known)
{
    struct xds_citation citation;
    const char *hint;
    size_t n;
    const struct xds_rule *rules = xds_rules(&n);

    for (size_t i = 0; i < n; i++) {
        struct xds_citations citations = xds_citations_of(rules[i].source);

        while (xds_citations_next(&citations, &citation))
            if (citation.grfc > 0)
                cr_expect(xds_grfc_find(citation.grfc), "A%u", citation.grfc);
            else
                cr_expect(xds_spec_find(xds_slice_of(citation.spec), &hint), "%s: %s",
                          rules[i].slug, citation.spec);
    }
}

Test(spec, each_id_is_that_of_one_entry)
{
    const char *hint;

    for (const struct xds_spec *at = xds_spec_next(NULL); at; at = xds_spec_next(at))
        if (*xds_spec_id(at))
            cr_expect_eq(xds_spec_find(xds_slice_of(xds_spec_id(at)), &hint), at, "%s",
                         xds_spec_id(at));
        else
            cr_expect_eq(xds_spec_kind(at), XDS_SPEC_TEXT);
}

Test(spec, each_row_has_a_field_and_says_what_each_client_does)
{
    static const char *const clients[] = {"core", "go", "java", "node"};
    size_t n = 0;

    for (const struct xds_spec *at = xds_spec_next(NULL); at; at = xds_spec_next(at)) {
        if (xds_spec_kind(at) != XDS_SPEC_ROW)
            continue;
        n++;
        cr_expect_eq(xds_spec_kind(xds_spec_in(at, XDS_SPEC_SECTION)), XDS_SPEC_SECTION);
        cr_expect_gt(xds_spec_value(at, "field").len, 0, "%s", xds_spec_id(at));
        for (size_t c = 0; c < XDS_ARRAY_LEN(clients); c++)
            cr_expect_gt(xds_spec_verdict(at, clients[c]).len, 0, "%s: %s",
                         xds_spec_id(at), clients[c]);
    }
    cr_expect_gt(n, 1000);
}

static void expect_verdict(const char *id, const char *client, const char *verdict)
{
    const char *hint;
    const struct xds_spec *row = xds_spec_find(xds_slice_of(id), &hint);

    cr_assert_not_null(row, "%s", id);
    cr_expect(xds_slice_eq(xds_spec_verdict(row, client), xds_slice_of(verdict)),
              "%s: %s", id, client);
}

Test(spec, what_a_client_does_is_in_its_line_or_in_that_of_all_or_others)
{
    expect_verdict("OH-d", "documents", "A55: the child policy picks");
    expect_verdict("OH-d", "core", "a subchannel is created on demand (as A75)");
    expect_verdict("OH-d", "go", "has no xds_override_host policy");
    expect_verdict("WT1", "go",
                   "state CONNECTING without a picker; created at once for every target");
    expect_verdict("cluster 0.4/5", "node", "NACK without a resource name");
    expect_verdict("cluster 0.4/5", "documents", NULL);
}

Test(spec, an_unknown_id_has_the_nearest_one)
{
    static const struct {
        const char *id, *hint;
    } rows[] = {
        {"cluter 1.4/5", "cluster 1.4/5"},
        {"1.4/5", "cluster 1.4/5"},
        {"nothing like it", NULL},
        {"", NULL},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        const char *hint = "";

        cr_expect_null(xds_spec_find(xds_slice_of(rows[i].id), &hint));
        if (rows[i].hint)
            cr_expect_str_eq(hint, rows[i].hint);
        else
            cr_expect_null(hint, "%s", rows[i].id);
    }
}

Test(examples, each_rule_has_a_bad_and_a_good_one)
{
    size_t n;
    const struct xds_rule *rules = xds_rules(&n);

    for (size_t i = 0; i < n; i++) {
        struct xds_examples examples;

        cr_assert(xds_examples_of(&rules[i], &examples), "%s", rules[i].slug);
        cr_expect_neq(*examples.bad.path, '\0', "%s", rules[i].slug);
        cr_expect_neq(*examples.good.path, '\0', "%s", rules[i].slug);
    }
}

/* ---- as JSON --------------------------------------------------------------------- */

static size_t n_written, n_lines;

static bool count_lines(void *user, const char *data, size_t len)
{
    (void)user;
    n_written += len;
    for (size_t i = 0; i < len; i++)
        n_lines += data[i] == '\n';
    return true;
}

Test(spec, a_page_as_json_has_a_line_for_each_section_and_row)
{
    const struct xds_printer to = {.write = count_lines};
    const char *hint;
    const struct xds_spec *page = xds_spec_find(XDS_S("cluster"), &hint);
    size_t lines = 3; /* the document, its list, the page */

    cr_assert_not_null(page);
    for (const struct xds_spec *at = xds_spec_next(page);
         at && xds_spec_kind(at) != XDS_SPEC_PAGE; at = xds_spec_next(at))
        lines += xds_spec_kind(at) != XDS_SPEC_TEXT;
    n_written = n_lines = 0;
    cr_assert_eq(xds_print_spec_json(&to, page), XDS_OK);
    cr_expect_eq(n_lines, lines);
    cr_expect_gt(n_written, 10000);
}
