/*
 * registry_rls.c - what the RLS policy asks of its JSON.
 *
 * Source: spec cluster 1.7, spec CP10; route_lookup_config.proto.
 *
 * Times beyond five minutes and caches beyond 5 MiB are cut down, a staleAge above maxAge
 * too: none of that is a fault.
 */
#include <float.h>

#include "rules/lb_policy/registry.h"
#include "rules/inner.h"

#define NOT_EMPTY "must be non-empty"
#define NOT_EMPTY_IF_SET "must be non-empty if set"

/* The member, or an empty value when it is of another kind. */
static struct xds_tree member_of(const struct xds_lb_scope *scope,
                                 const struct xds_tree *object, const char *key,
                                 enum xds_tree_kind kind)
{
    const struct xds_tree *value = xds_lb_member(scope, object, key);

    return value && value->kind == kind ? *value : (struct xds_tree){.kind = kind};
}

/* ---- the keys of a key builder ---- */

/* Which list of a key builder a key was seen in first. */
enum key_list { HEADER_KEY, CONSTANT_KEY, EXTRA_KEY };

struct keys {
    struct xds_lb_scope *scope;
    struct xds_strmap seen; /* key -> enum key_list * */
};

static bool is_compared(const struct xds_lb_scope *scope, enum key_list first,
                        enum key_list list)
{
    if (first == EXTRA_KEY)
        return !xds_lb_differs(scope, XDS_DIFF_RLS_EXTRA_KEYS_DISTINCT);
    return list != EXTRA_KEY || !xds_lb_differs(scope, XDS_DIFF_RLS_EXTRA_KEYS_UNREAD);
}

/* Each list reports its own empty keys, and a map holds a key once, however often its
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
        is_compared(keys->scope, *first, list))
        xds_lb_fault(keys->scope, at, xds_lb_quoted(keys->scope, "duplicate key", key));
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
    const bool as_others = xds_lb_differs(scope, XDS_DIFF_RLS_KEY_EMPTY);
    bool empty_taken = !as_others;

    for (size_t i = 0; i < XDS_ARRAY_LEN(extra); i++)
        empty_taken |= member_of(scope, &extras, extra[i], XDS_TREE_STRING).text.len == 0;

    xds_strmap_init(&keys.seen, scope->judge->arena);
    /* java compares with the names of the extra keys, not with what they are set to. */
    if (xds_lb_differs(scope, XDS_DIFF_RLS_EXTRA_KEYS_UNREAD))
        for (size_t i = 0; i < XDS_ARRAY_LEN(extra); i++)
            check_key(&keys, at, xds_slice_of(extra[i]), HEADER_KEY);
    for (size_t i = 0; i < headers.n; i++) {
        const struct xds_path *here = XDS_AT(XDS_AT_I(at, "headers", i), "key");
        const struct xds_slice key =
            member_of(scope, &headers.items[i], "key", XDS_TREE_STRING).text;

        if (headers.items[i].kind != XDS_TREE_OBJECT &&
            headers.items[i].kind != XDS_TREE_NULL)
            continue; /* which is its fault */
        if (as_others && key.len == 0 && empty_taken)
            xds_lb_fault(scope, here,
                         xds_lb_member(scope, &headers.items[i], "key")
                             ? XDS_S(NOT_EMPTY)
                             : XDS_S("field not present"));
        empty_taken |= key.len == 0;
        check_key(&keys, here, key, HEADER_KEY);
    }

    const bool lax = xds_lb_differs(keys.scope, XDS_DIFF_RLS_CONSTANT_KEYS_UNCHECKED);

    for (size_t i = 0; i < constants.n; i++) {
        const struct xds_tree *constant = &constants.items[i];
        const struct xds_path *here =
            XDS_AT_KEY(at, "constantKeys", xds_lb_shown_key(keys.scope, constant->key));

        if (constant->kind != XDS_TREE_STRING &&
            (!lax || constant->kind == XDS_TREE_NULL))
            xds_lb_fault(keys.scope, here, XDS_S("is not a string"));
        if (constant->key.len == 0 && !lax && empty_taken)
            xds_lb_fault(keys.scope, here, XDS_S("key must be non-empty"));
        check_key(&keys, here, constant->key, CONSTANT_KEY);
    }
    for (size_t i = 0; i < XDS_ARRAY_LEN(extra); i++)
        check_key(&keys, XDS_AT(XDS_AT(at, "extraKeys"), extra[i]),
                  member_of(scope, &extras, extra[i], XDS_TREE_STRING).text, EXTRA_KEY);
}

