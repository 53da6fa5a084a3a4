/* served_json.c - what a server does to an RPC, as the JSON of `explain --server`. */
#include "print/decision/decision.h"
#include "print/decision/served.h"
#include "print/findings/findings.h"
#include "print/write/json.h"

static void write_request(struct xds_out *out, const struct xds_served *d)
{
    const struct xds_inbound *in = d->inbound;

    xds_json_key_object(xds_json_line(out), "request");
    xds_json_members(out, "server: %.*s, local: %.*s, peer: %.*s, server_name: %.*s",
                     XDS_FMT_OR_NULL(in->server), XDS_FMT_OR_NULL(in->local),
                     XDS_FMT_OR_NULL(in->peer), XDS_FMT_OR_NULL(in->server_name));
    xds_json_key_bool_or_null(out, "tls", in->way != XDS_WAY_AS_ASKED,
                              in->way == XDS_WAY_TLS);
    xds_json_key_array(out, "peer_san");
    for (size_t i = 0; in->certificate && i < in->certificate->n_sans; i++)
        xds_json_object(out, "type: %s, value: %.*s",
                        xds_san_kind_name(in->certificate->sans[i].kind),
                        XDS_FMT(in->certificate->sans[i].value));
    xds_json_end_array(out);
    xds_json_key_string_or_null(out, "peer_subject",
                                in->certificate ? in->certificate->subject
                                                : xds_slice_make(NULL, 0));
    xds_json_key_string_or_null(out, "authority", d->authority);
    xds_json_key_string_or_null(out, "path", in->rpc.path);
    xds_json_headers(out, &in->rpc);
    xds_json_end_object(out);
}

static void write_outcome(struct xds_out *out, const struct xds_served *d)
{
    xds_json_key_text(xds_json_line(out), "server", d->as.text);
    xds_json_key_text(xds_json_line(out), "outcome", xds_served_name(d->outcome));
    if (xds_json_object_or_null(xds_json_line(out), "status", d->code.data)) {
        xds_json_key_string(out, "code", d->code);
        xds_json_key_string_or_null(out, "message",
                                    d->is_status ? d->error : xds_slice_make(NULL, 0));
        xds_json_key_text(out, "failure", d->reason ? d->reason->slug : NULL);
        xds_json_end_object(out);
    }
    xds_json_key_string_or_null(xds_json_line(out), "reason",
                                d->is_status ? xds_slice_make(NULL, 0) : d->error);
    xds_json_key_string_or_null(xds_json_line(out), "policy", d->policy);
}

static void write_chain(struct xds_out *out, const char *key,
                        const struct xds_filter_chain *chain, size_t index)
{
    if (!xds_json_object_or_null(xds_json_line(out), key, chain))
        return;
    xds_json_key_u64_or_null(out, "index", index != XDS_DEFAULT_CHAIN, index);
    xds_json_key_string_or_null(out, "name", chain->name);
    xds_json_end_object(out);
}

static void write_chains(struct xds_out *out, const struct xds_served *d)
{
    static const char *const fates[] = {
        [XDS_CHAIN_CHOSEN] = NULL,
        [XDS_CHAIN_DROPPED] = "dropped",
        [XDS_CHAIN_DESTINATION] = "prefix_ranges",
        [XDS_CHAIN_SOURCE_TYPE] = "source_type",
        [XDS_CHAIN_SOURCE] = "source_prefix_ranges",
        [XDS_CHAIN_SOURCE_PORT] = "source_ports",
    };
    xds_json_key_array(xds_json_line(out), "filter_chains");
    for (size_t i = 0; i < d->chains.n_tries; i++) {
        const struct xds_chain_try *try = &d->chains.tries[i];

        xds_json_begin_row(out);
        xds_json_members(out, "index: %zu, name: %.*s, matched: %d, failed: %s",
                         try->index, XDS_FMT(try->chain->name),
                         try->fate == XDS_CHAIN_CHOSEN, fates[try->fate]);
        xds_json_key_string_or_null(out, "reason", try->reason);
        xds_json_end_object(out);
    }
    xds_json_end_array(out);
    write_chain(out, "filter_chain", d->chains.chain, d->chains.index);
}

