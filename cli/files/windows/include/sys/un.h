/* sys/un.h - for Windows: paths of sockets. */
#ifndef XDS_WINDOWS_SYS_UN_H
#define XDS_WINDOWS_SYS_UN_H

struct sockaddr_un {
    unsigned short sun_family;
    char sun_path[108];
};

#endif
