/*
 * check.c - judge a service config or a list of LB policies.
 *
 * Source: gRFC A2, A24, A28, A31, spec routing 8.1 and 14.4, spec cluster 1.7.
 */

#include <float.h>

#include "base/text.h"
#include "source/tree_read.h"
#include "decode/decode.h"
#include "regex/regex.h"
#include "rules/lb_policy/registry.h"

struct check {
    struct xds_report *report;
    struct xds_arena *arena;
    struct xds_lb_judge judge;
    struct xds_lb_observer observer;
    struct xds_regex_cache *regexes;
};

static void check_list(struct check *check, const struct xds_path *up, const char *field,
                       const struct xds_tree *list);

/* ---- faults ---- */

/* One fault at a path; the rule's row decides, for every client. */
XDS_PRINTF(4, 5)
static void fault_at(struct check *check, enum xds_rule_id rule,
                     const struct xds_path *at, const char *format, ...)
{
    const struct xds_rule *row = xds_rule_row(rule);
    struct xds_slice message;
    va_list args;

    if (xds_report_is_full(check->report))
        return;
    va_start(args, format);
    message = xds_arena_vprintf(check->arena, format, args);
    va_end(args);
    xds_report_add(check->report, row, XDS_NO_RESOURCE, at, NULL, NULL, message);
}

/* A fault of one field, whose name begins the message. */
static void field_fault(struct check *check, enum xds_rule_id rule,
                        const struct xds_path *at, struct xds_slice message)
{
    struct xds_slice field = XDS_S("loadBalancingConfig"); /* the whole document */
    const bool goes_on = xds_slice_starts(message, XDS_S("is ")) ||
                         xds_slice_starts(message, XDS_S("must "));

    if (at) {
        struct xds_path last = *at;

        last.up = NULL;
        field = xds_path_render(check->arena, &last);
    }
    fault_at(check, rule, at, "\"%.*s\"%s %.*s", XDS_FMT(field), goes_on ? "" : ":",
             XDS_FMT(message));
}

static void bad_field(struct check *check, const struct xds_path *at, const char *message)
{
    field_fault(check, XDS_R_CONFIG_FIELD, at, xds_slice_of(message));
}

static void bad_method(struct check *check, const struct xds_path *at,
                       const char *message)
{
    field_fault(check, XDS_R_CONFIG_METHOD, at, xds_slice_of(message));
}

static void policy_fault(struct check *check, const struct xds_path *at,
                         struct xds_slice message)
{
    field_fault(check, XDS_R_CONFIG_POLICY, at, message);
}

static void bad_policy(struct check *check, const struct xds_path *at,
                       const char *message)
{
    policy_fault(check, at, xds_slice_of(message));
}

/* The client ignores this member of the object at `up`. */
static void pass_over(void *user, const struct xds_path *up,
                      const struct xds_tree *member, const char *nearest)
{
    struct check *check = user;

    fault_at(check, XDS_R_CONFIG_KEY, XDS_AT(up, member->key.data),
             "unknown key \"%.*s\", which the client ignores%.*s", XDS_FMT(member->key),
             XDS_FMT(xds_nearest_words(check->arena, nearest)));
}

/* names: of the fields that the object may have, n of them. */
static void check_keys(struct check *check, const struct xds_path *at,
                       const struct xds_tree *object, const char *const *names, size_t n)
{
    const bool fold = check->judge.both_spellings;

    for (size_t i = 0; i < object->n && object->kind == XDS_TREE_OBJECT; i++) {
        const struct xds_tree *member = &object->items[i];
        const struct xds_slice key =
            fold ? xds_tree_snake_case(check->arena, member->key) : member->key;
        struct xds_nearest nearest = xds_nearest_to(member->key);
        size_t k = 0;

        for (; k < n; k++) {
            if (xds_slice_is(key, names[k]))
                break;
            xds_nearest_offer(&nearest, names[k]);
        }
        if (k == n)
            pass_over(check, at, member, nearest.best);
    }
}

