/*
 * token_take.h - what nearly all JSON text consists of, read without making tokens of it.
 *
 * Each function takes just what it is named for, and true says that the tokens are
 * after it. Whatever else comes next, and were it only a fault, is left to
 * xds_tokens_next(): false says that nothing has changed. Inline, for the builder.
 */
#ifndef XDS_SOURCE_TOKEN_TAKE_H
#define XDS_SOURCE_TOKEN_TAKE_H

#include "base/ascii.h"
#include "base/slice.h"
#include "source/token.h"

/* Strings are short and mostly end within the first step, so their loop is inline. */

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* A quote, a backslash, a control character, or part of what is not ASCII. */
static inline bool xds_is_special(char c)
{
    return c == '"' || c == '\\' || (signed char)c < 0x20;
}

#ifdef __SSE2__

#define XDS_PLAIN_STEP ((size_t)16)

/* One bit for each special byte of a step. As signed numbers, the bytes of UTF-8
 * sequences are less than any ASCII character. */
static inline uint64_t xds_special_bytes(const char *text)
{
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)text);
    const __m128i quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
    const __m128i backslash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
    const __m128i other = _mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20));

    return (uint64_t)(unsigned)_mm_movemask_epi8(
        _mm_or_si128(_mm_or_si128(quote, backslash), other));
}

static inline size_t xds_first_mark(uint64_t marks)
{
    return (size_t)__builtin_ctzll(marks);
}

/* Do the first bytes of two steps agree? */
static inline bool xds_same_step(const char *a, const char *b, size_t first)
{
    const __m128i equal =
        _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(const void *)a),
                       _mm_loadu_si128((const __m128i *)(const void *)b));
    const unsigned other = 0xFFFF ^ (unsigned)_mm_movemask_epi8(equal);

    return first >= XDS_PLAIN_STEP ? other == 0 : other << (32 - first) == 0;
}

/* Do `readable` bytes begin with `start`, which is followed by bytes up to a multiple of
 * 16, and not empty? */
static inline bool xds_starts_padded(const char *text, size_t readable,
                                     struct xds_slice start)
{
    size_t i = 0;

    if (readable < start.len + XDS_PLAIN_STEP)
        return readable >= start.len && memcmp(text, start.data, start.len) == 0;
    while (i < start.len && xds_same_step(text + i, start.data + i, start.len - i))
        i += XDS_PLAIN_STEP;
    return i >= start.len;
}

#else

#define XDS_PLAIN_STEP sizeof(uint64_t)
#define XDS_EVERY_BYTE(b) (UINT64_C(0x0101010101010101) * (unsigned char)(b))

