/* snapshot.c - the models of a whole snapshot by type and name. */
#include "model/snapshot.h"

void xds_snapshot_init(struct xds_snapshot *snapshot, struct xds_arena *arena)
{
    *snapshot = (struct xds_snapshot){.arena = arena};
    for (size_t i = 0; i < XDS_ARRAY_LEN(snapshot->by_name); i++)
        xds_strmap_init(&snapshot->by_name[i], arena);
}

static void look_for_killing(struct xds_snapshot *snapshot,
                             const struct xds_snapshot_entry *entry)
{
    const struct xds_cluster *cluster = entry->model;

    if (entry->type == XDS_TYPE_CLUSTER && cluster && cluster->killing.readers)
        snapshot->has_killing_cluster = true;
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
