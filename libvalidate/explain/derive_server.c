/*
 * derive_server.c - for every route and RBAC policy of a server an RPC that is made to
 * meet it: the connection from the filter chain, path and headers from the route, the
 * rest from what the policy asks for.
 *
 * How:    each value is a guess; what comes of all of them the server says.
 * Source: gRFC A36, A41.
 */
#include "explain/derive_server.h"

#include "base/ascii.h"
#include "explain/explain.h"
#include "server/rbac.h"

#include <arpa/inet.h>

enum { MOST_GUESSES = 6, MOST_HEADERS = 24, MOST_BASES = 4, MOST_ENTRIES = 4 };

/* A peer that no range is likely to have, and another one (RFC 5737, RFC 3849). */
static const char *const strangers[] = {"203.0.113.7", "198.51.100.7"};
static const char *const strangers_v6[] = {"2001:db8::7", "2001:db8:1::7"};

struct work {
    const struct xds_snapshot *snapshot;
    enum xds_client client;
    const struct xds_options *options;
    struct xds_arena *arena;
    xds_derived_inbound_fn *use;
    void *user;
    struct xds_derived_inbound base;      /* of the filter chain in turn */
    struct xds_derived bases[MOST_BASES]; /* RPCs of different routes of it */
    size_t n_bases;
    bool ends; /* take the last address of a range, where the first one is another's */
    bool met;  /* an RPC for a route was what it was made for */
};

/* An RPC in the making. */
struct draft {
    const struct work *w;
    struct xds_inbound inbound;
    struct xds_header headers[MOST_HEADERS];
    struct xds_san san;
    struct xds_certificate certificate;
    struct xds_slice undecided;
};

/* ---- texts ---- */

struct guesses {
    struct xds_slice list[MOST_GUESSES];
    size_t n;
};

static void guess(struct guesses *guesses, struct xds_slice text)
{
    if (text.data && guesses->n < MOST_GUESSES)
        guesses->list[guesses->n++] = text;
}

/* After a prefix that ends in a slash something has to come. */
static void guess_string(const struct work *w, const struct xds_string_matcher *m,
                         struct xds_slice tail, struct guesses *out)
{
    if (m->kind == XDS_MATCH_REGEX) {
        guess(out, xds_regex_sample(w->arena, m->text, true));
        guess(out, xds_regex_sample(w->arena, m->text, false));
        return;
    }
    if (m->kind == XDS_MATCH_PREFIX && xds_slice_ends(m->text, XDS_S("/")))
        guess(out, xds_arena_concat(w->arena, m->text, tail));
    guess(out, m->text);
}

/* now: the path so far, which takes the route. */
static void guess_path(const struct work *w, const struct xds_string_matcher *m,
                       struct xds_slice now, struct guesses *out)
{
    size_t slash = now.len;

    while (slash > 0 && now.data[slash - 1] != '/')
        slash--;
    if (m->kind == XDS_MATCH_SUFFIX || m->kind == XDS_MATCH_CONTAINS)
        guess(out, xds_arena_concat(
                       w->arena,
                       xds_slice_make(
                           now.data,
                           slash - (slash > 0 && xds_slice_starts(m->text, XDS_S("/")))),
                       m->text));
    guess_string(w, m, XDS_S("Method"), out);
    guess(out, xds_arena_printf(w->arena, "/any.Service%s%.*s",
                                xds_slice_starts(m->text, XDS_S("/")) ? "" : "/",
                                XDS_FMT(m->text)));
    guess(out, xds_arena_printf(w->arena, "/%.*s/Method", XDS_FMT(m->text)));
}

static struct xds_rpc rpc_of(struct draft *d)
{
    d->undecided = (struct xds_slice){NULL, 0};
    return (struct xds_rpc){.client = d->w->client,
                            .options = d->w->options,
                            .request = &d->inbound.rpc,
                            .arena = d->w->arena,
                            .undecided = &d->undecided,
                            .at_server = true};
}

