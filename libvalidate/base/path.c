/*
 * path.c - render the frames of a reader's position.
 *
 * Takes:  a chain of frames from the innermost outwards.
 * Gives:  C-core's spelling of the path, or a copy of the frames, in an arena.
 */
#include "base/path.h"

static size_t depth_of(const struct xds_path *path)
{
    size_t n = 0;

    for (; path; path = path->up)
        n++;
    return n;
}

struct xds_steps xds_path_copy(struct xds_arena *arena, const struct xds_path *path)
{
    const size_t n = depth_of(path);
    struct xds_path *step = XDS_NEW_ARRAY(arena, struct xds_path, n);

    for (size_t i = n; i-- > 0; path = path->up) {
        step[i] = *path;
        step[i].up = i > 0 ? &step[i - 1] : NULL;
        step[i].key = xds_arena_dup(arena, path->key);
    }
    return (struct xds_steps){n, step};
}

/* ---- rendering: backwards, since the frames lead from the inside out ----------------
 */

/* Text goes in front of `at`; without a place it is only counted. */
struct pen {
    char *at;
    size_t len;
};

static void put(struct pen *pen, const char *text, size_t len)
{
    pen->len += len;
    if (!pen->at || len == 0)
        return;
    pen->at -= len;
    memcpy(pen->at, text, len);
}

static void put_number(struct pen *pen, size_t number)
{
    do {
        const char digit = (char)('0' + number % 10);

        put(pen, &digit, 1);
        number /= 10;
    } while (number);
}

static void put_subscript(struct pen *pen, const struct xds_path *step)
{
    switch (step->kind) {
    case XDS_STEP_FIELD:
        return;
    case XDS_STEP_INDEX:
        put(pen, "]", 1);
        put_number(pen, step->index);
        break;
    case XDS_STEP_KEY:
    case XDS_STEP_VALUE:
        put(pen, "]", 1);
        put(pen, step->key.data, step->key.len);
        break;
    }
    put(pen, "[", 1);
}

static void put_path(struct pen *pen, const struct xds_path *path)
{
    for (; path; path = path->up) {
        if (path->seen == XDS_STEP_UNSAID)
            continue;
        put_subscript(pen, path);
        put(pen, path->field, strlen(path->field));
        if (path->up)
            put(pen, ".", 1);
    }
}

struct xds_slice xds_path_render(struct xds_arena *arena, const struct xds_path *path)
{
    struct pen counted = {NULL, 0};

    put_path(&counted, path);
    char *text = xds_arena_alloc(arena, counted.len + 1);
    struct pen pen = {text + counted.len, 0};
    put_path(&pen, path);
    text[counted.len] = '\0';
    return xds_slice_make(text, counted.len);
}
