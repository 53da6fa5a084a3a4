/* pass.h - read one side of a comparison once more, resource by resource. */
#ifndef XDS_DIFF_PASS_H
#define XDS_DIFF_PASS_H

#include "diff/diff.h"

struct xds_pass {
    struct xds_diff *diff;
    enum xds_side side;
    void (*visit)(struct xds_pass *pass, uint32_t index, const struct xds_resource *in);
    void *user;
    struct xds_arena *taken;   /* in which visit keeps messages; NULL: nowhere */
    struct xds_report *report; /* of this pass: faults, and places that are looked for */
    struct xds_arena decode;   /* free for use, reset for each resource */
};

/* Calls visit for each resource that the check saw, with its index in the report of the
 * side. Runs under a guard of the comparison's arenas, which passes fatal memory faults
 * on. XDS_ERR_IO: the input could not be read again, or is another one. */
enum xds_status xds_pass_run(struct xds_pass *pass);
/* Decode it into an arena; NULL when it cannot be read, or is of no known type. */
const ProtobufCMessage *xds_pass_decode(struct xds_pass *pass,
                                        const struct xds_resource *in,
                                        struct xds_arena *arena, struct xds_any *root);

#endif
