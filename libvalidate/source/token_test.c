/* token_test.c - the JSON scanner: what it accepts, what it refuses and where. */
#include <criterion/criterion.h>

#include "base/limits.h"
#include "source/token.h"

/* One letter per token: { } [ ] k s n t f 0, then . for the end or ! for an error. */
static const char letters[] = {
    [XDS_TOKEN_OBJECT] = '{',    [XDS_TOKEN_OBJECT_END] = '}', [XDS_TOKEN_ARRAY] = '[',
    [XDS_TOKEN_ARRAY_END] = ']', [XDS_TOKEN_KEY] = 'k',        [XDS_TOKEN_STRING] = 's',
    [XDS_TOKEN_NUMBER] = 'n',    [XDS_TOKEN_TRUE] = 't',       [XDS_TOKEN_FALSE] = 'f',
    [XDS_TOKEN_NULL] = '0',      [XDS_TOKEN_END] = '.',        [XDS_TOKEN_ERROR] = '!',
};

/* The letters of all tokens, and the last token. */
static struct xds_token scan_all(struct xds_tokens *tokens, char *out, size_t size)
{
    struct xds_token token = {0};

    for (size_t n = 0; n + 1 < size; n++) {
        xds_tokens_next(tokens, &token);
        out[n] = letters[token.kind];
        out[n + 1] = '\0';
        if (token.kind == XDS_TOKEN_END || token.kind == XDS_TOKEN_ERROR)
            break;
    }
    return token;
}

/* A copy of exactly len bytes, so that a read after the end is seen by valgrind. */
static struct xds_token scan_text(struct xds_slice text, struct xds_tokens *tokens,
                                  char *out, size_t size)
{
    char *copy = malloc(text.len + 1);

    memcpy(copy + 1, text.data, text.len);
    xds_tokens_json(tokens, xds_slice_make(copy + 1, text.len));
    const struct xds_token last = scan_all(tokens, out, size);
    free(copy);
    return last;
}

Test(token, json_text_becomes_its_tokens)
{
    static const struct {
        const char *text, *tokens;
    } rows[] = {
        {"{}", "{}."},
        {" [ ] ", "[]."},
        {"\t{\r\n\"a\" : 1 , \"b\":[true,false,null]}\n", "{knk[tf0]}."},
        {"\"\"", "s."},
        {"-0.5e+10", "n."},
        {"[[[]],{}]", "[[[]]{}]."},
        {"{\"a\":{\"b\":{}},\"c\":[{}]}", "{k{k{}}k[{}]}."},
        {"\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80 and eight more\"", "s."},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        struct xds_tokens tokens;
        char out[64];

        scan_text(xds_slice_of(rows[i].text), &tokens, out, sizeof out);
        cr_expect_str_eq(out, rows[i].tokens, "%s", rows[i].text);
    }
}

