/*
 * registry_rls.c - what the RLS policy asks of its JSON.
 *
 * Takes:  a RouteLookupConfig as proto3 JSON, a list of child policies, and the member of
 *         a child's config that takes the target. A cluster specifier plugin comes here
 *         too, once its message is JSON (rules/route_lookup_config.c).
 * Gives:  the schema for core, go and java.
 * Source: spec cluster 1.7, spec CP10; route_lookup_config.proto.
 *
 * Times beyond five minutes and caches beyond 5 MiB are cut down, a staleAge above maxAge
 * too: none of that is a fault.
 */
#include <float.h>

#include "base/strmap.h"
#include "rules/lb_policy/registry_schema.h"
#include "rules/target_uri.h"

/* Texts and lists that are there may not be empty. Of what a message holds an empty one
 * never gets into the JSON. */
static void refuse_empty(struct xds_lb_scope *scope, const struct xds_path *at,
                         const struct xds_tree *object, const char *key, unsigned clients,
                         const char *message)
{
    const struct xds_tree *value = xds_lb_member(scope, object, key);

    if (!value || !xds_lb_judged_by(scope, clients))
        return;
    if ((value->kind == XDS_TREE_STRING && value->text.len == 0) ||
        (value->kind == XDS_TREE_ARRAY && value->n == 0))
        xds_lb_fault(scope, XDS_AT(at, key), xds_slice_of(message));
}

/* The member, or an empty value when it is of another kind. */
static struct xds_tree member_of(const struct xds_lb_scope *scope,
                                 const struct xds_tree *object, const char *key,
                                 enum xds_tree_kind kind)
{
    const struct xds_tree *value = xds_lb_member(scope, object, key);

    return value && value->kind == kind ? *value : (struct xds_tree){.kind = kind};
}

/* ---- the keys of a key builder ------------------------------------------------------
 */

/* Which list of a key builder a key was seen in first. */
enum key_list { HEADER_KEY, CONSTANT_KEY, EXTRA_KEY };

struct keys {
    struct xds_lb_scope *scope;
    struct xds_strmap seen; /* key -> enum key_list * */
};

/* go compares the extra keys with the other lists only, java with neither. */
static unsigned who_minds(enum key_list first, enum key_list list)
{
    if (first == EXTRA_KEY)
        return C_ONLY;
    return list == EXTRA_KEY ? C_GO : C_GO_JAVA;
}

/* An empty key is a matter of its own list, and a map holds a key once, however often its
 * bytes repeat it. */
static void check_key(struct keys *keys, const struct xds_path *at, struct xds_slice key,
                      enum key_list list)
{
    if (key.len == 0)
        return;
    void **slot = xds_strmap_at(&keys->seen, key);
    enum key_list *first = *slot;

    if (!first) {
        *slot = first = XDS_NEW(keys->seen.arena, enum key_list);
        *first = list;
        return;
    }
    if ((*first != CONSTANT_KEY || list != CONSTANT_KEY) &&
        xds_lb_judged_by(keys->scope, who_minds(*first, list)))
        xds_lb_fault(keys->scope, at, xds_lb_quoted(keys->scope, "duplicate key", key));
}

static void check_constant_keys(struct keys *keys, const struct xds_path *at,
                                const struct xds_tree *constants)
{
    for (size_t i = 0; i < constants->n; i++) {
        const struct xds_tree *constant = &constants->items[i];
        const struct xds_path *here =
            XDS_AT_KEY(at, "constantKeys", xds_lb_shown_key(keys->scope, constant->key));

        if (constant->kind != XDS_TREE_STRING && xds_lb_judged_by(keys->scope, C_GO))
            xds_lb_fault(keys->scope, here, XDS_S("is not a string"));
        if (constant->key.len == 0 && xds_lb_judged_by(keys->scope, C_GO))
            xds_lb_fault(keys->scope, here, XDS_S("key must be non-empty"));
        check_key(keys, here, constant->key, CONSTANT_KEY);
    }
}

