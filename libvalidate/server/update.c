/* update.c - how a running server takes a Listener that replaces the one in use. */
#include "server/update.h"

struct comparison {
    xds_same_chain same;
    void *user;
    const char *why;
};

static enum xds_likeness compare_chains(struct comparison *c, uint32_t index,
                                        const struct xds_filter_chain *now,
                                        const struct xds_filter_chain *before)
{
    if (!now && !before)
        return XDS_LIKENESS_ALIKE;
    if (!now || !before) {
        c->why = now ? "adds default_filter_chain" : "takes default_filter_chain away";
        return XDS_LIKENESS_THROWS;
    }
    if (now->has_socket == before->has_socket || !c->same(c->user, index))
        return XDS_LIKENESS_OTHER;
    c->why = now->has_socket ? "adds a transport_socket, and nothing else"
                             : "takes a transport_socket away, and nothing else";
    return now->has_socket ? XDS_LIKENESS_THROWS : XDS_LIKENESS_ALIKE;
}

enum xds_likeness xds_server_likeness(const struct xds_listener *now,
                                      const struct xds_listener *before,
                                      xds_same_chain same, void *user, const char **why)
{
    struct comparison c = {same, user, "is the same"};
    enum xds_likeness likeness =
        xds_slice_eq(now->address, before->address)
            ? compare_chains(&c, XDS_DEFAULT_CHAIN, now->default_chain,
                             before->default_chain)
            : XDS_LIKENESS_OTHER;

    if (now->n_filter_chains != before->n_filter_chains && likeness == XDS_LIKENESS_ALIKE)
        return XDS_LIKENESS_OTHER;
    for (size_t i = 0; i < now->n_filter_chains && likeness == XDS_LIKENESS_ALIKE; i++)
        likeness = compare_chains(&c, (uint32_t)i, &now->filter_chains[i],
                                  &before->filter_chains[i]);
    *why = c.why;
    return likeness;
}
