/* site.c - make the path of a reference from the indices that were kept of it. */
#include "lint/site.h"

#include "lint/places.h"

/* How far down in the routes a field is. */
enum level { OF_RESOURCE, OF_HOST, OF_ROUTE, OF_ENTRY };

static const struct form {
    enum level level;
    enum xds_step_kind step; /* INDEX: the first one, or the child of an aggregate */
    const char *field;
} forms[] = {
    [XDS_SITE_NONE] = {OF_RESOURCE, XDS_STEP_FIELD, NULL},
    [XDS_SITE_RDS] = {OF_RESOURCE, XDS_STEP_FIELD, "rds.route_config_name"},
    [XDS_SITE_ROUTE_CLUSTER] = {OF_ROUTE, XDS_STEP_FIELD, "route.cluster"},
    [XDS_SITE_WEIGHTED_CLUSTER] = {OF_ENTRY, XDS_STEP_FIELD, "name"},
    [XDS_SITE_NON_FORWARDING] = {OF_ROUTE, XDS_STEP_FIELD, "non_forwarding_action"},
    [XDS_SITE_HASH_POLICY] = {OF_ROUTE, XDS_STEP_INDEX, "route.hash_policy"},
    [XDS_SITE_HOST_OVERRIDE] = {OF_HOST, XDS_STEP_KEY, "typed_per_filter_config"},
    [XDS_SITE_ROUTE_OVERRIDE] = {OF_ROUTE, XDS_STEP_KEY, "typed_per_filter_config"},
    [XDS_SITE_WEIGHTED_OVERRIDE] = {OF_ENTRY, XDS_STEP_KEY, "typed_per_filter_config"},
    [XDS_SITE_CLUSTER_NAME] = {OF_RESOURCE, XDS_STEP_FIELD, "name"},
    [XDS_SITE_SERVICE_NAME] = {OF_RESOURCE, XDS_STEP_FIELD,
                               "eds_cluster_config.service_name"},
    [XDS_SITE_CHILD] = {OF_RESOURCE, XDS_STEP_INDEX, "clusters"},
};

static void push(struct xds_site_frames *frames, enum xds_step_kind step,
                 const char *field, size_t index, struct xds_slice key)
{
    frames->at[frames->n] = (struct xds_path){
        .up = frames->n > 0 ? &frames->at[frames->n - 1] : NULL,
        .kind = step,
        .field = field,
        .index = index,
        .key = key,
    };
    frames->n++;
}

static void push_all(struct xds_site_frames *frames, const struct xds_path *path)
{
    if (!path)
        return;
    push_all(frames, path->up);
    push(frames, path->kind, path->field, path->index, path->key);
}

/* Above the virtual hosts, or above the list of an aggregate. */
static void push_root(struct xds_site_frames *frames, struct xds_site site)
{
    if (site.kind == XDS_SITE_RDS)
        push_all(frames, XDS_AT_CONNECTION_MANAGER);
    else if (site.kind == XDS_SITE_CHILD)
        push_all(frames, XDS_AT_AGGREGATE);
    else if (site.is_inline)
        push_all(frames, XDS_AT_INLINE_ROUTES);
}

const struct xds_path *xds_site_path(struct xds_site site, struct xds_slice key,
                                     struct xds_site_frames *frames)
{
    const struct form *form = &forms[site.kind];
    const struct xds_slice none = {NULL, 0};

    frames->n = 0;
    push_root(frames, site);
    if (form->level >= OF_HOST)
        push(frames, XDS_STEP_INDEX, "virtual_hosts", site.host, none);
    if (form->level >= OF_ROUTE)
        push(frames, XDS_STEP_INDEX, "routes", site.route, none);
    if (form->level >= OF_ENTRY) {
        push(frames, XDS_STEP_FIELD, "route.weighted_clusters", 0, none);
        push(frames, XDS_STEP_INDEX, "clusters", site.entry, none);
    }
    push(frames, form->step, form->field, form->level == OF_RESOURCE ? site.entry : 0,
         form->step == XDS_STEP_KEY ? key : none);
    return &frames->at[frames->n - 1];
}
