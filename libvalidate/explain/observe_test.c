/*
 * observe_test.c - the causes of an observed host against brute force.
 *
 * Small snapshots are made from numbers of a fixed generator. Each cause is sent again
 * with exactly what it needs, and must reach the host; each host that any assumption of
 * states leads to must have a cause.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "check/check.h"
#include "explain/decision.h"
#include "explain/explain.h"
#include "explain/sample_test.h"

enum { SNAPSHOTS = 100 };

/* ---- asking ---- */

struct fixture {
    struct xds_report *report;
    struct xds_check *check;
    struct xds_explainer *explainer;
    struct xds_header headers[2];
    struct xds_request request;
};

static void open_fixture(struct fixture *w, const char *text, size_t len,
                         enum xds_client client)
{
    struct xds_options options;
    struct xds_resource resource;

    xds_options_init(&options);
    *w = (struct fixture){.report = xds_report_new(&options)};
    w->check = xds_check_new(w->report, true);
    struct xds_source *source = xds_source_new(w->report, XDS_TYPE_UNKNOWN);
    cr_assert_eq(xds_source_add_bytes(source, "in.json", (struct xds_slice){text, len}),
                 XDS_OK);
    while (xds_source_next(source, &resource) == XDS_OK)
        cr_assert_eq(xds_check_resource(w->check, &resource), XDS_OK);
    xds_source_free(source);
    w->explainer = xds_explainer_new(w->check, client);
    w->request = (struct xds_request){
        .path = XDS_S("/pkg.Svc/Get"), .headers = w->headers, .every_route = true};
}

static void close_fixture(struct fixture *w)
{
    xds_explainer_free(w->explainer);
    xds_check_free(w->check);
    xds_report_free(w->report);
}

static void add_header(struct fixture *w, const char *name, const char *value)
{
    w->headers[w->request.n_headers++] =
        (struct xds_header){xds_slice_of(name), xds_slice_of(value)};
}

static const struct xds_decision *ask(struct fixture *w,
                                      const struct xds_request *request)
{
    const struct xds_decision *d;

    cr_assert_eq(xds_explain(w->explainer, request, &d), XDS_OK);
    return d;
}

static double cluster_probability(const struct xds_decision *d, struct xds_slice name)
{
    for (size_t i = 0; i < d->n_clusters; i++)
        if (xds_slice_eq(d->clusters[i].name, name))
            return d->clusters[i].probability;
    return 0;
}

/* Over the whole RPC. */
static double probability_of(const struct xds_decision *d, struct xds_slice address)
{
    double sum = 0;

    for (size_t i = 0; d->outcome == XDS_OUTCOME_ROUTED && i < d->pick.n_hosts; i++) {
        const struct xds_decision_host *h = &d->pick.hosts[i];
        if (xds_slice_eq(h->host->endpoint->addresses[h->host->address], address))
            sum += h->probability * cluster_probability(d, h->cluster);
    }
    return sum;
}

/* ---- what must hold ---- */

/* Copied, because the next question overwrites the answer; the text of needs is that of
 * the model. */
struct answer {
    struct xds_cause causes[XDS_MAX_OBSERVED_CAUSES];
    struct xds_assumption needs[XDS_MAX_OBSERVED_CAUSES][HOSTS];
    char cookies[XDS_MAX_OBSERVED_CAUSES][64];
    size_t n;
};

static void observe(struct fixture *w, const char *address, struct answer *a)
{
    struct xds_request request = w->request;

    request.observed_host = xds_slice_of(address);
    const struct xds_observation *o = ask(w, &request)->asked.observed;
    cr_assert_not_null(o);
    cr_expect_not(o->incomplete);
    cr_expect_eq(o->n_causes == 0, o->reason.data != NULL);
    a->n = o->n_causes;
    for (size_t i = 0; i < o->n_causes; i++) {
        a->causes[i] = o->causes[i];
        cr_assert_leq(o->causes[i].n_needs, HOSTS);
        for (size_t k = 0; k < o->causes[i].n_needs; k++)
            a->needs[i][k] = o->causes[i].needs[k];
        (void)snprintf(a->cookies[i], sizeof a->cookies[i], "%.*s",
                       XDS_FMT(o->causes[i].cookie));
    }
}

