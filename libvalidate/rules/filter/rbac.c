/*
 * rbac.c - turn RBAC, the filter of servers, and its override RBACPerRoute into the
 * model.
 *
 * Source: gRFC A41, A59, spec listener 8.3, G61, RB2 to RB22.
 */
#include "base/ascii.h"
#include "model/rbac.h"
#include "rules/inner.h"
#include "rules/filter/filter.h"

#define PB_ACTION(name) ENVOY__CONFIG__RBAC__V3__RBAC__ACTION__##name
#define PB_RULE(name) ENVOY__CONFIG__RBAC__V3__PERMISSION__RULE_##name
#define PB_ID(name) ENVOY__CONFIG__RBAC__V3__PRINCIPAL__IDENTIFIER_##name
#define PB_HDRM(member)                                                                  \
    ENVOY__CONFIG__ROUTE__V3__HEADER_MATCHER__HEADER_MATCH_SPECIFIER_##member

#define MAX_DEPTH 16

/* A walk through trees of rules. */
struct walk {
    struct xds_ctx *ctx;
    unsigned depth;      /* of the current rule; an entry of the policy has 0 */
    xds_readers skimmed; /* by these, with action LOG: they check conditions and names of
                            headers only (RB2) */
};

/* Around each rule. Takes those out of ctx->live who find it nested too deep (RB14), and
 * returns what leave() puts back. */
static xds_readers enter(struct walk *walk, const struct xds_path *at)
{
    struct xds_ctx *ctx = walk->ctx;
    const xds_readers live = ctx->live;
    const enum xds_rule_id too_deep = XDS_R_RBAC_TOO_DEEP;

    if (walk->depth++ > MAX_DEPTH) {
        xds_fire(ctx, at, too_deep);
        ctx->live &= ~xds_rejecting(ctx, too_deep);
    }
    return live;
}

static void leave(struct walk *walk, xds_readers live)
{
    walk->depth--;
    walk->ctx->live = live;
}

/* ---- strings and headers ---- */

/* core reads RBAC twice, but not inside the composite filter (RB15, RB20). */
static bool read_twice(const struct xds_ctx *ctx)
{
    return ctx->in_composite == 0;
}

static void fire_match_pattern(struct xds_ctx *ctx, const struct xds_path *at)
{
    if (read_twice(ctx))
        xds_fire(ctx, at, XDS_R_RBAC_MATCH_PATTERN);
}

static void read_string(struct xds_ctx *ctx, const struct xds_path *at,
                        const pb_string_matcher *pb, struct xds_rbac_rule *rule)
{
    struct xds_string_matcher *out = XDS_NEW(ctx->arena, struct xds_string_matcher);

    rule->string_set = pb != NULL;
    if (xds_string_matcher_read(ctx, at, pb, out))
        rule->string = out;
    else if (pb)
        fire_match_pattern(ctx, at);
}

static void read_url_path(struct walk *walk, const struct xds_path *at,
                          const pb_path_matcher *pb, struct xds_rbac_rule *out)
{
    const bool has_path =
        pb->rule_case == ENVOY__TYPE__MATCHER__V3__PATH_MATCHER__RULE_PATH;

    read_string(walk->ctx, XDS_AT(at, "path"), has_path ? pb->path : NULL, out);
}

/* Some look at the names of headers apart from the rest: with action LOG, too, and only
 * in rules that are in no other. */
static void check_name(struct walk *walk, const struct xds_path *at,
                       struct xds_slice name)
{
    static const struct xds_slice scheme = {":scheme", 7}, grpc = {"grpc-", 5};
    struct xds_ctx *ctx = XDS_AMONG(walk->ctx, XDS_EVERYONE);
    const struct xds_slice head = xds_slice_make(name.data, name.len < 5 ? name.len : 5);
    const xds_readers folding = xds_who(ctx, XDS_DIFF_RBAC_HEADER_FOLDED);

