/* sys/socket.h - for Windows: sockets are numbers, and what went wrong is in errno. */
#ifndef XDS_WINDOWS_SYS_SOCKET_H
#define XDS_WINDOWS_SYS_SOCKET_H

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <winsock2.h>
#include <ws2tcpip.h>
#undef near
#undef far
#undef interface
#undef ERROR

#include <stddef.h>
#include <sys/types.h>

#ifndef EAI_SYSTEM
#define EAI_SYSTEM (-11)
#endif

int posix_socket(int family, int type, int protocol);
int posix_connect(int fd, const struct sockaddr *to, int size);
int posix_close_socket(int fd);
int posix_getsockopt(int fd, int level, int name, void *value, int *size);
int posix_setsockopt(int fd, int level, int name, const void *value, int size);
ssize_t posix_recv(int fd, void *to, size_t size, int flags);
ssize_t posix_send(int fd, const void *from, size_t size, int flags);
int posix_poll(struct pollfd *polled, unsigned long n, int ms);

#ifndef XDS_WINDOWS_ITSELF
#define socket posix_socket
#define connect posix_connect
#define close posix_close_socket
#define getsockopt posix_getsockopt
#define setsockopt posix_setsockopt
#define recv posix_recv
#define send posix_send
#define poll(polled, n, ms) posix_poll(polled, n, ms)
typedef unsigned long nfds_t;
#endif

#endif