Test(token, each_fault_has_its_row_and_its_place)
{
    const struct {
        struct xds_slice text;
        enum xds_rule_id fault;
        size_t begin, end;
    } rows[] = {
        {XDS_S(""), XDS_R_JSON_SYNTAX, 0, 0},
        {XDS_S("  "), XDS_R_JSON_SYNTAX, 2, 2},
        {XDS_S("{\"a\":"), XDS_R_JSON_SYNTAX, 5, 5},
        {XDS_S("\"abc"), XDS_R_JSON_SYNTAX, 4, 4},
        {XDS_S("[1"), XDS_R_JSON_SYNTAX, 2, 2},
        {XDS_S("{\"a\" 1}"), XDS_R_JSON_SYNTAX, 5, 6},
        {XDS_S("{a:1}"), XDS_R_JSON_SYNTAX, 1, 2},
        {XDS_S("{\"a\":1,}"), XDS_R_JSON_SYNTAX, 7, 8},
        {XDS_S("[1,]"), XDS_R_JSON_SYNTAX, 3, 4},
        {XDS_S("[1 22]"), XDS_R_JSON_SYNTAX, 3, 5},
        {XDS_S("[1}"), XDS_R_JSON_SYNTAX, 2, 3},
        {XDS_S("{]"), XDS_R_JSON_SYNTAX, 1, 2},
        {XDS_S("nul"), XDS_R_JSON_SYNTAX, 0, 3},
        {XDS_S("truex"), XDS_R_JSON_SYNTAX, 0, 5},
        {XDS_S("NaN"), XDS_R_JSON_SYNTAX, 0, 3},
        {XDS_S("\0"), XDS_R_JSON_SYNTAX, 0, 1},
        {XDS_S("{} {}"), XDS_R_JSON_SYNTAX, 3, 4},
        {XDS_S("1 true"), XDS_R_JSON_SYNTAX, 2, 6},
        {XDS_S("01"), XDS_R_JSON_NUMBER, 0, 2},
        {XDS_S("+1"), XDS_R_JSON_NUMBER, 0, 2},
        {XDS_S(".5"), XDS_R_JSON_NUMBER, 0, 2},
        {XDS_S("1."), XDS_R_JSON_NUMBER, 0, 2},
        {XDS_S("-"), XDS_R_JSON_NUMBER, 0, 1},
        {XDS_S("1e"), XDS_R_JSON_NUMBER, 0, 2},
        {XDS_S("0x1F"), XDS_R_JSON_NUMBER, 0, 4},
        {XDS_S("-Infinity"), XDS_R_JSON_NUMBER, 0, 9},
        {XDS_S("\"a\nb\""), XDS_R_JSON_CONTROL, 2, 3},
        {XDS_S("\"a\0b\""), XDS_R_JSON_CONTROL, 2, 3},
        {XDS_S("\"12345678\x1F\""), XDS_R_JSON_CONTROL, 9, 10},
        {XDS_S("\"\\x\""), XDS_R_JSON_ESCAPE, 1, 3},
        {XDS_S("\"\\u12G4\""), XDS_R_JSON_ESCAPE, 1, 3},
        {XDS_S("\"\\u12"), XDS_R_JSON_ESCAPE, 1, 3},
        {XDS_S("\"\\"), XDS_R_JSON_ESCAPE, 1, 2},
        {XDS_S("\"\\ud800\""), XDS_R_JSON_SURROGATE, 1, 7},
        {XDS_S("\"\\udc00\\ud800\""), XDS_R_JSON_SURROGATE, 1, 7},
        {XDS_S("\"\\ud800\\ud800\""), XDS_R_JSON_SURROGATE, 1, 7},
        {XDS_S("\"\x80\""), XDS_R_JSON_UTF8, 1, 2},
        {XDS_S("\"\xC0\x80\""), XDS_R_JSON_UTF8, 1, 2},
        {XDS_S("\"\xE0\x80\x80\""), XDS_R_JSON_UTF8, 1, 2},
        {XDS_S("\"\xED\xA0\x80\""), XDS_R_JSON_UTF8, 1, 2},
        {XDS_S("\"\xF4\x90\x80\x80\""), XDS_R_JSON_UTF8, 1, 2},
        {XDS_S("\"\xF8\x88\x80\x80\x80\""), XDS_R_JSON_UTF8, 1, 2},
        {XDS_S("\"\xE2\x82"), XDS_R_JSON_UTF8, 1, 2},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        struct xds_tokens tokens;
        char out[64];
        const struct xds_token last = scan_text(rows[i].text, &tokens, out, sizeof out);

        cr_expect_eq(last.kind, XDS_TOKEN_ERROR, "row %zu", i);
        cr_expect_str_eq(xds_rule_row(tokens.fault)->id, xds_rule_row(rows[i].fault)->id,
                         "row %zu", i);
        cr_expect_eq(last.begin, rows[i].begin, "row %zu begins at %zu", i, last.begin);
        cr_expect_eq(last.end, rows[i].end, "row %zu ends at %zu", i, last.end);
    }
}

Test(token, an_error_comes_again_when_asked_again)
{
    struct xds_tokens tokens;
    struct xds_token first, second;

    xds_tokens_json(&tokens, XDS_S("[1 2]"));
    for (int i = 0; i < 3; i++)
        xds_tokens_next(&tokens, &first);
    xds_tokens_next(&tokens, &second);
    cr_expect_eq(first.kind, XDS_TOKEN_ERROR);
    cr_expect_eq(second.kind, XDS_TOKEN_ERROR);
    cr_expect_eq(first.begin, second.begin);
}

Test(token, nesting_ends_at_the_limit)
{
    char text[2 * XDS_MAX_NESTING + 2], out[sizeof text + 1];
    struct xds_tokens tokens;

    memset(text, '[', XDS_MAX_NESTING);
    memset(text + XDS_MAX_NESTING, ']', XDS_MAX_NESTING);
    struct xds_token last =
        scan_text(xds_slice_make(text, sizeof text - 2), &tokens, out, sizeof out);
    cr_expect_eq(last.kind, XDS_TOKEN_END);

    memset(text, '[', XDS_MAX_NESTING + 1);
    last = scan_text(xds_slice_make(text, XDS_MAX_NESTING + 1), &tokens, out, sizeof out);
    cr_expect_eq(last.kind, XDS_TOKEN_ERROR);
    cr_expect_eq(tokens.fault, XDS_R_DECODE_NESTING);
    cr_expect_eq(last.begin, XDS_MAX_NESTING);
}

