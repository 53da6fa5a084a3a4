/* case.c - one case of a file of tests, or a case whose values are lists: its RPCs, and
 * what comes of them. */
#include "explain/inbound_read.h"
#include "explain/joint.h"
#include "explain/request_read.h"
#include "print/decision/decision.h"
#include "suite/inner.h"

/* ---- lists of values ---- */

/* Of a member that takes one value a list is a choice; of all members {each: [...]} is.
 * All combinations are made, the last choice changing first. */

/* What a request starts at goes in the place of any other start. */
static const char *const starts[] = {"target", "listener", "route_config", "server"};

static bool has_start(const struct xds_tree *request)
{
    bool has = false;

    for (size_t i = 0; i < XDS_ARRAY_LEN(starts); i++)
        has |= xds_tree_member(request, starts[i]) != NULL;
    return has;
}

static bool is_replaced(const struct xds_tree *request, struct xds_slice key)
{
    bool is_start = false;

    for (size_t i = 0; i < XDS_ARRAY_LEN(starts); i++)
        is_start |= xds_slice_is(key, starts[i]);
    return (is_start && has_start(request)) || xds_tree_find(request, key);
}

/* Does the RPC arrive at a server? */
static bool is_at_server(const struct xds_suite *s, const struct xds_tree *request)
{
    const struct xds_tree *defaults = s->head.defaults;
    const struct xds_tree *server = has_start(request) || !defaults
                                        ? xds_tree_member(request, "server")
                                        : xds_tree_member(defaults, "server");

    return server && server->kind != XDS_TREE_NULL;
}

/* The members of the case, those that it lacks, and where it starts if nothing says so.
 */
static struct xds_tree merge(struct xds_suite *s, const struct xds_tree *request)
{
    static const struct xds_tree none = {.kind = XDS_TREE_OBJECT};
    const struct xds_tree *defaults = s->head.defaults ? s->head.defaults : &none;
    const struct xds_slice route_config = s->settings.route_config;
    const bool at_server = is_at_server(s, request);
    struct xds_tree out = *request;

    out.items =
        XDS_NEW_ARRAY(&s->case_arena, struct xds_tree, request->n + defaults->n + 1);
    if (request->n)
        memcpy(out.items, request->items, request->n * sizeof *out.items);
    for (size_t i = 0; i < defaults->n; i++)
        if (!is_replaced(request, defaults->items[i].key) &&
            xds_suite_is_for(at_server, defaults->items[i].key))
            out.items[out.n++] = defaults->items[i];
    if (route_config.data && !has_start(&out)) {
        out.items[out.n] = xds_tree_string(route_config);
        out.items[out.n++].key = XDS_S("route_config");
    }
    return out;
}

/* The list to choose from; NULL: there is no choice. */
static const struct xds_tree *list_of(const struct xds_tree *member, bool takes_one)
{
    if (member->kind == XDS_TREE_ARRAY)
        return takes_one ? member : NULL;
    if (member->kind != XDS_TREE_OBJECT || member->n != 1 ||
        !xds_slice_is(member->items[0].key, "each") ||
        member->items[0].kind != XDS_TREE_ARRAY)
        return NULL;
    return &member->items[0];
}

static bool add_choice(struct xds_suite *s, struct xds_product *p,
                       const struct xds_tree *member, size_t index)
{
    const bool takes_one = index == SIZE_MAX || xds_request_takes_one(member->key) ||
                           xds_inbound_takes_one(member->key);
    const struct xds_tree *list = list_of(member, takes_one);

    if (!list)
        return true;
    p->choices[p->n_choices++] =
        (struct xds_choice){member->key, list->items, list->n, 0, index};
    p->total *= list->n; /* it was at most the limit so far */
    if (list->n > 0 && p->total + s->n_expanded <= XDS_MAX_EXPANDED_CASES)
        return true;
    return xds_suite_fault(
        s, XDS_R_TEST_PRODUCT, member,
        list->n == 0 ? "the list of \"%.*s\" is empty, so the case never runs"
                     : "with the values of \"%.*s\" the file has more than %d cases",
        XDS_FMT(member->key), XDS_MAX_EXPANDED_CASES);
}

