/* target.h - the listener and the authority that a target URI stands for. */
#ifndef XDS_EXPLAIN_TARGET_H
#define XDS_EXPLAIN_TARGET_H

#include "route/rpc.h"

struct xds_target {
    struct xds_slice listener;  /* resource name */
    struct xds_slice authority; /* of the data plane, as this client compares it */
    struct xds_slice foreign;   /* the scheme, if another resolver than xDS has it */
};

/* "xds:///NAME", "xds://AUTHORITY/NAME", "xds:NAME" or a bare name; all but the last may
 * have a query and a fragment, which name nothing. */
struct xds_target xds_target_parse(const struct xds_rpc *rpc, struct xds_slice uri);
/* How this client spells an authority: core percent-encodes what cannot be there. */
struct xds_slice xds_authority_of(const struct xds_rpc *rpc, struct xds_slice text);

#endif
