/*
 * joint.c - both ends of one RPC: the host that its client chooses, the connection
 * between them, and what the server on this host makes of it.
 *
 * Source: gRFC A29, A36.
 */
#include "explain/joint.h"
#include "check/check.h"
#include "explain/explain.h"

#include <stdlib.h>

struct xds_joiner {
    struct xds_check *check;
    enum xds_client client;
    struct xds_server *server;
    struct xds_arena arena; /* of one answer */
};

/* Other hosts that are looked at, too. */
enum { MOST_OTHERS = 20 };

struct work {
    struct xds_joiner *joiner;
    const struct xds_inbound *base;
    const struct xds_decision *decision;
    struct xds_rpc rpc; /* as the client sees it */
    struct xds_joint *joint;
    enum xds_status status;
};

/* One host, and what connects the client with it. */
struct hop {
    const struct xds_decision_host *host;
    struct xds_socket socket;
    struct xds_security security;
    struct xds_inbound inbound;
    bool on_all_addresses; /* the listener that was found */
};

/* ---- notes ---- */

XDS_PRINTF(2, 3)
static void note(const struct work *w, const char *format, ...)
{
    struct xds_joint *j = w->joint;
    va_list args;

    va_start(args, format);
    j->notes = xds_texts_with(w->rpc.arena, j->notes, &j->n_notes, format, args);
    va_end(args);
}

static void end_unknown(const struct work *w, struct xds_slice reason)
{
    w->joint->end = XDS_JOINT_UNKNOWN;
    w->joint->reason = reason;
}

/* ---- the connection ---- */

static struct xds_slice address_of(const struct xds_decision_host *host)
{
    return xds_host_address_of(host->host);
}

/* The client of the RPC is somewhere else, unless its host is this very machine. */
static struct xds_slice assumed_peer(const struct xds_socket *host)
{
    const struct xds_ip ip = xds_ip_unmapped(host->ip);
    static const unsigned char loopback6[16] = {[15] = 1};

    if (ip.family == 4)
        return ip.bytes[0] == 127 ? XDS_S("127.0.0.1") : XDS_S("192.0.2.1");
    return memcmp(ip.bytes, loopback6, sizeof loopback6) == 0 ? XDS_S("::1")
                                                              : XDS_S("2001:db8::1");
}

/* What arrives as :authority. */
static struct xds_slice sent_authority(const struct xds_decision *d,
                                       const struct xds_decision_host *host)
{
    const struct xds_decision_config *config = d->asked.config;
    const struct xds_slice hostname = host->host->endpoint->hostname;

    if (config && config->sent_authority.data)
        return config->sent_authority;
    return config && config->host_rewrite && hostname.len > 0 ? hostname
                                                              : d->start.authority;
}

/* A certificate whose names are not known. */
static const struct xds_certificate some_certificate = {.subject = {"", 0}};

static const struct xds_certificate *certificate_of(const struct work *w,
                                                    const struct hop *hop,
                                                    enum xds_joint_certificate *what)
{
    const bool own = w->base->way == XDS_WAY_TLS; /* credentials of the channel */
    const bool has_one =
        hop->inbound.way == XDS_WAY_TLS && (own || hop->security.providers.identity.data);

    *what = XDS_JOINT_CERTIFICATE_NONE;
    if (!has_one || (own && !w->base->certificate))
        return NULL;
    *what = w->base->certificate ? XDS_JOINT_CERTIFICATE_GIVEN
                                 : XDS_JOINT_CERTIFICATE_ASSUMED;
    return w->base->certificate ? w->base->certificate : &some_certificate;
}

static void read_connection(const struct work *w, struct hop *hop,
                            enum xds_joint_certificate *certificate)
{
    const struct xds_decision *d = w->joint->decision;
    const struct xds_cluster *leaf =
        xds_accepted(&w->joiner->check->snapshot, w->rpc.client, XDS_TYPE_CLUSTER,
                     hop->host->cluster, NULL);
    const bool by_cluster = w->base->way == XDS_WAY_AS_ASKED;