static void check_keys(struct xds_lb_scope *scope, const struct xds_path *at,
                       const struct xds_tree *builder)
{
    static const char *const extra[] = {"host", "service", "method"};
    const struct xds_tree headers = member_of(scope, builder, "headers", XDS_TREE_ARRAY);
    const struct xds_tree constants =
        member_of(scope, builder, "constantKeys", XDS_TREE_OBJECT);
    const struct xds_tree extras =
        member_of(scope, builder, "extraKeys", XDS_TREE_OBJECT);
    struct keys keys = {.scope = scope};

    xds_strmap_init(&keys.seen, scope->judge->arena);
    for (size_t i = 0; i < headers.n; i++)
        check_key(&keys, XDS_AT(XDS_AT_I(at, "headers", i), "key"),
                  member_of(scope, &headers.items[i], "key", XDS_TREE_STRING).text,
                  HEADER_KEY);
    check_constant_keys(&keys, at, &constants);
    for (size_t i = 0; i < XDS_ARRAY_LEN(extra); i++)
        check_key(&keys, XDS_AT(XDS_AT(at, "extraKeys"), extra[i]),
                  member_of(scope, &extras, extra[i], XDS_TREE_STRING).text, EXTRA_KEY);
}

/* ---- a key builder ------------------------------------------------------------------
 */

static const struct xds_lb_field name_fields[] = {
    {.name = "service",
     .kind = XDS_LB_FIELD_STRING,
     .readers = C_GO_JAVA,
     .required_by = C_GO_JAVA},
    {.name = "method", .kind = XDS_LB_FIELD_STRING, .readers = C_GO_JAVA},
};

static void check_name(struct xds_lb_scope *scope, const struct xds_path *at,
                       const struct xds_tree *name)
{
    refuse_empty(scope, at, name, "service", GO_JAVA, "must be non-empty");
}

static const struct xds_lb_schema name_schema = {XDS_LB_FIELDS(name_fields),
                                                 .check = check_name};

/* go does not mind a header matcher that names no header. */
static const struct xds_lb_field header_fields[] = {
    {.name = "key",
     .kind = XDS_LB_FIELD_STRING,
     .readers = C_GO_JAVA,
     .required_by = C_GO_JAVA},
    {.name = "names",
     .kind = XDS_LB_FIELD_STRINGS,
     .readers = C_GO,
     .required_by = C_ONLY},
};

/* To C-core the member may not stand there at all. */
static void check_required_match(struct xds_lb_scope *scope, const struct xds_path *at,
                                 const struct xds_tree *header)
{
    const struct xds_tree *match = xds_lb_member(scope, header, "requiredMatch");
    const bool is_on = match && match->kind == XDS_TREE_BOOL && match->truth;

    if (is_on || (match && xds_lb_judged_by(scope, C_ONLY)))
        xds_lb_fault(scope, XDS_AT(at, "requiredMatch"), XDS_S("must not be present"));
}

static void check_header(struct xds_lb_scope *scope, const struct xds_path *at,
                         const struct xds_tree *header)
{
    const struct xds_tree names = member_of(scope, header, "names", XDS_TREE_ARRAY);

    refuse_empty(scope, at, header, "key", C_GO, "must be non-empty");
    refuse_empty(scope, at, header, "names", C_ONLY, "must be non-empty");
    for (size_t i = 0; i < names.n && xds_lb_judged_by(scope, C_ONLY); i++)
        if (names.items[i].kind == XDS_TREE_STRING && names.items[i].text.len == 0)
            xds_lb_fault(scope, XDS_AT_I(at, "names", i), XDS_S("must be non-empty"));
    check_required_match(scope, at, header);
}

static const struct xds_lb_schema header_schema = {XDS_LB_FIELDS(header_fields),
                                                   .check = check_header};

