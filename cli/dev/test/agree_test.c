/*
 * agree_test.c - explain, test, diff, simulate, lb-config and service-config say the same
 * of each step of the documents: where an RPC goes, and by which tree of policies.
 *
 * AGREE=5000: so many random snapshots, and all inputs of cases; a few of both without.
 */
#include <stdlib.h>

#include "check/check.h"
#include "cli/dev/test/case.h"
#include "generate/config.h"
#include "explain/decision.h"
#include "explain/derive.h"
#include "fuzz/harness.h"
#include "explain/sample_test.h"

enum { FEW = 60, ENOUGH = 1000, EACH = 60, RELEASES = 64 };

static size_t wanted(void)
{
    const char *text = getenv("AGREE");

    return text ? strtoul(text, NULL, 10) : FEW;
}

/* ---- releases ---- */

struct release {
    char name[16]; /* "grfc@A60" */
    unsigned minor;
};

static void add_release(struct release *list, size_t *n, size_t known)
{
    const unsigned minor = xds_known_release(known)->release.minor;

    for (size_t i = 0; i < *n; i++)
        if (list[i].minor == minor)
            return;
    cr_assert_lt(*n, (size_t)RELEASES);
    list[*n].minor = minor;
    (void)snprintf(list[*n].name, sizeof list[*n].name, "grfc@A%u", minor);
    ++*n;
}

/* The steps of the documents at which a difference comes or goes, the one before each,
 * and the newest. */
static size_t steps(struct release *list)
{
    size_t n_rows, count, n = 0;
    const struct xds_difference_before *rows = xds_difference_history(&n_rows);
    const size_t first = xds_known_releases(XDS_CLIENT_GRFC, &count);

    for (size_t i = 0; i < n_rows; i++) {
        size_t at = first;

        if (rows[i].client != XDS_CLIENT_GRFC)
            continue;
        while (at + 1 < first + count &&
               xds_release_is_before(xds_known_release(at)->release, rows[i].release))
            at++;
        add_release(list, &n, at);
        if (at > first)
            add_release(list, &n, at - 1);
    }
    add_release(list, &n, first + count - 1);
    return n;
}

/* ---- a snapshot, read once for a release ---- */

struct written {
    char data[1 << 23];
    size_t len;
};

static bool write_text(void *user, const char *data, size_t len)
{
    struct written *to = user;

    if (len >= sizeof to->data - to->len)
        return false;
    memcpy(to->data + to->len, data, len);
    to->len += len;
    to->data[to->len] = '\0';
    return true;
}

struct reader {
    const char *name; /* of the snapshot, for messages */
    const struct release *release;
    struct xds_slice text;
    struct xds_parsed *bootstrap; /* of a dump, or NULL */
    struct xds_options options;
    struct xds_report *report;
    struct xds_check *check;
    struct xds_explainer *explainer;
    struct xds_generator *generator;
};

static struct xds_source *open_again(void *user, struct xds_report *report)
{
    const struct reader *r = user;
    struct xds_source *source = xds_source_new(report, XDS_TYPE_UNKNOWN);

    cr_assert_eq(xds_source_add_bytes(source, "in.yaml", r->text), XDS_OK);
    return source;
}

/* That which a dump was made with decides verdicts: tests read it, too. */
static void read_dumped_bootstrap(struct reader *r)
{
    struct xds_report *report = xds_report_new(&r->options);
    struct xds_source *source = open_again(r, report);
    const struct xds_slice text = xds_source_bootstrap(source);
    const char *fault;

    if (text.len > 0) {
        cr_assert_eq(xds_parse(XDS_FORMAT_JSON, text, &r->bootstrap), XDS_OK);
        (void)!xds_options_set_bootstrap(&r->options, r->bootstrap, &fault);
    }
    xds_source_free(source);
    xds_report_free(report);
}

