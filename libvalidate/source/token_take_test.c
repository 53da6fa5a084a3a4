/* token_take_test.c - what is taken without a token, beside the token. */
#include <criterion/criterion.h>

#include "source/token_take.h"

/* A place in a text, and the token that comes next there. */
struct place {
    struct xds_tokens here, behind;
    struct xds_token token;
};

static bool same_state(const struct xds_tokens *a, const struct xds_tokens *b)
{
    return a->pos == b->pos && a->due == b->due && a->depth == b->depth &&
           memcmp(a->behind, b->behind, a->depth + 1) == 0;
}

/* taken: what a function said of a copy of the place. */
static bool judge(const struct place *p, bool taken, const struct xds_tokens *copy,
                  enum xds_token_kind kind, const char *what)
{
    cr_expect(same_state(copy, taken ? &p->behind : &p->here), "%s at %zu of %.*s", what,
              p->here.pos, (int)p->here.len, p->here.text);
    cr_expect(!taken || p->token.kind == kind, "%s at %zu of %.*s", what, p->here.pos,
              (int)p->here.len, p->here.text);
    return taken;
}

static bool take_text(const struct place *p)
{
    struct xds_tokens copy = p->here;
    struct xds_slice text = {NULL, 0};
    const bool taken = xds_tokens_take_text(&copy, &text);

    cr_expect(!taken || xds_slice_eq(text, p->token.text));
    return judge(p, taken, &copy, XDS_TOKEN_STRING, "text");
}

static bool take_whole(const struct place *p)
{
    struct xds_tokens copy = p->here;
    uint32_t value = 0;
    uint64_t due = 0;
    const bool taken = xds_tokens_take_whole(&copy, &value);

    if (taken)
        cr_expect(xds_slice_to_u64(p->token.text, &due) && value == due);
    return judge(p, taken, &copy, XDS_TOKEN_NUMBER, "whole");
}

static bool take_object(const struct place *p)
{
    struct xds_tokens copy = p->here;

    return judge(p, xds_tokens_take_object(&copy), &copy, XDS_TOKEN_OBJECT, "object");
}

static bool take_end(const struct place *p)
{
    struct xds_tokens copy = p->here;

    return judge(p, xds_tokens_take_end(&copy), &copy, XDS_TOKEN_OBJECT_END, "end");
}

/* The key that comes, and others that begin like it. */
static bool take_key(const struct place *p)
{
    char quoted[64] = {0}, other[64] = {0};
    const size_t len = p->token.text.len + 2;
    struct xds_tokens copy = p->here;

    if (p->token.kind != XDS_TOKEN_KEY || len > 32)
        return false;
    memcpy(quoted, p->token.text.data - 1, len);
    const bool taken = xds_tokens_take_key(&copy, xds_slice_make(quoted, len));
    for (size_t i = 0; i < len; i++) {
        struct xds_tokens again = p->here;

        memcpy(other, quoted, sizeof other);
        other[i] ^= 1;
        cr_expect_not(xds_tokens_take_key(&again, xds_slice_make(other, len)));
        cr_expect(same_state(&again, &p->here));
    }
    return judge(p, taken, &copy, XDS_TOKEN_KEY, "key");
}

/* The token is still to come then. */
static bool take_item(const struct place *p)
{
    struct xds_tokens copy = p->here;
    struct xds_token token;
    const bool taken = xds_tokens_take_item(&copy);

    cr_expect(taken || same_state(&copy, &p->here));
    if (taken) {
        xds_tokens_next(&copy, &token);
        cr_expect_eq(token.kind, p->token.kind);
        cr_expect(token.kind == XDS_TOKEN_ERROR || same_state(&copy, &p->behind));
    }
    return taken;
}

/* One letter per place: what could be taken there, or '-'. */
static void look_at_all(struct xds_slice text, char *out, size_t size)
{
    struct place p;
    size_t n = 0;

    xds_tokens_json(&p.behind, text);
    do {
        p.here = p.behind;
        xds_tokens_next(&p.behind, &p.token);
        const bool item = take_item(&p),
                   found[] = {take_text(&p), take_whole(&p), take_object(&p),
                              take_end(&p), take_key(&p)};
        char letter = item ? 'i' : '-';

        for (size_t i = 0; i < XDS_ARRAY_LEN(found); i++)
            letter = found[i] ? "tw{}k"[i] : letter;
        out[n++] = letter;
    } while (n + 1 < size && p.token.kind != XDS_TOKEN_END &&
             p.token.kind != XDS_TOKEN_ERROR);
    out[n] = '\0';
}

