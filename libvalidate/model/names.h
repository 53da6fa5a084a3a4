/* names.h - the words for the values of the model. */
#ifndef XDS_MODEL_NAMES_H
#define XDS_MODEL_NAMES_H

#include "model/cluster.h"

#define XDS_RETRY_CODES 5

/* gRPC's names of the status codes that a retry policy can have, in ascending order. */
extern const struct xds_retry_name {
    unsigned bit; /* XDS_RETRY_* */
    const char *name;
} xds_retry_names[XDS_RETRY_CODES];

/* The name that the resource gives the policy, or that of its kind in gRPC. */
struct xds_slice xds_lb_title(const struct xds_lb_policy *policy);
/* The kind that asks for a hash, to say what hash policies are for. */
const char *xds_lb_hashing(void);

#endif
