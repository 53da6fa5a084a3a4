/* poll.h - for Windows: all of it is there. */
#ifndef XDS_WINDOWS_POLL_H
#define XDS_WINDOWS_POLL_H

#include <sys/socket.h>

#endif