static void take(struct xds_product *p, const struct xds_choice *choice)
{
    struct xds_tree value = choice->values[choice->at];

    if (choice->member == SIZE_MAX) {
        p->client = &choice->values[choice->at];
        return;
    }
    value.key = choice->key;
    p->request.items[choice->member] = value;
}

/* Of a case, with the defaults of the file. False after a fault. */
static bool product_begin(struct xds_suite *suite, const struct xds_tree *test,
                          struct xds_product *out)
{
    *out = (struct xds_product){.total = 1};
    out->request = merge(suite, xds_tree_member(test, "request"));
    out->client = xds_tree_member(test, "client");
    out->choices =
        XDS_NEW_ARRAY(&suite->case_arena, struct xds_choice, out->request.n + 1);
    for (size_t i = 0; i < out->request.n; i++)
        if (!add_choice(suite, out, &out->request.items[i], i))
            return false;
    if (suite->settings.client) /* whatever the case says */
        out->client = NULL;
    else if (out->client)
        out->client = xds_suite_clients(suite, out->client);
    else
        out->client = suite->head.client;
    if (out->client && !add_choice(suite, out, out->client, SIZE_MAX))
        return false;
    for (size_t i = 0; i < out->n_choices; i++)
        take(out, &out->choices[i]);
    suite->n_expanded += out->total;
    return true;
}

/* To the next combination; false after the last one. */
static bool product_next(struct xds_product *product)
{
    for (size_t i = product->n_choices; i > 0; i--) {
        struct xds_choice *choice = &product->choices[i - 1];

        choice->at = (choice->at + 1) % choice->n;
        take(product, choice);
        if (choice->at > 0)
            return true;
    }
    return false;
}

/* "NAME [path=/a.B/C, client=go]"; NAME alone where there is no choice. */
static struct xds_slice product_name(struct xds_arena *arena,
                                     const struct xds_product *product,
                                     struct xds_slice name)
{
    struct xds_text text = {.arena = arena};

    if (product->n_choices == 0)
        return name;
    xds_text_add(&text, name);
    for (size_t i = 0; i < product->n_choices; i++) {
        const struct xds_choice *choice = &product->choices[i];
        const struct xds_tree *value = &choice->values[choice->at];
        enum xds_client client;

        xds_text_printf(&text, "%s%.*s=", i ? ", " : " [", XDS_FMT(choice->key));
        if (choice->member == SIZE_MAX && xds_client_from_name(value->text, &client))
            xds_text_add(&text, xds_slice_of(xds_client_name(client)));
        else {
            struct xds_slice shown = xds_tree_flow(text.arena, value);
            const bool cut = shown.len > XDS_MAX_VALUE_IN_NAME;

            if (cut)
                shown = xds_slice_clip(shown, XDS_MAX_VALUE_IN_NAME);
            xds_text_printf(&text, "%.*s%s", XDS_FMT(shown), cut ? "..." : "");
        }
    }
    xds_text_add(&text, XDS_S("]"));
    return xds_slice_make(text.data, text.len);
}

struct test {
    struct xds_suite *suite;
    const struct xds_tree *tree;
    struct xds_slice name;
    const struct xds_tree *request, *expect;
    struct xds_product product;
    struct xds_suite_snapshot *snapshot; /* as the client in turn reads it */
    bool fill;                           /* "expect" is empty, and is to become what is */
    bool every_route, ring;        /* what it expects is only made when it is wanted */
    enum xds_suite_end end;        /* who is asked */
    struct xds_inbound connection; /* of both ends */
};

/* ---- reading ---- */

static bool check_name(struct test *t)
{
    const struct xds_tree *name = xds_tree_member(t->tree, "name");

    if (!name || name->kind != XDS_TREE_STRING || name->text.len == 0)
        return xds_suite_wrong_case(t->suite, name ? name : t->tree,
                                    "\"name\" of a case is missing, or not a string");
    if (name->text.len > XDS_MAX_CASE_NAME)
        return xds_suite_wrong_case(t->suite, name, "\"name\" is longer than %d bytes",
                                    XDS_MAX_CASE_NAME);
    t->name = name->text;
    void **slot = xds_strmap_at(&t->suite->names, name->text);
    const uint32_t *before = *slot;

    if (before)
        return xds_suite_wrong_case(
            t->suite, name, "duplicate name \"%.*s\": the case in line %u has it too",
            XDS_FMT(name->text), *before);
    uint32_t *line = XDS_NEW(&t->suite->document, uint32_t);

    *line = name->line;
    *slot = line;
    return true;
}

