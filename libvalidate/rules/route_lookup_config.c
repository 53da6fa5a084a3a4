/*
 * route_lookup_config.c - grpc.lookup.v1.RouteLookupConfig, checked as the RLS load
 * balancing policy does, to which the clients pass it as JSON; and that policy.
 *
 * Source: gRFC A27 (RLS in xDS), spec CP10, routing 3.1, route_lookup_config.proto.
 *
 * The JSON leaves out what has its default value, so that an empty string or list is a
 * field not present. What the policy requires is in lb_policy/registry_rls.c. The policy
 * is made by a walk that is driven by descriptors and knows the kinds of fields that the
 * message and those below it have.
 */
#include "base/number.h"
#include "decode/field.h"
#include "rules/lb_policy/registry.h"
#include "rules/inner.h"

static struct xds_tree message_tree(struct xds_arena *arena,
                                    const ProtobufCMessage *message);

/* "lookup_service" as proto3 JSON spells it. */
static const char *json_name(struct xds_arena *arena, const char *name)
{
    const size_t len = strlen(name);
    char *out = xds_arena_alloc(arena, len + 1);
    size_t n = 0;

    for (size_t i = 0; i < len; i++) {
        if (name[i] == '_' && name[i + 1] >= 'a' && name[i + 1] <= 'z')
            out[n++] = (char)(name[++i] - 'a' + 'A');
        else
            out[n++] = name[i];
    }
    out[n] = '\0';
    return out;
}

static struct xds_tree value_tree(struct xds_arena *arena,
                                  const ProtobufCFieldDescriptor *field, const void *at)
{
    int64_t number;
    protobuf_c_boolean truth;

    if (field->type == PROTOBUF_C_TYPE_MESSAGE)
        return message_tree(arena, xds_item_message(at));
    if (field->type == PROTOBUF_C_TYPE_STRING)
        return xds_tree_string(xds_arena_dup(arena, xds_item_text(at)));
    if (field->type == PROTOBUF_C_TYPE_INT64) {
        memcpy(&number, at, sizeof number);
        return xds_tree_i64(arena, number);
    }
    memcpy(&truth, at, sizeof truth);
    return xds_tree_bool(truth);
}

/* The list of a repeated field; of a map, an object. */
static struct xds_tree repeated_tree(struct xds_arena *arena,
                                     const ProtobufCMessage *message,
                                     const ProtobufCFieldDescriptor *field, size_t n)
{
    const bool map = xds_field_is_map(field);
    struct xds_tree out = map ? xds_tree_object() : xds_tree_array();

    for (size_t i = 0; i < n; i++) {
        const struct xds_tree item =
            value_tree(arena, field, xds_field_item(message, field, i));

        if (!map) {
            xds_tree_add(arena, &out, item);
            continue;
        }
        const struct xds_tree *key = xds_tree_member(&item, "key");
        const struct xds_tree *value = xds_tree_member(&item, "value");

        xds_tree_put_key(arena, &out, key ? key->text : XDS_S(""),
                         value ? *value : xds_tree_text(""));
    }
    return out;
}

/* proto3 JSON leaves out what has its default value. */
static struct xds_tree message_tree(struct xds_arena *arena,
                                    const ProtobufCMessage *message)
{
    struct xds_tree out = xds_tree_object();

    if (message->descriptor == &google__protobuf__duration__descriptor) {
        const pb_duration *pb = (const pb_duration *)message;

        return xds_tree_duration(arena, pb->seconds, pb->nanos);
    }
    for (struct xds_set_fields walk = {.message = message}; xds_set_fields_next(&walk);)
        xds_tree_put(
            arena, &out, json_name(arena, walk.field->name),
            walk.field->label == PROTOBUF_C_LABEL_REPEATED
                ? repeated_tree(arena, message, walk.field, walk.n)
                : value_tree(arena, walk.field, xds_field_item(message, walk.field, 0)));
    return out;
}

