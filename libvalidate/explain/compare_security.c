/*
 * compare_security.c - say where another client secures the connection to the same host
 * in another way.
 *
 * Source: gRFC A29, A101; xdscope-explain(1).
 */
#include "explain/explain.h"

/* The connections of two clients to hosts of one cluster. */
struct two {
    const struct xds_security *asked, *other;
};

typedef bool same_fn(const struct two *t);
/* What the other client does: a clause without its subject. */
typedef struct xds_slice say_fn(const struct two *t, struct xds_arena *arena);

static struct xds_slice of_cluster(const struct two *t, struct xds_arena *arena,
                                   const char *what)
{
    return xds_arena_printf(arena, "%s cluster \"%.*s\"", what,
                            XDS_FMT(t->other->cluster));
}

/* ---- TLS or not ---- */

static bool same_tls(const struct two *t)
{
    return !t->asked->tls == !t->other->tls;
}

static struct xds_slice say_tls(const struct two *t, struct xds_arena *arena)
{
    return of_cluster(t, arena, t->other->tls ? "speaks TLS to" : "speaks plaintext to");
}

/* ---- the handshake ---- */

static bool same_handshake(const struct two *t)
{
    const struct xds_handshake *a = t->asked->handshake, *b = t->other->handshake;

    return !a || !b || a->accepted == b->accepted;
}

static struct xds_slice say_handshake(const struct two *t, struct xds_arena *arena)
{
    return of_cluster(t, arena,
                      t->other->handshake->accepted
                          ? "accepts the certificate of a host of"
                          : "refuses the certificate of a host of");
}

/* ---- certificates ---- */

static bool same_ca(const struct two *t)
{
    return xds_slice_eq(t->asked->providers.ca, t->other->providers.ca) &&
           t->asked->system_roots == t->other->system_roots;
}

static struct xds_slice say_ca(const struct two *t, struct xds_arena *arena)
{
    const struct xds_slice instance = t->other->providers.ca;

    if (instance.data)
        return xds_arena_printf(arena, "takes its CA from provider instance \"%.*s\"",
                                XDS_FMT(instance));
    return t->other->system_roots ? XDS_S("takes the CAs of the system")
                                  : XDS_S("has no CA for the connection");
}

static bool same_identity(const struct two *t)
{
    return xds_slice_eq(t->asked->providers.identity, t->other->providers.identity);
}

static struct xds_slice say_identity(const struct two *t, struct xds_arena *arena)
{
    const struct xds_slice instance = t->other->providers.identity;

    if (!instance.data)
        return XDS_S("shows no certificate of its own");
    return xds_arena_printf(arena, "shows the certificate of provider instance \"%.*s\"",
                            XDS_FMT(instance));
}

/* ---- names ---- */

/* Without a configured name each client sends what it likes: that is no difference. */
static bool is_asked_for(const struct xds_security *s)
{
    return s->sni_from == XDS_SNI_FIELD || s->sni_from == XDS_SNI_HOSTNAME;
}

static bool same_sni(const struct two *t)
{
    if (!is_asked_for(t->asked) && !is_asked_for(t->other))
        return true;
    return t->asked->sni_from == t->other->sni_from &&
           xds_slice_eq(t->asked->sni, t->other->sni);
}

static struct xds_slice say_sni(const struct two *t, struct xds_arena *arena)
{
    if (t->other->sni.data)
        return xds_arena_printf(arena, "asks for server name \"%.*s\" (SNI)",
                                XDS_FMT(t->other->sni));
    return t->other->sni_from == XDS_SNI_AUTHORITY
               ? XDS_S("asks for the authority of the channel as server name (SNI)")
               : XDS_S("asks for no server name (SNI)");
}

static bool same_names(const struct two *t)
{
    return t->asked->by_sni == t->other->by_sni;
}

static struct xds_slice say_names(const struct two *t, struct xds_arena *arena)
{
    (void)arena;
    return t->other->by_sni
               ? XDS_S("compares the server's certificate with the server name alone")
               : XDS_S("compares the server's certificate with match_subject_alt_names");
}

/* ---- all of it, what matters most first ---- */

static const struct {
    same_fn *same;
    say_fn *say;
    bool of_tls; /* it matters only where both speak TLS */
} parts[] = {
    {same_tls, say_tls, false},
    {same_handshake, say_handshake, true},
    {same_ca, say_ca, true},
    {same_names, say_names, true},
    {same_identity, say_identity, true},
    {same_sni, say_sni, true},
};

static size_t first_part(const struct two *t)
{
    const bool tls = t->asked->tls && t->other->tls;
    size_t i = 0;

    while (i < XDS_ARRAY_LEN(parts) && ((parts[i].of_tls && !tls) || parts[i].same(t)))
        i++;
    return i;
}

/* Has the client that was asked a connection like it, or none to its cluster? Otherwise
 * *out has the first that is not alike. */
static bool is_alike(const struct xds_decision_pick *asked,
                     const struct xds_security *other, struct two *out)
{
    out->other = NULL;
    for (size_t i = 0; i < asked->n_security; i++) {
        const struct two two = {&asked->security[i], other};

        if (!xds_slice_eq(two.asked->cluster, other->cluster))
            continue;
        if (first_part(&two) == XDS_ARRAY_LEN(parts))
            return true;
        if (!out->other)
            *out = two;
    }
    return !out->other;
}

/* Connections to one cluster that are not alike; false: there are none. Clients that
 * choose other hosts differ by that. */
static bool find_two(const struct xds_pair *p, struct two *out)
{
    const struct xds_decision_pick *other = &p->other->pick;

    for (size_t i = 0; i < other->n_security; i++)
        if (!is_alike(&p->asked->pick, &other->security[i], out))
            return true;
    return false;
}

bool xds_security_differs(const struct xds_pair *pair)
{
    struct two two;

    return find_two(pair, &two);
}

struct xds_slice xds_security_difference(const struct xds_pair *pair)
{
    struct two *two = XDS_NEW(pair->scratch, struct two);

    return find_two(pair, two) ? parts[first_part(two)].say(two, pair->scratch)
                               : (struct xds_slice){NULL, 0};
}

struct xds_slice xds_security_reason(const struct xds_pair *pair)
{
    static const char unread[] =
        "does not read sni, auto_host_sni and auto_sni_san_validation";
    const struct xds_slice none = {NULL, 0};
    struct two two;

    if (!find_two(pair, &two))
        return none;
    if (!same_handshake(&two) && !two.other->handshake->accepted)
        return two.other->handshake->reason;
    if (two.other->sni_unread == two.asked->sni_unread ||
        (same_names(&two) && same_sni(&two)))
        return none;
    return xds_arena_printf(
        pair->scratch, "%s %s",
        two.other->sni_unread ? "it"
                              : xds_asked_label(pair->options, pair->asked->client).text,
        unread);
}
