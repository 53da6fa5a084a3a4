/*
 * chains.c - the filter chain that a connection gets.
 *
 * The criteria are looked at one after the other. Of the chains that match a criterion
 * those go on that match it best; of ranges the longest prefix is the best. Where none is
 * left the default chain takes the connection.
 *
 * Source: gRFC A36, spec listener 2.3; the servers in their sources.
 */
#include "server/server.h"

/* ---- what all steps share ---- */

struct choosing {
    const struct xds_server_rpc *rpc;
    const struct xds_listener *listener;
    const struct xds_socket *bound; /* where the server listens */
    enum xds_cidr_form form;
    struct xds_chain_try *tries;
    int *grade; /* of each chain in the current step */
    struct xds_slice crash;
};

enum { NO_MATCH = -2, ANY_RANGE = -1 };

static bool is_open(const struct xds_chain_try *try)
{
    return try->fate == XDS_CHAIN_CHOSEN;
}

XDS_PRINTF(4, 5)
static void end(const struct choosing *c, struct xds_chain_try *try,
                enum xds_chain_fate fate, const char *format, ...)
{
    va_list args;

    try->fate = fate;
    if (c->rpc->brief)
        return;
    va_start(args, format);
    try->reason = xds_arena_vprintf(c->rpc->rpc.arena, format, args);
    va_end(args);
}

/* Those of the highest grade go on. */
static int best_grade(const struct choosing *c)
{
    int best = NO_MATCH;

    for (size_t i = 0; i < c->listener->n_filter_chains; i++)
        if (is_open(&c->tries[i]) && c->grade[i] > best)
            best = c->grade[i];
    return best;
}

/* How this client compares ranges. */
static enum xds_cidr_form form_of(const struct xds_rpc *who)
{
    if (XDS_DIFFERS(who, XDS_DIFF_CHAIN_CIDR_INSIDE))
        return XDS_CIDR_INSIDE;
    if (XDS_DIFFERS(who, XDS_DIFF_CHAIN_CIDR_UNMAPPED))
        return XDS_CIDR_UNMAPPED;
    return XDS_DIFFERS(who, XDS_DIFF_CHAIN_CIDR_AS_WRITTEN) ? XDS_CIDR_AS_WRITTEN
                                                            : XDS_CIDR_MASKED;
}

/* ---- chains that can never match ---- */

static bool has_destination_port(const struct choosing *c,
                                 const struct xds_chain_criteria *m)
{
    return XDS_DIFFERS(&c->rpc->rpc, XDS_DIFF_CHAIN_DESTINATION_PORT_0)
               ? m->has_destination_port
               : m->destination_port != 0;
}

/* The criterion by which it cannot; NULL: it can. port: look at destination_port alone,
 * or at the others alone. */
static const char *impossible(const struct choosing *c,
                              const struct xds_chain_criteria *m, bool port)
{
    const bool is_plain =
        xds_slice_is(m->transport_protocol, "raw_buffer") ||
        (m->transport_protocol.len == 0 &&
         !(m->is_set && XDS_DIFFERS(&c->rpc->rpc, XDS_DIFF_CHAIN_RAW_BUFFER_ASKED)));

    if (port)
        return has_destination_port(c, m) ? "has destination_port" : NULL;
    if (m->n_server_names > 0)
        return "has server_names";
    if (!is_plain)
        return m->transport_protocol.len > 0
                   ? "has a transport_protocol that is not "
                     "raw_buffer"
                   : "has no transport_protocol, and this server "
                     "takes only raw_buffer";
    return m->n_application_protocols > 0 ? "has application_protocols" : NULL;
}

static void drop(struct choosing *c, bool port)
{
    for (size_t i = 0; i < c->listener->n_filter_chains; i++) {
        const char *why = impossible(c, &c->tries[i].chain->match, port);

        if (is_open(&c->tries[i]) && why)
            end(c, &c->tries[i], XDS_CHAIN_DROPPED, "dropped: filter_chain_match %s",
                why);
    }
}

