/*
 * scan.c - where a JSON value ends, and how many lines and code points a text has.
 *
 * Source: RFC 8259; the bit tricks are those of Langdale and Lemire, "Parsing Gigabytes
 *         of JSON per Second" (2019).
 */
#include "source/json/scan.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define STEP 64 /* bytes per step: one bit each in a word */

/* One bit per byte of a step. */
struct marks {
    uint64_t quote, backslash, bracket;
};

#ifdef __SSE2__

static uint64_t bits(__m128i equal)
{
    return (uint64_t)(unsigned)_mm_movemask_epi8(equal);
}

static __m128i load(const char *data)
{
    return _mm_loadu_si128((const __m128i *)(const void *)data);
}

/* Where the four vectors of a step have bits. */
static uint64_t step_bits(const __m128i equal[4])
{
    return bits(equal[0]) | bits(equal[1]) << 16 | bits(equal[2]) << 32 |
           bits(equal[3]) << 48;
}

/* '[' and '{', ']' and '}' differ by the bit 0x20 only. Backslashes are rare, so that a
 * look at all four vectors at once mostly does. */
static struct marks find_marks(const char *data)
{
    __m128i quote[4], backslash[4], bracket[4], any = _mm_setzero_si128();

    for (size_t i = 0; i < 4; i++) {
        const __m128i bytes = load(data + 16 * i);
        const __m128i folded = _mm_or_si128(bytes, _mm_set1_epi8(0x20));

        bracket[i] = _mm_or_si128(_mm_cmpeq_epi8(folded, _mm_set1_epi8('{')),
                                  _mm_cmpeq_epi8(folded, _mm_set1_epi8('}')));
        quote[i] = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
        backslash[i] = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
        any = _mm_or_si128(any, backslash[i]);
    }
    return (struct marks){step_bits(quote), bits(any) ? step_bits(backslash) : 0,
                          step_bits(bracket)};
}

#else

static struct marks find_marks(const char *data)
{
    struct marks found = {0, 0, 0};

    for (int i = 0; i < STEP; i++) {
        const uint64_t bit = (uint64_t)1 << i;
        const char folded = (char)(data[i] | 0x20);

        found.quote |= data[i] == '"' ? bit : 0;
        found.backslash |= data[i] == '\\' ? bit : 0;
        found.bracket |= folded == '{' || folded == '}' ? bit : 0;
    }
    return found;
}

#endif

/* Bytes after an odd run of backslashes; the run may reach over from the last step. */
static uint64_t find_escaped(struct xds_scan *scan, uint64_t backslash)
{
    const uint64_t even = UINT64_C(0x5555555555555555);
    const uint64_t before = scan->escaped;

    if (!backslash) {
        scan->escaped = 0;
        return before;
    }
    backslash &= ~before;
    const uint64_t follows = backslash << 1 | before;
    const uint64_t odd_starts = backslash & ~even & ~follows;
    const uint64_t even_ends = odd_starts + backslash;

    scan->escaped = even_ends < backslash;
    return (even ^ (even_ends << 1)) & follows;
}

/* Every bit becomes the parity of the bits up to it: inside or outside of quotes. */
static uint64_t inside_quotes(uint64_t quotes)
{
    for (int shift = 1; shift < STEP; shift *= 2)
        quotes ^= quotes << shift;
    return quotes;
}

static uint64_t brackets_outside_strings(struct xds_scan *scan, const char *data)
{
    const struct marks found = find_marks(data);
    const uint64_t quotes = found.quote & ~find_escaped(scan, found.backslash);
    const uint64_t inside = inside_quotes(quotes) ^ scan->in_string;

    scan->in_string = 0 - (inside >> (STEP - 1));
    return found.bracket & ~inside;
}

/* What tells the four brackets apart in ASCII. */
enum { OPENS = 0x02, OBJECT = 0x20 };

_Static_assert(('{' & OPENS) && ('[' & OPENS) && !('}' & OPENS) && !(']' & OPENS),
               "the bit of opening brackets");
_Static_assert(('{' & OBJECT) && ('}' & OBJECT) && !('[' & OBJECT) && !(']' & OBJECT),
               "the bit of braces");

static inline enum xds_scan_result follow_bracket(struct xds_scan *scan, char bracket)
{
    const unsigned char kind = bracket & OBJECT;
    const unsigned level = scan->depth;

    if (bracket & OPENS) {
        if (level == XDS_SCAN_LEVELS)
            return XDS_SCAN_DEEP;
        scan->kinds[level] = kind;
        scan->depth = level + 1;
        return XDS_SCAN_MORE;
    }
    if (level == 0 || scan->kinds[level - 1] != kind)
        return XDS_SCAN_MISMATCH;
    scan->depth = level - 1;
    return level > 1 ? XDS_SCAN_MORE : XDS_SCAN_DONE;
}