/* What is expected of the client's decision; NULL: nothing. */
static const struct xds_tree *of_client(const struct test *t)
{
    return t->end == XDS_SUITE_BOTH ? xds_tree_member(t->expect, "client") : t->expect;
}

static enum xds_suite_end end_of(const struct xds_suite *s,
                                 const struct xds_tree *request)
{
    if (is_at_server(s, request))
        return XDS_SUITE_SERVER;
    return xds_suite_is_joint(request, s->head.defaults) ? XDS_SUITE_BOTH
                                                         : XDS_SUITE_CLIENT;
}

static bool check_expect(struct test *t)
{
    struct xds_slice what;

    t->expect = xds_tree_member(t->tree, "expect");
    t->fill = t->suite->settings.update && t->expect && t->expect->n == 0 &&
              (t->expect->kind == XDS_TREE_NULL || t->expect->kind == XDS_TREE_OBJECT);
    if (t->fill)
        return true;
    if (!t->expect || t->expect->kind != XDS_TREE_OBJECT || t->expect->n == 0)
        return xds_suite_wrong_case(t->suite, t->expect ? t->expect : t->tree,
                                    "\"expect\" of a case is missing, or not an object "
                                    "with members of explain's JSON");
    const struct xds_tree *wrong =
        xds_shape_find_fault(&t->suite->case_arena, t->expect, t->end, &what);
    const struct xds_tree *client = of_client(t);
    const struct xds_tree *rings = client ? xds_tree_member(client, "rings") : NULL;

    t->every_route = client && xds_shape_needs_every_route(client);
    t->ring = rings && rings->kind != XDS_TREE_NULL;
    return !wrong || xds_suite_key_fault(t->suite, XDS_R_TEST_EXPECT, wrong, what);
}

static bool read_test(struct test *t)
{
    static const char *const keys[] = {"name", "request", "expect", "client", NULL};

    if (t->tree->kind != XDS_TREE_OBJECT)
        return xds_suite_wrong_case(t->suite, t->tree,
                                    "an entry of \"cases\" must be an object");
    if (!xds_suite_check_keys(t->suite, t->tree, "a case", keys))
        return false;
    bool good = check_name(t);

    t->request = xds_tree_member(t->tree, "request");
    if (!t->request || t->request->kind != XDS_TREE_OBJECT)
        good = xds_suite_wrong_case(t->suite, t->request ? t->request : t->tree,
                                    "\"request\" of a case is missing, or not an object");
    t->end = good ? end_of(t->suite, t->request) : XDS_SUITE_CLIENT;
    good = check_expect(t) && good;
    return good && product_begin(t->suite, t->tree, &t->product);
}

/* ---- one RPC ---- */

/* What tells of a connection is of no use to an RPC of a client. */
static bool check_members(struct test *t)
{
    const struct xds_tree *request = &t->product.request;

    for (size_t i = 0; i < request->n; i++) {
        const struct xds_tree *member = &request->items[i];

        if (!xds_suite_is_for(false, member->key) && member->kind != XDS_TREE_NULL)
            return xds_suite_wrong_request(
                t->suite, member,
                xds_arena_printf(&t->suite->rpc,
                                 "\"%.*s\" needs \"server\", the address of the server",
                                 XDS_FMT(member->key)));
    }
    return true;
}

static bool read_rpc(struct test *t, struct xds_request_reader *reader)
{
    *reader = (struct xds_request_reader){
        .arena = &t->suite->rpc, .rpc = {.every_route = t->every_route, .ring = t->ring}};
    struct xds_tree request = t->product.request;

    if (!check_members(t) ||
        !xds_suite_take_connection(t->suite, &request, &t->connection))
        return false;
    if (!xds_request_read(reader, &request))
        return reader->wrong_key
                   ? xds_suite_wrong_request(t->suite, reader->wrong, reader->fault)
                   : xds_suite_wrong_value(t->suite, reader->wrong, "%.*s",
                                           XDS_FMT(reader->fault));
    return reader->rpc.path.data ||
           xds_suite_wrong_case(t->suite, t->request,
                                "\"path\" is missing in the request");
}

