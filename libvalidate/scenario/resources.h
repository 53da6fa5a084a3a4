/* resources.h - xDS resources of a scenario: from files, and from its own values. */
#ifndef XDS_SCENARIO_RESOURCES_H
#define XDS_SCENARIO_RESOURCES_H

#include "scenario/subject.h"

/* The key "snapshot": a path or several, relative to `folder` (absent: no file is read),
 * or an object of lists. Everything goes to play->check. False after a fault. */
bool xds_resources_read(struct xds_play *play, const struct xds_tree *snapshot,
                        struct xds_slice folder);
/* {listeners: [..], routes: [..], clusters: [..], endpoints: [..]}; other members are not
 * looked at. What the client rejects is a finding, not a fault. */
bool xds_resources_add(struct xds_play *play, const struct xds_tree *object);
/* The same for an update of a running client: what has the name of a resource takes its
 * place; what the client rejects leaves the old one in use, and its name is added to
 * "rejected" of the step. */
bool xds_resources_update(struct xds_play *play, const struct xds_tree *object);

#endif