    ctx->live |= walk->skimmed;
    if (walk->depth > 1)
        ctx->live &= ~xds_who(ctx, XDS_DIFF_RBAC_HEADER_TOPMOST);
    if (xds_slice_eq_fold(name, scheme))
        xds_fire_for(ctx, at, xds_slice_eq(name, scheme) ? XDS_EVERYONE : folding,
                     XDS_R_RBAC_HEADER_SCHEME, XDS_WITH(name));
    if (xds_slice_eq_fold(head, grpc))
        xds_fire_for(ctx, at, xds_slice_eq(head, grpc) ? XDS_EVERYONE : folding,
                     XDS_R_RBAC_HEADER_GRPC, XDS_WITH(name));
}

/* What the reader of header matchers rejects core reports a second time, in the words of
 * its older parser. */
static void read_header(struct walk *walk, const struct xds_path *at,
                        const pb_header_matcher *pb, struct xds_rbac_rule *rule)
{
    struct xds_header_matcher *out = XDS_NEW(walk->ctx->arena, struct xds_header_matcher);

    rule->header = out;
    check_name(walk, XDS_AT(at, "name"), xds_slice_of(pb->name));
    xds_header_matcher_read(walk->ctx, at, pb, out);
    if (out->kind != XDS_HEADER_NEVER)
        return;
    if (pb->header_match_specifier_case == PB_HDRM(STRING_MATCH))
        fire_match_pattern(walk->ctx, at);
    else if (read_twice(walk->ctx))
        xds_fire_with(walk->ctx, at, XDS_R_RBAC_HEADER_SPECIFIER,
                      XDS_WITH(xds_slice_of(pb->name)));
}

/* ---- addresses ---- */

static struct xds_ip ip_of(const struct xds_sockaddr *address)
{
    struct xds_ip ip = {.family = address->family};

    memcpy(ip.bytes, address->ip, sizeof ip.bytes);
    return ip;
}

static void read_cidr(struct xds_ctx *ctx, const struct xds_path *at,
                      const pb_cidr_range *pb, struct xds_rbac_rule *out)
{
    const struct xds_slice text = xds_slice_of(pb->address_prefix);
    struct xds_sockaddr address;
    /* Without brackets and without a zone. */
    const bool is_plain = xds_sockaddr_parse(text, 0, &address) &&
                          xds_slice_find(text, '[') == text.len &&
                          xds_slice_find(text, '%') == text.len;
    struct xds_ip_range *range = XDS_NEW(ctx->arena, struct xds_ip_range);

    *range = (struct xds_ip_range){
        .text = xds_arena_dup(ctx->arena, text),
        .ip = ip_of(&address),
        .is_plain = is_plain,
        .has_prefix_len = pb->prefix_len != NULL,
        .prefix_len = pb->prefix_len ? pb->prefix_len->value : 0,
    };
    out->range = range;
    xds_fire_for(
        ctx, at,
        (is_plain ? 0 : xds_who(ctx, XDS_DIFF_RBAC_ADDRESS_PLAIN)) |
            (xds_address_resolves(text) || xds_slice_eq_fold(text, XDS_S("localhost"))
                 ? 0
                 : xds_who(ctx, XDS_DIFF_RBAC_ADDRESS_RESOLVED)),
        XDS_R_RBAC_ADDRESS, XDS_WITH(text));
    if (!pb->prefix_len)
        xds_fire(ctx, at, XDS_R_RBAC_PREFIX_LEN_ABSENT);
    if (is_plain && pb->prefix_len &&
        pb->prefix_len->value > (address.family == 4 ? 32 : 128))
        xds_fire_with(ctx, at, XDS_R_RBAC_PREFIX_LEN,
                      XDS_WITH(xds_number(ctx, pb->prefix_len->value), text));
}

/* ---- permissions and principals ---- */

static void set_ports(struct xds_rbac_rule *out, int64_t from, int64_t end)
{
    out->port = from;
    out->port_end = end;
}