static bool takes_string(struct draft *d, const struct xds_string_matcher *m,
                         struct xds_slice text)
{
    const struct xds_rpc rpc = rpc_of(d);

    return xds_string_matches(&rpc, m, text);
}

static bool takes_header(struct draft *d, const struct xds_header_matcher *m,
                         const struct xds_slice *value)
{
    const struct xds_rpc rpc = rpc_of(d);

    return xds_header_takes(&rpc, m, value) == XDS_MATCH;
}

/* ---- headers ---- */

static struct xds_header *find_header(struct draft *d, struct xds_slice name)
{
    for (size_t i = 0; i < d->inbound.rpc.n_headers; i++)
        if (xds_slice_eq_fold(d->headers[i].name, name))
            return &d->headers[i];
    return NULL;
}

static struct xds_slice lower(struct xds_arena *arena, struct xds_slice name)
{
    char *text = xds_arena_alloc(arena, name.len + 1);

    for (size_t i = 0; i < name.len; i++)
        text[i] = xds_ascii_lower(name.data[i]);
    return xds_slice_make(text, name.len);
}

static bool set_header(struct draft *d, struct xds_slice name, struct xds_slice value)
{
    struct xds_header *header = find_header(d, name);

    if (!header && d->inbound.rpc.n_headers == MOST_HEADERS)
        return false;
    if (!header)
        header = &d->headers[d->inbound.rpc.n_headers++];
    *header = (struct xds_header){lower(d->w->arena, name), value};
    return true;
}

static bool drop_header(struct draft *d, struct xds_slice name)
{
    struct xds_header *header = find_header(d, name);

    if (header)
        *header = d->headers[--d->inbound.rpc.n_headers];
    return true;
}

static void guess_header(const struct work *w, const struct xds_header_matcher *m,
                         struct guesses *out)
{
    if (m->kind == XDS_HEADER_STRING)
        guess_string(w, &m->string, XDS_S("1"), out);
    if (m->kind == XDS_HEADER_RANGE) {
        guess(out, xds_arena_printf(w->arena, "%lld", (long long)m->start));
        guess(out, xds_arena_printf(w->arena, "%lld", (long long)m->end));
    }
    guess(out, XDS_S("1"));
    guess(out, XDS_S("other"));
}

static bool settle_header(struct draft *d, const struct xds_header_matcher *m, bool want)
{
    const struct xds_slice name = m->name;
    struct xds_request *rpc = &d->inbound.rpc;
    const bool is_path = xds_slice_is(name, ":path");
    const bool is_host = xds_slice_eq_fold(name, XDS_S("host")) ||
                         xds_slice_eq_fold(name, XDS_S(":authority"));
    struct xds_slice *part = is_path ? &rpc->path : is_host ? &rpc->authority : NULL;
    const struct xds_header *header = find_header(d, name);
    const struct xds_slice *now = part ? part : header ? &header->value : NULL;
    const struct xds_slice post = XDS_S("POST");
    struct guesses guesses = {.n = 0};

    if (xds_slice_is(name, ":method"))
        now = &post;
    if (takes_header(d, m, now) == want)
        return true;
    if (now == &post)
        return false;
    if (!part && takes_header(d, m, NULL) == want)
        return drop_header(d, name);
    if (is_path && m->kind == XDS_HEADER_STRING)
        guess_path(d->w, &m->string, rpc->path, &guesses);
    else
        guess_header(d->w, m, &guesses);
    if (is_path)
        guess(&guesses, XDS_S("/any.Service/Method"));
    for (size_t i = 0; i < guesses.n; i++) {
        if (takes_header(d, m, &guesses.list[i]) != want ||
            (is_path && !xds_slice_starts(guesses.list[i], XDS_S("/"))))
            continue;
        if (part)
            *part = guesses.list[i];
        return part || set_header(d, name, guesses.list[i]);
    }
    return false;
}

