/*
 * rbac_permission.c - check envoy.config.rbac.v3.Permission.
 *
 * Source: gRFC A41, spec RB7 to RB9, RB12, RB13.
 */
#include "rules/filter/rbac.h"

#define PB_RULE(name) ENVOY__CONFIG__RBAC__V3__PERMISSION__RULE_##name

struct rule {
    void (*read)(struct xds_rbac_walk *walk, const struct xds_path *at,
                 const pb_permission *pb);
    const char *field;
    const char *said; /* what C-core calls the field; NULL: by its name */
};

static void read_set(struct xds_rbac_walk *walk, const struct xds_path *at,
                     const pb_permission *pb)
{
    const pb_permission_set *set = pb->and_rules; /* or_rules shares the union's slot */

    for (size_t i = 0; i < set->n_rules; i++)
        xds_rbac_permission_read(walk, XDS_AT_I(at, "rules", i), set->rules[i]);
}

static bool is_known(const pb_permission *pb);

/* Older releases of go drop these. */
static bool is_no_op(const pb_permission *pb)
{
    return pb->rule_case == PB_RULE(METADATA) ||
           pb->rule_case == PB_RULE(REQUESTED_SERVER_NAME);
}

static void read_not_rule(struct xds_rbac_walk *walk, const struct xds_path *at,
                          const pb_permission *pb)
{
    xds_rbac_negated_check(walk, at, is_known(pb->not_rule) && !is_no_op(pb->not_rule));
    xds_rbac_permission_read(walk, at, pb->not_rule);
}

static void read_header(struct xds_rbac_walk *walk, const struct xds_path *at,
                        const pb_permission *pb)
{
    xds_rbac_header_read(walk, at, pb->header);
}

static void read_url_path(struct xds_rbac_walk *walk, const struct xds_path *at,
                          const pb_permission *pb)
{
    xds_rbac_url_path_read(walk, at, pb->url_path);
}

static void read_server_name(struct xds_rbac_walk *walk, const struct xds_path *at,
                             const pb_permission *pb)
{
    const xds_readers live = walk->ctx->live;

    walk->ctx->live &= ~xds_who(walk->ctx, XDS_DIFF_RBAC_NO_OPS_UNREAD);
    xds_rbac_string_read(walk, at, pb->requested_server_name);
    walk->ctx->live = live;
}

static void read_ip(struct xds_rbac_walk *walk, const struct xds_path *at,
                    const pb_permission *pb)
{
    xds_rbac_cidr_read(walk, at, pb->destination_ip);
}

/* C-core, which does not know the field, reports the permission itself. */
static void read_port_range(struct xds_rbac_walk *walk, const struct xds_path *at,
                            const pb_permission *pb)
{
    (void)pb;
    xds_fire(walk->ctx, at->up, XDS_R_RBAC_PORT_RANGE);
}

/* Rules that accept any value. */
static void accept(struct xds_rbac_walk *walk, const struct xds_path *at,
                   const pb_permission *pb)
{
    (void)walk, (void)at, (void)pb;
}

/* Indexed by protobuf-c's case value (a field number). */
static const struct rule rules[] = {
    [PB_RULE(AND_RULES)] = {read_set, "and_rules", "and_permission"},
    [PB_RULE(OR_RULES)] = {read_set, "or_rules", "or_permission"},
    [PB_RULE(ANY)] = {accept, "any"},
    [PB_RULE(HEADER)] = {read_header, "header"},
    [PB_RULE(DESTINATION_IP)] = {read_ip, "destination_ip"},
    [PB_RULE(DESTINATION_PORT)] = {accept, "destination_port"},
    [PB_RULE(METADATA)] = {accept, "metadata"},
    [PB_RULE(NOT_RULE)] = {read_not_rule, "not_rule"},
    [PB_RULE(REQUESTED_SERVER_NAME)] = {read_server_name, "requested_server_name"},
    [PB_RULE(URL_PATH)] = {read_url_path, "url_path"},
    [PB_RULE(DESTINATION_PORT_RANGE)] = {read_port_range, "destination_port_range"},
};

/* To gRFC A41. */
static bool is_known(const pb_permission *pb)
{
    const size_t i = (size_t)pb->rule_case;

    return i < XDS_ARRAY_LEN(rules) && rules[i].read && rules[i].read != read_port_range;
}

void xds_rbac_permission_read(struct xds_rbac_walk *walk, const struct xds_path *at,
                              const pb_permission *pb)
{
    const xds_readers live = xds_rbac_enter(walk, at);
    const size_t i = (size_t)pb->rule_case;
    const struct rule *rule = i < XDS_ARRAY_LEN(rules) ? &rules[i] : &rules[0];

    if (rule->said)
        rule->read(walk, XDS_AT_UNSAID(XDS_AT_SAID(at, rule->said), rule->field), pb);
    else if (rule->read)
        rule->read(walk, XDS_AT(at, rule->field), pb);
    else
        xds_fire(walk->ctx, at, XDS_R_RBAC_PERMISSION);
    xds_rbac_leave(walk, live);
}
