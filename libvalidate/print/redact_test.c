/* redact_test.c - what is hidden of a line, and what is not. */
#include <criterion/criterion.h>

#include "print/redact.h"

static const char *redacted(const char *line)
{
    static char to[1024];

    to[xds_redact(xds_slice_of(line), to)] = '\0';
    return to;
}

static const struct row {
    const char *line, *shown;
} rows[] = {
    {"", ""},
    {"name: shop", "name: shop"},
    {"inline_string: hunter2", "inline_string: *******"},
    {"{inline_string: \"a\\\"b\", x: 1}", "{inline_string: \"****\", x: 1}"},
    {"{'inlineBytes' : 'YWJj', x: 1}", "{'inlineBytes' : '****', x: 1}"},
    {"\"inlineString\":\"key\",\"name\":\"n\"",
     "\"inlineString\":\"***\",\"name\":\"n\""},
    {"google_refresh_token: {token: x}", "google_refresh_token: {token: x}"},
    {"inline_string: |", "inline_string: *"},
    {"inline_string", "inline_string"},
    {"inline_string: ", "inline_string: "},
    {"my_inline_string_x: a", "my_inline_string_x: a"},
    {"password: p\xc3\xa4ss", "password: ****"},
    {"private_key: {filename: /etc/key.pem}", "private_key: {filename: /etc/key.pem}"},
    {"-----BEGIN PRIVATE KEY-----\\nMII\" # end",
     "-----BEGIN *********************\" # end"},
    {"value: \"Bearer abc.def\"", "value: \"Bearer *******\""},
    {"k: MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj, x",
     "k: ****************************************, x"},
    {"k: MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggS, x",
     "k: MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggS, x"},
    {"n: outbound_80_v1_productpage_default_svc_cluster_local",
     "n: outbound_80_v1_productpage_default_svc_cluster_local"},
};

Test(redact, each_line_is_shown_as_listed)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++)
        cr_expect_str_eq(redacted(rows[i].line), rows[i].shown, "%s: %s", rows[i].line,
                         redacted(rows[i].line));
}
