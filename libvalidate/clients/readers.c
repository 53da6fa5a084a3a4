/* readers.c - the rows of differences.def, and who of a run's readers differs. */
#include "clients/readers.h"

#include "base/slice.h"

const struct xds_difference_row xds_differences[XDS_DIFFERENCES] = {
#define XDS_READING(id, clients, source, text) {#id, clients, source, text},
#define XDS_DIFFERENCE(id, clients, source, text) {#id, clients, source, text},
#include "clients/differences.def"
};

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

bool xds_differs_at(const struct xds_difference_before *rows, size_t n,
                    const struct xds_client_release *reader,
                    enum xds_difference difference)
{
    for (size_t i = 0; i < n; i++)
        if (rows[i].difference == difference && rows[i].client == reader->client &&
            xds_release_is_before(reader->release, rows[i].release))
            return rows[i].differs;
    return xds_differs(reader->client, difference);
}

static void add(struct xds_panel *panel, const struct xds_client_release *reader)
{
    const xds_readers bit = (xds_readers)1 << panel->n;

    for (unsigned d = 0; d < XDS_DIFFERENCES; d++)
        if (xds_differs_at(history, XDS_ARRAY_LEN(history) - 1, reader,
                           (enum xds_difference)d))
            panel->differing[d] |= bit;
    panel->all |= bit;
    panel->reader[panel->n++] = *reader;
}

void xds_panel_init(struct xds_panel *panel, const struct xds_client_release *others,
                    size_t n)
{
    *panel = (struct xds_panel){.n = 0};
    for (unsigned client = 0; client < XDS_CLIENTS; client++)
        add(panel, &(struct xds_client_release){.client = (enum xds_client)client});
    for (size_t i = 0; i < n && panel->n < XDS_MAX_READERS; i++)
        add(panel, &others[i]);
}

xds_readers xds_panel_of(const struct xds_panel *panel, unsigned clients)
{
    xds_readers set = 0;

    for (size_t i = 0; i < panel->n; i++)
        if (clients & XDS_CLIENT_BIT(panel->reader[i].client))
            set |= (xds_readers)1 << i;
    return set;
}
