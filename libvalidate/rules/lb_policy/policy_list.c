/*
 * policy_list.c - choose from a LoadBalancingPolicy as the clients do: the first entry
 *                 that a client supports decides, whether its config is good or bad.
 *
 * Source: spec cluster 1.6; gRFC A52.
 */
#include "rules/lb_policy/lb_policy.h"

#define MAX_DEPTH 16
#define MAX_SHOWN 8 /* policies in one message */

static const struct xds_lb_converter *const converters[] = {
#define XDS_LB_CONVERTER(name) &xds_lb_##name,
#include "model/lb_policies.def"
};

/* The state of one scan. */
struct scan {
    const struct xds_lb_walk *walk;
    xds_readers searching; /* who has not decided yet */
};

static const struct xds_lb_converter *find_converter(struct xds_slice type)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(converters); i++)
        if (xds_slice_is(type, converters[i]->type->name))
            return converters[i];
    return NULL;
}

/* The readers that see the type in this URL. */
static xds_readers readers_of_type(const struct xds_ctx *ctx, const pb_any *any)
{
    const struct xds_slice url = xds_slice_of(any->type_url);
    const struct xds_slice prefix = XDS_S("type.googleapis.com/");

    if (xds_type_name(url).len == 0)
        return ~xds_who(ctx, XDS_DIFF_LB_TYPE_BARE);
    if (xds_slice_starts(url, prefix) &&
        xds_slice_eq(xds_slice_from(url, prefix.len), xds_type_name(url)))
        return XDS_EVERYONE;
    return ~xds_who(ctx, XDS_DIFF_LB_TYPE_PREFIX);
}

void xds_lb_choose(struct xds_arena *arena, struct xds_lb_choice *choice,
                   xds_readers readers, const struct xds_lb_policy *policy)
{
    struct xds_lb_policy *kept = XDS_NEW(arena, struct xds_lb_policy);

    *kept = *policy;
    for (unsigned client = 0; client < XDS_CLIENTS; client++)
        if (readers & XDS_CLIENT_BIT(client))
            choice->of[client] = kept;
}

static xds_readers having(const struct xds_ctx *ctx,
                          const struct xds_lb_converter *converter)
{
    const xds_readers readers = xds_panel_of(ctx->panel, converter->clients);
    xds_readers behind = converter->guarded ? readers : 0;

    if (converter->guards_some)
        behind &= xds_who(ctx, converter->guards_for);
    return readers & (~behind | xds_guarded_by(ctx, converter->guard));
}

/* They do so whatever policy it is of. */
static xds_readers converting_first(const struct xds_ctx *ctx)
{
    return xds_who(ctx, XDS_DIFF_LB_CONVERTED_FIRST);
}

static void refuse_bytes(struct xds_ctx *ctx, const struct xds_path *at,
                         const struct xds_lb_converter *converter)
{
    xds_fire_with(ctx, at, XDS_R_LB_LIST_UNDECODABLE,
                  XDS_WITH(xds_slice_of(converter->label)));
}

static void convert(struct scan *scan, const struct xds_lb_converter *converter,
                    const struct xds_extension *extension, xds_readers readers)
{
    struct xds_ctx *ctx = scan->walk->ctx;
    const xds_readers deciding = scan->searching & readers & having(ctx, converter);
    const xds_readers converting =
        scan->searching & readers & converting_first(ctx) & ~deciding;
    struct xds_lb_policy policy = {
        .kind = XDS_LB_OTHER,
        .wrr_locality = scan->walk->wrr_locality,
        .layers = scan->walk->depth,
        .from_typed_config = true,
    };

    ctx->live = converting;
    if (converting && converter->convert && extension->message)
        converter->convert(ctx, extension->at, extension->message);
    else if (converting && converter->convert)
        refuse_bytes(ctx, extension->at, converter);
    if (!deciding)
        return;
    ctx->live = deciding;
    if (extension->message || !converter->label)
        converter->read(scan->walk, extension->at, extension->message, &policy);
    else
        refuse_bytes(ctx, extension->at, converter);
    if (!converter->nests)
        xds_lb_choose(ctx->arena, scan->walk->choice, deciding, &policy);
    scan->searching &= ~deciding;
}

/* Which policy is below a locality layer depends on what each client has. */
static void choose_followed(const struct scan *scan, xds_readers deciding,
                            const struct xds_lb_policy *policy)
{
    struct xds_arena *arena = scan->walk->ctx->arena;

    for (enum xds_client c = 0; c < XDS_CLIENTS; c++) {
        struct xds_lb_policy own = *policy;

        if (!(deciding & XDS_CLIENT_BIT(c)))
            continue;
        xds_lb_config_follow(scan->walk->ctx->options, arena, c, &own);
        xds_lb_choose(arena, scan->walk->choice, XDS_CLIENT_BIT(c), &own);
    }
}

