/*
 * check_routing.c - judge the config of xds_routing_experimental.
 *
 * Source: gRFC A28, spec routing 14.4.
 */
#include "base/strmap.h"
#include "clients/readers.h"
#include "config/check.h"

struct routing {
    struct xds_config_check *check;
    const struct xds_tree *actions; /* NULL: none */
    struct xds_strmap known, used;  /* names of actions */
};

/* ---- fields ---- */

static const char *const kind_words[] = {
    [XDS_TREE_NULL] = "is not null",       [XDS_TREE_BOOL] = "is not a boolean",
    [XDS_TREE_NUMBER] = "is not a number", [XDS_TREE_STRING] = "is not a string",
    [XDS_TREE_ARRAY] = "is not an array",  [XDS_TREE_OBJECT] = "is not an object",
};

static void field_fault(struct xds_config_check *check, const struct xds_path *at,
                        const char *what)
{
    xds_config_field_fault(check, XDS_R_CONFIG_FIELD, at, xds_slice_of(what));
}

static const struct xds_tree *present(const struct xds_tree *object, const char *name)
{
    const struct xds_tree *value = xds_tree_field(object, name);

    return value && value->kind != XDS_TREE_NULL ? value : NULL;
}

const struct xds_tree *xds_config_field(struct xds_config_check *check,
                                        const struct xds_path *at,
                                        const struct xds_tree *object, const char *name,
                                        enum xds_tree_kind kind)
{
    const struct xds_tree *value = present(object, name);

    if (!value || value->kind == kind)
        return value;
    field_fault(check, XDS_AT(at, name), kind_words[kind]);
    return NULL;
}

