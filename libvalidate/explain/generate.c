/*
 * generate.c - service configs and LB policy trees from a snapshot.
 *
 * Fails:  XDS_ERR_NO_MEMORY; XDS_ERR_USAGE when nothing says which listener is meant, or
 *         when the config of the update before cannot be read.
 * Source: spec routing 14.
 */
#include <stdlib.h>

#include "check/check.h"
#include "generate/config.h"
#include "explain/explain.h"

struct xds_generator {
    struct xds_check *check;
    enum xds_client client;
    struct xds_arena arena; /* reset per config */
    struct xds_previous previous;
    const struct xds_snapshot_entry **clusters;
    size_t n_clusters;
};

struct work {
    struct xds_generator *generator;
    const struct xds_config_request *request;
    struct xds_maker maker;
    struct xds_config *config;
    enum xds_status status;
    void (*generate)(struct work *w);
};

/* ---- which virtual host ---- */

/* What a target or a route configuration comes to. */
struct place {
    const struct xds_listener *listener;
    const struct xds_route_config *route_config;
    const struct xds_virtual_host *host;
};

static struct xds_slice dead(const struct work *w, struct xds_slice error)
{
    return xds_arena_printf(w->maker.arena, "%s dies (CRASH): it %.*s",
                            xds_client_name(w->maker.client), XDS_FMT(error));
}

static bool find_host(struct work *w, const struct xds_rpc *rpc,
                      struct xds_decision *decision)
{
    struct xds_lb lb;

    xds_lb_init(&lb, rpc, w->maker.snapshot);
    const bool found = xds_explain_virtual_host(&lb, decision);

    w->config->subject = decision->start.listener_name.len > 0
                             ? decision->start.listener_name
                             : decision->start.route_config_name;
    if (found)
        return true;
    w->config->choices = decision->start.choices;
    w->config->n_choices = decision->start.n_choices;
    w->config->error = decision->outcome == XDS_OUTCOME_CRASH
                           ? dead(w, decision->status.error)
                           : decision->status.error;
    if (decision->start.several_listeners)
        w->status = XDS_ERR_USAGE;
    return false;
}

/* Of what the client rejects no config is made: its parts may be invalid. */
static bool is_rejected(struct work *w, const struct xds_decision *d)
{
    const bool is_inline = !d->start.listener->rds_name.data;
    const struct xds_slice name =
        is_inline ? d->start.listener_name : d->start.route_config_name;
    const char *why;

    if (!d->start.assumed ||
        xds_accepted(w->maker.snapshot, w->maker.client,
                     is_inline ? XDS_TYPE_LISTENER : XDS_TYPE_ROUTE, name, &why))
        return false;
    w->config->error = xds_arena_printf(w->maker.arena, "%s %.*s %s",
                                        is_inline ? "Listener" : "RouteConfiguration",
                                        XDS_FMT(name), why);
    return true;
}

static bool find_place(struct work *w, struct place *place)
{
    const struct xds_request request = {.target = w->request->target,
                                        .listener = w->request->listener,
                                        .route_config = w->request->route_config,
                                        .authority = w->request->authority};
    struct xds_decision decision = {.client = w->maker.client};
    struct xds_rpc rpc = xds_maker_rpc(&w->maker);

    rpc.request = &request;
    if (!find_host(w, &rpc, &decision) || is_rejected(w, &decision))
        return false;
    *place = (struct place){decision.start.listener, decision.start.route_config,
                            decision.virtual_host.host};
    for (size_t i = 0; decision.start.assumed && i < decision.n_notes; i++)
        xds_note(&w->maker, "%.*s", XDS_FMT(decision.notes[i]));
    return true;
}

/* ---- service configs ---- */

static struct xds_tree method_configs(const struct work *w)
{
    struct xds_arena *arena = w->maker.arena;
    struct xds_tree out = xds_tree_array();

    for (size_t i = 0; i < w->config->routes.n; i++) {
        const struct xds_config_route *r = &w->config->routes.list[i];
        struct xds_tree entry = xds_tree_object();

        xds_tree_put(arena, &entry, "route_index", xds_tree_number((double)r->index));
        if (r->entry)
            xds_tree_put(arena, &entry, "cluster", xds_tree_string(r->entry->name));
        xds_tree_put(arena, &entry, "method_config", r->method_config);
        xds_tree_add(arena, &out, entry);
    }
    return out;
}

