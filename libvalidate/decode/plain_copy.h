/*
 * plain_copy.h - copy text and see, in the same step, that it is plain.
 *
 * Inline, as texts are short: most are one step.
 */
#ifndef XDS_DECODE_PLAIN_COPY_H
#define XDS_DECODE_PLAIN_COPY_H

#include "base/slice.h"

#ifdef __SSE2__
#include <emmintrin.h>

#define XDS_COPY_STEP ((size_t)16)

/* Copy a step; one bit for each byte that is ASCII and not NUL. */
static inline unsigned xds_copy_step(char *to, const char *from)
{
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)from);

    _mm_storeu_si128((__m128i *)(void *)to, bytes);
    return (unsigned)_mm_movemask_epi8(_mm_cmpgt_epi8(bytes, _mm_setzero_si128()));
}

/* Copy text, which is the begin of `readable` bytes, to where there is room for whole
 * steps. True when all of it is ASCII without NUL; false says nothing. */
static inline bool xds_copy_plain(char *to, struct xds_slice text, size_t readable)
{
    size_t i = 0;

    for (; text.len - i >= XDS_COPY_STEP; i += XDS_COPY_STEP)
        if (xds_copy_step(to + i, text.data + i) != 0xFFFF)
            break;
    const size_t rest = text.len - i;
    const unsigned wanted = rest < XDS_COPY_STEP ? (1u << rest) - 1 : 0xFFFF;

    if (readable - i >= XDS_COPY_STEP && rest < XDS_COPY_STEP)
        return (xds_copy_step(to + i, text.data + i) & wanted) == wanted;
    if (rest)
        memcpy(to + i, text.data + i, rest);
    return rest == 0;
}

#else

static inline bool xds_copy_plain(char *to, struct xds_slice text, size_t readable)
{
    (void)readable;
    if (text.len)
        memcpy(to, text.data, text.len);
    return false;
}

#endif
#endif