#define CHECK_KEYS(check, at, object, ...)                                               \
    check_keys(check, at, object, (const char *const[]){__VA_ARGS__},                    \
               sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

typedef void fault_fn(struct check *check, const struct xds_path *at,
                      const char *message);
/* False after a fault. */
static bool is_object(struct check *check, fault_fn *fault, const struct xds_path *at,
                      const struct xds_tree *value)
{
    if (value->kind != XDS_TREE_OBJECT)
        fault(check, at, "is not an object");
    return value->kind == XDS_TREE_OBJECT;
}

/* ---- keys ---- */

/* Members whose keys are names of the user's. */
static bool holds_names(struct xds_slice key)
{
    return xds_slice_is(key, "action") || xds_slice_is(key, "targets") ||
           xds_slice_is(key, "children");
}

static void check_object(struct check *check, const struct xds_path *at,
                         const struct xds_tree *object, bool fold)
{
    struct xds_strmap seen;

    xds_strmap_init(&seen, check->arena);
    for (size_t i = 0; i < object->n; i++) {
        const struct xds_slice key = object->items[i].key;
        void **slot =
            xds_strmap_at(&seen, fold ? xds_tree_snake_case(check->arena, key) : key);

        if (*slot)
            fault_at(check, XDS_R_CONFIG_DUPLICATE, at, "duplicate key \"%.*s\"",
                     XDS_FMT(key));
        *slot = check;
    }
}

/* Where a value is; keys of the tree end in NUL, so a path can hold them. */
struct place {
    const struct xds_path *at, *up;
    const char *field; /* of up, for the items of a list */
};

static void visit(struct check *check, struct place place, const struct xds_tree *value,
                  bool both_spellings, bool names)
{
    if (value->kind == XDS_TREE_OBJECT && value->n > 1)
        check_object(check, place.at, value, both_spellings && !names);
    for (size_t i = 0; i < value->n; i++) {
        const struct xds_tree *item = &value->items[i];

        if (value->kind == XDS_TREE_ARRAY) {
            const struct xds_path *at = XDS_AT_I(place.up, place.field, i);

            visit(check, (struct place){at, at, ""}, item, both_spellings, false);
        } else {
            visit(check,
                  (struct place){XDS_AT(place.at, item->key.data), place.at,
                                 item->key.data},
                  item,
                  both_spellings || xds_slice_is(item->key, "xds_routing_experimental"),
                  !names && holds_names(item->key));
        }
    }
}

/* ---- the config of xds_cluster_resolver_experimental, before gRFC A74 ---- */

/* A string that must be there. */
static const struct xds_tree *need_text(struct check *check, const struct xds_path *at,
                                        const struct xds_tree *object, const char *name)
{
    const struct xds_tree *value = xds_tree_member(object, name);

    if (value && value->kind == XDS_TREE_STRING)
        return value;
    bad_policy(check, XDS_AT(at, name), value ? "is not a string" : "is required");
    return NULL;
}

static void check_mechanism(struct check *check, const struct xds_path *at,
                            const struct xds_tree *mechanism)
{
    const struct xds_tree *type;

    if (!is_object(check, bad_policy, at, mechanism))
        return;
    (void)need_text(check, at, mechanism, "clusterName");
    type = need_text(check, at, mechanism, "type");
    if (type && xds_slice_is(type->text, "LOGICAL_DNS"))
        (void)need_text(check, at, mechanism, "dnsHostname");
    else if (type && !xds_slice_is(type->text, "EDS"))
        bad_policy(check, XDS_AT(at, "type"), "must be EDS or LOGICAL_DNS");
    else if (xds_tree_member(mechanism, "dnsHostname"))
        bad_policy(check, XDS_AT(at, "dnsHostname"), "is allowed for LOGICAL_DNS only");
}

static void check_resolver(struct check *check, const struct xds_path *at,
                           const struct xds_tree *config)
{
    const struct xds_tree *mechanisms = xds_tree_member(config, "discoveryMechanisms");
    const struct xds_tree *policy = xds_tree_member(config, "xdsLbPolicy");

    if (!mechanisms || mechanisms->kind != XDS_TREE_ARRAY)
        bad_policy(check, XDS_AT(at, "discoveryMechanisms"),
                   mechanisms ? "is not an array" : "is required");
    else if (mechanisms->n == 0)
        bad_policy(check, XDS_AT(at, "discoveryMechanisms"), "must not be empty");
    else
        for (size_t i = 0; i < mechanisms->n; i++)
            check_mechanism(check, XDS_AT_I(at, "discoveryMechanisms", i),
                            &mechanisms->items[i]);
    if (policy)
        check_list(check, at, "xdsLbPolicy", policy);
    else
        bad_policy(check, XDS_AT(at, "xdsLbPolicy"), "is required");
}

/* ---- the config of xds_routing_experimental, gRFC A28 ---- */

struct routing {
    struct check *check;
    const struct xds_tree *actions; /* NULL: none */
    struct xds_strmap known, used;  /* names of actions */
};

/* ---- fields ---- */

static const char *const kind_words[] = {
    [XDS_TREE_NULL] = "is not null",       [XDS_TREE_BOOL] = "is not a boolean",
    [XDS_TREE_NUMBER] = "is not a number", [XDS_TREE_STRING] = "is not a string",
    [XDS_TREE_ARRAY] = "is not an array",  [XDS_TREE_OBJECT] = "is not an object",
};

static const struct xds_tree *present(const struct xds_tree *object, const char *name)
{
    const struct xds_tree *value = xds_tree_field(object, name);

    return value && value->kind != XDS_TREE_NULL ? value : NULL;
}

/* A field that is there and of this kind, or NULL; null is absent. Another kind is a
 * fault of rule CONFIG_FIELD at the field. */
static const struct xds_tree *field_of(struct check *check, const struct xds_path *at,
                                       const struct xds_tree *object, const char *name,
                                       enum xds_tree_kind kind)
{
    const struct xds_tree *value = present(object, name);

    if (!value || value->kind == kind)
        return value;
    bad_field(check, XDS_AT(at, name), kind_words[kind]);
    return NULL;
}

/* A whole number from least to most, or its text. */
static void check_whole(struct check *check, const struct xds_path *at,
                        const struct xds_tree *object, const char *name, double least,
                        double most)
{
    const struct xds_tree *value = present(object, name);
    double number = 0;
    int64_t whole;
    bool ok = !value || value->kind == XDS_TREE_NUMBER;

    if (value && value->kind == XDS_TREE_STRING) {
        ok = xds_slice_to_i64(value->text, &whole);
        number = ok ? (double)whole : 0;
    } else if (value) {
        number = value->number;
    }
    if (!ok || number < least || number > most ||
        (number > -1e15 && number < 1e15 && number != (double)(int64_t)number))
        bad_field(check, XDS_AT(at, name),
                  "is not a whole number in the range of its type");
}

/* ---- matchers ---- */

/* How many of these fields are there. */
static size_t count_present(const struct xds_tree *object, const char *const *names,
                            size_t n)
{
    size_t found = 0;

    for (size_t i = 0; i < n; i++)
        found += present(object, names[i]) != NULL;
    return found;
}

/* A text that must be a regular expression, if it is there. core takes no more than RE2
 * does; others have limits of their own. */
static void check_regex(struct check *check, const struct xds_path *at,
                        const struct xds_tree *object, const char *name)
{
    const struct xds_tree *value = field_of(check, at, object, name, XDS_TREE_STRING);
    const bool strict = !xds_differs(check->judge.options, check->judge.client,
                                     XDS_DIFF_REGEX_BEYOND_RE2);
    struct xds_slice error;

    if (!value ||
        (xds_regex_get(check->regexes, value->text, &error) && !(strict && error.data)))
        return;
    fault_at(check, XDS_R_CONFIG_REGEX, XDS_AT(at, name),
             "%s is not a valid regular expression: %.*s", name, XDS_FMT(error));
}

static void check_path(struct check *check, const struct xds_path *at,
                       const struct xds_tree *route)
{
    static const char *const names[] = {"path", "prefix", "regex"};
    const size_t n = count_present(route, names, XDS_ARRAY_LEN(names));

    if (n != 1)
        fault_at(check, XDS_R_CONFIG_PATH, at,
                 "path_matcher has %s of path, prefix and regex; exactly one must be set",
                 n == 0 ? "none" : "several");
    (void)field_of(check, at, route, "path", XDS_TREE_STRING);
    (void)field_of(check, at, route, "prefix", XDS_TREE_STRING);
    check_regex(check, at, route, "regex");
}

static void check_header(struct check *check, const struct xds_path *at,
                         const struct xds_tree *header)
{
    static const char *const texts[] = {"exact_match", "prefix_match", "suffix_match"};
    static const char *const others[] = {"regex_match", "range_match", "present_match"};

    if (!is_object(check, bad_field, at, header))
        return;
    const size_t n = count_present(header, texts, XDS_ARRAY_LEN(texts)) +
                     count_present(header, others, XDS_ARRAY_LEN(others));

    if (n != 1)
        fault_at(
            check, XDS_R_CONFIG_HEADER, at,
            "header_match_specifier has %s of exact_match, regex_match, range_match, "
            "present_match, prefix_match and suffix_match; exactly one must be set",
            n == 0 ? "none" : "several");
    if (!present(header, "name"))
        bad_field(check, XDS_AT(at, "name"), "is required");
    (void)field_of(check, at, header, "name", XDS_TREE_STRING);
    for (size_t i = 0; i < XDS_ARRAY_LEN(texts); i++)
        (void)field_of(check, at, header, texts[i], XDS_TREE_STRING);
    check_regex(check, at, header, "regex_match");

    const struct xds_path *here = XDS_AT(at, "range_match");
    const struct xds_tree *range =
        field_of(check, at, header, "range_match", XDS_TREE_OBJECT);

    if (range) {
        check_whole(check, here, range, "start", (double)INT64_MIN, (double)INT64_MAX);
        check_whole(check, here, range, "end", (double)INT64_MIN, (double)INT64_MAX);
    }
    if (range)
        CHECK_KEYS(check, here, range, "start", "end");
    CHECK_KEYS(check, at, header, "name", "exact_match", "prefix_match", "suffix_match",
               "regex_match", "range_match", "present_match", "invert_match");
    (void)field_of(check, at, header, "present_match", XDS_TREE_BOOL);
    (void)field_of(check, at, header, "invert_match", XDS_TREE_BOOL);
}

/* ---- routes ---- */

static void check_route(struct routing *w, const struct xds_path *at,
                        const struct xds_tree *route)
{
    if (!is_object(w->check, bad_field, at, route))
        return;
    check_path(w->check, at, route);
    CHECK_KEYS(w->check, at, route, "path", "prefix", "regex", "headers",
               "match_fraction", "action");

    const struct xds_tree *headers =
        field_of(w->check, at, route, "headers", XDS_TREE_ARRAY);

    for (size_t i = 0; headers && i < headers->n; i++)
        check_header(w->check, XDS_AT_I(at, "headers", i), &headers->items[i]);
    check_whole(w->check, at, route, "match_fraction", 0, (double)UINT32_MAX);

    const struct xds_tree *action =
        field_of(w->check, at, route, "action", XDS_TREE_STRING);
    const struct xds_slice name = action ? action->text : XDS_S("");

    *xds_strmap_at(&w->used, name) = w;
    if (!xds_strmap_get(&w->known, name) && (action || !present(route, "action")))
        fault_at(
            w->check, XDS_R_CONFIG_ACTION_UNKNOWN, XDS_AT(at, "action"),
            action ? "action \"%.*s\" is not in the map of actions"
                   : "\"action\" is not set%.*s; a route names one of the map of actions",
            XDS_FMT(name));
}

static void check_actions(struct routing *w, const struct xds_path *up)
{
    for (size_t i = 0; w->actions && i < w->actions->n; i++) {
        const struct xds_tree *action = &w->actions->items[i];
        const struct xds_path *at = XDS_AT_KEY(up, "action", action->key);
        const struct xds_tree *list;

        if (!xds_strmap_get(&w->used, action->key))
            fault_at(w->check, XDS_R_CONFIG_ACTION_UNUSED, at,
                     "action \"%.*s\" is not used by any route", XDS_FMT(action->key));
        if (!is_object(w->check, bad_field, at, action))
            continue;
        CHECK_KEYS(w->check, at, action, "child_policy");
        list = present(action, "childPolicy");
        if (list)
            check_list(w->check, at, "childPolicy", list);
        else
            bad_field(w->check, XDS_AT(at, "childPolicy"), "is required");
    }
}

/* The policies that no client of today has, but that are generated or were. */
static void check_routing(struct check *check, const struct xds_path *at,
                          const struct xds_tree *config)
{
    const struct xds_lb_judge outer = check->judge;
    struct routing w = {.check = check};
    const struct xds_tree *routes;

    xds_strmap_init(&w.known, check->arena);
    xds_strmap_init(&w.used, check->arena);
    check->judge.both_spellings = true;
    if (xds_differs(outer.options, outer.client, XDS_DIFF_POLICY_NAMES_SINCE_A28))
        check->judge.client = XDS_CLIENT_CORE;
    CHECK_KEYS(check, at, config, "action", "route");
    w.actions = field_of(check, at, config, "action", XDS_TREE_OBJECT);
    for (size_t i = 0; w.actions && i < w.actions->n; i++)
        *xds_strmap_at(&w.known, w.actions->items[i].key) = &w;
    routes = field_of(check, at, config, "route", XDS_TREE_ARRAY);
    for (size_t i = 0; routes && i < routes->n; i++)
        check_route(&w, XDS_AT_I(at, "route", i), &routes->items[i]);
    check_actions(&w, at);
    check->judge = outer;
}

/* ---- methodConfig ---- */

struct methods {
    struct check *check;
    struct xds_strmap names;
};

/* null is as good as absent. */
static const struct xds_tree *present_member(const struct xds_tree *object,
                                             const char *name)
{
    const struct xds_tree *value = xds_tree_member(object, name);

    return value && value->kind != XDS_TREE_NULL ? value : NULL;
}

/* ---- names ---- */

static struct xds_slice text_of(struct methods *w, const struct xds_path *at,
                                const struct xds_tree *object, const char *name)
{
    const struct xds_tree *value = present_member(object, name);

    if (value && value->kind != XDS_TREE_STRING)
        bad_method(w->check, XDS_AT(at, name), "is not a string");
    return value && value->kind == XDS_TREE_STRING ? value->text : XDS_S("");
}

static void check_name(struct methods *w, const struct xds_path *at,
                       const struct xds_tree *name)
{
    void **slot;

    if (!is_object(w->check, bad_method, at, name))
        return;
    CHECK_KEYS(w->check, at, name, "service", "method");
    const struct xds_slice service = text_of(w, at, name, "service");
    const struct xds_slice method = text_of(w, at, name, "method");

    slot = xds_strmap_at(&w->names, xds_arena_printf(w->check->arena, "/%.*s/%.*s",
                                                     XDS_FMT(service), XDS_FMT(method)));
    if (service.len == 0 && method.len > 0)
        bad_method(w->check, at, "method without a service");
    if (*slot)
        bad_method(w->check, at, "an earlier entry of methodConfig has the same name");
    *slot = w;
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
    const struct xds_tree *value = present_member(object, row->name);
    double number = 0;

    if (!value) {
        if (row->required)
            bad_method(w->check, at, "is required");
        return;
    }
    const char *wrong = xds_lb_number(&w->check->judge, row->kind, value, &number);

    if (wrong)
        bad_method(w->check, at, wrong);
    else if (number > row->most)
        bad_method(w->check, at, "is not a number that fits its type");
    else if (!(number > row->above))
        bad_method(w->check, at, row->otherwise);
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

static void check_retry(struct methods *w, const struct xds_path *up,
                        const struct xds_tree *retry)
{
    const struct xds_path *at = XDS_AT(up, "retryPolicy");

    if (!is_object(w->check, bad_method, at, retry))
        return;
    for (size_t i = 0; i < XDS_ARRAY_LEN(retry_numbers); i++)
        check_number(w, at, retry, &retry_numbers[i]);

    CHECK_KEYS(w->check, at, retry, "maxAttempts", "initialBackoff", "maxBackoff",
               "backoffMultiplier", "retryableStatusCodes", "perAttemptRecvTimeout");
    static const char field[] = "retryableStatusCodes";
    const struct xds_tree *codes = present_member(retry, field);

    if (!codes || codes->kind != XDS_TREE_ARRAY || codes->n == 0) {
        bad_method(w->check, XDS_AT(at, field), "must be a list of status codes");
        return;
    }
    for (size_t i = 0; i < codes->n; i++)
        if (!is_code(&codes->items[i]))
            bad_method(w->check, XDS_AT_I(at, field, i), "is not a status code");
}

/* ---- methods ---- */

static void check_method(struct methods *w, const struct xds_path *at,
                         const struct xds_tree *method)
{
    if (!is_object(w->check, bad_method, at, method))
        return;
    const struct xds_tree *retry = present_member(method, "retryPolicy");
    const struct xds_tree *names = present_member(method, "name");

    if (names && names->kind != XDS_TREE_ARRAY)
        bad_method(w->check, XDS_AT(at, "name"), "is not an array");
    for (size_t i = 0; names && names->kind == XDS_TREE_ARRAY && i < names->n; i++)
        check_name(w, XDS_AT_I(at, "name", i), &names->items[i]);
    CHECK_KEYS(w->check, at, method, "name", "waitForReady", "timeout",
               "maxRequestMessageBytes", "maxResponseMessageBytes", "retryPolicy",
               "hedgingPolicy");
    check_number(w, at, method, &timeout);
    if (retry)
        check_retry(w, at, retry);
}

/* The value of "methodConfig". */
static void check_methods(struct check *check, const struct xds_path *at,
                          const struct xds_tree *methods)
{
    struct methods w = {.check = check};

    xds_strmap_init(&w.names, check->arena);
    if (methods->kind != XDS_TREE_ARRAY) {
        bad_method(check, XDS_AT(at, "methodConfig"), "is not an array");
        return;
    }
    for (size_t i = 0; i < methods->n; i++)
        check_method(&w, XDS_AT_I(at, "methodConfig", i), &methods->items[i]);
}

/* ---- lists of policies ---- */

typedef void (*check_fn)(struct check *check, const struct xds_path *at,
                         const struct xds_tree *config);

static const struct own_policy {
    const char *name;
    check_fn check;
} own_policies[] = {
    {"xds_cluster_resolver_experimental", check_resolver},
    {"xds_routing_experimental", check_routing},
};

/* False when no client knows the policy. */
static bool check_policy(struct check *check, const struct xds_path *at,
                         const struct xds_tree *policy)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(own_policies); i++) {
        if (!xds_slice_is(policy->key, own_policies[i].name))
            continue;
        own_policies[i].check(check, XDS_AT(at, own_policies[i].name), policy);
        return true;
    }
    const char *name = xds_lb_policy_name(&check->judge, policy->key);

    return name &&
           xds_lb_config_report(&check->judge, XDS_AT(at, name), policy->key, policy);
}

