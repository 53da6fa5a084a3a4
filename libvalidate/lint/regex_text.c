/*
 * regex_text.c - read a regex as far as it is plain text.
 *
 * Source: RE2's syntax; gRFC A28: the whole path must match.
 */
#include "lint/regex_text.h"

#include "base/ascii.h"

struct scan {
    struct xds_slice left;
    char *text;
    struct xds_regex_text *out;
};

static bool skip(struct xds_slice *left, const char *token)
{
    if (!xds_slice_starts(*left, xds_slice_of(token)))
        return false;
    *left = xds_slice_from(*left, strlen(token));
    return true;
}

static bool skip_end(struct xds_slice *left, const char *token)
{
    const size_t len = strlen(token);

    if (!xds_slice_ends(*left, xds_slice_of(token)))
        return false;
    left->len -= len;
    return true;
}

/* Is the character at the end escaped? */
static bool is_escaped(struct xds_slice s)
{
    size_t n = 0;

    while (n + 1 < s.len && s.data[s.len - 2 - n] == '\\')
        n++;
    return n % 2 == 1;
}

static void take_ends(struct xds_slice *left, struct xds_regex_text *out)
{
    out->anchored_start = skip(left, "^");
    out->any_before = skip(left, ".*");
    if (left->len > 0 && !is_escaped(*left))
        out->anchored_end = skip_end(left, "$");
    if (left->len > 1 && !is_escaped(xds_slice_make(left->data, left->len - 1)))
        out->any_after = skip_end(left, ".*");
}

static bool is_word(char c)
{
    return xds_ascii_alpha(c) || xds_ascii_digit(c);
}

static bool is_between_words(const struct scan *s)
{
    const size_t n = s->out->text.len;

    return n > 0 && is_word(s->text[n - 1]) && s->left.len > 1 &&
           is_word(s->left.data[1]);
}

/* The next character of the text; false when something else is there. */
static bool take_character(struct scan *s)
{
    struct xds_regex_text *out = s->out;
    const char c = s->left.data[0];
    const bool escaped = c == '\\';

    if (escaped && (s->left.len < 2 || is_word(s->left.data[1]) ||
                    (unsigned char)s->left.data[1] >= 0x80))
        return false;
    if (c != '.' && strchr("^$|?*+()[]{}", c))
        return false;
    if (c == '.' && is_between_words(s))
        out->lone_dots = true;
    if (c == '.')
        out->dots = true;
    if (c == '.' && out->stem == SIZE_MAX)
        out->stem = out->text.len;
    s->text[out->text.len++] = s->left.data[escaped ? 1 : 0];
    s->left = xds_slice_from(s->left, escaped ? 2 : 1);
    return true;
}

/* May an alternative begin outside of all groups? Where that is hard to see: yes. */
static bool has_alternatives(struct xds_slice rest)
{
    size_t depth = 0;

    if (xds_slice_find(rest, '|') == rest.len)
        return false;
    if (xds_slice_find(rest, '[') < rest.len ||
        xds_slice_search(rest, XDS_S("\\Q")) < rest.len)
        return true;
    for (size_t i = 0; i < rest.len; i++) {
        const char c = rest.data[i];

        if (c == '\\')
            i++;
        else if (c == '(')
            depth++;
        else if (c == ')' && depth > 0)
            depth--;
        else if (c == '|' && depth == 0)
            return true;
    }
    return false;
}

/* A repeat takes back the last character, all bytes of it. */
static void take_back(struct scan *s)
{
    size_t *len = &s->out->text.len;

    if (*len == 0 || s->left.len == 0 || !strchr("?*+{", s->left.data[0]))
        return;
    do
        --*len;
    while (*len > 0 && ((unsigned char)s->text[*len] & 0xC0u) == 0x80u);
}

static void end_text(struct scan *s)
{
    struct xds_regex_text *out = s->out;

    out->is_plain = s->left.len == 0;
    take_back(s);
    if (out->stem > out->text.len)
        out->stem = out->text.len;
    if (out->any_before || has_alternatives(s->left))
        out->stem = 0;
}

struct xds_regex_text xds_regex_text_read(struct xds_arena *arena,
                                          struct xds_slice pattern)
{
    struct xds_regex_text out = {.stem = SIZE_MAX};
    struct scan s = {.left = pattern, .out = &out};

    take_ends(&s.left, &out);
    s.text = xds_arena_alloc(arena, s.left.len + 1);
    s.text[s.left.len] = '\0';
    out.text.data = s.text;
    while (s.left.len > 0 && take_character(&s))
        continue;
    end_text(&s);
    return out;
}

struct xds_slice xds_regex_stem(struct xds_arena *arena, struct xds_slice pattern)
{
    const struct xds_regex_text text = xds_regex_text_read(arena, pattern);

    return xds_slice_make(text.text.data, text.stem);
}

static bool is_one_of(struct xds_slice pattern, const char *const *list, size_t n)
{
    (void)skip(&pattern, "^");
    (void)skip_end(&pattern, "$");
    for (size_t i = 0; i < n; i++)
        if (xds_slice_is(pattern, list[i]))
            return true;
    return false;
}

bool xds_regex_takes_all_paths(struct xds_slice pattern)
{
    static const char *const list[] = {".*", "/.*", ".+", "/.+", "(.*)", "/(.*)"};

    return is_one_of(pattern, list, XDS_ARRAY_LEN(list));
}

bool xds_regex_takes_all_values(struct xds_slice pattern)
{
    static const char *const list[] = {".*", "(.*)"};

    return is_one_of(pattern, list, XDS_ARRAY_LEN(list));
}
