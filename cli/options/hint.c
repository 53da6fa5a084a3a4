/* hint.c - the known word that was probably meant. */
#include "cli/options/common.h"

#include <stdint.h>
#include <string.h>

#define LONGEST 63 /* a word longer than every option and command gets no hint */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Three rows of the usual table: swaps look two rows back. */
static size_t edits(const char *a, size_t na, const char *b, size_t nb)
{
    size_t rows[3][LONGEST + 1];

    for (size_t j = 0; j <= nb; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= na; i++) {
        size_t *now = rows[i % 3];
        const size_t *before = rows[(i + 2) % 3], *twice = rows[(i + 1) % 3];

        now[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            now[j] = least(before[j - 1] + (a[i - 1] != b[j - 1]),
                           least(before[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], twice[j - 2] + 1);
        }
    }
    return rows[na % 3][nb];
}

struct hint hint_for(const char *word, size_t len)
{
    /* A third of the word may be wrong; of a short one, one letter. */
    const size_t most = len < 6 ? 1 : len / 3;

    return (struct hint){word, len, most + 1, NULL};
}

void hint_offer(struct hint *hint, const char *candidate)
{
    const size_t len = strlen(candidate);
    size_t distance;

    if (hint->len == 0 || hint->len > LONGEST || len > LONGEST)
        return;
    if (len >= hint->len && memcmp(candidate, hint->word, hint->len) == 0)
        distance = 0;
    else
        distance = edits(hint->word, hint->len, candidate, len);
    if (distance < hint->distance) {
        hint->distance = distance;
        hint->best = candidate;
    }
}
