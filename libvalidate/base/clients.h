/* clients.h - clients by name, one after the other. */
#ifndef XDS_BASE_CLIENTS_H
#define XDS_BASE_CLIENTS_H

#include "include/xdscope.h"

/* Room for all of them, " and " between each two, and the NUL. */
#define XDS_CLIENT_LIST_SIZE 40

/* A value: it asks for no arena, and lasts as long as the expression it stands in. */
struct xds_client_list {
    char text[XDS_CLIENT_LIST_SIZE];
};

/* "core, go and java" of a mask of clients. last: what stands before the last of several,
 * such as " and ". */
struct xds_client_list xds_client_list(unsigned clients, const char *last);

#endif