const struct xds_tree *xds_route_lookup_policy(struct xds_arena *arena,
                                               const pb_route_lookup_config *pb)
{
    struct xds_tree *list = XDS_NEW(arena, struct xds_tree);
    struct xds_tree rls = xds_tree_object();
    const struct xds_tree dynamic =
        xds_tree_pair(arena, "isDynamic", xds_tree_bool(true));

    xds_tree_put(arena, &rls, "routeLookupConfig",
                 message_tree(arena, (const ProtobufCMessage *)pb));
    xds_tree_put(arena, &rls, "childPolicy",
                 xds_tree_list(arena, xds_tree_pair(arena, "cds_experimental", dynamic)));
    xds_tree_put(arena, &rls, "childPolicyConfigTargetFieldName",
                 xds_tree_text("cluster"));
    *list = xds_tree_list(arena, xds_tree_pair(arena, "rls_experimental", rls));
    return list;
}

/* Why a duration has no JSON form, in C-core's words; or NULL. */
static const char *not_json(const pb_duration *pb)
{
    if (!pb)
        return NULL;
    if (pb->seconds > XDS_DURATION_MAX_SECONDS ||
        pb->seconds < -XDS_DURATION_MAX_SECONDS || (pb->seconds > 0 && pb->nanos < 0) ||
        (pb->seconds < 0 && pb->nanos > 0))
        return "bad duration";
    if (pb->nanos > XDS_DURATION_MAX_NANOS || pb->nanos < -XDS_DURATION_MAX_NANOS)
        return "error formatting timestamp as JSON: invalid nanos";
    return NULL;
}

/* The encoder stops at the first fault; false when there is one. */
static bool check_durations(struct xds_ctx *ctx, const struct xds_path *at,
                            xds_readers who, const pb_route_lookup_config *pb)
{
    const struct {
        const char *field;
        const pb_duration *value;
    } rows[] = {{"lookup_service_timeout", pb->lookup_service_timeout},
                {"max_age", pb->max_age},
                {"stale_age", pb->stale_age}};

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        const char *why = not_json(rows[i].value);
        const bool fits = !rows[i].value || xds_duration_fits_nanos(rows[i].value);

        if (why || !fits)
            xds_fire_for(ctx, at,
                         why ? who : who & xds_who(ctx, XDS_DIFF_RLS_DURATION_IN_NS),
                         XDS_R_RLS_CONFIG_DURATION,
                         XDS_WITH(xds_slice_of(rows[i].field),
                                  xds_slice_of(why ? why : "bad duration")));
        if (why)
            return false;
    }
    return true;
}

/* Parsers that say the same share a finding. */
void xds_route_lookup_config_check(struct xds_ctx *ctx, const struct xds_path *at,
                                   const struct xds_path *plugin, xds_readers who,
                                   const pb_route_lookup_config *pb)
{
    struct xds_slice faults[XDS_MAX_READERS];

    if (!xds_part_linked(ctx->options, XDS_PART_RLS)) {
        xds_fire_for(ctx, at, who, XDS_R_RLS_NOT_LINKED, NULL);
        who &= ~xds_who(ctx, XDS_DIFF_RLS_LINKED);
    }
    if (!check_durations(ctx, plugin, who, pb))
        return;

    const struct xds_tree *list = xds_route_lookup_policy(ctx->arena, pb);

    for (size_t r = 0; r < ctx->panel->n; r++) {
        /* What the policy of reader i says, data NULL when it accepts the config. */
        const struct xds_client_release *reader = &ctx->panel->reader[r];
        const struct xds_options options = xds_options_of(ctx, reader);
        struct xds_lb_judge judge = {
            .arena = ctx->arena, .options = &options, .client = reader->client};
        faults[r] = xds_lb_list_faults(&judge, list);
    }
    xds_fire_texts(ctx, at, who, XDS_R_RLS_CONFIG_INVALID, faults, XDS_S(""));
}
