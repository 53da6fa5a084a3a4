/*
 * readers.c - who reads: the rows of differences.def, who of a run's readers differs, and
 * readers as users and control planes name them.
 */
#include "clients/readers.h"

#include <stdio.h>

#include "base/ascii.h"
#include "base/slice.h"
#include "clients/environment.h"

const unsigned char xds_differing_clients[XDS_DIFFERENCES] = {
#define XDS_DIFFERENCE(id, clients, source, text) clients,
#define XDS_READING XDS_DIFFERENCE
#include "clients/differences.def"
};

/* What few commands print: without pointers, which the start of each would relocate. */
struct texts {
#define XDS_DIFFERENCE(id, clients, source, text)                                        \
    char source_##id[sizeof(source)], text_##id[sizeof(text)];
#define XDS_READING XDS_DIFFERENCE
#include "clients/differences.def"
};

static const struct texts texts = {
#define XDS_DIFFERENCE(id, clients, source, text) source, text,
#define XDS_READING XDS_DIFFERENCE
#include "clients/differences.def"
};

static const struct {
    uint32_t source, text;
} text_at[XDS_DIFFERENCES] = {
#define XDS_DIFFERENCE(id, clients, source, text)                                        \
    {offsetof(struct texts, source_##id), offsetof(struct texts, text_##id)},
#define XDS_READING XDS_DIFFERENCE
#include "clients/differences.def"
};

struct xds_difference_row xds_difference_row(enum xds_difference difference)
{
    const char *first = (const char *)&texts;

    return (struct xds_difference_row){
        .clients = xds_differing(difference),
        .source = first + text_at[difference].source,
        .text = first + text_at[difference].text,
    };
}

/* The last one ends the table. */
static const struct xds_difference_before history[] = {
#define XDS_DIFFERED(id, client, major, minor, so)                                       \
    {XDS_DIFF_##id, XDS_CLIENT_##client, {major, minor, 0}, so},
#define XDS_DIFFERED_BY(id, client, major, minor, patch, so)                             \
    {XDS_DIFF_##id, XDS_CLIENT_##client, {major, minor, patch}, so},
#include "clients/differences.def"
    {XDS_DIFFERENCES, XDS_CLIENTS, {0, 0, 0}, false},
};

const struct xds_difference_before *xds_difference_history(size_t *n)
{
    *n = XDS_ARRAY_LEN(history) - 1;
    return history;
}

struct xds_history xds_history_on_trial;

/* The first row of a difference, or of a later one: they are in the order of the enum. */
static size_t first_row(struct xds_history of, enum xds_difference difference)
{
    size_t from = 0, end = of.n;

    while (from < end) {
        const size_t middle = from + (end - from) / 2;

        if (of.rows[middle].difference < difference)
            from = middle + 1;
        else
            end = middle;
    }
    return from;
}

/* The row that a release comes before, or NULL. */
static const struct xds_difference_before *
row_for(struct xds_history of, const struct xds_client_release *reader,
        enum xds_difference difference)
{
    for (size_t i = first_row(of, difference); i < of.n; i++) {
        const struct xds_difference_before *row = of.rows + i;

        if (row->difference != difference)
            return NULL;
        if (row->client == reader->client &&
            xds_release_is_before(reader->release, row->release))
            return row;
    }
    return NULL;
}

bool xds_differs_at(struct xds_history of, const struct xds_client_release *reader,
                    enum xds_difference difference)
{
    const struct xds_difference_before *row =
        row_for(xds_history_on_trial, reader, difference);

    row = row ? row : row_for(of, reader, difference);
    return row ? row->differs : xds_differing(difference) >> reader->client & 1u;
}

bool xds_panel_agree(const struct xds_panel *panel, size_t a, size_t b,
                     const struct xds_questions *questions)
{
    for (size_t i = 0; i < XDS_QUESTION_WORDS; i++)
        if ((panel->yes[a].set[i] ^ panel->yes[b].set[i]) & questions->set[i])
            return false;
    return true;
}

bool xds_release_differs(const struct xds_client_release *reader,
                         enum xds_difference difference)
{
    xds_question_asked(difference);

    const struct xds_history known = {history, XDS_ARRAY_LEN(history) - 1};

    return xds_differs_at(known, reader, difference);
}

unsigned xds_clients_differing(const struct xds_options *options,
                               enum xds_difference difference)
{
    unsigned clients = 0;

    for (enum xds_client c = 0; c < XDS_CLIENTS; c++)
        clients |= xds_differs(options, c, difference) ? XDS_CLIENT_BIT(c) : 0;
    return clients;
}

/* ---- sets of releases ---- */

static bool has(const xds_release_set set, size_t release)
{
    return set[release / 64] >> release % 64 & 1u;
}

void xds_release_set_add(xds_release_set set, enum xds_client client,
                         struct xds_release release)
{
    size_t n;
    const size_t first = xds_known_releases(client, &n);

    for (size_t i = first; i < first + n; i++) {
        if (xds_release_is_before(xds_known_release(i)->release, release))
            continue;
        set[i / 64] |= UINT64_C(1) << i % 64;
        return;
    }
}

/* ---- the panel ---- */

/* What a reader differs in: as the newest releases do, but for the rows of history that
 * its release comes before. */
static void add_differing(struct xds_panel *panel, xds_readers bit,
                          const struct xds_client_release *reader)
{
    const struct xds_history of[] = {{history, XDS_ARRAY_LEN(history) - 1},
                                     xds_history_on_trial};

    for (unsigned d = 0; d < XDS_DIFFERENCES; d++)
        if (xds_differing_clients[d] >> reader->client & 1u)
            panel->differing[d] |= bit;
    /* Backwards: of several rows the first one counts, and those on trial before others.
     */
    for (size_t i = 0; i < XDS_ARRAY_LEN(of); i++)
        for (size_t k = of[i].n; k-- > 0;) {
            const struct xds_difference_before *row = &of[i].rows[k];
            xds_readers *differing = &panel->differing[row->difference];

            if (row->client == reader->client &&
                xds_release_is_before(reader->release, row->release))
                *differing = row->differs ? *differing | bit : *differing & ~bit;
        }
}

static bool add(struct xds_panel *panel, const struct xds_options *options,
                struct xds_client_release reader)
{
    if (panel->n == XDS_MAX_READERS)
        return false;
    const xds_readers bit = (xds_readers)1 << panel->n;
    struct xds_questions *yes = &panel->yes[panel->n];

    add_differing(panel, bit, &reader);
    *yes = (struct xds_questions){{0}};
    for (unsigned d = 0; d < XDS_DIFFERENCES; d++)
        if (panel->differing[d] & bit)
            xds_question_add(yes, d);
    for (unsigned env = 0; env < XDS_ENVS; env++)
        if (xds_env_on_at(options, (enum xds_env)env, &reader)) {
            panel->guarded[env] |= bit;
            xds_question_add(yes, XDS_DIFFERENCES + env);
        }
    panel->all |= bit;
    panel->reader[panel->n++] = reader;
    return true;
}

/* The newest releases alone: the rows are sets of these readers already. */
static void add_newest(struct xds_panel *panel, const struct xds_options *options)
{
    for (unsigned d = 0; d < XDS_DIFFERENCES; d++)
        panel->differing[d] = xds_differing_clients[d];
    for (unsigned env = 0; env < XDS_ENVS; env++)
        panel->guarded[env] = options->env_set[env] == XDS_ENV_UNSET
                                  ? xds_env_row((enum xds_env)env)->on
                                  : xds_env_mask(options, (enum xds_env)env);
    for (enum xds_client client = 0; client < XDS_CLIENTS; client++)
        panel->reader[client] = xds_asked(options, client);
    panel->all = XDS_ALL_CLIENTS;
    panel->n = XDS_CLIENTS;
}

/* The older releases of a client that were asked for, the newest one first: those between
 * which and the reader before something changed. */
static bool add_older(struct xds_panel *panel, const struct xds_options *options,
                      const xds_release_set changes, enum xds_client client)
{
    size_t n;
    const size_t first = xds_known_releases(client, &n);
    bool same = true; /* as the reader that was added last */

    for (size_t i = first + n; i-- > first;) {
        const struct xds_client_release *reader = xds_known_release(i);

        if (xds_release_is_before(options->release[client], reader->release))
            continue;
        if (!same && has(options->asked, i)) {
            if (!add(panel, options, *reader))
                return false;
            same = true;
        }
        same = same && !has(changes, i);
    }
    return true;
}

struct xds_client_label xds_asked_label(const struct xds_options *options,
                                        enum xds_client client)
{
    return xds_client_label(
        (struct xds_client_release){client, options->release[client]});
}

bool xds_asks_releases(const struct xds_options *options)
{
    for (unsigned client = 0; client < XDS_CLIENTS; client++)
        if (options->release[client].major != 0)
            return true;
    return false;
}

bool xds_asks_older(const struct xds_options *options)
{
    for (size_t i = 0; i < XDS_RELEASES; i++) {
        const struct xds_client_release *known = xds_known_release(i);

        if (has(options->asked, i) &&
            xds_release_is_before(known->release, options->release[known->client]))
            return true;
    }
    return false;
}

/* Of which the rows of field_guards.def say that fields are read only while they are on.
 */
static bool guards_field(enum xds_env env)
{
    static const enum xds_env guarding[] = {
#define XDS_FIELD_BEHIND(message, field, env) XDS_ENV_##env,
#include "clients/field_guards.def"
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(guarding); i++)
        if (guarding[i] == env)
            return true;
    return false;
}

/* Rows that no rule of resources asks for. */
static const bool of_requests[XDS_DIFFERENCES] = {
#define XDS_OF_REQUESTS(id) [XDS_DIFF_##id] = true,
#include "clients/differences.def"
};

bool xds_panel_init(struct xds_panel *panel, const struct xds_options *options,
                    const xds_release_set changes)
{
    xds_release_set all;

    /* Of most readers there is room for, there are none: their answers are not touched.
     */
    memset(panel, 0, offsetof(struct xds_panel, yes));
    if (!xds_asks_releases(options)) {
        add_newest(panel, options);
        return true;
    }
    for (enum xds_client client = 0; client < XDS_CLIENTS; client++)
        (void)add(panel, options, xds_asked(options, client));
    if (!xds_asks_older(options))
        return true;
    memcpy(all, changes, sizeof all);
    /* All releases at which something changes. */
    for (const struct xds_difference_before *row = history;
         row->difference != XDS_DIFFERENCES; row++)
        if (!of_requests[row->difference])
            xds_release_set_add(all, row->client, row->release);

    /* A variable that switches no row of the spec and no field changes no verdict. */
    size_t n, known;
    const struct xds_env_before *row = xds_env_history(&n);

    for (const struct xds_env_before *end = row + n; row < end; row++) {
        xds_release_set at = {0};
        const size_t first = xds_known_releases(row->client, &known);

        if (*xds_env_row(row->env)->guards == '\0' && !guards_field(row->env))
            continue;
        xds_release_set_add(at, row->client, row->release);
        for (size_t i = first + 1; i < first + known; i++)
            /* Is a variable on for one of the release and the known one before it, and
             * not for the other? */
            if (has(at, i) &&
                xds_env_on_at(options, row->env, xds_known_release(i - 1)) !=
                    xds_env_on_at(options, row->env, xds_known_release(i)))
                all[i / 64] |= UINT64_C(1) << i % 64;
    }
    for (enum xds_client client = 0; client < XDS_CLIENTS; client++)
        if (options->release[client].major != 0 &&
            !add_older(panel, options, all, client))
            return false;
    return true;
}

xds_readers xds_panel_of(const struct xds_panel *panel, unsigned clients)
{
    xds_readers set = 0;

    for (size_t i = 0; i < panel->n; i++)
        if (clients & XDS_CLIENT_BIT(panel->reader[i].client))
            set |= (xds_readers)1 << i;
    return set;
}

/* ---- as users ask for them ----
 *
 * One item of a list: a name or "all", alone or with releases: @1.64, @1.60..1.72,
 * @1.60+, @3y; of the documents @A55, @A28..A60, @A55+. */

struct ask {
    struct xds_ask_note *note;
    unsigned plain, named; /* clients without a release, and with one */
    bool documents;        /* asked for by name */
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

/* "A55" or "a55": the documents up to this one. */
static bool take_document(struct xds_slice *rest, struct xds_release *out)
{
    *out = (struct xds_release){1, 0, 0};
    return (xds_slice_take(rest, "A") || xds_slice_take(rest, "a")) &&
           take_number(rest, &out->minor);
}

/* "1.64", "1.64.1" or "v1.64.1"; without a patch it is 0. */
static bool take_release(enum xds_client client, struct xds_slice *rest,
                         struct xds_release *out)
{
    struct xds_slice patch;

    if (client == XDS_CLIENT_GRFC)
        return take_document(rest, out);

    (void)xds_slice_take(rest, "v");
    *out = (struct xds_release){0, 0, 0};
    if (!take_number(rest, &out->major) || out->major == 0 ||
        !xds_slice_take(rest, ".") || !take_number(rest, &out->minor))
        return false;
    patch = *rest;
    if (xds_slice_take(&patch, ".") && take_number(&patch, &out->patch))
        *rest = patch;
    return true;
}

static void add_release(struct ask *ask, size_t release)
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

/* "1.62.0" */
static bool names_patch(struct xds_slice written)
{
    const struct xds_slice minor = xds_slice_from(written, xds_slice_find(written, '.'));

    return minor.len > 0 && xds_slice_find(xds_slice_from(minor, 1), '.') < minor.len - 1;
}

/* wanted is as the user wrote it. */
static void add_nearest(struct ask *ask, enum xds_client client,
                        struct xds_release wanted, struct xds_slice written)
{
    const size_t best = nearest(client, wanted);
    const struct xds_client_release *known = xds_known_release(best);

    add_release(ask, best);
    if (!same_minor(known->release, wanted))
        (void)snprintf(
            ask->note->text, sizeof ask->note->text,
            "%s@%.*s is not known; it is judged as %s, the %s", xds_client_name(client),
            (int)written.len, written.data, xds_client_label(*known).text,
            client == XDS_CLIENT_GRFC                       ? "nearest known gRFC"
            : xds_release_is_before(known->release, wanted) ? "nearest older release"
                                                            : "oldest known release; "
                                                              "what older ones do in "
                                                              "another way is not known");
    else if (names_patch(written) && known->release.patch != wanted.patch)
        (void)snprintf(ask->note->text, sizeof ask->note->text,
                       "%s@%.*s is judged as %s, the known release of its minor version",
                       xds_client_name(client), (int)written.len, written.data,
                       xds_client_label(*known).text);
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
            add_release(ask, i);
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

/* ---- items ---- */

static const struct xds_release last_possible = {9999, 9999, 9999};

/* What follows the @, for one client. False when it does not name releases. */
static bool add_releases(struct ask *ask, enum xds_client client, struct xds_slice text)
{
    struct xds_release from, to = last_possible;
    struct xds_slice rest = text;
    unsigned short years;

    if (client != XDS_CLIENT_GRFC && take_number(&rest, &years) &&
        xds_slice_is(rest, "y")) {
        char oldest[11];
        size_t n;
        const size_t first = xds_known_releases(client, &n);

        years_before(last_day(), years, oldest);
        for (size_t i = first; i < first + n; i++)
            if (strcmp(xds_known_release_day(i), oldest) >= 0)
                add_release(ask, i);
        return true;
    }
    rest = text;
    if (!take_release(client, &rest, &from))
        return false;
    if (rest.len == 0) {
        add_nearest(ask, client, from, text);
        return true;
    }
    if (!xds_slice_is(rest, "+") && (!xds_slice_take(&rest, "..") ||
                                     !take_release(client, &rest, &to) || rest.len > 0))
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
        ask->documents |= client == XDS_CLIENT_GRFC;
    }
    if (!releases.data) {
        ask->plain |= clients;
        return XDS_OK;
    }
    ask->named = 0;
    for (enum xds_client c = 0; c < XDS_CLIENTS; c++) {
        size_t n;

        (void)xds_known_releases(c, &n);
        if (clients & XDS_CLIENT_BIT(c) && n > 0 && !(all && c == XDS_CLIENT_GRFC) &&
            !add_releases(ask, c, releases))
            return refuse(ask,
                          c == XDS_CLIENT_GRFC
                              ? "not a gRFC, such as A55, A28..A60 or A55+:"
                              : "not a release, such as 1.64, 1.60..1.72, 1.60+ or 3y:",
                          releases);
    }
    if (!ask->named)
        return refuse(ask, "no known release is meant by", item);
    ask->named |= before;
    return XDS_OK;
}

/* What was asked for so far; a client without a release was asked for by name alone. */
static struct ask before(const struct xds_options *options)
{
    struct ask ask = {.plain = options->clients, .documents = options->documents};

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
    /* Those that were asked for by name alone and with releases, too. */
    for (enum xds_client c = 0; c < XDS_CLIENTS; c++) {
        size_t n;
        const size_t first = xds_known_releases(c, &n);

        if (ask.plain & ask.named & XDS_CLIENT_BIT(c))
            add_release(&ask, first + n - 1);
    }
    options->clients = ask.plain | ask.named;
    options->documents = ask.documents;
    memcpy(options->asked, ask.asked, sizeof options->asked);
    memset(options->release, 0, sizeof options->release);
    for (size_t i = 0; i < XDS_RELEASES; i++)
        if (options->asked[i / 64] >> i % 64 & 1u)
            options->release[xds_known_release(i)->client] =
                xds_known_release(i)->release;
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
    options->documents = options->documents || asked.documents;
    memcpy(options->asked, asked.asked, sizeof options->asked);
    return XDS_OK;
}

/* ---- as they name themselves to a control plane ---- */

static const struct agent {
    enum xds_client client;
    const char *name;
} agents[] = {
#define XDS_USER_AGENT(id, name) {XDS_CLIENT_##id, name},
#include "include/xdscope/clients.def"
};

static const struct core_version {
    unsigned major, minor;
    struct xds_release release;
} core_versions[] = {
#define XDS_CORE_VERSION(core_major, core_minor, major, minor)                           \
    {core_major, core_minor, {major, minor, 0}},
#include "include/xdscope/clients.def"
};

static const struct agent *find_agent(struct xds_slice name)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(agents); i++)
        if (xds_slice_starts(name, xds_slice_of(agents[i].name)))
            return &agents[i];
    return NULL;
}

bool xds_user_agent_client(struct xds_slice name, enum xds_client *client)
{
    const struct agent *agent = find_agent(name);

    if (agent)
        *client = agent->client;
    return agent != NULL;
}

/* "1.85.1", of which the first two numbers are needed. */
static bool read_version(struct xds_slice text, uint64_t part[3])
{
    size_t n = 0;

    part[0] = part[1] = part[2] = 0;
    while (text.data && n < 3) {
        struct xds_slice number;

        text = xds_slice_cut(text, '.', &number);
        if (!xds_slice_to_u64(number, &part[n]) || part[n] > 9999)
            break;
        n++;
    }
    return n >= 2;
}

/* "C-core 58.0.0" is the version of the library, not of a release. */
static bool find_core_release(uint64_t part[3])
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(core_versions); i++) {
        const struct core_version *row = &core_versions[i];

        if (row->major != part[0] || row->minor != part[1])
            continue;
        part[0] = row->release.major;
        part[1] = row->release.minor;
        part[2] = row->release.patch;
        return true;
    }
    return false;
}

struct xds_client_label xds_user_agent_label(struct xds_slice name,
                                             struct xds_slice version)
{
    const struct agent *agent = find_agent(name);
    struct xds_client_label label = {""};
    struct xds_slice word = {NULL, 0};
    uint64_t part[3];

    if (!agent)
        return label;
    /* The words of a version, separated by blanks: the last one, and how many. */
    size_t n = 0;

    for (struct xds_slice rest = version; rest.data; n++)
        rest = xds_slice_cut(rest, ' ', &word);
    const bool of_library = agent->client == XDS_CLIENT_CORE && n == 2;
    const struct xds_client_release newest = {.client = agent->client};

    if (!read_version(word, part) || (of_library && !find_core_release(part)))
        return xds_client_label(newest);
    (void)snprintf(label.text, sizeof label.text, "%s@%u.%u.%u",
                   xds_client_name(agent->client), (unsigned)part[0], (unsigned)part[1],
                   (unsigned)part[2]);
    return label;
}

void xds_core_version(struct xds_release release, unsigned *major, unsigned *minor)
{
    const size_t n = XDS_ARRAY_LEN(core_versions);
    size_t i = 0;

    while (i + 1 < n && (core_versions[i].release.major != release.major ||
                         core_versions[i].release.minor < release.minor))
        i++;
    *major = core_versions[i].major;
    *minor = core_versions[i].minor;
}
