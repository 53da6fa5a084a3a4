/*
 * difference.c - find the reading that makes two clients decide otherwise.
 *
 * How:    the first step on which the two part is taken again by each of them, with one
 * of the readings that they do not share the other way round. The reading that makes the
 * answers equal is the cause.
 */
#include "explain/explain.h"

/* One of the two, with a reading turned round. */
struct side {
    const struct xds_pair *pair;
    const struct xds_decision *d;
    uint64_t flipped;
};

/* The answer of a step as text, so that two can be compared; absent: not reached. */
typedef struct xds_slice step_fn(const struct side *side);

struct again {
    struct xds_rpc rpc;
    struct xds_random random;
    struct xds_slice undecided;
    const struct xds_rule *killed_by;
};

static const struct xds_rpc *again_init(struct again *a, const struct side *side,
                                        size_t drawn)
{
    const struct xds_request *request = &side->d->request;

    a->random = (struct xds_random){request->random, request->n_random, drawn};
    a->undecided = xds_slice_make(NULL, 0);
    a->killed_by = NULL;
    a->rpc = (struct xds_rpc){.client = side->d->client,
                              .options = side->pair->options,
                              .request = request,
                              .random = &a->random,
                              .arena = side->pair->scratch,
                              .undecided = &a->undecided,
                              .killed_by = &a->killed_by,
                              .flipped = side->flipped};
    return &a->rpc;
}

static struct xds_slice find_virtual_host(const struct side *side)
{
    const struct xds_decision *d = side->d;

    if (!d->start.route_config)
        return xds_slice_make(NULL, 0);
    const struct xds_virtual_host_choice choice = xds_virtual_host_find_as(
        d->start.route_config,
        xds_readings_of(side->pair->options, d->client) ^ side->flipped,
        d->start.authority);
    return choice.host ? xds_arena_printf(side->pair->scratch, "%zu", choice.index)
                       : XDS_S("none");
}

size_t xds_first_other_route(const struct xds_pair *pair)
{
    const struct xds_route_walk *a = &pair->asked->walk, *b = &pair->other->walk;
    const size_t n = a->n_tries < b->n_tries ? a->n_tries : b->n_tries;
    size_t i = 0;

    while (i < n && a->tries[i].route == b->tries[i].route &&
           a->tries[i].matched == b->tries[i].matched)
        i++;
    return i;
}

static struct xds_slice try_route(const struct side *side)
{
    const size_t at = xds_first_other_route(side->pair);
    struct again again;

    if (at >= side->d->walk.n_tries || at >= side->pair->asked->walk.n_tries)
        return xds_slice_make(NULL, 0);
    const struct xds_route_try *before = &side->d->walk.tries[at];
    struct xds_route_try try = {.route = before->route};

    xds_route_try_one(again_init(&again, side, before->drawn_before), 1, &try);
    return xds_arena_printf(side->pair->scratch, "%d", try.matched);
}

/* The route whose session and hash count: the last one that the walk came to. */
static const struct xds_route *last_route(const struct xds_decision *d)
{
    return d->walk.n_tries ? d->walk.tries[d->walk.n_tries - 1].route : NULL;
}

static struct xds_slice read_session(const struct side *side)
{
    const struct xds_decision *d = side->d;
    const struct xds_override_scope scope = {NULL, last_route(d), d->virtual_host.host};
    struct xds_session session;
    struct again again;

    if (!scope.route)
        return xds_slice_make(NULL, 0);
    xds_session_read(again_init(&again, side, 0), d->start.listener, &scope, NULL,
                     &session);
    return xds_arena_printf(side->pair->scratch, "%d %.*s %.*s", session.code,
                            XDS_FMT(session.cookie.list),
                            XDS_FMT(session.cookie.cluster));
}

static struct xds_slice hash_request(const struct side *side)
{
    const struct xds_route *route = last_route(side->d);
    struct again again;

    if (!route)
        return xds_slice_make(NULL, 0);
    const struct xds_request_hash hash =
        xds_request_hash(again_init(&again, side, 0), route);

    if (again.killed_by)
        return XDS_S("dies");
    return hash.known ? xds_arena_dup(side->pair->scratch,
                                      xds_slice_of(xds_u128_text(hash.hash).text))
                      : hash.thrown;
}

static step_fn *const steps[] = {find_virtual_host, try_route, read_session,
                                 hash_request};

static bool same(struct xds_slice a, struct xds_slice b)
{
    if (!a.data || !b.data)
        return a.data == b.data;
    return xds_slice_eq(a, b);
}

/* Does the step give one answer to both when one of them drops or takes over reading? */
static bool explains(const struct xds_pair *pair, step_fn *step, uint64_t reading)
{
    const struct side asked = {pair, pair->asked, 0}, other = {pair, pair->other, 0};
    const struct side asked_else = {pair, pair->asked, reading};
    const struct side other_else = {pair, pair->other, reading};

    return same(step(&asked_else), step(&other)) || same(step(&asked), step(&other_else));
}

static struct xds_slice clause(const struct xds_pair *pair, enum xds_reading reading)
{
    const bool of_other = xds_reads_as(pair->options, pair->other->client, reading);

    return xds_arena_printf(
        pair->scratch, "%s %s",
        of_other ? "it" : xds_asked_label(pair->options, pair->asked->client).text,
        xds_readings[reading].text);
}

struct xds_slice xds_name_difference(const struct xds_pair *pair)
{
    const uint64_t not_shared = xds_readings_of(pair->options, pair->asked->client) ^
                                xds_readings_of(pair->options, pair->other->client);
    const struct side asked = {pair, pair->asked, 0}, other = {pair, pair->other, 0};

    for (size_t s = 0; s < XDS_ARRAY_LEN(steps); s++) {
        if (same(steps[s](&asked), steps[s](&other)))
            continue;
        for (unsigned r = 0; r < XDS_READINGS; r++)
            if ((not_shared & XDS_READING_BIT(r)) &&
                explains(pair, steps[s], XDS_READING_BIT(r)))
                return clause(pair, (enum xds_reading)r);
        break;
    }
    return xds_slice_make(NULL, 0);
}
