/* names_test.c - what is a secret's name in each notation, and where texts have one. */
#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>

#include "secret/secret.h"

static const char *const names[] = {
#define XDS_SECRET(name) name,
#define XDS_SECRET_WHOLE(name) name,
#include "secret/fields.def"
};

/* A name of several words, as people write it. */
static const char *const spellings[] = {
    "access_key",
    "accessKey",
    "secret-access-key",
    "api_key",
    "apiKey",
    "X-API-KEY",
    "authorization",
    "Proxy-Authorization",
    "auth_username",
    "authUsername",
    "context_extensions",
    "contextExtensions",
    "credentials_data_source",
    "encryption_key",
    "generic_secret",
    "hmac_key",
    "hmacKey",
    "inline_bytes",
    "inlineString",
    "json_key",
    "jsonKey",
    "private_key",
    "privateKey",
    "private_key_provider",
    "secret_data",
    "session_ticket_keys",
    "shared_key",
    "signing_key",
    "token_data_source",
    "x-auth-token",
    "refresh_token_",
    "PASSWORD",
};

static const char *const others[] = {
    "",
    "y",
    "key",
    "keys",
    "name",
    "tokens_per_fill",
    "secrets",
    "max_tokens",
    "superusers",
    "my_credentials",
    "value",
    "inline",
    "cookie",
    "password_file",
    "token_bucket",
    "secret_name",
};

static bool is_found(const char *text)
{
    struct xds_secret_search search;
    const struct xds_slice in = xds_slice_of(text);
    size_t at = 0, other = 1;

    xds_secret_search_init(&search);
    for (; other > 0 && (at = xds_secret_root(&search, in, at)) < in.len; at += other)
        other = xds_secret_other(xds_slice_from(in, at));
    return other == 0;
}

Test(secret_names, each_name_of_the_table_is_one)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(names); i++)
        cr_expect(xds_secret_name(xds_slice_of(names[i])), "%s", names[i]);
}

Test(secret_names, a_spelling_is_one_and_a_text_with_it_is_looked_into)
{
    char text[64];

    for (size_t i = 0; i < XDS_ARRAY_LEN(spellings); i++) {
        cr_expect(xds_secret_name(xds_slice_of(spellings[i])), "%s", spellings[i]);
        /* At an even offset, and at an odd one. */
        snprintf(text, sizeof text, "{\"%s\": 1}", spellings[i]);
        cr_expect(is_found(text), "%s", text);
        cr_expect(is_found(text + 1), "%s", text + 1);
        cr_expect(is_found(spellings[i]), "%s", spellings[i]);
    }
}

Test(secret_names, other_names_are_none)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(others); i++)
        cr_expect_not(xds_secret_name(xds_slice_of(others[i])), "%s", others[i]);
}

Test(secret_names, what_an_escape_may_hide_is_found)
{
    cr_expect(is_found("{\"pri\\u0076ate\": 1}"));
    cr_expect(is_found("key: \"pri\\166ate\""));
    cr_expect(is_found("{\"pri\\x76ate\": 1}"));
    cr_expect(is_found("{\"pri\\U00000076ate\": 1}"));
    cr_expect(is_found("\"pri\\\nvate\": 1"));
    cr_expect_not(is_found("{\"a\": \"\\\\u0076 \\\\d \\n\"}"));
}

/* The name itself is looked at only where it is whole. */
Test(secret_names, a_part_of_a_name_is_found_where_more_may_follow)
{
    cr_expect_not(is_found("{\"service\": \"pkg.Shared\", \"token_bucket\": 1}"));
    cr_expect_not(is_found("private network, shared, session-cookie: x"));
    cr_expect(is_found("key: \"shared\" \"-key\""));
    cr_expect(is_found("key: 'shared'\n # and\n '-key'"));
    cr_expect(is_found("{\"shared\\u002dkey\": 1}"));
    cr_expect(is_found("key: \"shared\\055key\""));
    cr_expect(is_found("-----BEGIN RSA PRIVATE KEY-----"));
    cr_expect(is_found("Bearer x") && is_found("Basic eA"));
}

/* Wherever the pieces end that a text is looked at in. */
Test(secret_names, a_name_is_found_anywhere)
{
    static char text[4096];
    struct xds_secret_search search;

    xds_secret_search_init(&search);
    for (size_t at = 0; at + 7 <= sizeof text; at++) {
        memset(text, 'a', sizeof text);
        memcpy(text + at, "pRivate", 7);
        cr_assert_eq(xds_secret_root(&search, xds_slice_make(text, sizeof text), 0), at);
    }
}