static void open_reader(struct reader *r)
{
    struct xds_ask_note note;
    struct xds_resource resource;
    enum xds_client client;
    const char *hint;

    xds_options_init(&r->options);
    cr_assert_eq(
        xds_options_ask_one(&r->options, xds_slice_of(r->release->name), &client, &note),
        XDS_OK);
    r->options.clients = XDS_CLIENT_BIT(XDS_CLIENT_GRFC);
    r->options.compare = true;
    cr_assert_eq(
        xds_options_set_env(
            &r->options, XDS_S("GRPC_EXPERIMENTAL_XDS_ENABLE_OVERRIDE_HOST=true"), &hint),
        XDS_OK);
    read_dumped_bootstrap(r);
    r->report = xds_report_new(&r->options);
    r->check = xds_check_new(r->report, true);

    struct xds_source *source = open_again(r, r->report);

    while (xds_source_next(source, &resource) == XDS_OK)
        cr_assert_eq(xds_check_resource(r->check, &resource), XDS_OK);
    xds_source_free(source);
    r->explainer = xds_explainer_new(r->check, XDS_CLIENT_GRFC);
    r->generator = xds_generator_new(r->check, XDS_CLIENT_GRFC);
    cr_assert(r->explainer && r->generator);
}

static void close_reader(struct reader *r)
{
    xds_generator_free(r->generator);
    xds_explainer_free(r->explainer);
    xds_check_free(r->check);
    xds_report_free(r->report);
    xds_parsed_free(r->bootstrap);
}

/* ---- test ---- */

static void expect_tests_pass(const struct reader *r, struct xds_slice file)
{
    const enum xds_client client = XDS_CLIENT_GRFC;
    const struct xds_suite_settings settings = {.options = r->options,
                                                .client = &client,
                                                .held = r->text,
                                                .held_name = "in.yaml"};
    struct xds_suite *suite;
    struct xds_slice error;

    cr_assert_eq(xds_suite_new(&settings, &suite, &error), XDS_OK);
    cr_assert_eq(xds_suite_add_bytes(suite, "tests.yaml", file), XDS_OK);
    cr_assert_eq(xds_suite_run(suite), XDS_OK);
    const struct xds_suite_results *results = xds_suite_results(suite);

    for (size_t i = 0; i < results->n_files; i++)
        for (size_t k = 0; k < results->files[i].n_cases; k++) {
            const struct xds_suite_case *c = &results->files[i].cases[k];

            cr_expect(c->ok, "%s, %s: test of %.*s: %.*s", r->name, r->release->name,
                      XDS_FMT(c->name),
                      XDS_FMT(c->n_mismatches > 0 ? c->mismatches[0].text
                                                  : XDS_S("no mismatch")));
        }
    cr_expect_eq(results->n_faults, 0, "%s, %s: faults in %.*s", r->name,
                 r->release->name, XDS_FMT(file));
    xds_suite_free(suite);
}

/* What explain says of an RPC to each route. */
static void expect_tests_of_all_routes_pass(const struct reader *r)
{
    static struct written text;
    const struct xds_printer to = {.write = write_text, .user = &text};
    size_t n;

    text.len = 0;
    cr_assert_eq(xds_suite_write_first(&to, r->check, XDS_CLIENT_GRFC, NULL, 0, &n),
                 XDS_OK, "%s, %s", r->name, r->release->name);
    if (n > 0)
        expect_tests_pass(r, xds_slice_make(text.data, text.len));
}

/* ---- diff ---- */

static void expect_no_change(struct reader *r, const struct xds_request *request)
{
    const struct xds_diff_side side = {.check = r->check,
                                       .report = r->report,
                                       .open = open_again,
                                       .user = r,
                                       .client = XDS_CLIENT_GRFC};
    struct xds_diff *diff = xds_diff_new(&side, &side);

    cr_assert_not_null(diff);
    cr_assert_eq(xds_diff_resources(diff), XDS_OK);
    if (request)
        cr_assert_eq(xds_diff_request(diff, request), XDS_OK);
    else
        cr_assert_eq(xds_diff_derive(diff, (struct xds_slice){NULL, 0}), XDS_OK);
    cr_expect_not(xds_diff_found(diff), "%s, %s: differs from itself", r->name,
                  r->release->name);
    xds_diff_free(diff);
}

/* ---- lb-config ---- */

static bool same_tree(const struct xds_tree *a, const struct xds_tree *b)
{
    if (a->kind != b->kind || !xds_slice_eq(a->key, b->key) ||
        !xds_slice_eq(a->text, b->text) || a->n != b->n || a->truth != b->truth ||
        a->number < b->number || a->number > b->number)
        return false;
    for (size_t i = 0; i < a->n; i++)
        if (!same_tree(&a->items[i], &b->items[i]))
            return false;
    return true;
}

