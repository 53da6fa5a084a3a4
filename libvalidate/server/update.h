/* update.h - how a running server takes a Listener that replaces the one in use.
 * Source: rows of clients/differences.def. */
#ifndef XDS_SERVER_UPDATE_H
#define XDS_SERVER_UPDATE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/listener.h"

enum xds_likeness {
    XDS_LIKENESS_OTHER,  /* it is taken as a new one */
    XDS_LIKENESS_ALIKE,  /* it is taken for what is there, and nothing is done */
    XDS_LIKENESS_THROWS, /* the comparison kills the server */
};

/* Has the chain with this index, or XDS_DEFAULT_CHAIN, in both the same filters and
 * filter_chain_match? */
typedef bool (*xds_same_chain)(void *user, uint32_t chain);

/* As node compares the two; where it throws or is fooled, *why is a clause that says of
 * what. Source: server-listener.ts of node 1.14.1. */
enum xds_likeness xds_server_likeness(const struct xds_listener *now,
                                      const struct xds_listener *before,
                                      xds_same_chain same, void *user, const char **why);

#endif
