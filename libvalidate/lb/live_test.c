/* live_test.c - picks of a client whose policies have chosen already. */
#include <criterion/criterion.h>

#include "lb/lb_test.h"

static const struct test_endpoint fixture[] = {
    {"z1", 0, 1, {"a:1"}, XDS_HEALTH_HEALTHY, 1},
    {"z2", 1, 1, {"p:1"}, XDS_HEALTH_HEALTHY, 1},
    {"z2", 1, 1, {"q:1"}, XDS_HEALTH_HEALTHY, 1},
    {.zone = NULL},
};

struct client {
    struct xds_live live;
    struct xds_live_priority priorities[2];
    size_t n;
    bool known;
};

static bool choice(void *user, struct xds_slice cluster, struct xds_live_choice *out)
{
    const struct client *c = user;

    (void)cluster;
    *out = (struct xds_live_choice){c->priorities, c->n};
    return c->known;
}

static bool subchannel(void *user, struct xds_slice leaf, struct xds_slice address,
                       enum xds_connectivity *state)
{
    (void)user;
    (void)leaf;
    *state = XDS_STATE_READY;
    return xds_slice_is(address, "a:1");
}

static void prepare(struct test_lb *w, struct client *c)
{
    *c = (struct client){.live = {c, choice, subchannel}, .known = true};
    test_lb_init(w, XDS_CLIENT_CORE);
    test_lb_cluster(w, "c", XDS_LB_ROUND_ROBIN);
    test_lb_endpoints(w, "c", fixture);
    w->t.request.live = &c->live;
}

Test(live, the_chosen_priority_serves_whatever_the_states_would_say)
{
    struct test_lb w;
    struct client c;

    prepare(&w, &c);
    c.n = 2;
    c.priorities[0] = (struct xds_live_priority){XDS_S("c"), 0, XDS_STATE_CONNECTING,
                                                 false, XDS_S("its timer has fired")};
    c.priorities[1] = (struct xds_live_priority){XDS_S("c"), 1, XDS_STATE_READY, true,
                                                 XDS_S("p:1 is connected")};
    test_lb_assume(&w, "p:1", XDS_STATE_READY);
    test_lb_start(&w);
    const struct xds_pick pick = test_pick(&w, "c");

    cr_expect_eq(pick.priority, 1);
    cr_expect_eq(pick.n_tries, 2);
    cr_expect_float_eq(test_probability(&pick, "p:1"), 1, 1e-12,
                       "q:1 has no subchannel yet, so it is IDLE");
    test_lb_release(&w);
}

Test(live, a_cluster_without_policies_or_without_a_priority_fails)
{
    struct test_lb w;
    struct client c;

    prepare(&w, &c);
    test_lb_start(&w);
    cr_expect(test_pick(&w, "c").error.data != NULL, "nothing is chosen");
    c.known = false;
    cr_expect(test_pick(&w, "c").error.data != NULL, "no policies");
    test_lb_release(&w);
}
