/* sys/resource.h - for Windows: no limits. */
#ifndef XDS_WINDOWS_SYS_RESOURCE_H
#define XDS_WINDOWS_SYS_RESOURCE_H

typedef unsigned long long rlim_t;
struct rlimit {
    rlim_t rlim_cur, rlim_max;
};

#define RLIMIT_STACK 3
#define RLIMIT_AS 9
#define RLIM_INFINITY (~0ULL)
#define getrlimit(what, limit) ((void)(limit), -1)
#define setrlimit(what, limit) ((void)(limit), -1)

#endif
