/*
 * why_not.c - turn the causes of an address round: why did the RPC not go there?
 *
 * Source: spec routing 5.10, 7.5, 9.5 and 12.
 */
#include "explain/observe.h"
#include "explain/observe_elsewhere.h"

enum { MAX_REASONS = 32, MAX_ADDRESSES = 8 };

/* Nothing has to change for this cause. */
static bool holds_already(const struct xds_observed_rpc *seen,
                          const struct xds_cause *cause)
{
    enum xds_connectivity state;

    if (cause->cookie.data && !cause->sent)
        return false;
    for (size_t i = 0; i < cause->n_needs; i++)
        if (!xds_lb_assumes(seen->lb, cause->needs[i].address, &state) ||
            state != cause->needs[i].state)
            return false;
    return true;
}

static void say_cookie(const struct xds_observed_rpc *seen, struct xds_slice address,
                       struct xds_sentences *out)
{
    const struct xds_decision *d = seen->d;
    const struct xds_host *host = d->host;

    if (!host || d->host_why != XDS_HOST_OVERRIDE ||
        xds_slice_eq(host->endpoint->addresses[host->address], address))
        return;
    const struct xds_slice used = host->endpoint->addresses[host->address];
    xds_sentences_add(out, "the session cookie of the request leads to %.*s",
                      XDS_FMT(used));
}

static void say_hash(const struct xds_observed_rpc *seen, struct xds_slice address,
                     struct xds_sentences *out)
{
    const struct xds_decision *d = seen->d;

    if (!d->host || d->host_why != XDS_HOST_RING_HASH)
        return;
    const struct xds_slice used = d->host->endpoint->addresses[d->host->address];
    if (!xds_slice_eq(used, address))
        xds_sentences_add(out, "the hash %s of this RPC leads to %.*s",
                          xds_u128_text(d->hash).text, XDS_FMT(used));
}

static void say_possible(const struct xds_cause *cause, struct xds_sentences *out)
{
    if (cause->probability >= 1)
        xds_sentences_add(out, "it does go there: %.*s", XDS_FMT(cause->reason));
    else if (cause->probability == XDS_NOT_COMPUTABLE)
        xds_sentences_add(out, "it may go there: %.*s", XDS_FMT(cause->reason));
    else
        xds_sentences_add(out,
                          "%.10g%% of such RPCs do go there, the others go to other "
                          "hosts by chance: %.*s",
                          cause->probability * 100, XDS_FMT(cause->reason));
}

/* 'A (TRANSIENT_FAILURE), B (IDLE) and 3 more' */
static struct xds_slice list_needs(struct xds_arena *arena, const struct xds_cause *cause)
{
    static const char *const states[] = {
        [XDS_STATE_TRANSIENT_FAILURE] = "down",
        [XDS_STATE_IDLE] = "not connected",
        [XDS_STATE_CONNECTING] = "connecting",
        [XDS_STATE_READY] = "connected",
    };
    const size_t said = cause->n_needs < MAX_ADDRESSES ? cause->n_needs : MAX_ADDRESSES;
    struct xds_slice text = {NULL, 0};

    for (size_t i = 0; i < said; i++)
        text = xds_arena_printf(arena, "%.*s%s%.*s %s", XDS_FMT(text), i ? ", " : "",
                                XDS_FMT(cause->needs[i].address),
                                states[cause->needs[i].state]);
    if (cause->n_needs + cause->n_more_needs > said)
        text = xds_arena_printf(arena, "%.*s and %zu more", XDS_FMT(text),
                                cause->n_needs + cause->n_more_needs - said);
    return text;
}

static void say_needs(const struct xds_cause *cause, struct xds_sentences *out)
{
    const struct xds_slice needs = list_needs(out->arena, cause);

    if (cause->n_needs > 0)
        xds_sentences_add(out, "it would go there with %.*s: %.*s", XDS_FMT(needs),
                          XDS_FMT(cause->reason));
}

static void say_offer(const struct xds_cause *cause, struct xds_sentences *out)
{
    const struct xds_slice needs = list_needs(out->arena, cause);

    xds_sentences_add(out,
                      "the request has no session cookie; %.*s would lead there%s%.*s",
                      XDS_FMT(cause->cookie), needs.len ? ", with " : "", XDS_FMT(needs));
}

static void say_cause(const struct xds_observed_rpc *seen, const struct xds_cause *cause,
                      struct xds_sentences *out)
{
    if (holds_already(seen, cause))
        say_possible(cause, out);
    else if (cause->cookie.data && !cause->sent)
        say_offer(cause, out);
    else
        say_needs(cause, out);
}

const struct xds_why_not *xds_why_not(const struct xds_observed_rpc *seen,
                                      struct xds_slice address)
{
    struct xds_arena *arena = seen->lb->rpc->arena;
    const struct xds_observation *o = xds_observe(seen, address);
    struct xds_why_not *why_not = XDS_NEW(arena, struct xds_why_not);
    struct xds_sentences out;

    xds_sentences_init(&out, arena, MAX_REASONS);
    say_cookie(seen, address, &out);
    say_hash(seen, address, &out);
    for (size_t i = 0; i < o->n_causes; i++)
        say_cause(seen, &o->causes[i], &out);
    for (size_t i = 0; i < o->n_obstacles; i++)
        xds_sentences_add(&out, "%.*s", XDS_FMT(o->obstacles[i]));
    if (o->incomplete)
        xds_sentences_add(&out,
                          "there are too many hosts or clusters to list every cause");
    *why_not = (struct xds_why_not){address, out.list, out.n};
    return why_not;
}
