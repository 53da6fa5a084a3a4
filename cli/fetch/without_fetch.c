/* without_fetch.c - in place of the network, for a program built without one. */
#include "cli/fetch/fetch.h"
#include "cli/live/certificate.h"

#include <stdio.h>

static int refuse(const struct fetch *f)
{
    const char *address = f->request->address;
    struct peer peer;
    int status = peer_read(&peer, f->command, &f->settings->peer,
                           address ? address : "localhost:1");

    if (status == EXIT_CLEAN)
        status = usage_error(
            f->command, "%s: this program was built without a network (WITHOUT_FETCH=1)",
            address ? address : "bootstrap");
    peer_release(&peer);
    return status;
}

int fetch_csds(struct fetch *f, struct xds_slice *out)
{
    (void)out;
    return refuse(f);
}

int fetch_ads(struct fetch *f, struct xds_slice *out)
{
    (void)out;
    return refuse(f);
}

enum live_status live_certificate_read(const struct live_certificate_file *file,
                                       struct live_certificate *out,
                                       struct live_error *error)
{
    *out = (struct live_certificate){.text = NULL};
    (void)snprintf(error->text, sizeof error->text,
                   "%s: this program was built without a network (WITHOUT_FETCH=1)",
                   file->option);
    return LIVE_FAILED;
}

void live_certificate_free(struct live_certificate *certificate)
{
    (void)certificate;
}
