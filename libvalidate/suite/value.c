/* value.c - what the printers write, as text in an arena. */
#include "suite/value.h"

#include "model/tree.h"
#include "print/out.h"

static bool write_text(void *user, const char *data, size_t len)
{
    xds_text_add(user, xds_slice_make(data, len));
    return true;
}

struct xds_printer xds_text_printer(struct xds_text *text)
{
    return (struct xds_printer){.write = write_text, .user = text, .one_line = true};
}

static struct xds_slice written(struct xds_arena *arena, const struct xds_tree *tree,
                                void (*write)(struct xds_out *, const struct xds_tree *))
{
    struct xds_text text = {.arena = arena};
    const struct xds_printer to = xds_text_printer(&text);
    struct xds_out out;

    xds_out_init(&out, &to);
    write(&out, tree);
    (void)!xds_out_finish(&out); /* writing to memory does not fail */
    return xds_slice_make(xds_slice_text((struct xds_slice){text.data, 0}), text.len);
}

struct xds_slice xds_tree_json(struct xds_arena *arena, const struct xds_tree *tree)
{
    return written(arena, tree, xds_json_tree);
}

struct xds_slice xds_tree_flow(struct xds_arena *arena, const struct xds_tree *tree)
{
    return written(arena, tree, xds_out_flow);
}
