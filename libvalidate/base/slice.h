/* slice.h - text as pointer and length; comparing, searching, number parsing. */
#ifndef XDS_BASE_SLICE_H
#define XDS_BASE_SLICE_H

#include <string.h>

#include "include/xdscope.h"

#define XDS_ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

/* What is seldom called, and not worth room or registers where it is. */
#define XDS_COLD __attribute__((cold, noinline))

/* A slice of a string literal. */
#define XDS_S(literal) ((struct xds_slice){"" literal, sizeof(literal) - 1})
/* printf("%.*s", XDS_FMT(slice)) */
#define XDS_FMT(s) (int)(s).len, xds_slice_text(s)

/* The text of an absent slice is empty. */
static inline const char *xds_slice_text(struct xds_slice s)
{
    return s.data ? s.data : "";
}

static inline struct xds_slice xds_slice_of(const char *text)
{
    return (struct xds_slice){text, text ? strlen(text) : 0};
}

static inline struct xds_slice xds_slice_make(const char *data, size_t len)
{
    return (struct xds_slice){data, len};
}

static inline bool xds_slice_eq(struct xds_slice a, struct xds_slice b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

static inline bool xds_slice_is(struct xds_slice a, const char *text)
{
    return xds_slice_eq(a, xds_slice_of(text));
}

static inline bool xds_slice_starts(struct xds_slice s, struct xds_slice prefix)
{
    return s.len >= prefix.len &&
           (prefix.len == 0 || (s.data && memcmp(s.data, prefix.data, prefix.len) == 0));
}

static inline bool xds_slice_ends(struct xds_slice s, struct xds_slice suffix)
{
    return s.len >= suffix.len &&
           (suffix.len == 0 || (s.data && memcmp(s.data + s.len - suffix.len, suffix.data,
                                                 suffix.len) == 0));
}

/* The part from byte `from` on; empty when from is after the end. */
static inline struct xds_slice xds_slice_from(struct xds_slice s, size_t from)
{
    return from >= s.len ? (struct xds_slice){s.data ? s.data + s.len : NULL, 0}
                         : (struct xds_slice){s.data + from, s.len - from};
}

/* Takes the prefix off; false when s does not begin with it. */
bool xds_slice_take(struct xds_slice *s, const char *prefix);
/* Byte order, shorter first among equals. */
int xds_slice_cmp(struct xds_slice a, struct xds_slice b);
/* ASCII case folding only, as C-core folds. */
bool xds_slice_eq_fold(struct xds_slice a, struct xds_slice b);
/* Index of the first `c`, or s.len. */
size_t xds_slice_find(struct xds_slice s, char c);
/* Where needle begins in s, or s.len + 1 if nowhere; "" is found at 0. */
size_t xds_slice_search(struct xds_slice s, struct xds_slice needle);
/* Is it like the pattern, in which * is any bytes and ? any one? */
bool xds_slice_like(struct xds_slice s, struct xds_slice pattern);
/* Cut at the first `c`: *head is what is before it, the rest (after c) is returned;
 * without c, head is all of s and the rest has data NULL. */
struct xds_slice xds_slice_cut(struct xds_slice s, char c, struct xds_slice *head);
/* Without the ASCII blanks at both ends. */
struct xds_slice xds_slice_trim(struct xds_slice s);
/* At most so many bytes from the front, without cutting a UTF-8 character. */
struct xds_slice xds_slice_clip(struct xds_slice s, size_t most);
/* Base 10, an optional sign and digits, nothing else; false when it does not fit. */
bool xds_slice_to_i64(struct xds_slice s, int64_t *out);
/* Base 10 digits, nothing else; false when it does not fit. */
bool xds_slice_to_u64(struct xds_slice s, uint64_t *out);
/* True when s is a number as JSON writes it. */
bool xds_json_number(struct xds_slice s);
/* True when s is well-formed UTF-8 (no surrogates, no overlong forms, <= U+10FFFF). */
bool xds_utf8_valid(struct xds_slice s);
/* Bytes of the first character; 0 when it is not UTF-8, or there is none. */
size_t xds_utf8_first(struct xds_slice s);
/* Read one code point off the front; false when it is malformed, or s empty. Surrogates
 * are taken, as RE2 takes them. */
bool xds_utf8_next(struct xds_slice *s, uint32_t *rune);
/* Must text that is shown not hold it as it is? True of controls, and of characters that
 * do not show or that turn the direction of text. */
bool xds_rune_is_unsafe(uint32_t rune);
/* Its bytes in UTF-8, 1 to 4, surrogates included. */
unsigned xds_utf8_length(uint32_t code);
/* Write them; returns how many. */
unsigned xds_utf8_put(void *out, uint32_t code);
/* U+0000 of a text, which would end a C string: two bytes that are no UTF-8. */
#define XDS_NUL XDS_S("\xC0\x80")
/* Copy a text with each 0 as XDS_NUL, which takes up to twice the room. Returns the
 * length of the copy. */
size_t xds_text_keep_nul(struct xds_slice text, char *out);
/* The reverse: as it was read. */
size_t xds_text_restore_nul(struct xds_slice text, char *out);
/* Edit distance, capped at limit + 1; for "did you mean". */
size_t xds_slice_distance(struct xds_slice a, struct xds_slice b, size_t limit);

#endif