static void write_security(struct xds_out *out, const struct xds_served *d)
{
    const struct xds_tls_context *tls = d->chains.chain ? d->chains.chain->tls : NULL;

    if (!xds_json_object_or_null(xds_json_line(out), "security", d->security.data))
        return;
    xds_json_key_bool(out, "tls", tls != NULL);
    xds_json_key_string_or_null(out, "identity",
                                tls ? tls->identity : xds_slice_make(NULL, 0));
    xds_json_key_string_or_null(out, "ca", tls ? tls->ca : xds_slice_make(NULL, 0));
    xds_json_key_bool(out, "require_client_certificate",
                      tls && tls->require_client_certificate);
    xds_json_key_bool(out, "certificate_seen", d->connection.certificate != NULL);
    xds_json_end_object(out);
}

static void write_filters(struct xds_out *out, const struct xds_served *d)
{
    xds_json_key_array(xds_json_line(out), "filters");
    for (size_t i = 0; i < d->n_filters; i++) {
        const struct xds_served_filter *f = &d->filters[i];

        xds_json_begin_row(out);
        xds_json_members(out,
                         "name: %.*s, type: %.*s, from: %s, reached: %d, unknown: %d",
                         XDS_FMT(f->use.filter->name), XDS_FMT(f->use.filter->type),
                         xds_config_level_name(f->use.from), f->reached, f->unknown);
        xds_json_key_string_or_null(out, "result", f->result);
        xds_json_rbac(out, f->rbac);
        xds_json_end_object(out);
    }
    xds_json_end_array(out);
}

/* Only where it was asked. */
static void write_why_not(struct xds_out *out, const struct xds_served *d)
{
    if (d->n_why_not == 0)
        return;
    xds_json_key_object(xds_json_line(out), "why_not");
    xds_json_key_string(out, "policy", d->inbound->rpc.why_not);
    xds_json_key_array(out, "reasons");
    for (size_t i = 0; i < d->n_why_not; i++)
        xds_json_string(out, d->why_not[i]);
    xds_json_end_array(out);
    xds_json_end_object(out);
}

void xds_json_served(struct xds_out *out, const struct xds_served *d)
{
    const struct xds_decision approach = xds_served_approach(d);

    xds_json_begin_document(out);
    write_request(out, d);
    write_outcome(out, d);
    if (xds_json_object_or_null(xds_json_line(out), "listener", d->listener)) {
        xds_json_members(out, "name: %.*s, by: %s", XDS_FMT(d->listener_name),
                         xds_listener_by_name(d->listener_by));
        xds_json_end_object(out);
    }
    write_chains(out, d);
    write_security(out, d);
    if (xds_json_object_or_null(xds_json_line(out), "route_config", d->manager)) {
        xds_json_key_string_or_null(out, "name", d->route_config_name);
        xds_json_key_bool(out, "rds", d->manager->rds_name.data != NULL);
        xds_json_key_bool(out, "in_use", d->route_config != NULL);
        xds_json_end_object(out);
    }
    xds_json_virtual_host(out, &approach);
    xds_json_routes(out, &approach);
    write_filters(out, d);
    write_why_not(out, d);
    xds_json_key_array(xds_json_line(out), "notes");
    for (size_t i = 0; i < d->n_notes; i++)
        xds_json_string(out, d->notes[i]);
    xds_json_end_array(out);
    xds_json_end_object(out);
}

enum xds_status xds_print_served_json(const struct xds_printer *to,
                                      const struct xds_served *d)
{
    struct xds_out out;

    xds_out_init(&out, to);
    xds_json_served(&out, d);
    xds_out_char(&out, '\n');
    return xds_out_finish(&out);
}