/* ---- a key builder ---- */

static void check_name(struct xds_lb_scope *scope, const struct xds_path *at,
                       const struct xds_tree *name)
{
    const struct xds_slice method =
        member_of(scope, name, "method", XDS_TREE_STRING).text;

    if (xds_lb_differs(scope, XDS_DIFF_RLS_METHOD_SLASH) &&
        xds_slice_find(method, '/') < method.len)
        xds_lb_fault(scope, XDS_AT(at, "method"), XDS_S("must not have a slash"));
}

static const struct xds_lb_schema name_schema = {
    XDS_LB_FIELDS(F("service", STRING, C_GO_JAVA, C_GO_JAVA),
                  F("method", STRING, C_GO_JAVA, 0)),
    XDS_LB_BOUNDS({"service", NULL, GO_JAVA, 1, DBL_MAX, NOT_EMPTY}),
    .check = check_name};

static void check_header(struct xds_lb_scope *scope, const struct xds_path *at,
                         const struct xds_tree *header)
{
    const struct xds_tree names = member_of(scope, header, "names", XDS_TREE_ARRAY);
    const struct xds_tree *match = xds_lb_member(scope, header, "requiredMatch");
    const bool is_on = match && match->kind == XDS_TREE_BOOL && match->truth;

    if (!xds_lb_differs(scope, XDS_DIFF_RLS_HEADER_NAME_EMPTY))
        for (size_t i = 0; i < names.n; i++)
            if (names.items[i].kind == XDS_TREE_STRING && names.items[i].text.len == 0)
                xds_lb_fault(scope, XDS_AT_I(at, "names", i), XDS_S(NOT_EMPTY));
    if (match && match->kind == XDS_TREE_NULL &&
        !(xds_lb_differs(scope, XDS_DIFF_LB_NULL_REFUSED) &&
          xds_lb_differs(scope, XDS_DIFF_RLS_MATCH_FALSE)))
        return;
    if (match && match->kind != XDS_TREE_BOOL)
        xds_lb_fault(scope, XDS_AT(at, "requiredMatch"), XDS_S("is not a boolean"));
    else if (is_on || (match && !xds_lb_differs(scope, XDS_DIFF_RLS_MATCH_FALSE)))
        xds_lb_fault(scope, XDS_AT(at, "requiredMatch"), XDS_S("must not be present"));
}

static const struct xds_lb_schema header_schema = {
    XDS_LB_FIELDS(
        F("key", STRING, C_GO_JAVA, C_ONLY | XDS_JAVA), F("names", STRINGS, C_GO, C_ONLY),
        F("names", ANYTHING, XDS_JAVA, XDS_JAVA), F("requiredMatch", BOOL, XDS_JAVA, 0)),
    XDS_LB_BOUNDS({"key", NULL, C_ONLY, 1, DBL_MAX, NOT_EMPTY},
                  {"names", NULL, C_ONLY, 1, DBL_MAX, NOT_EMPTY}),
    .check = check_header};

static const struct xds_lb_schema extra_schema = {
    XDS_LB_FIELDS(F("host", STRING, XDS_GO, 0),
                  F("host", STRING_OR_NULL, C_ONLY | XDS_JAVA, 0),
                  F("service", STRING, XDS_GO, 0),
                  F("service", STRING_OR_NULL, C_ONLY | XDS_JAVA, 0),
                  F("method", STRING, XDS_GO, 0),
                  F("method", STRING_OR_NULL, C_ONLY | XDS_JAVA, 0)),
    XDS_LB_BOUNDS({"host", NULL, C_ONLY, 1, DBL_MAX, NOT_EMPTY_IF_SET},
                  {"service", NULL, C_ONLY, 1, DBL_MAX, NOT_EMPTY_IF_SET},
                  {"method", NULL, C_ONLY, 1, DBL_MAX, NOT_EMPTY_IF_SET})};

