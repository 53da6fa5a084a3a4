/*
 * served.c - a case whose RPC arrives at a server: its request, and what comes of it.
 *
 * Source: xdscope-test(1); the members are those of a line of `explain --server`.
 */
#include "explain/inbound_read.h"
#include "explain/request_read.h"
#include "print/decision/decision.h"
#include "print/decision/served.h"
#include "suite/inner.h"

/* ---- the request ---- */

/* What of other requests a server sees. */
static const char *const shared[] = {"authority", "path",   "headers",
                                     "cookie",    "random", "why_not"};

bool xds_suite_is_for(bool at_server, struct xds_slice member)
{
    if (xds_inbound_has(member))
        return at_server;
    for (size_t i = 0; at_server && i < XDS_ARRAY_LEN(shared); i++)
        if (xds_slice_is(member, shared[i]))
            return true;
    return !at_server;
}

static bool refuse(struct xds_suite *s, const struct xds_tree *member)
{
    struct xds_nearest nearest = xds_nearest_to(member->key);

    for (size_t i = 0; i < XDS_ARRAY_LEN(shared); i++)
        xds_nearest_offer(&nearest, shared[i]);
    xds_inbound_offer(&nearest);
    const struct xds_slice hint = xds_nearest_words(&s->rpc, nearest.best);

    return xds_suite_wrong_request(
        s, member,
        xds_arena_printf(&s->rpc, "a request to a server has no member \"%.*s\"%.*s",
                         XDS_FMT(xds_slice_clip(member->key, XDS_MAX_VALUE_IN_NAME)),
                         XDS_FMT(hint)));
}

static bool check_members(struct xds_suite *s, const struct xds_tree *request)
{
    const struct xds_tree *twice = xds_tree_twice(&s->rpc, request);

    if (twice)
        return xds_suite_wrong_request(
            s, twice,
            xds_arena_printf(&s->rpc, "duplicate key \"%.*s\"", XDS_FMT(twice->key)));
    for (size_t i = 0; i < request->n; i++)
        if (!xds_suite_is_for(true, request->items[i].key))
            return refuse(s, &request->items[i]);
    return true;
}

static bool read_inbound(struct xds_suite *s, const struct xds_tree *request,
                         struct xds_inbound *out)
{
    struct xds_request_reader reader = {.arena = &s->rpc};
    const struct xds_tree *wrong = request;
    struct xds_tree rest = *request;

    if (!check_members(s, request))
        return false;
    const struct xds_slice fault = xds_inbound_read(&s->rpc, &rest, out, &wrong);

    if (fault.data)
        return xds_suite_wrong_value(s, wrong, "%.*s", XDS_FMT(fault));
    if (!xds_request_read(&reader, &rest))
        return xds_suite_wrong_value(s, reader.wrong, "%.*s", XDS_FMT(reader.fault));
    out->rpc = reader.rpc;
    return true;
}

/* At the member that is wrong, or at the request that lacks it. */
static bool check_addresses(struct xds_suite *s, const struct xds_tree *request,
                            const struct xds_inbound *inbound)
{
    const char *which;
    const char *fault = xds_inbound_fault(inbound, &which);
    const struct xds_tree *member = fault ? xds_tree_member(request, which) : NULL;

    if (!fault)
        return true;
    if (member && member->kind != XDS_TREE_NULL)
        return xds_suite_wrong_value(s, member, "\"%s\" %s", which, fault);
    return xds_suite_wrong_case(s, request, "\"%s\" is missing in the request%s", which,
                                which[0] == 'l' ? ", and the server listens on all "
                                                  "addresses"
                                                : "");
}

bool xds_suite_serve(struct xds_suite *suite, struct xds_suite_snapshot *snapshot,
                     enum xds_client client, const struct xds_tree *request,
                     const struct xds_served **out)
{
    struct xds_inbound inbound = {.way = XDS_WAY_AS_ASKED};
    struct xds_server *server;

    if (!read_inbound(suite, request, &inbound) ||
        !check_addresses(suite, request, &inbound))
        return false;
    if (!inbound.rpc.path.data)
        return xds_suite_wrong_case(suite, request, "\"path\" is missing in the request");
    server = xds_suite_server(suite, snapshot, client);
    if (server && xds_serve(server, &inbound, out) == XDS_OK)
        return true;
    suite->status = XDS_ERR_NO_MEMORY;
    return false;
}

/* ---- the answer ---- */

struct xds_tree xds_suite_served_tree(struct xds_arena *arena,
                                      const struct xds_served *served)
{
    struct xds_text text = {.arena = arena};
    const struct xds_printer to = xds_text_printer(&text);

    return xds_suite_tree_of(arena, &text, NULL, xds_print_served_json(&to, served));
}

struct xds_slice xds_suite_served_text(struct xds_arena *arena,
                                       const struct xds_served *served)
{
    struct xds_text text = {.arena = arena};
    const struct xds_printer to = xds_text_printer(&text);

    return xds_suite_text_of(&text, xds_print_served_text(&to, served));
}

struct xds_slice xds_suite_served_ending(struct xds_arena *arena,
                                         const struct xds_served *served)
{
    return xds_arena_printf(arena, "%s: %.*s", xds_served_name(served->outcome),
                            XDS_FMT(served->error));
}

struct xds_tree xds_suite_served_expectation(struct xds_arena *arena,
                                             const struct xds_tree *answer)
{
    const struct xds_tree *chain = xds_tree_member(answer, "filter_chain");
    const struct xds_tree *policy = xds_tree_member(answer, "policy");
    const struct xds_tree *outcome = xds_tree_member(answer, "outcome");
    struct xds_tree out = xds_tree_object(), index = xds_tree_object();

    xds_suite_put_member(arena, &out, answer, "outcome");
    if (chain && chain->kind == XDS_TREE_OBJECT) {
        xds_suite_put_member(arena, &index, chain, "index");
        xds_tree_put(arena, &out, "filter_chain", index);
    }
    if ((policy && policy->kind == XDS_TREE_STRING) ||
        (outcome && xds_slice_is(outcome->text, "denied")))
        xds_suite_put_member(arena, &out, answer, "policy");
    if (outcome && xds_slice_is(outcome->text, "failed"))
        xds_suite_put_member(arena, &out, answer, "status");
    return out;
}