static bool no_memory(struct test *t)
{
    t->suite->status = XDS_ERR_NO_MEMORY;
    return false;
}

static bool ask(struct test *t, struct xds_client_release who,
                struct xds_request_reader *reader, const struct xds_decision **decision)
{
    struct xds_explainer *explainer;

    t->snapshot = xds_suite_snapshot(t->suite, who);
    if (!t->snapshot)
        return false;
    explainer = xds_suite_explainer(t->suite, t->snapshot, who.client);
    if (!explainer)
        return no_memory(t);
    switch (xds_request_ask(explainer, reader, decision)) {
    case XDS_OK:
        return true;
    case XDS_ERR_USAGE:
        return xds_suite_wrong_case(
            t->suite, t->request,
            "\"target\" or \"listener\" is missing in the request: the snapshot does not "
            "have exactly one listener");
    case XDS_END:
    case XDS_ERR_NO_MEMORY:
    case XDS_ERR_IO:
        break;
    }
    return no_memory(t);
}

/* The keys of explain's JSON are those of its contract, so they are taken from there. The
 * long lists are left empty where nothing is expected of them. */
static struct xds_tree answer_of(const struct test *t,
                                 const struct xds_decision *decision)
{
    struct xds_arena *arena = &t->suite->rpc;
    struct xds_text text = {.arena = arena};
    const struct xds_printer to = xds_text_printer(&text);
    struct xds_decision shown = *decision;

    if (!t->fill && !xds_tree_member(t->expect, "hosts")) {
        shown.pick.n_hosts = 0;
        shown.kept_ending = NULL; /* that has them */
    }
    if (!t->fill && !xds_tree_member(t->expect, "routes"))
        shown.walk.n_tries = 0;
    return xds_suite_tree_of(arena, &text, t->fill ? NULL : t->expect,
                             xds_print_decision_json(&to, &shown));
}

/* What came of an RPC. */
struct reply {
    struct xds_client_release who;
    const struct xds_decision *decision; /* of a client; or NULL */
    const struct xds_joint *joint;       /* of both ends; or NULL */
    const struct xds_served *served;     /* of a server; or NULL */
    struct xds_request_reader reader;
    struct xds_tree tree;
};

static bool ask_client(struct test *t, struct reply *reply)
{
    if (!ask(t, reply->who, &reply->reader, &reply->decision))
        return false;
    return t->end == XDS_SUITE_CLIENT ||
           xds_suite_join(t->suite, t->snapshot, reply->who.client, reply->decision,
                          &t->connection, &reply->joint);
}

static bool get_reply(struct test *t, struct reply *reply)
{
    if (!xds_suite_read_client(t->suite, t->product.client, &reply->who))
        return false;
    if (t->end != XDS_SUITE_SERVER) {
        if (!read_rpc(t, &reply->reader) || !ask_client(t, reply))
            return false;
        reply->tree = reply->joint ? xds_suite_joint_tree(&t->suite->rpc, reply->joint)
                                   : answer_of(t, reply->decision);
        return true;
    }
    t->snapshot = xds_suite_snapshot(t->suite, reply->who);
    if (!t->snapshot || !xds_suite_serve(t->suite, t->snapshot, reply->who.client,
                                         &t->product.request, &reply->served))
        return false;
    reply->tree = xds_suite_served_tree(&t->suite->rpc, reply->served);
    return true;
}

static void find_differences(struct test *t, const struct reply *reply,
                             struct xds_comparison *out)
{
    if (!t->fill) {
        xds_suite_compare(out, t->expect, &reply->tree);
        return;
    }
    struct xds_arena *arena = &t->suite->rpc;
    const struct xds_tree now =
        reply->served  ? xds_suite_served_expectation(arena, &reply->tree)
        : reply->joint ? xds_suite_joint_expectation(arena, &reply->tree)
                       : xds_suite_expectation(arena, &reply->tree,
                                               xds_decision_routed(reply->decision));

