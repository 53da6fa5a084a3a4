/* resources.c - xDS resources of a scenario: from files, and from its own values. */
#include "scenario/scenario.h"

#include "check/check.h"

#include <errno.h>

#include "source/yaml/yaml.h"

static void add_at(struct xds_token_list *list, enum xds_token_kind kind,
                   struct xds_slice text, uint32_t line, uint32_t column)
{
    const struct xds_token token = {.kind = kind,
                                    .text = text,
                                    .line = line,
                                    .column = column,
                                    .end_line = line,
                                    .end_column = column + 1};

    xds_token_list_add(list, &token);
}

static void add_token(struct xds_token_list *list, const struct xds_tree *at,
                      enum xds_token_kind kind)
{
    add_at(list, kind, at->text, at->line, at->column);
}

/* The nesting of what was read is bounded. */
static void flatten(struct xds_token_list *list, const struct xds_tree *tree)
{
    static const enum xds_token_kind kinds[] = {
        [XDS_TREE_NULL] = XDS_TOKEN_NULL,     [XDS_TREE_BOOL] = XDS_TOKEN_FALSE,
        [XDS_TREE_NUMBER] = XDS_TOKEN_NUMBER, [XDS_TREE_STRING] = XDS_TOKEN_STRING,
        [XDS_TREE_ARRAY] = XDS_TOKEN_ARRAY,   [XDS_TREE_OBJECT] = XDS_TOKEN_OBJECT,
    };
    const bool object = tree->kind == XDS_TREE_OBJECT;

    add_token(list, tree, tree->truth ? XDS_TOKEN_TRUE : kinds[tree->kind]);
    for (size_t i = 0; i < tree->n; i++) {
        if (object) {
            const struct xds_tree *member = &tree->items[i];

            add_at(list, XDS_TOKEN_KEY, member->key, member->key_line,
                   member->key_column);
        }
        flatten(list, &tree->items[i]);
    }
    if (object || tree->kind == XDS_TREE_ARRAY)
        add_token(list, tree, object ? XDS_TOKEN_OBJECT_END : XDS_TOKEN_ARRAY_END);
}

static void add_resource(struct xds_play *play, enum xds_resource_type type,
                         const struct xds_tree *tree)
{
    struct xds_token_list tokens = {.arena = play->machine.step_arena};
    struct xds_resource resource = {
        .format = XDS_FORMAT_YAML, .type = type, .at = xds_play_place(play, tree)};

    flatten(&tokens, tree);
    add_token(&tokens, tree, XDS_TOKEN_END);
    resource.tokens = tokens.items;
    switch (xds_check_resource(play->check, &resource)) {
    case XDS_OK:
        break;
    case XDS_END:
        xds_play_fault(play, tree,
                       "\"resources\" and \"snapshot\" have more than 2000000 resources");
        break;
    case XDS_ERR_USAGE:
    case XDS_ERR_IO:
    case XDS_ERR_NO_MEMORY:
        xds_arena_give_up(play->machine.arena);
    }
}

typedef void add_fn(struct xds_play *play, enum xds_resource_type type,
                    const struct xds_tree *tree);

static bool add_each(struct xds_play *play, const struct xds_tree *object, add_fn *add)
{
    static const struct {
        const char *key;
        enum xds_resource_type type;
    } kinds[] = {
        {"listeners", XDS_TYPE_LISTENER},
        {"routes", XDS_TYPE_ROUTE},
        {"clusters", XDS_TYPE_CLUSTER},
        {"endpoints", XDS_TYPE_ENDPOINT},
    };

    for (size_t k = 0; k < XDS_ARRAY_LEN(kinds); k++) {
        const struct xds_tree *list = xds_event_array(play, object, kinds[k].key);

        for (size_t i = 0; i < list->n && !play->failed; i++)
            add(play, kinds[k].type, &list->items[i]);
    }
    return !play->failed;
}

/* No client has said no to it: it is the scenario that is wrong. */
static bool is_unreadable(const struct xds_report *report, uint32_t resource)
{
    for (size_t i = report->n_findings;
         i-- > 0 && report->findings[i].resource == resource;)
        if (report->findings[i].rule->effect == XDS_EFFECT_SYNTAX)
            return true;
    return false;
}

