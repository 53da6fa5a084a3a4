/*
 * check_methods.c - judge the methodConfig of a service config.
 *
 * Source: gRFC A6, A21, service_config.proto.
 */
#include <float.h>

#include "base/strmap.h"
#include "config/check.h"
#include "rules/lb_policy/registry_schema.h"

struct methods {
    struct xds_config_check *check;
    struct xds_strmap names;
};

static void fault(struct xds_config_check *check, const struct xds_path *at,
                  const char *message)
{
    xds_config_field_fault(check, XDS_R_CONFIG_METHOD, at, xds_slice_of(message));
}

/* null is as good as absent. */
static const struct xds_tree *present(const struct xds_tree *object, const char *name)
{
    const struct xds_tree *value = xds_tree_member(object, name);

    return value && value->kind != XDS_TREE_NULL ? value : NULL;
}

/* ---- names ---- */

static struct xds_slice text_of(struct methods *w, const struct xds_path *at,
                                const struct xds_tree *object, const char *name)
{
    const struct xds_tree *value = present(object, name);

    if (value && value->kind != XDS_TREE_STRING)
        fault(w->check, XDS_AT(at, name), "is not a string");
    return value && value->kind == XDS_TREE_STRING ? value->text : XDS_S("");
}

static void check_name(struct methods *w, const struct xds_path *at,
                       const struct xds_tree *name)
{
    void **slot;

    if (name->kind != XDS_TREE_OBJECT) {
        fault(w->check, at, "is not an object");
        return;
    }
    const struct xds_slice service = text_of(w, at, name, "service");
    const struct xds_slice method = text_of(w, at, name, "method");

    slot = xds_strmap_at(&w->names, xds_arena_printf(w->check->arena, "/%.*s/%.*s",
                                                     XDS_FMT(service), XDS_FMT(method)));
    if (service.len == 0 && method.len > 0)
        fault(w->check, at, "method without a service");
    if (*slot)
        fault(w->check, at, "an earlier entry of methodConfig has the same name");
    *slot = w;
}

static void check_names(struct methods *w, const struct xds_path *at,
                        const struct xds_tree *method)
{
    const struct xds_tree *names = present(method, "name");

    if (names && names->kind != XDS_TREE_ARRAY)
        fault(w->check, XDS_AT(at, "name"), "is not an array");
    for (size_t i = 0; names && names->kind == XDS_TREE_ARRAY && i < names->n; i++)
        check_name(w, XDS_AT_I(at, "name", i), &names->items[i]);
}

/* ---- numbers ---- */

/* A number or a duration; it must lie above `above` and not above `most`. */
struct number {
    const char *name;
    enum xds_lb_field_kind kind;
    bool required;
    double above, most;
    const char *otherwise;
};

static const struct number timeout = {"timeout", XDS_LB_FIELD_DURATION, false, -1e-12,
                                      DBL_MAX,   "must not be negative"};

static const struct number retry_numbers[] = {
    {"maxAttempts", XDS_LB_FIELD_UINT32, true, 1, INT32_MAX, "must be at least 2"},
    {"initialBackoff", XDS_LB_FIELD_DURATION, true, 0, DBL_MAX, "must be greater than 0"},
    {"maxBackoff", XDS_LB_FIELD_DURATION, true, 0, DBL_MAX, "must be greater than 0"},
    {"backoffMultiplier", XDS_LB_FIELD_FLOAT, true, 0, DBL_MAX, "must be greater than 0"},
    {"perAttemptRecvTimeout", XDS_LB_FIELD_DURATION, false, 0, DBL_MAX,
     "must be greater than 0"},
};

static void check_number(struct methods *w, const struct xds_path *up,
                         const struct xds_tree *object, const struct number *row)
{
    const struct xds_path *at = XDS_AT(up, row->name);
    const struct xds_tree *value = present(object, row->name);
    double number = 0;

    if (!value) {
        if (row->required)
            fault(w->check, at, "is required");
        return;
    }
    const char *wrong = xds_lb_number(&w->check->judge, row->kind, value, &number);

    if (wrong)
        fault(w->check, at, wrong);
    else if (number > row->most)
        fault(w->check, at, "is not a number that fits its type");
    else if (!(number > row->above))
        fault(w->check, at, row->otherwise);
}

/* ---- retries ---- */

static bool is_code(const struct xds_tree *code)
{
    static const char *const names[] = {"OK",
                                        "CANCELLED",
                                        "UNKNOWN",
                                        "INVALID_ARGUMENT",
                                        "NOT_FOUND",
                                        "UNAVAILABLE",
                                        "DEADLINE_EXCEEDED",
                                        "ALREADY_EXISTS",
                                        "ABORTED",
                                        "OUT_OF_RANGE",
                                        "PERMISSION_DENIED",
                                        "RESOURCE_EXHAUSTED",
                                        "INTERNAL",
                                        "UNIMPLEMENTED",
                                        "DATA_LOSS",
                                        "FAILED_PRECONDITION",
                                        "UNAUTHENTICATED"};
    const size_t n = XDS_ARRAY_LEN(names);

    if (code->kind == XDS_TREE_NUMBER)
        return code->number >= 0 && code->number < (double)n;
    for (size_t i = 0; code->kind == XDS_TREE_STRING && i < n; i++)
        if (xds_slice_is(code->text, names[i]))
            return true;
    return false;
}

static void check_codes(struct methods *w, const struct xds_path *at,
                        const struct xds_tree *retry)
{
    static const char field[] = "retryableStatusCodes";
    const struct xds_tree *codes = present(retry, field);

    if (!codes || codes->kind != XDS_TREE_ARRAY || codes->n == 0) {
        fault(w->check, XDS_AT(at, field), "must be a list of status codes");
        return;
    }
    for (size_t i = 0; i < codes->n; i++)
        if (!is_code(&codes->items[i]))
            fault(w->check, XDS_AT_I(at, field, i), "is not a status code");
}

static void check_retry(struct methods *w, const struct xds_path *up,
                        const struct xds_tree *retry)
{
    const struct xds_path *at = XDS_AT(up, "retryPolicy");

    if (retry->kind != XDS_TREE_OBJECT) {
        fault(w->check, at, "is not an object");
        return;
    }
    for (size_t i = 0; i < XDS_ARRAY_LEN(retry_numbers); i++)
        check_number(w, at, retry, &retry_numbers[i]);
    check_codes(w, at, retry);
}

/* ---- methods ---- */

static void check_method(struct methods *w, const struct xds_path *at,
                         const struct xds_tree *method)
{
    if (method->kind != XDS_TREE_OBJECT) {
        fault(w->check, at, "is not an object");
        return;
    }
    const struct xds_tree *retry = present(method, "retryPolicy");

    check_names(w, at, method);
    check_number(w, at, method, &timeout);
    if (retry)
        check_retry(w, at, retry);
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