static struct xds_rbac_rule *new_rules(struct xds_ctx *ctx, struct xds_rbac_rule *out,
                                       size_t n)
{
    struct xds_rbac_rule *rules = XDS_NEW_ARRAY(ctx->arena, struct xds_rbac_rule, n);

    out->rules = rules;
    out->n_rules = n;
    return rules;
}

/* An arm of the oneof of a rule, indexed by protobuf-c's case value (a field number). */
struct arm {
    enum xds_rbac_rule_kind kind;
    const char *field;
    bool negatable;   /* known to gRFC A41, and not dropped by older releases of go */
    const char *said; /* what C-core calls the field; NULL: by its name */
};

static void check_negated(struct walk *walk, const struct xds_path *at, size_t arm,
                          size_t n, const struct arm *arms)
{
    if (arm >= n || !arms[arm].negatable)
        xds_fire(walk->ctx, at, XDS_R_RBAC_NEGATED);
}

static const struct arm permission_arms[] = {
    [PB_RULE(AND_RULES)] = {XDS_RBAC_AND, "and_rules", true, "and_permission"},
    [PB_RULE(OR_RULES)] = {XDS_RBAC_OR, "or_rules", true, "or_permission"},
    [PB_RULE(ANY)] = {XDS_RBAC_ANY, "any", true, NULL},
    [PB_RULE(HEADER)] = {XDS_RBAC_HEADER, "header", true, NULL},
    [PB_RULE(DESTINATION_IP)] = {XDS_RBAC_DESTINATION_IP, "destination_ip", true, NULL},
    [PB_RULE(DESTINATION_PORT)] = {XDS_RBAC_DESTINATION_PORT, "destination_port", true,
                                   NULL},
    [PB_RULE(METADATA)] = {XDS_RBAC_METADATA, "metadata", false, NULL},
    [PB_RULE(NOT_RULE)] = {XDS_RBAC_NOT, "not_rule", true, NULL},
    [PB_RULE(REQUESTED_SERVER_NAME)] = {XDS_RBAC_REQUESTED_SERVER_NAME,
                                        "requested_server_name", false, NULL},
    [PB_RULE(URL_PATH)] = {XDS_RBAC_URL_PATH, "url_path", true, NULL},
    [PB_RULE(DESTINATION_PORT_RANGE)] = {XDS_RBAC_DESTINATION_PORT_RANGE,
                                         "destination_port_range", false, NULL},
};

static void read_permission(struct walk *walk, const struct xds_path *at,
                            const pb_permission *pb, struct xds_rbac_rule *out);

static void read_permissions(struct walk *walk, const struct xds_path *at,
                             const pb_permission_set *pb, struct xds_rbac_rule *out)
{
    struct xds_rbac_rule *rules = new_rules(walk->ctx, out, pb->n_rules);

    for (size_t i = 0; i < pb->n_rules; i++)
        read_permission(walk, XDS_AT_I(at, "rules", i), pb->rules[i], &rules[i]);
}

