/*
 * bootstrap.h - what a client does with its bootstrap: why it refuses one, and how it
 * reaches a server of it.
 *
 * Source: libvalidate/generate/bootstrap.def; gRFC A27, A29, A65, A97.
 */
#ifndef XDSCOPE_BOOTSTRAP_H
#define XDSCOPE_BOOTSTRAP_H

#include "document.h"

struct xds_bootstrap_fault {
    struct xds_slice path;  /* "xds_servers[0].channel_creds"; empty: the whole of it */
    struct xds_slice words; /* what the client says */
    uint32_t line, column;  /* in its text, from 1 */
};

/* Why a client does not start with a bootstrap: *n faults, none if it does, in the memory
 * of the bootstrap. Clients whose bootstraps were not looked at have none. A text that is
 * not JSON has none either, see xds_parsed_fault(). */
XDS_API XDS_MUST_USE enum xds_status
xds_bootstrap_check(struct xds_parsed *bootstrap, struct xds_client_release who,
                    const struct xds_options *options,
                    const struct xds_bootstrap_fault **faults, size_t *n);

/* The same, and what is odd, for all clients that were asked about: findings go to the
 * check's report. A bootstrap without findings leaves no trace in it, nor does one that
 * the check has read as an input of that name. Before xds_check_finish(). */
XDS_API XDS_MUST_USE enum xds_status
xds_check_bootstrap(struct xds_check *check, const char *name,
                    const struct xds_parsed *bootstrap);

/* Types of channel_creds that xdscope has. */
enum xds_channel_creds { XDS_CREDS_NONE, XDS_CREDS_INSECURE, XDS_CREDS_TLS };

/* Why a client does not read call_creds that are there. */
enum xds_call_creds {
    XDS_CALL_CREDS_NONE, /* there are none that it knows */
    XDS_CALL_CREDS_READ,
    XDS_CALL_CREDS_OFF,   /* its variable GRPC_EXPERIMENTAL_XDS_BOOTSTRAP_CALL_CREDS is */
    XDS_CALL_CREDS_NEVER, /* it has no such variable */
};

/* What a client does with a SPIFFE trust map of channel_creds. */
enum xds_trust_map {
    XDS_TRUST_MAP_READ,
    XDS_TRUST_MAP_OFF,   /* its variable GRPC_EXPERIMENTAL_XDS_MTLS_SPIFFE is */
    XDS_TRUST_MAP_NEVER, /* it reads none there, whatever is set */
};

/* How a client reaches a server. Texts end with NUL and are those of the bootstrap, or
 * NULL. */
struct xds_server_access {
    const char *type;            /* of channel_creds that the client takes; NULL: none */
    enum xds_channel_creds have; /* the first from there on that xdscope has */
    const char *ca, *cert, *key; /* of "tls": files in PEM, as far as the client reads */
    const char *spiffe;          /* its spiffe_trust_bundle_map_file */
    enum xds_trust_map trust_map;
    bool ignores_config; /* the client does not read the files that are named */
    enum xds_call_creds call_creds;
    const char *token_file;  /* READ: the last jwt_token_file */
    const char *uri_refused; /* what the client says of the scheme of server_uri */
    unsigned plain_port;     /* of a server_uri without one, without TLS; else 443 */
    bool common_name;        /* it takes a name from the common name of a certificate */
    bool unix_name_is_path;  /* a unix socket's certificate has its percent-encoded path,
                                and not localhost */
};

/* server: an element of xds_servers, as xds_ads_server() has it, or NULL. */
XDS_API void xds_server_access(const struct xds_tree *server,
                               struct xds_client_release who,
                               const struct xds_options *options,
                               struct xds_server_access *out);

/* One line; it ends with NUL. */
struct xds_token_note {
    char text[400];
};

/* What a client sends of the text of a token file as "authorization: Bearer ...", at a
 * time in seconds since 1970. XDS_ERR_USAGE: it fails the call with the status and the
 * text of *note, which never has the token. XDS_OK with a text: what is odd about what
 * it sends. *token is part of the text. */
XDS_API XDS_MUST_USE enum xds_status
xds_call_token(struct xds_client_release who, const char *path, struct xds_slice text,
               int64_t now, struct xds_slice *token, struct xds_token_note *note);
/* The same of a file that cannot be read: why. */
XDS_API void xds_call_token_unreadable(struct xds_client_release who, const char *path,
                                       const char *why, struct xds_token_note *note);
/* What a client says instead of sending a token without TLS. */
XDS_API const char *xds_call_token_insecure(struct xds_client_release who);

#endif
