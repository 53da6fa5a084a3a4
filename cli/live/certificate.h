/*
 * certificate.h - a certificate out of a file, as OpenSSL reads and judges it.
 *
 * Takes:  a file in PEM: the certificate first, then those of its chain. A private key in
 *         it is neither read nor shown.
 * Gives:  its names, and in a clause why a peer refuses it whatever names it asks for.
 */
#ifndef XDS_CLI_LIVE_CERTIFICATE_H
#define XDS_CLI_LIVE_CERTIFICATE_H

#include "cli/live/live.h"

/* Its texts are in `text`. */
struct live_certificate {
    struct xds_certificate names;
    struct xds_san *sans;
    char *text;
    size_t text_len;
    char fault[300]; /* that names.fault has; "": none */
};

struct live_certificate_file {
    const char *option; /* for messages: "--server-cert" */
    const char *path;
    const char *ca; /* a file in PEM with the authorities that the peer trusts; NULL: its
                       chain counts as trusted */
    bool of_server; /* what the key may be used for */
};

/* LIVE_OK; LIVE_FAILED: a file cannot be used, *error says why. Free it in any case. */
enum live_status live_certificate_read(const struct live_certificate_file *file,
                                       struct live_certificate *out,
                                       struct live_error *error);
void live_certificate_free(struct live_certificate *certificate);

#endif
