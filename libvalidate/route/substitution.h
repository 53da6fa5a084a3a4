/* substitution.h - the substitution of a regex_rewrite, whose syntax clients differ on.
 */
#ifndef XDS_ROUTE_SUBSTITUTION_H
#define XDS_ROUTE_SUBSTITUTION_H

#include "model/route_config.h"
#include "route/rpc.h"

struct xds_substitution {
    struct xds_slice text;   /* as RE2 spells it, for xds_regex_replace_all() */
    bool unknown;            /* it names a group by name or above 9: there is no text */
    struct xds_slice thrown; /* the exception of a client that fails on it; or absent */
};

struct xds_substitution xds_substitution_read(const struct xds_rpc *rpc,
                                              const struct xds_hash_policy *policy);

#endif