static bool same_range(const struct choosing *c, const struct xds_chain_cidr *a,
                       const struct xds_chain_cidr *b)
{
    if (!a || !b)
        return !a && !b;
    return a->is_usable && b->is_usable &&
           memcmp(&a->form[c->form], &b->form[c->form], sizeof a->form[0]) == 0;
}

static const struct xds_chain_cidr *range_at(const struct xds_chain_cidr *list, size_t n,
                                             size_t i)
{
    return n > 0 ? &list[i] : NULL;
}

/* Has a chain raw_buffer for this destination? One that is dropped for its
 * application_protocols counts, too. */
static bool is_shadowed(const struct choosing *c, const struct xds_chain_cidr *range)
{
    for (size_t i = 0; i < c->listener->n_filter_chains; i++) {
        const struct xds_chain_criteria *m = &c->listener->filter_chains[i].match;
        const size_t n = m->n_destinations ? m->n_destinations : 1;

        if (m->destination_port != 0 || m->n_server_names > 0 ||
            !xds_slice_is(m->transport_protocol, "raw_buffer"))
            continue;
        for (size_t k = 0; k < n; k++)
            if (same_range(c, range, range_at(m->destinations, m->n_destinations, k)))
                return true;
    }
    return false;
}

static bool is_shadowed_for_all(const struct choosing *c,
                                const struct xds_chain_criteria *m)
{
    const size_t n = m->n_destinations ? m->n_destinations : 1;

    for (size_t k = 0; k < n; k++)
        if (!is_shadowed(c, range_at(m->destinations, m->n_destinations, k)))
            return false;
    return true;
}

#define SHADOWED                                                                         \
    "another chain for the same destination has transport_protocol raw_buffer"

struct xds_slice xds_chain_dropped(const struct xds_rpc *who,
                                   const struct xds_listener *listener,
                                   const struct xds_filter_chain *chain)
{
    const struct xds_server_rpc rpc = {.rpc = *who};
    const struct choosing c = {.rpc = &rpc, .listener = listener, .form = form_of(who)};
    const struct xds_chain_criteria *m = &chain->match;
    const char *why = impossible(&c, m, true);

    if (!why)
        why = impossible(&c, m, false);
    if (why)
        return xds_arena_printf(who->arena, "filter_chain_match %s", why);
    if (XDS_DIFFERS(who, XDS_DIFF_CHAIN_RAW_BUFFER_FIRST) &&
        m->transport_protocol.len == 0 && is_shadowed_for_all(&c, m))
        return XDS_S(SHADOWED);
    return xds_slice_make(NULL, 0);
}

/* ---- addresses ---- */

/* "source_prefix_ranges 10.0.0.0/8 does not contain"; of many ranges the first ones. */
static struct xds_slice range_words(const struct choosing *c, const char *field,
                                    const struct xds_chain_cidr *list, size_t n)
{
    struct xds_text text = {.arena = c->rpc->rpc.arena};
    const size_t shown = n < 4 ? n : 4;

    xds_text_printf(&text, "%s", field);
    for (size_t i = 0; i < shown; i++)
        xds_text_printf(&text, "%s %.*s", i ? "," : "", XDS_FMT(list[i].text));
    if (n > shown)
        xds_text_printf(&text, " and %zu more", n - shown);
    return xds_slice_make(text.data, text.len);
}

static bool kills(struct choosing *c, const struct xds_cidr *cidr,
                  const struct xds_socket *side)
{
    if (!xds_ip_kills(&c->rpc->rpc, cidr->family, &side->ip))
        return false;
    c->crash = XDS_S(XDS_KILLED_BY_ADDRESS);
    return true;
}

