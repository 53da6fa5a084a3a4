/* security.c - the security of connections, in a page and in JSON. */
#include "print/decision/decision.h"
#include "print/write/document.h"
#include "print/write/json.h"

/* Plaintext is the rule, and worth a line only where more is asked for. */
static bool worth_telling(const struct xds_out *out, const struct xds_decision *d,
                          const struct xds_security *s)
{
    return s->has_socket || out->to->verbose || d->request.server_certificate;
}

static bool any_worth_telling(const struct xds_out *out, const struct xds_decision *d)
{
    size_t i = 0;

    while (i < d->pick.n_security && !worth_telling(out, d, &d->pick.security[i]))
        i++;
    return i < d->pick.n_security;
}

static const char *sni_from_name(enum xds_sni_from from)
{
    static const char *const names[] = {
        [XDS_SNI_NONE] = NULL,
        [XDS_SNI_HOSTNAME] = "auto_host_sni",
        [XDS_SNI_FIELD] = "sni",
        [XDS_SNI_AUTHORITY] = "authority",
    };
    return names[from];
}

/* ---- text ---- */

static void print_plaintext(struct xds_out *out, const struct xds_security *s)
{
    xds_out_line(out,
                 "plaintext: %s; the fallback of XdsCredentials counts, taken for "
                 "plaintext here",
                 s->has_socket ? "this client finds no TLS in the transport_socket"
                               : "the cluster has no transport_socket");
}

static void print_provider(struct xds_out *out, struct xds_slice name, bool missing)
{
    xds_out_text(out, "provider instance ");
    xds_doc_quoted(out, name);
    xds_out_text(out, missing ? ", which the bootstrap lacks" : "");
}

static void print_tls(struct xds_out *out, const struct xds_security *s)
{
    xds_out_text(out, s->tls->by_proxy ? "TLS by a proxy" : "TLS");
    xds_out_text(out, " if the channel has XdsCredentials; CA: ");
    if (s->providers.ca.data)
        print_provider(out, s->providers.ca, s->ca_missing);
    else
        xds_out_text(out, s->system_roots ? "the system's" : "none");
    xds_out_text(out, "; own certificate: ");
    if (s->providers.identity.data)
        print_provider(out, s->providers.identity, s->identity_missing);
    else
        xds_out_text(out, "none");
    xds_out_char(out, '\n');
}

static void print_sni(struct xds_out *out, const struct xds_security *s)
{
    xds_page_title(out, NULL);
    xds_out_text(out, "SNI: ");
    if (s->sni.data) {
        xds_doc_quoted(out, s->sni);
        xds_out_format(out, ", by %s", sni_from_name(s->sni_from));
    } else
        xds_out_text(out, s->sni_from == XDS_SNI_AUTHORITY
                              ? "the authority of the channel"
                              : "none is sent");
    xds_out_line(out, "%s",
                 s->sni_unread ? "; this client does not read sni, auto_host_sni and "
                                 "auto_sni_san_validation"
                               : "");
}

static void print_matcher(struct xds_out *out, const struct xds_san_matcher *matcher)
{
    const char *field = xds_san_matcher_field(matcher);

    xds_out_text(out, field ? field : "a matcher without a pattern");
    if (!field)
        return;
    xds_out_char(out, ' ');
    xds_doc_quoted(out, matcher->string.text);
    xds_out_text(out, matcher->string.fold_case ? ", whatever the case" : "");
}

static void print_names(struct xds_out *out, const struct xds_security *s)
{
    xds_page_title(out, NULL);
    xds_out_text(out, "SAN of the server: ");
    if (s->by_sni)
        xds_out_text(out, "the SNI, by auto_sni_san_validation");
    else if (s->tls->n_sans == 0)
        xds_out_text(out, "any, no name is asked for");
    for (size_t i = 0; !s->by_sni && i < s->tls->n_sans; i++) {
        xds_out_text(out, i > 0 ? ", or " : "");
        print_matcher(out, &s->tls->sans[i]);
    }
    if (s->tls->ignored)
        xds_out_format(out, "; %s is not read", s->tls->ignored);
    xds_out_char(out, '\n');
}

