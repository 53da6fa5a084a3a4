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

/* "HOST:PORT", with a host. */
static bool is_address(struct xds_slice text)
{
    return text.len > 0 && text.data[0] != ':';
}

static bool lacks_address(const struct xds_endpoints *endpoints)
{
    for (size_t i = 0; i < endpoints->n_localities; i++)
        for (size_t k = 0; k < endpoints->localities[i].n_endpoints; k++) {
            const struct xds_endpoint *e = &endpoints->localities[i].endpoints[k];

            for (size_t a = 0; a < e->n_addresses; a++)
                if (!is_address(e->addresses[a]))
                    return true;
            if (e->n_addresses == 0)
                return true;
        }
    return false;
}

/* What answers need is not in the model of a resource that is judged as NACK. */
static bool is_partial(const struct xds_snapshot_entry *entry)
{
    const struct xds_cluster *cluster = entry->model;
    const struct xds_listener *listener = entry->model;

    switch (entry->type) {
    case XDS_TYPE_UNKNOWN:
    case XDS_TYPE_ROUTE:
        return false;
    case XDS_TYPE_LISTENER:
        return !listener->is_api_listener ||
               (!listener->route_config && listener->rds_name.len == 0);
    case XDS_TYPE_CLUSTER:
        return cluster->kind == XDS_CLUSTER_UNSUPPORTED ||
               (cluster->kind == XDS_CLUSTER_LOGICAL_DNS &&
                !is_address(cluster->dns_name)) ||
               (cluster->kind == XDS_CLUSTER_AGGREGATE && cluster->n_children == 0);
    case XDS_TYPE_ENDPOINT:
        return lacks_address(entry->model);
    }
    return false;
}

bool xds_snapshot_unmodelled(const struct xds_snapshot_entry *entry)
{
    const struct xds_held *held = entry->held;

    return held && held->used_by &&
           (!entry->model || (held->against && is_partial(entry)));
}

void xds_snapshot_add(struct xds_snapshot *snapshot,
                      const struct xds_snapshot_entry *entry)
{
    struct xds_snapshot_entry *copy = XDS_NEW(snapshot->arena, struct xds_snapshot_entry);
    void **slot = xds_strmap_at(&snapshot->by_name[entry->type], entry->name);

    look_for_killing(snapshot, entry);
    snapshot->has_unmodelled |= xds_snapshot_unmodelled(entry);
    *copy = *entry;
    copy->name = xds_arena_dup(snapshot->arena, entry->name);
    copy->next = NULL;
    copy->earlier = *slot;
    *slot = copy;
    if (snapshot->last[entry->type])
        snapshot->last[entry->type]->next = copy;
    else
        snapshot->first[entry->type] = copy;
    snapshot->last[entry->type] = copy;
}

bool xds_held_lacks_content(const struct xds_held *held)
{
    return held && (held->is_absent || held->is_rejected) && held->version.len > 0 &&
           held->status != XDS_HELD_UNKNOWN && held->status != XDS_HELD_REQUESTED;
}

/* What a client says of a resource that it does not have. */
static void add_absent(struct xds_snapshot *snapshot,
                       const struct xds_snapshot_entry *entry)
{
    struct xds_snapshot_entry *copy = XDS_NEW(snapshot->arena, struct xds_snapshot_entry);

    *copy = *entry;
    copy->name = xds_arena_dup(snapshot->arena, entry->name);
    copy->next = NULL;
    snapshot->has_unmodelled |= xds_held_lacks_content(entry->held);
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

/* What a client rejected is not in use; where it holds no version, that says why. */
static void note_rejected(struct xds_snapshot *snapshot,
                          const struct xds_snapshot_entry *entry)
{
    struct xds_snapshot_entry *copy = XDS_NEW(snapshot->arena, struct xds_snapshot_entry);

    *copy = *entry;
    copy->name = xds_arena_dup(snapshot->arena, entry->name);
    copy->next = NULL;
    snapshot->has_unmodelled |= xds_held_lacks_content(entry->held);
    *xds_strmap_at(&snapshot->absent[entry->type], entry->name) = copy;
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
        latest->last_only = first->last_only;
        latest->without = first->without;
        latest->node = xds_arena_dup(first->arena, held->node);
    }
    return latest;
}

