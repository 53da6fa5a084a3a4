/*
 * re2_class.c - reading a pattern character by character, and what is written for a rune
 * or for a set of runes: "\x{10ffff}", "[a-z]", "[[:alpha:]]", "\d", "\pN".
 *
 * Source: RE2 parse.cc: ParseEscape(), ParseCharClass(), ParseUnicodeGroup(),
 * AddUGroup().
 */
#include "base/ascii.h"
#include "regex/re2.h"

/* ---- errors and reading ---- */

static const char *const errors[] = {
    [XDS_RE2_BAD_ESCAPE] = "invalid escape sequence",
    [XDS_RE2_BAD_RANGE] = "invalid character class range",
    [XDS_RE2_MISSING_BRACKET] = "missing ]",
    [XDS_RE2_MISSING_PAREN] = "missing )",
    [XDS_RE2_UNEXPECTED_PAREN] = "unexpected )",
    [XDS_RE2_TRAILING_BACKSLASH] = "trailing \\",
    [XDS_RE2_REPEAT_ARGUMENT] = "no argument for repetition operator",
    [XDS_RE2_REPEAT_SIZE] = "invalid repetition size",
    [XDS_RE2_REPEAT_OP] = "bad repetition operator",
    [XDS_RE2_BAD_PERL_OP] = "invalid perl operator",
    [XDS_RE2_BAD_UTF8] = "invalid UTF-8",
    [XDS_RE2_BAD_GROUP_NAME] = "invalid named capture group",
};

struct xds_slice xds_re2_since(const struct xds_re2_parser *p, const char *from)
{
    return xds_slice_make(from, (size_t)(p->rest.data - from));
}

bool xds_re2_fail(struct xds_re2_parser *p, enum xds_re2_error error,
                  struct xds_slice about)
{
    if (p->result->error.data) /* of "(?<name>", after which more is wrong */
        return false;

    const struct xds_slice what = xds_slice_of(errors[error]);
    const size_t len = about.len ? what.len + 2 + about.len : what.len;
    char *text = xds_arena_alloc(p->arena, len + 1);

    memcpy(text, what.data, what.len);
    if (about.len) {
        memcpy(text + what.len, ": ", 2);
        memcpy(text + what.len + 2, about.data, about.len);
    }
    text[len] = '\0';
    p->result->error = xds_slice_make(text, len);
    return false;
}

static bool fail(struct xds_re2_parser *p, enum xds_re2_error error)
{
    return xds_re2_fail(p, error, XDS_S(""));
}

char xds_re2_peek(const struct xds_re2_parser *p, size_t skip)
{
    return skip < p->rest.len ? p->rest.data[skip] : '\0';
}

void xds_re2_skip(struct xds_re2_parser *p, size_t n)
{
    p->rest = xds_slice_make(p->rest.data + n, p->rest.len - n);
}

bool xds_re2_next(struct xds_slice *pattern, uint32_t *rune)
{
    if (xds_utf8_next(pattern, rune))
        return true;
    if (!xds_slice_starts(*pattern, XDS_NUL))
        return false;
    *rune = 0;
    *pattern = xds_slice_from(*pattern, XDS_NUL.len);
    return true;
}

bool xds_re2_rune(struct xds_re2_parser *p, uint32_t *rune)
{
    return xds_re2_next(&p->rest, rune) || fail(p, XDS_RE2_BAD_UTF8);
}

bool xds_re2_is_exhausted(const struct xds_re2_parser *p)
{
    return p->spent + p->set.work > XDS_RE2_MOST_SPENT ||
           xds_re2_layout_is_spent(p->layout);
}

bool xds_re2_check_utf8(struct xds_re2_parser *p, struct xds_slice text)
{
    uint32_t rune;

    while (text.len)
        if (!xds_re2_next(&text, &rune))
            return fail(p, XDS_RE2_BAD_UTF8);
    return true;
}

/* ---- escaped characters ---- */

static const struct letter {
    char letter;
    char rune;
} letters[] = {{'a', '\a'}, {'f', '\f'}, {'n', '\n'},
               {'r', '\r'}, {'t', '\t'}, {'v', '\v'}};

