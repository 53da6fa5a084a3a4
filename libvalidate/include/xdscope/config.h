/* config.h - service configs and LB policies, made from a snapshot or judged. */
#ifndef XDSCOPE_CONFIG_H
#define XDSCOPE_CONFIG_H

#include "check.h"

enum xds_config_form {
    XDS_CONFIG_CURRENT, /* service config of gRFC A31; LB policies of gRFC A75 */
    XDS_CONFIG_A28, /* service config: routes and actions in xds_routing_experimental */
    XDS_CONFIG_METHODS, /* service config: methodConfig for clients without xDS */
    XDS_CONFIG_LEGACY,  /* LB policies: xds_cluster_resolver_experimental */
};

/* Which config. All text is borrowed. */
struct xds_config_request {
    enum xds_config_form form;
    struct xds_slice target, listener, authority; /* service config: as in xds_request */
    struct xds_slice route_config; /* service config: this one, of no listener */
    struct xds_slice cluster;      /* LB policies: of this cluster */
    struct xds_slice previous;     /* the JSON of the update before, or JSON lines, whose
                                      names are kept; or absent. The same bytes at the same
                                      address as in the last call are not read again. */
    bool single_route; /* A28: of a route that takes every RPC, its policy alone */
};

struct xds_config; /* generate/config.h describes it; print it with xds_print_config_* */

/* Makes the configs that one client builds from a snapshot. */
struct xds_generator;

/* check must have been made with keep, have seen all resources, and is borrowed. NULL
 * when there is no memory. */
XDS_API struct xds_generator *xds_generator_new(struct xds_check *check,
                                                enum xds_client client);
XDS_API void xds_generator_free(struct xds_generator *generator);
/* The service config of a target. It belongs to the generator and lives until the next
 * call on it. XDS_ERR_USAGE when nothing says which of several listeners is meant, or
 * when `previous` cannot be read. */
XDS_API XDS_MUST_USE enum xds_status
xds_generate_service_config(struct xds_generator *generator,
                            const struct xds_config_request *request,
                            const struct xds_config **out);
/* The LB policies below cds of a cluster, in the same way. */
XDS_API XDS_MUST_USE enum xds_status
xds_generate_lb_config(struct xds_generator *generator,
                       const struct xds_config_request *request,
                       const struct xds_config **out);
/* The names of the accepted clusters for the client, in input order; absent after the
 * last one. They live as long as the check. */
XDS_API struct xds_slice xds_generator_cluster(const struct xds_generator *generator,
                                               size_t i);
/* After XDS_ERR_USAGE: where and why `previous` cannot be read; absent when it was not
 * that. */
XDS_API struct xds_slice
xds_generator_previous_error(const struct xds_generator *generator);
/* Why there is no config, or absent. */
XDS_API struct xds_slice xds_config_error(const struct xds_config *config);
/* As xds_decision_choice(). */
XDS_API struct xds_slice xds_config_choice(const struct xds_config *config, size_t i);
/* What the form cannot say, a sentence each; absent after the last one. */
XDS_API struct xds_slice xds_config_note(const struct xds_config *config, size_t i);

/* Check a service config or a list of LB policies, JSON text, as the parsers of the
 * client do. Findings with places go to report, where the text is a file of this name. */
XDS_API XDS_MUST_USE enum xds_status xds_check_config(struct xds_report *report,
                                                      enum xds_client client,
                                                      const char *name,
                                                      struct xds_slice text);

#endif
