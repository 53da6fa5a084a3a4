/*
 * route_lookup_config.c - judge grpc.lookup.v1.RouteLookupConfig as the RLS load
 * balancing policy does, to which the clients hand it as JSON.
 *
 * Takes:  the message in a RouteLookupClusterSpecifier, and who knows the plugin.
 * Gives:  nothing: the config is asked of nobody but the policy.
 * Fires:  the rows of route_lookup_config.def, each at most once per plugin.
 * Source: spec CP10, route_lookup_config.proto.
 *
 * The JSON leaves out what has its default value, so that an empty string or list is a
 * field not present. Times beyond five minutes and caches beyond 5 MiB are cut down, a
 * stale_age above max_age too: none of that is a fault. grpc-go's policy asks for less
 * than C-core's, and grpc-java asks its policy only once the config is in use.
 */
#include "rules/route_readers.h"

#include <inttypes.h>

#include "rules/target_uri.h"
#include "rules/validation_errors.h"

/* Whose policy minds a fault: that of C-core alone, or that of grpc-go as well. */
#define BY_CORE (XDS_GRFC | XDS_CORE)
#define BY_BOTH (BY_CORE | XDS_GO)

#define MAX_SECONDS INT64_C(315576000000) /* 10000 years, as duration.proto says */
#define MAX_NANOS 999999999

/* ---- key builders ----------------------------------------------------------------- */

/* Which list of a key builder a key was seen in first. */
enum key_list { HEADER_KEY, CONSTANT_KEY, EXTRA_KEY };

struct keys {
    struct xds_validation_errors *errors;
    struct xds_strmap seen; /* key -> enum key_list * */
};

/* An empty key is a matter of its own list. grpc-go compares the extra keys with the
 * other lists only, and a map holds a key once, however often its bytes repeat it. */
static void check_key(struct keys *keys, const struct xds_path *at, const char *key,
                      enum key_list list)
{
    if (*key == '\0')
        return;
    void **slot = xds_strmap_at(&keys->seen, xds_slice_of(key));
    enum key_list *first = *slot;

    if (!first) {
        *slot = first = XDS_NEW(keys->seen.arena, enum key_list);
        *first = list;
        return;
    }
    if (*first == CONSTANT_KEY && list == CONSTANT_KEY)
        return;
    xds_validation_error(keys->errors, *first == EXTRA_KEY ? BY_CORE : BY_BOTH, at,
                         "duplicate key \"%s\"", key);
}

static void check_constant_key(struct keys *keys, const struct xds_path *at,
                               const char *key)
{
    const struct xds_slice quoted = xds_arena_printf(keys->seen.arena, "\"%s\"", key);
    const struct xds_path *here = XDS_AT_KEY(at, "constantKeys", quoted);

    if (*key == '\0')
        xds_validation_error(keys->errors, BY_BOTH, here, "key must be non-empty");
    check_key(keys, here, key, CONSTANT_KEY);
}

static void check_extra_keys(struct keys *keys, const struct xds_path *at,
                             const pb_grpc_key_builder_extra_keys *pb)
{
    if (!pb)
        return;
    check_key(keys, XDS_AT(at, "host"), pb->host, EXTRA_KEY);
    check_key(keys, XDS_AT(at, "service"), pb->service, EXTRA_KEY);
    check_key(keys, XDS_AT(at, "method"), pb->method, EXTRA_KEY);
}

static void check_keys(struct xds_validation_errors *errors, const struct xds_path *at,
                       const pb_grpc_key_builder *pb)
{
    struct keys keys = {.errors = errors};

    xds_strmap_init(&keys.seen, errors->arena);
    for (size_t i = 0; i < pb->n_headers; i++)
        check_key(&keys, XDS_AT(XDS_AT_I(at, "headers", i), "key"), pb->headers[i]->key,
                  HEADER_KEY);
    for (size_t i = 0; i < pb->n_constant_keys; i++)
        check_constant_key(&keys, at, pb->constant_keys[i]->key);
    check_extra_keys(&keys, XDS_AT(at, "extraKeys"), pb->extra_keys);
}