    xds_suite_differ(out, XDS_S("expect"), t->expect, &now);
}

/* What `explain` tells people. */
static struct xds_slice explanation_of(struct test *t, struct reply *reply)
{
    struct xds_text text = {.arena = &t->suite->run_arena};
    const struct xds_printer to = xds_text_printer(&text);

    reply->reader.rpc.every_route = true;
    /* It is among the headers. */
    reply->reader.session_cookie = (struct xds_slice){NULL, 0};
    if (!ask_client(t, reply))
        return (struct xds_slice){NULL, 0};
    return xds_suite_text_of(&text, reply->joint
                                        ? xds_print_joint_text(&to, reply->joint)
                                        : xds_print_decision_text(&to, reply->decision));
}

/* Of a case that failed. That the RPC ends says more than all values that are missing
 * for this reason. */
static void tell_more(struct test *t, struct reply *reply, struct xds_suite_case *result)
{
    struct xds_arena *arena = &t->suite->run_arena;

    if (reply->served && !xds_served_well(reply->served))
        result->ending = xds_suite_served_ending(arena, reply->served);
    else if (reply->joint && !xds_joint_well(reply->joint))
        result->ending = xds_suite_joint_ending(arena, &reply->tree);
    else if (reply->decision && !xds_decision_routed(reply->decision))
        result->ending = xds_arena_printf(arena, "%s: %.*s",
                                          xds_outcome_name(reply->decision->outcome),
                                          XDS_FMT(reply->decision->status.error));
    if (!t->suite->settings.explanations)
        return;
    result->explanation = reply->served ? xds_suite_served_text(arena, reply->served)
                                        : explanation_of(t, reply);
}

static void mark_coverage(struct test *t, const struct reply *reply,
                          const struct xds_suite_case *result)
{
    const struct xds_covering_case by = {t->suite->file->name, result->name, result->line,
                                         result->ok};

    if (!t->suite->settings.coverage)
        return;
    const struct xds_served *served = reply->joint ? reply->joint->served : reply->served;
    const struct xds_tree *client = of_client(t);

    if (served)
        xds_coverage_mark_served(&t->snapshot->coverage, served, &by);
    if (reply->decision)
        xds_coverage_mark(&t->snapshot->coverage, reply->decision,
                          client ? client : t->expect, &by);
}

static bool run_rpc(struct test *t, struct xds_slice name)
{
    struct xds_comparison differences = {.run_arena = &t->suite->run_arena,
                                         .case_arena = &t->suite->rpc,
                                         .update = t->suite->settings.update,
                                         .format = t->suite->reading.format};
    struct xds_suite_case result = {.line = t->tree->line, .column = t->tree->column};
    struct reply reply = {.decision = NULL};

    if (!get_reply(t, &reply))
        return false;
    find_differences(t, &reply, &differences);
    result.client = reply.who.client;
    result.release = reply.who.release;
    result.name = xds_arena_dup(&t->suite->run_arena, name);
    result.ok = differences.n == 0;
    result.mismatches = differences.list;
    result.n_mismatches = differences.n;
    result.n_more_mismatches = differences.n_more;
    mark_coverage(t, &reply, &result);
    if (!result.ok)
        tell_more(t, &reply, &result);

    struct xds_suite *s = t->suite;
    struct xds_suite_file *file = s->file;

    s->cases = xds_list_room(&s->run_arena, s->cases, file->n_cases, sizeof *s->cases);
    file->cases = s->cases;
    s->cases[file->n_cases++] = result;
    file->n_failed += !result.ok;
    return true;
}

void xds_suite_run_case(struct xds_suite *suite, const struct xds_tree *test)
{
    struct test t = {.suite = suite, .tree = test};

    if (!read_test(&t))
        return;
    do {
        xds_arena_reset(&suite->rpc);
        const struct xds_slice name = product_name(&suite->rpc, &t.product, t.name);

        /* "No answer" of a hard pattern is no reason to leave a case out. */
        if (suite->run && xds_regex_full_match(suite->run, name) == XDS_NO_MATCH)
            suite->file->n_not_run++;
        else if (!run_rpc(&t, name))
            return;
    } while (product_next(&t.product));
}
