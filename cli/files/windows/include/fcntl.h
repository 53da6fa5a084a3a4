/* fcntl.h - for Windows: what POSIX has besides. */
#ifndef XDS_WINDOWS_FCNTL_H
#define XDS_WINDOWS_FCNTL_H

#include_next <fcntl.h>

#define O_CLOEXEC _O_NOINHERIT
#define O_NONBLOCK 0x10000000
#define O_DIRECTORY 0x20000000
#define FD_CLOEXEC 1
#define F_GETFD 1
#define F_SETFD 2
#define F_SETFL 4
#define F_DUPFD_CLOEXEC 1030
#define AT_FDCWD (-100)
#define AT_EACCESS 0x200

int posix_open(const char *path, int flags, ...);
int posix_fcntl(int fd, int command, ...);

#define open posix_open
#define fcntl posix_fcntl
#define faccessat(folder, path, mode, flags) ((void)(folder), posix_access(path, mode))

#endif
