/* head.h - what a scenario says beside its steps. */
#ifndef XDS_SCENARIO_HEAD_H
#define XDS_SCENARIO_HEAD_H

#include "scenario/subject.h"

struct xds_head {
    struct xds_slice name; /* absent: it has none */
    const struct xds_subject *subject;
    const struct xds_tree *snapshot; /* NULL: none */
    enum xds_client client;
    struct xds_options options;
};

/* Read the members into *out, into play->config and play->target. `out` begins as the
 * user's wish: options, client where has_client. False after a fault. */
bool xds_head_read(struct xds_play *play, const struct xds_tree *members, bool has_client,
                   struct xds_head *out);

#endif