static bool settle_path(struct draft *d, const struct xds_string_matcher *m, bool want)
{
    struct guesses guesses = {.n = 0};

    if (!m)
        return !want;
    if (takes_string(d, m, d->inbound.rpc.path) == want)
        return true;
    guess_path(d->w, m, d->inbound.rpc.path, &guesses);
    guess(&guesses, XDS_S("/any.Service/Method"));
    for (size_t i = 0; i < guesses.n; i++)
        if (xds_slice_starts(guesses.list[i], XDS_S("/")) &&
            takes_string(d, m, guesses.list[i]) == want) {
            d->inbound.rpc.path = guesses.list[i];
            return true;
        }
    return false;
}

/* ---- addresses ---- */

/* Of "10.0.0.0" and a range of some addresses "10.0.0.1". */
static struct xds_slice host_in(struct xds_arena *arena, struct xds_slice address,
                                bool has_room)
{
    const bool is_v4 = xds_slice_find(address, ':') == address.len;

    if (!has_room || !xds_slice_ends(address, is_v4 ? XDS_S(".0") : XDS_S("::")))
        return address;
    return xds_arena_printf(arena, "%.*s1", (int)(is_v4 ? address.len - 1 : address.len),
                            address.data);
}

/* "10.0.0.1", with the port that the text has now. */
static struct xds_slice with_port_of(struct xds_arena *arena, struct xds_slice address,
                                     struct xds_slice now)
{
    struct xds_socket socket;
    const bool is_v4 = xds_slice_find(address, ':') == address.len;

    if (!now.data || !xds_socket_read(now, &socket) || socket.port == 0)
        return address;
    return xds_arena_printf(arena, is_v4 ? "%.*s:%u" : "[%.*s]:%u", XDS_FMT(address),
                            socket.port);
}

static bool settle_ip(struct draft *d, const struct xds_ip_range *range, bool want,
                      bool is_local)
{
    struct xds_slice *side =
        is_local && d->inbound.local.data ? &d->inbound.local : &d->inbound.peer;
    const struct xds_rpc rpc = rpc_of(d);
    struct guesses guesses = {.n = 0};
    struct xds_socket socket;

    guess(&guesses, is_local && !d->inbound.local.data ? d->inbound.server : *side);
    guess(&guesses, host_in(d->w->arena, range->text,
                            range->ip.family == 4 ? range->prefix_len < 31
                                                  : range->prefix_len < 127));
    guess(&guesses, range->text);
    for (size_t i = 0; i < XDS_ARRAY_LEN(strangers); i++)
        guess(&guesses,
              xds_slice_of((range->ip.family == 6 ? strangers_v6 : strangers)[i]));
    for (size_t i = 0; i < guesses.n; i++) {
        if (!xds_socket_read(guesses.list[i], &socket) ||
            xds_rbac_in_range(&rpc, range, &socket.ip) != want)
            continue;
        if (i == 0)
            return true;
        if (is_local && !d->inbound.local.data)
            return false; /* where it listens is settled */
        *side = with_port_of(d->w->arena, guesses.list[i], *side);
        return true;
    }
    return false;
}

static bool settle_port(const struct draft *d, int64_t from, int64_t end, bool want)
{
    struct xds_socket socket;

    return xds_socket_read(d->inbound.local.data ? d->inbound.local : d->inbound.server,
                           &socket) &&
           (socket.port >= from && socket.port < end) == want;
}

/* ---- the peer ---- */

static bool settle_peer(struct draft *d, const struct xds_rbac_rule *rule, bool want)
{
    struct guesses guesses = {.n = 0};

    if (rule->string_set && !rule->string)
        return !want;
    if (rule->string && d->inbound.certificate &&
        takes_string(d, rule->string, d->san.value) == want)
        return true;
    if (rule->string)
        guess_string(d->w, rule->string, XDS_S("peer"), &guesses);
    guess(&guesses, XDS_S("spiffe://example.com/peer"));
    for (size_t i = 0; i < guesses.n; i++) {
        if (rule->string && takes_string(d, rule->string, guesses.list[i]) != want)
            continue;
        d->san = (struct xds_san){XDS_SAN_URI, guesses.list[i]};
        d->certificate =
            (struct xds_certificate){.sans = &d->san,
                                     /* the empty name is that of one without names */
                                     .n_sans = d->san.value.len > 0,
                                     .subject = XDS_S("")};
        d->inbound.certificate = rule->string || want ? &d->certificate : NULL;
        return true;
    }
    return false;
}