/* ClientConfigs come one after the other. */
static struct xds_snapshot *of_config(struct xds_snapshot *client, uint32_t config)
{
    if (!client->last_scope || client->last_scope->config != config) {
        struct xds_snapshot *scope = XDS_NEW(client->arena, struct xds_snapshot);

        xds_snapshot_init(scope, client->arena);
        scope->config = config;
        scope->last_only = client->last_only;
        scope->without = client->without;
        scope->whole = client;
        scope->has_held = true;
        if (client->last_scope)
            client->last_scope->next = scope;
        else
            client->scopes = scope;
        client->last_scope = scope;
        client->n_scopes++;
    }
    return client->last_scope;
}

static bool has_parts(const struct xds_snapshot *snapshot)
{
    return snapshot->n_scopes > 1 && !snapshot->has_more;
}

const struct xds_snapshot *xds_snapshot_part(const struct xds_snapshot *snapshot)
{
    return has_parts(snapshot) ? snapshot->scopes : snapshot;
}

const struct xds_snapshot *xds_snapshot_next_part(const struct xds_snapshot *snapshot,
                                                  const struct xds_snapshot *part)
{
    return has_parts(snapshot) ? part->next : NULL;
}

void xds_snapshot_keep(struct xds_snapshot *first, const struct xds_snapshot_entry *entry)
{
    const struct xds_held *held = entry->held;

    first->has_held |= held != NULL;

    struct xds_snapshot *snapshot = of_client(first, held);
    struct xds_snapshot *scope =
        held && held->config > 0 ? of_config(snapshot, held->config) : NULL;

    if (held && held->is_rejected) {
        note_rejected(snapshot, entry);
        if (scope)
            note_rejected(scope, entry);
        return;
    }
    snapshot->has_more |= !held || held->config == 0;
    if (scope && held->is_absent)
        add_absent(scope, entry);
    else if (scope)
        xds_snapshot_add(scope, entry);
    if (held && held->is_absent)
        add_absent(snapshot, entry);
    else if (is_shared(snapshot, entry))
        snapshot->n_shared++;
    else
        xds_snapshot_add(snapshot, entry);
}

void xds_snapshot_put(struct xds_snapshot *snapshot,
                      const struct xds_snapshot_entry *entry)
{
    struct xds_snapshot_entry *old =
        xds_strmap_get(&snapshot->by_name[entry->type], entry->name);

    snapshot->has_more = true; /* than its ClientConfigs */
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
    old->earlier = NULL;
}

bool xds_snapshot_remove(struct xds_snapshot *snapshot, enum xds_resource_type type,
                         struct xds_slice name)
{
    struct xds_snapshot_entry *old = xds_strmap_get(&snapshot->by_name[type], name);
    struct xds_snapshot_entry *before = NULL, **link = &snapshot->first[type];

    snapshot->has_more = true;
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

const struct xds_snapshot_entry *xds_snapshot_used(const struct xds_snapshot *snapshot,
                                                   enum xds_client client,
                                                   enum xds_resource_type type,
                                                   struct xds_slice name)
{
    const struct xds_snapshot_entry *last = xds_snapshot_find(snapshot, type, name);
    const struct xds_snapshot_entry *e = last;
    const unsigned bit = XDS_CLIENT_BIT(client);

    while (e && e->nacked_by & ~e->by_host & bit &&
           !((snapshot->last_only | e->killing) & bit))
        e = e->earlier;
    return e ? e : last;
}

bool xds_snapshot_has_api_listener(const struct xds_snapshot *snapshot)
{
    const struct xds_snapshot_entry *e = snapshot->first[XDS_TYPE_LISTENER];

    while (e && e->model && !((const struct xds_listener *)e->model)->is_api_listener)
        e = e->next;
    return e != NULL;
}
