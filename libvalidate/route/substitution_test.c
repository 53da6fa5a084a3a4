/* substitution_test.c - how each client's substitution reads in RE2's spelling. */
#include <criterion/criterion.h>

#include "route/rpc_test.h"
#include "route/route.h"

/* All against (t)-(?P<id>.*), which has two groups. NULL: it is not known; "!": it
 * throws. */
static const struct row {
    const char *text, *core, *go, *java, *node;
} rows[] = {
    {"", "", "", "", ""},
    {"plain", "plain", "plain", "plain", "plain"},
    {"\\2", "\\2", "\\\\2", "2", "\\2"},
    {"\\3", "\\3", "\\\\3", "3", "$2"},
    {"\\12x", "\\12x", "\\\\12x", "12x", "$11x"},
    {"\\123", "\\123", "\\\\123", "123", "$113"},
    {"\\\\", "\\\\", "\\\\\\\\", "\\\\", "\\\\\\\\"},
    {"\\\\1", "\\\\1", "\\\\\\\\1", "\\\\1", "\\\\\\1"},
    {"\\a", "\\a", "\\\\a", "a", "\\\\a"},
    {"$1", "$1", "\\1", "\\1", "$1"},
    {"$0", "$0", "\\0", "\\0", "$0"},
    {"${1}", "${1}", "\\1", "!", "${1}"},
    {"$1x", "$1x", "", "\\1x", "$1x"},
    {"$12", "$12", "", "\\12", "$12"},
    {"$3", "$3", "", "!", "$3"},
    {"$01", "$01", "", "\\1", "$01"},
    {"a$$b", "a$$b", "a$b", "a$$b", "a$$b"},
    {"\\$1", "\\$1", "\\\\\\1", "$1", "\\\\$1"},
    {"$", "$", "$", "$", "$"},
    {"$-", "$-", "$-", "$-", "$-"},
    {"${", "${", "${", "!", "${"},
    {"${}", "${}", "${}", "!", "${}"},
    {"${1", "${1", "${1", "!", "${1"},
    {"$id", "$id", NULL, "$id", "$id"},
    {"${id}", "${id}", NULL, NULL, "${id}"},
    {"$other", "$other", "", "$other", "$other"},
    {"x\\", "x\\", "x\\\\", "x\\\\", "x\\\\"},
};

static void expect(const struct xds_regex *regex, enum xds_client client,
                   const char *text, const char *wanted)
{
    const struct xds_hash_policy policy = {.rewrite = regex,
                                           .substitution = xds_slice_of(text)};
    const bool throws = wanted && strcmp(wanted, "!") == 0;
    struct test_rpc t;

    test_rpc_init(&t, client);
    const struct xds_substitution got = xds_substitution_read(&t.rpc, &policy);
    cr_expect_eq(got.unknown, !wanted, "%s for %s", text, xds_client_name(client));
    cr_expect_eq(got.thrown.data != NULL, throws, "%s for %s", text,
                 xds_client_name(client));
    if (wanted && !throws)
        cr_expect(xds_slice_is(got.text, wanted), "%s for %s: %.*s", text,
                  xds_client_name(client), XDS_FMT(got.text));
    test_rpc_release(&t);
}

Test(substitution, each_client_names_groups_in_its_own_way)
{
    struct xds_regex_cache *cache = xds_regex_cache_new();
    struct xds_slice error;
    const struct xds_regex *regex = xds_regex_get(cache, XDS_S("(t)-(?P<id>.*)"), &error);

    for (const struct row *r = rows; r < rows + XDS_ARRAY_LEN(rows); r++) {
        expect(regex, XDS_CLIENT_CORE, r->text, r->core);
        expect(regex, XDS_CLIENT_NODE, r->text, r->node);
        expect(regex, XDS_CLIENT_GO, r->text, r->go);
        expect(regex, XDS_CLIENT_JAVA, r->text, r->java);
    }
    xds_regex_cache_free(cache);
}

Test(substitution, a_group_above_nine_cannot_be_told)
{
    struct xds_regex_cache *cache = xds_regex_cache_new();
    struct xds_slice error;
    const struct xds_regex *regex =
        xds_regex_get(cache, XDS_S("()()()()()()()()()()"), &error);

    expect(regex, XDS_CLIENT_GO, "$9", "\\9");
    expect(regex, XDS_CLIENT_GO, "$10", NULL);
    expect(regex, XDS_CLIENT_JAVA, "$10", NULL);
    expect(regex, XDS_CLIENT_JAVA, "$11", "\\11");
    xds_regex_cache_free(cache);
}
