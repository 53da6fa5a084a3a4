/*
 * registry.c - the LB policies that a TypedStruct names: their configs as trees, in the
 *              model, and as the parsers of the clients judge them.
 *
 * Source: spec cluster 1.6, 1.7; gRFC A24, A52; google/protobuf/struct.proto.
 */
#include "rules/lb_policy/lb_policy.h"

/* ---- a Struct as a tree ---- */

#define KIND(arm) GOOGLE__PROTOBUF__VALUE__KIND_##arm

static struct xds_tree value_of(struct xds_arena *arena, const pb_value *pb);

static struct xds_tree list_of(struct xds_arena *arena, const pb_list_value *pb)
{
    struct xds_tree *items = XDS_NEW_ARRAY(arena, struct xds_tree, pb->n_values);

    for (size_t i = 0; i < pb->n_values; i++)
        items[i] = value_of(arena, pb->values[i]);
    return (struct xds_tree){.kind = XDS_TREE_ARRAY, .items = items, .n = pb->n_values};
}

struct xds_tree xds_tree_of_struct(struct xds_arena *arena, const pb_struct *pb)
{
    struct xds_tree out = {.kind = XDS_TREE_OBJECT};

    if (!pb || pb->n_fields == 0)
        return out;

    struct xds_tree *items = XDS_NEW_ARRAY(arena, struct xds_tree, pb->n_fields);

    for (size_t i = 0; i < pb->n_fields; i++) {
        items[i] = value_of(arena, pb->fields[i]->value);
        items[i].key = xds_slice_of(pb->fields[i]->key);
    }
    out.items = items;
    out.n = pb->n_fields;
    return out;
}

/* A value without a kind has been reported with the Struct; here it is null. */
static struct xds_tree value_of(struct xds_arena *arena, const pb_value *pb)
{
    struct xds_tree out = {.kind = XDS_TREE_NULL};

    if (!pb)
        return out;
    if (pb->kind_case == KIND(STRUCT_VALUE))
        return xds_tree_of_struct(arena, pb->struct_value);
    if (pb->kind_case == KIND(LIST_VALUE))
        return list_of(arena, pb->list_value);
    if (pb->kind_case == KIND(BOOL_VALUE)) {
        out.kind = XDS_TREE_BOOL;
        out.truth = pb->bool_value;
    } else if (pb->kind_case == KIND(NUMBER_VALUE)) {
        out.kind = XDS_TREE_NUMBER;
        out.number = pb->number_value;
    } else if (pb->kind_case == KIND(STRING_VALUE)) {
        out.kind = XDS_TREE_STRING;
        out.text = xds_slice_of(pb->string_value);
    }
    return out;
}

/* ---- the model ---- */

/* A whole number from 1 to max, or the fallback. */
static uint64_t number_of(const struct xds_tree *value, uint64_t max, uint64_t fallback)
{
    uint64_t number;

    if (value && value->kind == XDS_TREE_STRING &&
        xds_slice_to_u64(value->text, &number) && number >= 1 && number <= max)
        return number;
    if (!value || value->kind != XDS_TREE_NUMBER ||
        !(value->number >= 1 && value->number <= (double)max))
        return fallback;
    return (uint64_t)value->number;
}

/* Sizes and header; node's own policy spells the keys with underscores, and has no
 * header. */
static void read_ring_hash(struct xds_arena *arena, struct xds_slice name,
                           const struct xds_tree *config, struct xds_lb_policy *out)
{
    const bool own = xds_slice_is(name, "ring_hash");
    const struct xds_tree *min =
        xds_tree_member(config, own ? "min_ring_size" : "minRingSize");
    const struct xds_tree *max =
        xds_tree_member(config, own ? "max_ring_size" : "maxRingSize");
    const struct xds_tree *header = xds_tree_member(config, "requestHashHeader");

    out->min_ring_size = number_of(min, XDS_RING_SIZE_MAX, XDS_RING_SIZE_MIN_DEFAULT);
    out->max_ring_size = number_of(max, XDS_RING_SIZE_MAX, XDS_RING_SIZE_CAP);
    if (!own && header && header->kind == XDS_TREE_STRING)
        out->request_hash_header = xds_arena_dup(arena, header->text);
}

static void read_config(struct xds_arena *arena, struct xds_slice name,
                        const struct xds_tree *config, struct xds_lb_policy *out)
{
    const struct xds_tree *shuffle;

    switch (out->kind) {
    case XDS_LB_RING_HASH:
        read_ring_hash(arena, name, config, out);
        break;
    case XDS_LB_LEAST_REQUEST:
        out->choice_count = (uint32_t)number_of(xds_tree_member(config, "choiceCount"),
                                                UINT32_MAX, XDS_CHOICE_COUNT_DEFAULT);
        break;
    case XDS_LB_PICK_FIRST:
        shuffle = xds_tree_member(config, "shuffleAddressList");
        out->shuffle_address_list = shuffle && shuffle->truth;
        break;
    case XDS_LB_ROUND_ROBIN:
    case XDS_LB_WEIGHTED_ROUND_ROBIN:
    case XDS_LB_OTHER:
        break;
    }
}

/* ---- below the locality layer ---- */

