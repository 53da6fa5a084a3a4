/*
 * rest_test.c - random clusters, assumptions and requests: the policies at rest give what
 *               the static answer gives.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "clients/readers.h"
#include "lb/lb_test.h"
#include "lb/rest_test.h"

enum { WORLDS = 20000, ENDPOINTS = 6, NUMBERS = 3 };

static const char *const addresses[ENDPOINTS][2] = {
    {"10.0.0.1:80", "[2001:db8::1]:80"}, {"10.0.0.2:80", "10.0.1.2:80"},
    {"10.0.0.3:80", "[2001:db8::3]:80"}, {"[2001:db8::4]:80", "10.0.0.4:80"},
    {"10.0.0.5:80", "10.0.1.5:80"},      {"10.0.0.6:80", "[2001:db8::6]:80"},
};

struct dice {
    uint64_t state;
};

static unsigned roll(struct dice *dice, unsigned sides)
{
    dice->state ^= dice->state << 13;
    dice->state ^= dice->state >> 7;
    dice->state ^= dice->state << 17;
    return (unsigned)((dice->state >> 33) % sides);
}

/* Localities in order, some endpoints of no use, some with a second address. */
static void random_endpoints(struct test_lb *w, struct dice *dice, const char *name)
{
    static const char *const zones[] = {"z0", "z1", "z2"};
    const unsigned n = 1 + roll(dice, ENDPOINTS);
    struct test_endpoint rows[ENDPOINTS + 1] = {{.zone = NULL}};
    unsigned zone = 0, priority = 0;

    for (unsigned i = 0; i < n; i++) {
        if (i > 0 && zone < 2 && roll(dice, 3) == 0) {
            zone++;
            priority += roll(dice, 2);
        }
        rows[i] = (struct test_endpoint){
            .zone = zones[zone],
            .priority = priority,
            .locality_weight = 1 + zone,
            .addresses = {addresses[i][0], roll(dice, 3) ? NULL : addresses[i][1]},
            .health = roll(dice, 8) ? XDS_HEALTH_HEALTHY : XDS_HEALTH_DRAINING,
            .weight = 1 + roll(dice, 4)};
    }
    test_lb_endpoints(w, name, rows)->n_priorities = priority + 1;
}

static void random_cluster(struct test_lb *w, struct dice *dice, const char *name)
{
    static const enum xds_lb_kind kinds[] = {XDS_LB_ROUND_ROBIN, XDS_LB_RING_HASH,
                                             XDS_LB_LEAST_REQUEST, XDS_LB_PICK_FIRST,
                                             XDS_LB_WEIGHTED_ROUND_ROBIN};
    struct xds_cluster *c =
        test_lb_cluster(w, name, kinds[roll(dice, XDS_ARRAY_LEN(kinds))]);

    if (roll(dice, 2))
        c->override_host_status |= XDS_HEALTH_BIT(XDS_HEALTH_DRAINING);
    c->lb.wrr_locality = roll(dice, 2);
    c->lb.from_typed_config = true;
    c->lb.shuffle_address_list = roll(dice, 2);
    c->lb.min_ring_size = 1 + roll(dice, 40);
    c->lb.max_ring_size = 64;
    random_endpoints(w, dice, name);
}

static size_t random_assumptions(struct test_lb *w, struct dice *dice,
                                 struct xds_assumption *list)
{
    static const enum xds_connectivity states[] = {
        XDS_STATE_TRANSIENT_FAILURE, XDS_STATE_TRANSIENT_FAILURE, XDS_STATE_IDLE,
        XDS_STATE_CONNECTING, XDS_STATE_READY};
    size_t n = 0;

    if (roll(dice, 4) == 0)
        return 0;
    for (unsigned i = 0; i < ENDPOINTS; i++)
        for (unsigned k = 0; k < 2; k++)
            if (roll(dice, 2))
                list[n++] =
                    (struct xds_assumption){xds_slice_of(addresses[i][k]),
                                            states[roll(dice, XDS_ARRAY_LEN(states))]};
    w->t.request.assumptions = list;
    w->t.request.n_assumptions = n;
    return n;
}

/* False: the client has no sessions, or the RPC has none. */
static bool random_session(struct test_lb *w, struct dice *dice,
                           struct xds_session *session)
{
    struct xds_slice *list = XDS_NEW_ARRAY(&w->t.arena, struct xds_slice, 3);

    session->acts = true;
    session->cookie.addresses = list;
    session->cookie.n_addresses = 1 + roll(dice, 3);
    for (size_t i = 0; i < session->cookie.n_addresses; i++)
        list[i] = xds_slice_of(addresses[roll(dice, ENDPOINTS)][roll(dice, 2)]);
    return xds_env_on(w->t.rpc.options, XDS_ENV_OVERRIDE_HOST, w->t.rpc.client) &&
           roll(dice, 2);
}

static struct xds_slice play(struct dice *dice, enum xds_client client)
{
    static char kept[1000];
    struct xds_assumption assumptions[2 * ENDPOINTS];
    struct xds_request_key key = {.has_hash = roll(dice, 2)};
    double numbers[NUMBERS];
    struct test_lb w;

    test_lb_init(&w, client);
    random_cluster(&w, dice, "c");
    random_cluster(&w, dice, "d");
    test_lb_aggregate(&w, "a", "c d");
    const size_t n = random_assumptions(&w, dice, assumptions);

    key.hash = (xds_u128)roll(dice, 1u << 31) << 33;
    for (size_t i = 0; i < NUMBERS; i++)
        numbers[i] = roll(dice, 100) / 100.0;
    w.t.request.random = numbers;
    w.t.request.n_random = roll(dice, 2) ? NUMBERS : 0;
    struct xds_random random = {numbers, w.t.request.n_random, 0};

    w.t.rpc.random = &random;
    test_lb_start(&w);
    struct xds_session cookie = {.acts = false};
    const struct xds_session *session =
        random_session(&w, dice, &cookie) ? &cookie : NULL;
    const struct xds_slice cluster = roll(dice, 4) ? XDS_S("c") : XDS_S("a");
    const struct xds_pick pick = xds_pick_host(&w.lb, cluster, key, session);
    const struct xds_slice differs = rest_difference(&w.lb, cluster, session, &pick);
    int len = snprintf(kept, sizeof kept, "%.*s", XDS_FMT(differs));

    for (size_t i = 0; i < n && differs.data && len < 900; i++)
        len += snprintf(kept + len, sizeof kept - (size_t)len, " %.*s=%s",
                        XDS_FMT(assumptions[i].address),
                        xds_connectivity_name(assumptions[i].state));
    test_lb_release(&w);
    return differs.data ? xds_slice_of(kept) : differs;
}

Test(rest, random_worlds_are_answered_as_by_the_static_answer)
{
    struct dice dice = {.state = 0x9e3779b97f4a7c15u};
    unsigned n = 0;

    for (unsigned i = 0; i < WORLDS; i++) {
        const struct xds_slice differs = play(&dice, (enum xds_client)(i % XDS_CLIENTS));

        if (differs.data && getenv("REST"))
            printf("%u %.*s\n", i, XDS_FMT(differs));
        n += differs.data != NULL;
    }
    cr_expect_eq(n, 0, "%u of %u differ", n, (unsigned)WORLDS);
}
