/* ours.h - xdscope's regular expressions, as plain C for a C++ program. */
#ifndef XDS_TEST_RE2_OURS_H
#define XDS_TEST_RE2_OURS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ours; /* one pattern */

struct ours_verdict {
    int accepted; /* by C-core */
    int in_doubt; /* accepted, but RE2 may find the program too large */
    const char *error;
    size_t error_len;
    uint64_t least, most; /* RE2's instructions, see struct xds_re2_pattern */
};

enum { OURS_NO_MATCH, OURS_MATCH, OURS_UNDECIDED };

uint64_t ours_most_instructions(void); /* that RE2 takes, to our knowledge */

struct ours *ours_new(const char *pattern, size_t len, struct ours_verdict *verdict);
void ours_free(struct ours *ours);
int ours_full_match(const struct ours *ours, const char *subject, size_t len);
/* OURS_UNDECIDED, or OURS_MATCH with the new text, which lives until the next call. */
int ours_replace(struct ours *ours, const char *subject, size_t len, const char *with,
                 size_t with_len, const char **out, size_t *out_len);

#ifdef __cplusplus
}
#endif
#endif
