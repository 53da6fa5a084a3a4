/* subjects.c - the list of what a scenario can play. */
#include "scenario/scenario.h"

#include "base/text.h"

static const struct xds_subject *const subjects[] = {
    &xds_subject_cds_child_names, &xds_subject_channel,    &xds_subject_config_selector,
    &xds_subject_override_host,   &xds_subject_policy,     &xds_subject_priority,
    &xds_subject_weighted_target, &xds_subject_xds_client,
};

const struct xds_subject *xds_subject_find(struct xds_slice name, const char **hint)
{
    struct xds_nearest nearest = xds_nearest_to(name);

    for (size_t i = 0; i < XDS_ARRAY_LEN(subjects); i++) {
        if (xds_slice_is(name, subjects[i]->name))
            return subjects[i];
        xds_nearest_offer(&nearest, subjects[i]->name);
    }
    *hint = nearest.best;
    return NULL;
}