/* One step of 64 bytes; *at is the offset of the bracket that ended it. */
static enum xds_scan_result scan_block(struct xds_scan *scan, const char *data,
                                       size_t *at)
{
    uint64_t brackets = brackets_outside_strings(scan, data);

    for (; brackets; brackets &= brackets - 1) {
        const size_t i = (size_t)__builtin_ctzll(brackets);
        const enum xds_scan_result result = follow_bracket(scan, data[i]);

        if (result != XDS_SCAN_MORE) {
            *at = i;
            return result;
        }
    }
    *at = STEP;
    return XDS_SCAN_MORE;
}

static enum xds_scan_result scan_tail(struct xds_scan *scan, struct xds_slice tail,
                                      size_t *at)
{
    char padded[STEP];

    memset(padded, ' ', sizeof padded);
    if (tail.len)
        memcpy(padded, tail.data, tail.len);
    const enum xds_scan_result result = scan_block(scan, padded, at);
    if (result == XDS_SCAN_MORE)
        *at = tail.len;
    return result;
}

enum xds_scan_result xds_scan_step(struct xds_scan *scan, struct xds_slice data,
                                   bool last, size_t *used)
{
    enum xds_scan_result result = XDS_SCAN_MORE;
    size_t done = 0, at = 0;

    while (result == XDS_SCAN_MORE && data.len - done >= STEP) {
        result = scan_block(scan, data.data + done, &at);
        done += at;
    }
    if (result == XDS_SCAN_MORE && last) {
        result = scan_tail(scan, xds_slice_from(data, done), &at);
        done += at;
    }
    *used = result == XDS_SCAN_DONE ? done + 1 : done;
    return result;
}

/* ---- lines and columns ---- */

/* So many bytes are counted at once: a counter of one byte can take 255 rounds of 16. */
#define BLOCK ((size_t)255 * 16)

static const signed char last_continuation = -65; /* 0xBF */

/* The same as xds_scan_lines(), but of all code points. */
static struct xds_scan_lines count_bytes(struct xds_slice text)
{
    struct xds_scan_lines n = {0, 0};

    for (size_t i = 0; i < text.len; i++) {
        n.newlines += text.data[i] == '\n';
        n.code_points += (signed char)text.data[i] > last_continuation;
    }
    return n;
}

#ifdef __SSE2__

static size_t sum_bytes(__m128i counters)
{
    const __m128i sums = _mm_sad_epu8(counters, _mm_setzero_si128());

    return (size_t)_mm_cvtsi128_si32(sums) +
           (size_t)_mm_cvtsi128_si32(_mm_srli_si128(sums, 8));
}

/* A comparison leaves -1 where it holds, so subtracting it counts. */
static struct xds_scan_lines count_block(struct xds_slice block)
{
    if (block.len < 16)
        return count_bytes(block);

    __m128i newlines = _mm_setzero_si128(), starts = newlines;
    size_t i = 0;

    for (; block.len - i >= 16; i += 16) {
        const __m128i bytes = load(block.data + i);

        newlines = _mm_sub_epi8(newlines, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n')));
        starts =
            _mm_sub_epi8(starts, _mm_cmpgt_epi8(bytes, _mm_set1_epi8(last_continuation)));
    }
    const struct xds_scan_lines tail = count_bytes(xds_slice_from(block, i));
    return (struct xds_scan_lines){sum_bytes(newlines) + tail.newlines,
                                   sum_bytes(starts) + tail.code_points};
}

#else

static struct xds_scan_lines count_block(struct xds_slice block)
{
    return count_bytes(block);
}

#endif

static struct xds_slice behind_last_newline(struct xds_slice text)
{
    size_t i = text.len;

    while (i > 0 && text.data[i - 1] != '\n')
        i--;
    return xds_slice_from(text, i);
}

struct xds_scan_lines xds_scan_lines(struct xds_slice data)
{
    struct xds_scan_lines all = {0, 0};
    struct xds_slice last = {NULL, 0}; /* the last block with a newline */

    while (data.len) {
        const struct xds_slice block =
            xds_slice_make(data.data, data.len < BLOCK ? data.len : BLOCK);
        const struct xds_scan_lines here = count_block(block);

        all.newlines += here.newlines;
        all.code_points = here.newlines ? 0 : all.code_points + here.code_points;
        if (here.newlines)
            last = block;
        data = xds_slice_from(data, block.len);
    }
    if (last.len > 0)
        all.code_points += count_block(behind_last_newline(last)).code_points;
    return all;
}
