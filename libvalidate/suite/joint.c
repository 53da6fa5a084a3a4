/*
 * joint.c - a case that asks for both ends of its RPC: the connection, and what comes of
 * it.
 *
 * Source: xdscope-test(1); the members of the connection are options of
 * `explain --end-to-end`.
 */
#include "explain/joint.h"
#include "explain/inbound_read.h"
#include "print/decision/decision.h"
#include "print/decision/served.h"
#include "suite/inner.h"

/* ---- the request ---- */

#define MEMBER "end_to_end"

static bool is_wanted(const struct xds_tree *value)
{
    return value && value->kind != XDS_TREE_NULL &&
           !(value->kind == XDS_TREE_BOOL && !value->truth);
}

bool xds_suite_is_joint(const struct xds_tree *request, const struct xds_tree *defaults)
{
    const struct xds_tree *own = xds_tree_member(request, MEMBER);

    return is_wanted(own || !defaults ? own : xds_tree_member(defaults, MEMBER));
}

/* Of the members of a connection; the rest of it the host and its cluster decide. */
static const char *const told[] = {"peer", "peer_san", "peer_subject", "server", "tls"};

static bool is_told(struct xds_slice key)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(told); i++)
        if (xds_slice_is(key, told[i]))
            return true;
    return false;
}

static bool refuse(struct xds_suite *s, const struct xds_tree *member)
{
    struct xds_nearest nearest = xds_nearest_to(member->key);

    for (size_t i = 0; i < XDS_ARRAY_LEN(told); i++)
        xds_nearest_offer(&nearest, told[i]);
    const struct xds_slice hint = xds_nearest_words(&s->rpc, nearest.best);

    return xds_suite_wrong_request(
        s, member,
        xds_arena_printf(&s->rpc, "\"" MEMBER "\" has no member \"%.*s\"%.*s",
                         XDS_FMT(xds_slice_clip(member->key, XDS_MAX_VALUE_IN_NAME)),
                         XDS_FMT(hint)));
}

static bool read_connection(struct xds_suite *s, const struct xds_tree *value,
                            struct xds_inbound *out)
{
    const struct xds_tree *wrong = value, *twice = xds_tree_twice(&s->rpc, value);
    struct xds_tree rest = *value;
    const char *which;

    if (twice)
        return xds_suite_wrong_request(
            s, twice,
            xds_arena_printf(&s->rpc, "duplicate key \"%.*s\"", XDS_FMT(twice->key)));
    for (size_t i = 0; i < value->n; i++)
        if (!is_told(value->items[i].key))
            return refuse(s, &value->items[i]);
    const struct xds_slice fault = xds_inbound_read(&s->rpc, &rest, out, &wrong);

    if (fault.data)
        return xds_suite_wrong_value(s, wrong, "%.*s", XDS_FMT(fault));
    /* The host is one that the client may choose; only the peer is looked at. */
    const struct xds_inbound peer = {.server = XDS_S("127.0.0.1:1"), .peer = out->peer};
    const char *is_bad = out->peer.data ? xds_inbound_fault(&peer, &which) : NULL;

    return !is_bad || xds_suite_wrong_value(s, xds_tree_member(value, "peer"),
                                            "\"peer\" %s", is_bad);
}

bool xds_suite_take_connection(struct xds_suite *s, struct xds_tree *request,
                               struct xds_inbound *out)
{
    const struct xds_tree *value = xds_tree_member(request, MEMBER);
    struct xds_tree *rest;
    size_t n = 0;

    *out = (struct xds_inbound){.way = XDS_WAY_AS_ASKED};
    if (!value)
        return true;
    if (value->kind == XDS_TREE_OBJECT) {
        if (!read_connection(s, value, out))
            return false;
    } else if (value->kind != XDS_TREE_BOOL && value->kind != XDS_TREE_NULL)
        return xds_suite_wrong_value(s, value,
                                     "\"" MEMBER "\" must be true, false or an object");
    rest = XDS_NEW_ARRAY(&s->rpc, struct xds_tree, request->n);
    for (size_t i = 0; i < request->n; i++)
        if (!xds_slice_is(request->items[i].key, MEMBER))
            rest[n++] = request->items[i];
    request->items = rest;
    request->n = n;
    return true;
}

bool xds_suite_join(struct xds_suite *suite, struct xds_suite_snapshot *snapshot,
                    enum xds_client client, const struct xds_decision *decision,
                    const struct xds_inbound *connection, const struct xds_joint **out)
{
    struct xds_joiner *joiner = xds_suite_joiner(suite, snapshot, client);

    if (joiner && xds_join(joiner, decision, connection, out) == XDS_OK)
        return true;
    suite->status = XDS_ERR_NO_MEMORY;
    return false;
}

/* ---- the answer ---- */

struct xds_tree xds_suite_tree_of(struct xds_arena *arena, const struct xds_text *text,
                                  const struct xds_tree *like, enum xds_status printed)
{
    struct xds_tree answer = xds_tree_object();
    struct xds_json_fault fault;

    if (printed == XDS_OK)
        (void)xds_tree_read_like(arena, xds_slice_make(text->data, text->len), like,
                                 &answer, &fault);
    return answer;
}

struct xds_slice xds_suite_text_of(const struct xds_text *text, enum xds_status printed)
{
    return printed == XDS_OK ? xds_slice_make(text->data, text->len)
                             : (struct xds_slice){NULL, 0};
}

struct xds_tree xds_suite_joint_tree(struct xds_arena *arena,
                                     const struct xds_joint *joint)
{
    struct xds_text text = {.arena = arena};
    const struct xds_printer to = xds_text_printer(&text);

    return xds_suite_tree_of(arena, &text, NULL, xds_print_joint_json(&to, joint));
}

static struct xds_slice text_at(const struct xds_tree *object, const char *key)
{
    const struct xds_tree *value = object ? xds_tree_member(object, key) : NULL;

    return value && value->kind == XDS_TREE_STRING ? value->text
                                                   : (struct xds_slice){NULL, 0};
}

struct xds_slice xds_suite_joint_ending(struct xds_arena *arena,
                                        const struct xds_tree *answer)
{
    const struct xds_slice side = text_at(answer, "side");
    const struct xds_slice message =
        text_at(xds_tree_member(answer, "status"), "message");
    const struct xds_slice reason = message.data ? message : text_at(answer, "reason");

    return xds_arena_printf(arena, "%.*s%s%.*s: %.*s",
                            XDS_FMT(text_at(answer, "outcome")),
                            side.data ? " at the " : "", XDS_FMT(side), XDS_FMT(reason));
}

struct xds_tree xds_suite_joint_expectation(struct xds_arena *arena,
                                            const struct xds_tree *answer)
{
    static const char *const if_there[] = {"side", "host", "policy", "status"};
    struct xds_tree out = xds_tree_object();

    xds_suite_put_member(arena, &out, answer, "outcome");
    for (size_t i = 0; i < XDS_ARRAY_LEN(if_there); i++) {
        const struct xds_tree *value = xds_tree_member(answer, if_there[i]);

        if (value && value->kind != XDS_TREE_NULL)
            xds_suite_put_member(arena, &out, answer, if_there[i]);
    }
    return out;
}