/* The document of A28 and of today. */
static void finish(struct work *w, struct xds_tree service_config)
{
    struct xds_arena *arena = w->maker.arena;
    struct xds_config *config = w->config;
    const struct xds_tree *list = xds_tree_member(&service_config, "loadBalancingConfig");
    struct xds_tree document = xds_tree_object();

    xds_tree_put(arena, &document, "version", xds_tree_number(1));
    xds_tree_put(arena, &document, "service_config", service_config);
    if (config->form == XDS_CONFIG_CURRENT)
        xds_tree_put(arena, &document, "method_configs", method_configs(w));
    if (config->error.data)
        xds_tree_put(arena, &document, "error", xds_tree_string(config->error));
    if (list)
        config->policies = *list;
    config->document = document;
}

static void generate_service_config(struct work *w)
{
    struct xds_config *config = w->config;
    struct place place;

    if (!find_place(w, &place)) {
        finish(w, xds_tree_object());
        return;
    }
    config->host = place.host;
    switch (config->form) {
    case XDS_CONFIG_A28:
        finish(w, xds_a28_config(&w->maker, place.host,
                                 xds_previous_service_config(&w->generator->previous),
                                 w->request->single_route, &config->places));
        return;
    case XDS_CONFIG_METHODS:
        config->document = xds_methods_config(&w->maker, place.listener, place.host);
        config->methods = config->document.items[0];
        return;
    case XDS_CONFIG_CURRENT:
    case XDS_CONFIG_LEGACY:
        config->routes = xds_config_routes_of(&w->maker, place.listener, place.host);
        if (XDS_DIFFERS(&w->maker, XDS_DIFF_MANAGER_NEEDS_CHILD) && config->routes.n == 0)
            config->error =
                XDS_S("no route leads to a cluster, and this client rejects a "
                      "service config without one");
        finish(w, xds_manager_config(&w->maker, place.host, place.route_config));
        return;
    }
}

/* ---- LB configs ---- */

static void generate_lb_config(struct work *w)
{
    struct xds_arena *arena = w->maker.arena;
    struct xds_config *config = w->config;
    const struct xds_slice cluster = w->request->cluster;
    const struct xds_lb_tree *lb = &config->lb;
    struct xds_tree document = xds_tree_object(), trees = xds_tree_object();

    /* What the documents had before A75 is the tree of before A74. */
    if (XDS_DIFFERS(&w->maker, XDS_DIFF_OVERRIDE_HOST_A55))
        config->form = XDS_CONFIG_LEGACY;
    config->is_lb_config = true;
    config->subject = cluster;
    config->lb = xds_lb_tree_of(&w->maker, cluster, config->form == XDS_CONFIG_LEGACY,
                                xds_previous_cluster(&w->generator->previous, cluster));
    config->error = config->lb.error;
    config->policies = config->lb.policy;
    xds_tree_put(arena, &document, "version", xds_tree_number(1));
    xds_tree_put(arena, &document, "cluster", xds_tree_string(cluster));
    xds_tree_put(arena, &document, "lb_policy", config->policies);
    if (config->form == XDS_CONFIG_LEGACY)
        xds_tree_put(arena, &document, "priority_policy", config->lb.below);
    /* The trees of an aggregate's leaves, which its own tree only names. */
    for (size_t i = 0; i < lb->n_leaves; i++)
        xds_tree_put_key(arena, &trees, lb->leaves[i].leaf.name, lb->leaves[i].policy);
    if (lb->is_aggregate && config->form == XDS_CONFIG_CURRENT &&
        !xds_flattens_aggregates(w->maker.options, w->maker.client))
        xds_tree_put(arena, &document, "leaves", trees);
    if (config->error.data) {
        xds_tree_put(arena, &document, "error", xds_tree_string(config->error));
    } else {
        config->facts = xds_tree_array();
        for (size_t i = 0; i < lb->n_leaves; i++)
            xds_tree_add(arena, &config->facts,
                         xds_leaf_facts(&w->maker, &lb->leaves[i]));
        xds_tree_put(arena, &document, "resources", config->facts);
        xds_tree_put(arena, &document, "child_numbers",
                     xds_lb_tree_numbers(&w->maker, lb));
    }
    config->document = document;
}

