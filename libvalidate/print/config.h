/* config.h - what the formats of generated configs share. */
#ifndef XDS_PRINT_CONFIG_H
#define XDS_PRINT_CONFIG_H

#include "config/config.h"
#include "print/json_tree.h"
#include "print/out.h"

/* What a policy does, in one sentence without a full stop. */
const char *xds_policy_sentence(const struct xds_tree *policy);
/* Is the member a list of policies, or a map from names to what they stand for? */
bool xds_is_policy_list(const struct xds_tree *member);
bool xds_is_named_map(const struct xds_tree *member);
/* "service config of today of listener "shop"" */
void xds_out_config_title(struct xds_out *out, const struct xds_config *config);

#endif