/* Under 16 for a hex digit. */
static uint32_t hex_digit(uint32_t rune)
{
    if (rune >= '0' && rune <= '9')
        return rune - '0';
    if (rune >= 'a' && rune <= 'f')
        return rune - 'a' + 10;
    if (rune >= 'A' && rune <= 'F')
        return rune - 'A' + 10;
    return 16;
}

static bool bad_escape(struct xds_re2_parser *p, const char *begin)
{
    return xds_re2_fail(p, XDS_RE2_BAD_ESCAPE, xds_re2_since(p, begin));
}

static bool is_octal(char c)
{
    return c >= '0' && c <= '7';
}

/* After the first digit; up to two more follow. */
static uint32_t read_octal(struct xds_re2_parser *p, uint32_t value)
{
    for (int i = 0; i < 2 && is_octal(xds_re2_peek(p, 0)); i++) {
        value = value * 8 + (uint32_t)(xds_re2_peek(p, 0) - '0');
        xds_re2_skip(p, 1);
    }
    return value;
}

/* After "\x{". */
static bool read_braced_hex(struct xds_re2_parser *p, const char *begin, uint32_t *rune)
{
    uint32_t value = 0, c;

    if (!xds_re2_rune(p, &c))
        return false;
    if (hex_digit(c) > 15)
        return bad_escape(p, begin);
    while (hex_digit(c) < 16) {
        value = value * 16 + hex_digit(c);
        if (value > XDS_RUNE_MAX || p->rest.len == 0)
            return bad_escape(p, begin);
        if (!xds_re2_rune(p, &c))
            return false;
    }
    *rune = value;
    return c == '}' || bad_escape(p, begin);
}

static bool read_letter(uint32_t c, uint32_t *rune)
{
    for (const struct letter *l = letters; l < letters + XDS_ARRAY_LEN(letters); l++)
        if (c == (uint32_t)l->letter) {
            *rune = (uint32_t)l->rune;
            return true;
        }
    return false;
}

bool xds_re2_escape(struct xds_re2_parser *p, uint32_t *rune)
{
    const char *begin = p->rest.data;
    uint32_t c;

    if (p->rest.len == 1)
        return xds_re2_fail(p, XDS_RE2_TRAILING_BACKSLASH, XDS_S(""));
    xds_re2_skip(p, 1);
    if (!xds_re2_rune(p, &c))
        return false;
    *rune = c;
    if ((c < 0x80 && !xds_ascii_alpha((char)c) && !xds_ascii_digit((char)c)) ||
        read_letter(c, rune))
        return true;
    if (c == 'x') {
        /* After "\x". */
        uint32_t high, low;

        if (p->rest.len == 0)
            return bad_escape(p, begin);
        if (!xds_re2_rune(p, &high))
            return false;
        if (high == '{')
            return read_braced_hex(p, begin, rune);
        if (p->rest.len == 0)
            return bad_escape(p, begin);
        if (!xds_re2_rune(p, &low))
            return false;
        *rune = hex_digit(high) * 16 + hex_digit(low);
        return (hex_digit(high) < 16 && hex_digit(low) < 16) || bad_escape(p, begin);
    }
    /* One digit but 0 would be a back-reference. */
    if (c == '0' || (c < 0x80 && is_octal((char)c) && is_octal(xds_re2_peek(p, 0)))) {
        *rune = read_octal(p, c - '0');
        return true;
    }
    p->result->loose_java |= c >= 0x80;
    return bad_escape(p, begin) || c >= 0x80;
}

/* ---- named ASCII groups ---- */

static const struct group {
    const char *name; /* of [[:name:]] */
    char perl;        /* its "\d" form, or 0 */
    const char *ranges;
} groups[] = {
    {"alnum", 0, "09AZaz"},   {"alpha", 0, "AZaz"},
    {"ascii", 0, NULL}, /* holds NUL: see add_group() */
    {"blank", 0, "\t\t  "},   {"cntrl", 0, NULL},
    {"digit", 'd', "09"},     {"graph", 0, "!~"},
    {"lower", 0, "az"},       {"print", 0, " ~"},
    {"punct", 0, "!/:@[`{~"}, {"space", 0, "\t\r  "},
    {"upper", 0, "AZ"},       {"word", 'w', "09AZaz__"},
    {"xdigit", 0, "09AFaf"},  {"", 's', "\t\n\f\r  "}, /* unlike "space" without VT */
};

