/*
 * path.h - where in a message a reader is, as frames on the C stack.
 *
 * A frame costs nothing until a finding renders it. The grammar is C-core's:
 * "virtual_hosts[0].routes[2].match", ".value[full.Type.Name]" inside an Any.
 */
#ifndef XDS_BASE_PATH_H
#define XDS_BASE_PATH_H

#include "base/pool.h"

enum xds_step_kind {
    XDS_STEP_FIELD, /* ".field" */
    XDS_STEP_INDEX, /* ".field[index]" */
    XDS_STEP_KEY,   /* ".field[key]" of a map */
    XDS_STEP_VALUE, /* ".value[key]": the message of type `key` inside an Any */
};

/* Where C-core's spelling and the message differ: a step that is said but is no field,
 * and a field that goes unsaid. An unsaid step never comes first. */
enum xds_step_seen { XDS_STEP_EVERYWHERE, XDS_STEP_SAID, XDS_STEP_UNSAID };

struct xds_path {
    const struct xds_path *up;
    enum xds_step_kind kind;
    const char *field; /* proto name; may hold several steps: "safe_regex.regex" */
    size_t index;
    struct xds_slice key;
    enum xds_step_seen seen;
};

/* Frames live until the end of the enclosing block. */
#define XDS_AT(up, field)                                                                \
    (&(const struct xds_path){                                                           \
        (up), XDS_STEP_FIELD, (field), 0, {NULL, 0}, XDS_STEP_EVERYWHERE})
#define XDS_AT_I(up, field, index)                                                       \
    (&(const struct xds_path){                                                           \
        (up), XDS_STEP_INDEX, (field), (index), {NULL, 0}, XDS_STEP_EVERYWHERE})
#define XDS_AT_KEY(up, field, key)                                                       \
    (&(const struct xds_path){(up), XDS_STEP_KEY, (field), 0, (key), XDS_STEP_EVERYWHERE})
#define XDS_AT_VALUE(up, type)                                                           \
    (&(const struct xds_path){(up), XDS_STEP_VALUE, "value", 0, (type),                  \
                              XDS_STEP_EVERYWHERE})

/* Steps for the text only, and for the message only. */
#define XDS_AT_SAID(up, field)                                                           \
    (&(const struct xds_path){(up), XDS_STEP_FIELD, (field), 0, {NULL, 0}, XDS_STEP_SAID})
#define XDS_AT_SAID_I(up, field, index)                                                  \
    (&(const struct xds_path){                                                           \
        (up), XDS_STEP_INDEX, (field), (index), {NULL, 0}, XDS_STEP_SAID})
#define XDS_AT_UNSAID(up, field)                                                         \
    (&(const struct xds_path){                                                           \
        (up), XDS_STEP_FIELD, (field), 0, {NULL, 0}, XDS_STEP_UNSAID})
#define XDS_AT_UNSAID_I(up, field, index)                                                \
    (&(const struct xds_path){                                                           \
        (up), XDS_STEP_INDEX, (field), (index), {NULL, 0}, XDS_STEP_UNSAID})
#define XDS_AT_UNSAID_KEY(up, field, key)                                                \
    (&(const struct xds_path){(up), XDS_STEP_KEY, (field), 0, (key), XDS_STEP_UNSAID})

/* The rendered path; NULL renders as "". */
struct xds_slice xds_path_render(struct xds_arena *arena, const struct xds_path *path);
/* The same, kept once. */
struct xds_slice xds_pool_path(struct xds_pool *pool, const struct xds_path *path);

/* The frames of a path, outermost first, packed so that they outlive the stack in a few
 * bytes. Of fields, which are string literals, the address is kept; keys are copied. */
struct xds_steps {
    const char *packed; /* NULL: no step */
};
struct xds_steps xds_path_copy(struct xds_arena *arena, const struct xds_path *path);
/* The same, kept once. */
struct xds_steps xds_pool_steps(struct xds_pool *pool, const struct xds_path *path);
/* Cut off the outermost frame; its key is borrowed and it has nothing above it. False
 * after the last one. */
bool xds_steps_next(struct xds_steps *steps, struct xds_path *out);
/* The path again, as frames in the arena; NULL when there is no step. */
const struct xds_path *xds_path_of(struct xds_arena *arena, struct xds_steps steps);

#endif