/* Some reject a fault of a virtual host only where it is the one of the channel. */
static bool is_rejected(const struct xds_play *play,
                        const struct xds_snapshot_entry *entry)
{
    const struct xds_machine *machine = &play->machine;
    const unsigned bit = XDS_CLIENT_BIT(machine->client);
    const struct xds_rpc rpc = {.client = machine->client,
                                .options = machine->options,
                                .arena = machine->step_arena};
    const struct xds_listener *listener = entry->model;
    const struct xds_route_config *routes = entry->model;

    if (!(entry->nacked_by & entry->by_host & bit) || !play->target.data)
        return (entry->nacked_by & bit) != 0;
    if (entry->type == XDS_TYPE_LISTENER)
        routes = listener->route_config;
    if (!routes)
        return true;
    const struct xds_virtual_host *host =
        xds_virtual_host_find(routes, rpc.options, rpc.client,
                              xds_target_parse(&rpc, play->target).authority)
            .host;

    return host && xds_rejects_host(rpc.options, rpc.client, host);
}

static void update_resource(struct xds_play *play, enum xds_resource_type type,
                            const struct xds_tree *tree)
{
    struct xds_snapshot *snapshot = &play->check->snapshot;
    struct xds_snapshot_entry *before = snapshot->last[type];

    add_resource(play, type, tree);
    struct xds_snapshot_entry *newest = snapshot->last[type];

    if (play->failed)
        return;
    if (newest == before || is_unreadable(play->report, newest->resource)) {
        xds_play_fault(play, tree, "\"resources\" has a resource that cannot be read");
        return;
    }
    if (newest->killing & XDS_CLIENT_BIT(play->machine.client)) {
        xds_play_fault(play, tree, "the client dies of \"%.*s\" (CRASH)%s%s",
                       XDS_FMT(newest->name), newest->killed_by ? ": " : "",
                       newest->killed_by ? newest->killed_by->slug : "");
        return;
    }
    const bool rejected = is_rejected(play, newest);

    /* Take the newest entry of a type out of the snapshot again. */
    struct xds_snapshot_entry *older = NULL;

    for (struct xds_snapshot_entry *e = snapshot->first[newest->type]; e != newest;
         e = e->next)
        if (xds_slice_eq(e->name, newest->name))
            older = e;
    snapshot->last[newest->type] = before;
    if (before)
        before->next = NULL;
    else
        snapshot->first[newest->type] = NULL;
    *xds_strmap_at(&snapshot->by_name[newest->type], newest->name) = older;
    if (rejected)
        xds_step_add_name(play->step, "rejected", newest->name);
    if (!rejected || !xds_snapshot_find(snapshot, type, newest->name))
        xds_snapshot_put(snapshot, newest);
}

bool xds_resources_update(struct xds_play *play, const struct xds_tree *object)
{
    return add_each(play, object, update_resource);
}

bool xds_resources_remove(struct xds_play *play, const struct xds_tree *event)
{
    const struct xds_slice word = xds_event_name(play, event, "resource_type");
    const struct xds_slice name = xds_event_name(play, event, "name");
    const enum xds_resource_type type = xds_resource_type_from_name(word);

    if (play->failed)
        return false;
    if (type == XDS_TYPE_UNKNOWN)
        return xds_play_fault(play, xds_tree_member(event, "resource_type"),
                              "\"resource_type\" must be listener, route, cluster or "
                              "endpoint");
    return xds_snapshot_remove(&play->check->snapshot, type, name) ||
           xds_play_fault(play, xds_tree_member(event, "name"),
                          "the client has no %.*s \"%.*s\"", XDS_FMT(word),
                          XDS_FMT(name));
}

static bool source_fault(struct xds_play *play, struct xds_place at,
                         struct xds_slice name, const char *what)
{
    play->unread = true;
    return xds_fault_at(play, XDS_R_SCENARIO_SNAPSHOT, at, "\"%.*s\" cannot be read: %s",
                        XDS_FMT(name), what);
}

/* What the source comes to; *is_cut when it holds too many resources. */
static enum xds_status read_source(struct xds_play *play, struct xds_source *source,
                                   bool *is_cut)
{
    struct xds_resource resource;
    enum xds_status status;

    while ((status = xds_source_next(source, &resource)) == XDS_OK) {
        status = xds_check_resource(play->check, &resource);
        *is_cut = status == XDS_END;
        if (status != XDS_OK)
            break;
    }
    return status;
}

