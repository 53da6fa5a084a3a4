/* input.h - the list of inputs: files, folders, standard input, bytes in memory. */
#ifndef XDS_SOURCE_INPUT_H
#define XDS_SOURCE_INPUT_H

#include <dirent.h>

#include "report/report.h"
#include "source/reread.h"

enum xds_input_kind {
    XDS_INPUT_FILE,
    XDS_INPUT_STDIN,
    XDS_INPUT_BYTES,
    XDS_INPUT_EMPTY_FOLDER, /* nothing to read, and that is a finding */
};

struct xds_input {
    enum xds_input_kind kind;
    const char *path; /* or name */
    struct xds_slice bytes;
    uint32_t line;          /* BYTES: of a stream, whose line they are; else 0 */
    bool too_long;          /* such a line that was not read, and that is a finding */
    uint32_t file;          /* of the report, once it is opened */
    struct xds_stamp stamp; /* then too, of a file */
};

struct xds_inputs {
    struct xds_arena *arena;
    struct xds_report *report;
    struct xds_input *items;
    size_t n, cap;
    DIR *open; /* the folder that is being read */
};

void xds_inputs_add(struct xds_inputs *inputs, struct xds_input input);
/* A file, the snapshot files of a folder and of those in it (or that it has none), or
 * "-". False with errno set when it cannot be read; nothing is added then. Runs under a
 * guard of arena and report->arena. */
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
/* The type that a file name tells, as in X.routes.yaml. */
enum xds_resource_type xds_input_type(const char *path);

#endif
