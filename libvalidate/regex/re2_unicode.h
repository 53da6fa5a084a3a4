/* re2_unicode.h - the Unicode data after \p{...} and (?i). */
#ifndef XDS_REGEX_RE2_UNICODE_H
#define XDS_REGEX_RE2_UNICODE_H

#include <stddef.h>
#include <stdint.h>

#define XDS_RUNE_MAX 0x10ffffu

struct xds_unicode_group {
    const char *name; /* NULL ends the table */
    const char *ranges;
};

extern const struct xds_unicode_group xds_unicode_categories[];
extern const struct xds_unicode_group xds_unicode_scripts[];
/* Scripts newer than Unicode 6.0, which re2j has; NULL ends them. */
extern const char *const xds_unicode_not_in_re2j[];
#define XDS_SCRIPT_OF_GO "Kawi" /* one of these that RE2 does not have either */

/* Each rune of a range folds to the next of its orbit, which closes into a circle. */
struct xds_unicode_fold {
    uint32_t first, last;
    int32_t step; /* to the next; XDS_FOLD_PAIRS: first and second swap, and so on */
};
#define XDS_FOLD_PAIRS 0

extern const struct xds_unicode_fold xds_unicode_folds[];
extern const size_t xds_unicode_n_folds;

#endif
