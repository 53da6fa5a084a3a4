/*
 * plain_text.h - the loops that go over most bytes of JSON: text in quotes, and indents.
 *
 * Strings are short and mostly end within the first step, so their loop is inline.
 */
#ifndef XDS_SOURCE_PLAIN_TEXT_H
#define XDS_SOURCE_PLAIN_TEXT_H

#include "base/slice.h"

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

#endif
