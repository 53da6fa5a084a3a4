/* decision_dot.h - what the parts of a decision's picture share. */
#ifndef XDS_PRINT_DECISION_DOT_H
#define XDS_PRINT_DECISION_DOT_H

#include "print/decision.h"
#include "print/dot.h"

/* A virtual host with more routes is drawn with the nearest ones only; of the rest their
 * number is told. */
enum { MOST_ROUTES = 12, MOST_CLUSTERS = 24, MOST_HOSTS = 48, MOST_LOCALITIES = 12 };

struct xds_dot_picture {
    struct xds_out *out;
    const struct xds_decision *d;
    size_t clusters, hosts; /* that are drawn */
    size_t tries_end;       /* what stands behind is not drawn */
};

static inline struct xds_dot_node xds_dot_at(const char *kind, size_t number)
{
    return (struct xds_dot_node){kind, number};
}

/* "... n more" behind a node; nothing when n is 0. */
void xds_dot_more(struct xds_dot_picture *p, struct xds_dot_node of, const char *kind,
                  size_t n);
/* p->clusters when the cluster is not among those that are drawn. */
size_t xds_dot_find_cluster(const struct xds_dot_picture *p, struct xds_slice name);
/* Priorities, localities and endpoints. */
void xds_dot_draw_hosts(struct xds_dot_picture *p);

#endif