/* ---- rules ---- */

static bool settle(struct draft *d, const struct xds_rbac_rule *rule, bool want);

/* All of them are to be as wanted, or one of them. */
static bool settle_list(struct draft *d, const struct xds_rbac_rule *rule, bool want,
                        bool all)
{
    for (size_t i = 0; i < rule->n_rules; i++) {
        const struct draft before = *d;

        if (settle(d, &rule->rules[i], want) != all)
            return !all;
        if (!all)
            *d = before;
    }
    return all;
}

/* The nesting is bounded where it was read. */
static bool settle(struct draft *d, const struct xds_rbac_rule *rule, bool want)
{
    switch (rule->kind) {
    case XDS_RBAC_ANY:
        return want;
    case XDS_RBAC_AND:
        return settle_list(d, rule, want, want);
    case XDS_RBAC_OR:
        return settle_list(d, rule, want, !want);
    case XDS_RBAC_NOT:
        return rule->n_rules == 1 && settle(d, &rule->rules[0], !want);
    case XDS_RBAC_HEADER:
        return settle_header(d, rule->header, want);
    case XDS_RBAC_URL_PATH:
        return settle_path(d, rule->string, want);
    case XDS_RBAC_DESTINATION_IP:
    case XDS_RBAC_SOURCE_IP:
    case XDS_RBAC_DIRECT_REMOTE_IP:
    case XDS_RBAC_REMOTE_IP:
        return settle_ip(d, rule->range, want, rule->kind == XDS_RBAC_DESTINATION_IP);
    case XDS_RBAC_DESTINATION_PORT:
    case XDS_RBAC_DESTINATION_PORT_RANGE:
        return settle_port(d, rule->port, rule->port_end, want);
    case XDS_RBAC_AUTHENTICATED:
        return settle_peer(d, rule, want);
    case XDS_RBAC_UNKNOWN:
    case XDS_RBAC_METADATA:
    case XDS_RBAC_REQUESTED_SERVER_NAME:
        break;
    }
    return !want || rule->kind != XDS_RBAC_UNKNOWN;
}

/* ---- RPCs ---- */

static void begin_draft(const struct work *w, const struct xds_derived *derived,
                        struct draft *d)
{
    const struct xds_request *from = &derived->request;
    const size_t n = from->n_headers < MOST_HEADERS ? from->n_headers : MOST_HEADERS;

    *d = (struct draft){.w = w, .inbound = w->base.inbound};
    for (size_t i = 0; i < n; i++)
        d->headers[i] = from->headers[i];
    d->inbound.rpc.path = from->path;
    d->inbound.rpc.authority = from->authority;
    d->inbound.rpc.n_headers = n;
    if (d->inbound.certificate) {
        d->san = d->inbound.certificate->sans[0];
        d->certificate =
            (struct xds_certificate){.sans = &d->san, .n_sans = 1, .subject = XDS_S("")};
    }
}

static bool offer(const struct work *w, struct draft *d,
                  const struct xds_derived *derived, const struct xds_rbac_policy *policy)
{
    struct xds_derived_inbound out = w->base;
    const char *which;

    out.inbound = d->inbound;
    out.inbound.rpc.headers = d->headers;
    if (d->inbound.certificate)
        out.inbound.certificate = &d->certificate;
    out.host = derived->host;
    out.route = derived->route;
    out.policy = policy;
    /* A listener may have port 0, at which no RPC can arrive. */
    return !xds_inbound_fault(&out.inbound, &which) && w->use(w->user, &out);
}

