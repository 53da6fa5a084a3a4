/* config.h - what the formats of a generated config share. */
#ifndef XDS_PRINT_CONFIG_CONFIG_H
#define XDS_PRINT_CONFIG_CONFIG_H

#include "generate/config.h"
#include "print/write/out.h"

/* config_words.c: what a policy does, in one sentence without a full stop, and what a
 * field is for, or NULL. */
const char *xds_policy_sentence(const struct xds_tree *policy);
const char *xds_field_sentence(const struct xds_tree *member);
/* Is the member a list of policies, or a map from names to what they stand for? */
bool xds_is_policy_list(const struct xds_tree *member);
bool xds_is_named_map(const struct xds_tree *member);
/* Do its children stand in for each other? */
bool xds_is_priority_policy(const struct xds_tree *policy);
/* Does it stand for the policies of a cluster? */
bool xds_is_cluster_policy(const struct xds_tree *policy);
/* "service config of "shop", virtual host "all", as client core" */
void xds_out_config_title(struct xds_out *out, const struct xds_config *config);

#endif
