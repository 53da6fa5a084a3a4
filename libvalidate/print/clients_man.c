/* clients_man.c - the sections of xdscope-rules(7) on clients and environment variables.
 */
#include "print/rules.h"

#include "clients/clients.h"
#include "clients/environment.h"

static void print_release(struct xds_out *out, const struct xds_release *release)
{
    xds_roff_format(out, "%u.%u.%u", release->major, release->minor, release->patch);
}

static void print_aliases(struct xds_out *out, const char *aliases)
{
    struct xds_slice rest = xds_slice_of(aliases), alias;
    const char *before = ".br\nAlso: ";

    while (rest.len > 0) {
        rest = xds_slice_cut(rest, ' ', &alias);
        xds_roff_format(out, "%s%.*s", before, XDS_FMT(alias));
        before = ", ";
    }
    xds_out_text(out, ".\n");
}

static void print_releases(struct xds_out *out, enum xds_client client)
{
    size_t n;
    const struct xds_release *releases = xds_client_releases(client, &n);

    for (size_t i = 0; i < n; i++) {
        xds_out_text(out, i == 0 ? ".br\nReleases that were run: " : ", ");
        print_release(out, &releases[i]);
    }
    if (n > 0)
        xds_out_text(out, ".\n");
}

void xds_out_clients_man(struct xds_out *out)
{
    xds_out_text(out,
                 ".SH CLIENTS\n"
                 "A client can be given by its name or by one of the other names here.\n"
                 "What is printed is its name.\n");
    for (enum xds_client c = 0; c < XDS_CLIENTS; c++) {
        const struct xds_client_info *info = xds_client_info(c);

        xds_roff_format(out, ".TP\n.B %s\n%s.\n", info->name, info->title);
        print_aliases(out, info->aliases);
        xds_roff_format(out, ".br\nJudged from: %s.\n", info->judged);
        print_releases(out, c);
    }
}

static void print_state(struct xds_out *out, const char *what, unsigned clients)
{
    if (clients == 0)
        return;
    xds_roff_format(out, ".br\n%s%s.\n", what, xds_client_list(clients, ", ").text);
}

void xds_out_environment_man(struct xds_out *out)
{
    xds_out_text(out,
                 ".SH ENVIRONMENT VARIABLES\n"
                 "Variables that\n"
                 ".B \\-\\-env\n"
                 "sets, what they change, and what they are when they are not set.\n");
    for (enum xds_env env = 0; env < XDS_ENVS; env++) {
        const struct xds_env_row *row = xds_env_row(env);

        xds_roff_format(out, ".TP\n.B %s\n%s.\n", row->name, row->text);
        print_state(out, "On by default: ", row->on & row->read_by);
        print_state(out, "Off by default: ", row->read_by & ~row->on);
        print_state(out, "Always on: ", row->on & ~row->read_by);
        xds_roff_format(out, ".br\n%s.\n", row->source);
    }
}
