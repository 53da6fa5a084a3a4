/* event_routes.h - the routes of an event as a virtual host of the model. */
#ifndef XDS_SCENARIO_EVENT_ROUTES_H
#define XDS_SCENARIO_EVENT_ROUTES_H

#include "model/route_config.h"
#include "scenario/subject.h"

/* "routes": [{prefix, cluster | weighted_clusters: [{name, weight}] | plugin}]; null is
 * no virtual host: NULL. The host belongs to the play. Look at play->failed after it. */
const struct xds_virtual_host *xds_event_routes(struct xds_play *play,
                                                const struct xds_tree *event);

#endif
