/* scenario_dot.c - the policies of a scenario as they are in its end, for Graphviz. */
#include "print/inner.h"

/* Levels whose parents are remembered; deeper ones hang on the deepest. */
enum { LEVELS = 64 };

static struct xds_dot_node node_of(size_t number)
{
    return (struct xds_dot_node){"policy", number};
}

static enum xds_dot_look look_of(const struct xds_scene_node *node)
{
    if (node->parked)
        return XDS_DOT_LOST;
    return node->serves ? XDS_DOT_TAKEN : XDS_DOT_PLAIN;
}

/* Node 0 is the scenario itself. */
static void draw_scene(struct xds_out *out, const struct xds_scene *scene)
{
    size_t parent[LEVELS] = {0};

    for (size_t i = 0; i < scene->n; i++) {
        const struct xds_scene_node *node = &scene->list[i];
        const size_t depth = node->depth < LEVELS - 1 ? node->depth : LEVELS - 2;

        xds_dot_node_begin(out, node_of(i + 1));
        xds_dot_clean(out, node->label);
        xds_out_format(out, "\\n%s", xds_connectivity_name(node->state));
        xds_dot_node_end(out, XDS_DOT_BOX, look_of(node));
        xds_dot_edge(out, node_of(parent[depth]), node_of(i + 1), look_of(node));
        parent[depth + 1] = i + 1;
    }
}

enum xds_status xds_print_simulation_dot(const struct xds_printer *to,
                                         struct xds_simulation *simulation)
{
    enum xds_status status;
    struct xds_entry entry;
    struct xds_out out;

    xds_out_init(&out, to);
    while ((status = xds_simulation_next(simulation, true, &entry)) == XDS_OK &&
           !out.failed)
        if (entry.kind == XDS_ENTRY_END) {
            xds_dot_begin(&out, "scenario");
            xds_dot_node_begin(&out, node_of(0));
            xds_dot_clean(&out, entry.name);
            xds_out_format(&out, "\\nafter %s", xds_span(entry.chart->end_ms).text);
            xds_dot_node_end(&out, XDS_DOT_TEXT, XDS_DOT_PLAIN);
            draw_scene(&out, &entry.scene);
            xds_dot_end(&out);
        }
    const enum xds_status written = xds_out_finish(&out);

    return status == XDS_END || status == XDS_OK ? written : status;
}
