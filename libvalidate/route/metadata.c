/*
 * metadata.c - look a header up as gRPC's routing code sees it.
 *
 * Source: gRFC A28, spec routing 2.4.
 */
#include "route/route.h"

#include "base/ascii.h"
#include "base/text.h"

static bool same_name(struct xds_slice sent, struct xds_slice wanted, bool fold)
{
    if (sent.len != wanted.len)
        return false;
    for (size_t i = 0; i < sent.len; i++) {
        const char want = fold ? xds_ascii_lower(wanted.data[i]) : wanted.data[i];
        if (xds_ascii_lower(sent.data[i]) != want)
            return false;
    }
    return true;
}

/* All values, with a comma between them. */
static bool joined_value(const struct xds_rpc *rpc, struct xds_slice name, bool fold,
                         struct xds_slice *value)
{
    struct xds_text all = {.arena = rpc->arena};
    size_t found = 0;

    for (size_t i = 0; i < rpc->request->n_headers; i++) {
        const struct xds_header *h = &rpc->request->headers[i];
        if (!same_name(h->name, name, fold))
            continue;
        if (found++ == 0) {
            *value = h->value;
            continue;
        }
        if (found == 2)
            xds_text_add(&all, *value);
        xds_text_add(&all, XDS_S(","));
        xds_text_add(&all, h->value);
    }
    if (found > 1)
        *value = xds_slice_make(all.data, all.len);
    return found > 0;
}

static bool is_pseudo(struct xds_slice name)
{
    return name.len > 0 && name.data[0] == ':';
}

static bool is_binary(struct xds_slice name)
{
    return xds_slice_ends(name, XDS_S("-bin"));
}

static bool is_hidden_binary(const struct xds_rpc *rpc, struct xds_slice name)
{
    return is_binary(name) && !xds_reads(rpc, XDS_READS_HEADER_BINARY);
}

static bool is_te(struct xds_slice name)
{
    return xds_slice_is(name, "te");
}

static bool is_dropped(const struct xds_rpc *rpc, struct xds_slice name)
{
    return is_te(name) && xds_reads(rpc, XDS_READS_HEADER_TE_DROPPED);
}

static bool has_capital(struct xds_slice name)
{
    for (size_t i = 0; i < name.len; i++)
        if (name.data[i] != xds_ascii_lower(name.data[i]))
            return true;
    return false;
}

bool xds_metadata_is_plain(struct xds_slice name)
{
    return name.len > 0 && !is_pseudo(name) && !has_capital(name) && !is_te(name) &&
           !is_binary(name) && !xds_slice_is(name, "content-type");
}

const char *xds_metadata_hidden(const struct xds_rpc *rpc, struct xds_slice name)
{
    if (xds_slice_is(name, ":authority") &&
        xds_reads(rpc, XDS_READS_HEADER_AUTHORITY_AS_HOST))
        return "matchers see it only where the application sends a host header";
    if (is_pseudo(name))
        return "no matcher sees a pseudo header";
    if (is_dropped(rpc, name))
        return "the te of the application is dropped";
    if (is_hidden_binary(rpc, name))
        return "no matcher sees a header whose name ends in -bin";
    return has_capital(name) && !xds_reads(rpc, XDS_READS_HEADER_NAME_CASE)
               ? "header names are sent in lower case and this one has capitals"
               : NULL;
}

static bool get(const struct xds_rpc *rpc, struct xds_slice name, bool fold,
                struct xds_slice *value)
{
    if (is_pseudo(name)) {
        /* Of the pseudo headers core has these two beside the application's. */
        if (xds_slice_is(name, ":path") && xds_reads(rpc, XDS_READS_HEADER_PATH)) {
            *value = rpc->request->path;
            return true;
        }
        return xds_slice_is(name, ":authority") &&
               xds_reads(rpc, XDS_READS_HEADER_AUTHORITY_AS_HOST) &&
               joined_value(rpc, XDS_S("host"), false, value);
    }
    if (name.len == 0 || is_hidden_binary(rpc, name) || is_dropped(rpc, name))
        return false;
    if (!same_name(XDS_S("content-type"), name,
                   fold && !xds_reads(rpc, XDS_READS_HEADER_CONSTANT_CASE)) ||
        xds_reads(rpc, XDS_READS_CONTENT_TYPE_AS_SENT))
        return joined_value(rpc, name, fold, value);
    *value = XDS_S("application/grpc");
    return true;
}