/* ---- the calls ---- */

static void run(void *arg)
{
    struct work *w = arg;

    w->config = XDS_NEW(w->maker.arena, struct xds_config);
    w->config->form = w->request->form;
    w->config->client = w->maker.client;
    w->config->as = xds_asked_label(w->maker.options, w->maker.client);
    if (!xds_previous_read(&w->generator->previous, w->request->previous)) {
        w->status = w->generator->previous.error.data ? XDS_ERR_USAGE : XDS_ERR_NO_MEMORY;
        return;
    }
    w->generate(w);
    w->config->notes = w->maker.notes;
}

static enum xds_status generate(struct xds_generator *g,
                                const struct xds_config_request *request,
                                void (*how)(struct work *w),
                                const struct xds_config **out)
{
    struct xds_arena *const arenas[] = {&g->arena};
    struct work w = {
        .generator = g,
        .request = request,
        .maker = {.arena = &g->arena,
                  .options = &g->check->report->options,
                  .snapshot = &g->check->snapshot,
                  .client = g->client,
                  .dialect = xds_dialect_of(&g->check->report->options, g->client)},
        .generate = how,
    };

    xds_arena_reset(&g->arena);
    const enum xds_status status = xds_check_status(
        g->check, xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), run, &w));
    *out = status == XDS_OK ? w.config : NULL;
    return status == XDS_OK ? w.status : status;
}

enum xds_status xds_generate_service_config(struct xds_generator *generator,
                                            const struct xds_config_request *request,
                                            const struct xds_config **out)
{
    return generate(generator, request, generate_service_config, out);
}

enum xds_status xds_generate_lb_config(struct xds_generator *generator,
                                       const struct xds_config_request *request,
                                       const struct xds_config **out)
{
    return generate(generator, request, generate_lb_config, out);
}

/* ---- the generator ---- */

struct xds_generator *xds_generator_new(struct xds_check *check, enum xds_client client)
{
    struct xds_generator *g = calloc(1, sizeof *g);

    if (!g)
        return NULL;
    g->check = check;
    g->client = client;

    /* Of clusters of one name the client uses one. */
    const struct xds_snapshot *snapshot = &g->check->snapshot;
    size_t n = 0;

    for (const struct xds_snapshot_entry *e = snapshot->first[XDS_TYPE_CLUSTER]; e;
         e = e->next)
        n++;
    g->clusters = calloc(n + 1, sizeof *g->clusters);
    for (const struct xds_snapshot_entry *e = snapshot->first[XDS_TYPE_CLUSTER];
         e && g->clusters; e = e->next) {
        if (xds_snapshot_used(snapshot, g->client, XDS_TYPE_CLUSTER, e->name) == e &&
            xds_accepted(snapshot, g->client, XDS_TYPE_CLUSTER, e->name, NULL))
            g->clusters[g->n_clusters++] = e;
    }
    if (!g->clusters) {
        free(g);
        return NULL;
    }
    xds_arena_init(&g->arena, 0);
    xds_previous_init(&g->previous);
    return g;
}

void xds_generator_free(struct xds_generator *generator)
{
    if (!generator)
        return;
    xds_previous_release(&generator->previous);
    xds_arena_release(&generator->arena);
    free(generator->clusters);
    free(generator);
}

struct xds_slice xds_generator_cluster(const struct xds_generator *generator, size_t i)
{
    return i < generator->n_clusters ? generator->clusters[i]->name
                                     : xds_slice_make(NULL, 0);
}

struct xds_slice xds_generator_previous_error(const struct xds_generator *generator)
{
    return generator->previous.error;
}

struct xds_slice xds_config_error(const struct xds_config *config)
{
    return config->error;
}

struct xds_slice xds_config_choice(const struct xds_config *config, size_t i)
{
    return i < config->n_choices ? config->choices[i] : xds_slice_make(NULL, 0);
}

struct xds_slice xds_config_note(const struct xds_config *config, size_t i)
{
    return i < config->notes.n ? config->notes.list[i] : xds_slice_make(NULL, 0);
}
