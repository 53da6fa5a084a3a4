/* endpoint_weight.h - the weight that an endpoint has over all localities. */
#ifndef XDS_LB_ENDPOINT_WEIGHT_H
#define XDS_LB_ENDPOINT_WEIGHT_H

#include "lb/candidates.h"

/* One weight per host of the group, which is made of whole localities of the candidates:
 * ring_hash and a weighted shuffle of pick_first go by it. */
const uint64_t *xds_endpoint_weights(const struct xds_lb *lb,
                                     const struct xds_candidates *candidates,
                                     struct xds_host_group group);

#endif