static const struct xds_lb_field extra_fields[] = {
    {.name = "host", .kind = XDS_LB_FIELD_STRING, .readers = C_GO},
    {.name = "service", .kind = XDS_LB_FIELD_STRING, .readers = C_GO},
    {.name = "method", .kind = XDS_LB_FIELD_STRING, .readers = C_GO},
};

static void check_extra(struct xds_lb_scope *scope, const struct xds_path *at,
                        const struct xds_tree *extra)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(extra_fields); i++)
        refuse_empty(scope, at, extra, extra_fields[i].name, C_ONLY,
                     "must be non-empty if set");
}

static const struct xds_lb_schema extra_schema = {XDS_LB_FIELDS(extra_fields),
                                                  .check = check_extra};

static const struct xds_lb_field builder_fields[] = {
    {.name = "names",
     .kind = XDS_LB_FIELD_OBJECTS,
     .readers = C_GO_JAVA,
     .required_by = C_GO_JAVA,
     .schema = &name_schema},
    {.name = "headers",
     .kind = XDS_LB_FIELD_OBJECTS,
     .readers = C_GO_JAVA,
     .schema = &header_schema},
    {.name = "extraKeys",
     .kind = XDS_LB_FIELD_OBJECT,
     .readers = C_GO,
     .schema = &extra_schema},
};

static void check_builder(struct xds_lb_scope *scope, const struct xds_path *at,
                          const struct xds_tree *builder)
{
    const struct xds_tree *constants = xds_lb_member(scope, builder, "constantKeys");

    refuse_empty(scope, at, builder, "names", C_GO_JAVA, "must be non-empty");
    if (constants && constants->kind != XDS_TREE_OBJECT &&
        constants->kind != XDS_TREE_NULL)
        xds_lb_fault(scope, XDS_AT(at, "constantKeys"), XDS_S("is not an object"));
    check_keys(scope, at, builder);
}

static const struct xds_lb_schema builder_schema = {XDS_LB_FIELDS(builder_fields),
                                                    .check = check_builder};

/* ---- all key builders ---------------------------------------------------------------
 */

static const struct xds_lb_field builders_fields[] = {
    {.name = "grpcKeybuilders",
     .kind = XDS_LB_FIELD_OBJECTS,
     .readers = C_GO_JAVA,
     .required_by = C_GO_JAVA,
     .schema = &builder_schema},
};

/* C-core alone takes a list without one. */
static void check_any_builder(struct xds_lb_scope *scope, const struct xds_path *at,
                              const struct xds_tree *config)
{
    refuse_empty(scope, at, config, "grpcKeybuilders", XDS_GRFC | GO_JAVA,
                 "must be non-empty");
}

static const struct xds_lb_schema builders_schema = {XDS_LB_FIELDS(builders_fields),
                                                     .check = check_any_builder};

/* Paths are shared by all key builders. A path that repeats is marked with the builder
 * that repeats it, and named once per builder. */
static void check_paths(struct xds_lb_scope *scope, const struct xds_path *at,
                        const struct xds_tree *builder, struct xds_strmap *paths)
{
    const struct xds_tree names = member_of(scope, builder, "names", XDS_TREE_ARRAY);
    struct xds_arena *arena = scope->judge->arena;
    size_t named = 0;

    for (size_t i = 0; i < names.n; i++) {
        const struct xds_tree *name = &names.items[i];
        const struct xds_slice path = xds_arena_printf(
            arena, "/%.*s/%.*s",
            XDS_FMT(member_of(scope, name, "service", XDS_TREE_STRING).text),
            XDS_FMT(member_of(scope, name, "method", XDS_TREE_STRING).text));
        void **owner = xds_strmap_at(paths, path);

        if (!*owner) {
            *owner = (void *)(uintptr_t)name;
        } else if (*owner != builder && named++ < XDS_ERRORS_PER_FIELD) {
            *owner = (void *)(uintptr_t)builder;
            xds_lb_fault(scope, at, xds_lb_quoted(scope, "duplicate entry for", path));
        }
    }
}

