/* netinet/in.h - for Windows: all of it is there. */
#ifndef XDS_WINDOWS_NETINET_IN_H
#define XDS_WINDOWS_NETINET_IN_H

#include <sys/socket.h>

#endif
