/*
 * ask.c - clients and releases by name, as users ask for them.
 *
 * One item of a list: a name or "all", alone or with releases: @1.64, @1.60..1.72,
 * @1.60+, @3y.
 */
#include <stdio.h>

#include "base/ascii.h"
#include "base/slice.h"
#include "clients/readers.h"

struct ask {
    struct xds_ask_note *note;
    unsigned plain, named; /* clients without a release, and with one */
    xds_release_set asked;
};

static enum xds_status refuse(struct ask *ask, const char *why, struct xds_slice what)
{
    (void)snprintf(ask->note->text, sizeof ask->note->text, "%s \"%.*s\"", why,
                   what.len < 60 ? (int)what.len : 60, what.data ? what.data : "");
    return XDS_ERR_USAGE;
}

/* ---- releases ---- */

/* A number of up to four digits; *rest is what follows. */
static bool take_number(struct xds_slice *rest, unsigned short *out)
{
    unsigned n = 0;
    size_t i = 0;

    for (; i < rest->len && i < 4 && xds_ascii_digit(rest->data[i]); i++)
        n = n * 10 + (unsigned)(rest->data[i] - '0');
    *rest = xds_slice_from(*rest, i);
    *out = (unsigned short)n;
    return i > 0;
}

static bool take(struct xds_slice *rest, const char *text)
{
    if (!xds_slice_starts(*rest, xds_slice_of(text)))
        return false;
    *rest = xds_slice_from(*rest, strlen(text));
    return true;
}

/* "1.64", "1.64.1" or "v1.64.1"; without a patch it is 0. */
static bool take_release(struct xds_slice *rest, struct xds_release *out)
{
    struct xds_slice patch;

    (void)take(rest, "v");
    *out = (struct xds_release){0, 0, 0};
    if (!take_number(rest, &out->major) || out->major == 0 || !take(rest, ".") ||
        !take_number(rest, &out->minor))
        return false;
    patch = *rest;
    if (take(&patch, ".") && take_number(&patch, &out->patch))
        *rest = patch;
    return true;
}

static void add(struct ask *ask, size_t release)
{
    ask->asked[release / 64] |= UINT64_C(1) << release % 64;
    ask->named |= XDS_CLIENT_BIT(xds_known_release(release)->client);
}

static bool same_minor(struct xds_release a, struct xds_release b)
{
    return a.major == b.major && a.minor == b.minor;
}

/* The known release that one counts as: itself, one of the same minor version, or the
 * nearest older one; without an older one, the oldest. */
static size_t nearest(enum xds_client client, struct xds_release wanted)
{
    size_t n, best;
    const size_t first = xds_known_releases(client, &n);

    best = first;
    for (size_t i = first; i < first + n; i++) {
        const struct xds_release known = xds_known_release(i)->release;

        if (same_minor(known, wanted) && known.patch == wanted.patch)
            return i;
        if (same_minor(known, wanted) || xds_release_is_before(known, wanted))
            best = i;
    }
    return best;
}

/* wanted is as the user wrote it. */
static void add_nearest(struct ask *ask, enum xds_client client,
                        struct xds_release wanted, struct xds_slice written)
{
    const size_t best = nearest(client, wanted);
    const struct xds_client_release *known = xds_known_release(best);

    add(ask, best);
    if (!same_minor(known->release, wanted))
        (void)snprintf(
            ask->note->text, sizeof ask->note->text,
            "%s@%.*s is not known; it is judged as %s, the %s", xds_client_name(client),
            (int)written.len, written.data, xds_client_label(*known).text,
            xds_release_is_before(known->release, wanted) ? "nearest older release"
                                                          : "oldest known release");
}

/* From one release to another, both included; a minor version is all its releases. */
static void add_range(struct ask *ask, enum xds_client client, struct xds_release from,
                      struct xds_release to)
{
    size_t n;
    const size_t first = xds_known_releases(client, &n);

    for (size_t i = first; i < first + n; i++) {
        const struct xds_release known = xds_known_release(i)->release;

        if (!xds_release_is_before(known, from) &&
            (!xds_release_is_before(to, known) || same_minor(known, to)))
            add(ask, i);
    }
}

/* The day of the newest known release of all. */
static const char *last_day(void)
{
    const char *last = "";

    for (size_t i = 0; i < XDS_RELEASES; i++)
        if (strcmp(xds_known_release_day(i), last) > 0)
            last = xds_known_release_day(i);
    return last;
}

/* "2026-10-27" with so many years less. */
static void years_before(const char *day, unsigned years, char out[11])
{
    const unsigned year = 1000u * (unsigned)(day[0] - '0') +
                          100u * (unsigned)(day[1] - '0') +
                          10u * (unsigned)(day[2] - '0') + (unsigned)(day[3] - '0');

    (void)snprintf(out, 11, "%04u%.6s", (year > years ? year - years : 0) % 10000,
                   day + 4);
}

static void add_years(struct ask *ask, enum xds_client client, unsigned years)
{
    char oldest[11];
    size_t n;
    const size_t first = xds_known_releases(client, &n);

    years_before(last_day(), years, oldest);
    for (size_t i = first; i < first + n; i++)
        if (strcmp(xds_known_release_day(i), oldest) >= 0)
            add(ask, i);
}

/* ---- items ---- */

