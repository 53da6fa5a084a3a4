/* decision_picture.h - what the parts of a decision's picture share. */
#ifndef XDS_PRINT_DECISION_PICTURE_H
#define XDS_PRINT_DECISION_PICTURE_H

#include "print/decision.h"
#include "print/picture.h"

/* A virtual host with more routes is drawn with the nearest ones only; of the rest their
 * number is reported. */
enum { MOST_ROUTES = 12, MOST_CLUSTERS = 24, MOST_LOCALITIES = 12 };

struct xds_sketch {
    struct xds_picture *picture;
    const struct xds_decision *d;
    size_t clusters, hosts; /* that are drawn */
    size_t tries_end;       /* what is after is not drawn */
};

static inline struct xds_dot_node xds_dot_at(const char *kind, size_t number)
{
    return (struct xds_dot_node){kind, number};
}

/* "... n more" after a node; nothing when n is 0. */
void xds_sketch_more(struct xds_sketch *p, struct xds_dot_node of, const char *kind,
                     size_t n);
/* p->clusters when the cluster is not among those that are drawn. */
size_t xds_sketch_find_cluster(const struct xds_sketch *p, struct xds_slice name);
/* Priorities, localities and endpoints. */
void xds_sketch_hosts(struct xds_sketch *p);

/* Add the decision to an empty picture. Of more hosts than these their number is
 * reported. */
void xds_decision_draw(struct xds_picture *picture, const struct xds_decision *decision,
                       size_t most_hosts);

#endif
