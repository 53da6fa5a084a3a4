/*
 * certificates.h - the certificates that explain is given in files.
 */
#ifndef XDS_CLI_EXPLAIN_CERTIFICATES_H
#define XDS_CLI_EXPLAIN_CERTIFICATES_H

#include "cli/live/certificate.h"
#include "cli/options/options.h"

struct certificate_settings {
    const char *server, *peer; /* --server-cert, --peer-cert; or NULL */
};

/* They live as long as the answers. */
struct certificates {
    struct live_certificate server, peer;
    bool has_server, has_peer;
};

/* ca: a file, or NULL. EXIT_CLEAN, or the exit code after a message. Release it in any
 * case. */
int certificates_read(struct certificates *out, const struct command *command,
                      const struct certificate_settings *settings, const char *ca);
void certificates_release(struct certificates *certificates);

#endif