static void read_permission(struct walk *walk, const struct xds_path *at,
                            const pb_permission *pb, struct xds_rbac_rule *out)
{
    const size_t i = (size_t)pb->rule_case;
    const struct arm *arm =
        i < XDS_ARRAY_LEN(permission_arms) ? &permission_arms[i] : &permission_arms[0];
    const struct xds_path *here =
        arm->said ? XDS_AT_UNSAID(XDS_AT_SAID(at, arm->said), arm->field)
                  : XDS_AT(at, arm->field);
    struct xds_ctx *ctx = walk->ctx;
    const xds_readers live = enter(walk, at);

    out->kind = arm->kind;
    out->field = arm->field;
    switch (pb->rule_case) {
    case PB_RULE(AND_RULES):
    case PB_RULE(OR_RULES): /* shares the slot of the union */
        read_permissions(walk, here, pb->and_rules, out);
        break;
    case PB_RULE(NOT_RULE):
        /* Of a permission, not of a principal, go keeps inverted metadata. */
        if (pb->not_rule->rule_case != PB_RULE(METADATA) ||
            !pb->not_rule->metadata->invert)
            check_negated(walk, here, (size_t)pb->not_rule->rule_case,
                          XDS_ARRAY_LEN(permission_arms), permission_arms);
        read_permission(walk, here, pb->not_rule, new_rules(ctx, out, 1));
        break;
    case PB_RULE(HEADER):
        read_header(walk, here, pb->header, out);
        break;
    case PB_RULE(URL_PATH):
        read_url_path(walk, here, pb->url_path, out);
        break;
    case PB_RULE(DESTINATION_IP):
        read_cidr(ctx, here, pb->destination_ip, out);
        break;
    case PB_RULE(DESTINATION_PORT_RANGE):
        set_ports(out, pb->destination_port_range->start,
                  pb->destination_port_range->end);
        /* core, which does not know it, names its owner */
        xds_fire(ctx, at, XDS_R_RBAC_PORT_RANGE);
        break;
    case PB_RULE(REQUESTED_SERVER_NAME):
        ctx->live &= ~xds_who(ctx, XDS_DIFF_RBAC_NO_OPS_UNREAD);
        read_string(ctx, here, pb->requested_server_name, out);
        break;
    case PB_RULE(ANY):
        out->any = pb->any;
        break;
    case PB_RULE(DESTINATION_PORT):
        set_ports(out, pb->destination_port, (int64_t)pb->destination_port + 1);
        break;
    case PB_RULE(METADATA):
        out->invert = pb->metadata->invert;
        break;
    default:
        xds_fire(ctx, at, XDS_R_RBAC_PERMISSION);
    }
    leave(walk, live);
}

static const struct arm principal_arms[] = {
    [PB_ID(AND_IDS)] = {XDS_RBAC_AND, "and_ids", true, NULL},
    [PB_ID(OR_IDS)] = {XDS_RBAC_OR, "or_ids", true, NULL},
    [PB_ID(ANY)] = {XDS_RBAC_ANY, "any", true, NULL},
    [PB_ID(AUTHENTICATED)] = {XDS_RBAC_AUTHENTICATED, "authenticated", true, NULL},
    [PB_ID(SOURCE_IP)] = {XDS_RBAC_SOURCE_IP, "source_ip", false, NULL},
    [PB_ID(HEADER)] = {XDS_RBAC_HEADER, "header", true, NULL},
    [PB_ID(METADATA)] = {XDS_RBAC_METADATA, "metadata", false, NULL},
    [PB_ID(NOT_ID)] = {XDS_RBAC_NOT, "not_id", true, NULL},
    [PB_ID(URL_PATH)] = {XDS_RBAC_URL_PATH, "url_path", true, NULL},
    [PB_ID(DIRECT_REMOTE_IP)] = {XDS_RBAC_DIRECT_REMOTE_IP, "direct_remote_ip", true,
                                 NULL},
    [PB_ID(REMOTE_IP)] = {XDS_RBAC_REMOTE_IP, "remote_ip", true, NULL},
};

