/*
 * check_methods.c - judge the methodConfig of a service config.
 *
 * Takes:  the list.
 * Gives:  a fault for each thing that clients refuse.
 * Fires:  CONFIG_METHOD of config.def.
 * Source: gRFC A6, A21, service_config.proto.
 */
#include "base/strmap.h"
#include "config/check.h"
#include "decode/scalar.h"

struct methods {
    struct xds_config_check *check;
    struct xds_strmap names;
};

static void fault(struct xds_config_check *check, const struct xds_path *at,
                  const char *message)
{
    xds_config_fault(check, XDS_R_CONFIG_METHOD, at, "%s", message);
}

static struct xds_slice text_of(const struct xds_tree *object, const char *name)
{
    const struct xds_tree *value = xds_tree_member(object, name);

    return value && value->kind == XDS_TREE_STRING ? value->text : XDS_S("");
}

static void check_name(struct methods *w, const struct xds_path *at,
                       const struct xds_tree *name)
{
    const struct xds_slice service = text_of(name, "service");
    const struct xds_slice method = text_of(name, "method");
    void **slot =
        xds_strmap_at(&w->names, xds_arena_printf(w->check->arena, "/%.*s/%.*s",
                                                  XDS_FMT(service), XDS_FMT(method)));

    if (service.len == 0 && method.len > 0)
        fault(w->check, at, "a method without a service");
    if (*slot)
        fault(w->check, at, "this name stands in the methodConfig before");
    *slot = w;
}

/* A duration that is positive, or not negative. */
static void check_duration(struct methods *w, const struct xds_path *at,
                           const struct xds_tree *object, const char *name, bool positive)
{
    const struct xds_tree *value = xds_tree_member(object, name);
    int64_t seconds = 0;
    int32_t nanos = 0;
    const bool ok = value && value->kind == XDS_TREE_STRING &&
                    xds_scalar_duration(value->text, &seconds, &nanos);

    if (!value && !positive)
        return;
    if (!ok)
        fault(w->check, XDS_AT(at, name),
              value ? "is not a duration" : "field not present");
    else if (seconds < 0 || nanos < 0 || (positive && seconds == 0 && nanos == 0))
        fault(w->check, XDS_AT(at, name),
              positive ? "must be greater than 0" : "must not be negative");
}

/* A number that must be there and be at least so much. */
static void check_number(struct methods *w, const struct xds_path *at,
                         const struct xds_tree *object, const char *name, double least)
{
    const struct xds_tree *value = xds_tree_member(object, name);

    if (!value || value->kind != XDS_TREE_NUMBER)
        fault(w->check, XDS_AT(at, name),
              value ? "is not a number" : "field not present");
    else if (!(value->number >= least))
        fault(w->check, XDS_AT(at, name), "is too small");
}

static void check_retry(struct methods *w, const struct xds_path *up,
                        const struct xds_tree *retry)
{
    const struct xds_path *at = XDS_AT(up, "retryPolicy");
    const struct xds_tree *codes;

    if (!retry || retry->kind != XDS_TREE_OBJECT) {
        if (retry)
            fault(w->check, at, "is not an object");
        return;
    }
    check_number(w, at, retry, "maxAttempts", 2);
    check_duration(w, at, retry, "initialBackoff", true);
    check_duration(w, at, retry, "maxBackoff", true);
    check_number(w, at, retry, "backoffMultiplier", 1e-9);
    codes = xds_tree_member(retry, "retryableStatusCodes");
    if (!codes || codes->kind != XDS_TREE_ARRAY || codes->n == 0)
        fault(w->check, XDS_AT(at, "retryableStatusCodes"), "must be a list of codes");
}

static void check_method(struct methods *w, const struct xds_path *at,
                         const struct xds_tree *method)
{
    const struct xds_tree *names = xds_tree_member(method, "name");

    if (method->kind != XDS_TREE_OBJECT) {
        fault(w->check, at, "is not an object");
        return;
    }
    if (names && names->kind != XDS_TREE_ARRAY)
        fault(w->check, XDS_AT(at, "name"), "is not an array");
    for (size_t i = 0; names && names->kind == XDS_TREE_ARRAY && i < names->n; i++)
        check_name(w, XDS_AT_I(at, "name", i), &names->items[i]);
    check_duration(w, at, method, "timeout", false);
    check_retry(w, at, xds_tree_member(method, "retryPolicy"));
}

void xds_config_check_methods(struct xds_config_check *check, const struct xds_path *at,
                              const struct xds_tree *methods)
{
    struct methods w = {.check = check};

    xds_strmap_init(&w.names, check->arena);
    if (methods->kind != XDS_TREE_ARRAY) {
        fault(check, XDS_AT(at, "methodConfig"), "is not an array");
        return;
    }
    for (size_t i = 0; i < methods->n; i++)
        check_method(&w, XDS_AT_I(at, "methodConfig", i), &methods->items[i]);
}