static void list_fault(struct check *check, const struct xds_path *at,
                       struct xds_slice message)
{
    field_fault(check, XDS_R_CONFIG_LIST, at, message);
}

/* A list of policies in the member `field` of `up`. */
static void check_list(struct check *check, const struct xds_path *up, const char *field,
                       const struct xds_tree *list)
{
    const struct xds_path *at = *field == '\0' ? up : XDS_AT(up, field);

    if (list->kind != XDS_TREE_ARRAY) {
        list_fault(check, at, XDS_S("type should be array"));
        return;
    }
    for (size_t i = 0; i < list->n; i++) {
        const struct xds_path *entry = XDS_AT_I(up, field, i);
        const struct xds_slice fault = xds_lb_entry_fault(&list->items[i]);

        if (fault.data) {
            list_fault(check, entry, fault);
            return;
        }
        if (check_policy(check, entry, &list->items[i].items[0]))
            return;
    }
    list_fault(check, at, xds_lb_none_known(check->arena, list));
}

/* ---- what the judge tells ---- */

static void on_fault(void *user, const struct xds_path *at, struct xds_slice message)
{
    policy_fault(user, at, message);
}

static void on_policies(void *user, const struct xds_path *up, const char *field,
                        const struct xds_tree *list)
{
    check_list(user, up, field, list);
}

