/* hint.h - the known word that was probably meant. */
#ifndef XDS_CLI_HINT_H
#define XDS_CLI_HINT_H

#include <stddef.h>

struct hint {
    const char *word;
    size_t len;
    size_t distance;  /* of best */
    const char *best; /* NULL: nothing is near */
};

struct hint hint_for(const char *word, size_t len);
/* best becomes candidate if it is nearer: it begins with the word, or few edits part
 * them. */
void hint_offer(struct hint *hint, const char *candidate);

#endif