/* How deep the first policy of a name is; SIZE_MAX: it is not there. */
static size_t depth_of(const struct xds_tree *tree, const char *policy, size_t depth)
{
    size_t least = SIZE_MAX;

    if (xds_slice_is(tree->key, policy))
        return depth;
    for (size_t i = 0; i < tree->n; i++) {
        const size_t d = depth_of(&tree->items[i], policy, depth + 1);

        least = d < least ? d : least;
    }
    return least;
}

static const struct xds_config *lb_config(const struct reader *r,
                                          struct xds_slice cluster)
{
    const struct xds_config_request request = {.cluster = cluster};
    const struct xds_config *config;

    cr_assert_eq(xds_generate_lb_config(r->generator, &request, &config), XDS_OK);
    return config;
}

/* ---- simulate ---- */

/* Before A75 a session needs a connection that the child has made, and explain assumes
 * it. */
static bool lacks_connection(const struct reader *r, const struct written *out)
{
    return r->release->minor < 75 &&
           strstr(out->data, "has no connection, and gRFC A55 makes none");
}

/* The RPC waits, all that it needs connects, and it is sent again. */
static void expect_simulated(const struct reader *r, const struct xds_decision *d,
                             const struct xds_request *request)
{
    static struct written text, out;
    const enum xds_client client = XDS_CLIENT_GRFC;
    struct xds_simulation *simulation = xds_simulation_new(&r->options, &client);
    const struct xds_printer to = {.write = write_text, .user = &out};
    char rpc[1024], headers[512] = "";
    size_t len = 0;

    for (size_t i = 0; i < request->n_headers; i++)
        len += (size_t)snprintf(
            headers + len, sizeof headers - len, "%s[\"%.*s\", \"%.*s\"]", i ? ", " : "",
            XDS_FMT(request->headers[i].name), XDS_FMT(request->headers[i].value));
    (void)snprintf(rpc, sizeof rpc, "type: rpc, path: \"%.*s\", headers: [%s]",
                   XDS_FMT(request->path), headers);
    text.len = (size_t)snprintf(
        text.data, sizeof text.data,
        "scenario: s\nsubject: channel\nsteps:\n"
        "- {at: 0s, event: {%s}}\n"
        "- {at: 1s, event: {type: subchannel_state, address: \"*\", state: READY}}\n"
        "- {at: 2s, event: {%s}}\n"
        "- {at: 3s, event: {type: subchannel_state, address: \"*\", state: READY}}\n"
        "- at: 4s\n  event: {%s}\n  expect: {route: {index: %zu}, cluster: {name: "
        "\"%.*s\"}",
        rpc, rpc, rpc, d->route->index, XDS_FMT(d->cluster->name));
    if (d->pick.host) {
        const struct xds_slice host = xds_host_address_of(d->pick.host);

        text.len += (size_t)snprintf(text.data + text.len, sizeof text.data - text.len,
                                     ", pick: {host: \"%.*s\"}", XDS_FMT(host));
    }
    text.len +=
        (size_t)snprintf(text.data + text.len, sizeof text.data - text.len, "}\n");
    cr_assert_lt(text.len, sizeof text.data);
    xds_simulation_set_snapshot(simulation, "in.yaml", r->text);
    cr_assert_eq(xds_simulation_add_bytes(simulation, "s.yaml",
                                          xds_slice_make(text.data, text.len)),
                 XDS_OK);
    out.len = 0;
    cr_assert_eq(xds_print_simulation_text(&to, simulation), XDS_OK);
    cr_expect(xds_simulation_summary(simulation).failed == 0 || lacks_connection(r, &out),
              "%s, %s:\n%.*s%.*s", r->name, r->release->name, (int)text.len, text.data,
              (int)out.len, out.data);
    xds_simulation_free(simulation);
}

/* ---- random snapshots ---- */

static const struct xds_decision *ask(const struct reader *r,
                                      const struct xds_request *request)
{
    const struct xds_decision *d;

    cr_assert_eq(xds_explain(r->explainer, request, &d), XDS_OK);
    return d;
}

