/*
 * readers.h - who reads the resources of a run: clients at releases, and how they differ.
 *
 * differences.def has a row for each thing that some clients do in another way than the
 * documents say. Code never names a client: it asks who differs.
 */
#ifndef XDS_CLIENTS_READERS_H
#define XDS_CLIENTS_READERS_H

#include "clients/clients.h"

enum xds_difference {
#define XDS_READING(id, clients, source, text) XDS_DIFF_##id,
#define XDS_DIFFERENCE(id, clients, source, text) XDS_DIFF_##id,
#include "clients/differences.def"
    XDS_DIFFERENCES
};

struct xds_difference_row {
    const char *id; /* "DOMAIN_CASE" */
    unsigned clients;
    const char *source, *text; /* the text follows a client's name: "reads ..." */
};

/* What releases of a client before one did. */
struct xds_difference_before {
    enum xds_difference difference;
    enum xds_client client;
    struct xds_release release;
    bool differs;
};

extern const struct xds_difference_row xds_differences[XDS_DIFFERENCES];

/* Does the newest release of a client differ? */
static inline bool xds_differs(enum xds_client client, enum xds_difference difference)
{
    return xds_differences[difference].clients >> client & 1u;
}

/* The clients whose newest releases differ. */
static inline unsigned xds_differing(enum xds_difference difference)
{
    return xds_differences[difference].clients;
}

/* Of one client; {0, 0, 0} is its newest release. */
bool xds_release_is_before(struct xds_release a, struct xds_release b);

/* A release of a client; {0, 0, 0} is the newest one. */
struct xds_client_release {
    enum xds_client client;
    struct xds_release release;
};

/* A set of readers: bit i is reader[i] of the run. */
typedef unsigned xds_readers;

#define XDS_MAX_READERS 32

/* The readers of a run. The first XDS_CLIENTS are the newest releases of all clients, so
 * that a set of clients is the set of their newest releases too. */
struct xds_panel {
    size_t n;
    struct xds_client_release reader[XDS_MAX_READERS];
    xds_readers all;
    xds_readers differing[XDS_DIFFERENCES];
};

/* The newest releases, and n others; what is more than XDS_MAX_READERS is left out. */
void xds_panel_init(struct xds_panel *panel, const struct xds_client_release *others,
                    size_t n);

/* All releases of these clients. */
xds_readers xds_panel_of(const struct xds_panel *panel, unsigned clients);

/* Does a release differ, by the rows of history (n of them)? */
bool xds_differs_at(const struct xds_difference_before *history, size_t n,
                    const struct xds_client_release *reader,
                    enum xds_difference difference);

#endif