/* The lowest special byte is the lowest one marked by its top bit. */
static inline uint64_t xds_special_bytes(const char *text)
{
    uint64_t word;

    memcpy(&word, text, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    const uint64_t quote = word ^ XDS_EVERY_BYTE('"');
    const uint64_t backslash = word ^ XDS_EVERY_BYTE('\\');

    return ((quote - XDS_EVERY_BYTE(1)) | (backslash - XDS_EVERY_BYTE(1)) |
            (word - XDS_EVERY_BYTE(0x20)) | word) &
           XDS_EVERY_BYTE(0x80);
}

static inline size_t xds_first_mark(uint64_t marks)
{
    return (size_t)__builtin_ctzll(marks) / 8;
}

static inline bool xds_starts_padded(const char *text, size_t readable,
                                     struct xds_slice start)
{
    return readable >= start.len && memcmp(text, start.data, start.len) == 0;
}

#endif

/* The first special byte from pos on, or len. */
static inline size_t xds_plain_end(const char *text, size_t pos, size_t len)
{
    for (; len - pos >= XDS_PLAIN_STEP; pos += XDS_PLAIN_STEP) {
        const uint64_t marks = xds_special_bytes(text + pos);

        if (marks)
            return pos + xds_first_mark(marks);
    }
    while (pos < len && !xds_is_special(text[pos]))
        pos++;
    return pos;
}

static inline bool xds_is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* The first byte from pos on that is no white space, or len. */
size_t xds_blanks_end(const char *text, size_t pos, size_t len);

static inline bool xds_tokens_is_at(const struct xds_tokens *t, size_t pos, char c)
{
    return pos < t->len && t->text[pos] == c;
}

/* The first byte from pos on that is no white space, or the end. */
static inline size_t xds_tokens_skip_blank(const struct xds_tokens *t, size_t pos)
{
    return pos < t->len && xds_is_blank(t->text[pos])
               ? xds_blanks_end(t->text, pos + 1, t->len)
               : pos;
}

/* ---- levels ---- */

/* An object or list begins: depth must be less than XDS_MAX_NESTING. */
static inline void xds_tokens_open(struct xds_tokens *t, bool object)
{
    t->depth++;
    t->behind[t->depth] = object ? XDS_DUE_MORE_MEMBERS : XDS_DUE_MORE_ITEMS;
    t->due = object ? XDS_DUE_FIRST_MEMBER : XDS_DUE_FIRST_ITEM;
}

/* A value is complete. */
static inline void xds_tokens_value_done(struct xds_tokens *t, size_t end)
{
    t->pos = end;
    t->due = (enum xds_token_due)t->behind[t->depth];
}

/* Where a value is expected: an opening bracket. */
static inline bool xds_tokens_take_bracket(struct xds_tokens *t, char bracket)
{
    const size_t pos = xds_tokens_skip_blank(t, t->pos);

    if (t->due != XDS_DUE_VALUE || !xds_tokens_is_at(t, pos, bracket) ||
        t->depth >= XDS_MAX_NESTING)
        return false;
    xds_tokens_open(t, bracket == '{');
    t->pos = pos + 1;
    return true;
}

static inline bool xds_tokens_take_object(struct xds_tokens *t)
{
    return xds_tokens_take_bracket(t, '{');
}

static inline bool xds_tokens_take_list(struct xds_tokens *t)
{
    return xds_tokens_take_bracket(t, '[');
}

/* Within an object: its closing brace. */
static inline bool xds_tokens_take_end(struct xds_tokens *t)
{
    const size_t pos = xds_tokens_skip_blank(t, t->pos);

    if ((t->due != XDS_DUE_MORE_MEMBERS && t->due != XDS_DUE_FIRST_MEMBER) ||
        !xds_tokens_is_at(t, pos, '}'))
        return false;
    t->depth--;
    xds_tokens_value_done(t, pos + 1);
    return true;
}

/* Within a list: the comma before its next item, if it needs one, and no more. */
static inline bool xds_tokens_take_item(struct xds_tokens *t)
{
    size_t pos = xds_tokens_skip_blank(t, t->pos);

    if (t->due == XDS_DUE_MORE_ITEMS && xds_tokens_is_at(t, pos, ','))
        pos = xds_tokens_skip_blank(t, pos + 1);
    else if (t->due != XDS_DUE_FIRST_ITEM)
        return false;
    if (xds_tokens_is_at(t, pos, ']'))
        return false;
    t->due = XDS_DUE_VALUE;
    t->pos = pos;
    return true;
}

/* The same of tokens that were recorded. */
bool xds_tokens_take_recorded_key(struct xds_tokens *tokens, struct xds_slice quoted);

/* Where the next key of an object begins, if one may follow, or else the end. */
static inline size_t xds_tokens_key_begin(const struct xds_tokens *t)
{
    const size_t pos = xds_tokens_skip_blank(t, t->pos);

    if (t->due == XDS_DUE_MORE_MEMBERS && xds_tokens_is_at(t, pos, ','))
        return xds_tokens_skip_blank(t, pos + 1);
    return t->due == XDS_DUE_FIRST_MEMBER ? pos : t->len;
}

/* Within an object: a key in its quotes, spelled just so, and the colon after it; then
 * it need not be read to be known. quoted is followed by bytes up to a multiple of 16. */
static inline bool xds_tokens_take_key(struct xds_tokens *t, struct xds_slice quoted)
{
    if (t->format != XDS_FORMAT_JSON)
        return xds_tokens_take_recorded_key(t, quoted);
    const size_t pos = xds_tokens_key_begin(t);

    if (!xds_starts_padded(t->text + pos, t->len - pos, quoted))
        return false;
    const size_t colon = xds_tokens_skip_blank(t, pos + quoted.len);
    if (!xds_tokens_is_at(t, colon, ':'))
        return false;
    t->pos = colon + 1;
    t->due = XDS_DUE_VALUE;
    return true;
}

/* ---- values ---- */

/* Where a value is expected: a string of plain ASCII, its text borrowed. */
static inline bool xds_tokens_take_text(struct xds_tokens *t, struct xds_slice *text)
{
    const size_t pos = xds_tokens_skip_blank(t, t->pos);

    if (t->due != XDS_DUE_VALUE || !xds_tokens_is_at(t, pos, '"'))
        return false;
    const size_t end = xds_plain_end(t->text, pos + 1, t->len);
    if (!xds_tokens_is_at(t, end, '"'))
        return false;
    *text = xds_slice_make(t->text + pos + 1, end - pos - 1);
    xds_tokens_value_done(t, end + 1);
    return true;
}

/* Where a value is expected: a whole number of at most nine digits. */
static inline bool xds_tokens_take_whole(struct xds_tokens *t, uint32_t *value)
{
    const size_t begin = xds_tokens_skip_blank(t, t->pos);
    size_t pos = begin;
    uint32_t sum = 0;

    if (t->due != XDS_DUE_VALUE)
        return false;
    for (; pos < t->len && pos - begin < 9 && xds_ascii_digit(t->text[pos]); pos++)
        sum = sum * 10 + (uint32_t)(t->text[pos] - '0');
    const bool ends = xds_tokens_is_at(t, pos, ',') || xds_tokens_is_at(t, pos, '}');
    if (pos == begin || !ends || (t->text[begin] == '0' && pos - begin > 1))
        return false;
    *value = sum;
    xds_tokens_value_done(t, pos);
    return true;
}

#endif
