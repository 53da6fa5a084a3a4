/* show.h - what the pictures of a whole snapshot share: who is asked, what is wanted, and
 * what is known of a resource. */
#ifndef XDS_PRINT_SHOW_H
#define XDS_PRINT_SHOW_H

#include "check/check.h"
#include "print/write/out.h"

/* Endpoints of one ClusterLoadAssignment. */
struct xds_show_tally {
    size_t endpoints, not_healthy;
};

struct xds_show {
    struct xds_out *out;
    struct xds_arena *arena;
    const struct xds_check *check;
    /* Of a dump: one client after the other, and what one of its xDS clients holds. */
    const struct xds_snapshot *client, *snapshot;
    const struct xds_snapshot_view *view;
    size_t n; /* resources of the report, by whose number all arrays here are */
    bool *reached, *shown;
    struct xds_show_tally *tally; /* of endpoint resources */
    size_t of_type[XDS_TYPE_ENDPOINT + 1];
    size_t for_clients, inline_configs, routes, endpoints, not_healthy;
    size_t rejected,
        others, /* by the client; resources of other types, or without name */
        rejected_updates, absent; /* of a dump: not in use; only named */
};

/* A print: counts first, then body(); the printers' status. */
enum xds_status xds_show_run(const struct xds_printer *to, struct xds_check *check,
                             const struct xds_snapshot_view *view,
                             void (*body)(struct xds_show *show));
/* Are there snapshots of several clients of a dump? */
static inline bool xds_show_several(const struct xds_show *show)
{
    const struct xds_snapshot *first = &show->check->snapshot;

    return first->next || xds_snapshot_part(first) != first;
}
/* All of them in turn; show->snapshot is NULL after the last one. */
void xds_show_begin(struct xds_show *show);
void xds_show_next(struct xds_show *show);
/* client_scope of the ClientConfig that an entry is from; empty where there is none. */
struct xds_slice xds_show_scope(const struct xds_show *show,
                                const struct xds_snapshot_entry *entry);
/* "2 listeners, 1 route configuration with 3 routes, ..." */
void xds_show_counts(struct xds_show *show);
/* "core", with its release if one was asked for. */
struct xds_client_label xds_show_client(const struct xds_show *show);
/* Does the name match one of those asked for, or was none asked for? */
bool xds_show_wants(const struct xds_show *show, struct xds_slice name);
/* The same of a virtual host, also by its domains; of a route configuration, also by its
 * virtual hosts; of endpoints, also by an address. */
bool xds_show_wants_host(const struct xds_show *show,
                         const struct xds_virtual_host *host);
bool xds_show_wants_entry(const struct xds_show *show,
                          const struct xds_snapshot_entry *entry);
bool xds_show_wants_endpoint(const struct xds_show *show,
                             const struct xds_endpoint *endpoint);
/* Tables and lists: this type is to be printed. */
bool xds_show_has_list(const struct xds_show *show, enum xds_resource_type type);
/* What is known of a resource beside its content, after `before`: "rejected by core
 * (NACK)". Nothing where there is nothing to say. False then. */
bool xds_show_known(const struct xds_show *show, struct xds_out *out, const char *before,
                    const struct xds_snapshot_entry *entry);
/* The HttpConnectionManagers of a listener, that of clients first; NULL after the last.
 */
const struct xds_listener *xds_show_manager(const struct xds_listener *listener,
                                            size_t i);
static inline const struct xds_snapshot_entry *xds_show_find(const struct xds_show *show,
                                                             enum xds_resource_type type,
                                                             struct xds_slice name)
{
    return xds_snapshot_used(show->snapshot, show->view->client, type, name);
}
/* Why a resource that is named is not there: "not in the input", or what a dump says of
 * it: "DOES_NOT_EXIST". */
const char *xds_show_lack(const struct xds_show *show, enum xds_resource_type type,
                          struct xds_slice name);
/* "EDS", "aggregate" ...; "round_robin". */
const char *xds_show_cluster_kind(const struct xds_cluster *cluster);
struct xds_slice xds_show_policy(const struct xds_show *show,
                                 const struct xds_cluster *cluster);
/* Cluster number i that a route leads to; false after the last one. */
bool xds_show_target(const struct xds_route *route, size_t i, struct xds_slice *name);
/* The client skips the route. */
static inline bool xds_show_skips(const struct xds_show *show,
                                  const struct xds_route *route)
{
    return (route->skipped_by & XDS_CLIENT_BIT(show->view->client)) != 0;
}
/* Mark what the resources of a type that are not reached lead to. */
void xds_show_reach(struct xds_show *show, enum xds_resource_type type);
/* Members "filter_chains" of a listener, and "rbac" of a virtual host or route that has
 * overrides of RBAC. */
void xds_show_json_chains(struct xds_show *show, const struct xds_listener *listener);
void xds_show_json_overrides(struct xds_show *show,
                             const struct xds_overrides *overrides);
/* Does the client find the CA that a server's TLS context names? */
static inline bool xds_show_reads_ca(const struct xds_show *show,
                                     const struct xds_tls_context *tls)
{
    return tls->ca.data && (tls->with_ca & XDS_CLIENT_BIT(show->view->client));
}
/* A table for each type that is asked for. */
void xds_show_tables(struct xds_show *show);

#endif
