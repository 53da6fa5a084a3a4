/*
 * re2_writer.c - runes and sets of runes to PCRE2 text over bytes.
 *
 * Source: RE2 compile.cc (AddRuneRangeUTF8, Add_80_10ffff).
 */
#include "regex/re2.h"

#include <stdio.h>

#include "base/ascii.h"

static void put(struct xds_re2_writer *out, const char *text, size_t len)
{
    if (len > out->cap - out->len) {
        const size_t cap = (out->cap + len) * 2;
        char *bigger = xds_arena_alloc(out->arena, cap);

        if (out->len)
            memcpy(bigger, out->text, out->len);
        out->text = bigger;
        out->cap = cap;
    }
    if (len)
        memcpy(out->text + out->len, text, len);
    out->len += len;
}

void xds_re2_write(struct xds_re2_writer *out, const char *text)
{
    if (out)
        put(out, text, strlen(text));
}

void xds_re2_write_number(struct xds_re2_writer *out, int n)
{
    char text[16];

    snprintf(text, sizeof text, "%d", n);
    xds_re2_write(out, text);
}

/* Outside of a class these have no meaning of their own. */
static bool is_plain(uint8_t byte)
{
    return xds_ascii_alpha((char)byte) || xds_ascii_digit((char)byte) || byte == '/' ||
           byte == '_' || byte == '-' || byte == ' ';
}

static void put_hex(struct xds_re2_writer *out, uint8_t byte)
{
    static const char digits[] = "0123456789abcdef";
    const char text[] = {'\\', 'x', digits[byte >> 4], digits[byte & 15]};

    put(out, text, sizeof text);
}

void xds_re2_write_rune(struct xds_re2_writer *out, uint32_t rune)
{
    uint8_t bytes[4];
    const unsigned n = xds_utf8_put(bytes, rune);

    for (unsigned i = 0; out && i < n; i++) {
        const uint8_t byte = bytes[i];
        const char c = (char)byte;

        if (is_plain(byte))
            put(out, &c, 1);
        else
            put_hex(out, byte);
    }
}

struct xds_re2_mark xds_re2_mark(const struct xds_re2_writer *out)
{
    if (!out)
        return (struct xds_re2_mark){.len = 0};
    return (struct xds_re2_mark){out->len, out->end ? out->end->len : 0, out->large_sets};
}

void xds_re2_rewind(struct xds_re2_writer *out, struct xds_re2_mark mark)
{
    if (!out)
        return;
    out->len = mark.len;
    out->large_sets = mark.large_sets;
    if (out->end)
        out->end->len = mark.end_len;
}

void xds_re2_wrap(struct xds_re2_writer *out, size_t start, const char *open)
{
    const size_t width = strlen(open);

    if (!out)
        return;
    const size_t len = out->len - start;
    out->moved += len;
    if (out->moved > XDS_RE2_MOST_MOVED)
        return;
    put(out, open, width);
    memmove(out->text + start + width, out->text + start, len);
    memcpy(out->text + start, open, width);
    put(out, ")", 1);
}

#define ASCII 0x80u
#define CONTINUED "[\\x80-\\xbf]"

static bool has_all(const struct xds_rune_set *set, uint32_t lo, uint32_t hi)
{
    for (size_t i = 0; i < set->n; i++)
        if (set->range[i].lo <= lo && hi <= set->range[i].hi)
            return true;
    return false;
}

static void put_range(struct xds_re2_writer *out, uint32_t lo, uint32_t hi)
{
    put_hex(out, (uint8_t)lo);
    if (hi > lo + 1)
        put(out, "-", 1);
    if (hi > lo)
        put_hex(out, (uint8_t)hi);
}

/* The part of a set below limit, inside of [...]. */
static void put_members(struct xds_re2_writer *out, const struct xds_rune_set *set)
{
    for (size_t i = 0; i < set->n && set->range[i].lo < ASCII; i++) {
        const uint32_t hi = set->range[i].hi;

        put_range(out, set->range[i].lo, hi < ASCII ? hi : ASCII - 1);
    }
}

