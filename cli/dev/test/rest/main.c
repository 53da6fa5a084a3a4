/*
 * main.c - xdscope, in which each pick of explain is compared with the policies at rest:
 *          what differs is appended to the file that XDS_REST names.
 */
#include <stdio.h>
#include <stdlib.h>

#include "lb/rest_test.h"

struct xds_pick __real_xds_pick_host(const struct xds_lb *lb, struct xds_slice cluster,
                                     struct xds_request_key key,
                                     const struct xds_session *session);
struct xds_pick __wrap_xds_pick_host(const struct xds_lb *lb, struct xds_slice cluster,
                                     struct xds_request_key key,
                                     const struct xds_session *session);

struct xds_pick __wrap_xds_pick_host(const struct xds_lb *lb, struct xds_slice cluster,
                                     struct xds_request_key key,
                                     const struct xds_session *session)
{
    const struct xds_pick pick = __real_xds_pick_host(lb, cluster, key, session);
    const char *name = getenv("XDS_REST");
    FILE *file = name ? fopen(name, "a") : NULL;

    if (!file) { /* for a measurement */
        struct xds_random random = {NULL, 0, 0};
        const struct xds_pick_call call = rest_call(&pick, NULL, &random);

        (void)xds_rest_shares(xds_rest_new(lb, cluster, session != NULL), &call);
        return pick;
    }
    const struct xds_slice differs = rest_difference(lb, cluster, session, &pick);

    fprintf(file, "%s %.*s\n", differs.data ? "DIFF" : "same", XDS_FMT(differs));
    fclose(file);
    return pick;
}
