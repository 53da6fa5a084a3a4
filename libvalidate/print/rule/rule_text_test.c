/* rule_text_test.c - the list of all rules. */
#include <criterion/criterion.h>
#include <string.h>

#include "base/slice.h"
#include "catalogue/rule.h"
#include "print/write/out.h"

static struct {
    char text[1 << 18];
    size_t n;
} sink;

static bool write_sink(void *user, const char *data, size_t len)
{
    (void)user;
    if (len >= sizeof(sink.text) - sink.n)
        return false;
    memcpy(sink.text + sink.n, data, len);
    sink.n += len;
    sink.text[sink.n] = '\0';
    return true;
}

static size_t print_list(bool quiet)
{
    const struct xds_printer to = {.write = write_sink, .quiet = quiet};
    size_t lines = 0;

    sink.n = 0;
    cr_assert_eq(xds_print_rules(&to, (struct xds_words){NULL, 0}), XDS_OK);
    for (size_t i = 0; i < sink.n; i++)
        lines += sink.text[i] == '\n';
    return lines;
}

Test(rule_text, the_list_has_a_line_for_each_rule_and_one_about_the_letters)
{
    cr_expect_eq(print_list(true), XDS_RULES);
    cr_expect_eq(print_list(false), XDS_RULES + 1);
    cr_expect_eq(strncmp(sink.text, "letters for grfc, core, go, java, node", 38), 0);
}

Test(rule_text, a_line_has_name_letters_text_and_source)
{
    static const struct {
        const char *slug, *letters, *rest;
    } rows[] = {
        {"\nweighted-clusters-sum-zero ", "  NNNNN",
         "The weights of weighted_clusters may not sum to 0. (gRFC A28, spec W6)\n"},
        {"\nroute-query-parameters ", "  SSSSI", NULL},
        {"\nretry-num-retries-zero ", "  NNN-N", NULL},
        {"\njson-syntax ", "  EEEEE", NULL},
        {"\nduplicate-resource ", "  -----", NULL},
    };

    print_list(false);
    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        const char *line = strstr(sink.text, rows[i].slug);
        cr_assert_not_null(line, "%s", rows[i].slug);
        const char *letters = strstr(line + 1, rows[i].letters);
        const char *end = strchr(line + 1, '\n');
        cr_expect(letters && letters < end, "%s", rows[i].slug);
        if (rows[i].rest && letters)
            cr_expect_eq(strncmp(end + 1 - strlen(rows[i].rest), rows[i].rest,
                                 strlen(rows[i].rest)),
                         0);
    }
}
