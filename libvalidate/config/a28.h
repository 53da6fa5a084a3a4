/* a28.h - the form of gRFC A28: routes and actions in one LB policy. */
#ifndef XDS_CONFIG_A28_H
#define XDS_CONFIG_A28_H

#include "config/maker.h"

/* What one route does, and what every route with the same targets shares. */
struct xds_action_target {
    struct xds_slice cluster;
    uint64_t weight; /* of all its entries */
};

struct xds_action {
    struct xds_slice name;             /* "cds:X", "weighted:A_B_1" */
    bool weighted;                     /* targets[0] alone else */
    struct xds_action_target *targets; /* by cluster name */
    size_t n_targets;
    struct xds_slice content, set; /* equal for equal targets with and without weights */
};

struct xds_actions {
    struct xds_arena *arena;
    struct xds_strmap by_content;
    struct xds_action **list; /* in order of first use */
    size_t n;
};

void xds_actions_init(struct xds_actions *actions, struct xds_arena *arena,
                      size_t n_routes);
/* The action of a route that forwards to clusters. Its name comes later. */
struct xds_action *xds_actions_add(struct xds_actions *actions,
                                   const struct xds_route *route);
/* Names for all; previous is the map of actions of the update before, or NULL: what is in
 * it keeps its name, and names of weighted actions that are gone go to new ones with the
 * same clusters. */
void xds_actions_name(struct xds_actions *actions, const struct xds_tree *previous);

/* Put the matchers of a route into its entry of the config; a note for what A28 has no
 * field for. False when the route cannot be said at all. */
bool xds_a28_match(struct xds_maker *maker, size_t index,
                   const struct xds_route_match *match, struct xds_tree *entry);

/* Is every path of the second match under the first, which asks for nothing else?
 */
bool xds_a28_covers(const struct xds_route_match *first,
                    const struct xds_route_match *second);

/* {"loadBalancingConfig": [{"xds_routing_experimental": ...}]} of a virtual host.
 * previous: the service config of the update before, or NULL. single_route: where one
 * route takes every RPC, its action's policy alone. *places: for each route of the config
 * its index in the virtual host, as some are left out. */
struct xds_tree xds_a28_config(struct xds_maker *maker,
                               const struct xds_virtual_host *host,
                               const struct xds_tree *previous, bool single_route,
                               const size_t **places);

#endif
