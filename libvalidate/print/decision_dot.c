/* decision_dot.c - one decision as a Graphviz digraph. */
#include "print/decision_parts.h"

enum { MOST_HOSTS = 48 };

struct job {
    const struct xds_decision *decision;
    struct xds_arena arena;
    struct xds_picture picture;
    struct xds_out out;
};

static void draw(void *arg)
{
    struct job *job = arg;

    xds_picture_init(&job->picture, &job->arena);
    xds_decision_draw(&job->picture, job->decision, MOST_HOSTS);
    xds_dot_picture(&job->out, "explain", &job->picture);
}

enum xds_status xds_print_decision_dot(const struct xds_printer *to,
                                       const struct xds_decision *decision)
{
    struct job job = {.decision = decision};

    return xds_out_run(&job.out, &job.arena, to, draw, &job);
}