    if (leaf)
        xds_security_read(&w->rpc, leaf, hop->host->host->endpoint, &hop->security);
    hop->inbound = (struct xds_inbound){
        .server = address_of(hop->host),
        .peer = w->base->peer.data ? w->base->peer : assumed_peer(&hop->socket),
        .way = !by_cluster         ? w->base->way
               : hop->security.tls ? XDS_WAY_TLS
                                   : XDS_WAY_PLAINTEXT,
        .rpc = {.authority = sent_authority(d, hop->host),
                .path = d->request.path,
                .headers = d->request.headers,
                .n_headers = d->request.n_headers},
    };
    if (by_cluster && hop->security.tls)
        hop->inbound.server_name = hop->security.sni_from == XDS_SNI_AUTHORITY
                                       ? d->start.authority
                                       : hop->security.sni;
    hop->inbound.certificate = certificate_of(w, hop, certificate);
}

/* NULL: it is not asked, or accepts. */
static const struct xds_handshake *refusal(const struct work *w, const struct hop *hop)
{
    const struct xds_certificate *given = w->joint->decision->request.server_certificate;

    if (!given || !hop->security.tls || w->base->way != XDS_WAY_AS_ASKED)
        return NULL;
    const struct xds_handshake *h = xds_handshake(&w->rpc, &hop->security, given);

    return h->accepted ? NULL : h;
}

/* Of what is wrong before any name only the sentence says more. */
static const struct xds_rpc_failure *refusal_reason(const struct work *w)
{
    const struct xds_certificate *given = w->joint->decision->request.server_certificate;

    return given->fault.data || given->no_tls_usage
               ? NULL
               : xds_failure_row(XDS_FAILURE_TLS_NAME);
}

/* ---- the server ---- */

/* NULL: the snapshot has no listener for this server. */
static const struct xds_served *serve_as(struct work *w, struct hop *hop,
                                         struct xds_slice server)
{
    const struct xds_served *served = NULL;

    hop->inbound.local = server.data ? address_of(hop->host) : server;
    hop->inbound.server = server.data ? server : address_of(hop->host);
    hop->on_all_addresses = server.data != NULL;
    if (w->status == XDS_OK)
        w->status = xds_serve(w->joiner->server, &hop->inbound, &served);
    if (w->status != XDS_OK)
        return NULL;
    return xds_snapshot_find(&w->joiner->check->snapshot, XDS_TYPE_LISTENER,
                             served->listener_name)
               ? served
               : NULL;
}

/* A server that listens on all addresses has the host's, too. */
static const struct xds_served *serve(struct work *w, struct hop *hop)
{
    const struct xds_slice none = {NULL, 0};
    const struct xds_served *served = serve_as(w, hop, none);
    const unsigned port = hop->socket.port;

    if (!served && hop->socket.ip.family == 4)
        served = serve_as(w, hop, xds_arena_printf(w->rpc.arena, "0.0.0.0:%u", port));
    if (!served)
        served = serve_as(w, hop, xds_arena_printf(w->rpc.arena, "[::]:%u", port));
    return served;
}

/* Do client and server begin to speak TLS with each other? */
static bool begins_tls(const struct hop *hop, const struct xds_served *served)
{
    return hop->inbound.way == XDS_WAY_TLS && served->chains.chain &&
           served->chains.chain->tls;
}

/* ---- hosts ---- */

static bool is_reachable(const struct work *w, struct hop *hop)
{
    return hop->host && xds_socket_read(address_of(hop->host), &hop->socket) &&
           hop->socket.port > 0 && w->status == XDS_OK;
}

/* How it ends at a host, in short. */
static struct xds_slice end_words(const struct work *w, const struct hop *hop,
                                  const struct xds_served *served)
{
    const struct xds_handshake *h = refusal(w, hop);

    if (h && begins_tls(hop, served))
        return xds_arena_printf(w->rpc.arena, "the client refuses its certificate: %.*s",
                                XDS_FMT(h->reason));
    if (served->outcome == XDS_SERVED_YES)
        return XDS_S("it serves the RPC");
    if (!served->code.data)
        return xds_arena_printf(w->rpc.arena, "%.*s", XDS_FMT(served->error));
    return xds_arena_printf(w->rpc.arena, "the RPC fails with %.*s: %.*s",
                            XDS_FMT(served->code), XDS_FMT(served->error));
}

