/* client.c - clients by name, as options take them. */
#include "cli/options/common.h"

#include <string.h>

const char *const client_words[] = {
#define XDS_CLIENT(id, name, as, aliases, title, judged) name,
#include "include/xdscope/clients.def"
    NULL};

const char *const client_or_all_words[] = {
#define XDS_CLIENT(id, name, as, aliases, title, judged) name,
#include "include/xdscope/clients.def"
    "all", NULL};

/* Of all clients, each followed by a blank. */
static const char aliases_of_all[] =
#define XDS_CLIENT(id, name, as, aliases, title, judged) aliases " "
#include "include/xdscope/clients.def"
    ;

/* Readers of xDS by rules of their own, and how else they are called: xdscope-limits(7).
 */
static const char *const other_readers[] = {"tonic-xds", "tonic",   "grpc-rust",
                                            "kitex",     "armeria", NULL};

static bool is_other_reader(struct xds_slice name)
{
    for (size_t i = 0; other_readers[i]; i++)
        if (is_text(name, other_readers[i]))
            return true;
    return false;
}

static bool unknown_client(const struct command *command, struct xds_slice name)
{
    struct hint hint = hint_for(name.data, name.len);
    const bool is_other = is_other_reader(name);
    char aliases[sizeof aliases_of_all], known[512];
    size_t used = (size_t)snprintf(
        known, sizeof known, "%sthere are ",
        is_other ? "tonic-xds, kitex and armeria read xDS by rules of their own; " : "");

    for (size_t i = 0; client_words[i]; i++) {
        hint_offer(&hint, client_words[i]);
        if (used < sizeof known)
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s",
                                     i > 0 ? ", " : "", client_words[i]);
    }
    memcpy(aliases, aliases_of_all, sizeof aliases);
    for (char *alias = aliases, *blank; (blank = strchr(alias, ' ')); alias = blank + 1) {
        *blank = '\0';
        hint_offer(&hint, alias);
    }
    (void)unknown_error(command, "client", name, is_other ? NULL : hint.best, known);
    return false;
}

/* The name in "go@1.64"; false after a message when it is none. */
static bool check_name(const struct command *command, struct xds_slice item)
{
    const char *at = item.len > 0 ? memchr(item.data, '@', item.len) : NULL;
    const struct xds_slice name = {item.data, at ? (size_t)(at - item.data) : item.len};
    enum xds_client client;

    return is_text(name, "all") || xds_client_from_name(name, &client) ||
           unknown_client(command, name);
}

bool ask_clients(const struct command *command, const struct text_list *lists,
                 struct xds_options *asked)
{
    struct xds_slice item;

    xds_options_init(asked);
    if (lists->n > 0)
        asked->clients = 0;
    for (size_t i = 0; i < lists->n; i++)
        for (const char *rest = lists->items[i]; next_piece(&rest, &item);) {
            struct xds_ask_note note;

            if (!check_name(command, item))
                return false;
            if (xds_options_ask(asked, item, &note) != XDS_OK) {
                (void)usage_error(command, "%s", note.text);
                return false;
            }
            if (note.text[0] != '\0')
                warning(command, "%s", note.text);
        }
    return true;
}

bool ask_client(const struct command *command, const char *name,
                struct xds_options *asked, enum xds_client *client)
{
    const struct xds_slice item = slice_of(name ? name : "core");
    const size_t first = strcspn(item.data, ",");
    struct xds_ask_note note;

    if (first < item.len) {
        (void)usage_error(command, "--client %s: needs one client, such as %.*s", name,
                          (int)first, item.data);
        return false;
    }
    if (!check_name(command, item))
        return false;
    if (xds_options_ask_one(asked, item, client, &note) != XDS_OK) {
        (void)usage_error(command, "--client %s: %s", name, note.text);
        return false;
    }
    if (note.text[0] != '\0')
        warning(command, "%s", note.text);
    asked->clients = XDS_CLIENT_BIT(*client);
    return true;
}

void print_clients(FILE *to)
{
    size_t width = 6, n;

    for (size_t i = 0; client_words[i]; i++)
        width = strlen(client_words[i]) > width ? strlen(client_words[i]) : width;
    for (enum xds_client c = 0; c < XDS_CLIENTS; c++) {
        const struct xds_client_info *info = xds_client_info(c);
        const struct xds_release *releases = xds_client_releases(c, &n);

        (void)fprintf(to, "%-*s %s", (int)width, info->name, info->judged);
        if (n > 0)
            (void)fprintf(
                to, "; %s: %s",
                c == XDS_CLIENT_GRFC ? "newest gRFC known" : "newest release run",
                xds_release_text((struct xds_client_release){c, releases[n - 1]}).text);
        (void)fputc('\n', to);
    }
}
