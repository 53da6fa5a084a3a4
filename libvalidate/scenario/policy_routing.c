/*
 * policy_routing.c - xds_routing_experimental at the top of a tree of LB policies: its
 * routes, and which of its actions takes an RPC.
 *
 * Fails:  a config that gRFC A28 calls invalid is a fault of the play.
 * Source: gRFC A28, spec routing 14.4.
 */
#include "scenario/scenario.h"

#include "base/text.h"
#include "check/check.h"
#include "explain/request_read.h"

/* ---- the config ---- */

static const struct xds_tree *given(const struct xds_tree *object, const char *name)
{
    const struct xds_tree *value = xds_tree_field(object, name);

    return value && value->kind != XDS_TREE_NULL ? value : NULL;
}

static bool is_kind(struct xds_play *play, const struct xds_tree *value, const char *name,
                    enum xds_tree_kind kind)
{
    static const char *const words[] = {
        [XDS_TREE_NULL] = "null",       [XDS_TREE_BOOL] = "true or false",
        [XDS_TREE_NUMBER] = "a number", [XDS_TREE_STRING] = "a text",
        [XDS_TREE_ARRAY] = "a list",    [XDS_TREE_OBJECT] = "an object",
    };

    return value->kind == kind ||
           xds_play_fault(play, value, "\"%s\" must be %s", name, words[kind]);
}

/* A whole number, or its text. */
static int64_t whole(struct xds_play *play, const struct xds_tree *object,
                     const char *name, int64_t least, int64_t most)
{
    const struct xds_tree *value = given(object, name);
    int64_t out = 0;
    bool ok = value != NULL;

    if (ok && value->kind == XDS_TREE_STRING)
        ok = xds_slice_to_i64(value->text, &out);
    else if (ok && value->kind == XDS_TREE_NUMBER && value->number >= (double)least &&
             value->number <= (double)most)
        out = (int64_t)value->number;
    else
        ok = false;
    if (!ok || out < least || out > most)
        xds_play_fault(play, value ? value : object,
                       "\"%s\" must be a whole number of its range", name);
    return out;
}

static const struct xds_regex *read_regex(struct xds_play *play,
                                          const struct xds_tree *value)
{
    struct xds_slice error = {NULL, 0};
    const struct xds_regex *regex =
        xds_regex_get(play->check->regexes, value->text, &error);

    if (!regex)
        xds_play_fault(play, value, "\"%.*s\" is not a valid regular expression: %.*s",
                       XDS_FMT(value->text), XDS_FMT(error));
    return regex;
}

static void read_path(struct xds_play *play, const struct xds_tree *route,
                      struct xds_path_matcher *out)
{
    static const struct {
        const char *name;
        enum xds_match_kind kind;
    } kinds[] = {{"path", XDS_MATCH_EXACT},
                 {"prefix", XDS_MATCH_PREFIX},
                 {"regex", XDS_MATCH_REGEX}};
    const struct xds_tree *value = NULL;
    const char *name = NULL;
    size_t n = 0;

    for (size_t i = 0; i < XDS_ARRAY_LEN(kinds); i++) {
        const struct xds_tree *found = given(route, kinds[i].name);

        if (!found)
            continue;
        n++;
        name = kinds[i].name;
        value = found;
        *out = (struct xds_path_matcher){
            .kind = kinds[i].kind, .case_sensitive = true, .case_set = true};
    }
    if (!value || n != 1) {
        xds_play_fault(play, route,
                       "a route must have one of \"path\", \"prefix\" and \"regex\"");
        return;
    }
    if (!is_kind(play, value, name, XDS_TREE_STRING))
        return;
    out->text = xds_arena_dup(play->machine.arena, value->text);
    if (out->kind == XDS_MATCH_REGEX)
        out->regex = read_regex(play, value);
}

