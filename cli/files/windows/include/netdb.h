/* netdb.h - for Windows: all of it is there. */
#ifndef XDS_WINDOWS_NETDB_H
#define XDS_WINDOWS_NETDB_H

#include <sys/socket.h>

#endif
