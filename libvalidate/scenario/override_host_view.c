/* override_host_view.c - what xds_override_host knows and does, for a reader. */
#include "scenario/override_host_view.h"

/* ---- lists of addresses ---- */

static struct xds_tree addresses_where(const struct xds_override_host *host,
                                       struct xds_arena *arena,
                                       bool (*is)(const struct xds_override_entry *))
{
    struct xds_tree list = xds_tree_array();

    for (size_t i = 0; i < host->n_all; i++)
        if (is(host->all[i]))
            xds_tree_add(arena, &list, xds_tree_string(host->all[i]->address));
    return list;
}

static struct xds_tree actual_list(const struct xds_override_host *host,
                                   struct xds_arena *arena,
                                   const struct xds_override_entry *entry)
{
    struct xds_tree list = xds_tree_array();
    struct xds_slice *addresses = NULL;
    const size_t n =
        entry ? xds_override_host_addresses(host, entry, arena, &addresses) : 0;

    for (size_t i = 0; i < n; i++)
        xds_tree_add(arena, &list, xds_tree_string(addresses[i]));
    return list;
}

static bool is_candidate(const struct xds_override_entry *entry)
{
    return xds_override_is_childs(entry) && entry->state == XDS_STATE_READY;
}

static bool is_passed(const struct xds_override_entry *entry)
{
    return entry->passed;
}

static bool is_in_map(const struct xds_override_entry *entry)
{
    return entry->in_map;
}

static bool is_owned(const struct xds_override_entry *entry)
{
    return entry->in_map && entry->owner == XDS_SUBCHANNEL_OURS;
}

static bool has_none(const struct xds_override_entry *entry)
{
    return entry->in_map && entry->owner == XDS_SUBCHANNEL_NONE;
}

/* ---- a pick ---- */

static struct xds_tree text_or_null(struct xds_slice text)
{
    return text.data ? xds_tree_string(text) : (struct xds_tree){.kind = XDS_TREE_NULL};
}

static const char *const verdict_names[] = {
    [XDS_OVERRIDE_COMPLETE] = "complete",
    [XDS_OVERRIDE_QUEUE] = "queue",
    [XDS_OVERRIDE_DELEGATE] = "delegate",
};

static const char *const action_names[] = {
    [XDS_OVERRIDE_NO_ACTION] = "none",
    [XDS_OVERRIDE_CONNECT] = "connect",
    [XDS_OVERRIDE_CREATE_SUBCHANNEL] = "create_subchannel",
};

struct xds_tree xds_override_pick_tree(const struct xds_override_host *host,
                                       struct xds_arena *arena,
                                       const struct xds_override_outcome *outcome)
{
    const struct xds_override_decision *d = &outcome->decision;
    const bool delegates = d->verdict == XDS_OVERRIDE_DELEGATE;
    const bool acts = d->action != XDS_OVERRIDE_NO_ACTION;
    const struct xds_slice none = {0};
    struct xds_tree out = xds_tree_object();

    xds_tree_put(arena, &out, "result", xds_tree_text(verdict_names[d->verdict]));
    xds_tree_put(arena, &out, "host", text_or_null(outcome->host));
    xds_tree_put(arena, &out, "candidates",
                 delegates ? addresses_where(host, arena, is_candidate)
                           : xds_tree_array());
    xds_tree_put(arena, &out, "reason", xds_tree_string(d->reason));
    xds_tree_put(arena, &out, "action", xds_tree_text(action_names[d->action]));
    xds_tree_put(arena, &out, "action_address",
                 text_or_null(acts ? d->host->address : none));
    xds_tree_put(arena, &out, "actual_address_list",
                 actual_list(host, arena, outcome->used));
    return out;
}

/* ---- the state ---- */

void xds_override_put_state(const struct xds_override_host *host, struct xds_arena *arena,
                            struct xds_tree *result)
{
    static const struct {
        const char *key;
        bool (*is)(const struct xds_override_entry *);
    } keys[] = {
        {"passed_to_child", is_passed},
        {"map", is_in_map},
        {"owned", is_owned},
        {"child_owned", xds_override_is_childs},
        {"no_subchannel", has_none},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(keys); i++)
        xds_tree_put(arena, result, keys[i].key,
                     addresses_where(host, arena, keys[i].is));
}

/* ---- the picture ---- */

static void show_subchannels(const struct xds_override_host *host,
                             struct xds_arena *arena, const struct xds_scene_node *above,
                             struct xds_scene *scene)
{
    const bool own = above->depth == 0;

    for (size_t i = 0; i < host->n_all; i++) {
        const struct xds_override_entry *entry = host->all[i];

        if (!(own ? is_owned(entry) : xds_override_is_childs(entry)))
            continue;
        scene->list[scene->n++] = (struct xds_scene_node){
            .path = xds_arena_printf(arena, "%.*s/%.*s", XDS_FMT(above->path),
                                     XDS_FMT(entry->address)),
            .label = own ? xds_arena_printf(arena, "%.*s for sessions",
                                            XDS_FMT(entry->address))
                         : entry->address,
            .state = entry->state,
            .serves = entry->state == XDS_STATE_READY,
            .depth = above->depth + 1,
        };
    }
}

struct xds_scene xds_override_scene(const struct xds_override_host *host,
                                    struct xds_arena *arena)
{
    struct xds_scene scene = {
        XDS_NEW_ARRAY(arena, struct xds_scene_node, host->n_all + 2), 1};
    const struct xds_scene_node root = {.path = host->policy.name,
                                        .label = host->policy.name,
                                        .state = host->policy.report.state,
                                        .serves = true};
    struct xds_scene_node child = {.label = host->child_name, .serves = true, .depth = 1};

    scene.list[0] = root;
    if (host->child) {
        child.path = xds_arena_printf(arena, "%.*s/%.*s", XDS_FMT(root.path),
                                      XDS_FMT(child.label));
        child.state = host->child->report.state;
        scene.list[scene.n++] = child;
        show_subchannels(host, arena, &child, &scene);
    }
    show_subchannels(host, arena, &root, &scene);
    return scene;
}
