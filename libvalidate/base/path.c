/*
 * path.c - render the frames of a reader's position.
 *
 * Takes:  a chain of frames from the innermost outwards.
 * Gives:  C-core's spelling of the path, or a copy of the frames, in an arena.
 */
#include "base/path.h"

#include <stdio.h>

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
        step[i].up = NULL;
        step[i].key = xds_arena_dup(arena, path->key);
    }
    return (struct xds_steps){n, step};
}

static struct xds_slice append_step(struct xds_arena *arena, struct xds_slice head,
                                    const struct xds_path *step)
{
    const char *dot = head.len ? "." : "";

    switch (step->kind) {
    case XDS_STEP_FIELD:
        return xds_arena_printf(arena, "%.*s%s%s", XDS_FMT(head), dot, step->field);
    case XDS_STEP_INDEX:
        return xds_arena_printf(arena, "%.*s%s%s[%zu]", XDS_FMT(head), dot, step->field,
                                step->index);
    case XDS_STEP_KEY:
    case XDS_STEP_VALUE:
        return xds_arena_printf(arena, "%.*s%s%s[%.*s]", XDS_FMT(head), dot, step->field,
                                XDS_FMT(step->key));
    }
    return head;
}

struct xds_slice xds_path_render(struct xds_arena *arena, const struct xds_path *path)
{
    const struct xds_steps steps = xds_path_copy(arena, path);
    struct xds_slice text = XDS_S("");

    for (size_t i = 0; i < steps.n; i++)
        text = append_step(arena, text, &steps.step[i]);
    return text;
}