static void add_group(struct xds_rune_set *set, const struct group *g, bool fold)
{
    if (!g->ranges) {
        const bool all = g->name[0] == 'a';

        xds_runes_add(set, 0, all ? 0x7f : 0x1f, fold);
        xds_runes_add(set, 0x7f, 0x7f, fold);
        return;
    }
    for (const char *r = g->ranges; *r; r += 2)
        xds_runes_add(set, (uint32_t)r[0], (uint32_t)r[1], fold);
}

/* ---- complements ---- */

/* Add to p->set what a half-built set holds, or what it leaves out. */
static void add_signed(struct xds_re2_parser *p, struct xds_rune_set *part, bool negate)
{
    xds_runes_normalize(part);
    if (negate)
        xds_runes_negate(part);
    for (size_t i = 0; i < part->n; i++)
        xds_runes_add(&p->set, part->range[i].lo, part->range[i].hi, false);
    p->set.work += part->work;
}

static void add_signed_group(struct xds_re2_parser *p, const struct group *g, bool negate)
{
    const bool fold = p->flags & XDS_RE2_FOLD;
    struct xds_rune_range room[16];
    struct xds_rune_set part = {p->arena, room, 0, XDS_ARRAY_LEN(room), 0};

    if (negate) {
        add_group(&part, g, fold);
        add_signed(p, &part, true);
    } else {
        add_group(&p->set, g, fold);
    }
}

/* ---- \p{...} ---- */

/* After "\p": the name, without braces. */
static bool read_name(struct xds_re2_parser *p, const char *begin, struct xds_slice *name)
{
    const char *at = p->rest.data;
    uint32_t c = 0;

    /* RE2 overlooks bad UTF-8 here: it then finds no group of the empty name. */
    if (!xds_re2_next(&p->rest, &c) || c != '{') {
        *name = xds_slice_make(at, (size_t)(p->rest.data - at));
        return true;
    }
    const size_t end = xds_slice_find(p->rest, '}');
    *name = xds_slice_make(p->rest.data, end);
    if (end == p->rest.len) {
        const struct xds_slice all = {begin, (size_t)(p->rest.data - begin) + end};

        return xds_re2_check_utf8(p, all) && xds_re2_fail(p, XDS_RE2_BAD_RANGE, all);
    }
    xds_re2_skip(p, end + 1);
    return xds_re2_check_utf8(p, *name);
}

static void add_unicode(struct xds_re2_parser *p, struct xds_slice name, bool negate)
{
    struct xds_rune_set part = {.arena = p->arena};
    const bool fold = p->flags & XDS_RE2_FOLD;

    if (xds_re2_is_exhausted(p))
        return;
    if (!negate) {
        xds_runes_add_named(&p->set, name, fold);
        return;
    }
    xds_runes_add_named(&part, name, fold);
    add_signed(p, &part, true);
}

static bool read_unicode(struct xds_re2_parser *p)
{
    const char *begin = p->rest.data;
    bool negate = xds_re2_peek(p, 1) == 'P';
    struct xds_slice name;

    xds_re2_skip(p, 2);
    if (!read_name(p, begin, &name))
        return false;
    if (xds_slice_starts(name, XDS_S("^"))) {
        negate = !negate;
        name = xds_slice_from(name, 1);
    }
    if (!xds_runes_known(name)) {
        const struct xds_slice said = xds_re2_since(p, begin);

        (void)xds_re2_fail(p, XDS_RE2_BAD_RANGE, said);
        if (xds_slice_is(name, "Unknown")) { /* no character that has a script */
            p->result->loose_java = true;
            add_unicode(p, XDS_S("Any"), !negate);
            return true;
        }
        name = xds_runes_find_spelled(name);
        if (!name.data)
            return false;
        p->result->loose_class = true;
    } else {
        p->result->strict_go |= !xds_runes_known_to_go(name);
        p->result->strict_java |= !xds_runes_known_to_java(name);
    }
    add_unicode(p, name, negate);
    return true;
}

/* ---- \d \s \w, [[:name:]] ---- */