/* The host that the question is about; the first one with a listener, where chance
 * decides. */
static const struct xds_decision_host *choose(struct work *w)
{
    const struct xds_decision_pick *pick = &w->joint->decision->pick;
    enum xds_joint_certificate ignored;

    for (size_t i = 0; w->base->server.data && i < pick->n_hosts; i++)
        if (xds_slice_eq(address_of(&pick->hosts[i]), w->base->server))
            return &pick->hosts[i];
    if (w->base->server.data)
        return NULL;
    for (size_t i = 0; i < pick->n_hosts && i < MOST_OTHERS; i++) {
        struct hop hop = {.host = &pick->hosts[i]};

        if (pick->n_hosts == 1 || !is_reachable(w, &hop))
            continue;
        read_connection(w, &hop, &ignored);
        if (serve(w, &hop))
            return hop.host;
    }
    return pick->n_hosts > 0 ? &pick->hosts[0] : NULL;
}

/* Hosts that the RPC may go to as well, and where it ends in another way. */
static void compare_others(struct work *w, struct xds_slice words)
{
    const struct xds_decision_pick *pick = &w->joint->decision->pick;
    enum xds_joint_certificate ignored;

    for (size_t i = 0; i < pick->n_hosts && i < MOST_OTHERS; i++) {
        struct hop hop = {.host = &pick->hosts[i]};

        if (hop.host == w->joint->host || !is_reachable(w, &hop))
            continue;
        read_connection(w, &hop, &ignored);
        const struct xds_served *served = serve(w, &hop);
        const struct xds_slice other = served ? end_words(w, &hop, served) : words;

        if (!xds_slice_eq(other, words))
            note(w, "at host %.*s it ends otherwise: %.*s", XDS_FMT(address_of(hop.host)),
                 XDS_FMT(other));
    }
}

/* ---- all of it ---- */

static void note_assumptions(const struct work *w, const struct hop *hop)
{
    const struct xds_joint *j = w->joint;
    const struct xds_served *served = j->served;
    const size_t n = j->decision->pick.n_hosts;

    if (n > 1 && !w->base->server.data)
        note(w,
             "assumed: the RPC goes to %.*s, one of %zu hosts; --server ADDR:PORT names "
             "another one",
             XDS_FMT(j->address), n);
    if (!served)
        return;
    if (hop->on_all_addresses)
        note(w, "assumed: listener %.*s, for all addresses, is that of this host",
             XDS_FMT(served->listener_name));
    if (j->peer_assumed)
        note(w, "assumed: the address of the client is %.*s; --peer gives it",
             XDS_FMT(j->peer));
    if (begins_tls(hop, served) && !j->decision->request.server_certificate)
        note(w, "assumed: the client accepts the certificate of the server; "
                "--server-cert checks it");
    if (j->certificate == XDS_JOINT_CERTIFICATE_ASSUMED && served->connection.certificate)
        note(w, "assumed: the certificate of the client has no names; --peer-cert or "
                "--peer-san gives them");
    if (j->certificate == XDS_JOINT_CERTIFICATE_NONE && w->base->certificate)
        note(w, "the cluster gives the client no certificate, so that the one of the "
                "options is not sent");
}

