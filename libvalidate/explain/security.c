/*
 * security.c - the security of the connections that an RPC may take.
 *
 * Source: gRFC A29, A101.
 */
#include "explain/explain.h"

/* Hosts may differ in the name that is sent to them. */
#define MOST_CONNECTIONS ((size_t)20)

struct list {
    struct xds_security items[MOST_CONNECTIONS];
    size_t n;
};

static bool is_listed(const struct list *list, const struct xds_security *s)
{
    for (size_t i = 0; i < list->n; i++)
        if (xds_slice_eq(list->items[i].cluster, s->cluster) &&
            list->items[i].sni_from == s->sni_from &&
            xds_slice_eq(list->items[i].sni, s->sni))
            return true;
    return false;
}

/* All connections of a cluster are alike, but for the names of its endpoints. */
static bool is_known(const struct list *list, struct xds_slice cluster)
{
    const struct xds_security *last = list->n > 0 ? &list->items[list->n - 1] : NULL;

    return last && last->cluster.data == cluster.data &&
           !(last->tls && last->tls->auto_host_sni);
}

void xds_explain_security(const struct xds_lb *lb, struct xds_decision *d)
{
    const struct xds_rpc *rpc = lb->rpc;
    struct list list = {.n = 0};

    if (lb->live || d->outcome != XDS_OUTCOME_ROUTED)
        return;
    for (size_t i = 0; i < d->pick.n_hosts && list.n < MOST_CONNECTIONS; i++) {
        const struct xds_slice name = d->pick.hosts[i].cluster;
        const struct xds_cluster *leaf =
            is_known(&list, name)
                ? NULL
                : xds_accepted(lb->snapshot, rpc->client, XDS_TYPE_CLUSTER, name, NULL);
        struct xds_security *s = &list.items[list.n];

        if (!leaf)
            continue;
        xds_security_read(rpc, leaf, d->pick.hosts[i].host->endpoint, s);
        s->cluster = name;
        if (!is_listed(&list, s))
            list.n++;
    }
    const struct xds_certificate *certificate = rpc->request->server_certificate;

    for (size_t i = 0; certificate && i < list.n; i++)
        if (list.items[i].tls)
            list.items[i].handshake = xds_handshake(rpc, &list.items[i], certificate);
    struct xds_security *kept = XDS_NEW_ARRAY(rpc->arena, struct xds_security, list.n);

    memcpy(kept, list.items, list.n * sizeof *kept);
    d->pick.security = kept;
    d->pick.n_security = list.n;
}

bool xds_decision_connected(const struct xds_decision *decision)
{
    const struct xds_decision_pick *pick = &decision->pick;
    size_t refused = 0;

    for (size_t i = 0; i < pick->n_security; i++)
        refused += pick->security[i].handshake && !pick->security[i].handshake->accepted;
    return refused == 0 || refused < pick->n_security;
}
