/* read_sum.c - what was read of the input, and what could not be. */
#include "source/held.h"
#include "source/source.h"

static bool is_in_use(const struct xds_resource_result *resource)
{
    const struct xds_held *held = resource->held;

    return !held || (!held->is_rejected && !held->is_absent);
}

struct xds_read_sum xds_source_sum(const struct xds_source *source)
{
    const struct xds_report *report = xds_source_report(source);
    struct xds_read_sum sum = {.unread = report->input.n_unread + report->input.n_errors,
                               .clients = xds_source_clients(source),
                               .first = report->input.unread};

    for (size_t i = 0; i < report->files.n; i++) {
        const bool is_named = (report->files.marks[i] & XDS_FILE_NAMED) != 0;

        sum.is_named |= is_named;
        sum.empty += is_named && !(report->files.marks[i] & XDS_FILE_SAYS);
    }
    if (sum.clients > 0)
        sum.empty = 0;
    for (size_t i = 0; i < report->n_resources; i++) {
        const struct xds_resource_result *resource = &report->resources[i];

        if (xds_resource_type_from_name(resource->type) != XDS_TYPE_UNKNOWN)
            sum.resources++;
        else
            sum.others++;
        sum.unreadable += resource->unreadable && is_in_use(resource);
    }
    return sum;
}