static void expect_test_of(const struct reader *r, const struct xds_decision *d,
                           const struct xds_request *request)
{
    static struct written text;

    text.len = (size_t)snprintf(text.data, sizeof text.data,
                                "cases:\n- name: rpc\n  request: {path: \"%.*s\"",
                                XDS_FMT(request->path));
    for (size_t i = 0; i < request->n_headers; i++)
        text.len += (size_t)snprintf(
            text.data + text.len, sizeof text.data - text.len, "%s[\"%.*s\", \"%.*s\"]%s",
            i ? ", " : ", headers: [", XDS_FMT(request->headers[i].name),
            XDS_FMT(request->headers[i].value), i + 1 < request->n_headers ? "" : "]");
    text.len +=
        (size_t)snprintf(text.data + text.len, sizeof text.data - text.len,
                         "}\n  expect: {route: {index: %zu}, cluster: {name: \"%.*s\"}",
                         d->route->index, XDS_FMT(d->cluster->name));
    if (d->pick.host) {
        const struct xds_slice host = xds_host_address_of(d->pick.host);

        text.len += (size_t)snprintf(text.data + text.len, sizeof text.data - text.len,
                                     ", host: \"%.*s\"", XDS_FMT(host));
    }
    text.len +=
        (size_t)snprintf(text.data + text.len, sizeof text.data - text.len, "}\n");
    cr_assert_lt(text.len, sizeof text.data);
    expect_tests_pass(r, xds_slice_make(text.data, text.len));
}

/* How often each kind of answer came up: a property that is never tested is none. */
struct tally {
    size_t certain, sessions, lower, above;
};

/* Affinity that goes on to another priority needs override host above the priorities. */
static void expect_session_by_tree(const struct reader *r,
                                   const struct xds_request *request, struct tally *tally)
{
    struct xds_request plain = *request;
    const struct xds_decision *d = ask(r, request);
    const bool applies = d->session_applies && d->pick.has_priority;
    const uint32_t priority = d->pick.priority;
    const struct xds_slice leaf = d->leaf;

    if (!applies)
        return;
    tally->sessions++;
    plain.n_headers--; /* the cookie is the last */
    d = ask(r, &plain);
    if (!d->pick.has_priority || !xds_slice_eq(d->leaf, leaf) ||
        d->pick.priority == priority)
        return;
    const struct xds_config *config = lb_config(r, leaf);

    tally->lower++;
    cr_expect(depth_of(&config->policies, "xds_override_host_experimental", 0) <
                  depth_of(&config->policies, "priority_experimental", 0),
              "%s, %s: the session goes to priority %u, which the tree does not do",
              r->name, r->release->name, priority);
}

static void check_request(struct reader *r, const struct xds_request *request,
                          struct tally *tally)
{
    const struct xds_decision *d = ask(r, request);

    if (d->outcome == XDS_OUTCOME_ROUTED && d->route && d->cluster) {
        tally->certain++;
        if (d->pick.tree && d->leaf.data)
            cr_expect(same_tree(d->pick.tree, &lb_config(r, d->leaf)->policies),
                      "%s, %s: explain and lb-config have two trees", r->name,
                      r->release->name);
        expect_test_of(r, d, request);
        expect_simulated(r, ask(r, request), request);
    }
    expect_no_change(r, request);
}

static void check_sample(size_t number, const struct release *release,
                         struct tally *tally)
{
    static struct sample s;
    char name[32], cookie[64] = "sid=", *value = cookie + 4;
    struct xds_header headers[2];
    struct xds_request request = {.path = XDS_S("/pkg.Svc/Get"), .headers = headers};
    struct reader r = {.name = name, .release = release};

    (void)snprintf(name, sizeof name, "seed %zu", number);
    make_sample(&s, number + 1);
    r.text = xds_slice_make(s.text, s.len);
    open_reader(&r);
    expect_tests_of_all_routes_pass(&r);
    if (roll(&s, 2))
        headers[request.n_headers++] =
            (struct xds_header){XDS_S("user"), roll(&s, 2) ? XDS_S("ada") : XDS_S("bob")};
    check_request(&r, &request, tally);
    if (s.session) {
        const struct xds_slice cluster = release->minor < 60 ? (struct xds_slice){NULL, 0}
                                         : roll(&s, 2)       ? XDS_S("c0")
                                                             : XDS_S("c1");

        value[xds_cookie_encode(xds_slice_of(s.hosts[roll(&s, (unsigned)s.n_hosts)]),
                                cluster, value, sizeof cookie - 5)] = '\0';
        headers[request.n_headers++] =
            (struct xds_header){XDS_S("cookie"), xds_slice_of(cookie)};
        check_request(&r, &request, tally);
        expect_session_by_tree(&r, &request, tally);
    }
    close_reader(&r);
}