/* Both spellings of TypedStruct have the same two fields. False when it is none. */
static bool read_struct(const pb_any *any, const char **type, const pb_struct **value)
{
    const pb_xds_typed_struct *xds =
        xds_any_message(any, &xds__type__v3__typed_struct__descriptor);
    const pb_udpa_typed_struct *udpa =
        xds_any_message(any, &udpa__type__v1__typed_struct__descriptor);

    if (xds) {
        *type = xds->type_url;
        *value = xds->value;
    } else if (udpa) {
        *type = udpa->type_url;
        *value = udpa->value;
    }
    return xds || udpa;
}

/* Those that have a policy of this name. */
static xds_readers registered_with(const struct xds_ctx *ctx, struct xds_slice name,
                                   enum xds_lb_kind *kind)
{
    xds_readers who =
        xds_panel_of(ctx->panel, xds_lb_registered(ctx->options, name, kind));

    for (size_t r = XDS_CLIENTS; r < ctx->panel->n; r++) {
        const struct xds_client_release *reader = &ctx->panel->reader[r];
        const struct xds_options options = xds_options_of(ctx, reader);

        who &= ~((xds_readers)1 << r);
        if (xds_lb_registered(&options, name, kind) & XDS_CLIENT_BIT(reader->client))
            who |= (xds_readers)1 << r;
    }
    return who;
}

/* These decide for it, and then have no converter. */
static void refuse_property(struct scan *scan, const struct xds_path *at,
                            struct xds_slice name, xds_readers who)
{
    scan->walk->ctx->live = scan->searching & who;
    xds_fire_with(scan->walk->ctx, at, XDS_R_LB_LIST_PROPERTY, XDS_WITH(name));
    scan->searching &= ~who;
}

/* The JSON of a policy that the live readers have, or convert all the same. */
static void check_json(struct xds_ctx *ctx, const struct xds_path *at,
                       struct xds_slice type, const pb_struct *value)
{
    const char *fault = xds_struct_fault(value);

    if (fault)
        xds_fire_for(ctx, at,
                     (xds_struct_lacks_kind(value)
                          ? ~xds_who(ctx, XDS_DIFF_LB_STRUCT_KIND_ANY)
                          : 0) |
                         (xds_struct_has_infinity(value)
                              ? ~xds_who(ctx, XDS_DIFF_LB_STRUCT_NUMBER_ANY)
                              : 0),
                     XDS_R_LB_LIST_STRUCT_JSON, XDS_WITH(type, xds_slice_of(fault)));
}

static void refuse_without_value(struct scan *scan, const struct xds_path *at,
                                 const pb_any *any, struct xds_slice name)
{
    struct xds_ctx *ctx = scan->walk->ctx;

    ctx->live = scan->searching & readers_of_type(ctx, any) &
                xds_who(ctx, XDS_DIFF_LB_STRUCT_VALUE_FIRST);
    xds_fire_with(ctx, at, XDS_R_LB_LIST_STRUCT_VALUE, XDS_WITH(name));
    scan->searching &= ~ctx->live;
}

static void read_typed_struct(struct scan *scan, const struct xds_path *at,
                              const pb_any *any, const struct xds_extension *extension)
{
    struct xds_ctx *ctx = scan->walk->ctx;
    const xds_readers readers = readers_of_type(ctx, any);
    const pb_struct *value = NULL;
    const char *type;
    enum xds_lb_kind kind = XDS_LB_OTHER;
    struct xds_lb_policy policy = {
        .wrr_locality = scan->walk->wrr_locality,
        .layers = scan->walk->depth,
        .from_typed_config = true,
    };

    (void)read_struct(any, &type, &value);
    if (!value)
        refuse_without_value(scan, at, any, extension->type);

    if (xds_is_object_property(extension->type)) {
        const xds_readers who = xds_who(ctx, XDS_DIFF_NAMES_OF_OBJECT) & readers;

        /* Below another policy such a name is converted, but not looked up again. */
        ctx->live = scan->searching & who;
        if (scan->walk->depth == 0)
            refuse_property(scan, at, extension->type, who);
        else
            check_json(ctx, extension->at, extension->type, value);
        scan->searching &= ~who;
    }

    const xds_readers deciding =
        scan->searching & readers & registered_with(ctx, extension->type, &kind);

    ctx->live = deciding | (scan->searching & readers & converting_first(ctx));
    check_json(ctx, extension->at, extension->type, value);
    if (!deciding)
        return;
    ctx->live = deciding;
    xds_lb_config_read(scan->walk, kind, extension->type, value, &policy);
    if (kind == XDS_LB_OTHER)
        choose_followed(scan, deciding, &policy);
    else
        xds_lb_choose(ctx->arena, scan->walk->choice, deciding, &policy);
    scan->searching &= ~deciding;
}

/* A TypedStruct whose type_url is empty is read for its value all the same. */
static void refuse_nameless(struct scan *scan, const struct xds_path *at,
                            const pb_any *any)
{
    const pb_struct *value = NULL;
    const char *type;

    if (any && read_struct(any, &type, &value) && *type == '\0' && !value)
        refuse_without_value(scan, at, any, XDS_S(""));
}