static void put_ascii_set(struct xds_re2_writer *out, const struct xds_rune_set *set)
{
    /* A subject without other bytes lets "[^/]" stay "[^/]", which PCRE2 likes best. */
    const bool negate =
        out->subjects == XDS_RE2_ASCII_SUBJECTS && xds_runes_has(set, ASCII - 1);

    if (set->n == 0 || set->range[0].lo >= ASCII) {
        xds_re2_write(out, "[^\\x00-\\xff]"); /* never */
    } else if (!negate) {
        put(out, "[", 1);
        put_members(out, set);
        put(out, "]", 1);
    } else if (has_all(set, 0, ASCII - 1)) {
        xds_re2_write(out, "."); /* PCRE2_DOTALL is set */
    } else if (has_all(set, 0, '\n' - 1) && has_all(set, '\n' + 1, ASCII - 1)) {
        xds_re2_write(out, "\\N");
    } else {
        uint32_t next = 0;

        put(out, "[^", 2);
        for (size_t i = 0; i < set->n && next < ASCII; i++) {
            const uint32_t lo = set->range[i].lo < ASCII ? set->range[i].lo : ASCII;

            if (lo > next)
                put_range(out, next, lo - 1);
            next = set->range[i].hi + 1;
        }
        put(out, "]", 1);
    }
}

/* Spans with equal bytes up to the last share one alternative. */
static void put_span(struct xds_re2_writer *out, const struct xds_utf8_span *span,
                     const struct xds_utf8_span *before)
{
    const unsigned last = span->n - 1;

    if (before->n && before->n == span->n &&
        memcmp(before->lo, span->lo, before->n - 1) == 0 &&
        memcmp(before->hi, span->hi, before->n - 1) == 0) {
        out->len--; /* reopen the class */
    } else {
        xds_re2_write(out, before->n ? "|" : "");
        for (unsigned i = 0; i < last; i++) {
            put(out, "[", 1);
            put_range(out, span->lo[i], span->hi[i]);
            put(out, "]", 1);
        }
        put(out, "[", 1);
    }
    put_range(out, span->lo[last], span->hi[last]);
    put(out, "]", 1);
}

static void put_spans(struct xds_re2_writer *out, const struct xds_rune_set *set)
{
    struct xds_utf8_span span, before = {.n = 0};

    for (size_t i = 0; i < set->n; i++) {
        struct xds_rune_range range = set->range[i];

        if (range.lo < ASCII)
            range.lo = ASCII;
        for (; xds_utf8_span_next(&range, &span); before = span)
            put_span(out, &span, &before);
    }
}

static void put_branches(struct xds_re2_writer *out, const struct xds_rune_set *set)
{
    if (set->range[0].lo < ASCII) {
        put(out, "[", 1);
        put_members(out, set);
        put(out, "]|", 2);
    }
    /* Where RE2 takes all runes above ASCII it also takes overlong forms and the like. */
    if (has_all(set, ASCII, XDS_RUNE_MAX))
        xds_re2_write(out, "[\\xc2-\\xdf]" CONTINUED "|[\\xe0-\\xef]" CONTINUED CONTINUED
                           "|[\\xf0-\\xf4]" CONTINUED CONTINUED CONTINUED);
    else
        put_spans(out, set);
}

/* Sets of more ranges are written once, at the end: PCRE2 copies what is repeated, and
 * has room for 64 KiB of code. */
#define LARGE_SET 40

void xds_re2_write_end(struct xds_re2_writer *out)
{
    if (!out || !out->end || out->end->len == 0)
        return;
    xds_re2_write(out, "(?(DEFINE)");
    put(out, out->end->text, out->end->len);
    put(out, ")", 1);
}

void xds_re2_write_set(struct xds_re2_writer *out, const struct xds_rune_set *set)
{
    if (!out)
        return;
    if (out->subjects == XDS_RE2_ASCII_SUBJECTS || set->n == 0 ||
        set->range[set->n - 1].hi < ASCII) {
        put_ascii_set(out, set);
    } else if (set->n > LARGE_SET) {
        /* A reference to a group that xds_re2_write_end() puts after the pattern. */
        struct xds_re2_writer *end = out->end;

        if (!end) {
            end = out->end = XDS_NEW(out->arena, struct xds_re2_writer);
            end->arena = out->arena;
        }
        out->large_sets++;
        xds_re2_write(out, "(?&s");
        xds_re2_write_number(out, out->large_sets);
        put(out, ")", 1);
        xds_re2_write(end, "(?<s");
        xds_re2_write_number(end, out->large_sets);
        put(end, ">", 1);
        put_branches(end, set);
        put(end, ")", 1);
    } else {
        xds_re2_write(out, "(?:");
        put_branches(out, set);
        put(out, ")", 1);
    }
}
