/* route_facts.h - what is kept of resources for checks across them. */
#ifndef XDS_LINT_ROUTE_FACTS_H
#define XDS_LINT_ROUTE_FACTS_H

#include "lint/graph.h"

/* A route on its way to one cluster; entry is NULL unless the route is weighted. */
struct xds_route_scope {
    const struct xds_virtual_host *host;
    const struct xds_route *route;
    const struct xds_weighted_cluster *entry;
};

/* Add what the route says to the reference that it makes at this site. Is it hashed? */
bool xds_route_facts_add(struct xds_arena *arena, struct xds_ref *ref,
                         struct xds_site site, const struct xds_route_scope *scope);
/* Keep the domains of all virtual hosts, unless one of them takes every authority. */
void xds_domains_keep(struct xds_arena *arena, const struct xds_route_config *config,
                      struct xds_routes_facts *routes);
/* Keep the clients whose policy picks by a hash that routes make, or may do so. */
void xds_policies_keep(struct xds_cluster_facts *facts,
                       const struct xds_cluster *cluster);
/* Session affinity as core has it, which is the only one to have it. */
enum xds_sessions xds_sessions_of(const struct xds_listener *listener);

#endif
