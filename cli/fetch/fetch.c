/* fetch.c - asking a live system for what --from, or the command fetch, names. */
#include "cli/fetch/fetch.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const fetch_kinds[] = {[FETCH_CSDS] = "csds", [FETCH_ADS] = "ads", NULL};

bool fetch_kind_of_name(const struct command *command, struct xds_slice name,
                        enum fetch_kind *kind)
{
    struct hint hint = hint_for(name.data, name.len);

    for (unsigned i = 0; i < FETCH_KINDS; i++) {
        if (is_text(name, fetch_kinds[i])) {
            *kind = (enum fetch_kind)i;
            return true;
        }
        hint_offer(&hint, fetch_kinds[i]);
    }
    (void)unknown_error(command, "service", name, hint.best, "use csds or ads");
    return false;
}

int fetch(const struct command *command, const struct peer_common *settings,
          const struct fetch_request *request, struct xds_slice *bytes)
{
    static int (*const asks[FETCH_KINDS])(struct fetch *, struct xds_slice *) = {
        [FETCH_CSDS] = fetch_csds,
        [FETCH_ADS] = fetch_ads,
    };
    struct fetch f = {
        .command = command,
        .settings = settings,
        .request = request,
        .is_terminal = !settings->common.quiet && isatty(STDERR_FILENO) == 1,
    };

    *bytes = (struct xds_slice){NULL, 0};
    const int status = asks[request->kind](&f, bytes);

    if (status > EXIT_FINDINGS) {
        free((void *)(uintptr_t)bytes->data);
        *bytes = (struct xds_slice){NULL, 0};
    }
    return status;
}

int fetch_from(const struct command *command, const struct peer_common *settings,
               struct fetch_request request, struct xds_slice *bytes)
{
    const char *colon = strstr(settings->from, "://");

    *bytes = (struct xds_slice){NULL, 0};
    if (!colon)
        return usage_error(command,
                           "--from: '%s' is not csds://HOST:PORT or ads://HOST:PORT",
                           settings->from);
    const struct xds_slice name = {settings->from, (size_t)(colon - settings->from)};

    if (!fetch_kind_of_name(command, name, &request.kind))
        return EXIT_USAGE;
    request.address = colon[3] == '\0' && request.bootstrap ? NULL : colon + 3;
    return fetch(command, settings, &request, bytes);
}