/* What servers keep to themselves. */
static bool is_of_transport(const struct xds_rpc *rpc, struct xds_slice name)
{
    if (is_te(name))
        return !XDS_DIFFERS(rpc, XDS_DIFF_SERVER_SCHEME_SEEN);
    if (xds_slice_is(name, "grpc-accept-encoding"))
        return XDS_DIFFERS(rpc, XDS_DIFF_SERVER_ACCEPT_ENCODING_HIDDEN);
    return (xds_slice_is(name, "grpc-timeout") || xds_slice_is(name, "grpc-encoding")) &&
           XDS_DIFFERS(rpc, XDS_DIFF_SERVER_TIMEOUT_HIDDEN);
}

static bool get_pseudo_at_server(const struct xds_rpc *rpc, struct xds_slice name,
                                 struct xds_slice *value)
{
    const bool all = XDS_DIFFERS(rpc, XDS_DIFF_SERVER_PSEUDO_SEEN);
    const bool late = XDS_DIFFERS(rpc, XDS_DIFF_SERVER_SCHEME_SEEN);

    *value = rpc->request->authority;
    if (xds_slice_is(name, ":authority"))
        return all || XDS_DIFFERS(rpc, XDS_DIFF_SERVER_AUTHORITY_SEEN);
    if (xds_slice_is(name, "host"))
        return late;
    *value = rpc->is_tls ? XDS_S("https") : XDS_S("http");
    if (xds_slice_is(name, ":scheme"))
        return late;
    *value = xds_slice_is(name, ":path") ? rpc->request->path : XDS_S("POST");
    return all && (xds_slice_is(name, ":path") || xds_slice_is(name, ":method"));
}

/* Source: runs of the servers, spec routing 2.4. */
static bool get_at_server(const struct xds_rpc *rpc, struct xds_slice name, bool fold,
                          struct xds_slice *value)
{
    if (is_pseudo(name) || xds_slice_is(name, "host"))
        return get_pseudo_at_server(rpc, name, value);
    if (name.len == 0 || is_hidden_binary(rpc, name) || is_of_transport(rpc, name))
        return false;
    if (joined_value(rpc, name, fold, value) ||
        !same_name(XDS_S("content-type"), name, fold))
        return value->data != NULL;
    *value = XDS_S("application/grpc");
    return true;
}

bool xds_metadata_get(const struct xds_rpc *rpc, struct xds_slice name,
                      struct xds_slice *value)
{
    if (rpc->at_server) {
        *value = (struct xds_slice){NULL, 0};
        return get_at_server(rpc, name, xds_reads(rpc, XDS_READS_HEADER_NAME_CASE),
                             value);
    }
    return get(rpc, name, xds_reads(rpc, XDS_READS_HEADER_NAME_CASE), value);
}

bool xds_metadata_get_hashed(const struct xds_rpc *rpc, struct xds_slice name,
                             struct xds_slice *value)
{
    return !is_binary(name) &&
           get(rpc, name, xds_reads(rpc, XDS_READS_HASH_NAME_CASE), value);
}

bool xds_metadata_nth(const struct xds_rpc *rpc, struct xds_slice name, size_t i,
                      struct xds_slice *value)
{
    for (size_t k = 0; k < rpc->request->n_headers; k++) {
        const struct xds_header *h = &rpc->request->headers[k];
        if (!same_name(h->name, name, true) || i-- > 0)
            continue;
        *value = h->value;
        return true;
    }
    return false;
}