static const struct specifier {
    const char *name;
    enum xds_tree_kind value;
    enum xds_header_match_kind kind;
    enum xds_match_kind match; /* STRING */
} specifiers[] = {
    {"exact_match", XDS_TREE_STRING, XDS_HEADER_STRING, XDS_MATCH_EXACT},
    {"regex_match", XDS_TREE_STRING, XDS_HEADER_STRING, XDS_MATCH_REGEX},
    {"range_match", XDS_TREE_OBJECT, XDS_HEADER_RANGE, XDS_MATCH_EXACT},
    {"present_match", XDS_TREE_BOOL, XDS_HEADER_PRESENT, XDS_MATCH_EXACT},
    {"prefix_match", XDS_TREE_STRING, XDS_HEADER_STRING, XDS_MATCH_PREFIX},
    {"suffix_match", XDS_TREE_STRING, XDS_HEADER_STRING, XDS_MATCH_SUFFIX},
};

static void read_specifier(struct xds_play *play, const struct specifier *specifier,
                           const struct xds_tree *value, struct xds_header_matcher *out)
{
    out->kind = specifier->kind;
    out->specifier = specifier->name;
    if (!is_kind(play, value, specifier->name, specifier->value))
        return;
    switch (specifier->kind) {
    case XDS_HEADER_STRING:
        out->string = (struct xds_string_matcher){
            .kind = specifier->match,
            .text = xds_arena_dup(play->machine.arena, value->text)};
        if (specifier->match == XDS_MATCH_REGEX)
            out->string.regex = read_regex(play, value);
        break;
    case XDS_HEADER_RANGE:
        out->start = whole(play, value, "start", INT64_MIN, INT64_MAX);
        out->end = whole(play, value, "end", INT64_MIN, INT64_MAX);
        break;
    case XDS_HEADER_PRESENT:
        out->present = value->truth;
        break;
    case XDS_HEADER_NEVER:
        break;
    }
}

static void read_header(struct xds_play *play, const struct xds_tree *header,
                        struct xds_header_matcher *out)
{
    static const char *const keys[] = {
        "name",         "exact_match",  "exactMatch",  "regex_match",
        "regexMatch",   "range_match",  "rangeMatch",  "present_match",
        "presentMatch", "prefix_match", "prefixMatch", "suffix_match",
        "suffixMatch",  "invert_match", "invertMatch", NULL};
    const struct xds_tree *invert, *name;
    size_t n = 0;

    if (!is_kind(play, header, "headers", XDS_TREE_OBJECT) ||
        !xds_keys_check(play, header,
                        &(struct xds_known_keys){"a header matcher", keys, NULL}))
        return;
    name = given(header, "name");
    invert = given(header, "invert_match");
    for (size_t i = 0; i < XDS_ARRAY_LEN(specifiers); i++) {
        const struct xds_tree *value = given(header, specifiers[i].name);

        if (value && n++ == 0)
            read_specifier(play, &specifiers[i], value, out);
    }
    if (!name || n != 1) {
        xds_play_fault(play, header,
                       "a header matcher must have a \"name\" and one of exact_match, "
                       "regex_match, range_match, present_match, prefix_match and "
                       "suffix_match");
        return;
    }
    if (is_kind(play, name, "name", XDS_TREE_STRING))
        out->name = xds_arena_dup(play->machine.arena, name->text);
    out->invert =
        invert && is_kind(play, invert, "invert_match", XDS_TREE_BOOL) && invert->truth;
}