static void check_builder(struct xds_lb_scope *scope, const struct xds_path *at,
                          const struct xds_tree *builder)
{
    const struct xds_tree *constants = xds_lb_member(scope, builder, "constantKeys");

    if (constants && constants->kind != XDS_TREE_OBJECT &&
        (constants->kind != XDS_TREE_NULL ||
         xds_lb_differs(scope, XDS_DIFF_LB_NULL_REFUSED)))
        xds_lb_fault(scope, XDS_AT(at, "constantKeys"), XDS_S("is not an object"));
    check_keys(scope, at, builder);
}

static const struct xds_lb_schema builder_schema = {
    XDS_LB_FIELDS(OF("names", OBJECTS, C_GO_JAVA, C_GO_JAVA, &name_schema),
                  OF("headers", OBJECTS, C_GO_JAVA, 0, &header_schema),
                  OF("extraKeys", OBJECT, C_GO_JAVA, 0, &extra_schema)),
    XDS_LB_BOUNDS({"names", NULL, C_GO_JAVA, 1, DBL_MAX, NOT_EMPTY}),
    .check = check_builder};

/* ---- all key builders ---- */

static const struct xds_lb_schema builders_schema = {
    XDS_LB_FIELDS(OF("grpcKeybuilders", OBJECTS, C_GO_JAVA, C_GO_JAVA, &builder_schema)),
    XDS_LB_BOUNDS(/* C-core accepts a list without one. */
                  {"grpcKeybuilders", NULL, XDS_GRFC | GO_JAVA, 1, DBL_MAX, NOT_EMPTY})};

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

/* Paths are compared only when nothing else is wrong with the key builders. */
static void check_builders(struct xds_lb_scope *scope, const struct xds_path *at,
                           const struct xds_tree *config)
{
    const size_t before = scope->judge->n_faults;
    const struct xds_tree builders =
        member_of(scope, config, "grpcKeybuilders", XDS_TREE_ARRAY);
    struct xds_strmap paths;

    xds_lb_object_read(scope, at, &builders_schema, config);
    if (scope->judge->n_faults > before &&
        !xds_lb_differs(scope, XDS_DIFF_RLS_PATHS_COMPARED))
        return;
    xds_strmap_init(&paths, scope->judge->arena);
    for (size_t i = 0; i < builders.n; i++)
        check_paths(scope, XDS_AT_I(at, "grpcKeybuilders", i), &builders.items[i],
                    &paths);
}

/* ---- the RouteLookupConfig ---- */

/* One that cannot be read is there, too. */
static bool is_age(const struct xds_lb_scope *scope, const struct xds_tree *value)
{
    double seconds;

    if (value && value->kind == XDS_TREE_NULL)
        return xds_lb_differs(scope, XDS_DIFF_RLS_NULL_IS_SET);
    if (!value)
        return false;
    return xds_lb_number(scope->judge, XDS_LB_FIELD_DURATION, value, &seconds) ||
           seconds < 0 || seconds > 0 || !xds_lb_differs(scope, XDS_DIFF_RLS_AGE_ZERO);
}

/* Is it what the client takes for the target of a service? */
static bool is_target(const struct xds_lb_scope *scope, struct xds_slice text)
{
    struct xds_arena *arena = scope->judge->arena;
    struct xds_uri uri;

    if (xds_lb_differs(scope, XDS_DIFF_RLS_SERVICE_AS_JAVA_URI))
        return xds_uri_java(arena, text, &uri);
    return xds_lb_differs(scope, XDS_DIFF_RLS_SERVICE_BY_SCHEME)
               ? xds_target_go_names_scheme(arena, text)
               : xds_target_uri_valid(
                     arena, xds_arena_dup(arena, text).data,
                     xds_lb_differs(scope, XDS_DIFF_TARGET_SCHEME_EXACT));
}

