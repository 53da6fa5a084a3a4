/* readers.c - the rows of differences.def, and who of a run's readers differs. */
#include "clients/readers.h"

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
#include "clients/differences.def"
    {XDS_DIFFERENCES, XDS_CLIENTS, {0, 0, 0}, false},
};

bool xds_release_is_before(struct xds_release a, struct xds_release b)
{
    if (a.major == 0 || a.major != b.major)
        return a.major != 0 && a.major < b.major;
    return a.minor != b.minor ? a.minor < b.minor : a.patch < b.patch;
}

const struct xds_difference_before *xds_difference_history(size_t *n)
{
    *n = XDS_ARRAY_LEN(history) - 1;
    return history;
}

bool xds_differs_at(const struct xds_difference_before *rows, size_t n,
                    const struct xds_client_release *reader,
                    enum xds_difference difference)
{
    for (size_t i = 0; i < n; i++)
        if (rows[i].difference == difference && rows[i].client == reader->client &&
            xds_release_is_before(reader->release, rows[i].release))
            return rows[i].differs;
    return xds_differing(difference) >> reader->client & 1u;
}

bool xds_release_differs(const struct xds_client_release *reader,
                         enum xds_difference difference)
{
    return xds_differs_at(history, XDS_ARRAY_LEN(history) - 1, reader, difference);
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

/* Is a variable on for one of the release and the known one before it, and not for the
 * other? */
static bool turns(const struct xds_options *options, enum xds_env env, size_t release)
{
    return xds_env_on_at(options, env, xds_known_release(release - 1)) !=
           xds_env_on_at(options, env, xds_known_release(release));
}

/* A variable that switches no row of the spec changes no verdict. */
static void find_turns(const struct xds_options *options, xds_release_set changes)
{
    size_t n, known;
    const struct xds_env_before *row = xds_env_history(&n);

    for (const struct xds_env_before *end = row + n; row < end; row++) {
        xds_release_set at = {0};
        const size_t first = xds_known_releases(row->client, &known);

        if (*xds_env_row(row->env)->guards == '\0')
            continue;
        xds_release_set_add(at, row->client, row->release);
        for (size_t i = first + 1; i < first + known; i++)
            if (has(at, i) && turns(options, row->env, i))
                changes[i / 64] |= UINT64_C(1) << i % 64;
    }
}

/* All releases at which something changes. */
static void find_changes(const struct xds_options *options, xds_release_set changes)
{
    for (const struct xds_difference_before *row = history;
         row->difference != XDS_DIFFERENCES; row++)
        xds_release_set_add(changes, row->client, row->release);
    find_turns(options, changes);
}

/* ---- the panel ---- */

static bool add(struct xds_panel *panel, const struct xds_options *options,
                struct xds_client_release reader)
{
    if (panel->n == XDS_MAX_READERS)
        return false;
    const xds_readers bit = (xds_readers)1 << panel->n;

    for (unsigned d = 0; d < XDS_DIFFERENCES; d++)
        if (reader.release.major == 0
                ? xds_differing((enum xds_difference)d) >> reader.client & 1u
                : xds_release_differs(&reader, (enum xds_difference)d))
            panel->differing[d] |= bit;
    for (unsigned env = 0; env < XDS_ENVS; env++)
        if (xds_env_on_at(options, (enum xds_env)env, &reader))
            panel->guarded[env] |= bit;
    panel->all |= bit;
    panel->reader[panel->n++] = reader;
    return true;
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

bool xds_panel_init(struct xds_panel *panel, const struct xds_options *options,
                    const xds_release_set changes)
{
    xds_release_set all;

    *panel = (struct xds_panel){.n = 0};
    for (enum xds_client client = 0; client < XDS_CLIENTS; client++)
        (void)add(panel, options, xds_asked(options, client));
    if (!xds_asks_releases(options))
        return true;
    memcpy(all, changes, sizeof all);
    find_changes(options, all);
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
