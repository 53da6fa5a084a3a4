/*
 * route.c - envoy.config.route.v3.Route, and its filter overrides.
 *
 * Source: gRFC A28, A36, A39, spec listener 0.4, 5, 7.1.
 */
#include "rules/route_readers.h"

#include <stdlib.h>

#define PB_ACTION(name) ENVOY__CONFIG__ROUTE__V3__ROUTE__ACTION_##name

xds_readers xds_route_skip(struct xds_route *route, xds_readers who, const char *reason)
{
    if (who && !route->skip_reason)
        route->skip_reason = reason;
    route->skipped_by |= who;
    return who;
}

static int by_name(const void *left, const void *right)
{
    const struct xds_filter_config_entry *a = left, *b = right;

    return xds_slice_cmp(a->name, b->name);
}

/* Only binary input can repeat a key; then the last value counts. */
static size_t drop_repeated(struct xds_ctx *ctx, size_t n,
                            struct xds_filter_config_entry *entries)
{
    struct xds_strmap seen;
    size_t kept = 0;

    xds_strmap_init(&seen, ctx->arena);
    for (size_t i = 0; i < n; i++) {
        void **slot = xds_strmap_at(&seen, entries[i].name);

        if (!*slot)
            *slot = &entries[kept++];
        *(struct xds_filter_config_entry *)*slot = entries[i];
    }
    return kept;
}

void xds_override_map_read(struct xds_ctx *ctx, const struct xds_path *at, size_t n,
                           struct xds_filter_config_entry *entries,
                           struct xds_overrides *out)
{
    if (n > 1) {
        n = drop_repeated(ctx, n, entries);
        qsort(entries, n, sizeof *entries, by_name);
    }
    xds_overrides_read(ctx, at, n, entries, out);
}

/* The three messages that own such a map have an entry type each, all {key, value}: the
 * descriptor has the offsets of the two. */
static struct xds_filter_config_entry entry_of(const ProtobufCMessage *entry)
{
    const ProtobufCFieldDescriptor *fields = entry->descriptor->fields;
    const char *key;
    const pb_any *value;

    memcpy(&key, (const char *)entry + fields[0].offset, sizeof key);
    memcpy(&value, (const char *)entry + fields[1].offset, sizeof value);
    return (struct xds_filter_config_entry){xds_slice_of(key), value};
}

void xds_typed_per_filter_config_read(struct xds_ctx *ctx, const struct xds_path *at,
                                      size_t n, const void *map,
                                      struct xds_overrides *out)
{
    struct xds_filter_config_entry *entries;

    if (n == 0)
        return;
    entries = XDS_NEW_ARRAY(ctx->arena, struct xds_filter_config_entry, n);
    for (size_t i = 0; i < n; i++) {
        const ProtobufCMessage *entry;

        memcpy(&entry, (const char *)map + i * sizeof entry, sizeof entry);
        entries[i] = entry_of(entry);
    }
    xds_override_map_read(ctx, at, n, entries, out);
}

static void read_match(struct xds_ctx *ctx, const struct xds_path *at, const pb_route *pb,
                       struct xds_route *out)
{
    if (pb->match) {
        xds_route_match_read(ctx, at, pb->match, out);
        return;
    }
    xds_fire(ctx, at, XDS_R_ROUTE_MATCH_ABSENT);
    ctx->live &= ~xds_who(ctx, XDS_DIFF_ROUTE_ENDS_AT_BAD_PATH);
}

/* field NULL: no action is set. */
static void fire_unsupported(struct xds_ctx *ctx, const struct xds_path *at,
                             const char *field, xds_readers who)
{
    const struct xds_path *arm = XDS_AT(at, field);

    if (ctx->live & who)
        xds_fire_for(ctx, field ? arm : at, who, XDS_R_ROUTE_ACTION_UNSUPPORTED,
                     XDS_WITH(field
                                  ? xds_arena_printf(ctx->arena, "route action %s", field)
                                  : XDS_S("a route without action")));
}

static void read_unsupported(struct xds_ctx *ctx, const struct xds_path *at,
                             const char *field, struct xds_route *out)
{
    out->action = XDS_ACTION_UNSUPPORTED;
    out->action_field = field ? field : "action";
    fire_unsupported(ctx, at, field, XDS_EVERYONE);
}

static void read_action(struct xds_ctx *ctx, const struct xds_path *at,
                        const pb_route *pb, const struct xds_strmap *plugins,
                        struct xds_route *out)
{
    static const char *const unsupported[] = {
        [PB_ACTION(REDIRECT)] = "redirect",
        [PB_ACTION(DIRECT_RESPONSE)] = "direct_response",
        [PB_ACTION(FILTER_ACTION)] = "filter_action",
    };
    const size_t arm = (size_t)pb->action_case;

    if (pb->action_case == PB_ACTION(ROUTE)) {
        out->action_field = "route";
        xds_route_action_read(ctx, XDS_AT(at, "route"), pb->route, plugins, out);
    } else if (pb->action_case == PB_ACTION(NON_FORWARDING_ACTION)) {
        fire_unsupported(ctx, at, "non_forwarding_action",
                         xds_who(ctx, XDS_DIFF_NON_FORWARDING_UNKNOWN));
        out->action_field = "non_forwarding_action";
        out->action = XDS_ACTION_NON_FORWARDING;
        ctx->live &= ~xds_who(ctx, XDS_DIFF_NON_FORWARDING_OVERRIDES);
    } else {
        read_unsupported(ctx, at,
                         arm < XDS_ARRAY_LEN(unsupported) ? unsupported[arm] : NULL, out);
    }
}

void xds_route_read(struct xds_ctx *ctx, const struct xds_path *at, const pb_route *pb,
                    const struct xds_strmap *plugins, struct xds_route *out)
{
    const xds_readers live = ctx->live;

    out->name = xds_text(ctx, pb->name);
    read_match(ctx, XDS_AT(at, "match"), pb, out);
    read_action(ctx, at, pb, plugins, out);
    xds_typed_per_filter_config_read(ctx, at, pb->n_typed_per_filter_config,
                                     pb->typed_per_filter_config, &out->overrides);
    ctx->live = live;
}
