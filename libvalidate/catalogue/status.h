/*
 * status.h - why RPCs fail, and how each client words it in the status.
 *
 * status.def has a row for each reason. The words of a client are the rows of
 * status_<client>.def:
 *
 * XDS_STATUS_TEXT(ID, CODE, major, minor, major, minor, HOW, text)
 *     ID     the reason, of status.def
 *     CODE   of the status, NONE where the configuration gives it or it is not a status
 *     major, minor   the first release that has the text; 0, 0: all known ones have it
 *     major, minor   the first later release without it; 0, 0: the newest has it
 *     HOW    RUN: a client has said it; READ: it is in the source of these releases
 *     text   {1} is a name without a blank, which the reason says more of; * is any text.
 *            What follows it, such as the ID of the node, is not part of it
 *
 * status_others.def has those of programs that read xDS by rules of their own, and
 * status_lines.def lines of the clients' logs, which cli/dev/clients/status compares with
 * the sources; status_channel.def has what they say of connections, with xDS or without,
 * as a line or as a status. status_faults.def has places at which releases have failed.
 */
#ifndef XDS_CATALOGUE_STATUS_H
#define XDS_CATALOGUE_STATUS_H

#include "base/arena.h"
#include "base/slice.h"
#include "clients/clients.h"
#include "include/xdscope.h"

enum xds_failure {
#define XDS_STATUS(id, slug, names, text, causes, show, rules, fields) XDS_FAILURE_##id,
#include "catalogue/status.def"
#undef XDS_STATUS
    XDS_FAILURES
};

/* NULL for XDS_FAILURES. */
const struct xds_rpc_failure *xds_failure_row(enum xds_failure failure);

/* What an RPC fails with: the message of its status, absent if it does not fail, and the
 * reason that this is; NULL: the catalogue has none. */
struct xds_failed {
    struct xds_slice text;
    const struct xds_rpc_failure *reason;
};

/* The words of a release of a client for it, with name for {1} and any for *; an absent
 * slice when none are known. any: absent where a text with * is of no use. */
struct xds_slice xds_status_words(struct xds_arena *arena, enum xds_failure failure,
                                  struct xds_client_release who, struct xds_slice name,
                                  struct xds_slice any);

/* The words of one of those who say so. */
struct xds_status_wording {
    const char *who;                  /* "go", "control planes", "Envoy", "Kitex" */
    struct xds_release since, before; /* as in a row; major 0: not limited */
    const char *text;
};

/* The next one from *i on; *i moves past it. False after the last one. */
bool xds_status_wording_of(const struct xds_rpc_failure *failure, size_t *i,
                           struct xds_status_wording *out);

/* By whom and since when a status of a log is worded so; who is NULL where several
 * clients do. */
struct xds_status_wording xds_status_wording_in(const struct xds_log_status *status);

/* A known text in a line of a log. */
struct xds_status_hit {
    enum xds_failure failure;
    const char *text;               /* of the row */
    struct xds_slice message, name; /* name: what {1} is, or absent */
    size_t weight;                  /* how many characters agree */
    unsigned clients;               /* who words it so */
    bool is_line; /* of a log: it counts before a status of these words */
};

#define XDS_STATUS_HITS 16 /* of one line */

/* Those of a line, the clearest first; no two of them overlap. */
size_t xds_status_hits(struct xds_slice line,
                       struct xds_status_hit hits[XDS_STATUS_HITS]);

#endif