static void expect_cause_holds(struct fixture *w, const char *address,
                               const struct answer *a, size_t i, const char *text)
{
    const struct xds_cause *cause = &a->causes[i];
    struct xds_header headers[3] = {w->headers[0], w->headers[1]};
    struct xds_request request = w->request;

    request.headers = headers;
    request.assumptions = a->needs[i];
    request.n_assumptions = cause->n_needs;
    if (a->cookies[i][0] && !cause->sent)
        headers[request.n_headers++] =
            (struct xds_header){XDS_S("cookie"), xds_slice_of(a->cookies[i])};
    const double p = probability_of(ask(w, &request), xds_slice_of(address));
    cr_expect_gt(p, 0, "cause %zu of %s does not hold in %s", i, address, text);
}

/* What holds without any change adds up to what the decision says. */
static void expect_probabilities(struct fixture *w, const char *address,
                                 const struct answer *a, const char *text)
{
    double sum = 0;

    for (size_t i = 0; i < a->n; i++)
        if (a->causes[i].n_needs == 0 && (!a->cookies[i][0] || a->causes[i].sent))
            sum += a->causes[i].probability;
    const double p = probability_of(ask(w, &w->request), xds_slice_of(address));
    cr_expect_float_eq(sum, p, 1e-9, "%s: %g, decided %g in %s", address, sum, p, text);
}

/* ---- brute force ---- */

/* Every host that some states of the others, and its own, lead to. */
static void try_all_states(struct fixture *w, const struct sample *s, bool *possible)
{
    struct xds_assumption all[HOSTS + 1];
    struct xds_request request = w->request;
    size_t setups = 1;

    for (size_t i = 0; i < s->n_hosts; i++)
        setups *= 3;
    for (size_t n = 0; n < setups; n++) {
        size_t rest = n, k = 0;
        for (size_t i = 0; i < s->n_hosts; i++, rest /= 3)
            if (rest % 3)
                all[k++] = (struct xds_assumption){
                    xds_slice_of(s->hosts[i]),
                    rest % 3 == 1 ? XDS_STATE_TRANSIENT_FAILURE : XDS_STATE_IDLE};
        if (w->request.n_assumptions) /* the request's own are not open */
            all[k++] = w->request.assumptions[0];
        request.assumptions = all;
        request.n_assumptions = k;
        const struct xds_decision *d = ask(w, &request);
        for (size_t i = 0; i < s->n_hosts; i++)
            possible[i] |= probability_of(d, xds_slice_of(s->hosts[i])) > 0;
    }
}

/* How often each kind of cause came up: a property that is never tested is none. */
struct tally {
    size_t kinds[XDS_CAUSE_PLUGIN + 1];
    size_t impossible;
};

static void count(struct tally *tally, const struct answer *a)
{
    tally->impossible += a->n == 0;
    for (size_t i = 0; i < a->n; i++)
        tally->kinds[a->causes[i].kind]++;
}

static void expect_all(struct fixture *w, const struct sample *s, struct tally *tally)
{
    static struct answer a;
    bool possible[HOSTS] = {false};

    try_all_states(w, s, possible);
    for (size_t i = 0; i < s->n_hosts; i++) {
        observe(w, s->hosts[i], &a);
        count(tally, &a);
        cr_expect(a.n > 0 || !possible[i], "%s has no cause in %s", s->hosts[i], s->text);
        for (size_t k = 0; k < a.n; k++)
            expect_cause_holds(w, s->hosts[i], &a, k, s->text);
        if (w->request.n_assumptions == 0)
            expect_probabilities(w, s->hosts[i], &a, s->text);
    }
}