static int grade_range(struct choosing *c, const struct xds_chain_cidr *list, size_t n,
                       const struct xds_socket *side, bool shadowing)
{
    int best = NO_MATCH;

    if (n == 0)
        return XDS_DIFFERS(&c->rpc->rpc, XDS_DIFF_CHAIN_RANGE_OF_ALL) ? 0 : ANY_RANGE;
    for (size_t i = 0; i < n; i++) {
        const struct xds_cidr *cidr = &list[i].form[c->form];

        if (!list[i].is_usable || kills(c, cidr, side) ||
            (shadowing && is_shadowed(c, &list[i])))
            continue;
        if (xds_cidr_contains(cidr, &side->ip) && (int)cidr->prefix_len > best)
            best = (int)cidr->prefix_len;
    }
    return best;
}

/* is_source: else the destination. */
static void keep_ranges(struct choosing *c, bool is_source)
{
    const struct xds_server_connection *connection = c->rpc->connection;
    const struct xds_socket *side = is_source ? &connection->peer : &connection->local;
    const char *field = is_source ? "source_prefix_ranges" : "prefix_ranges";
    const enum xds_chain_fate fate = is_source ? XDS_CHAIN_SOURCE : XDS_CHAIN_DESTINATION;
    const bool shadows =
        !is_source && XDS_DIFFERS(&c->rpc->rpc, XDS_DIFF_CHAIN_RAW_BUFFER_FIRST);

    for (size_t i = 0; i < c->listener->n_filter_chains; i++) {
        const struct xds_chain_criteria *m = &c->tries[i].chain->match;

        if (is_open(&c->tries[i]))
            c->grade[i] = grade_range(c, is_source ? m->sources : m->destinations,
                                      is_source ? m->n_sources : m->n_destinations, side,
                                      shadows && m->transport_protocol.len == 0);
    }
    const int best = best_grade(c);

    for (size_t i = 0; i < c->listener->n_filter_chains; i++) {
        const struct xds_chain_criteria *m = &c->tries[i].chain->match;
        const size_t n = is_source ? m->n_sources : m->n_destinations;

        if (!is_open(&c->tries[i]) || (c->grade[i] == best && best != NO_MATCH))
            continue;
        const struct xds_slice words =
            c->rpc->brief
                ? XDS_S("")
                : range_words(c, field, is_source ? m->sources : m->destinations, n);

        if (c->grade[i] == NO_MATCH)
            end(c, &c->tries[i], fate, "%.*s: not %.*s", XDS_FMT(words),
                XDS_FMT(side->text));
        else if (n == 0)
            end(c, &c->tries[i], fate, "no %s, and another chain has %.*s in one", field,
                XDS_FMT(side->text));
        else
            end(c, &c->tries[i], fate, "%.*s: another chain has a longer prefix",
                XDS_FMT(words));
    }
}

/* ---- source_type ---- */

static bool is_loopback(const struct choosing *c, const struct xds_ip *ip)
{
    static const struct xds_ip v6 = {.family = 6, .bytes = {[15] = 1}};
    static const struct xds_ip v4 = {.family = 4, .bytes = {127, 0, 0, 1}};

    if (xds_ip_equal(ip, &v6) || xds_ip_equal(ip, &v4))
        return true;
    return ip->family == 4 && ip->bytes[0] == 127 &&
           !XDS_DIFFERS(&c->rpc->rpc, XDS_DIFF_CHAIN_LOOPBACK_ONE);
}

static bool matches_type(const struct choosing *c, uint32_t type)
{
    const struct xds_server_connection *connection = c->rpc->connection;
    const bool is_self = xds_ip_equal(&connection->peer.ip, &connection->local.ip);
    const bool loops = is_loopback(c, &connection->peer.ip);

    if (type == XDS_SOURCE_SAME_IP_OR_LOOPBACK)
        return is_self || loops;
    if (type == XDS_SOURCE_EXTERNAL)
        return !loops &&
               (!is_self || XDS_DIFFERS(&c->rpc->rpc, XDS_DIFF_CHAIN_EXTERNAL_SELF));
    return true;
}

static const char *const type_names[] = {"ANY", "SAME_IP_OR_LOOPBACK", "EXTERNAL"};

