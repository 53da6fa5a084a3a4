/* re2_runes.h - sets of code points ("runes"), as RE2 builds them from a class. */
#ifndef XDS_REGEX_RE2_RUNES_H
#define XDS_REGEX_RE2_RUNES_H

#include "base/arena.h"
#include "regex/re2_unicode.h"

struct xds_rune_range {
    uint32_t lo, hi;
};

struct xds_rune_set {
    struct xds_arena *arena;
    struct xds_rune_range *range;
    size_t n, cap;
    size_t work; /* ranges ever added: what the set has cost */
};

/* Add lo to hi; with fold also all that they fold to. */
void xds_runes_add(struct xds_rune_set *set, uint32_t lo, uint32_t hi, bool fold);
/* Add a rune and what it folds to, up to the first that a normalized set has already. */
void xds_runes_add_orbit(struct xds_rune_set *set, uint32_t rune);
/* Add the runes of a Unicode category ("L", "Lu"), script, "Any" or what Go knows
 * besides; false when the name is unknown. */
bool xds_runes_add_named(struct xds_rune_set *set, struct xds_slice name, bool fold);
/* The same for a name that only Go has, such as "Cased_Letter". */
bool xds_runes_add_alias(struct xds_rune_set *set, struct xds_slice name, bool fold);
/* The name that Go takes this one for, be the case of letters, blanks, "_" and "-" what
 * they may; data NULL when there is none. */
struct xds_slice xds_runes_find_spelled(struct xds_slice name);
bool xds_runes_known(struct xds_slice name);
/* Of those that are known: Go looks names up without "_" and in one case, and so does not
 * find its own "Old_Italic". */
bool xds_runes_known_to_go(struct xds_slice name);
bool xds_runes_known_to_java(struct xds_slice name);
/* Sort and merge. What follows asks for this. */
void xds_runes_normalize(struct xds_rune_set *set);
void xds_runes_negate(struct xds_rune_set *set);
/* "[Aa]": one ASCII letter, and nothing else. */
bool xds_runes_are_both_cases(const struct xds_rune_set *set);
/* A bit for each letter that it has, from `a` on, which is "a" or "A". */
uint32_t xds_runes_letters(const struct xds_rune_set *set, uint32_t a);
/* Make it hold what `from` holds. */
void xds_runes_copy(struct xds_rune_set *to, const struct xds_rune_set *from);
bool xds_runes_has(const struct xds_rune_set *set, uint32_t rune);
/* The next rune of its orbit: those that differ only in case. Itself when it is alone. */
uint32_t xds_rune_next_fold(uint32_t rune);

/* One way to spell a range in UTF-8: a range for each of n bytes. */
struct xds_utf8_span {
    uint8_t lo[4], hi[4];
    unsigned n;
};
/* Cut the next span off the front of range; false when it is used up. */
bool xds_utf8_span_next(struct xds_rune_range *range, struct xds_utf8_span *span);
/* Its number of bytes in UTF-8, 1 to 4. */
unsigned xds_utf8_length(uint32_t rune);
/* Append the bytes of a rune, surrogates included; their number, 1 to 4. */
unsigned xds_utf8_encode(uint32_t rune, uint8_t out[4]);
/* Read one rune off the front of s; false when it is malformed, or s empty. RE2 takes
 * surrogates. */
bool xds_utf8_next(struct xds_slice *s, uint32_t *rune);

#endif