static void read_entry(struct scan *scan, const struct xds_path *at,
                       const pb_load_balancing_policy_policy *pb)
{
    const struct xds_path *here = XDS_AT(at, "typed_extension_config");
    const struct xds_path *config_at = XDS_AT(here, "typed_config");
    struct xds_ctx *ctx = scan->walk->ctx;
    struct xds_extension extension;

    ctx->live = scan->searching;
    if (!pb->typed_extension_config) {
        scan->searching = xds_fire_skip(ctx, at, XDS_R_LB_LIST_ENTRY, NULL);
        return;
    }

    const pb_any *any = pb->typed_extension_config->typed_config;

    if (any && xds_is_object_property(xds_slice_of(any->type_url)))
        refuse_property(scan, config_at, xds_slice_of(any->type_url),
                        xds_who(ctx, XDS_DIFF_NAMES_OF_OBJECT));
    else if (any && strcmp(any->type_url, xds_lb_wrr_locality.type->name) == 0)
        refuse_property(scan, config_at, xds_slice_of(any->type_url),
                        xds_who(ctx, XDS_DIFF_LB_LOCALITY_BARE));
    ctx->live =
        scan->searching & ~(any ? 0 : xds_who(ctx, XDS_DIFF_LB_ENTRY_UNTYPED_SKIPPED));
    /* Those that know it as a TypedStruct reject one that cannot be decoded. */
    const bool is_struct =
        any && xds_is_typed_struct(xds_type_name(xds_slice_of(any->type_url)));
    const bool is_broken = is_struct && xds_any_of(any)->state == XDS_ANY_UNDECODABLE;

    if (is_struct)
        ctx->live &= readers_of_type(ctx, any);
    if (!xds_extension_read(ctx, config_at, any, !is_broken, &extension) || !any) {
        /* A TypedStruct that names no type. */
        const pb_struct *value = NULL;
        const char *type;

        if (any && read_struct(any, &type, &value) && value)
            check_json(XDS_AMONG(ctx, converting_first(ctx)), config_at,
                       xds_slice_of(type), value);
        scan->searching &= extension.skipped_by | ~ctx->live;
        refuse_nameless(scan, config_at, any);
        return;
    }
    if (extension.typed_struct) {
        read_typed_struct(scan, config_at, any, &extension);
        return;
    }

    const struct xds_lb_converter *converter = find_converter(extension.type);

    if (converter)
        convert(scan, converter, &extension, readers_of_type(ctx, any));
}

/* The last part of a type name. */
static const char *short_name(const pb_any *any)
{
    const char *name = any ? any->type_url : "an entry without typed_config";
    const pb_struct *value;

    if (any)
        (void)read_struct(any, &name, &value);
    for (const char *c = name; *c; c++)
        if ((*c == '.' || *c == '/') && c[1] != '\0')
            name = c + 1;
    return name;
}

/* "has only Maglev, Random": the list in which no policy was found. */
static struct xds_slice contents(struct xds_arena *arena,
                                 const pb_load_balancing_policy *pb)
{
    const size_t n = pb ? pb->n_policies : 0;
    struct xds_slice text = XDS_S("is empty");

    for (size_t i = 0; i < n && i < MAX_SHOWN; i++) {
        const pb_typed_extension_config *config = pb->policies[i]->typed_extension_config;

        text = xds_arena_printf(arena, "%.*s %s", XDS_FMT(i ? text : XDS_S("has only")),
                                short_name(config ? config->typed_config : NULL));
        if (i + 1 < n)
            text = xds_arena_printf(arena, "%.*s,", XDS_FMT(text));
    }
    return n > MAX_SHOWN ? xds_arena_printf(arena, "%.*s and %zu more", XDS_FMT(text),
                                            n - MAX_SHOWN)
                         : text;
}

void xds_lb_list_read(const struct xds_lb_walk *walk, const struct xds_path *at,
                      const pb_load_balancing_policy *pb)
{
    struct xds_lb_walk own = *walk;
    struct xds_ctx *ctx = own.ctx = XDS_AMONG(walk->ctx, XDS_EVERYONE);
    struct scan scan = {&own, ctx->live};

    if (walk->depth >= MAX_DEPTH) {
        const xds_readers refuse = walk->depth > MAX_DEPTH
                                       ? XDS_EVERYONE
                                       : ~xds_who(ctx, XDS_DIFF_LB_DEPTH_ONE_MORE);

        xds_fire_for(ctx, at, refuse, XDS_R_LB_LIST_DEPTH, NULL);
        scan.searching &= ~refuse;
    }
    for (size_t i = 0; pb && i < pb->n_policies && scan.searching; i++)
        read_entry(&scan, XDS_AT_I(at, "policies", i), pb->policies[i]);
    ctx->live = scan.searching;
    if (scan.searching)
        xds_fire_with(ctx, at, XDS_R_LB_LIST_NONE, XDS_WITH(contents(ctx->arena, pb)));
}
