/*
 * resources.c - the resources that a client has, over updates.
 *
 * Takes:  updates in any form that lint reads.
 * Gives:  a snapshot of what is in force, and what came of each resource.
 * Fails:  with a text when the input cannot be read.
 *
 * Each update is judged by a check of its own, whose models stay until the end: policies
 * may still hold those of an older one.
 * Source: gRFC A27 and A40 (a rejected update changes nothing).
 */
#include "scenario/resources.h"

#include <stdlib.h>

/* One update, as it was judged. */
struct update {
    struct xds_report *report;
    struct xds_check *check;
    struct xds_source *source;
    struct update *before;
};

struct xds_resources {
    enum xds_client client;
    struct xds_report *report; /* of the whole */
    struct xds_check *check;   /* its snapshot is what is in force */
    struct update *last;
};

static void free_update(struct update *update)
{
    xds_source_free(update->source);
    xds_check_free(update->check);
    xds_report_free(update->report);
    free(update);
}

static struct update *new_update(const struct xds_options *options)
{
    struct update *update = calloc(1, sizeof *update);

    if (!update)
        return NULL;
    update->report = xds_report_new(options);
    update->check = update->report ? xds_check_new(update->report, true) : NULL;
    update->source =
        update->report ? xds_source_new(update->report, XDS_TYPE_UNKNOWN) : NULL;
    if (update->check && update->source)
        return update;
    free_update(update);
    return NULL;
}

struct xds_resources *xds_resources_new(const struct xds_options *options,
                                        enum xds_client client)
{
    struct xds_resources *resources = calloc(1, sizeof *resources);
    struct xds_options own = *options;

    if (!resources)
        return NULL;
    own.clients = XDS_CLIENT_BIT(client);
    resources->client = client;
    resources->report = xds_report_new(&own);
    resources->check = resources->report ? xds_check_new(resources->report, true) : NULL;
    if (resources->check)
        return resources;
    xds_resources_free(resources);
    return NULL;
}

void xds_resources_free(struct xds_resources *resources)
{
    if (!resources)
        return;
    while (resources->last) {
        struct update *const update = resources->last;

        resources->last = update->before;
        free_update(update);
    }
    xds_check_free(resources->check);
    xds_report_free(resources->report);
    free(resources);
}

struct xds_check *xds_resources_check(const struct xds_resources *resources)
{
    return resources->check;
}

const struct xds_snapshot *xds_resources_snapshot(const struct xds_resources *resources)
{
    return &resources->check->snapshot;
}

/* ---- one update ------------------------------------------------------------------- */

/* What the client says first against a resource of the report, or against the input when
 * resource is XDS_NO_RESOURCE. */
static struct xds_slice first_message(const struct xds_resources *resources,
                                      const struct xds_report *report, uint32_t resource)
{
    for (size_t i = 0; i < report->n_findings; i++) {
        const struct xds_finding *f = &report->findings[i];

        if (f->resource == resource && f->verdict[resources->client] == XDS_NACK)
            return f->message;
    }
    return xds_slice_make(NULL, 0);
}

struct applying {
    struct xds_resources *resources;
    const struct update *update;
    struct xds_resource_change *list;
    size_t n;
};

static void apply_resource(struct applying *a, uint32_t index)
{
    struct xds_snapshot *in_force = &a->resources->check->snapshot;
    const struct xds_resource_result *result = &a->update->report->resources[index];
    struct xds_resource_change *change = &a->list[a->n];

    *change = (struct xds_resource_change){
        .type = xds_resource_type_from_name(result->type),
        .name = result->name,
        .rejected = result->nacked_by & XDS_CLIENT_BIT(a->resources->client)};
    if (change->type == XDS_TYPE_UNKNOWN)
        return;
    a->n++;
    if (change->rejected)
        change->message = first_message(a->resources, a->update->report, index);
    const struct xds_snapshot_entry *old =
        xds_snapshot_find(in_force, change->type, change->name);

    change->replaced = old && old->model;
}

/* A rejected resource that is the first of its name is kept as rejected: the client knows
 * of it and has nothing. */
static void put_models(struct applying *a)
{
    struct xds_snapshot *in_force = &a->resources->check->snapshot;
    const unsigned client = XDS_CLIENT_BIT(a->resources->client);

    for (size_t type = 0; type <= XDS_TYPE_ENDPOINT; type++) {
        const struct xds_snapshot_entry *e = a->update->check->snapshot.first[type];

        for (; e; e = e->next)
            if (!(e->nacked_by & client) ||
                !xds_snapshot_find(in_force, e->type, e->name))
                xds_snapshot_put(in_force, e);
    }
}

static void run_apply(void *arg)
{
    struct applying *a = arg;
    const size_t n = a->update->report->n_resources;

    a->list = XDS_NEW_ARRAY(&a->resources->check->model, struct xds_resource_change, n);
    for (size_t i = 0; i < n; i++)
        apply_resource(a, (uint32_t)i);
    put_models(a);
}

static enum xds_status read_all(const struct update *update)
{
    struct xds_resource resource;
    enum xds_status status;

    while ((status = xds_source_next(update->source, &resource)) == XDS_OK)
        if ((status = xds_check_resource(update->check, &resource)) != XDS_OK)
            break;
    return status == XDS_END ? XDS_OK : status;
}

static struct xds_resource_changes apply(struct xds_resources *resources,
                                         struct update *update, enum xds_status status)
{
    struct xds_arena *const arenas[] = {&resources->check->model};
    struct applying a = {.resources = resources, .update = update};
    struct xds_resource_changes out = {.n = 0};

    if (status == XDS_OK)
        status = read_all(update);
    if (status == XDS_OK)
        out.error = first_message(resources, update->report, XDS_NO_RESOURCE);
    else
        out.error = XDS_S("it cannot be read");
    if (out.error.data)
        return out;
    if (xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), run_apply, &a) != XDS_OK)
        out.error = XDS_S("out of memory");
    out.list = a.list;
    out.n = a.n;
    return out;
}

static struct update *begin(struct xds_resources *resources)
{
    struct update *update = new_update(&resources->report->options);

    if (!update)
        return NULL;
    update->before = resources->last;
    resources->last = update;
    return update;
}

struct xds_resource_changes xds_resources_add_path(struct xds_resources *resources,
                                                   const char *path)
{
    struct update *update = begin(resources);

    if (!update)
        return (struct xds_resource_changes){.error = XDS_S("out of memory")};
    return apply(resources, update, xds_source_add(update->source, path));
}

struct xds_resource_changes xds_resources_add_text(struct xds_resources *resources,
                                                   const char *name,
                                                   struct xds_slice text)
{
    struct update *update = begin(resources);

    if (!update)
        return (struct xds_resource_changes){.error = XDS_S("out of memory")};
    return apply(resources, update, xds_source_add_bytes(update->source, name, text));
}

bool xds_resources_remove(struct xds_resources *resources, enum xds_resource_type type,
                          struct xds_slice name)
{
    return xds_snapshot_remove(&resources->check->snapshot, type, name);
}