static void check_lookup(struct xds_lb_scope *scope, const struct xds_path *at,
                         const struct xds_tree *config)
{
    const struct xds_tree *service = xds_lb_member(scope, config, "lookupService");
    const struct xds_tree *target = xds_lb_member(scope, config, "defaultTarget");

    check_builders(scope, at, config);
    if (service && service->kind == XDS_TREE_STRING && !is_target(scope, service->text))
        xds_lb_fault(scope, XDS_AT(at, "lookupService"),
                     XDS_S("must be valid gRPC target URI"));
    if (is_age(scope, xds_lb_member(scope, config, "staleAge")) &&
        !is_age(scope, xds_lb_member(scope, config, "maxAge")))
        xds_lb_fault(scope, XDS_AT(at, "maxAge"),
                     XDS_S("must be set if staleAge is set"));
    if (target && target->kind == XDS_TREE_NULL &&
        xds_lb_differs(scope, XDS_DIFF_RLS_NULL_IS_SET))
        xds_lb_fault(scope, XDS_AT(at, "defaultTarget"), XDS_S(NOT_EMPTY_IF_SET));
}

static const struct xds_lb_schema lookup_schema = {
    XDS_LB_FIELDS(/* java has a default cache size. */
                  F("lookupService", STRING, C_GO_JAVA, C_GO_JAVA),
                  F("lookupServiceTimeout", DURATION, C_GO_JAVA, 0),
                  F("maxAge", DURATION, C_GO_JAVA, 0),
                  F("staleAge", DURATION, C_GO_JAVA, 0),
                  F("cacheSizeBytes", INT64, C_GO_JAVA, C_GO),
                  F("defaultTarget", STRING, C_GO_JAVA, 0)),
    XDS_LB_BOUNDS(
        {"cacheSizeBytes", NULL, C_GO_JAVA, 1, DBL_MAX, "must be greater than 0"},
        {"lookupService", NULL, GO_JAVA, 1, DBL_MAX, NOT_EMPTY},
        {"defaultTarget", NULL, C_ONLY, 1, DBL_MAX, NOT_EMPTY_IF_SET}),
    .check = check_lookup};

/* ---- the child policy ---- */

static const char target_key[] = "childPolicyConfigTargetFieldName";

/* {NAME: CONFIG} with the target in CONFIG. */
static struct xds_tree with_target(struct xds_arena *arena, const struct xds_tree *entry,
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

/* Each child is judged with the config that it will have, with a target in it. */
static struct xds_tree with_targets(const struct xds_lb_scope *scope,
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
                         : with_target(arena, &list->items[i], field));
    return out;
}

/* Is the i-th entry a policy with a config? A fault if not. */
static bool check_child(struct xds_lb_scope *scope, const struct xds_path *up, size_t i,
                        const struct xds_tree *entry)
{
    const struct xds_path *at = XDS_AT_I(up, "childPolicy", i);

    if (entry->kind != XDS_TREE_OBJECT)
        xds_lb_fault(scope, at, XDS_S("is not an object"));
    else if (entry->n != 1)
        xds_lb_fault(scope, at,
                     XDS_S("child policy object contains more than one field"));
    else if (entry->items[0].kind != XDS_TREE_OBJECT)
        xds_lb_fault(
            scope,
            XDS_AT(up, xds_arena_printf(scope->judge->arena, "childPolicy[%zu][\"%.*s\"]",
                                        i, XDS_FMT(entry->items[0].key))
                           .data),
            XDS_S("child policy config is not an object"));
    else
        return true;
    return false;
}

/* Must all entries be objects, or may they be null too? */
static bool are_objects(struct xds_lb_scope *scope, const struct xds_tree *list)
{
    const bool null = xds_lb_differs(scope, XDS_DIFF_LB_LIST_OF_OBJECTS);

    for (size_t i = 0; i < list->n; i++)
        if (list->items[i].kind != XDS_TREE_OBJECT &&
            !(null && list->items[i].kind == XDS_TREE_NULL))
            return false;
    return true;
}

/* The first entry of a policy that the client has. What comes after it may be anything.
 */