/* A whole number from least to most, or its text. */
static void check_whole(struct xds_config_check *check, const struct xds_path *at,
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
        field_fault(check, XDS_AT(at, name),
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
static void check_regex(struct xds_config_check *check, const struct xds_path *at,
                        const struct xds_tree *object, const char *name)
{
    const struct xds_tree *value =
        xds_config_field(check, at, object, name, XDS_TREE_STRING);
    const bool strict = !xds_differs(check->judge.options, check->judge.client,
                                     XDS_DIFF_REGEX_BEYOND_RE2);
    struct xds_slice error;

    if (!value ||
        (xds_regex_get(check->regexes, value->text, &error) && !(strict && error.data)))
        return;
    xds_config_fault(check, XDS_R_CONFIG_REGEX, XDS_AT(at, name),
                     "%s is not a valid regular expression: %.*s", name, XDS_FMT(error));
}

static void check_path(struct xds_config_check *check, const struct xds_path *at,
                       const struct xds_tree *route)
{
    static const char *const names[] = {"path", "prefix", "regex"};
    const size_t n = count_present(route, names, XDS_ARRAY_LEN(names));

    if (n != 1)
        xds_config_fault(
            check, XDS_R_CONFIG_PATH, at,
            "path_matcher has %s of path, prefix and regex; exactly one must be set",
            n == 0 ? "none" : "several");
    (void)xds_config_field(check, at, route, "path", XDS_TREE_STRING);
    (void)xds_config_field(check, at, route, "prefix", XDS_TREE_STRING);
    check_regex(check, at, route, "regex");
}

static void check_range(struct xds_config_check *check, const struct xds_path *at,
                        const struct xds_tree *header)
{
    const struct xds_tree *range =
        xds_config_field(check, at, header, "range_match", XDS_TREE_OBJECT);
    const struct xds_path *here = XDS_AT(at, "range_match");

    if (!range)
        return;
    check_whole(check, here, range, "start", (double)INT64_MIN, (double)INT64_MAX);
    check_whole(check, here, range, "end", (double)INT64_MIN, (double)INT64_MAX);
}

static void check_header(struct xds_config_check *check, const struct xds_path *at,
                         const struct xds_tree *header)
{
    static const char *const texts[] = {"exact_match", "prefix_match", "suffix_match"};
    static const char *const others[] = {"regex_match", "range_match", "present_match"};

    if (header->kind != XDS_TREE_OBJECT) {
        field_fault(check, at, "is not an object");
        return;
    }
    const size_t n = count_present(header, texts, XDS_ARRAY_LEN(texts)) +
                     count_present(header, others, XDS_ARRAY_LEN(others));

    if (n != 1)
        xds_config_fault(
            check, XDS_R_CONFIG_HEADER, at,
            "header_match_specifier has %s of exact_match, regex_match, range_match, "
            "present_match, prefix_match and suffix_match; exactly one must be set",
            n == 0 ? "none" : "several");
    if (!present(header, "name"))
        field_fault(check, XDS_AT(at, "name"), "is required");
    (void)xds_config_field(check, at, header, "name", XDS_TREE_STRING);
    for (size_t i = 0; i < XDS_ARRAY_LEN(texts); i++)
        (void)xds_config_field(check, at, header, texts[i], XDS_TREE_STRING);
    check_regex(check, at, header, "regex_match");
    check_range(check, at, header);
    (void)xds_config_field(check, at, header, "present_match", XDS_TREE_BOOL);
    (void)xds_config_field(check, at, header, "invert_match", XDS_TREE_BOOL);
}

/* ---- routes ---- */

static void check_route_action(struct routing *w, const struct xds_path *at,
                               const struct xds_tree *route)
{
    const struct xds_tree *action =
        xds_config_field(w->check, at, route, "action", XDS_TREE_STRING);
    const struct xds_slice name = action ? action->text : XDS_S("");

    *xds_strmap_at(&w->used, name) = w;
    if (!xds_strmap_get(&w->known, name) && (action || !present(route, "action")))
        xds_config_fault(
            w->check, XDS_R_CONFIG_ACTION_UNKNOWN, XDS_AT(at, "action"),
            action ? "action \"%.*s\" is not in the map of actions"
                   : "\"action\" is not set%.*s; a route names one of the map of actions",
            XDS_FMT(name));
}

static void check_route(struct routing *w, const struct xds_path *at,
                        const struct xds_tree *route)
{
    if (route->kind != XDS_TREE_OBJECT) {
        field_fault(w->check, at, "is not an object");
        return;
    }
    check_path(w->check, at, route);

    const struct xds_tree *headers =
        xds_config_field(w->check, at, route, "headers", XDS_TREE_ARRAY);

    for (size_t i = 0; headers && i < headers->n; i++)
        check_header(w->check, XDS_AT_I(at, "headers", i), &headers->items[i]);
    check_whole(w->check, at, route, "match_fraction", 0, (double)UINT32_MAX);
    check_route_action(w, at, route);
}

static void check_actions(struct routing *w, const struct xds_path *up)
{
    for (size_t i = 0; w->actions && i < w->actions->n; i++) {
        const struct xds_tree *action = &w->actions->items[i];
        const struct xds_path *at = XDS_AT_KEY(up, "action", action->key);
        const struct xds_tree *list;

        if (!xds_strmap_get(&w->used, action->key))
            xds_config_fault(w->check, XDS_R_CONFIG_ACTION_UNUSED, at,
                             "action \"%.*s\" is not used by any route",
                             XDS_FMT(action->key));
        if (action->kind != XDS_TREE_OBJECT) {
            field_fault(w->check, at, "is not an object");
            continue;
        }
        list = present(action, "childPolicy");
        if (list)
            xds_config_check_list(w->check, at, "childPolicy", list);
        else
            field_fault(w->check, XDS_AT(at, "childPolicy"), "is required");
    }
}

void xds_config_check_routing(struct xds_config_check *check, const struct xds_path *at,
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
    w.actions = xds_config_field(check, at, config, "action", XDS_TREE_OBJECT);
    for (size_t i = 0; w.actions && i < w.actions->n; i++)
        *xds_strmap_at(&w.known, w.actions->items[i].key) = &w;
    routes = xds_config_field(check, at, config, "route", XDS_TREE_ARRAY);
    for (size_t i = 0; routes && i < routes->n; i++)
        check_route(&w, XDS_AT_I(at, "route", i), &routes->items[i]);
    check_actions(&w, at);
    check->judge = outer;
}
