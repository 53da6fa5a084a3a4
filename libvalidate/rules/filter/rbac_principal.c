/*
 * rbac_principal.c - check envoy.config.rbac.v3.Principal.
 *
 * Source: gRFC A41, spec RB10 to RB13, RB21.
 */
#include "rules/filter/rbac.h"

#define PB_ID(name) ENVOY__CONFIG__RBAC__V3__PRINCIPAL__IDENTIFIER_##name

struct identifier {
    void (*read)(struct xds_rbac_walk *walk, const struct xds_path *at,
                 const pb_principal *pb);
    const char *field;
};

static void read_set(struct xds_rbac_walk *walk, const struct xds_path *at,
                     const pb_principal *pb)
{
    const pb_principal_set *set = pb->and_ids; /* or_ids shares the slot of the union */

    for (size_t i = 0; i < set->n_ids; i++)
        xds_rbac_principal_read(walk, XDS_AT_I(at, "ids", i), set->ids[i]);
}

static bool is_known(const pb_principal *pb);

/* Older releases of go drop these. */
static bool is_no_op(const pb_principal *pb)
{
    return pb->identifier_case == PB_ID(METADATA) ||
           pb->identifier_case == PB_ID(SOURCE_IP);
}

static void read_not_id(struct xds_rbac_walk *walk, const struct xds_path *at,
                        const pb_principal *pb)
{
    xds_rbac_negated_check(walk, at, is_known(pb->not_id) && !is_no_op(pb->not_id));
    xds_rbac_principal_read(walk, at, pb->not_id);
}

static void read_authenticated(struct xds_rbac_walk *walk, const struct xds_path *at,
                               const pb_principal *pb)
{
    if (pb->authenticated->principal_name)
        xds_rbac_string_read(walk, XDS_AT(at, "principal_name"),
                             pb->authenticated->principal_name);
    else
        xds_fire(walk->ctx, at, XDS_R_RBAC_PRINCIPAL_NAME);
}

static void read_ip(struct xds_rbac_walk *walk, const struct xds_path *at,
                    const pb_principal *pb)
{
    /* The three kinds of address share one slot of protobuf-c's union. */
    xds_rbac_cidr_read(walk, at, pb->remote_ip);
}

static void read_source_ip(struct xds_rbac_walk *walk, const struct xds_path *at,
                           const pb_principal *pb)
{
    const xds_readers live = walk->ctx->live;

    walk->ctx->live &= ~xds_who(walk->ctx, XDS_DIFF_RBAC_NO_OPS_UNREAD);
    read_ip(walk, at, pb);
    walk->ctx->live = live;
}

static void read_header(struct xds_rbac_walk *walk, const struct xds_path *at,
                        const pb_principal *pb)
{
    xds_rbac_header_read(walk, at, pb->header);
}

static void read_url_path(struct xds_rbac_walk *walk, const struct xds_path *at,
                          const pb_principal *pb)
{
    xds_rbac_url_path_read(walk, at, pb->url_path);
}

/* Identifiers that accept any value. */
static void accept(struct xds_rbac_walk *walk, const struct xds_path *at,
                   const pb_principal *pb)
{
    (void)walk, (void)at, (void)pb;
}

/* Indexed by protobuf-c's case value (a field number). */
static const struct identifier identifiers[] = {
    [PB_ID(AND_IDS)] = {read_set, "and_ids"},
    [PB_ID(OR_IDS)] = {read_set, "or_ids"},
    [PB_ID(ANY)] = {accept, "any"},
    [PB_ID(AUTHENTICATED)] = {read_authenticated, "authenticated"},
    [PB_ID(SOURCE_IP)] = {read_source_ip, "source_ip"},
    [PB_ID(HEADER)] = {read_header, "header"},
    [PB_ID(METADATA)] = {accept, "metadata"},
    [PB_ID(NOT_ID)] = {read_not_id, "not_id"},
    [PB_ID(URL_PATH)] = {read_url_path, "url_path"},
    [PB_ID(DIRECT_REMOTE_IP)] = {read_ip, "direct_remote_ip"},
    [PB_ID(REMOTE_IP)] = {read_ip, "remote_ip"},
};

/* To gRFC A41. */
static bool is_known(const pb_principal *pb)
{
    const size_t i = (size_t)pb->identifier_case;

    return i < XDS_ARRAY_LEN(identifiers) && identifiers[i].read;
}

void xds_rbac_principal_read(struct xds_rbac_walk *walk, const struct xds_path *at,
                             const pb_principal *pb)
{
    const xds_readers live = xds_rbac_enter(walk, at);
    const size_t i = (size_t)pb->identifier_case;

    if (is_known(pb))
        identifiers[i].read(walk, XDS_AT(at, identifiers[i].field), pb);
    else
        xds_fire(walk->ctx, at, XDS_R_RBAC_PRINCIPAL);
    xds_rbac_leave(walk, live);
}