/* ---- the document ---- */

/* Where policies may be in a document; the first is what lb-config prints. */
static const char *const holders[] = {"lb_policy", "priority_policy",
                                      "loadBalancingConfig", "load_balancing_config"};

static bool check_service_config(struct check *check, const struct xds_path *up,
                                 const struct xds_tree *object)
{
    const struct xds_tree *methods = xds_tree_member(object, "methodConfig");
    const struct xds_tree *leaves = xds_tree_member(object, "leaves");
    bool found = methods != NULL;

    for (size_t i = 0; i < XDS_ARRAY_LEN(holders); i++) {
        const struct xds_tree *list = xds_tree_member(object, holders[i]);

        if (!list)
            continue;
        check_list(check, up, holders[i], list);
        found = true;
    }
    /* What lb-config prints of an aggregate: lists by leaf, null for one that fails. */
    if (leaves && found && leaves->kind == XDS_TREE_OBJECT)
        for (size_t i = 0; i < leaves->n; i++)
            if (leaves->items[i].kind != XDS_TREE_NULL)
                check_list(check, XDS_AT_KEY(up, "leaves", leaves->items[i].key), "",
                           &leaves->items[i]);
    if (methods)
        check_methods(check, up, methods);
    if (found) /* the last lines: what xdscope prints beside it */
        CHECK_KEYS(check, up, object, "loadBalancingConfig", "load_balancing_config",
                   "loadBalancingPolicy", "methodConfig", "retryThrottling",
                   "healthCheckConfig", "connectionScaling", "lb_policy",
                   "priority_policy", "leaves", "version", "cluster", "resources",
                   "child_numbers", "notes");
    return found;
}

