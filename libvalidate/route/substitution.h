/* substitution.h - the substitution of a regex_rewrite, whose syntax clients differ on.
 */
#ifndef XDS_ROUTE_SUBSTITUTION_H
#define XDS_ROUTE_SUBSTITUTION_H

#include "model/route_config.h"
#include "route/rpc.h"

/* As RE2 spells it, for xds_regex_replace_all(). False when that is not known: it
 * names a group by name or above 9, or the client fails on it. */
bool xds_substitution_read(const struct xds_rpc *rpc,
                           const struct xds_hash_policy *policy, struct xds_slice *out);

#endif