static void check_sample(uint64_t seed, enum xds_client client, struct tally *tally)
{
    static struct sample s;
    struct fixture w;
    struct xds_assumption assumed;
    char cookie[64] = "sid=", *value = cookie + 4;

    make_sample(&s, seed);
    open_fixture(&w, s.text, s.len, client);
    if (roll(&s, 2))
        add_header(&w, "user", roll(&s, 2) ? "ada" : "bob");
    if (s.session && roll(&s, 3) == 0) {
        value[xds_cookie_encode(xds_slice_of(s.hosts[roll(&s, (unsigned)s.n_hosts)]),
                                XDS_S("c0"), value, sizeof cookie - 5)] = '\0';
        add_header(&w, "cookie", cookie);
    }
    if (roll(&s, 3) == 0) {
        assumed = (struct xds_assumption){
            xds_slice_of(s.hosts[roll(&s, (unsigned)s.n_hosts)]),
            roll(&s, 2) ? XDS_STATE_TRANSIENT_FAILURE : XDS_STATE_IDLE};
        w.request.assumptions = &assumed;
        w.request.n_assumptions = 1;
    }
    expect_all(&w, &s, tally);
    close_fixture(&w);
}

static struct tally check_samples(uint64_t first, enum xds_client client)
{
    struct tally tally = {.impossible = 0};

    for (uint64_t i = 0; i < SNAPSHOTS; i++)
        check_sample(first + i, client, &tally);
    return tally;
}

Test(observe, causes_hold_and_no_possible_host_is_missed_by_core)
{
    const struct tally tally = check_samples(1, XDS_CLIENT_CORE);

    for (int kind = 0; kind < XDS_CAUSE_PLUGIN; kind++)
        cr_expect(tally.kinds[kind] > 0 || kind == XDS_CAUSE_DRAW, "kind %d: %zu", kind,
                  tally.kinds[kind]);
    cr_expect_gt(tally.impossible, 9);
}

Test(observe, causes_hold_and_no_possible_host_is_missed_by_the_documents)
{
    const struct tally tally = check_samples(10001, XDS_CLIENT_GRFC);

    cr_expect_gt(tally.kinds[XDS_CAUSE_FAILOVER], 9);
}

Test(observe, causes_hold_and_no_possible_host_is_missed_by_java)
{
    const struct tally tally = check_samples(20001, XDS_CLIENT_JAVA);

    cr_expect_eq(tally.kinds[XDS_CAUSE_COOKIE], 0);
}

Test(observe, causes_hold_and_no_possible_host_is_missed_by_go)
{
    const struct tally tally = check_samples(30001, XDS_CLIENT_GO);

    cr_expect_gt(tally.kinds[XDS_CAUSE_FAILOVER], 9);
}

Test(observe, causes_hold_and_no_possible_host_is_missed_by_node)
{
    const struct tally tally = check_samples(40001, XDS_CLIENT_NODE);

    cr_expect_gt(tally.kinds[XDS_CAUSE_FAILOVER], 9);
}

/* Every RPC on its own beside one after the other. */
static void expect_alike(const struct sample *s, struct fixture *kept,
                         struct fixture *anew, size_t i)
{
    static const char *const users[] = {"ada", "bob", "eve"};

    for (struct fixture *w = kept; w; w = w == kept ? anew : NULL) {
        w->request.n_headers = 0;
        add_header(w, "user", users[i % 3]);
    }
    const struct xds_decision *a = ask(kept, &kept->request),
                              *b = ask(anew, &anew->request);

    cr_expect_eq(a->outcome, b->outcome, "%s", s->text);
    for (size_t k = 0; k < s->n_hosts; k++) {
        const struct xds_slice host = xds_slice_of(s->hosts[k]);

        cr_expect_eq(probability_of(a, host), probability_of(b, host), "%s in %s",
                     s->hosts[k], s->text);
    }
}

Test(observe, what_is_kept_changes_nothing)
{
    static struct sample s;
    struct fixture kept, anew;

    for (uint64_t seed = 50001; seed < 50001 + SNAPSHOTS; seed++) {
        make_sample(&s, seed);
        open_fixture(&kept, s.text, s.len, XDS_CLIENT_CORE);
        open_fixture(&anew, s.text, s.len, XDS_CLIENT_CORE);
        xds_explainer_keep(anew.explainer, 0);
        for (size_t i = 0; i < 6; i++)
            expect_alike(&s, &kept, &anew, i);
        close_fixture(&kept);
        close_fixture(&anew);
    }
}