/* The list below a policy that only chooses the locality; NULL when it is another. */
static const struct xds_tree *list_below(struct xds_slice name,
                                         const struct xds_tree *config)
{
    static const struct {
        const char *name, *key;
    } layers[] = {
        {"xds_wrr_locality_experimental", "childPolicy"},
        {"wrr_locality_experimental", "childPolicy"}, /* java */
        {"xds_wrr_locality", "child_policy"},         /* node */
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(layers); i++)
        if (xds_slice_is(name, layers[i].name))
            return xds_tree_member(config, layers[i].key);
    return NULL;
}

/* The first policy of the list that the client has (gRFC A24). */
static const struct xds_tree *choose(const struct xds_options *options,
                                     const struct xds_tree *list, enum xds_client client,
                                     enum xds_lb_kind *kind)
{
    for (size_t i = 0; i < list->n; i++) {
        const struct xds_tree *entry = &list->items[i];

        if (entry->n == 1 && (xds_lb_registered(options, entry->items->key, kind) &
                              XDS_CLIENT_BIT(client)))
            return entry->items;
    }
    return NULL;
}

void xds_lb_config_follow(const struct xds_options *options, struct xds_arena *arena,
                          enum xds_client client, struct xds_lb_policy *policy)
{
    const struct xds_tree *config = policy->config, *list;
    struct xds_slice name = policy->name;

    while ((list = list_below(name, config)) != NULL) {
        policy->wrr_locality = true;
        config = choose(options, list, client, &policy->kind);
        if (!config) /* the client has rejected it */
            return;
        name = config->key;
    }
    if (config != policy->config)
        read_config(arena, name, config, policy);
}

/* ---- what parsers say ---- */

xds_readers xds_lb_config_readers(const struct xds_lb_walk *walk)
{
    return walk->depth > 0 ? ~xds_who(walk->ctx, XDS_DIFF_LB_OUTERMOST_PARSED)
                           : XDS_EVERYONE;
}

xds_readers xds_lb_parsed_by(const struct xds_lb_walk *walk)
{
    return xds_lb_config_readers(walk) &
           (~xds_rejecting_since(walk->ctx, walk->first) |
            xds_who(walk->ctx, XDS_DIFF_LB_PARSED_WITH_FAULTS));
}

struct xds_slice xds_lb_parser_text(const struct xds_lb_walk *walk, struct xds_slice text)
{
    for (unsigned i = 0; i < walk->depth; i++)
        text = xds_arena_printf(walk->ctx->arena,
                                "errors validating xds_wrr_locality LB policy config: "
                                "[field:childPolicy error:%.*s]",
                                XDS_FMT(text));
    return text;
}

void xds_lb_config_check(const struct xds_lb_walk *walk, xds_readers readers,
                         enum xds_rule_id rule, struct xds_slice name,
                         const struct xds_tree *config)
{
    struct xds_ctx *ctx = walk->ctx;
    struct xds_slice texts[XDS_MAX_READERS] = {{NULL, 0}};
    xds_readers throwing = 0;

    readers &= ctx->live & xds_lb_parsed_by(walk);
    if (xds_slice_is(name, "priority_experimental") ||
        xds_slice_is(name, "cluster_impl_experimental"))
        xds_fire_for(ctx, XDS_AT(NULL, "load_balancing_policy"), readers,
                     XDS_R_LB_CONFIG_NO_PARSER, XDS_WITH(name));
    for (size_t r = 0; r < ctx->panel->n; r++) {
        if (!(readers >> r & 1u))
            continue;
        const struct xds_client_release *reader = &ctx->panel->reader[r];
        const struct xds_options options = xds_options_of(ctx, reader);
        struct xds_lb_judge judge = {
            .arena = ctx->arena, .options = &options, .client = reader->client};

        texts[r] = xds_lb_config_faults(&judge, name, config);
        if (judge.throws && walk->depth == 0)
            throwing |= (xds_readers)1 << r;
    }
    xds_fire_for(ctx, XDS_AT(NULL, "load_balancing_policy"), throwing,
                 XDS_R_LB_CONFIG_UNCAUGHT, XDS_WITH(name));
    for (size_t r = 0; r < ctx->panel->n; r++) {
        const struct xds_slice text = texts[r];
        xds_readers same = 0; /* parsers that say the same share a finding */

        for (size_t other = r; text.data && other < ctx->panel->n; other++) {
            if (!texts[other].data || !xds_slice_eq(texts[other], text))
                continue;
            same |= (xds_readers)1 << other;
            texts[other].data = NULL;
        }
        if (same)
            xds_fire_for(ctx, XDS_AT(NULL, "load_balancing_policy"), same, rule,
                         XDS_WITH(xds_lb_parser_text(walk, text), name));
    }
}

void xds_lb_config_read(const struct xds_lb_walk *walk, enum xds_lb_kind kind,
                        struct xds_slice name, const pb_struct *value,
                        struct xds_lb_policy *out)
{
    struct xds_arena *arena = walk->ctx->arena;
    const struct xds_tree config = xds_tree_of_struct(arena, value);
    struct xds_tree *kept = XDS_NEW(arena, struct xds_tree);

    *kept = xds_tree_copy(arena, &config);
    out->kind = kind;
    out->name = xds_arena_dup(arena, name);
    out->config = kept;
    read_config(arena, name, &config, out);
    xds_lb_config_check(walk, XDS_EVERYONE, XDS_R_LB_CONFIG, name, &config);
}
