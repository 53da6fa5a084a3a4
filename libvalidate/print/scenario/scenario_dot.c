/* scenario_dot.c - the policies of a scenario as they are in its end, for Graphviz. */
#include "print/picture/picture.h"
#include "print/write/out.h"
#include "scenario/scenario.h"

/* Levels whose parents are remembered; deeper ones hang on the deepest. */
enum { LEVELS = 64 };

struct job {
    struct xds_simulation *simulation;
    enum xds_status status; /* of the simulation */
    size_t n; /* scenarios so far; the first one waits whether it is the only one */
    struct xds_arena arena;
    struct xds_picture first, picture;
    struct xds_out out;
};

static struct xds_dot_node node_of(size_t number)
{
    return (struct xds_dot_node){"policy", number};
}

/* Node 0 is the scenario itself. */
static void draw_scene(struct xds_picture *picture, const struct xds_scene *scene)
{
    size_t parent[LEVELS] = {0};

    for (size_t i = 0; i < scene->n; i++) {
        const struct xds_scene_node *node = &scene->list[i];
        const size_t depth = node->depth < LEVELS - 1 ? node->depth : LEVELS - 2;
        const enum xds_dot_look look = node->parked   ? XDS_DOT_LOST
                                       : node->serves ? XDS_DOT_TAKEN
                                                      : XDS_DOT_PLAIN;

        xds_picture_node(picture, node_of(i + 1), XDS_DOT_BOX, look, "%.*s\n%s",
                         XDS_FMT(node->label), xds_connectivity_name(node->state));
        xds_picture_edge(picture, node_of(parent[depth]), node_of(i + 1), look);
        parent[depth + 1] = i + 1;
    }
}

static void draw_end(struct job *job, const struct xds_entry *entry)
{
    struct xds_picture *picture = job->n++ == 0 ? &job->first : &job->picture;

    xds_picture_init(picture, &job->arena);
    xds_picture_node(picture, node_of(0), XDS_DOT_TEXT, XDS_DOT_PLAIN, "%.*s\nafter %s",
                     XDS_FMT(entry->name), xds_span(entry->chart->end_ms).text);
    draw_scene(picture, &entry->scene);
    if (job->n == 1)
        return;
    if (job->n == 2) {
        xds_dot_begin(&job->out, "scenarios");
        xds_dot_part(&job->out, &job->first, 1);
    }
    xds_dot_part(&job->out, picture, job->n);
    xds_arena_reset(&job->arena);
}

static void draw(void *arg)
{
    struct job *job = arg;
    struct xds_entry entry;

    while ((job->status = xds_simulation_next(job->simulation, true, XDS_WRITE_JSON,
                                              &entry)) == XDS_OK &&
           !job->out.failed)
        if (entry.kind == XDS_ENTRY_END)
            draw_end(job, &entry);
    if (job->n == 1)
        xds_dot_picture(&job->out, "scenario", &job->first);
    else if (job->n > 1)
        xds_dot_end(&job->out);
}

enum xds_status xds_print_simulation_dot(const struct xds_printer *to,
                                         struct xds_simulation *simulation)
{
    struct job job = {.simulation = simulation};
    const enum xds_status written = xds_out_run(&job.out, &job.arena, to, draw, &job);

    return job.status == XDS_END || job.status == XDS_OK ? written : job.status;
}