static void check_header(struct xds_validation_errors *errors, const struct xds_path *at,
                         const pb_name_matcher *pb)
{
    if (*pb->key == '\0')
        xds_validation_error(errors, BY_BOTH, XDS_AT(at, "key"), "field not present");
    if (pb->n_names == 0)
        xds_validation_error(errors, BY_CORE, XDS_AT(at, "names"), "field not present");
    for (size_t i = 0; i < pb->n_names; i++)
        if (*pb->names[i] == '\0')
            xds_validation_error(errors, BY_CORE, XDS_AT_I(at, "names", i),
                                 "must be non-empty");
    if (pb->required_match)
        xds_validation_error(errors, BY_BOTH, XDS_AT(at, "requiredMatch"),
                             "must not be present");
}

static void check_names(struct xds_validation_errors *errors, const struct xds_path *at,
                        const pb_grpc_key_builder *pb)
{
    if (pb->n_names == 0)
        xds_validation_error(errors, BY_BOTH, XDS_AT(at, "names"), "field not present");
    for (size_t i = 0; i < pb->n_names; i++)
        if (*pb->names[i]->service == '\0')
            xds_validation_error(errors, BY_BOTH,
                                 XDS_AT(XDS_AT_I(at, "names", i), "service"),
                                 "field not present");
}

static void check_key_builder(struct xds_validation_errors *errors,
                              const struct xds_path *at, const pb_grpc_key_builder *pb)
{
    check_names(errors, at, pb);
    for (size_t i = 0; i < pb->n_headers; i++)
        check_header(errors, XDS_AT_I(at, "headers", i), pb->headers[i]);
    check_keys(errors, at, pb);
}

/* Paths are shared by all key builders. A path that repeats is marked with the builder
 * that repeats it, and named once per builder. */
static void check_paths(struct xds_validation_errors *errors, const struct xds_path *at,
                        pb_grpc_key_builder *pb, struct xds_strmap *paths)
{
    size_t named = 0;

    for (size_t i = 0; i < pb->n_names; i++) {
        pb_grpc_key_builder_name *name = pb->names[i];
        const struct xds_slice path =
            xds_arena_printf(errors->arena, "/%s/%s", name->service, name->method);
        void **owner = xds_strmap_at(paths, path);

        if (!*owner) {
            *owner = name;
        } else if (*owner != pb && named++ < XDS_ERRORS_PER_FIELD) {
            *owner = pb;
            xds_validation_error(errors, BY_BOTH, at, "duplicate entry for \"%s\"",
                                 path.data);
        }
    }
}

static void check_all_paths(struct xds_validation_errors *errors,
                            const struct xds_path *at, const pb_route_lookup_config *pb)
{
    struct xds_strmap paths;

    xds_strmap_init(&paths, errors->arena);
    for (size_t i = 0; i < pb->n_grpc_keybuilders; i++)
        check_paths(errors, XDS_AT_I(at, "grpcKeybuilders", i), pb->grpc_keybuilders[i],
                    &paths);
}

/* Must come first: C-core compares the paths only when nothing else is wrong with the
 * key builders, grpc-go always does. */
static void check_key_builders(struct xds_validation_errors *errors,
                               const struct xds_path *at,
                               const pb_route_lookup_config *pb)
{
    struct xds_validation_errors repeated;

    if (pb->n_grpc_keybuilders == 0)
        xds_validation_error(errors, BY_BOTH, XDS_AT(at, "grpcKeybuilders"),
                             "field not present");
    for (size_t i = 0; i < pb->n_grpc_keybuilders; i++)
        check_key_builder(errors, XDS_AT_I(at, "grpcKeybuilders", i),
                          pb->grpc_keybuilders[i]);
    xds_validation_errors_init(&repeated, errors->arena);
    check_all_paths(&repeated, at, pb);
    if (errors->n == 0)
        *errors = repeated;
    else
        errors->refuse_it |= repeated.refuse_it & XDS_GO;
}

/* ---- the other fields ------------------------------------------------------------- */

