/* redact_test.c - what is hidden of a line, and what is not. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "secret/secret.h"

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
    {"google_refresh_token: {token: x}", "google_refresh_token: {token: **"},
    {"headers: {x-api-key: 'abc'}", "headers: {x-api-key: '***'}"},
    {"authorization: Basic abc", "authorization: Basic ***"},
    {"authorization: abc", "authorization: ***"},
    {"authorization: ", "authorization: "},
    {"note: eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.x, y",
     "note: *************************************, y"},
    {"note: eyJhbGciOiJub25lIn0", "note: eyJhbGciOiJub25lIn0"},
    {"max_tokens: 3, token_bucket: {}", "max_tokens: 3, token_bucket: {}"},
    /* In URLs: what is in front of the host, and parameters. */
    {"uri: https://u:p@h/x?a=b@c", "uri: https://***@h/x?a=b@c"},
    {"uri: https://u:p@q@h:1", "uri: https://*****@h:1"},
    {"uri: https://h/@x, y: z@h", "uri: https://h/@x, y: z@h"},
    {"path: /x?access_token=abc&b=c", "path: /x?access_token=***&b=c"},
    {"x: token=, y: \"api_key=a\"", "x: token=, y: \"api_key=*\""},
    /* JSON in a string. */
    {"a: \"{\\\"token\\\": \\\"b\\\", \\\"c\\\": 1}\"",
     "a: \"{\\\"token\\\": \\\"*\\\", \\\"c\\\": 1}\""},
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

/* Spelled as in the .proto files, in JSON, loud, and with a blank of a kind in it. */
static const char *const spellings[] = {
    "inline_string",
    "inlineString",
    "INLINE_STRING",
    "inlinestrin_g",
    "inline_bytes",
    "inlineBytes",
    "INLINE_BYTES",
    "inlineby_tes",
    "access_token",
    "accessToken",
    "ACCESS_TOKEN",
    "access_toke_n",
    "refresh_token",
    "refreshToken",
    "REFRESH_TOKEN",
    "refresh_token_",
    "json_key",
    "jsonKey",
    "JSON_KEY",
    "json_k_ey",
    "client_secret",
    "clientSecret",
    "CLIENT_SECRET",
    "client_secre_t",
    "password",
    "userPassword",
    "PASSWORD",
    "passwor_d",
    "authorization_token",
};

Test(redact, the_value_of_each_secret_field_is_hidden)
{
    char line[64], shown[64];

    for (size_t i = 0; i < XDS_ARRAY_LEN(spellings); i++) {
        snprintf(line, sizeof line, "{\"%s\":\"hunter2\"}", spellings[i]);
        snprintf(shown, sizeof shown, "{\"%s\":\"*******\"}", spellings[i]);
        cr_expect_str_eq(redacted(line), shown, "%s", redacted(line));
    }
}

/* ---- lines without a secret are found first ---- */

static const char *const pieces[] = {
    "password",    "inline_string",
    "json_key",    "_",
    "x",           "bearer ",
    "Basic ",      "-----BEGIN ",
    "\"",          "'",
    " ",           "\t",
    ":",           ": ",
    ",",           "{",
    "\\",          "\xc3\xa9",
    "aaaaaaaaaaa", "BBBBBBBBBBBBB",
    "1",           "aB3-",
    "Kx9/Kx9+",    "routes",
};

/* The same line for the same seed. */
static void make_line(char *line, size_t size, unsigned seed)
{
    const unsigned n = 1 + seed % 14;

    *line = '\0';
    for (unsigned i = 0; i < n; i++) {
        const size_t len = strlen(line);

        seed = seed * 1103515245u + 12345u;
        (void)snprintf(line + len, size - len, "%s",
                       pieces[(seed >> 16) % XDS_ARRAY_LEN(pieces)]);
    }
}

/* With a secret in front no line is let through unread. */
Test(redact, a_line_is_shown_the_same_behind_a_secret)
{
    static const char before[] = "password: 'x', ", shown[] = "password: '*', ";
    char line[400], longer[500], want[1100];
    unsigned changed = 0;

    for (unsigned seed = 0; seed < 50000; seed++) {
        make_line(line, sizeof line, seed * 2654435761u);
        (void)snprintf(longer, sizeof longer, "%s%s", before, line);
        (void)snprintf(want, sizeof want, "%s%s", shown, redacted(line));
        cr_expect_str_eq(redacted(longer), want, "%s: %s", line, want);
        changed += strcmp(line, redacted(line)) != 0;
    }
    cr_expect_gt(changed, 5000u);
    cr_expect_lt(changed, 45000u);
}
