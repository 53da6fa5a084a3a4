/*
 * channel_test.c - a client that has its connections decides as the static answer says.
 *
 * The inputs of cases of explain are played: once to see which connections the policies
 * ask for, and once more with all of them READY. Then the clusters and hosts of an RPC,
 * with their probabilities, are those that explain gives for the same resources.
 * ring_hash and sessions make connections only when an RPC comes, so one is played
 * before. Left out is what connects to one of several addresses: once that is READY the
 * others have no subchannel, and a shuffled order has been drawn.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "cli/dev/test/case.h"
#include "cli/dev/test/sample.h"
#include "explain/decision.h"
#include "scenario/scenario.h"

enum { TEXT = 262144, ADDRESSES = 600, ADDRESS = 64 };

static const char path[] = "/shop.Cart/Get";

struct addresses {
    char list[ADDRESSES][ADDRESS];
    size_t n;
};

/* The input, every line moved to the right. False: there is none, or it is not a
 * snapshot. */
static bool read_input(const char *name, const char *margin, char out[static TEXT])
{
    const struct case_section *input;
    bool listens = false;
    struct case_file c;
    size_t used = 0;

    cr_assert(case_read(name, &c), "%s", name);
    input = case_find(&c, "in.yaml");
    for (const char *line = input ? input->text : ""; *line && used < TEXT;) {
        const size_t len = strcspn(line, "\n") + 1;

        used +=
            (size_t)snprintf(out + used, TEXT - used, "%s%.*s", margin, (int)len, line);
        listens = listens || strncmp(line, "listeners:\n", len) == 0;
        line += line[len - 1] ? len : len - 1;
    }
    case_release(&c);
    return listens && used < TEXT;
}

/* ---- the static answer ---- */

struct fixture {
    struct xds_report *report;
    struct xds_check *check;
    struct xds_explainer *explainer;
};

static const struct xds_decision *explain(struct fixture *w, const char *name,
                                          enum xds_client client)
{
    static char text[TEXT];
    const struct xds_request request = {.path = xds_slice_of(path), .every_route = true};
    const struct xds_decision *decision;
    struct xds_options options;
    struct xds_resource resource;

    xds_options_init(&options);
    cr_assert(read_input(name, "", text));
    w->report = xds_report_new(&options);
    w->check = xds_check_new(w->report, true);
    struct xds_source *source = xds_source_new(w->report, XDS_TYPE_UNKNOWN);

    cr_assert_eq(xds_source_add_bytes(source, "in.yaml", xds_slice_of(text)), XDS_OK);
    while (xds_source_next(source, &resource) == XDS_OK)
        cr_assert_eq(xds_check_resource(w->check, &resource), XDS_OK);
    xds_source_free(source);
    w->explainer = xds_explainer_new(w->check, client);
    return xds_explain(w->explainer, &request, &decision) == XDS_OK ? decision : NULL;
}

static void close_fixture(struct fixture *w)
{
    xds_explainer_free(w->explainer);
    xds_check_free(w->check);
    xds_report_free(w->report);
}

/* ---- the client that runs ---- */

static const char *scenario_of(const char *name, enum xds_client client,
                               const struct addresses *ready)
{
    static char input[TEXT], text[2 * TEXT];
    size_t used;

    cr_assert(read_input(name, "  ", input));
    used = (size_t)snprintf(text, sizeof text,
                            "subject: channel\nclient: %s\nsnapshot:\n%ssteps:\n"
                            "- {at: 0s, event: {type: rpc, path: %s}}\n",
                            xds_client_name(client), input, path);
    for (size_t i = 0; i < ready->n; i++)
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "- {at: 0s, event: {type: subchannel_state, address: "
                                 "\"%s\", state: READY}}\n",
                                 ready->list[i]);
    (void)snprintf(text + used, sizeof text - used,
                   "- {at: 0s, event: {type: rpc, path: %s}}\n", path);
    return text;
}

static void note_addresses(struct addresses *out, const struct xds_tree *connections)
{
    for (size_t i = 0; i < connections->n; i++) {
        const struct xds_slice address = connections->items[i].key;
        bool known = false;

        for (size_t k = 0; k < out->n; k++)
            known = known || xds_slice_is(address, out->list[k]);
        cr_assert(known || out->n < ADDRESSES);
        if (!known)
            (void)snprintf(out->list[out->n++], ADDRESS, "%.*s", XDS_FMT(address));
    }
}

static bool same_hosts(const struct xds_tree *hosts, const struct xds_decision *d)
{
    if (hosts->n != d->pick.n_hosts)
        return false;
    for (size_t i = 0; i < hosts->n; i++) {
        const struct xds_tree *got = &hosts->items[i];
        const struct xds_decision_host *want = &d->pick.hosts[i];
        const struct xds_tree *p = xds_tree_member(got, "probability");

        if (!xds_slice_eq(xds_tree_member(got, "cluster")->text, want->cluster) ||
            !xds_slice_eq(xds_tree_member(got, "address")->text,
                          xds_host_address_of(want->host)) ||
            (p->kind == XDS_TREE_NUMBER && fabs(p->number - want->probability) > 1e-9))
            return false;
    }
    return true;
}

/* Plays until no connection is new; compares the last RPC. */
static bool agrees(const char *name, enum xds_client client, const struct xds_decision *d)
{
    struct addresses ready = {.n = 0};
    struct xds_options options;
    struct xds_entry entry;
    size_t before;
    bool same;

    xds_options_init(&options);
    do {
        struct xds_simulation *s = xds_simulation_new(&options, NULL);

        before = ready.n;
        same = false;
        cr_assert_eq(xds_simulation_add_bytes(
                         s, "a.yaml", xds_slice_of(scenario_of(name, client, &ready))),
                     XDS_OK);
        while (xds_simulation_next(s, false, XDS_WRITE_JSON, &entry) == XDS_OK) {
            if (entry.kind != XDS_ENTRY_STEP)
                continue;
            note_addresses(&ready, xds_tree_member(entry.step->result, "connections"));
            const struct xds_tree *hosts = xds_tree_member(entry.step->result, "hosts");

            same = hosts && same_hosts(hosts, d);
        }
        xds_simulation_free(s);
    } while (ready.n > before);
    return same;
}

static bool chooses_an_address(const struct xds_decision *d)
{
    for (size_t i = 0; i < d->pick.n_hosts; i++)
        if (d->pick.hosts[i].host->endpoint->n_addresses > 1)
            return true;
    return d->pick.policy && d->pick.policy->kind == XDS_LB_PICK_FIRST;
}

static size_t compare_all(const char *name)
{
    static char unused[TEXT];
    size_t routed = 0;

    if (!read_input(name, "", unused))
        return 0;
    for (enum xds_client client = 0; client < XDS_CLIENTS; client++) {
        struct fixture w;
        const struct xds_decision *d = explain(&w, name, client);

        if (d && d->outcome == XDS_OUTCOME_ROUTED && !d->start.assumed &&
            !chooses_an_address(d)) {
            cr_expect(agrees(name, client, d), "%s as %s", name, xds_client_name(client));
            routed++;
        }
        close_fixture(&w);
    }
    return routed;
}

Test(channel, a_connected_client_decides_as_the_static_answer_says)
{
    char **paths = case_sample("testdata/explain");
    size_t routed = 0;

    for (size_t i = 0; paths[i]; i++) {
        routed += compare_all(paths[i]);
        free(paths[i]);
    }
    free(paths);
    cr_expect_gt(routed, 500 / SAMPLE_ONE_IN);
}
