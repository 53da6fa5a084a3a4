/* show_names.c - the names in a snapshot, one a line. */
#include "print/show/show.h"

struct names {
    struct xds_show *show;
    struct xds_strmap seen;
};

static void put(struct names *names, struct xds_slice name)
{
    void **slot = xds_strmap_at(&names->seen, name);

    if (*slot || name.len == 0)
        return;
    *slot = names;
    xds_out_line(names->show->out, "%.*s", XDS_FMT(name));
}

static void put_addresses(struct names *names, const struct xds_snapshot_entry *entry,
                          const struct xds_locality *localities, size_t n)
{
    const bool all = xds_show_wants(names->show, entry->name);

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < localities[i].n_endpoints; k++) {
            const struct xds_endpoint *endpoint = &localities[i].endpoints[k];

            if (!all && !xds_show_wants_endpoint(names->show, endpoint))
                continue;
            for (size_t a = 0; a < endpoint->n_addresses; a++)
                put(names, endpoint->addresses[a]);
        }
}

static void print(struct xds_show *show)
{
    for (unsigned type = XDS_TYPE_LISTENER; type <= XDS_TYPE_ENDPOINT; type++) {
        const bool wanted = show->view->tables ? show->view->tables & 1u << type
                                               : type < XDS_TYPE_ENDPOINT;
        struct names names = {.show = show};

        xds_strmap_init(&names.seen, show->arena);
        for (const struct xds_snapshot_entry *e = wanted ? show->snapshot->first[type]
                                                         : NULL;
             e && !show->out->failed; e = e->next) {
            const struct xds_endpoints *endpoints =
                type == XDS_TYPE_ENDPOINT ? e->model : NULL;

            if (type != XDS_TYPE_ENDPOINT && xds_show_wants_entry(show, e))
                put(&names, e->name);
            if (endpoints) {
                put_addresses(&names, e, endpoints->localities, endpoints->n_localities);
                put_addresses(&names, e, endpoints->weightless, endpoints->n_weightless);
            }
        }
    }
}

enum xds_status xds_print_snapshot_names(const struct xds_printer *to,
                                         struct xds_check *check,
                                         const struct xds_snapshot_view *view)
{
    return xds_show_run(to, check, view, print);
}