static void read_principal(struct walk *walk, const struct xds_path *at,
                           const pb_principal *pb, struct xds_rbac_rule *out)
{
    const size_t i = (size_t)pb->identifier_case;
    const struct arm *arm =
        i < XDS_ARRAY_LEN(principal_arms) ? &principal_arms[i] : &principal_arms[0];
    const struct xds_path *here = XDS_AT(at, arm->field);
    struct xds_ctx *ctx = walk->ctx;
    const xds_readers live = enter(walk, at);
    struct xds_rbac_rule *rules;

    out->kind = arm->kind;
    out->field = arm->field;
    switch (pb->identifier_case) {
    case PB_ID(AND_IDS):
    case PB_ID(OR_IDS): /* shares the slot of the union */
        rules = new_rules(ctx, out, pb->and_ids->n_ids);
        for (size_t k = 0; k < pb->and_ids->n_ids; k++)
            read_principal(walk, XDS_AT_I(here, "ids", k), pb->and_ids->ids[k],
                           &rules[k]);
        break;
    case PB_ID(NOT_ID):
        check_negated(walk, here, (size_t)pb->not_id->identifier_case,
                      XDS_ARRAY_LEN(principal_arms), principal_arms);
        read_principal(walk, here, pb->not_id, new_rules(ctx, out, 1));
        break;
    case PB_ID(AUTHENTICATED):
        if (pb->authenticated->principal_name)
            read_string(ctx, XDS_AT(here, "principal_name"),
                        pb->authenticated->principal_name, out);
        else
            xds_fire(ctx, here, XDS_R_RBAC_PRINCIPAL_NAME);
        break;
    case PB_ID(SOURCE_IP):
    case PB_ID(DIRECT_REMOTE_IP):
    case PB_ID(REMOTE_IP): /* share the slot of the union */
        if (pb->identifier_case == PB_ID(SOURCE_IP))
            ctx->live &= ~xds_who(ctx, XDS_DIFF_RBAC_NO_OPS_UNREAD);
        read_cidr(ctx, here, pb->remote_ip, out);
        break;
    case PB_ID(HEADER):
        read_header(walk, here, pb->header, out);
        break;
    case PB_ID(URL_PATH):
        read_url_path(walk, here, pb->url_path, out);
        break;
    case PB_ID(ANY):
        out->any = pb->any;
        break;
    case PB_ID(METADATA):
        out->invert = pb->metadata->invert;
        break;
    default:
        xds_fire(ctx, at, XDS_R_RBAC_PRINCIPAL);
    }
    leave(walk, live);
}

/* ---- audit loggers ---- */

#define STDOUT                                                                           \
    envoy__extensions__rbac__audit_loggers__stream__v3__stdout_audit_log__descriptor
#define LAST_CONDITION                                                                   \
    ENVOY__CONFIG__RBAC__V3__RBAC__AUDIT_LOGGING_OPTIONS__AUDIT_CONDITION__ON_DENY_AND_ALLOW

/* A TypedStruct names a logger of the registry, where an application may add its own:
 * only the one that is built in is known here. */
static bool is_registered(const struct xds_extension *ext)
{
    return xds_slice_is(ext->type, ext->typed_struct ? "stdout_logger" : STDOUT.name);
}

static void check_logger(struct xds_ctx *ctx, const struct xds_extension *ext,
                         struct xds_audit_logger *out)
{
    xds_readers dropped_by = out->is_optional ? XDS_EVERYONE : 0;
    const xds_readers refusing =
        is_registered(ext) && !ext->typed_struct && !ext->message ? XDS_EVERYONE
        : ext->struct_fault ? xds_who(ctx, XDS_DIFF_AUDIT_LOGGER_CONVERTED)
                            : 0;

    if (!ext->typed_struct || xds_slice_ends(ext->type, XDS_S("/")))
        dropped_by &= ~xds_who(ctx, XDS_DIFF_AUDIT_LOGGER_NEVER_OPTIONAL);
    if (refusing)
        xds_fire_for(ctx, ext->at, refusing, XDS_R_AUDIT_LOGGER_UNPARSABLE, NULL);
    out->is_stdout = is_registered(ext);
    if (out->is_stdout)
        return;
    out->dropped_by = ctx->live & dropped_by;
    xds_fire_for(ctx, ext->at, ~dropped_by, XDS_R_AUDIT_LOGGER_UNKNOWN,
                 XDS_WITH(ext->type));
    xds_fire_for(ctx, ext->at, dropped_by, XDS_R_AUDIT_LOGGER_OPTIONAL,
                 XDS_WITH(ext->type));
}

static void read_logger(struct xds_ctx *ctx, const struct xds_path *at,
                        const pb_rbac_audit_logging_options_audit_logger_config *pb,
                        struct xds_audit_logger *out)
{
    const struct xds_path *logger = XDS_AT(at, "audit_logger");
    const struct xds_path *config = XDS_AT(logger, "typed_config");
    struct xds_extension ext;

