/*
 * registry.c - the LB policies that a TypedStruct names, and what the parsers of the
 *              clients say against configs.
 *
 * Takes:  a policy's name and its config as a Struct, NULL when it has none.
 * Gives:  the model: the policies whose picks we can follow by kind, others by name.
 * Fires:  the row of registry.def, once for each text that parsers have.
 * Source: spec cluster 1.6, 1.7; gRFC A24, A52.
 */
#include "rules/lb_policy/lb_policy.h"

/* ---- the model --------------------------------------------------------------------- */

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

/* node spells its own names its own way, and has no request_hash_header. */
static void read_ring_hash(struct xds_arena *arena, const struct xds_tree *config,
                           unsigned clients, struct xds_lb_policy *out)
{
    const bool node = clients == XDS_NODE;
    const char *min_key = node ? "min_ring_size" : "minRingSize";
    const char *max_key = node ? "max_ring_size" : "maxRingSize";
    const struct xds_tree *header = xds_tree_member(config, "requestHashHeader");

    out->min_ring_size = number_of(xds_tree_member(config, min_key), XDS_RING_SIZE_MAX,
                                   XDS_RING_SIZE_MIN_DEFAULT);
    out->max_ring_size =
        number_of(xds_tree_member(config, max_key), XDS_RING_SIZE_MAX, XDS_RING_SIZE_CAP);
    if (!node && header && header->kind == XDS_TREE_STRING)
        out->request_hash_header = xds_arena_dup(arena, header->text);
}

static void read_config(struct xds_arena *arena, const struct xds_tree *config,
                        unsigned clients, struct xds_lb_policy *out)
{
    const struct xds_tree *shuffle;

    switch (out->kind) {
    case XDS_LB_RING_HASH:
        read_ring_hash(arena, config, clients, out);
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

/* ---- below the locality layer ------------------------------------------------------ */

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
static const struct xds_tree *choose(const struct xds_tree *list, enum xds_client client,
                                     enum xds_lb_kind *kind)
{
    for (size_t i = 0; i < list->n; i++) {
        const struct xds_tree *entry = &list->items[i];

        if (entry->n == 1 &&
            (xds_lb_registered(entry->items->key, kind) & XDS_CLIENT_BIT(client)))
            return entry->items;
    }
    return NULL;
}

void xds_lb_config_follow(struct xds_arena *arena, enum xds_client client,
                          struct xds_lb_policy *policy)
{
    const struct xds_tree *config = policy->config, *list;
    struct xds_slice name = policy->name;

    while ((list = list_below(name, config)) != NULL) {
        policy->wrr_locality = true;
        config = choose(list, client, &policy->kind);
        if (!config) /* and so the client has refused it */
            return;
        name = config->key;
    }
    if (config != policy->config)
        read_config(arena, config, XDS_CLIENT_BIT(client), policy);
}

/* ---- what parsers say ----------------------------------------------------------------
 */

unsigned xds_lb_parsed_by(const struct xds_lb_walk *walk, unsigned clients)
{
    const struct xds_report *report = walk->ctx->report;

    if (xds_rejects_since(report, walk->first, XDS_CLIENT_GRFC))
        clients &= ~XDS_GRFC;
    if (xds_rejects_since(report, walk->first, XDS_CLIENT_CORE))
        clients &= ~XDS_CORE;
    return walk->depth > 0 ? clients & ~XDS_NODE : clients;
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

/* Parsers that say the same share a finding. */
static void report_faults(const struct xds_lb_walk *walk,
                          struct xds_slice texts[XDS_CLIENTS])
{
    for (unsigned first = 0; first < XDS_CLIENTS; first++) {
        const struct xds_slice text = texts[first];
        unsigned clients = 0;

        for (unsigned c = first; text.data && c < XDS_CLIENTS; c++) {
            if (!texts[c].data || !xds_slice_eq(texts[c], text))
                continue;
            clients |= XDS_CLIENT_BIT(c);
            texts[c].data = NULL;
        }
        if (clients)
            xds_fire_for(walk->ctx, XDS_AT(NULL, "load_balancing_policy"), clients,
                         XDS_R_LB_CONFIG, "%.*s",
                         XDS_FMT(xds_lb_parser_text(walk, text)));
    }
}

static void judge(const struct xds_lb_walk *walk, struct xds_slice name,
                  const struct xds_tree *config)
{
    const struct xds_ctx *ctx = walk->ctx;
    const unsigned clients = xds_lb_parsed_by(walk, ctx->live);
    struct xds_slice texts[XDS_CLIENTS] = {{NULL, 0}};

    for (unsigned c = 0; c < XDS_CLIENTS; c++) {
        struct xds_lb_judge judge = {
            .arena = ctx->arena, .options = ctx->options, .client = (enum xds_client)c};

        if (clients & XDS_CLIENT_BIT(c))
            texts[c] = xds_lb_config_faults(&judge, name, config);
    }
    report_faults(walk, texts);
}

void xds_lb_config_read(const struct xds_lb_walk *walk, enum xds_lb_kind kind,
                        struct xds_slice name, const pb_struct *value,
                        struct xds_lb_policy *out)
{
    const struct xds_tree config = xds_tree_of_struct(walk->ctx->arena, value);

    struct xds_tree *kept = XDS_NEW(walk->ctx->arena, struct xds_tree);

    *kept = xds_tree_copy(walk->ctx->arena, &config);
    out->kind = kind;
    out->name = xds_arena_dup(walk->ctx->arena, name);
    out->config = kept;
    read_config(walk->ctx->arena, &config, walk->ctx->live, out);
    judge(walk, name, &config);
}