/* A copy of exactly so many bytes, so that a read after the end is seen by valgrind. */
static void look_at_copy(struct xds_slice text, char *out, size_t size)
{
    char *copy = malloc(text.len + 1);

    memcpy(copy + 1, text.data, text.len);
    look_at_all(xds_slice_make(copy + 1, text.len), out, size);
    free(copy);
}

Test(token_take, what_is_plain_is_taken)
{
    static const struct {
        const char *text, *taken;
    } rows[] = {
        {"{}", "{}-"},
        {" { \"a\" :\n                    { } } ", "{k{}}-"},
        {"{\"a\":\"b\",\"c\":7}", "{ktkw}-"},
        {"{\"a\":\"plain text that goes over a step\"}", "{kt}-"},
        {"{\"a\":\"\\n\",\"c\":\"\xC3\xA9\"}", "{k-k-}-"},
        {"{\"a\":123456789,\"b\":1234567890,\"c\":0,\"d\":-1,\"e\":1.5,\"f\":1e3}",
         "{kwk-kwk-k-k-}-"},
        {"{\"a\":[1,{},[]],\"b\":[]}", "{k-ii}i--k--}-"},
        {"{\"a\":true,\"b\":null}", "{k-k-}-"},
        /* faults */
        {"{\"a\":01}", "{k-"},
        {"{\"a\":1", "{k--"},
        {"{\"a\":[1,]}", "{k-i-"},
        {"{\"a\" 1}", "{-"},
        {"{\"a\":1,}", "{kw-"},
        {"{\"a\":\"b}", "{k-"},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        char out[100];

        look_at_copy(xds_slice_of(rows[i].text), out, sizeof out);
        cr_expect_str_eq(out, rows[i].taken, "%s: %s", rows[i].text, out);
    }
}

Test(token_take, nothing_is_taken_that_is_no_token)
{
    const char good[] =
        "{\"a\": {\"name\":\"x\", \"list\":[1, 22,{\"b\":\"c\"}],\"n\":300},"
        "\"longer key of 20 ch\":\"\\u0041\", \"d\":[[],{}, true]}";
    uint64_t random = UINT64_C(88172645463325252);

    for (size_t i = 0; i < 30000; i++) {
        char text[sizeof good], out[100];
        size_t len = sizeof good - 1;

        memcpy(text, good, sizeof good);
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        text[(random >> 33) % len] = "{}[]\",:0\\ a\x80\x01"[(random >> 20) % 13];
        if (random >> 60 == 0)
            len = (random >> 40) % len;
        look_at_copy(xds_slice_make(text, len), out, sizeof out);
    }
}

Test(token_take, a_hundred_levels_are_all)
{
    char text[6 * (XDS_MAX_NESTING + 1)], out[3 * XDS_MAX_NESTING];
    size_t n = 0;

    for (unsigned level = 0; level <= XDS_MAX_NESTING; level++) {
        memcpy(text + n, "{\"a\":", 5);
        n += 5;
    }
    look_at_copy(xds_slice_make(text, n), out, sizeof out);
    cr_expect_eq(strlen(out), 2 * (size_t)XDS_MAX_NESTING + 1);
    cr_expect_eq(out[2 * XDS_MAX_NESTING - 2], '{');
    cr_expect_eq(out[2 * XDS_MAX_NESTING], '-');
}

Test(token_take, tokens_that_were_recorded_give_keys_only)
{
    static const struct xds_token recorded[] = {
        {.kind = XDS_TOKEN_OBJECT, .line = 1},
        {.kind = XDS_TOKEN_KEY, .text = {"a", 1}, .line = 1},
        {.kind = XDS_TOKEN_STRING, .text = {"b", 1}, .line = 1},
        {.kind = XDS_TOKEN_OBJECT_END, .line = 1},
        {.kind = XDS_TOKEN_END},
    };
    const char quoted[16] = "\"a\"";
    struct xds_tokens tokens;
    struct xds_token token;
    struct xds_slice text;

    xds_tokens_recorded(&tokens, XDS_FORMAT_YAML, recorded);
    cr_expect_not(xds_tokens_take_object(&tokens));
    xds_tokens_next(&tokens, &token);
    cr_expect_not(xds_tokens_take_end(&tokens));
    cr_expect(xds_tokens_take_key(&tokens, xds_slice_make(quoted, 3)));
    cr_expect_not(xds_tokens_take_text(&tokens, &text));
    cr_expect_not(xds_tokens_take_key(&tokens, xds_slice_make(quoted, 3)));
    xds_tokens_next(&tokens, &token);
    cr_expect_eq(token.kind, XDS_TOKEN_STRING);
}
