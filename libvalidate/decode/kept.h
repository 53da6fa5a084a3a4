/*
 * kept.h - what was read, but has no place in a message.
 *
 * Judging needs none of it. Whoever writes the message again does.
 */
#ifndef XDS_DECODE_KEPT_H
#define XDS_DECODE_KEPT_H

#include "base/strmap.h"
#include "source/token.h"

struct xds_kept {
    struct xds_arena *arena;
    struct xds_strmap content; /* by message: where its members begin, not its "@type" */
    size_t n_unknown;          /* fields that no message has */
};

void xds_kept_init(struct xds_kept *kept, struct xds_arena *arena);
/* Remember where the members of an object begin that has no fields for them: `message` is
 * an opaque message, or an Any of an unknown type. kept may be NULL. */
void xds_kept_add(struct xds_kept *kept, const void *message,
                  const struct xds_tokens *members);
/* The tokens of such an object, up to its end; NULL when none were kept, or there is no
 * member but "@type". */
const struct xds_tokens *xds_kept_find(const struct xds_kept *kept, const void *message);
/* How many objects have such tokens. */
size_t xds_kept_count(const struct xds_kept *kept);

#endif
