/*
 * served.c - RPCs that arrive at servers before and after: who is let in, over which kind
 *            of connection, and with what words who is not.
 *
 * Source: gRFC A36, A41.
 */
#include "diff/diff.h"
#include "explain/derive_server.h"

/* What is compared, and what tells why. */
struct answer {
    struct xds_slice text, policy;
    bool has_listener;
};

struct call {
    struct xds_diff *diff;
    enum xds_status status;
};

static const char *connection_words(const struct xds_served *d)
{
    const struct xds_tls_context *tls = d->chains.chain ? d->chains.chain->tls : NULL;

    if (!d->connection.is_tls)
        return "plaintext";
    return tls && tls->require_client_certificate ? "TLS with a client certificate"
                                                  : "TLS";
}

/* Of two clients the words always differ. */
static struct xds_slice words_of(const struct xds_diff *diff, struct xds_slice error)
{
    return diff->of_readers ? XDS_S("") : error;
}

static struct xds_slice text_of(struct xds_diff *diff, const struct xds_served *d)
{
    struct xds_arena *arena = &diff->arena;
    const struct xds_slice words = words_of(diff, d->error);

    switch (d->outcome) {
    case XDS_SERVED_YES:
        return xds_arena_printf(arena, "served over %s", connection_words(d));
    case XDS_SERVED_DENIED:
    case XDS_SERVED_FAILED:
        return xds_arena_printf(arena, "fails with %.*s%s%.*s", XDS_FMT(d->code),
                                words.len ? ": " : "", XDS_FMT(words));
    case XDS_SERVED_CLOSED:
    case XDS_SERVED_HANDSHAKE:
    case XDS_SERVED_NOT_SERVING:
        return xds_arena_printf(arena, "fails with %.*s at its client: %.*s",
                                XDS_FMT(d->code), XDS_FMT(d->error));
    case XDS_SERVED_CRASH:
        return xds_arena_printf(arena, "CRASH: %.*s", XDS_FMT(d->error));
    case XDS_SERVED_UNDECIDED:
        break;
    }
    return xds_arena_printf(arena, "no answer: %.*s", XDS_FMT(d->error));
}

static enum xds_status ask(struct xds_diff *diff, enum xds_side side,
                           const struct xds_inbound *inbound, struct answer *out)
{
    const struct xds_served *d;
    const enum xds_status status = xds_serve(diff->served.server[side], inbound, &d);

    if (status != XDS_OK)
        return status;
    *out = (struct answer){text_of(diff, d), xds_arena_dup(&diff->arena, d->policy),
                           d->listener != NULL};
    return XDS_OK;
}

/* That a server stops is said of the server, and not of each of its RPCs; that it starts,
 * of its listener. */
static bool is_said(const struct xds_diff *diff, struct xds_slice listener,
                    const struct answer answers[XDS_SIDES])
{
    if (!answers[XDS_SIDE_OLD].has_listener)
        return true;
    for (size_t i = 0; !answers[XDS_SIDE_NEW].has_listener && i < diff->n_servers; i++)
        if (xds_slice_eq(diff->servers[i].listener, listener))
            return true;
    return false;
}

/* ---- kinds ---- */

static struct xds_inbound keep(struct xds_arena *arena, const struct xds_inbound *from)
{
    struct xds_inbound out = *from;

    out.server = xds_arena_dup(arena, from->server);
    out.local = xds_arena_dup(arena, from->local);
    out.peer = xds_arena_dup(arena, from->peer);
    out.rpc = xds_diff_keep(arena, &from->rpc);
    if (from->certificate) {
        const size_t n = from->certificate->n_sans;
        struct xds_certificate *certificate = XDS_NEW(arena, struct xds_certificate);
        struct xds_san *sans = XDS_NEW_ARRAY(arena, struct xds_san, n);

        for (size_t i = 0; i < n; i++)
            sans[i] =
                (struct xds_san){from->certificate->sans[i].kind,
                                 xds_arena_dup(arena, from->certificate->sans[i].value)};
        *certificate = (struct xds_certificate){
            .sans = sans,
            .n_sans = n,
            .subject = xds_arena_dup(arena, from->certificate->subject)};
        out.certificate = certificate;
    }
    return out;
}

