/*
 * readers.h - who reads the resources of a run: clients at releases, and how they differ.
 *
 * differences.def has a row for each thing that some clients do in another way than the
 * documents say. Code never names a client: it asks who differs.
 */
#ifndef XDS_CLIENTS_READERS_H
#define XDS_CLIENTS_READERS_H

#include "clients/clients.h"
#include "clients/questions.h"
#include "include/xdscope.h"

struct xds_difference_row {
    unsigned clients;          /* whose newest releases differ */
    const char *source, *text; /* the text follows a client's name: "reads ..." */
};

/* What releases of a client before one did. */
struct xds_difference_before {
    enum xds_difference difference;
    enum xds_client client;
    struct xds_release release;
    bool differs;
};

struct xds_difference_row xds_difference_row(enum xds_difference difference);

/* The rows of XDS_DIFFERED, n of them. */
const struct xds_difference_before *xds_difference_history(size_t *n);

/* The clients whose newest releases differ. */
extern const unsigned char xds_differing_clients[XDS_DIFFERENCES];

static inline unsigned xds_differing(enum xds_difference difference)
{
    return xds_differing_clients[difference];
}

/* Rows that come before those of the history: a test adds them to see what they change.
 */
struct xds_history {
    const struct xds_difference_before *rows;
    size_t n;
};

extern struct xds_history xds_history_on_trial;

/* Does a release differ? */
bool xds_release_differs(const struct xds_client_release *reader,
                         enum xds_difference difference);
/* The same by other rows of history, n of them. */
bool xds_differs_at(struct xds_history history, const struct xds_client_release *reader,
                    enum xds_difference difference);

/* The release of a client that was asked for: the newest of several. */
static inline struct xds_client_release xds_asked(const struct xds_options *options,
                                                  enum xds_client client)
{
    return (struct xds_client_release){client, options->release[client]};
}

/* Does that release differ? */
static inline bool xds_differs(const struct xds_options *options, enum xds_client client,
                               enum xds_difference difference)
{
    const struct xds_client_release reader = xds_asked(options, client);

    return reader.release.major == 0 ? xds_differing(difference) >> client & 1u
                                     : xds_release_differs(&reader, difference);
}

/* The clients whose releases that were asked for differ. */
unsigned xds_clients_differing(const struct xds_options *options,
                               enum xds_difference difference);

/* More than there are known releases, but on machines without integers of 128 bits. */
#define XDS_MAX_READERS (8 * sizeof(xds_readers))

/* The readers of a run. Reader i < XDS_CLIENTS is client i at the release that was asked
 * for, the newest of several, so that a set of clients is the set of these readers too.
 * What follows are older releases that were asked for, one for all between which nothing
 * changed. */
struct xds_panel {
    size_t n;
    struct xds_client_release reader[XDS_MAX_READERS];
    xds_readers all;
    xds_readers differing[XDS_DIFFERENCES];
    xds_readers guarded[XDS_ENVS];             /* for which the variable is on */
    struct xds_questions yes[XDS_MAX_READERS]; /* the same by reader; last: see init */
};

/* Do two readers give the same answer to each question? */
bool xds_panel_agree(const struct xds_panel *panel, size_t a, size_t b,
                     const struct xds_questions *questions);

/* Sets of known releases, by index. */
typedef uint64_t xds_release_set[(XDS_RELEASES + 63) / 64];

/* "go", or "go@1.64.1" when a release of it was asked for. */
struct xds_client_label xds_asked_label(const struct xds_options *options,
                                        enum xds_client client);
/* Releases other than the newest ones. */
bool xds_asks_releases(const struct xds_options *options);
/* Several releases of one client. */
bool xds_asks_older(const struct xds_options *options);
/* changes: releases at which rules change, without differences.def and environment.def.
 * What is more than XDS_MAX_READERS is left out: false. */
bool xds_panel_init(struct xds_panel *panel, const struct xds_options *options,
                    const xds_release_set changes);

/* All releases of these clients. */
xds_readers xds_panel_of(const struct xds_panel *panel, unsigned clients);

/* Add the first known release of the client that is not before this one. */
void xds_release_set_add(xds_release_set set, enum xds_client client,
                         struct xds_release release);

/* Whose user_agent_name it is; false when it is that of no client. */
bool xds_user_agent_client(struct xds_slice name, enum xds_client *client);
/* name and version: user_agent_name and user_agent_version of a Node; "gRPC C-core linux
 * Python" and "C-core 58.0.0 Python 1.85.1" are "core@1.85.1". Without a release, as for
 * an unknown version of C-core, the client alone; empty for all but gRPC. */
struct xds_client_label xds_user_agent_label(struct xds_slice name,
                                             struct xds_slice version);
/* The version of C-core in a known release. */
void xds_core_version(struct xds_release release, unsigned *major, unsigned *minor);

#endif