static void use_route(void *user, const struct xds_derived *derived)
{
    struct work *w = user;
    struct draft d;

    begin_draft(w, derived, &d);
    w->met |= offer(w, &d, derived, NULL);
    if (w->n_bases < MOST_BASES)
        w->bases[w->n_bases++] = *derived;
}

/* With one entry of each of its lists. */
static bool derive_entry(const struct work *w, const struct xds_derived *derived,
                         const struct xds_rbac_policy *policy, size_t permission,
                         size_t principal)
{
    struct draft d;

    begin_draft(w, derived, &d);
    return settle(&d, &policy->permissions[permission], true) &&
           settle(&d, &policy->principals[principal], true) &&
           offer(w, &d, derived, policy);
}

static bool derive_policy(const struct work *w, const struct xds_derived *derived,
                          const struct xds_rbac_policy *policy)
{
    for (size_t i = 0; i < policy->n_permissions && i < MOST_ENTRIES; i++)
        for (size_t k = 0; k < policy->n_principals && k < MOST_ENTRIES; k++)
            if (derive_entry(w, derived, policy, i, k))
                return true;
    return false;
}

static void derive_policies(const struct work *w, const struct xds_rbac *rbac)
{
    if (!xds_rbac_is_enforced(rbac))
        return;
    for (size_t i = 0; i < rbac->n_policies; i++)
        for (size_t b = 0; b < w->n_bases; b++)
            if (derive_policy(w, &w->bases[b], &rbac->policies[i]))
                break;
}

/* Those of a route, asked with an RPC that takes it. */
static void derive_overrides(const struct work *w, const struct xds_derived *derived,
                             const struct xds_overrides *overrides)
{
    for (size_t i = 0; i < overrides->n; i++) {
        const struct xds_rbac *rbac = overrides->entries[i].rbac;

        for (size_t k = 0; xds_rbac_is_enforced(rbac) && k < rbac->n_policies; k++)
            (void)derive_policy(w, derived, &rbac->policies[k]);
    }
}

static void use_overrides(void *user, const struct xds_derived *derived)
{
    struct work *w = user;

    derive_overrides(w, derived, &derived->route->overrides);
    if (derived->route == derived->host->routes)
        derive_overrides(w, derived, &derived->host->overrides);
}

/* ---- connections ---- */

static bool is_v6(struct xds_slice address)
{
    struct xds_socket socket;

    return xds_socket_read(address, &socket) && socket.ip.family == 6;
}

/* Of 10.0.0.0/8 "10.255.255.254". */
static struct xds_slice last_of(struct xds_arena *arena, const struct xds_cidr *cidr)
{
    const unsigned bytes = cidr->family == 4 ? 4 : 16;
    char text[INET6_ADDRSTRLEN];
    unsigned char ip[16];

    memcpy(ip, cidr->ip, sizeof ip);
    for (unsigned bit = cidr->prefix_len; bit + 1 < bytes * 8; bit++)
        ip[bit / 8] |= (unsigned char)(0x80 >> bit % 8);
    if (!inet_ntop(cidr->family == 4 ? AF_INET : AF_INET6, ip, text, sizeof text))
        return (struct xds_slice){NULL, 0};
    return xds_arena_dup(arena, xds_slice_of(text));
}

/* Of the first range; of none, the address. */
static struct xds_slice in_ranges(const struct work *w, const struct xds_chain_cidr *list,
                                  size_t n, const char *otherwise)
{
    for (size_t i = 0; i < n; i++)
        if (list[i].is_usable) {
            struct xds_slice rest = list[i].text, address;

            if (w->ends)
                return last_of(w->arena, &list[i].form[XDS_CIDR_MASKED]);
            rest = xds_slice_cut(rest, '/', &address);
            return host_in(w->arena, address, !xds_slice_is(rest, "32"));
        }
    return xds_slice_of(otherwise);
}

