/*
 * kept_json.c - JSON that decisions share is made once.
 *
 * Fails:  never: what there is no memory for, or no room in the buffer, is written anew.
 */
#include "print/kept_json.h"

struct copying {
    struct xds_arena *arena;
    struct xds_slice text, copy;
};

static void copy_text(void *arg)
{
    struct copying *c = arg;

    c->copy = xds_arena_dup(c->arena, c->text);
}

/* Absent without memory. */
static struct xds_slice keep(struct xds_arena *arena, struct xds_slice text)
{
    struct copying c = {arena, text, {NULL, 0}};

    if (xds_arena_guard(&arena, 1, copy_text, &c) != XDS_OK)
        return (struct xds_slice){NULL, 0};
    return c.copy;
}

/* What still is in the buffer as a whole can be kept. */
static void write_once(struct xds_out *out, const struct xds_decision *d,
                       xds_section_fn write, struct xds_kept_json *kept)
{
    const size_t from = out->n, flushes = out->flushes;

    write(out, d);
    if (out->flushes == flushes)
        kept->text = keep(kept->arena, xds_slice_make(out->buffer + from, out->n - from));
}

void xds_json_kept(struct xds_out *out, const struct xds_decision *d,
                   xds_section_fn write, struct xds_kept_json *kept)
{
    if (!kept || !out->one_line)
        write(out, d);
    else if (kept->text.data)
        xds_out_raw(out, kept->text);
    else
        write_once(out, d, write, kept);
}