static bool read_perl(struct xds_re2_parser *p)
{
    const char c = xds_re2_peek(p, 1);

    for (const struct group *g = groups; g < groups + XDS_ARRAY_LEN(groups); g++) {
        const bool negate = g->perl && c == g->perl - ('a' - 'A');

        if (!g->perl || (c != g->perl && !negate))
            continue;
        add_signed_group(p, g, negate);
        xds_re2_skip(p, 2);
        return true;
    }
    return false;
}

static const struct group *find_posix(struct xds_slice name)
{
    for (const struct group *g = groups; g < groups + XDS_ARRAY_LEN(groups); g++)
        if (*g->name && xds_slice_is(name, g->name))
            return g;
    return NULL;
}

/* "[:name:]"; without ":]" it is no name, but two ordinary members. */
static bool read_posix(struct xds_re2_parser *p, bool *is_set)
{
    const struct xds_slice inner = {p->rest.data + 2, p->rest.len - 2};
    const size_t end = xds_slice_search(inner, XDS_S(":]"));

    *is_set = end <= inner.len;
    if (!*is_set)
        return true;
    struct xds_slice name = xds_slice_make(inner.data, end);
    const bool negate = end && name.data[0] == '^';
    if (negate)
        name = xds_slice_from(name, 1);

    const struct group *g = find_posix(name);
    if (!g)
        return xds_re2_fail(p, XDS_RE2_BAD_RANGE, xds_slice_make(p->rest.data, end + 4));
    add_signed_group(p, g, negate);
    xds_re2_skip(p, end + 4);
    return true;
}

/* ---- [...] ---- */

static bool read_bound(struct xds_re2_parser *p, struct xds_slice whole, uint32_t *rune)
{
    if (p->rest.len == 0)
        return xds_re2_fail(p, XDS_RE2_MISSING_BRACKET, whole);
    if (p->rest.data[0] == '\\')
        return xds_re2_escape(p, rune);
    return xds_re2_rune(p, rune);
}

static bool read_range(struct xds_re2_parser *p, struct xds_slice whole)
{
    const char *begin = p->rest.data;
    uint32_t lo = 0, hi;

    if (!read_bound(p, whole, &lo))
        return false;
    hi = lo;
    /* In [a-] the "-" is a member. */
    if (p->rest.len >= 2 && xds_re2_peek(p, 0) == '-' && xds_re2_peek(p, 1) != ']') {
        xds_re2_skip(p, 1);
        if (!read_bound(p, whole, &hi))
            return false;
        if (hi < lo)
            return xds_re2_fail(p, XDS_RE2_BAD_RANGE, xds_re2_since(p, begin));
    }
    if (!xds_re2_is_exhausted(p))
        xds_runes_add(&p->set, lo, hi, p->flags & XDS_RE2_FOLD);
    return true;
}

bool xds_re2_set_escape(struct xds_re2_parser *p, bool *is_set)
{
    const char c = xds_re2_peek(p, 1);

    *is_set = true;
    if (c == 'p' || c == 'P')
        return read_unicode(p);
    *is_set = read_perl(p);
    return true;
}

/* One member: a group of some kind, a rune or a range. */
static bool read_member(struct xds_re2_parser *p, struct xds_slice whole)
{
    bool is_set = false;

    if (p->rest.len > 2 && xds_slice_starts(p->rest, XDS_S("[:"))) {
        if (!read_posix(p, &is_set))
            return false;
    } else if (p->rest.len > 2 && p->rest.data[0] == '\\') {
        if (!xds_re2_set_escape(p, &is_set))
            return false;
    } else if (p->rest.len == 2 && p->rest.data[0] == '\\') {
        is_set = read_perl(p); /* RE2 asks for more after "\p" only */
    }
    return is_set || read_range(p, whole);
}

bool xds_re2_bracket(struct xds_re2_parser *p)
{
    const struct xds_slice whole = p->rest;
    const bool negate = xds_re2_peek(p, 1) == '^';
    bool first = true;

    xds_re2_skip(p, negate ? 2 : 1);
    /* "]" is a member when it comes first. */
    for (; p->rest.len && (p->rest.data[0] != ']' || first); first = false)
        if (!read_member(p, whole))
            return false;
    if (p->rest.len == 0)
        return xds_re2_fail(p, XDS_RE2_MISSING_BRACKET, whole);
    xds_re2_skip(p, 1);
    xds_runes_normalize(&p->set);
    if (negate)
        xds_runes_negate(&p->set);
    return true;
}