static struct xds_slice join(struct xds_arena *arena, struct xds_slice address,
                             uint32_t port)
{
    const bool v6 = xds_slice_find(address, ':') < address.len;

    return xds_arena_printf(arena, v6 ? "[%.*s]:%u" : "%.*s:%u", XDS_FMT(address),
                            (unsigned)(port & UINT16_MAX));
}

static void set_connection(struct work *w, const struct xds_filter_chain *chain)
{
    const struct xds_chain_criteria *m = &chain->match;
    const struct xds_slice address = w->base.listener->address;
    const bool loops = m->source_type == XDS_SOURCE_SAME_IP_OR_LOOPBACK;
    const bool v6 = is_v6(address);
    struct xds_inbound *out = &w->base.inbound;
    struct xds_socket bound;

    *out = (struct xds_inbound){.server = address};
    (void)xds_socket_read(address, &bound);
    if (xds_ip_is_wildcard(&bound.ip))
        out->local = join(w->arena,
                          in_ranges(w, m->destinations, m->n_destinations,
                                    v6 ? "2001:db8::1" : "192.0.2.1"),
                          bound.port);
    out->peer = in_ranges(w, m->sources, m->n_sources,
                          loops ? (v6 ? "::1" : "127.0.0.1")
                                : (v6 ? strangers_v6 : strangers)[0]);
    if (m->n_source_ports > 0)
        out->peer = join(w->arena, out->peer, m->source_ports[0]);
    if (chain->tls && chain->tls->require_client_certificate) {
        struct xds_san *san = XDS_NEW(w->arena, struct xds_san);
        struct xds_certificate *certificate = XDS_NEW(w->arena, struct xds_certificate);

        *san = (struct xds_san){XDS_SAN_URI, XDS_S("spiffe://example.com/peer")};
        *certificate =
            (struct xds_certificate){.sans = san, .n_sans = 1, .subject = XDS_S("")};
        out->certificate = certificate;
    }
}

static void derive_chain(struct work *w, const struct xds_filter_chain *chain,
                         size_t index)
{
    const struct xds_listener *manager = chain->managers;
    const struct xds_chain_routes routes = {w->snapshot, w->client, w->options, manager};
    struct xds_derive_counts counts = {.made = 0};

    w->base.chain = chain;
    w->base.index = index;
    w->met = false;
    if (chain->n_managers == 0)
        return;
    for (unsigned i = 0; i < 2 && !w->met; i++) {
        w->ends = i > 0;
        w->n_bases = 0;
        set_connection(w, chain);
        xds_derive_chain(&routes, w->arena, use_route, w, &counts);
    }
    for (size_t i = 0; i < manager->n_filters; i++)
        derive_policies(w, manager->filters[i].rbac);
    xds_derive_chain(&routes, w->arena, use_overrides, w, &counts);
}

void xds_derive_inbounds(const struct xds_snapshot *snapshot, enum xds_client client,
                         const struct xds_options *options, struct xds_arena *arena,
                         xds_derived_inbound_fn *use, void *user)
{
    struct work w = {.snapshot = snapshot,
                     .client = client,
                     .options = options,
                     .arena = arena,
                     .use = use,
                     .user = user};
    struct xds_socket socket;

    for (const struct xds_snapshot_entry *e = snapshot->first[XDS_TYPE_LISTENER]; e;
         e = e->next) {
        const struct xds_listener *listener =
            xds_accepted(snapshot, client, XDS_TYPE_LISTENER, e->name, NULL);

        if (!listener || listener != e->model || listener->is_api_listener ||
            !listener->has_filter_chains || !listener->address.data ||
            !xds_socket_read(listener->address, &socket))
            continue;
        w.base.listener = listener;
        for (size_t i = 0; i < listener->n_filter_chains; i++)
            derive_chain(&w, &listener->filter_chains[i], i);
        if (listener->default_chain)
            derive_chain(&w, listener->default_chain, XDS_DEFAULT_CHAIN);
    }
}
