/* observe_elsewhere.h - where else in a snapshot an address is. */
#ifndef XDS_EXPLAIN_OBSERVE_ELSEWHERE_H
#define XDS_EXPLAIN_OBSERVE_ELSEWHERE_H

#include "explain/decision.h"
#include "lb/lb.h"

struct xds_sentences {
    struct xds_arena *arena;
    struct xds_slice *list;
    size_t n, cap; /* over the cap, and repeated ones, are dropped */
};

void xds_sentences_init(struct xds_sentences *out, struct xds_arena *arena, size_t cap);
void xds_sentences_add(struct xds_sentences *out, const char *format, ...)
    XDS_PRINTF(2, 3);

/* The places of the address in clusters that are not in `followed` (a leaf's name), and
 * for each cluster the routes that lead there and why they do not take the RPC. Says so
 * when the address is nowhere, unless it is known already. budget: endpoints that may
 * still be looked at. */
void xds_elsewhere(const struct xds_lb *lb, const struct xds_decision *d,
                   const struct xds_strmap *followed, struct xds_slice address,
                   bool known, size_t *budget, struct xds_sentences *out);

#endif
