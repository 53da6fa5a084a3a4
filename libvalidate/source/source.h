/* source.h - sources of resources: their inputs, and one resource read once more. */
#ifndef XDS_SOURCE_SOURCE_H
#define XDS_SOURCE_SOURCE_H

#include <dirent.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "include/xdscope.h"
#include "report/report.h"
#include "source/reader.h"
#include "source/yaml/yaml.h"

/* Forget all inputs, and continue with this one. The text is borrowed till the next call.
 */
XDS_MUST_USE enum xds_status xds_source_restart(struct xds_source *source,
                                                const struct xds_line *line);

struct xds_report *xds_source_report(const struct xds_source *source);
/* Clients of which a dump has said who they are, or what they hold. */
uint32_t xds_source_clients(const struct xds_source *source);

/* What a copy takes, in bytes. */
size_t xds_resource_size(const struct xds_resource *resource);
/* Must run under a guard of arena, in which the copy lives. */
void xds_resource_copy(struct xds_arena *arena, const struct xds_resource *resource,
                       struct xds_resource *out);

/* A source remembers where in its file each resource of JSON or YAML is. A
 * caller that looks closer at a few of them need not read what is in front of them. */

/* Where a resource is. */
struct xds_extent {
    uint64_t offset; /* in bytes, from the begin of the file */
    uint32_t size;   /* in bytes: XDS_MAX_RESOURCE_BYTES at most; 0: not known */
    uint32_t file, line, column;
    enum xds_format format;
};

/* In the order in which they were read, and so in that of their places. */
struct xds_extents {
    struct xds_extent *items; /* of malloc() */
    size_t n, cap;
    bool mixed; /* they came in another order: no place tells which one is meant */
};

/* By their places. */
int xds_extent_cmp(const void *left, const void *right);
const struct xds_extents *xds_source_extents(const struct xds_source *source);
/* A regular file that is still what it was when it was read, opened; or -1. */
int xds_source_reopen(const struct xds_source *source, uint32_t file);

/* What tells that a file is still the one that was read. */
struct xds_stamp {
    bool known; /* it is a regular file */
    dev_t device;
    ino_t inode;
    off_t size;
    struct timespec changed;
};

/* The file that is open. */
struct xds_reread {
    struct xds_token_stream stream; /* first member */
    struct xds_token first;         /* token of the stream, if first_is_due */
    bool first_is_due;
    const struct xds_source *source; /* must outlive this */
    int fd;                          /* -1: none */
    uint32_t file;
    struct xds_buffer text;
    struct xds_yaml yaml;
};

void xds_reread_init(struct xds_reread *reread, const struct xds_source *source);
void xds_reread_release(struct xds_reread *reread);
/* The resource at this place: its format, bytes or tokens and place, nothing of what is
 * around it. Bytes are in the arena, under whose guard this runs, tokens live until the
 * next call. False when no resource is
 * known there, or its file has changed, or cannot be read any more: read that file from
 * its start then. */
bool xds_reread_at(struct xds_reread *reread, const struct xds_place *at,
                   struct xds_arena *arena, struct xds_resource *out);
/* The same, but YAML is read while its tokens are asked for, which keeps none and ends
 * where no more are wanted: then *stream is set, else NULL. The guard must have
 * reread->yaml.document too. A file that was changed while it is open breaks the stream:
 * read it from its start then. */
bool xds_reread_stream_at(struct xds_reread *reread, const struct xds_place *at,
                          struct xds_arena *arena, struct xds_resource *out,
                          struct xds_token_stream **stream);

struct xds_ignore_line;

/* Patterns as those of a .gitignore file. */
struct xds_ignore {
    const struct xds_ignore *up; /* asked where these do not decide */
    size_t folder;               /* bytes of the path of their folder, and its slash */
    struct xds_ignore_line *lines;
    size_t n, cap;
};

/* path: absolute, below the folder of each of them. Is it left out? */
bool xds_ignore_has(const struct xds_ignore *ignore, struct xds_slice path,
                    bool is_folder);
/* Patterns of any folder; one with a slash is seen from the working folder. */
const struct xds_ignore *xds_ignore_patterns(struct xds_arena *arena,
                                             const char *const *patterns, size_t n);
/* With what is in the .gitignore file of a folder, if there is one; or in those of the
 * folders above it, up to the one of its repository. False with errno. */
bool xds_ignore_read(struct xds_arena *arena, struct xds_slice folder,
                     const struct xds_ignore **ignore);
bool xds_ignore_read_above(struct xds_arena *arena, struct xds_slice folder,
                           const struct xds_ignore **ignore);

enum xds_input_kind {
    XDS_INPUT_FILE,
    XDS_INPUT_STDIN,
    XDS_INPUT_BYTES,
    XDS_INPUT_EMPTY_FOLDER, /* nothing to read, and that is a finding */
    XDS_INPUT_UNREADABLE,   /* a folder, or what is in it: a failure, then the next one */
};

struct xds_input {
    enum xds_input_kind kind;
    const char *path; /* or name */
    struct xds_slice bytes;
    uint32_t line;          /* BYTES: of a stream, whose line they are; else 0 */
    bool too_long;          /* such a line that was not read, and that is a finding */
    bool is_answer;         /* BYTES: a server has sent them */
    bool in_folder;         /* FILE, BYTES: it was found there, not named */
    int error;              /* UNREADABLE: its errno */
    uint32_t file;          /* of the report, once it is opened */
    struct xds_stamp stamp; /* then too, of a file */
};

struct xds_inputs {
    struct xds_arena *arena;
    struct xds_report *report;
    struct xds_input *items;
    size_t n, cap;
    DIR *open;                         /* the folder that is being read */
    const struct xds_ignore *excluded; /* by the options; NULL before the first folder */
};

void xds_inputs_add(struct xds_inputs *inputs, struct xds_input input);
/* A file, the snapshot files of a folder and of those in it (or that it has none), or
 * "-". False with errno set when it cannot be read; nothing is added then. What cannot be
 * read in a folder is an input that fails. Runs under a guard of arena and report->arena.
 */
bool xds_inputs_add_path(struct xds_inputs *inputs, const char *path);

/* Close the folder that was being read when memory ran out. */
void xds_inputs_close(struct xds_inputs *inputs);

/* What an input holds, as far as its name tells. */
enum xds_ending {
    XDS_ENDING_NONE,
    XDS_ENDING_JSON,
    XDS_ENDING_JSON_LINES,
    XDS_ENDING_YAML,
    XDS_ENDING_BINARY,
    XDS_ENDING_TEXT_PROTO,
};

enum xds_ending xds_input_ending(const char *path);
/* The same, or where it tells nothing what the first bytes look like. */
enum xds_ending xds_input_format(const char *path, struct xds_buffer *in);
/* The type that a file name tells, as in X.routes.yaml. */
enum xds_resource_type xds_input_type(const char *path);
/* The same for a type that gRPC does not read, as in X.secrets.yaml: its full name, or
 * NULL. */
const char *xds_input_other_type(const char *path);

#endif