Test(agree, all_commands_on_random_snapshots)
{
    struct release list[RELEASES];
    const size_t n = steps(list);
    struct tally tally = {0};

    for (size_t i = 0; i < wanted(); i++)
        for (size_t k = 0; k < n; k++)
            check_sample(i, &list[k], &tally);
    cr_expect(tally.certain > 0 && tally.sessions > 0 &&
                  (tally.lower > 0 || wanted() < ENOUGH),
              "%zu certain, %zu sessions, %zu in a lower priority", tally.certain,
              tally.sessions, tally.lower);
    if (getenv("AGREE"))
        (void)printf("%zu steps, %zu certain answers, %zu sessions, %zu in a lower "
                     "priority\n",
                     n, tally.certain, tally.sessions, tally.lower);
}

/* ---- inputs of cases ---- */

/* Every RPC that a snapshot's routes ask for, as a client sends it. */
struct asking {
    struct xds_explainer *explainer;
    size_t with_priority;
};

static void expect_agreement(void *user, const struct xds_derived *derived)
{
    struct asking *a = user;
    const struct xds_decision *d;

    cr_assert_eq(xds_explain(a->explainer, &derived->request, &d), XDS_OK);
    xds_fuzz_agree(d);
    a->with_priority += d->pick.has_priority;
}

static size_t explain_all(struct xds_slice text, enum xds_client client)
{
    struct reader r = {.text = text};
    struct asking a = {.with_priority = 0};
    struct xds_derive_counts counts = {.made = 0};
    struct xds_resource resource;
    struct xds_arena arena;

    xds_options_init(&r.options);
    r.options.clients = XDS_CLIENT_BIT(client);
    r.report = xds_report_new(&r.options);
    r.check = xds_check_new(r.report, true);
    struct xds_source *source = open_again(&r, r.report);

    while (xds_source_next(source, &resource) == XDS_OK)
        cr_assert_eq(xds_check_resource(r.check, &resource), XDS_OK);
    xds_source_free(source);
    a.explainer = r.explainer = xds_explainer_new(r.check, client);
    xds_arena_init(&arena, 0);
    xds_derive_requests(&r.check->snapshot, client, &r.options,
                        (struct xds_slice){NULL, 0}, &arena, expect_agreement, &a,
                        &counts);
    xds_arena_release(&arena);
    close_reader(&r);
    return a.with_priority;
}

static bool is_snapshot(const struct case_section *section)
{
    const struct xds_slice name = xds_slice_of(section->name);

    return xds_slice_ends(name, XDS_S(".yaml")) || xds_slice_ends(name, XDS_S(".json"));
}

/* The priority that explain prints is that of the hosts that it prints. */
Test(agree, priorities_and_shares_on_inputs_of_cases)
{
    char **paths = case_list("testdata/explain testdata/lb_config testdata/snapshots");
    size_t with_priority = 0;

    for (size_t i = 0; paths[i]; i++) {
        struct case_file c;

        cr_assert(case_read(paths[i], &c), "%s", paths[i]);
        for (size_t k = 0; k < c.n; k++)
            for (enum xds_client client = 0;
                 client < XDS_CLIENTS && is_snapshot(&c.section[k]); client++)
                with_priority += explain_all(
                    xds_slice_make(c.section[k].text, c.section[k].len), client);
        case_release(&c);
        free(paths[i]);
    }
    free(paths);
    cr_expect_gt(with_priority, ENOUGH);
    if (getenv("AGREE"))
        (void)printf("%zu answers with a priority\n", with_priority);
}

Test(agree, all_commands_on_inputs_of_cases)
{
    char **paths = case_list("testdata");
    struct release list[RELEASES];
    const size_t n = steps(list), each = getenv("AGREE") ? 1 : EACH;

    for (size_t i = 0; paths[i]; i++) {
        struct case_file c;

        cr_assert(case_read(paths[i], &c), "%s", paths[i]);
        for (size_t k = 0; k < c.n && i % each == 0; k++)
            for (size_t m = 0; m < n && is_snapshot(&c.section[k]); m++) {
                struct reader r = {
                    .name = paths[i],
                    .release = &list[m],
                    .text = xds_slice_make(c.section[k].text, c.section[k].len)};

                open_reader(&r);
                expect_tests_of_all_routes_pass(&r);
                expect_no_change(&r, NULL);
                close_reader(&r);
            }
        case_release(&c);
        free(paths[i]);
    }
    free(paths);
}