/* C-core compares the paths only when nothing else is wrong with the key builders, go and
 * java always do. */
static void check_builders(struct xds_lb_scope *scope, const struct xds_path *at,
                           const struct xds_tree *config)
{
    const size_t before = scope->judge->n_faults;
    const struct xds_tree builders =
        member_of(scope, config, "grpcKeybuilders", XDS_TREE_ARRAY);
    struct xds_strmap paths;

    xds_lb_object_read(scope, at, &builders_schema, config);
    if (scope->judge->n_faults > before && xds_lb_judged_by(scope, C_ONLY))
        return;
    xds_strmap_init(&paths, scope->judge->arena);
    for (size_t i = 0; i < builders.n; i++)
        check_paths(scope, XDS_AT_I(at, "grpcKeybuilders", i), &builders.items[i],
                    &paths);
}

/* ---- the RouteLookupConfig ----------------------------------------------------------
 */

/* java has a cache size of its own. */
static const struct xds_lb_field lookup_fields[] = {
    {.name = "lookupService",
     .kind = XDS_LB_FIELD_STRING,
     .readers = C_GO_JAVA,
     .required_by = C_GO_JAVA},
    {.name = "lookupServiceTimeout", .kind = XDS_LB_FIELD_DURATION, .readers = C_GO_JAVA},
    {.name = "maxAge", .kind = XDS_LB_FIELD_DURATION, .readers = C_GO_JAVA},
    {.name = "staleAge", .kind = XDS_LB_FIELD_DURATION, .readers = C_GO_JAVA},
    {.name = "cacheSizeBytes",
     .kind = XDS_LB_FIELD_INT64,
     .readers = C_GO_JAVA,
     .required_by = C_GO},
    {.name = "defaultTarget", .kind = XDS_LB_FIELD_STRING, .readers = C_GO_JAVA},
};
static const struct xds_lb_bound lookup_bounds[] = {
    {"cacheSizeBytes", NULL, C_GO_JAVA, 1, DBL_MAX, "must be greater than 0"},
};

/* go takes a staleAge of zero for not set. */
static void check_ages(struct xds_lb_scope *scope, const struct xds_path *at,
                       const struct xds_tree *config)
{
    const struct xds_tree *stale = xds_lb_member(scope, config, "staleAge");
    double seconds;

    if (!stale || xds_lb_member(scope, config, "maxAge") ||
        xds_lb_number(scope->judge, XDS_LB_FIELD_DURATION, stale, &seconds))
        return;
    if (xds_lb_judged_by(scope, C_ONLY | XDS_JAVA) || seconds < 0 || seconds > 0)
        xds_lb_fault(scope, XDS_AT(at, "maxAge"),
                     XDS_S("must be set if staleAge is set"));
}

static void check_lookup_service(struct xds_lb_scope *scope, const struct xds_path *at,
                                 const struct xds_tree *config)
{
    const struct xds_tree *service = xds_lb_member(scope, config, "lookupService");
    struct xds_arena *arena = scope->judge->arena;

    refuse_empty(scope, at, config, "lookupService", GO_JAVA, "must be non-empty");
    if (service && service->kind == XDS_TREE_STRING && xds_lb_judged_by(scope, C_ONLY) &&
        !xds_target_uri_valid(arena, xds_arena_dup(arena, service->text).data))
        xds_lb_fault(scope, XDS_AT(at, "lookupService"),
                     XDS_S("must be valid gRPC target URI"));
}

static void check_lookup(struct xds_lb_scope *scope, const struct xds_path *at,
                         const struct xds_tree *config)
{
    check_builders(scope, at, config);
    check_lookup_service(scope, at, config);
    check_ages(scope, at, config);
    refuse_empty(scope, at, config, "defaultTarget", C_ONLY, "must be non-empty if set");
}

