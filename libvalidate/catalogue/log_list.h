/*
 * log_list.h - the list of errors of grpc-node, taken apart.
 *
 * "Cluster message validation failed: [A,PATH: B]" is somewhere in a line. Nothing is
 * quoted in it: a comma after which no space follows parts errors, outside of brackets.
 */
#ifndef XDS_CATALOGUE_LOG_LIST_H
#define XDS_CATALOGUE_LOG_LIST_H

#include "base/slice.h"

struct xds_log_list {
    struct xds_slice rest; /* after the error that was given last */
    bool open;             /* inside of the list */
};

struct xds_log_list xds_log_list_of(struct xds_slice line);
/* The next error, and the path in front of it, which is empty where there is none; false
 * after the last one, list->rest is then what is after the list. */
bool xds_log_list_next(struct xds_log_list *list, struct xds_slice *path,
                       struct xds_slice *message);

#endif