static void read_route(struct xds_sim *s, const struct xds_tree *item,
                       const struct xds_sim_config *config, struct xds_route *out)
{
    static const char *const keys[] = {
        "path",           "prefix",        "regex",  "headers",
        "match_fraction", "matchFraction", "action", NULL};
    struct xds_play *play = s->play;

    if (!is_kind(play, item, "route", XDS_TREE_OBJECT) ||
        !xds_keys_check(play, item, &(struct xds_known_keys){"a route", keys, NULL}))
        return;
    const struct xds_tree *headers = xds_event_array(play, item, "headers");
    const struct xds_slice action = xds_event_name(play, item, "action");
    struct xds_header_matcher *list =
        XDS_NEW_ARRAY(play->machine.arena, struct xds_header_matcher, headers->n);

    read_path(play, item, &out->match.path);
    for (size_t i = 0; i < headers->n && !play->failed; i++)
        read_header(play, &headers->items[i], &list[i]);
    out->match.headers = list;
    out->match.n_headers = headers->n;
    if (given(item, "match_fraction"))
        out->match.fraction = (struct xds_fraction){
            (uint32_t)whole(play, item, "match_fraction", 0, UINT32_MAX), 1000000};
    out->match.has_fraction = out->match.fraction_is_set =
        given(item, "match_fraction") != NULL;
    out->action = XDS_ACTION_CLUSTER;
    out->cluster = xds_arena_dup(play->machine.arena, action);
    if (!play->failed && !xds_strmap_get(&config->by_name, action))
        xds_play_fault(play, xds_tree_member(item, "action"),
                       "action \"%.*s\" is not in the map of actions", XDS_FMT(action));
}

static bool is_used(const struct xds_sim_config *config, struct xds_slice action)
{
    for (size_t i = 0; i < config->routes.n_routes; i++)
        if (xds_slice_eq(config->routes.routes[i].cluster, action))
            return true;
    return false;
}

void xds_sim_read_routes(struct xds_sim *s, const struct xds_tree *object,
                         struct xds_sim_config *out)
{
    struct xds_play *play = s->play;
    const struct xds_tree *list = xds_event_array(play, object, "route");
    struct xds_route *routes =
        XDS_NEW_ARRAY(play->machine.arena, struct xds_route, list->n);

    for (size_t i = 0; i < list->n && !play->failed; i++)
        read_route(s, &list->items[i], out, &routes[i]);
    out->routes = (struct xds_virtual_host){.routes = routes, .n_routes = list->n};
    for (size_t i = 0; i < out->n && !play->failed; i++)
        if (!is_used(out, out->entries[i].name))
            xds_play_fault(play, object, "action \"%.*s\" is not used by any route",
                           XDS_FMT(out->entries[i].name));
}

/* ---- a pick ---- */

static bool read_request(struct xds_play *play, const struct xds_tree *event,
                         struct xds_request *out)
{
    static const char *const keys[] = {"path", "headers"};
    struct xds_request_reader reader = {.arena = play->machine.step_arena};

    for (size_t i = 0; i < XDS_ARRAY_LEN(keys); i++) {
        const struct xds_tree *member = xds_tree_member(event, keys[i]);

        if (member && xds_request_read_member(&reader, member) == XDS_MEMBER_WRONG)
            xds_play_fault(play, reader.wrong, "%.*s", XDS_FMT(reader.fault));
    }
    if (reader.rpc.path.len == 0)
        xds_play_fault(play, event, "\"path\" is missing");
    if (!play->failed)
        (void)xds_request_finish(&reader);
    *out = reader.rpc;
    return !play->failed;
}

struct xds_sim_routed xds_sim_route(struct xds_sim *s, const struct xds_tree *event)
{
    struct xds_machine *machine = &s->play->machine;
    struct xds_sim_routed out = {.matches = false};
    struct xds_request request;

    if (!read_request(s->play, event, &request))
        return out;
    const struct xds_rpc rpc = {.client = machine->client,
                                .options = machine->options,
                                .request = &request,
                                .random = &s->play->step->random,
                                .arena = machine->step_arena};
    const struct xds_route_walk walk =
        xds_route_select(&rpc, &s->root->config->routes, NULL);

    for (size_t i = 0; i < walk.n_tries; i++) {
        if (walk.tries[i].matched == XDS_CHANCE_NO)
            continue;
        out.matches = true;
        out.open = walk.tries[i].matched == XDS_CHANCE_OPEN;
        out.action = walk.tries[i].route->cluster;
        break;
    }
    return out;
}
