/* snapshot.c - the models of a whole snapshot by type and name. */
#include "model/snapshot.h"

void xds_snapshot_init(struct xds_snapshot *snapshot, struct xds_arena *arena)
{
    *snapshot = (struct xds_snapshot){.arena = arena};
    for (size_t i = 0; i < XDS_ARRAY_LEN(snapshot->by_name); i++) {
        xds_strmap_init(&snapshot->by_name[i], arena);
        xds_strmap_init(&snapshot->absent[i], arena);
    }
}

static void look_for_killing(struct xds_snapshot *snapshot,
                             const struct xds_snapshot_entry *entry)
{
    const struct xds_cluster *cluster = entry->model;

    if (entry->killing ||
        (entry->type == XDS_TYPE_CLUSTER && cluster && cluster->killing.readers))
        snapshot->has_killing = true;
}

void xds_snapshot_add(struct xds_snapshot *snapshot,
                      const struct xds_snapshot_entry *entry)
{
    struct xds_snapshot_entry *copy = XDS_NEW(snapshot->arena, struct xds_snapshot_entry);
    void **slot = xds_strmap_at(&snapshot->by_name[entry->type], entry->name);

    look_for_killing(snapshot, entry);
    *copy = *entry;
    copy->name = xds_arena_dup(snapshot->arena, entry->name);
    copy->next = NULL;
    *slot = copy;
    if (snapshot->last[entry->type])
        snapshot->last[entry->type]->next = copy;
    else
        snapshot->first[entry->type] = copy;
    snapshot->last[entry->type] = copy;
}

/* What a client says of a resource that it does not have. */
static void add_absent(struct xds_snapshot *snapshot,
                       const struct xds_snapshot_entry *entry)
{
    struct xds_snapshot_entry *copy = XDS_NEW(snapshot->arena, struct xds_snapshot_entry);

    *copy = *entry;
    copy->name = xds_arena_dup(snapshot->arena, entry->name);
    copy->next = NULL;
    *xds_strmap_at(&snapshot->absent[entry->type], entry->name) = copy;
    if (snapshot->last_absent)
        snapshot->last_absent->next = copy;
    else
        snapshot->first_absent = copy;
    snapshot->last_absent = copy;
}

void xds_snapshot_take_versions(struct xds_snapshot *snapshot, xds_version_fn *take,
                                void *user)
{
    struct xds_snapshot_entry *e = snapshot->first_absent, *next;

    snapshot->first_absent = snapshot->last_absent = NULL;
    for (; e; e = next) {
        struct xds_snapshot_entry *of =
            xds_strmap_get(&snapshot->by_name[e->type], e->name);

        next = e->next;
        e->next = NULL;
        if (of && !of->held) {
            take(user, of, e);
            continue;
        }
        if (snapshot->last_absent)
            snapshot->last_absent->next = e;
        else
            snapshot->first_absent = e;
        snapshot->last_absent = e;
    }
}

const struct xds_held *xds_snapshot_held(const struct xds_snapshot *snapshot,
                                         enum xds_resource_type type,
                                         struct xds_slice name)
{
    const struct xds_snapshot_entry *entry = xds_snapshot_find(snapshot, type, name);

    if (!entry)
        entry = xds_strmap_get(&snapshot->absent[type], name);
    return entry ? entry->held : NULL;
}

/* Have two targets of a client the resource, of which the first one was kept? */
static bool is_shared(const struct xds_snapshot *snapshot,
                      const struct xds_snapshot_entry *entry)
{
    const struct xds_snapshot_entry *same =
        xds_snapshot_find(snapshot, entry->type, entry->name);

    return entry->held && same && same->held && same->held->config != entry->held->config;
}

/* Clients come one after the other. */
static struct xds_snapshot *of_client(struct xds_snapshot *first,
                                      const struct xds_held *held)
{
    struct xds_snapshot *latest = first->latest ? first->latest : first;

    if (!held || held->client <= 1) {
        if (held && held->client == 1 && first->node.len == 0)
            first->node = xds_arena_dup(first->arena, held->node);
        return first;
    }
    if (latest->client != held->client) {
        latest->next = XDS_NEW(first->arena, struct xds_snapshot);
        latest = first->latest = latest->next;
        xds_snapshot_init(latest, first->arena);
        latest->client = held->client;
        latest->node = xds_arena_dup(first->arena, held->node);
    }
    return latest;
}

void xds_snapshot_keep(struct xds_snapshot *first, const struct xds_snapshot_entry *entry)
{
    const struct xds_held *held = entry->held;

    if (held && held->is_rejected)
        return;
    first->has_held |= held != NULL;

    struct xds_snapshot *snapshot = of_client(first, held);

    if (held && held->is_absent)
        add_absent(snapshot, entry);
    else if (is_shared(snapshot, entry))
        first->n_shared++;
    else
        xds_snapshot_add(snapshot, entry);
}

void xds_snapshot_put(struct xds_snapshot *snapshot,
                      const struct xds_snapshot_entry *entry)
{
    struct xds_snapshot_entry *old =
        xds_strmap_get(&snapshot->by_name[entry->type], entry->name);

    if (!old) {
        xds_snapshot_add(snapshot, entry);
        return;
    }
    look_for_killing(snapshot, entry);
    struct xds_snapshot_entry *const next = old->next;
    const struct xds_slice name = old->name;

    *old = *entry;
    old->name = name;
    old->next = next;
}

bool xds_snapshot_remove(struct xds_snapshot *snapshot, enum xds_resource_type type,
                         struct xds_slice name)
{
    struct xds_snapshot_entry *old = xds_strmap_get(&snapshot->by_name[type], name);
    struct xds_snapshot_entry *before = NULL, **link = &snapshot->first[type];

    if (!old)
        return false;
    while (*link != old) {
        before = *link;
        link = &before->next;
    }
    *link = old->next;
    if (snapshot->last[type] == old)
        snapshot->last[type] = before;
    *xds_strmap_at(&snapshot->by_name[type], name) = NULL;
    return true;
}

const struct xds_snapshot_entry *xds_snapshot_find(const struct xds_snapshot *snapshot,
                                                   enum xds_resource_type type,
                                                   struct xds_slice name)
{
    return xds_strmap_get(&snapshot->by_name[type], name);
}

bool xds_snapshot_has_api_listener(const struct xds_snapshot *snapshot)
{
    const struct xds_snapshot_entry *e = snapshot->first[XDS_TYPE_LISTENER];

    while (e && e->model && !((const struct xds_listener *)e->model)->is_api_listener)
        e = e->next;
    return e != NULL;
}