static const struct xds_release last_possible = {9999, 9999, 9999};

/* What follows the @, for one client. False when it does not name releases. */
static bool add_releases(struct ask *ask, enum xds_client client, struct xds_slice text)
{
    struct xds_release from, to = last_possible;
    struct xds_slice rest = text;
    unsigned short years;

    if (take_number(&rest, &years) && xds_slice_is(rest, "y")) {
        add_years(ask, client, years);
        return true;
    }
    rest = text;
    if (!take_release(&rest, &from))
        return false;
    if (rest.len == 0) {
        add_nearest(ask, client, from, text);
        return true;
    }
    if (!xds_slice_is(rest, "+") &&
        (!take(&rest, "..") || !take_release(&rest, &to) || rest.len > 0))
        return false;
    add_range(ask, client, from, to);
    return true;
}

static enum xds_status ask_item(struct ask *ask, struct xds_slice item)
{
    struct xds_slice name, releases = xds_slice_cut(item, '@', &name);
    const bool all = xds_slice_is(name, "all");
    const unsigned before = ask->named;
    enum xds_client client = XDS_CLIENT_GRFC;
    unsigned clients = XDS_ALL_CLIENTS;

    if (!all) {
        if (!xds_client_from_name(name, &client))
            return refuse(ask, "unknown client", name);
        clients = XDS_CLIENT_BIT(client);
    }
    if (!releases.data) {
        ask->plain |= clients;
        return XDS_OK;
    }
    ask->named = 0;
    for (enum xds_client c = 0; c < XDS_CLIENTS; c++) {
        size_t n;

        (void)xds_known_releases(c, &n);
        if (clients & XDS_CLIENT_BIT(c) && n > 0 && !add_releases(ask, c, releases))
            return refuse(
                ask, "not a release, such as 1.64, 1.60..1.72, 1.60+ or 3y:", releases);
    }
    if (!ask->named)
        return refuse(ask, "no known release is meant by", item);
    ask->named |= before;
    return XDS_OK;
}

/* Those that were asked for by name alone and with releases, too. */
static void add_newest(struct ask *ask)
{
    for (enum xds_client c = 0; c < XDS_CLIENTS; c++) {
        size_t n;
        const size_t first = xds_known_releases(c, &n);

        if (ask->plain & ask->named & XDS_CLIENT_BIT(c))
            add(ask, first + n - 1);
    }
}

static void set_releases(struct xds_options *options)
{
    for (size_t i = 0; i < XDS_RELEASES; i++)
        if (options->asked[i / 64] >> i % 64 & 1u)
            options->release[xds_known_release(i)->client] =
                xds_known_release(i)->release;
}

/* What was asked for so far; a client without a release was asked for by name alone. */
static struct ask before(const struct xds_options *options)
{
    struct ask ask = {.plain = options->clients};

    memcpy(ask.asked, options->asked, sizeof ask.asked);
    for (enum xds_client c = 0; c < XDS_CLIENTS; c++)
        if (options->release[c].major != 0) {
            ask.plain &= ~XDS_CLIENT_BIT(c);
            ask.named |= XDS_CLIENT_BIT(c);
        }
    return ask;
}

enum xds_status xds_options_ask(struct xds_options *options, struct xds_slice list,
                                struct xds_ask_note *note)
{
    struct ask ask = before(options);
    struct xds_slice rest = list, item;

    ask.note = note;
    *note = (struct xds_ask_note){.text = ""};
    while (rest.data) {
        rest = xds_slice_cut(rest, ',', &item);
        const enum xds_status status = ask_item(&ask, item);

        if (status != XDS_OK)
            return status;
    }
    add_newest(&ask);
    options->clients = ask.plain | ask.named;
    memcpy(options->asked, ask.asked, sizeof options->asked);
    memset(options->release, 0, sizeof options->release);
    set_releases(options);
    return XDS_OK;
}

size_t xds_options_asked(const struct xds_options *options,
                         struct xds_client_release *list)
{
    size_t count = 0;

    for (enum xds_client c = 0; c < XDS_CLIENTS; c++) {
        size_t n;

        if (!(options->clients & XDS_CLIENT_BIT(c)))
            continue;
        if (options->release[c].major == 0) {
            list[count++] = (struct xds_client_release){.client = c};
            continue;
        }
        const size_t first = xds_known_releases(c, &n);

        for (size_t i = first; i < first + n; i++)
            if (options->asked[i / 64] >> i % 64 & 1u)
                list[count++] = *xds_known_release(i);
    }
    return count;
}

enum xds_status xds_options_ask_one(struct xds_options *options, struct xds_slice name,
                                    enum xds_client *client, struct xds_ask_note *note)
{
    struct xds_client_release who[XDS_RELEASES + XDS_CLIENTS];
    struct xds_options asked = {.clients = 0};
    const enum xds_status status = xds_options_ask(&asked, name, note);

    if (status != XDS_OK)
        return status;
    if (xds_options_asked(&asked, who) != 1) {
        (void)snprintf(note->text, sizeof note->text,
                       "needs one client at one release, such as go@1.64");
        return XDS_ERR_USAGE;
    }
    *client = who[0].client;
    options->release[*client] = who[0].release;
    memcpy(options->asked, asked.asked, sizeof options->asked);
    return XDS_OK;
}
