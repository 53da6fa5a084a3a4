/*
 * security.c - the TLS context of a cluster as a client at its release reads it, and what
 * becomes of a handshake.
 *
 * Source: gRFC A29, A82, A101, spec cluster 1.14 to 1.16.
 */
#include "security/security.h"

/* ---- what the client reads ---- */

static bool is_missing(const struct xds_rpc *rpc, struct xds_slice name)
{
    const struct xds_bootstrap_options *bootstrap = &rpc->options->bootstrap;

    if (!name.data || !bootstrap->is_set)
        return false;
    for (size_t i = 0; i < bootstrap->n_provider_instances; i++)
        if (xds_slice_eq(name, bootstrap->provider_instances[i]))
            return false;
    return true;
}

static void read_providers(const struct xds_rpc *rpc, struct xds_security *out)
{
    const struct xds_tls_context *tls = out->tls;
    const uint64_t self = XDS_CLIENT_BIT(rpc->client);
    const struct xds_slice none = {NULL, 0};

    if (tls->fallen_back & self)
        out->providers = tls->fallen;
    else
        out->providers = (struct xds_tls_providers){
            .identity = tls->with_identity & self ? tls->identity : none,
            .ca = tls->with_ca & self ? tls->ca : none,
        };
    out->system_roots = !out->providers.ca.data && tls->system_roots;
    out->identity_missing = is_missing(rpc, out->providers.identity);
    out->ca_missing = is_missing(rpc, out->providers.ca);
}

/* The name of LOGICAL_DNS, or that of the endpoint, without a port. */
static struct xds_slice hostname_of(const struct xds_cluster *leaf,
                                    const struct xds_endpoint *endpoint)
{
    const struct xds_slice none = {NULL, 0};
    const struct xds_slice of_endpoint = endpoint ? endpoint->hostname : none;
    struct xds_slice name =
        leaf->kind == XDS_CLUSTER_LOGICAL_DNS ? leaf->dns_name : of_endpoint;

    name.len = xds_slice_find(name, ':');
    return name;
}

static void read_sni(const struct xds_rpc *rpc, const struct xds_cluster *leaf,
                     const struct xds_endpoint *endpoint, struct xds_security *out)
{
    const struct xds_tls_context *tls = out->tls;
    const bool reads = XDS_ENV_ON(rpc, XDS_ENV_SNI);
    const struct xds_slice hostname = reads && tls->auto_host_sni
                                          ? hostname_of(leaf, endpoint)
                                          : xds_slice_make(NULL, 0);

    out->sni_unread =
        !reads && (tls->sni.data || tls->auto_host_sni || tls->auto_sni_san_validation);
    if (hostname.len > 0) {
        out->sni_from = XDS_SNI_HOSTNAME;
        out->sni = hostname;
    } else if (reads && tls->sni.data) {
        out->sni_from = XDS_SNI_FIELD;
        out->sni = tls->sni;
    } else if (XDS_DIFFERS(rpc, XDS_DIFF_SNI_OF_CHANNEL) ||
               XDS_ENV_ON(rpc, XDS_ENV_USE_CHANNEL_AUTHORITY_IF_NO_SNI)) {
        out->sni_from = XDS_SNI_AUTHORITY;
    }
    if (xds_slice_find(out->sni, '.') == out->sni.len &&
        XDS_DIFFERS(rpc, XDS_DIFF_SNI_NEEDS_DOT)) {
        out->sni_from = XDS_SNI_NONE;
        out->sni = xds_slice_make(NULL, 0);
    }
    out->by_sni = reads && tls->auto_sni_san_validation &&
                  (out->sni.data || XDS_DIFFERS(rpc, XDS_DIFF_SAN_OF_NO_SNI));
}

void xds_security_read(const struct xds_rpc *rpc, const struct xds_cluster *leaf,
                       const struct xds_endpoint *endpoint, struct xds_security *out)
{
    *out = (struct xds_security){.cluster = leaf->name, .has_socket = leaf->has_socket};
    if (!leaf->tls || (leaf->tls_dropped & XDS_CLIENT_BIT(rpc->client)))
        return;
    out->tls = leaf->tls;
    read_providers(rpc, out);
    read_sni(rpc, leaf, endpoint, out);
}

/* ---- the handshake ---- */

static struct xds_slice names_of(const struct xds_rpc *rpc,
                                 const struct xds_certificate *certificate)
{
    struct xds_text text = {.arena = rpc->arena};

    for (size_t i = 0; i < certificate->n_sans; i++) {
        const struct xds_san *san = &certificate->sans[i];

        xds_text_add(&text, i > 0 ? XDS_S(", ") : XDS_S(""));
        xds_text_add(&text, xds_slice_of(xds_san_kind_name(san->kind)));
        xds_text_add(&text, XDS_S(":"));
        xds_text_add(&text, san->value);
    }
    return certificate->n_sans > 0 ? xds_slice_make(text.data, text.len)
                                   : XDS_S("it has none");
}

static void refuse(const struct xds_rpc *rpc, struct xds_handshake *h, const char *why,
                   const struct xds_certificate *certificate)
{
    h->reason = xds_arena_printf(rpc->arena, "%s (%.*s)", why,
                                 XDS_FMT(names_of(rpc, certificate)));
}

static const struct xds_san *first_match(const struct xds_rpc *rpc,
                                         const struct xds_san_matcher *matcher,
                                         const struct xds_certificate *certificate,
                                         unsigned kinds)
{
    for (size_t i = 0; i < certificate->n_sans; i++)
        if ((kinds >> certificate->sans[i].kind & 1U) &&
            xds_san_matches(rpc, matcher, &certificate->sans[i]))
            return &certificate->sans[i];
    return NULL;
}

