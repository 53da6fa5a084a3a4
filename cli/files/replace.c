/*
 * replace.c - a file that is written whole or not at all.
 *
 * Temporary files have names that no other run has, and are noted for signals.c while
 * they are there.
 */
#define _GNU_SOURCE /* mkostemps() */

#include "cli/files/replace.h"

#include "cli/options/common.h"
#include "cli/files/signals.h"
#include "cli/files/system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RANDOM ".XXXXXX"
#define SUFFIX ".tmp"

enum { MOST_LINKS = 40, USUAL_NAME_MAX = 255 };

/* ---- names ---- */

/* Bytes of the folder, with its slash. */
static size_t folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Where a link leads to, as a path of malloc(). */
static char *step(const char *link)
{
    const size_t folder = folder_of(link);
    char to[4096], *path;
    const ssize_t len = readlink(link, to, sizeof to);

    if (len < 0 || (size_t)len == sizeof to)
        return NULL;
    if (to[0] == '/')
        return strndup(to, (size_t)len);
    path = malloc(folder + (size_t)len + 1);
    if (path) {
        memcpy(path, link, folder);
        memcpy(path + folder, to, (size_t)len);
        path[folder + (size_t)len] = '\0';
    }
    return path;
}

/* The file itself, also one that is not there yet; errno when there is none. */
static char *follow(const char *name)
{
    struct stat info;
    char *path = strdup(name), *next;

    for (int i = 0; path && i < MOST_LINKS; i++) {
        if (lstat(path, &info) != 0 || !S_ISLNK(info.st_mode))
            return path;
        next = step(path);
        free(path);
        path = next;
    }
    free(path);
    errno = path ? ELOOP : errno;
    return NULL;
}

/* FOLDER/NAME.XXXXXX.tmp; a long name is cut, between characters. */
static char *template_of(const char *folder, size_t folder_len, const char *base)
{
    const size_t ends = strlen(RANDOM) + strlen(SUFFIX);
    char *path = malloc(folder_len + strlen(base) + ends + 1);

    if (!path)
        return NULL;
    memcpy(path, folder, folder_len);
    memcpy(path + folder_len, ".", 2);
    const long limit = pathconf(folder_len > 0 ? path : ".", _PC_NAME_MAX);
    const size_t most = (size_t)(limit > 32 ? limit : USUAL_NAME_MAX) - ends;
    size_t len = strlen(base);

    if (len > most)
        for (len = most; len > 1 && ((unsigned char)base[len] & 0xc0) == 0x80;)
            len--;
    memcpy(path + folder_len, base, len);
    memcpy(path + folder_len + len, RANDOM SUFFIX, ends + 1);
    return path;
}

/* ---- the temporary file ---- */

static const char *temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");

    return folder && *folder == '/' ? folder : "/tmp";
}

/* -1: errno says why. */
static int make_at(struct replacement *r, const char *folder, size_t folder_len)
{
    const char *base = r->path + folder_of(r->path);
    sigset_t before;
    int fd = -1;

    r->temporary = template_of(folder, folder_len, base);
    if (!r->temporary)
        return -1;
    signals_block(&before);
    fd = mkostemps(r->temporary, (int)strlen(SUFFIX), O_CLOEXEC);
    if (fd >= 0)
        signals_note_unfinished(r->temporary);
    signals_restore(&before);
    if (fd < 0) {
        const int why = errno;

        free(r->temporary);
        r->temporary = NULL;
        errno = why;
    }
    return fd;
}

static bool may_write_over(const struct replacement *r)
{
    return r->has_old && faccessat(AT_FDCWD, r->path, W_OK, AT_EACCESS) == 0;
}

/* The folder may be one that nothing can be added to, and the file one that can be
 * written. */
static int make_temporary(struct replacement *r)
{
    const int fd = make_at(r, r->path, folder_of(r->path));
    char folder[4096];

    if (fd >= 0 || (errno != EACCES && errno != EROFS && errno != EPERM))
        return fd;
    const int why = errno;
    const int len = snprintf(folder, sizeof folder, "%s/", temporary_folder());

    if (may_write_over(r) && len > 0 && (size_t)len < sizeof folder) {
        r->writes_over = true;
        return make_at(r, folder, (size_t)len);
    }
    errno = why;
    return -1;
}

/* ---- what the older file is ---- */

/* False: a new file cannot be what the older one is. */
static bool make_alike(const struct replacement *r, int fd)
{
    struct stat now;

    if (r->old.st_nlink > 1 || fstat(fd, &now) != 0)
        return false;
    if (now.st_gid != r->old.st_gid && fchown(fd, (uid_t)-1, r->old.st_gid) != 0)
        return false;
    if (now.st_uid != r->old.st_uid && fchown(fd, r->old.st_uid, (gid_t)-1) != 0)
        return false;
    if (fchmod(fd, r->old.st_mode & 07777) != 0)
        return false;
    system_copy_attributes(r->path, fd);
    return true;
}

static bool make_new(int fd)
{
    const mode_t mask = umask(0);

    (void)umask(mask);
    return fchmod(fd, 0666 & ~mask) == 0;
}

/* ---- beginning ---- */

static void forget_temporary(struct replacement *r)
{
    sigset_t before;

    signals_block(&before);
    (void)unlink(r->temporary);
    signals_forget_unfinished(r->temporary);
    signals_restore(&before);
    free(r->temporary);
    r->temporary = NULL;
}