Test(token, lists_and_objects_are_told_apart_at_every_depth)
{
    char text[XDS_MAX_NESTING * 6], out[XDS_MAX_NESTING * 3 + 2];
    size_t n = 0;
    struct xds_tokens tokens;

    for (size_t i = 0; i < XDS_MAX_NESTING / 2; i++) {
        memcpy(text + n, "[{\"\":", 5);
        n += 5;
    }
    text[n++] = '1';
    for (size_t i = 0; i < XDS_MAX_NESTING / 2; i++) {
        memcpy(text + n, "}]", 2);
        n += 2;
    }
    const struct xds_token last =
        scan_text(xds_slice_make(text, n), &tokens, out, sizeof out);
    cr_expect_eq(last.kind, XDS_TOKEN_END, "%s", out);
}

Test(token, a_value_is_skipped_and_a_mark_leads_back)
{
    struct xds_tokens tokens, mark;
    struct xds_token token;

    xds_tokens_json(&tokens, XDS_S("{\"a\":[{\"b\":\"}\"},2],\"c\":3}"));
    xds_tokens_next(&tokens, &token);
    mark = tokens;
    xds_tokens_next(&tokens, &token);
    xds_tokens_next(&tokens, &token);
    cr_assert(xds_tokens_skip(&tokens, &(struct xds_token){.kind = token.kind}, &token));
    xds_tokens_next(&tokens, &token);
    cr_expect(xds_token_is(&token, "c"));
    tokens = mark;
    xds_tokens_next(&tokens, &token);
    cr_expect(xds_token_is(&token, "a"));
    cr_expect_eq(token.begin, 1);
    cr_expect_eq(token.end, 4);
}

Test(token, a_key_is_known_behind_its_escapes)
{
    struct xds_tokens tokens;
    struct xds_token token;

    xds_tokens_json(&tokens, XDS_S("{\"\\u0040ty\\u0070e\":1}"));
    xds_tokens_next(&tokens, &token);
    xds_tokens_next(&tokens, &token);
    cr_expect(xds_token_is(&token, "@type"));
    cr_expect_not(xds_token_is(&token, "@typ"));
}

static void unescape_all(void *arg)
{
    static const struct {
        const char *json, *text;
    } rows[] = {
        {"\"\"", ""},
        {"\"plain\"", "plain"},
        {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t"},
        {"\"\\u0041\\u00e9\\u20AC\\ud83d\\ude00!\"",
         "A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80!"},
        {"\"a\\u0000b\"", "a\xC0\x80"
                          "b"},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        struct xds_tokens tokens;
        struct xds_token token;

        xds_tokens_json(&tokens, xds_slice_of(rows[i].json));
        xds_tokens_next(&tokens, &token);
        const struct xds_slice text = xds_token_unescape(&token, arg);
        cr_expect_eq(text.data[text.len], '\0');
        cr_expect_str_eq(text.data, rows[i].text);
    }
}

Test(token, escapes_become_utf8_and_nul_its_two_bytes)
{
    struct xds_arena arena;
    struct xds_arena *const arenas[] = {&arena};

    xds_arena_init(&arena, 0);
    cr_expect_eq(xds_arena_guard(arenas, 1, unescape_all, &arena), XDS_OK);
    xds_arena_release(&arena);
}

Test(token, recorded_tokens_keep_the_limit_of_nesting)
{
    struct xds_token recorded[XDS_MAX_NESTING + 2] = {0};
    struct xds_tokens tokens;
    char out[XDS_MAX_NESTING + 3];

    for (size_t i = 0; i < XDS_ARRAY_LEN(recorded); i++)
        recorded[i] = (struct xds_token){.kind = XDS_TOKEN_ARRAY, .line = 7};
    xds_tokens_recorded(&tokens, XDS_FORMAT_YAML, recorded);
    const struct xds_token last = scan_all(&tokens, out, sizeof out);
    cr_expect_eq(last.kind, XDS_TOKEN_ERROR);
    cr_expect_eq(last.line, 7);
    cr_expect_eq(strlen(out), XDS_MAX_NESTING + 1);
}
