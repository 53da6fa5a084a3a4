/*
 * pass.c - read one side of a comparison once more, resource by resource.
 *
 * Fails:  XDS_ERR_IO when the input has another number of resources by now.
 */
#include "diff/pass.h"

#include "base/limits.h"
#include "decode/decode.h"

struct loop {
    struct xds_pass *pass;
    struct xds_source *source;
    uint32_t n;
    enum xds_status status;
};

const ProtobufCMessage *xds_pass_decode(struct xds_pass *pass,
                                        const struct xds_resource *in,
                                        struct xds_arena *arena, struct xds_any *root)
{
    const uint32_t resource = (uint32_t)pass->report->n_resources - 1;

    *root = (struct xds_any){0};
    return xds_decode(in, resource, pass->report, arena, root) &&
                   root->state == XDS_ANY_TYPED
               ? root->message
               : NULL;
}

static void run_loop(void *arg)
{
    struct loop *loop = arg;
    struct xds_pass *pass = loop->pass;
    const size_t expected = pass->diff->side[pass->side].report->n_resources;
    struct xds_resource in;

    while ((loop->status = xds_source_next(loop->source, &in)) == XDS_OK) {
        if (loop->n == expected) {
            loop->status = XDS_ERR_IO;
            return;
        }
        xds_arena_reset(&pass->decode);
        xds_report_add_resource(pass->report, XDS_S(""), XDS_S(""), in.at);
        pass->visit(pass, loop->n++, &in);
    }
    if (loop->status == XDS_END)
        loop->status = loop->n == expected ? XDS_OK : XDS_ERR_IO;
}

enum xds_status xds_pass_run(struct xds_pass *pass)
{
    struct xds_diff *diff = pass->diff;
    const struct xds_diff_side *side = &diff->side[pass->side];
    struct loop loop = {.pass = pass};
    enum xds_status status = XDS_ERR_NO_MEMORY;

    xds_arena_init(&pass->decode, XDS_MAX_DECODED_BYTES);
    pass->report = xds_report_new(xds_report_options(side->report));
    loop.source = pass->report ? side->open(side->user, pass->report) : NULL;
    if (loop.source) {
        struct xds_arena *const arenas[] = {&diff->arena, &diff->scratch, &pass->decode,
                                            &pass->report->arena, pass->taken};
        status = xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas) - !pass->taken, run_loop,
                                 &loop);
    }
    xds_source_free(loop.source);
    xds_report_free(pass->report);
    xds_arena_release(&pass->decode);
    return status == XDS_OK ? loop.status : status;
}