const char *xds_source_type_name(uint32_t type)
{
    return type_names[type < XDS_ARRAY_LEN(type_names) ? type : XDS_SOURCE_ANY];
}

static void keep_source_types(const struct choosing *c)
{
    const bool unranked = XDS_DIFFERS(&c->rpc->rpc, XDS_DIFF_CHAIN_SOURCE_TYPE_UNRANKED);
    const bool first = XDS_DIFFERS(&c->rpc->rpc, XDS_DIFF_CHAIN_SOURCE_TYPE_FIRST);
    bool has_type = false; /* a chain that is preferred to those of ANY */

    for (size_t i = 0; i < c->listener->n_filter_chains; i++) {
        const uint32_t type = c->tries[i].chain->match.source_type;

        if (is_open(&c->tries[i]) && type != XDS_SOURCE_ANY && !unranked)
            has_type |= first || matches_type(c, type);
    }
    for (size_t i = 0; i < c->listener->n_filter_chains; i++) {
        const uint32_t type = c->tries[i].chain->match.source_type;

        if (!is_open(&c->tries[i]))
            continue;
        if (!matches_type(c, type))
            end(c, &c->tries[i], XDS_CHAIN_SOURCE_TYPE, "source_type %s: not %.*s",
                xds_source_type_name(type), XDS_FMT(c->rpc->connection->peer.text));
        else if (type == XDS_SOURCE_ANY && has_type)
            end(c, &c->tries[i], XDS_CHAIN_SOURCE_TYPE,
                "source_type ANY: another chain has %s",
                first ? "one for the same destination" : "the one of the peer");
    }
}

/* ---- source_ports ---- */

static int grade_port(const struct choosing *c, const struct xds_chain_criteria *m)
{
    const bool zero_is_port = XDS_DIFFERS(&c->rpc->rpc, XDS_DIFF_CHAIN_SOURCE_PORT_0);
    const bool cuts = XDS_DIFFERS(&c->rpc->rpc, XDS_DIFF_CHAIN_SOURCE_PORT_CUT);
    const uint32_t peer = c->rpc->connection->peer.port;
    int grade = m->n_source_ports == 0 ? 0 : NO_MATCH;

    for (size_t i = 0; i < m->n_source_ports; i++) {
        const uint32_t port = cuts ? m->source_ports[i] & UINT16_MAX : m->source_ports[i];

        if (port == 0 && !zero_is_port && grade < 0)
            grade = 0;
        else if (port == peer && port != 0)
            grade = 1;
    }
    return grade;
}

static void keep_source_ports(const struct choosing *c)
{
    const uint16_t port = c->rpc->connection->peer.port;

    for (size_t i = 0; i < c->listener->n_filter_chains; i++)
        if (is_open(&c->tries[i]))
            c->grade[i] = grade_port(c, &c->tries[i].chain->match);
    const int best = best_grade(c);

    for (size_t i = 0; i < c->listener->n_filter_chains; i++) {
        if (!is_open(&c->tries[i]) || (c->grade[i] == best && best != NO_MATCH))
            continue;
        if (c->grade[i] == NO_MATCH && port > 0)
            end(c, &c->tries[i], XDS_CHAIN_SOURCE_PORT, "source_ports: not %u", port);
        else if (c->grade[i] == NO_MATCH)
            end(c, &c->tries[i], XDS_CHAIN_SOURCE_PORT,
                "source_ports: the port of the peer is not given");
        else
            end(c, &c->tries[i], XDS_CHAIN_SOURCE_PORT,
                "no source_ports, and another chain has %u", port);
    }
}

/* ---- the choice ---- */

static size_t count_open(const struct choosing *c, size_t *last)
{
    size_t n = 0;

    for (size_t i = 0; i < c->listener->n_filter_chains; i++)
        if (is_open(&c->tries[i])) {
            *last = i;
            n++;
        }
    return n;
}

/* Of one that does not look at destinations: two chains for different ones that are left
 * at the same range of sources. */