static void follow(struct work *w, struct hop *hop)
{
    struct xds_joint *j = w->joint;
    const struct xds_handshake *h;

    read_connection(w, hop, &j->certificate);
    j->is_tls = hop->inbound.way == XDS_WAY_TLS;
    j->server_name = hop->inbound.server_name;
    j->peer = hop->inbound.peer;
    j->peer_assumed = !w->base->peer.data;
    h = refusal(w, hop);
    const struct xds_served *served = serve(w, hop);

    if (w->status != XDS_OK)
        return;
    if (served) {
        compare_others(w, end_words(w, hop, served));
        served = serve(w, hop); /* the answer is that of the last question */
    }
    if (h && (!served || begins_tls(hop, served))) {
        j->end = XDS_JOINT_REFUSED;
        j->reason = h->reason;
        j->failure = refusal_reason(w);
    } else if (served) {
        j->end = XDS_JOINT_SERVER;
        j->served = served;
    } else
        end_unknown(w, xds_arena_printf(w->rpc.arena,
                                        "the snapshot has no listener of server %.*s",
                                        XDS_FMT(j->address)));
    note_assumptions(w, hop);
}

static void run(void *arg)
{
    struct work *w = arg;
    struct xds_joint *j = XDS_NEW(w->rpc.arena, struct xds_joint);
    const struct xds_decision *d = w->decision;

    *j = (struct xds_joint){.decision = d, .end = XDS_JOINT_CLIENT};
    w->joint = j;

    if (d->outcome != XDS_OUTCOME_ROUTED) {
        if (d->outcome == XDS_OUTCOME_GAP)
            end_unknown(w, XDS_S("the cluster of the RPC is not in the snapshot"));
        return;
    }
    struct hop hop = {.host = choose(w)};

    j->host = hop.host;
    j->address = hop.host ? address_of(hop.host) : w->base->server;
    if (!hop.host)
        end_unknown(w, j->address.data
                           ? xds_arena_printf(w->rpc.arena,
                                              "the RPC does not go to host %.*s; "
                                              "--why-not says why",
                                              XDS_FMT(j->address))
                           : XDS_S("the host of the RPC is not in the snapshot"));
    else if (!is_reachable(w, &hop))
        end_unknown(w, xds_arena_printf(w->rpc.arena,
                                        "host %.*s is a name: which server it is, DNS "
                                        "says",
                                        XDS_FMT(j->address)));
    else
        follow(w, &hop);
}

/* ---- the public functions ---- */

struct xds_joiner *xds_joiner_new(struct xds_check *check, enum xds_client client,
                                  enum xds_client server)
{
    struct xds_joiner *joiner = calloc(1, sizeof *joiner);

    if (!joiner)
        return NULL;
    joiner->check = check;
    joiner->client = client;
    joiner->server = xds_server_new(check, server);
    xds_arena_init(&joiner->arena, 0);
    if (joiner->server)
        return joiner;
    xds_joiner_free(joiner);
    return NULL;
}

void xds_joiner_free(struct xds_joiner *joiner)
{
    if (!joiner)
        return;
    xds_server_free(joiner->server);
    xds_arena_release(&joiner->arena);
    free(joiner);
}

enum xds_status xds_join(struct xds_joiner *joiner, const struct xds_decision *decision,
                         const struct xds_inbound *base, const struct xds_joint **out)
{
    struct xds_arena *const arenas[] = {&joiner->arena};
    struct xds_slice undecided = {NULL, 0};
    struct xds_socket peer;
    struct work w = {
        .joiner = joiner,
        .base = base,
        .decision = decision,
        .rpc = {.client = joiner->client,
                .options = &joiner->check->report->options,
                .request = &decision->request,
                .arena = &joiner->arena,
                .undecided = &undecided},
        .status = XDS_OK,
    };

    *out = NULL;
    if (base->peer.data && !xds_socket_read(base->peer, &peer))
        return XDS_ERR_USAGE;
    xds_arena_reset(&joiner->arena);
    enum xds_status status = xds_arena_guard(arenas, 1, run, &w);

    if (status == XDS_OK)
        status = w.status;
    status = xds_check_status(joiner->check, status);
    if (status == XDS_OK)
        *out = w.joint;
    return status;
}

bool xds_joint_well(const struct xds_joint *joint)
{
    return joint->end == XDS_JOINT_SERVER && xds_served_well(joint->served);
}

void xds_joint_mark_resources(const struct xds_joiner *joiner,
                              const struct xds_joint *joint, bool *met)
{
    if (joint->served)
        xds_served_mark_resources(joiner->server, joint->served, met);
}