static void check_document(struct check *check, const struct xds_tree *document)
{
    const struct xds_tree *inner = document->kind == XDS_TREE_OBJECT
                                       ? xds_tree_member(document, "service_config")
                                       : NULL;
    bool found = false;

    if (document->kind == XDS_TREE_ARRAY) {
        check_list(check, NULL, "", document);
        return;
    }
    if (inner && inner->kind == XDS_TREE_OBJECT)
        found = check_service_config(check, XDS_AT(NULL, "service_config"), inner);
    else if (document->kind == XDS_TREE_OBJECT)
        found = check_service_config(check, NULL, document) ||
                (document->n == 1 && check_policy(check, NULL, &document->items[0]));
    if (!found)
        fault_at(check, XDS_R_CONFIG_DOCUMENT, NULL,
                 "the document is neither a list of LB policies nor a service "
                 "config with loadBalancingConfig or methodConfig");
}

/* ---- the text ---- */

struct job {
    struct xds_report *report;
    enum xds_client client;
    const char *name;
    struct xds_slice text;
    struct xds_arena arena;
    struct xds_regex_cache *regexes;
};

static void check_text(void *arg)
{
    struct job *job = arg;
    struct check check = {
        .report = job->report, .arena = &job->arena, .regexes = job->regexes};
    const struct xds_resource in = {
        .format = XDS_FORMAT_JSON,
        .bytes = job->text,
        .at = {xds_report_add_file(job->report, xds_slice_of(job->name)), 1, 1, 1, 1}};
    struct xds_json_fault fault;
    struct xds_tree document;

    check.observer = (struct xds_lb_observer){on_fault, on_policies, pass_over, &check};
    check.judge = (struct xds_lb_judge){.arena = &job->arena,
                                        .options = &job->report->options,
                                        .client = job->client,
                                        .observer = &check.observer};
    if (!xds_tree_read(&job->arena, job->text, &document, &fault)) {
        xds_report_at(job->report, xds_rule_row(fault.rule), XDS_NO_RESOURCE,
                      xds_place_in(&in, fault.begin, fault.end), "%s", fault.what);
        return;
    }
    /* Keys that appear twice in one object, anywhere in the document. */
    visit(&check, (struct place){NULL, NULL, ""}, &document, false, false);
    check_document(&check, &document);
    xds_locate_in_text(&in, job->report, &job->arena);
}

enum xds_status xds_check_config(struct xds_report *report, enum xds_client client,
                                 const char *name, struct xds_slice text)
{
    struct job job = {.report = report,
                      .client = client,
                      .name = name,
                      .text = text,
                      .regexes = xds_regex_cache_new()};
    struct xds_arena *const arenas[] = {&job.arena, &report->arena};

    if (!job.regexes)
        return XDS_ERR_NO_MEMORY;
    xds_arena_init(&job.arena, XDS_MAX_DECODED_BYTES);
    enum xds_status status =
        xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), check_text, &job);
    if (xds_regex_cache_failed(job.regexes))
        status = XDS_ERR_NO_MEMORY;
    xds_arena_release(&job.arena);
    xds_regex_cache_free(job.regexes);
    return status;
}
