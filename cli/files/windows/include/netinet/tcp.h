/* netinet/tcp.h - for Windows: all of it is there. */
#ifndef XDS_WINDOWS_NETINET_TCP_H
#define XDS_WINDOWS_NETINET_TCP_H

#include <sys/socket.h>

#endif