    out->is_optional = pb->is_optional;
    if (pb->audit_logger)
        out->name = xds_text(ctx, pb->audit_logger->name);
    if (!pb->audit_logger || !pb->audit_logger->typed_config) {
        xds_fire(ctx, pb->audit_logger ? config : logger, XDS_R_AUDIT_LOGGER_ABSENT);
    } else if (xds_extension_read(ctx, config, pb->audit_logger->typed_config, false,
                                  &ext)) {
        out->type = xds_arena_dup(ctx->arena, ext.type);
        check_logger(ctx, &ext, out);
    }
}

/* RBAC.audit_logging_options at its path, NULL when it was not set (gRFC A59, spec
 * listener 8.3.1). */
static void read_audit_logging(struct xds_ctx *ctx, const struct xds_path *at,
                               const pb_rbac_audit_logging_options *pb,
                               struct xds_rbac *out)
{
    if (!pb)
        return;

    struct xds_audit_logger *loggers =
        XDS_NEW_ARRAY(ctx->arena, struct xds_audit_logger, pb->n_logger_configs);

    out->has_audit = true;
    out->audit_condition = (uint32_t)pb->audit_condition;
    out->loggers = loggers;
    out->n_loggers = pb->n_logger_configs;
    ctx = XDS_AMONG(ctx, xds_guarded_by(ctx, XDS_ENV_RBAC_AUDIT_LOGGING));
    if ((uint32_t)pb->audit_condition > LAST_CONDITION)
        xds_fire_with(ctx, at, XDS_R_AUDIT_CONDITION,
                      XDS_WITH(xds_number(ctx, (int32_t)pb->audit_condition)));
    for (size_t i = 0; i < pb->n_logger_configs; i++)
        read_logger(ctx, XDS_AT_I(at, "logger_configs", i), pb->logger_configs[i],
                    &loggers[i]);
}

/* ---- the filter ---- */

/* core and java read no rules of a config that only logs (RB2). */
static void read_action(struct walk *walk, const struct xds_path *at, const pb_rbac *pb)
{
    struct xds_ctx *ctx = walk->ctx;

    if ((uint32_t)pb->action > PB_ACTION(LOG))
        xds_fire_with(ctx, at, XDS_R_RBAC_ACTION,
                      XDS_WITH(xds_number(ctx, (int32_t)pb->action)));
    if (pb->action != PB_ACTION(LOG))
        return;
    xds_fire(ctx, at, XDS_R_RBAC_ACTION_LOG);
    walk->skimmed = ctx->live & xds_who(ctx, XDS_DIFF_RBAC_LOG_SKIMMED);
    ctx->live = 0;
}

/* pb NULL: an entry of the map that lacks its value, which is an empty policy. */
static void read_policy(struct walk *walk, const struct xds_path *at, const pb_policy *pb,
                        struct xds_rbac_policy *out)
{
    if (!pb)
        return;
    const struct {
        bool set;
        const char *field, *core;
    } conditions[] = {
        {pb->condition != NULL, "condition", "condition"},
        {pb->checked_condition != NULL, "checked_condition", "checked condition"},
    };
    struct xds_ctx *ctx = XDS_AMONG(walk->ctx, XDS_EVERYONE);

    ctx->live |= walk->skimmed;
    for (size_t i = 0; i < XDS_ARRAY_LEN(conditions); i++)
        if (conditions[i].set)
            xds_fire_with(ctx, XDS_AT(at, conditions[i].field), XDS_R_RBAC_CONDITION,
                          XDS_WITH(xds_slice_of(conditions[i].core)));

    struct xds_rbac_rule *permissions =
        XDS_NEW_ARRAY(ctx->arena, struct xds_rbac_rule, pb->n_permissions);
    struct xds_rbac_rule *principals =
        XDS_NEW_ARRAY(ctx->arena, struct xds_rbac_rule, pb->n_principals);