static const struct xds_lb_schema lookup_schema = {
    XDS_LB_FIELDS(lookup_fields), XDS_LB_BOUNDS(lookup_bounds), .check = check_lookup};

static const struct xds_lb_field lookup_holder_fields[] = {
    {.name = "routeLookupConfig",
     .kind = XDS_LB_FIELD_OBJECT,
     .readers = C_GO_JAVA,
     .required_by = C_GO_JAVA,
     .schema = &lookup_schema},
};
static const struct xds_lb_schema lookup_holder = {XDS_LB_FIELDS(lookup_holder_fields)};

/* go reads this member as a message, and so under both spellings of each field. */
static void read_lookup(struct xds_lb_scope *scope, const struct xds_path *at,
                        const struct xds_tree *config)
{
    struct xds_lb_judge judge = *scope->judge;
    struct xds_lb_scope inner = {&judge, scope->errors};

    judge.both_spellings |= xds_lb_judged_by(scope, XDS_GO);
    xds_lb_object_read(&inner, at, &lookup_holder, config);
    scope->judge->n_faults = judge.n_faults;
}

/* ---- the child policy ---------------------------------------------------------------
 */

static const char target_key[] = "childPolicyConfigTargetFieldName";

/* {NAME: CONFIG} with the target in CONFIG. */
static struct xds_tree told_target(struct xds_arena *arena, const struct xds_tree *entry,
                                   struct xds_slice field)
{
    const struct xds_tree *policy = entry->items;
    struct xds_tree config = xds_tree_object(), out = xds_tree_object();

    for (size_t i = 0; i < policy->n; i++)
        xds_tree_put_key(arena, &config, policy->items[i].key, policy->items[i]);
    xds_tree_put_key(arena, &config, field, xds_tree_text("target"));
    xds_tree_put_key(arena, &out, policy->key, config);
    return out;
}

/* Each child is asked about its config as it will be, with a target in it. */
static struct xds_tree told_targets(const struct xds_lb_scope *scope,
                                    const struct xds_tree *list,
                                    const struct xds_tree *config)
{
    const struct xds_slice field =
        member_of(scope, config, target_key, XDS_TREE_STRING).text;
    struct xds_arena *arena = scope->judge->arena;
    struct xds_tree out = xds_tree_array();

    for (size_t i = 0; i < list->n; i++)
        xds_tree_add(arena, &out,
                     xds_lb_entry_fault(&list->items[i]).data
                         ? list->items[i]
                         : told_target(arena, &list->items[i], field));
    return out;
}

/* java looks into the config of the child only once it is in use. */
static void check_children(struct xds_lb_scope *scope, const struct xds_path *at,
                           const struct xds_tree *config)
{
    const struct xds_tree *list = xds_lb_member(scope, config, "childPolicy");
    struct xds_slice fault = XDS_S("field not present");

    if (list && list->kind == XDS_TREE_ARRAY && !xds_lb_judged_by(scope, XDS_JAVA)) {
        const struct xds_tree told = told_targets(scope, list, config);

        xds_lb_policies_read(scope, at, "childPolicy", &told);
        return;
    }
    if (!list || !xds_lb_list_choose(scope->judge, list, &fault))
        xds_lb_fault(scope, XDS_AT(at, "childPolicy"), fault);
}

static const struct xds_lb_field rls_fields[] = {
    {.name = target_key,
     .kind = XDS_LB_FIELD_STRING,
     .readers = C_GO_JAVA,
     .required_by = C_GO_JAVA},
};

static void check_rls(struct xds_lb_scope *scope, const struct xds_path *at,
                      const struct xds_tree *config)
{
    read_lookup(scope, at, config);
    refuse_empty(scope, at, config, target_key, C_GO_JAVA, "must be non-empty");
    check_children(scope, at, config);
}

const struct xds_lb_schema xds_lb_schema_rls = {XDS_LB_FIELDS(rls_fields),
                                                .check = check_rls};
