/* sys/ioctl.h - for Windows: the width of a console. */
#ifndef XDS_WINDOWS_SYS_IOCTL_H
#define XDS_WINDOWS_SYS_IOCTL_H

struct winsize {
    unsigned short ws_row, ws_col;
};

#define TIOCGWINSZ 0x5413
int posix_winsize(int fd, struct winsize *size);
#define ioctl(fd, request, size) posix_winsize(fd, size)

#endif