    for (size_t i = 0; i < pb->n_permissions; i++)
        read_permission(walk, XDS_AT_I(at, "permissions", i), pb->permissions[i],
                        &permissions[i]);
    for (size_t i = 0; i < pb->n_principals; i++)
        read_principal(walk, XDS_AT_I(at, "principals", i), pb->principals[i],
                       &principals[i]);
    out->permissions = permissions;
    out->n_permissions = pb->n_permissions;
    out->principals = principals;
    out->n_principals = pb->n_principals;
}

static void read_rules(struct xds_ctx *ctx, const struct xds_path *at, const pb_rbac *pb,
                       struct xds_rbac *out)
{
    struct walk walk = {.ctx = XDS_AMONG(ctx, XDS_EVERYONE)};
    struct xds_rbac_policy *policies =
        XDS_NEW_ARRAY(ctx->arena, struct xds_rbac_policy, pb->n_policies);

    out->has_rules = true;
    out->action = (uint32_t)pb->action;
    out->policies = policies;
    read_action(&walk, at, pb);

    /* In binary form a key may come twice: the last one counts. */
    struct xds_strmap last;

    xds_strmap_init(&last, walk.ctx->arena);
    for (size_t i = 0; i < pb->n_policies; i++)
        *xds_strmap_at(&last, xds_slice_of(pb->policies[i]->key)) = pb->policies[i];
    for (size_t i = 0; i < pb->n_policies; i++) {
        const struct xds_slice name = xds_slice_of(pb->policies[i]->key);

        if (*xds_strmap_at(&last, name) != pb->policies[i])
            continue;
        policies[out->n_policies].name = xds_arena_dup(ctx->arena, name);
        read_policy(&walk, XDS_AT_KEY(at, "policies", name), pb->policies[i]->value,
                    &policies[out->n_policies++]);
    }
    read_audit_logging(walk.ctx, XDS_AT(at, "audit_logging_options"),
                       pb->audit_logging_options, out);
}

static const struct xds_rbac *read_rbac(struct xds_ctx *ctx, const struct xds_path *at,
                                        const pb_http_rbac *pb)
{
    struct xds_rbac *out = XDS_NEW(ctx->arena, struct xds_rbac);

    ctx = XDS_AMONG(ctx, XDS_EVERYONE);
    ctx->rbac = true;
    out->has_matcher = pb->matcher != NULL;
    out->has_shadow_rules = pb->shadow_rules || pb->shadow_matcher;
    if (pb->rules)
        read_rules(ctx, XDS_AT(at, "rules"), pb->rules, out);
    else
        xds_fire(ctx, at, XDS_R_RBAC_RULES_ABSENT);
    return out;
}

static bool read_config(struct xds_ctx *ctx, const struct xds_extension *ext,
                        struct xds_filter *out)
{
    out->rbac = read_rbac(ctx, ext->at, (const void *)ext->message);
    return true;
}

static bool read_override(struct xds_ctx *ctx, const struct xds_extension *ext,
                          struct xds_filter_override *out)
{
    const pb_rbac_per_route *pb = (const void *)ext->message;

    if (pb->rbac)
        out->rbac = read_rbac(ctx, XDS_AT(ext->at, "rbac"), pb->rbac);
    else
        xds_fire(ctx, ext->at, XDS_R_RBAC_PER_ROUTE_EMPTY);
    return true;
}

/* node accepts no override, whatever its guard says (P5). */
const struct xds_filter_type xds_filter_rbac = {
    .kind = XDS_FILTER_RBAC,
    .type = "envoy.extensions.filters.http.rbac.v3.RBAC",
    .override_type = "envoy.extensions.filters.http.rbac.v3.RBACPerRoute",
    .known_to = XDS_ALL_CLIENTS & ~XDS_NODE,
    .guarded = XDS_NODE,
    .guard = XDS_ENV_RBAC,
    .server_guard = XDS_ENV_RBAC,
    .override_for = XDS_ALL_CLIENTS & ~XDS_NODE,
    .on_servers = true,
    .config_words = "HTTP RBAC filter config",
    .override_words = "RBACPerRoute",
    .read = read_config,
    .read_override = read_override,
};