static FILE *open_beside(struct replacement *r)
{
    const int fd = make_temporary(r);

    if (fd < 0)
        return NULL;
    if (!r->has_old)
        (void)make_new(fd);
    else if (!r->writes_over && !make_alike(r, fd))
        r->writes_over = may_write_over(r);
    FILE *file = fdopen(fd, "wb");

    if (!file) {
        (void)close(fd);
        forget_temporary(r);
    }
    return file;
}

/* -o /dev/stdout, which is a file: what others write there stays. */
static int stream_of(const struct stat *file)
{
    struct stat stream;

    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
        if (fstat(fd, &stream) == 0 && stream.st_dev == file->st_dev &&
            stream.st_ino == file->st_ino)
            return fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    return -1;
}

void replace_begin(struct replacement *r, const char *name)
{
    *r = (struct replacement){.file = NULL};
    r->has_old = stat(name, &r->old) == 0;
    const int stream = r->has_old ? stream_of(&r->old) : -1;

    if (stream >= 0) {
        r->file = fdopen(stream, "wb");
    } else if (r->has_old && !S_ISREG(r->old.st_mode)) {
        r->file = fopen(name, "wb");
    } else {
        r->path = follow(name);
        r->file = r->path ? open_beside(r) : NULL;
    }
}

/* ---- ending ---- */

static bool sync_file(FILE *file)
{
    if (fsync(fileno(file)) == 0)
        return true;
    return errno == EINVAL || errno == ENOTSUP || errno == EROFS; /* it has no disk */
}

void replace_sync_folder(const char *path)
{
    const size_t len = folder_of(path);
    char *folder = len > 0 ? strndup(path, len) : strdup(".");
    const int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

    free(folder);
    if (fd < 0)
        return;
    (void)fsync(fd);
    (void)close(fd);
}

/* From the beginning of both. */
static bool copy(int from, int to)
{
    char buffer[65536];
    ssize_t n, done;

    while ((n = read(from, buffer, sizeof buffer)) > 0)
        for (ssize_t at = 0; at < n; at += done) {
            done = write(to, buffer + at, (size_t)(n - at));
            if (done < 0)
                return false;
        }
    return n == 0;
}

/* *begun: the older text is no longer whole. */
static bool copy_over(const struct replacement *r, int from, int to, bool *begun)
{
    struct stat info;

    if (fstat(from, &info) != 0)
        return false;
    /* Room for all of it, before the first byte of the older text is lost. */
    if (info.st_size > r->old.st_size) {
        const int why = system_reserve(to, (long long)info.st_size);

        if (why != 0) {
            (void)!ftruncate(to, r->old.st_size);
            errno = why;
            return false;
        }
    }
    *begun = true;
    return copy(from, to) && ftruncate(to, info.st_size) == 0 && fsync(to) == 0;
}

static bool write_over(struct replacement *r, bool *begun)
{
    const int from = open(r->temporary, O_RDONLY | O_CLOEXEC);
    const int to = from < 0 ? -1 : open(r->path, O_WRONLY | O_CLOEXEC);
    bool good = to >= 0 && copy_over(r, from, to, begun);
    const int why = errno;

    if (from >= 0)
        (void)close(from);
    if (to >= 0 && close(to) != 0)
        return false;
    errno = why;
    return good;
}

/* rename() cannot replace a file that is a mount of its own, or another's in a folder
 * with the sticky bit. */
static bool is_not_for_rename(int why)
{
    return why == EBUSY || why == EPERM || why == EACCES || why == EXDEV;
}

/* No signal comes before it is done. */
static bool put_in_place(struct replacement *r, bool *begun)
{
    if (!r->writes_over) {
        if (rename(r->temporary, r->path) == 0) {
            signals_forget_unfinished(r->temporary);
            free(r->temporary);
            r->temporary = NULL;
            replace_sync_folder(r->path);
            return true;
        }
        if (!is_not_for_rename(errno) || !may_write_over(r))
            return false;
    }
    return write_over(r, begun);
}

/* The new text stays where it is, as the older one is lost. */
static char *keep(struct replacement *r)
{
    char *temporary = r->temporary;

    signals_forget_unfinished(temporary);
    r->temporary = NULL;
    return temporary;
}

/* Everything is on the disk. */
static bool finish_writing(const struct replacement *r, bool complete)
{
    if (!r->file)
        return false;
    if (fflush(r->file) == 0 && complete && (!r->temporary || sync_file(r->file)))
        return fclose(r->file) == 0;

    const int why = errno;

    (void)fclose(r->file);
    errno = why;
    return false;
}

bool replace_end(struct replacement *r, bool complete, char **kept)
{
    bool good = finish_writing(r, complete), begun = false;
    sigset_t before;

    *kept = NULL;
    if (good && r->temporary) {
        signals_block(&before);
        good = put_in_place(r, &begun);
        if (!good && begun)
            *kept = keep(r);
        signals_restore(&before);
    }

    const int why = errno;

    if (r->temporary)
        forget_temporary(r);
    free(r->path);
    *r = (struct replacement){.file = NULL};
    errno = why;
    return good;
}

/* ---- without a name ---- */

FILE *replace_spool(const struct command *command)
{
    const char *folder = temporary_folder();
    char path[4096];
    sigset_t before;
    FILE *file = NULL;

    (void)snprintf(path, sizeof path, "%s/xdscope.XXXXXX", folder);
    signals_block(&before);
    const int fd = mkostemp(path, O_CLOEXEC);

    if (fd >= 0)
        (void)unlink(path);
    signals_restore(&before);
    if (fd >= 0)
        file = fdopen(fd, "w+b");
    if (!file) {
        (void)trouble_errno(command, folder);
        if (fd >= 0)
            (void)close(fd);
    }
    return file;
}
