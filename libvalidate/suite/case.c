/* case.c - one case of a file of tests: its RPCs, and what comes of them. */
#include "suite/case.h"

#include "base/limits.h"
#include "clients/clients.h"
#include "config/tree_read.h"
#include "explain/request_read.h"
#include "print/decision.h"
#include "suite/compare.h"
#include "suite/fault.h"
#include "suite/head.h"
#include "suite/list.h"
#include "suite/product.h"
#include "suite/shape.h"
#include "suite/value.h"
#include "suite/snapshot.h"

struct test {
    struct xds_suite *suite;
    const struct xds_tree *tree;
    struct xds_slice name;
    const struct xds_tree *request, *expect;
    struct xds_product product;
    struct xds_suite_snapshot *snapshot; /* as the client in turn reads it */
    bool every_route, ring; /* what it expects is only made when it is wanted */
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

static bool check_request(struct test *t)
{
    t->request = xds_tree_member(t->tree, "request");
    return (t->request && t->request->kind == XDS_TREE_OBJECT) ||
           xds_suite_wrong_case(t->suite, t->request ? t->request : t->tree,
                                "\"request\" of a case is missing, or not an object");
}

static bool check_expect(struct test *t)
{
    struct xds_slice what;

    t->expect = xds_tree_member(t->tree, "expect");
    if (!t->expect || t->expect->kind != XDS_TREE_OBJECT || t->expect->n == 0)
        return xds_suite_wrong_case(t->suite, t->expect ? t->expect : t->tree,
                                    "\"expect\" of a case is missing, or not an object "
                                    "with members of explain's JSON");
    const struct xds_tree *wrong =
        xds_shape_find_fault(&t->suite->case_arena, t->expect, &what);

    t->every_route = xds_shape_needs_every_route(t->expect);
    const struct xds_tree *rings = xds_tree_member(t->expect, "rings");

    t->ring = rings && rings->kind != XDS_TREE_NULL;
    return !wrong ||
           xds_suite_key_fault(t->suite, XDS_R_TEST_EXPECT, wrong, "%.*s", XDS_FMT(what));
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

    good = check_request(t) && good;
    good = check_expect(t) && good;
    return good && xds_product_begin(t->suite, t->tree, &t->product);
}

/* ---- one RPC ---- */

static bool request_fault(struct test *t, const struct xds_request_reader *reader)
{
    return reader->wrong_key
               ? xds_suite_key_fault(t->suite, XDS_R_TEST_REQUEST, reader->wrong, "%.*s",
                                     XDS_FMT(reader->fault))
               : xds_suite_wrong_value(t->suite, reader->wrong, "%.*s",
                                       XDS_FMT(reader->fault));
}

static bool read_rpc(struct test *t, struct xds_request_reader *reader)
{
    *reader = (struct xds_request_reader){
        .arena = &t->suite->rpc, .rpc = {.every_route = t->every_route, .ring = t->ring}};
    if (!xds_request_read(reader, &t->product.request))
        return request_fault(t, reader);
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

/* The keys of explain's JSON are those of its contract, so they are taken from there. */
static struct xds_tree answer_of(struct xds_arena *arena,
                                 const struct xds_decision *decision)
{
    struct xds_text text = {.arena = arena};
    const struct xds_printer to = xds_text_printer(&text);
    struct xds_tree answer = xds_tree_object();
    struct xds_json_fault fault;

    if (xds_print_decision_json(&to, decision) == XDS_OK)
        (void)xds_tree_read(arena, xds_slice_make(text.data, text.len), &answer, &fault);
    return answer;
}

/* What `explain` tells people. */
static struct xds_slice explanation_of(struct test *t, struct xds_client_release who,
                                       struct xds_request_reader *reader)
{
    struct xds_text text = {.arena = &t->suite->run_arena};
    const struct xds_printer to = xds_text_printer(&text);
    const struct xds_decision *decision;

    reader->rpc.every_route = true;
    reader->session_cookie = (struct xds_slice){NULL, 0}; /* it is among the headers */
    if (!ask(t, who, reader, &decision) ||
        xds_print_decision_text(&to, decision) != XDS_OK)
        return (struct xds_slice){NULL, 0};
    return xds_slice_make(text.data, text.len);
}

/* That it ends says more than all values that are not there for this reason. */
static struct xds_slice ending_of(struct xds_arena *run_arena,
                                  const struct xds_decision *decision)
{
    if (decision->outcome == XDS_OUTCOME_ROUTED)
        return (struct xds_slice){NULL, 0};
    return xds_arena_printf(run_arena, "%s: %.*s", xds_outcome_name(decision->outcome),
                            XDS_FMT(decision->error));
}

static bool run_rpc(struct test *t, struct xds_slice name)
{
    struct xds_comparison differences = {.run_arena = &t->suite->run_arena,
                                         .case_arena = &t->suite->rpc};
    struct xds_suite_case result = {.line = t->tree->line, .column = t->tree->column};
    struct xds_client_release who;
    const struct xds_decision *decision;
    struct xds_request_reader reader;

    if (!xds_suite_read_client(t->suite, t->product.client, &who) ||
        !read_rpc(t, &reader) || !ask(t, who, &reader, &decision))
        return false;
    result.client = who.client;
    result.release = who.release;
    const struct xds_tree answer = answer_of(&t->suite->rpc, decision);

    xds_suite_compare(&differences, t->expect, &answer);
    result.name = xds_arena_dup(&t->suite->run_arena, name);
    result.ok = differences.n == 0;
    result.mismatches = differences.list;
    result.n_mismatches = differences.n;
    result.n_more_mismatches = differences.n_more;

    const struct xds_covering_case by = {t->suite->file->name, result.name, result.line,
                                         result.ok};

    if (t->suite->settings.coverage)
        xds_coverage_mark(&t->snapshot->coverage, decision, t->expect, &by);
    if (!result.ok)
        result.ending = ending_of(&t->suite->run_arena, decision);
    if (!result.ok && t->suite->settings.explanations)
        result.explanation = explanation_of(t, who, &reader);

    struct xds_suite *s = t->suite;
    struct xds_suite_file *file = s->file;

    s->cases = xds_list_room(&s->run_arena, s->cases, file->n_cases, sizeof *s->cases);
    file->cases = s->cases;
    s->cases[file->n_cases++] = result;
    file->n_failed += !result.ok;
    return true;
}

/* ---- all of them ---- */

void xds_suite_run_case(struct xds_suite *suite, const struct xds_tree *test)
{
    struct test t = {.suite = suite, .tree = test};

    if (!read_test(&t))
        return;
    do {
        xds_arena_reset(&suite->rpc);
        const struct xds_slice name = xds_product_name(&suite->rpc, &t.product, t.name);

        /* "No answer" of a hard pattern is no reason to leave a case out. */
        if (suite->run && xds_regex_full_match(suite->run, name) == XDS_NO_MATCH)
            suite->file->n_not_run++;
        else if (!run_rpc(&t, name))
            return;
    } while (xds_product_next(&t.product));
}
