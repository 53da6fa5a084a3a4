/* certificates.c - --server-cert and --peer-cert: files become names and faults. */
#include "cli/explain/certificates.h"

#include "cli/options/common.h"

static int read_one(const struct command *command,
                    const struct live_certificate_file *file,
                    struct live_certificate *out)
{
    struct live_error error;

    switch (live_certificate_read(file, out, &error)) {
    case LIVE_OK:
        return EXIT_CLEAN;
    case LIVE_FAILED:
        return trouble(command, "%s", error.text);
    case LIVE_NO_MEMORY:
    case LIVE_ENDED:
    case LIVE_TIMED_OUT:
    case LIVE_STOPPED:
        break;
    }
    return trouble(command, "out of memory");
}

int certificates_read(struct certificates *out, const struct command *command,
                      const struct certificate_settings *settings, const char *ca)
{
    int status = EXIT_CLEAN;

    *out = (struct certificates){.has_server = settings->server != NULL,
                                 .has_peer = settings->peer != NULL};
    if (out->has_server)
        status = read_one(
            command,
            &(struct live_certificate_file){"--server-cert", settings->server, ca, true},
            &out->server);
    if (status == EXIT_CLEAN && out->has_peer)
        status = read_one(
            command,
            &(struct live_certificate_file){"--peer-cert", settings->peer, ca, false},
            &out->peer);
    return status;
}

void certificates_release(struct certificates *certificates)
{
    live_certificate_free(&certificates->server);
    live_certificate_free(&certificates->peer);
}
