/* clients.c - the rows of clients.def: clients by name, and lists of names. */
#include "clients/clients.h"

#include <stdio.h>

#include "base/slice.h"

static const struct xds_client_info infos[XDS_CLIENTS] = {
#define XDS_CLIENT(id, name, as, aliases, title, judged) {name, aliases, title, judged},
#include "include/xdscope/clients.def"
};

static const unsigned char as[XDS_CLIENTS] = {
#define XDS_CLIENT(id, name, as, aliases, title, judged) XDS_CLIENT_##as,
#include "include/xdscope/clients.def"
};

static const struct xds_client_release known[XDS_RELEASES] = {
#define XDS_RELEASE(id, major, minor, patch, day)                                        \
    {XDS_CLIENT_##id, {major, minor, patch}},
#include "include/xdscope/clients.def"
};

static const char *const days[XDS_RELEASES] = {
#define XDS_RELEASE(id, major, minor, patch, day) day,
#include "include/xdscope/clients.def"
};

/* The same without their clients, for the public list. */
static const struct xds_release releases[XDS_RELEASES] = {
#define XDS_RELEASE(id, major, minor, patch, day) {major, minor, patch},
#include "include/xdscope/clients.def"
};

const struct xds_client_info *xds_client_info(enum xds_client client)
{
    return &infos[client];
}

const char *xds_client_name(enum xds_client client)
{
    return infos[client].name;
}

enum xds_client xds_client_as(enum xds_client client)
{
    return (enum xds_client)as[client];
}

const struct xds_client_release *xds_known_release(size_t i)
{
    return &known[i];
}

const char *xds_known_release_day(size_t i)
{
    return days[i];
}

size_t xds_known_releases(enum xds_client client, size_t *count)
{
    size_t first = 0;

    while (first < XDS_RELEASES && known[first].client != client)
        first++;
    *count = 0;
    while (first + *count < XDS_RELEASES && known[first + *count].client == client)
        ++*count;
    return first;
}

const struct xds_release *xds_client_releases(enum xds_client client, size_t *count)
{
    const size_t first = xds_known_releases(client, count);

    return &releases[*count ? first : 0];
}

struct xds_release_text xds_release_minor(struct xds_client_release who)
{
    struct xds_release_text out;
    const struct xds_release *r = &who.release;

    if (who.client == XDS_CLIENT_GRFC)
        (void)snprintf(out.text, sizeof out.text, "A%u", r->minor);
    else
        (void)snprintf(out.text, sizeof out.text, "%u.%u", r->major, r->minor);
    return out;
}

struct xds_release_text xds_release_text(struct xds_client_release who)
{
    struct xds_release_text out = {.text = ""};
    const struct xds_release *r = &who.release;

    if (r->major != 0 && who.client == XDS_CLIENT_GRFC)
        return xds_release_minor(who);
    if (r->major != 0)
        (void)snprintf(out.text, sizeof out.text, "%u.%u.%u", r->major, r->minor,
                       r->patch);
    return out;
}

struct xds_client_label xds_client_label(struct xds_client_release who)
{
    const char *name = xds_client_name(who.client);
    struct xds_client_label label = {""};

    if (who.release.major == 0) /* nearly always, and for each finding */
        memcpy(label.text, name, strlen(name) + 1);
    else
        (void)snprintf(label.text, sizeof label.text, "%s@%s", name,
                       xds_release_text(who).text);
    return label;
}

static bool has_alias(const struct xds_client_info *info, struct xds_slice name)
{
    struct xds_slice rest = xds_slice_of(info->aliases), alias;

    while (rest.len > 0) {
        rest = xds_slice_cut(rest, ' ', &alias);
        if (xds_slice_eq(alias, name))
            return true;
    }
    return false;
}

bool xds_client_from_name(struct xds_slice name, enum xds_client *out)
{
    for (unsigned i = 0; i < XDS_CLIENTS; i++) {
        if (xds_slice_is(name, infos[i].name) || has_alias(&infos[i], name)) {
            *out = (enum xds_client)i;
            return true;
        }
    }
    return false;
}

/* What has no room is left out; there is room for all. */
static size_t append(struct xds_client_list *list, size_t at, const char *text)
{
    const size_t len = strlen(text);

    if (len >= sizeof list->text - at)
        return at;
    memcpy(list->text + at, text, len + 1);
    return at + len;
}

struct xds_client_list xds_client_list(unsigned clients, const char *last)
{
    struct xds_client_list list = {.text = ""};
    unsigned left = clients & XDS_ALL_CLIENTS;
    size_t len = 0;

    for (enum xds_client c = 0; c < XDS_CLIENTS; c++) {
        if (!(left & XDS_CLIENT_BIT(c)))
            continue;
        left &= ~XDS_CLIENT_BIT(c);
        if (len > 0)
            len = append(&list, len, left ? ", " : last);
        len = append(&list, len, xds_client_name(c));
    }
    return list;
}

unsigned xds_clients_named(const struct xds_options *options, unsigned clients)
{
    const unsigned others = clients & ~XDS_CLIENT_BIT(XDS_CLIENT_GRFC);

    return options->documents || !others ? clients : others;
}

struct xds_client_list xds_named_list(const struct xds_options *options, unsigned clients,
                                      const char *last)
{
    static const struct xds_client_list documents = {"the documents"};
    const unsigned named = xds_clients_named(options, clients);

    if (named == XDS_CLIENT_BIT(XDS_CLIENT_GRFC) && !options->documents)
        return documents;
    return xds_client_list(named, last);
}

const char *xds_version(void)
{
    return XDS_VERSION;
}

bool xds_release_is_before(struct xds_release a, struct xds_release b)
{
    if (a.major == 0 || a.major != b.major)
        return a.major != 0 && a.major < b.major;
    return a.minor != b.minor ? a.minor < b.minor : a.patch < b.patch;
}
