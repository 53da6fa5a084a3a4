/* token_skip_test.c - a skip ends where reading the value token by token does. */
#include <criterion/criterion.h>

#include "source/token.h"

/* Leap over the value of the first key; the kind of the token after it. */
static enum xds_token_kind behind(const char *text)
{
    struct xds_tokens tokens;
    struct xds_token token;

    xds_tokens_json(&tokens, xds_slice_of(text));
    for (int i = 0; i < 3; i++)
        xds_tokens_next(&tokens, &token);
    if (!xds_tokens_skip_valid(&tokens, &token))
        return XDS_TOKEN_ERROR;
    xds_tokens_next(&tokens, &token);
    return token.kind;
}

Test(token_skip, what_stands_behind_any_value_is_read_next)
{
    static const struct row {
        const char *text;
        enum xds_token_kind kind;
    } rows[] = {
        {"{\"a\": {}, \"b\": 1}", XDS_TOKEN_KEY},
        {"{\"a\": [[1, {\"x\": \"]\\\"}\"}], []] }", XDS_TOKEN_OBJECT_END},
        {"{\"a\": 1 }", XDS_TOKEN_OBJECT_END},
        {"{\"a\": \"{\", \"b\": 1}", XDS_TOKEN_KEY},
        {"{\"a\": {] }", XDS_TOKEN_ERROR},
        {"{\"a\": {\"b\": [", XDS_TOKEN_ERROR},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++)
        cr_expect_eq(behind(rows[i].text), rows[i].kind, "%s", rows[i].text);
}

Test(token_skip, behind_the_outermost_value_there_is_nothing)
{
    struct xds_tokens tokens;
    struct xds_token token;

    xds_tokens_json(&tokens, XDS_S("[{\"a\": [1]}] "));
    xds_tokens_next(&tokens, &token);
    cr_assert(xds_tokens_skip_valid(&tokens, &token));
    xds_tokens_next(&tokens, &token);
    cr_expect_eq(token.kind, XDS_TOKEN_END);
}

Test(token_skip, recorded_tokens_are_passed_one_by_one)
{
    const struct xds_token recorded[] = {
        {.kind = XDS_TOKEN_ARRAY},      {.kind = XDS_TOKEN_OBJECT},
        {.kind = XDS_TOKEN_OBJECT_END}, {.kind = XDS_TOKEN_NUMBER},
        {.kind = XDS_TOKEN_ARRAY_END},  {.kind = XDS_TOKEN_END}};
    struct xds_tokens tokens;
    struct xds_token token;

    xds_tokens_recorded(&tokens, XDS_FORMAT_YAML, recorded);
    xds_tokens_next(&tokens, &token);
    xds_tokens_next(&tokens, &token);
    cr_assert(xds_tokens_skip_valid(&tokens, &token));
    xds_tokens_next(&tokens, &token);
    cr_expect_eq(token.kind, XDS_TOKEN_NUMBER);
}