static const struct xds_tree *take_child(struct xds_lb_scope *scope,
                                         const struct xds_path *at,
                                         const struct xds_tree *list)
{
    const bool skips_empty = xds_lb_differs(scope, XDS_DIFF_RLS_CHILD_UNPARSED);

    for (size_t i = 0; i < list->n && are_objects(scope, list); i++) {
        const struct xds_tree *entry = &list->items[i];
        const bool known = entry->kind == XDS_TREE_OBJECT && entry->n == 1 &&
                           xds_lb_row_of(scope->judge, entry->items[0].key);

        if (entry->kind == XDS_TREE_OBJECT &&
            (entry->n == 1 ? !known : entry->n == 0 && skips_empty))
            continue;
        if (!check_child(scope, at, i, entry))
            return NULL;
        if (xds_slice_is(entry->items[0].key, "round_robin") &&
            xds_lb_differs(scope, XDS_DIFF_RLS_CHILD_WITH_PARSER)) {
            xds_lb_fault(scope, XDS_AT_I(at, "childPolicy", i),
                         XDS_S("does not support config parsing"));
            return NULL;
        }
        return entry;
    }
    xds_lb_fault(scope, XDS_AT(at, "childPolicy"), XDS_S("no supported policies found"));
    return NULL;
}

static bool check_entries(struct xds_lb_scope *scope, const struct xds_path *at,
                          const struct xds_tree *list)
{
    bool good = true;

    for (size_t i = 0; i < list->n; i++)
        good &= check_child(scope, at, i, &list->items[i]);
    return good;
}

/* An observer looks at the entries itself. */
static void check_list(struct xds_lb_scope *scope, const struct xds_path *at,
                       const struct xds_tree *list, const struct xds_tree *config)
{
    const bool first_only = xds_lb_differs(scope, XDS_DIFF_RLS_CHILD_FIRST);
    struct xds_tree taken = *list;

    if (!scope->judge->observer && !first_only && !check_entries(scope, at, list))
        return;
    if (!scope->judge->observer && first_only) {
        const struct xds_tree *child = take_child(scope, at, list);

        if (!child || xds_lb_differs(scope, XDS_DIFF_RLS_CHILD_UNPARSED))
            return;
        taken = xds_tree_array();
        xds_tree_add(scope->judge->arena, &taken, *child);
    }
    const struct xds_tree children = with_targets(scope, &taken, config);
    xds_lb_policies_read(scope, at, "childPolicy", &children);
}

static void check_rls(struct xds_lb_scope *scope, const struct xds_path *at,
                      const struct xds_tree *config)
{
    const struct xds_tree *lookup = xds_lb_member(scope, config, "routeLookupConfig");
    const struct xds_path *here = XDS_AT(at, "routeLookupConfig");
    /* One that reads this member as a message reads both spellings of each field. */
    struct xds_lb_judge judge = *scope->judge;
    struct xds_lb_scope inner = {&judge, scope->errors};

    judge.both_spellings |= xds_lb_differs(scope, XDS_DIFF_RLS_BOTH_SPELLINGS);
    if (!lookup || (lookup->kind == XDS_TREE_NULL &&
                    !xds_lb_differs(scope, XDS_DIFF_LB_NULL_REFUSED)))
        xds_lb_fault(&inner, here, XDS_S("field not present"));
    else
        xds_lb_object_read(&inner, here, &lookup_schema, lookup);
    scope->judge->n_faults = judge.n_faults;

    const struct xds_tree *service =
        xds_lb_member(scope, config, "routeLookupChannelServiceConfig");
    const bool null_counts = xds_lb_differs(scope, XDS_DIFF_RLS_NULL_IS_SET) ||
                             xds_lb_differs(scope, XDS_DIFF_LB_NULL_REFUSED);

    /* What is in it is not judged. */
    if (service && service->kind != XDS_TREE_OBJECT &&
        (service->kind != XDS_TREE_NULL || null_counts))
        xds_lb_fault(scope, XDS_AT(at, "routeLookupChannelServiceConfig"),
                     XDS_S("is not an object"));

    const struct xds_tree *list = xds_lb_member(scope, config, "childPolicy");

    if (list && list->kind == XDS_TREE_ARRAY)
        check_list(scope, at, list, config);
    else
        xds_lb_fault(scope, XDS_AT(at, "childPolicy"),
                     list ? XDS_S("is not an array") : XDS_S("field not present"));
}

const struct xds_lb_schema xds_lb_schema_rls = {
    XDS_LB_FIELDS(F(target_key, STRING, C_GO_JAVA, C_GO_JAVA)),
    XDS_LB_BOUNDS({target_key, NULL, C_GO_JAVA, 1, DBL_MAX, NOT_EMPTY}),
    .check = check_rls};