static const char holds_none[] = "it has no resource that gRPC reads";

/* What is wrong with what the source has added to the report, or NULL. */
static const char *what_is_missing(const struct xds_source *source,
                                   const struct xds_read_sum *before, bool is_cut)
{
    const struct xds_read_sum sum = xds_source_sum(source);

    if (is_cut)
        return "\"resources\" and \"snapshot\" have more than 2000000 resources";
    if (sum.unread > before->unread || sum.unreadable > before->unreadable)
        return "a part of it is not valid xDS";
    return sum.empty > before->empty ? holds_none : NULL;
}

/* Of a source, which is freed; status: what adding its input came to. Faults are at the
 * place, and name it. */
static bool read_all(struct xds_play *play, struct xds_source *source,
                     enum xds_status status, struct xds_place at, struct xds_slice name)
{
    struct xds_read_sum before = {0};
    const char *missing = NULL;
    bool is_cut = false;

    if (!source)
        status = XDS_ERR_NO_MEMORY;
    if (status == XDS_OK) {
        before = xds_source_sum(source);
        status = read_source(play, source, &is_cut);
        missing = what_is_missing(source, &before, is_cut);
    }
    const int error = errno;

    xds_source_free(source);
    switch (status) {
    case XDS_OK:
    case XDS_END:
        return !missing || source_fault(play, at, name, missing);
    case XDS_ERR_IO:
        if (error != ENOMEM)
            return source_fault(play, at, name, strerror(error));
        break;
    case XDS_ERR_USAGE:
    case XDS_ERR_NO_MEMORY:
        break;
    }
    xds_arena_give_up(play->machine.arena);
}

static bool read_path(struct xds_play *play, const struct xds_tree *path,
                      struct xds_slice folder)
{
    if (path->kind != XDS_TREE_STRING || path->text.len == 0)
        return xds_play_fault(
            play, path,
            "\"snapshot\" must be a path, a list of paths or an object of lists");
    if (!folder.data)
        return source_fault(
            play, xds_play_place(play, path), path->text,
            "\"snapshot\" must be an object of lists in a scenario that is not a file");
    const bool absolute = path->text.data[0] == '/';
    const struct xds_slice name =
        xds_arena_concat(play->machine.arena, absolute ? XDS_S("") : folder, path->text);

    struct xds_source *source = xds_source_new(play->report, XDS_TYPE_UNKNOWN);

    return read_all(play, source, source ? xds_source_add(source, name.data) : XDS_OK,
                    xds_play_place(play, path), path->text);
}

/* Nothing that gRPC reads was added to the report. */
static bool is_empty(const struct xds_report *report, size_t first)
{
    for (size_t i = first; i < report->n_resources; i++)
        if (xds_resource_type_from_name(report->resources[i].type) != XDS_TYPE_UNKNOWN)
            return false;
    return true;
}

bool xds_resources_read_bytes(struct xds_play *play, const char *name,
                              struct xds_slice bytes)
{
    struct xds_source *source = xds_source_new(play->report, XDS_TYPE_UNKNOWN);
    const size_t first = play->report->n_resources;
    const struct xds_place at = play->report->resources[play->resource].at;

    return read_all(play, source,
                    source ? xds_source_add_bytes(source, name, bytes) : XDS_OK, at,
                    xds_slice_of(name)) &&
           (!is_empty(play->report, first) ||
            source_fault(play, at, xds_slice_of(name), holds_none));
}

bool xds_resources_read(struct xds_play *play, const struct xds_tree *snapshot,
                        struct xds_slice folder)
{
    const size_t first = play->report->n_resources;

    /* {listeners: [..], routes: [..], clusters: [..], endpoints: [..]}; other members are
     * not looked at. What the client rejects is a finding, not a fault. */
    if (snapshot->kind == XDS_TREE_OBJECT)
        return add_each(play, snapshot, add_resource);
    const bool is_list = snapshot->kind == XDS_TREE_ARRAY;
    const struct xds_tree *paths = is_list ? snapshot->items : snapshot;

    for (size_t i = 0; i < (is_list ? snapshot->n : 1); i++)
        if (!read_path(play, &paths[i], folder))
            return false;
    return !is_empty(play->report, first) || (is_list && snapshot->n == 0) ||
           source_fault(play, xds_play_place(play, snapshot), paths->text, holds_none);
}
