/* arpa/inet.h - for Windows: addresses as texts, without Windows' own headers. */
#ifndef XDS_WINDOWS_ARPA_INET_H
#define XDS_WINDOWS_ARPA_INET_H

#include <stdint.h>

#define AF_INET 2
#define AF_INET6 23
#define INET_ADDRSTRLEN 16
#define INET6_ADDRSTRLEN 46

int posix_inet_pton(int family, const char *text, void *address);
const char *posix_inet_ntop(int family, const void *address, char *text, unsigned size);

#define inet_pton posix_inet_pton
#define inet_ntop posix_inet_ntop

#endif