static bool has_two_destinations(const struct choosing *c)
{
    const struct xds_chain_cidr *first = NULL;
    bool seen = false;

    for (size_t i = 0; i < c->listener->n_filter_chains; i++) {
        const struct xds_chain_criteria *m = &c->tries[i].chain->match;
        const size_t n = m->n_destinations ? m->n_destinations : 1;

        for (size_t k = 0; is_open(&c->tries[i]) && k < n; k++) {
            const struct xds_chain_cidr *range =
                range_at(m->destinations, m->n_destinations, k);

            if (m->transport_protocol.len == 0 && is_shadowed(c, range))
                continue; /* it is not for this destination */
            if (seen && !same_range(c, first, range))
                return true;
            first = range;
            seen = true;
        }
    }
    return false;
}

static void begin(struct choosing *c)
{
    const struct xds_rpc *rpc = &c->rpc->rpc;
    const size_t n = c->listener->n_filter_chains;

    c->form = form_of(rpc);
    c->tries = XDS_NEW_ARRAY(rpc->arena, struct xds_chain_try, n);
    c->grade = XDS_NEW_ARRAY(rpc->arena, int, n);
    for (size_t i = 0; i < n; i++)
        c->tries[i] =
            (struct xds_chain_try){.index = i, .chain = &c->listener->filter_chains[i]};
}

static void drop_shadowed(const struct choosing *c)
{
    if (!XDS_DIFFERS(&c->rpc->rpc, XDS_DIFF_CHAIN_RAW_BUFFER_FIRST))
        return;
    for (size_t i = 0; i < c->listener->n_filter_chains; i++) {
        const struct xds_chain_criteria *m = &c->tries[i].chain->match;

        if (is_open(&c->tries[i]) && m->transport_protocol.len == 0 &&
            is_shadowed_for_all(c, m))
            end(c, &c->tries[i], XDS_CHAIN_DROPPED, "dropped: " SHADOWED);
    }
}

/* Returns false where several chains match in a way that the server cannot settle. */
static bool run_steps(struct choosing *c)
{
    const struct xds_rpc *rpc = &c->rpc->rpc;
    const bool late = XDS_DIFFERS(rpc, XDS_DIFF_CHAIN_DROPPED_LATE);
    const bool bound = XDS_DIFFERS(rpc, XDS_DIFF_CHAIN_DESTINATION_BOUND) &&
                       !xds_ip_is_wildcard(&c->bound->ip);

    drop(c, true);
    if (!late)
        drop(c, false);
    drop_shadowed(c);
    if (!bound)
        keep_ranges(c, false);
    if (late)
        drop(c, false);
    keep_source_types(c);
    keep_ranges(c, true);
    if (bound && has_two_destinations(c))
        return false;
    keep_source_ports(c);
    return true;
}

struct xds_chain_choice xds_chain_choose(const struct xds_server_rpc *rpc,
                                         const struct xds_listener *listener,
                                         const struct xds_socket *bound)
{
    struct choosing c = {.rpc = rpc, .listener = listener, .bound = bound};
    struct xds_chain_choice out = {.index = XDS_DEFAULT_CHAIN};
    size_t last = 0;

    begin(&c);
    const bool settled = run_steps(&c);
    const size_t n = count_open(&c, &last);

    out.tries = c.tries;
    out.n_tries = listener->n_filter_chains;
    out.crash = c.crash;
    if (out.crash.data)
        return out;
    if (!settled)
        out.several =
            XDS_S("chains for several destinations match, and this server, which "
                  "does not listen on all addresses, does not look at them");
    else if (n > 1 && XDS_DIFFERS(&rpc->rpc, XDS_DIFF_CHAIN_AMBIGUITY_KILLS))
        out.crash = XDS_S("several filter chains match the connection: Error: Duplicate "
                          "matcher found for incoming connection");
    else if (n > 1)
        out.several = XDS_S("several filter chains match the connection");
    else if (n == 1) {
        out.chain = c.tries[last].chain;
        out.index = last;
    } else
        out.chain = listener->default_chain;
    return out;
}