#define ANY_KIND (~0U)

static void compare_sni(const struct xds_rpc *rpc, const struct xds_security *security,
                        const struct xds_certificate *certificate,
                        struct xds_handshake *h)
{
    const struct xds_san_matcher exact = {
        .string = {.kind = XDS_MATCH_EXACT, .text = security->sni}, .has_pattern = true};
    const struct xds_san *san = first_match(
        rpc, &exact, certificate,
        XDS_DIFFERS(rpc, XDS_DIFF_SAN_OF_SNI_ANY_KIND) ? ANY_KIND : 1U << XDS_SAN_DNS);

    h->accepted = san != NULL;
    if (!security->sni.data)
        refuse(rpc, h,
               "auto_sni_san_validation asks for the name that was sent as SNI, "
               "and none was",
               certificate);
    else if (san)
        h->reason = xds_arena_printf(rpc->arena, "SAN %s:%.*s is the SNI",
                                     xds_san_kind_name(san->kind),
                                     XDS_FMT(xds_slice_clip(san->value, 200)));
    else
        refuse(rpc, h, "no SAN of the certificate is the SNI", certificate);
}

static void match_any(const struct xds_rpc *rpc, const struct xds_tls_context *tls,
                      const struct xds_certificate *certificate, struct xds_handshake *h)
{
    struct xds_san_try *tries =
        XDS_NEW_ARRAY(rpc->arena, struct xds_san_try, tls->n_sans);

    h->tries = tries;
    for (size_t i = 0; i < tls->n_sans && !h->accepted; i++) {
        tries[i] = (struct xds_san_try){
            i, first_match(rpc, &tls->sans[i], certificate, ANY_KIND)};
        h->n_tries = i + 1;
        h->accepted = tries[i].san != NULL;
        if (h->accepted)
            h->reason = xds_arena_printf(
                rpc->arena, "SAN %s:%.*s matches match_subject_alt_names[%zu], %s %.*s",
                xds_san_kind_name(tries[i].san->kind),
                XDS_FMT(xds_slice_clip(tries[i].san->value, 200)), i,
                xds_san_matcher_field(&tls->sans[i]),
                XDS_FMT(xds_excerpt(rpc->arena, tls->sans[i].string.text)));
    }
}

static bool is_broken(const struct xds_san_matcher *matcher)
{
    return matcher->has_pattern && matcher->string.kind == XDS_MATCH_REGEX &&
           !matcher->string.regex;
}

/* An exception ends the handshake at the first regex that does not compile; before that,
 * the first name that the client sees may match. */
static void compare_up_to(const struct xds_rpc *rpc, const struct xds_tls_context *tls,
                          const struct xds_certificate *certificate, size_t broken,
                          struct xds_handshake *h)
{
    const bool no_email = XDS_DIFFERS(rpc, XDS_DIFF_SAN_EMAIL_UNSEEN);
    size_t first = 0;

    while (first < certificate->n_sans && no_email &&
           certificate->sans[first].kind == XDS_SAN_EMAIL)
        first++;
    if (first == certificate->n_sans)
        return;
    const struct xds_certificate seen = {.sans = &certificate->sans[first], .n_sans = 1};
    struct xds_tls_context before = *tls;

    before.n_sans = broken;
    match_any(rpc, &before, &seen, h);
    if (!h->accepted)
        h->reason = xds_arena_printf(
            rpc->arena,
            "regex %.*s of match_subject_alt_names[%zu] does not compile, and an "
            "exception ends the handshake",
            XDS_FMT(xds_excerpt(rpc->arena, tls->sans[broken].string.text)), broken);
}

static void compare_matchers(const struct xds_rpc *rpc, const struct xds_tls_context *tls,
                             const struct xds_certificate *certificate,
                             struct xds_handshake *h)
{
    size_t broken = 0;

    while (broken < tls->n_sans && !is_broken(&tls->sans[broken]))
        broken++;
    if (broken < tls->n_sans && XDS_DIFFERS(rpc, XDS_DIFF_SAN_REGEX_THROWS))
        compare_up_to(rpc, tls, certificate, broken, h);
    else
        match_any(rpc, tls, certificate, h);
    if (!h->reason.data)
        refuse(rpc, h, "no SAN of the certificate matches match_subject_alt_names",
               certificate);
}

const struct xds_handshake *xds_handshake(const struct xds_rpc *rpc,
                                          const struct xds_security *security,
                                          const struct xds_certificate *certificate)
{
    struct xds_handshake *h = XDS_NEW(rpc->arena, struct xds_handshake);

    *h = (struct xds_handshake){.accepted = false};
    if (certificate->fault.data)
        h->reason = certificate->fault;
    else if (certificate->no_tls_usage && !XDS_DIFFERS(rpc, XDS_DIFF_KEY_USAGE_UNREAD))
        h->reason = XDS_S("the certificate: its key is not for TLS (key usage)");
    else if (security->by_sni)
        compare_sni(rpc, security, certificate, h);
    else if (certificate->n_sans == 0 && XDS_DIFFERS(rpc, XDS_DIFF_SAN_NEEDED))
        h->reason = XDS_S("this client wants a SAN in the certificate, whatever it is");
    else if (security->tls->n_sans > 0)
        compare_matchers(rpc, security->tls, certificate, h);
    else {
        h->accepted = true;
        h->reason = XDS_S("no name is asked for: the chain of the certificate is enough");
    }
    return h;
}
