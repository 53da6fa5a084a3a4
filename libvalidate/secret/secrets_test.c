/* secrets_test.c - what is shown of each line of a text. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "include/xdscope.h"
#include "base/slice.h"

/* All lines of the text; "-" stands for one of which nothing is shown. */
static const char *shown(const char *name, const char *text)
{
    static char out[4096];
    struct xds_secrets *secrets;
    struct xds_slice rest = xds_slice_of(text), line;
    size_t n = 0, len;

    cr_assert_eq(xds_secrets_of_text(name, rest, &secrets), XDS_OK);
    for (uint32_t number = 1; rest.data; number++) {
        rest = xds_slice_cut(rest, '\n', &line);
        if (!xds_secrets_hide(secrets, number, 1, line, out + n, &len)) {
            out[n] = '-';
            len = 1;
        }
        n += len;
        out[n++] = rest.data ? '\n' : '\0';
    }
    xds_secrets_free(secrets);
    return out;
}

static const struct row {
    const char *name, *text, *shown;
} rows[] = {
    /* Without the name of a secret nothing changes, however broken the text is. */
    {"a.yaml", "name: a\nx: [\ny: b", "name: a\nx: [\ny: b"},
    {"a.json", "{\"name\":\n\"a\" \"x\"}", "{\"name\":\n\"a\" \"x\"}"},
    /* Values on the next line, below, in lists, and keys that are none of a DataSource.
     */
    {"a.yaml", "password:\n  hunter\nname: a", "password:\n  ******\nname: a"},
    {"a.yaml", "password: |\n  a\n  b\nname: a", "password: *\n  *\n  *\nname: a"},
    {"a.yaml", "private_key: {filename: f, hunter: [b, c]}\nname: a",
     "private_key: {filename: f, ******: [*, *]}\nname: a"},
    {"a.yaml", "private_key: {inline_string: \"a\n  b\"}\nname: a",
     "private_key: {inline_string: \"*\n  *\"}\nname: a"},
    {"a.json", "{\"private_key\":\n\"a\\\"b\", \"name\": \"a\"}",
     "{\"private_key\":\n\"****\", \"name\": \"a\"}"},
    {"a.json", "{\"pri\\u0076ate_key\":\n[1, true, {\"a\": \"b\"}], \"name\": \"a\"}",
     "{\"pri\\u0076ate_key\":\n[*, ****, {\"*\": \"*\"}], \"name\": \"a\"}"},
    {"a.textproto", "private_key { inline_string:\n 'a'\n \"b\" } name: 'a'",
     "private_key { inline_string:\n '**\n **\" } name: 'a'"},
    /* A header has its name before or after its value. */
    {"a.yaml", "h: {value: a, key: X-Api-Key}\nk: {value: a, key: b}",
     "h: {value: *, key: X-Api-Key}\nk: {value: a, key: b}"},
    {"a.yaml", "- {name: authorization, string_match: {exact: a}, x: b}",
     "- {name: authorization, string_match: {*****: *}, x: b}"},
    {"a.json", "[[\"authorization\", \"a\"], [\"b\", \"c\"]]",
     "[[\"authorization\", \"*\"], [\"b\", \"c\"]]"},
    /* Comments beside a secret, and only these. */
    {"a.yaml", "a: b # c\npassword: # d\n  # e\n  f\na: b # c",
     "a: b # c\npassword: ***\n  ***\n  *\na: b # c"},
    {"a.textproto", "token: # b\n 'c' # d\na: 'b' # c",
     "token: ***\n '*' ***\na: 'b' # c"},
    /* A key of PEM wherever it is, also in a comment, up to its end. */
    {"a.yaml",
     "a: |\n  -----BEGIN RSA PRIVATE KEY-----\n  b\n  -----END RSA PRIVATE KEY-----\nc: "
     "d",
     "a: |\n  -----BEGIN ********************\n-\n-\nc: d"},
    {"a.yaml", "# -----BEGIN PRIVATE KEY-----\n# b\n# -----END PRIVATE KEY-----\nc: d",
     "# -----BEGIN ****************\n-\n-\nc: d"},
    /* Credentials of HTTP in a value of any name. */
    {"a.yaml", "a: {b: \"Bearer\n  c\", d: e}", "a: {b: \"******\n  *\", d: e}"},
    /* What an alias stands for is one where it is written. */
    {"a.yaml", "name: &k hunter\npassword: *k\nx: hunter",
     "name: *********\npassword: **\nx: ******"},
    /* After a break of the syntax nothing is shown near a secret. */
    {"a.yaml", "name: a\npassword: {a: \"b\"\nx: c\n---\nname: b",
     "name: a\n-\n-\n-\nname: b"},
    {"a.yaml", "name: a\nx: [\ny: b\ntoken: c\nz: d", "name: a\nx: [\ny: b\n-\n-"},
    {"a.json", "{\"name\": \"a\",\n\"password\"\n\"b\"}", "{\"name\": \"a\",\n-\n-"},
    {"a.textproto", "name: 'a'\npassword 'b'\nx: 1", "name: 'a'\n-\n-"},
    {"a.jsonl", "{\"password\": {\n{\"name\": \"a\"}", "-\n{\"name\": \"a\"}"},
    {"a.json", "{\"a\": b {\"password\":\n\"hunter\"", "-\n\"******\""},
    {"a.json", "{\"a\": b {\"name\":\n\"hunter\"", "{\"a\": b {\"name\":\n\"hunter\""},
    /* The name of a header in a text proto may be in pieces. */
    {"a.textproto", "key: 'author' \"ization\" value: 'a'",
     "key: 'author' \"ization\" value: '*'"},
    {"a.textproto", "key: '\\141uthorization' value: 'a'",
     "key: '\\141uthorization' value: '*'"},
    /* Characters of several bytes, and blanks in front. */
    {"a.yaml", "\"\xc3\xa4\": \xc3\xa4\npassword: \xc3\xa4\xe2\x82\xac",
     "\"\xc3\xa4\": \xc3\xa4\npassword: **"},
};

Test(secrets, each_line_is_shown_as_listed)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++)
        cr_expect_str_eq(shown(rows[i].name, rows[i].text), rows[i].shown, "%s\n->\n%s",
                         rows[i].text, shown(rows[i].name, rows[i].text));
}

Test(secrets, a_part_of_a_line_begins_at_its_column)
{
    static const char text[] = "{a: b, password: hunter2, c: d}";
    struct xds_secrets *secrets;
    char to[sizeof text];
    size_t len;

    cr_assert_eq(xds_secrets_of_text("a.yaml", xds_slice_of(text), &secrets), XDS_OK);
    cr_assert(xds_secrets_hide(secrets, 1, 21, xds_slice_of(text + 20), to, &len));
    cr_expect(xds_slice_is(xds_slice_make(to, len), "****, c: d}"));
    xds_secrets_free(secrets);
}

Test(secrets, a_file_has_those_of_its_text)
{
    static const char text[] = "name: a\ntoken:\n  hunter2\n";
    FILE *file = tmpfile();
    struct xds_secrets *secrets;
    char to[16];
    size_t len;

    cr_assert_not_null(file);
    cr_assert_eq(fputs(text, file) >= 0 && fflush(file) == 0, true);
    cr_assert_eq(xds_secrets_of_file("a.yaml", fileno(file), &secrets), XDS_OK);
    cr_assert(xds_secrets_hide(secrets, 3, 1, XDS_S("  hunter2"), to, &len));
    cr_expect(xds_slice_is(xds_slice_make(to, len), "  *******"));
    xds_secrets_free(secrets);
    (void)fclose(file);
}
