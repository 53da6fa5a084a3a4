/*
 * bootstrap.c - the gRPC bootstrap of an option: read, and refused as its client does.
 *
 * Fails:  with a line for each fault, which has its place.
 */
#include "cli/files/bootstrap.h"

enum { MOST_FAULTS = 20 };

int bootstrap_is_json(const struct command *command, const char *name,
                      const struct xds_parsed *bootstrap)
{
    struct xds_place at;
    const struct xds_slice fault = xds_parsed_fault(bootstrap, &at);

    if (!fault.data)
        return EXIT_CLEAN;
    return usage_error(command, "%s:%u:%u: bootstrap: %.*s", name, at.line, at.column,
                       (int)fault.len, fault.data);
}

static void tell(const struct command *command, const char *name, const char *client,
                 const struct xds_bootstrap_fault *fault)
{
    warning(command, "%s:%u:%u: %s refuses this bootstrap: %.*s%s%.*s", name, fault->line,
            fault->column, client, (int)fault->path.len,
            fault->path.len > 0 ? fault->path.data : "", fault->path.len > 0 ? ": " : "",
            (int)fault->words.len, fault->words.data);
}

int bootstrap_check(const struct command *command, const char *name,
                    struct xds_parsed *bootstrap, struct xds_client_release who,
                    const struct xds_options *options)
{
    const struct xds_bootstrap_fault *faults;
    const struct xds_client_label label = xds_client_label(who);
    size_t n;

    if (xds_bootstrap_check(bootstrap, who, options, &faults, &n) != XDS_OK)
        return trouble(command, "%s: out of memory", name);
    for (size_t i = 0; i < n && i < MOST_FAULTS; i++)
        tell(command, name, label.text, &faults[i]);
    if (n > MOST_FAULTS)
        warning(command, "%s: and %zu more faults", name, n - MOST_FAULTS);
    return n > 0 ? EXIT_USAGE : EXIT_CLEAN;
}

int bootstrap_check_asked(const struct command *command, const char *name,
                          struct xds_parsed *bootstrap, const struct xds_options *options)
{
    struct xds_client_release list[XDS_RELEASES + XDS_CLIENTS];
    const size_t n = xds_options_asked(options, list);
    int status = EXIT_CLEAN;

    for (size_t i = 0; i < n && status != EXIT_TROUBLE; i++)
        status =
            worse(status, bootstrap_check(command, name, bootstrap, list[i], options));
    return status == EXIT_USAGE && options->clients == XDS_ALL_CLIENTS ? EXIT_CLEAN
                                                                       : status;
}