/* The encoder of JSON drops the sign of the nanos, so that nothing is wrong with them. */
static void check_duration(struct xds_validation_errors *errors,
                           const struct xds_path *at, const pb_duration *pb)
{
    if (pb && pb->seconds < 0)
        xds_validation_error(errors, BY_CORE, at,
                             "seconds must be in the range [0, %" PRId64 "]",
                             MAX_SECONDS);
}

/* grpc-go takes zero for not set. */
static void check_ages(struct xds_validation_errors *errors, const struct xds_path *at,
                       const pb_route_lookup_config *pb)
{
    const pb_duration *stale = pb->stale_age;

    if (stale && !pb->max_age)
        xds_validation_error(errors, stale->seconds || stale->nanos ? BY_BOTH : BY_CORE,
                             XDS_AT(at, "maxAge"), "must be set if staleAge is set");
}

static void check_lookup_service(struct xds_validation_errors *errors,
                                 const struct xds_path *at, const char *target)
{
    if (*target == '\0')
        xds_validation_error(errors, BY_BOTH, at, "field not present");
    else if (!xds_target_uri_valid(errors->arena, target))
        xds_validation_error(errors, BY_CORE, at, "must be valid gRPC target URI");
}

static void check_cache_size(struct xds_validation_errors *errors,
                             const struct xds_path *at, int64_t bytes)
{
    if (bytes <= 0)
        xds_validation_error(errors, BY_BOTH, at,
                             bytes == 0 ? "field not present" : "must be greater than 0");
}

static void check_config(struct xds_validation_errors *errors, const struct xds_path *at,
                         const pb_route_lookup_config *pb)
{
    check_key_builders(errors, at, pb);
    check_lookup_service(errors, XDS_AT(at, "lookupService"), pb->lookup_service);
    check_duration(errors, XDS_AT(at, "lookupServiceTimeout"),
                   pb->lookup_service_timeout);
    check_duration(errors, XDS_AT(at, "maxAge"), pb->max_age);
    check_duration(errors, XDS_AT(at, "staleAge"), pb->stale_age);
    check_ages(errors, at, pb);
    check_cache_size(errors, XDS_AT(at, "cacheSizeBytes"), pb->cache_size_bytes);
}

/* ---- the way to JSON -------------------------------------------------------------- */

/* Why a duration has no JSON form, or NULL. */
static const char *not_json(const pb_duration *pb)
{
    if (!pb)
        return NULL;
    if (pb->seconds > MAX_SECONDS || pb->seconds < -MAX_SECONDS ||
        (pb->seconds > 0 && pb->nanos < 0) || (pb->seconds < 0 && pb->nanos > 0))
        return "bad duration";
    if (pb->nanos > MAX_NANOS || pb->nanos < -MAX_NANOS)
        return "error formatting timestamp as JSON: invalid nanos";
    return NULL;
}

/* The encoder stops at the first one. */
static const char *first_not_json(const pb_route_lookup_config *pb)
{
    const pb_duration *const fields[] = {pb->lookup_service_timeout, pb->max_age,
                                         pb->stale_age};
    const char *why = NULL;

    for (size_t i = 0; i < XDS_ARRAY_LEN(fields) && !why; i++)
        why = not_json(fields[i]);
    return why;
}

void xds_route_lookup_config_check(struct xds_ctx *ctx, const struct xds_path *at,
                                   const struct xds_path *plugin, unsigned clients,
                                   const pb_route_lookup_config *pb)
{
    struct xds_validation_errors errors;
    const char *why = first_not_json(pb);

    if (why) {
        xds_fire_for(ctx, plugin, clients, XDS_R_RLS_CONFIG_DURATION,
                     "failed to dump proto to JSON: %s", why);
        return;
    }
    xds_validation_errors_init(&errors, ctx->arena);
    check_config(&errors, XDS_AT(NULL, "routeLookupConfig"), pb);
    if (errors.n > 0)
        xds_fire_for(ctx, at, clients & errors.refuse_it, XDS_R_RLS_CONFIG_INVALID,
                     "ClusterSpecifierPlugin returned invalid LB policy config: %s",
                     xds_validation_errors_text(&errors,
                                                "errors validating RLS LB policy "
                                                "config")
                         .data);
}