static void print_handshake(struct xds_out *out, const struct xds_handshake *h)
{
    if (!h)
        return;
    xds_page_title(out, "handshake");
    xds_out_styled(out, h->accepted ? XDS_STYLE_GREEN : XDS_STYLE_RED,
                   h->accepted ? "succeeds" : "fails");
    xds_out_line(out, ": %.*s", XDS_FMT(h->reason));
}

void xds_print_security_text(struct xds_out *out, const struct xds_decision *d)
{
    for (size_t i = 0; any_worth_telling(out, d) && i < d->pick.n_security; i++) {
        const struct xds_security *s = &d->pick.security[i];

        xds_page_title(out, i == 0 ? "connection" : NULL);
        if (d->pick.n_security > 1) {
            xds_out_text(out, "of cluster ");
            xds_doc_quoted(out, s->cluster);
            xds_out_text(out, ": ");
        }
        if (!s->tls) {
            print_plaintext(out, s);
            continue;
        }
        print_tls(out, s);
        print_sni(out, s);
        print_names(out, s);
        print_handshake(out, s->handshake);
    }
}

/* ---- JSON ---- */

static void write_provider(struct xds_out *out, const char *key, struct xds_slice name,
                           bool missing)
{
    if (!xds_json_object_or_null(out, key, name.data))
        return;
    xds_json_members(out, "instance: %.*s, missing: %d", XDS_FMT(name), missing);
    xds_json_end_object(out);
}

static void write_matchers(struct xds_out *out, const struct xds_security *s)
{
    xds_json_key_array(out, "match_subject_alt_names");
    for (size_t i = 0; s->tls && i < s->tls->n_sans; i++) {
        const struct xds_san_matcher *m = &s->tls->sans[i];

        xds_json_object(out, "kind: %s, text: %.*s, ignore_case: %d",
                        xds_san_matcher_field(m), XDS_FMT_OR_NULL(m->string.text),
                        m->string.fold_case);
    }
    xds_json_end_array(out);
}

static void write_handshake(struct xds_out *out, const struct xds_handshake *h)
{
    if (!xds_json_object_or_null(out, "tls_handshake", h))
        return;
    xds_json_members(out, "accepted: %d, reason: %.*s", h->accepted, XDS_FMT(h->reason));
    xds_json_key_array(out, "tried");
    for (size_t i = 0; i < h->n_tries; i++) {
        const struct xds_san *san = h->tries[i].san;

        xds_json_object(out, "matcher: %zu, matched: %d, san: %.*s", h->tries[i].index,
                        san != NULL,
                        XDS_FMT_OR_NULL(san ? san->value : xds_slice_make(NULL, 0)));
    }
    xds_json_end_array(out);
    xds_json_end_object(out);
}

void xds_json_security(struct xds_out *out, const struct xds_decision *d)
{
    if (!any_worth_telling(out, d))
        return;
    xds_json_key_array(xds_json_line(out), "security");
    for (size_t i = 0; i < d->pick.n_security; i++) {
        const struct xds_security *s = &d->pick.security[i];

        xds_json_begin_row(out);
        xds_json_members(out, "cluster: %.*s, transport_socket: %d, tls: %d",
                         XDS_FMT(s->cluster), s->has_socket, s->tls != NULL);
        write_provider(out, "ca", s->providers.ca, s->ca_missing);
        xds_json_key_bool(out, "system_roots", s->system_roots);
        write_provider(out, "identity", s->providers.identity, s->identity_missing);
        xds_json_members(out, "sni: %.*s, sni_from: %s, sni_read: %d",
                         XDS_FMT_OR_NULL(s->sni), sni_from_name(s->sni_from),
                         !s->sni_unread);
        write_matchers(out, s);
        xds_json_key_bool(out, "san_is_sni", s->by_sni);
        xds_json_key_text(out, "ignored", s->tls ? s->tls->ignored : NULL);
        write_handshake(out, s->handshake);
        xds_json_end_object(out);
    }
    xds_json_end_array(out);
}
