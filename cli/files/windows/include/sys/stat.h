/* sys/stat.h - for Windows: files have an identity, and times in parts of a second. */
#ifndef XDS_WINDOWS_SYS_STAT_H
#define XDS_WINDOWS_SYS_STAT_H

#include_next <sys/stat.h>

#include <stdint.h>
#include <time.h>

typedef int uid_t;
typedef int gid_t;

struct posix_stat {
    uint64_t st_dev, st_ino;
    unsigned st_mode, st_nlink;
    uid_t st_uid;
    gid_t st_gid;
    int64_t st_size;
    struct timespec st_mtim;
};

int posix_stat(const char *path, struct posix_stat *info);
int posix_fstat(int fd, struct posix_stat *info);

#undef stat
#undef fstat
#define stat posix_stat
#define fstat posix_fstat
#define lstat posix_stat
#define fchmod(fd, mode) ((void)(fd), (void)(mode), 0)
#undef S_ISLNK
#define S_ISLNK(mode) ((void)(mode), 0)
#ifndef S_ISSOCK
#define S_ISSOCK(mode) ((void)(mode), 0)
#endif

#endif