static void note(struct xds_diff *diff, const struct xds_inbound *inbound,
                 const struct answer answers[XDS_SIDES])
{
    struct xds_diff_served *served = &diff->served;
    const struct xds_slice key = xds_arena_printf(
        &diff->arena, "%.*s\n%.*s\n%.*s\n%.*s\n%.*s", XDS_FMT(inbound->server),
        XDS_FMT(answers[0].text), XDS_FMT(answers[1].text), XDS_FMT(answers[0].policy),
        XDS_FMT(answers[1].policy));
    void **slot = xds_strmap_at(&served->by_change, key);
    struct xds_served_kind *kind = *slot;

    served->n_differ++;
    if (!served->kinds)
        served->kinds =
            XDS_NEW_ARRAY(&diff->arena, struct xds_served_kind *, XDS_MAX_DIFF_KINDS);
    if (!kind && served->n_kinds == XDS_MAX_DIFF_KINDS) {
        served->n_more_kinds++;
        return;
    }
    if (!kind) {
        *slot = kind = XDS_NEW(&diff->arena, struct xds_served_kind);
        kind->example = keep(&diff->arena, inbound);
        for (unsigned side = 0; side < XDS_SIDES; side++) {
            kind->text[side] = answers[side].text;
            kind->policy[side] = answers[side].policy;
        }
        served->kinds[served->n_kinds++] = kind;
    }
    kind->n++;
}

/* ---- RPCs ---- */

static struct xds_slice spell(struct xds_arena *arena, const struct xds_inbound *in)
{
    struct xds_text text = {.arena = arena};

    xds_text_printf(&text, "%.*s\n%.*s\n%.*s\n%.*s\n%.*s", XDS_FMT(in->server),
                    XDS_FMT(in->local), XDS_FMT(in->peer), XDS_FMT(in->rpc.authority),
                    XDS_FMT(in->rpc.path));
    for (size_t i = 0; in->certificate && i < in->certificate->n_sans; i++)
        xds_text_printf(&text, "\n%.*s", XDS_FMT(in->certificate->sans[i].value));
    for (size_t i = 0; i < in->rpc.n_headers; i++)
        xds_text_printf(&text, "\n%.*s: %.*s", XDS_FMT(in->rpc.headers[i].name),
                        XDS_FMT(in->rpc.headers[i].value));
    return xds_slice_make(text.data, text.len);
}

/* Most RPCs are made of both sides. */
static bool use(void *user, const struct xds_derived_inbound *derived)
{
    struct call *call = user;
    struct xds_diff *diff = call->diff;
    struct xds_diff_served *served = &diff->served;
    void **slot = xds_strmap_at(&served->seen, spell(&diff->derive, &derived->inbound));
    struct answer answers[XDS_SIDES];

    if (*slot || call->status != XDS_OK || served->n == XDS_MAX_DERIVED_REQUESTS)
        return false;
    *slot = diff;
    for (unsigned side = 0; side < XDS_SIDES && call->status == XDS_OK; side++)
        call->status = ask(diff, (enum xds_side)side, &derived->inbound, &answers[side]);
    if (call->status != XDS_OK || is_said(diff, derived->listener->name, answers))
        return false;
    served->n++;
    if (!xds_slice_eq(answers[0].text, answers[1].text))
        note(diff, &derived->inbound, answers);
    return false; /* all that can be made are compared */
}

enum xds_status xds_diff_served(struct xds_diff *diff, enum xds_side side)
{
    const struct xds_diff_side *s = &diff->side[side];
    struct call call = {diff, XDS_OK};

    xds_derive_inbounds(&s->check->snapshot, s->client, &s->check->report->options,
                        &diff->derive, use, &call);
    return call.status;
}
