/*
 * check_resolver.c - judge the config of xds_cluster_resolver_experimental, which clients
 *                    had before gRFC A74.
 *
 * Source: spec cluster 5.5.
 */
#include "config/check.h"

static void fault(struct xds_config_check *check, const struct xds_path *at,
                  const char *message)
{
    xds_config_policy_fault(check, at, xds_slice_of(message));
}

/* A string that must be there. */
static const struct xds_tree *need_text(struct xds_config_check *check,
                                        const struct xds_path *at,
                                        const struct xds_tree *object, const char *name)
{
    const struct xds_tree *value = xds_tree_member(object, name);

    if (value && value->kind == XDS_TREE_STRING)
        return value;
    fault(check, XDS_AT(at, name), value ? "is not a string" : "is required");
    return NULL;
}

static void check_mechanism(struct xds_config_check *check, const struct xds_path *at,
                            const struct xds_tree *mechanism)
{
    const struct xds_tree *type;

    if (mechanism->kind != XDS_TREE_OBJECT) {
        fault(check, at, "is not an object");
        return;
    }
    (void)need_text(check, at, mechanism, "clusterName");
    type = need_text(check, at, mechanism, "type");
    if (type && xds_slice_is(type->text, "LOGICAL_DNS"))
        (void)need_text(check, at, mechanism, "dnsHostname");
    else if (type && !xds_slice_is(type->text, "EDS"))
        fault(check, XDS_AT(at, "type"), "must be EDS or LOGICAL_DNS");
    else if (xds_tree_member(mechanism, "dnsHostname"))
        fault(check, XDS_AT(at, "dnsHostname"), "is allowed for LOGICAL_DNS only");
}

void xds_config_check_resolver(struct xds_config_check *check, const struct xds_path *at,
                               const struct xds_tree *config)
{
    const struct xds_tree *mechanisms = xds_tree_member(config, "discoveryMechanisms");
    const struct xds_tree *policy = xds_tree_member(config, "xdsLbPolicy");

    if (!mechanisms || mechanisms->kind != XDS_TREE_ARRAY)
        fault(check, XDS_AT(at, "discoveryMechanisms"),
              mechanisms ? "is not an array" : "is required");
    else if (mechanisms->n == 0)
        fault(check, XDS_AT(at, "discoveryMechanisms"), "must not be empty");
    else
        for (size_t i = 0; i < mechanisms->n; i++)
            check_mechanism(check, XDS_AT_I(at, "discoveryMechanisms", i),
                            &mechanisms->items[i]);
    if (policy)
        xds_config_check_list(check, at, "xdsLbPolicy", policy);
    else
        fault(check, XDS_AT(at, "xdsLbPolicy"), "is required");
}
