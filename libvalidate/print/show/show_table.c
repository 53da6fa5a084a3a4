/* show_table.c - a whole snapshot as tables, a row for each resource, route, endpoint. */
#include "print/decision/decision.h"
#include "print/show/show.h"
#include "print/findings/findings.h"
#include "print/write/document.h"
#include "print/write/markup.h"

/* A column is not made wider for the sake of longer cells; those are not cut. */
enum { WIDEST = 60, MOST_COLUMNS = 7 };

struct grid {
    struct xds_show *show;
    struct xds_text text; /* all cells, clean */
    struct xds_out cell;  /* writes there */
    size_t *ends;         /* of each cell in it */
    size_t n, cap;
};

static void end_cell(struct grid *g)
{
    xds_out_flush(&g->cell);
    g->ends = xds_arena_room(g->show->arena, g->ends, g->n, &g->cap, sizeof *g->ends);
    g->ends[g->n++] = g->text.len;
}

static void name_cell(struct grid *g, struct xds_slice name)
{
    xds_out_clean(&g->cell, name);
    end_cell(g);
}

static void known_cell(struct grid *g, const struct xds_snapshot_entry *entry)
{
    const bool several = xds_show_several(g->show) && entry->held;

    if (several && entry->held->node.len > 0)
        xds_out_format(&g->cell, "client %.*s", XDS_FMT(entry->held->node));
    else if (several)
        xds_out_format(&g->cell, "client %u", entry->held->client);
    if (several && xds_show_scope(g->show, entry).len > 0)
        xds_out_format(&g->cell, " %.*s", XDS_FMT(xds_show_scope(g->show, entry)));
    if (!xds_show_known(g->show, &g->cell, several ? ": " : "", entry))
        xds_out_text(&g->cell, several ? ": accepted" : "accepted");
    end_cell(g);
}

static void number_cell(struct grid *g, size_t n)
{
    xds_out_u64(&g->cell, n);
    end_cell(g);
}

/* ---- rows ---- */

/* Why a resource that is named is of no use: it is not there, or somebody rejects it. */
static void note_lack(struct grid *g, enum xds_resource_type type, struct xds_slice name)
{
    const struct xds_snapshot_entry *entry = xds_show_find(g->show, type, name);

    if (!entry)
        xds_out_format(&g->cell, " (%s)", xds_show_lack(g->show, type, name));
    else if ((entry->nacked_by | entry->killing) &&
             xds_show_known(g->show, &g->cell, " (", entry))
        xds_out_char(&g->cell, ')');
}

static void listener_rows(struct grid *g, const struct xds_snapshot_entry *entry)
{
    const struct xds_listener *listener = entry->model, *manager;
    const char *before = "";

    if (!xds_show_wants_entry(g->show, entry))
        return;
    name_cell(g, entry->name);
    if (listener && listener->is_api_listener)
        xds_out_text(&g->cell, "for clients");
    else if (listener)
        xds_out_clean(&g->cell,
                      listener->address.len > 0 ? listener->address : XDS_S("socket"));
    end_cell(g);
    for (size_t i = 0; listener && (manager = xds_show_manager(listener, i)); i++) {
        if (manager->rds_name.data) {
            xds_out_format(&g->cell, "%s%.*s", before, XDS_FMT(manager->rds_name));
            note_lack(g, XDS_TYPE_ROUTE, manager->rds_name);
        } else if (manager->route_config)
            xds_out_format(&g->cell, "%sinline", before);
        before = ", ";
    }
    end_cell(g);
    known_cell(g, entry);
}

static void action_cell(struct grid *g, const struct xds_route *route)
{
    struct xds_slice name;
    size_t n = 0;

    for (; xds_show_target(route, n, &name); n++) {
        xds_out_format(&g->cell, "%s%.*s", n > 0 ? ", " : "", XDS_FMT(name));
        if (route->action == XDS_ACTION_WEIGHTED)
            xds_out_format(&g->cell, " %u", route->weighted[n].weight);
        note_lack(g, XDS_TYPE_CLUSTER, name);
    }
    if (n == 0 && route->action == XDS_ACTION_PLUGIN)
        xds_out_format(&g->cell, "plugin %.*s", XDS_FMT(route->cluster));
    else if (n == 0 && route->action_field)
        xds_out_text(&g->cell, route->action_field);
    end_cell(g);
}

static void config_rows(struct grid *g, const struct xds_snapshot_entry *entry,
                        const struct xds_route_config *config)
{
    const bool all = xds_show_wants(g->show, entry->name);

    for (size_t i = 0; config && i < config->n_virtual_hosts; i++) {
        const struct xds_virtual_host *host = &config->virtual_hosts[i];

        for (size_t k = 0; k < host->n_routes; k++) {
            const struct xds_route *route = &host->routes[k];
            struct xds_text words = {.arena = g->show->arena};

            if (!all && !xds_show_wants_host(g->show, host) &&
                (route->name.len == 0 || !xds_show_wants(g->show, route->name)))
                continue;
            name_cell(g, entry->name);
            name_cell(g, host->name);
            for (size_t j = 0; j < host->n_domains; j++)
                xds_out_format(&g->cell, "%s%.*s", j > 0 ? ", " : "",
                               XDS_FMT(host->domains[j]));
            end_cell(g);
            xds_route_match_words(&words, &route->match);
            name_cell(g, xds_slice_make(words.data, words.len));
            action_cell(g, route);
            if (xds_show_skips(g->show, route)) {
                xds_out_format(&g->cell, "skipped by %s",
                               xds_client_name(g->show->view->client));
                end_cell(g);
            } else
                known_cell(g, entry);
        }
    }
}

/* One without a model or routes has a row, too. */
static void route_rows(struct grid *g, const struct xds_snapshot_entry *entry)
{
    const size_t before = g->n;

    config_rows(g, entry, entry->model);
    if (g->n > before || !xds_show_wants(g->show, entry->name))
        return;
    name_cell(g, entry->name);
    for (unsigned i = 1; i < 5; i++)
        end_cell(g);
    known_cell(g, entry);
}

static void inline_route_rows(struct grid *g, const struct xds_snapshot_entry *entry)
{
    const struct xds_listener *manager;

    for (size_t i = 0; entry->model && (manager = xds_show_manager(entry->model, i)); i++)
        config_rows(g, entry, manager->route_config);
}

static void cluster_rows(struct grid *g, const struct xds_snapshot_entry *entry)
{
    const struct xds_cluster *cluster = entry->model;

    if (!xds_show_wants(g->show, entry->name))
        return;
    name_cell(g, entry->name);
    xds_out_text(&g->cell, cluster && cluster->kind != XDS_CLUSTER_UNSUPPORTED
                               ? xds_show_cluster_kind(cluster)
                           : cluster ? "not supported"
                                     : "");
    end_cell(g);
    if (cluster && cluster->kind != XDS_CLUSTER_AGGREGATE)
        xds_out_clean(&g->cell, xds_show_policy(g->show, cluster));
    end_cell(g);
    if (cluster && cluster->kind == XDS_CLUSTER_AGGREGATE)
        for (size_t i = 0; i < cluster->n_children; i++)
            xds_out_format(&g->cell, "%s%.*s", i > 0 ? ", " : "",
                           XDS_FMT(cluster->children[i]));
    else if (cluster && cluster->kind == XDS_CLUSTER_LOGICAL_DNS)
        xds_out_clean(&g->cell, cluster->dns_name);
    else if (cluster && cluster->kind == XDS_CLUSTER_EDS) {
        const struct xds_snapshot_entry *e =
            xds_show_find(g->show, XDS_TYPE_ENDPOINT, cluster->eds_name);

        if (!e)
            xds_out_text(&g->cell,
                         xds_show_lack(g->show, XDS_TYPE_ENDPOINT, cluster->eds_name));
        else
            xds_out_format(&g->cell, "%zu", g->show->tally[e->resource].endpoints);
        if (e && g->show->tally[e->resource].not_healthy > 0)
            xds_out_format(&g->cell, " (%zu not healthy)",
                           g->show->tally[e->resource].not_healthy);
    }
    end_cell(g);
    known_cell(g, entry);
}

static void locality_rows(struct grid *g, const struct xds_snapshot_entry *entry,
                          const struct xds_locality *l, bool all)
{
    for (size_t i = 0; i < l->n_endpoints; i++) {
        const struct xds_endpoint *e = &l->endpoints[i];

        if (!all && !xds_show_wants_endpoint(g->show, e))
            continue;
        name_cell(g, entry->name);
        number_cell(g, l->priority);
        (void)xds_out_locality(&g->cell, xds_out_clean, l);
        xds_out_format(&g->cell, " (%u)", l->weight);
        end_cell(g);
        for (size_t k = 0; k < e->n_addresses; k++)
            xds_out_format(&g->cell, "%s%.*s", k > 0 ? ", " : "",
                           XDS_FMT(e->addresses[k]));
        end_cell(g);
        number_cell(g, e->weight);
        xds_out_text(&g->cell, xds_health_name(e->health));
        end_cell(g);
        known_cell(g, entry);
    }
}

static void endpoint_rows(struct grid *g, const struct xds_snapshot_entry *entry)
{
    const struct xds_endpoints *model = entry->model;
    const bool all = xds_show_wants(g->show, entry->name);
    const size_t before = g->n;

    for (size_t i = 0; model && i < model->n_localities; i++)
        locality_rows(g, entry, &model->localities[i], all);
    for (size_t i = 0; model && i < model->n_weightless; i++)
        locality_rows(g, entry, &model->weightless[i], all);
    if (g->n > before || !all)
        return;
    name_cell(g, entry->name);
    for (unsigned i = 1; i < 6; i++)
        end_cell(g);
    known_cell(g, entry);
}

/* ---- tables ---- */

#define LIST(...)                                                                        \
    (const struct xds_column[])                                                          \
    {                                                                                    \
        __VA_ARGS__                                                                      \
    }
static const struct kind {
    struct xds_table table;
    void (*rows)(struct grid *g, const struct xds_snapshot_entry *entry);
} kinds[] = {
    [XDS_TYPE_LISTENER] = {{.caption = "listeners",
                            .n = 4,
                            .columns = LIST({"LISTENER", "name"}, {"ADDRESS", NULL},
                                            {"ROUTES", NULL}, {"STATE", NULL})},
                           listener_rows},
    [XDS_TYPE_ROUTE] = {{.caption = "routes",
                         .n = 6,
                         .columns = LIST({"CONFIGURATION", "name"},
                                         {"VIRTUAL HOST", NULL}, {"DOMAINS", NULL},
                                         {"MATCH", NULL}, {"TO", NULL}, {"STATE", NULL})},
                        route_rows},
    [XDS_TYPE_CLUSTER] = {{.caption = "clusters",
                           .n = 5,
                           .columns = LIST({"CLUSTER", "name"}, {"TYPE", NULL},
                                           {"LB POLICY", NULL}, {"ENDPOINTS", NULL},
                                           {"STATE", NULL})},
                          cluster_rows},
    [XDS_TYPE_ENDPOINT] = {{.caption = "endpoints",
                            .n = 7,
                            .columns = LIST({"CLUSTER", "name"}, {"PRIORITY", NULL},
                                            {"LOCALITY (WEIGHT)", NULL},
                                            {"ADDRESS", NULL}, {"WEIGHT", NULL},
                                            {"HEALTH", NULL}, {"STATE", NULL})},
                           endpoint_rows},
};

static struct xds_slice cell_at(const struct grid *g, size_t i)
{
    const size_t from = i > 0 ? g->ends[i - 1] : 0;

    return xds_slice_make(g->text.data + from, g->ends[i] - from);
}

/* In characters. */
static size_t width_of(struct xds_slice text)
{
    size_t n = 0;

    for (size_t i = 0; i < text.len; i++)
        n += ((unsigned char)text.data[i] & 0xC0) != 0x80;
    return n;
}

enum form {
    FORM_WHOLE,   /* a row is a line, whatever the length of its cells */
    FORM_BROKEN,  /* cells are broken between words, for the terminal's sake */
    FORM_RECORDS, /* a cell is a line, for not even the longest words fit side by side */
};

struct layout {
    size_t widths[MOST_COLUMNS], words[MOST_COLUMNS]; /* the longest cell and word */
    enum form form;
};

static size_t longest_word(struct xds_slice text)
{
    size_t longest = 0;

    while (text.len > 0) {
        const char *blank = memchr(text.data, ' ', text.len);
        const size_t len = blank ? (size_t)(blank - text.data) : text.len;
        const size_t width = width_of(xds_slice_make(text.data, len));

        longest = width > longest ? width : longest;
        text = xds_slice_from(text, blank ? len + 1 : len);
    }
    return longest;
}

static void measure(struct layout *layout, size_t column, struct xds_slice text)
{
    const size_t width = width_of(text), word = longest_word(text);

    if (width > layout->widths[column] && width <= WIDEST)
        layout->widths[column] = width;
    if (word > layout->words[column])
        layout->words[column] = word;
}

/* The widest column that can be narrower; n: none. */
static size_t widest_of(const struct layout *layout, size_t n)
{
    size_t widest = n;

    for (size_t i = 0; i < n; i++)
        if (layout->widths[i] > layout->words[i] &&
            (widest == n || layout->widths[i] > layout->widths[widest]))
            widest = i;
    return widest;
}

/* The widest columns give up what the terminal lacks, but never a part of a word. */
static void fit(struct layout *layout, size_t n, size_t columns)
{
    size_t sum = 2 * (n - 1);

    for (size_t i = 0; i < n; i++)
        sum += layout->widths[i];
    while (columns > 0 && sum > columns) {
        const size_t widest = widest_of(layout, n);

        layout->form = widest < n ? FORM_BROKEN : FORM_RECORDS;
        if (widest == n)
            return;
        layout->widths[widest]--;
        sum--;
    }
}

/* As many words as fit, at least one; *text is what is left. */
static struct xds_slice take_words(struct xds_slice *text, size_t width)
{
    const struct xds_slice all = *text;
    size_t end = 0;

    if (width_of(all) <= width)
        end = all.len;
    for (size_t i = 0; end < all.len && i < all.len; i++) {
        if (all.data[i] != ' ')
            continue;
        if (end > 0 && width_of(xds_slice_make(all.data, i)) > width)
            break;
        end = i;
    }
    end = end > 0 ? end : all.len;
    *text = xds_slice_from(all, end < all.len ? end + 1 : end);
    return xds_slice_make(all.data, end);
}

static void print_row(struct grid *g, const struct xds_table *table,
                      const struct layout *layout, struct xds_slice cells[MOST_COLUMNS])
{
    struct xds_out *out = g->show->out;
    bool more = true;

    while (more) {
        size_t due = 0; /* blanks before the next text */

        more = false;
        for (size_t i = 0; i < table->n; i++) {
            const size_t width = layout->widths[i];
            const struct xds_slice text =
                take_words(&cells[i], layout->form == FORM_BROKEN ? width : SIZE_MAX);
            const size_t used = width_of(text);

            more = more || cells[i].len > 0;
            if (text.len > 0) {
                xds_out_blanks(out, due);
                due = 0;
            }
            xds_out_raw(out, text);
            due += (used < width ? width - used : 0) + 2;
        }
        xds_out_char(out, '\n');
    }
}

/* What is as in the row before, from the first cell on, is not repeated. */
static void print_record(struct grid *g, const struct xds_table *table, size_t row)
{
    struct xds_out *out = g->show->out;
    size_t margin = 0, same = 0;

    for (size_t i = 0; i < table->n; i++) {
        const size_t len = strlen(table->columns[i].title) + 2;

        margin = len > margin ? len : margin;
    }
    while (row > 0 && same < table->n &&
           xds_slice_eq(cell_at(g, row + same), cell_at(g, row - table->n + same)))
        same++;
    if (row > 0)
        xds_out_char(out, '\n');
    for (size_t i = same; i < table->n; i++) {
        const char *title = table->columns[i].title;
        struct xds_slice rest = cell_at(g, row + i);
        size_t before = margin - strlen(title);

        if (rest.len > 0)
            xds_out_text(out, title);
        while (rest.len > 0) {
            xds_out_blanks(out, before);
            xds_out_raw(out, take_words(&rest, out->to->columns - margin));
            xds_out_char(out, '\n');
            before = margin;
        }
    }
}

static void page_row(struct grid *g, const struct xds_table *table, size_t row)
{
    struct xds_out *out = g->show->out;

    xds_doc_row(out, table, NULL);
    for (size_t i = 0; i < table->n; i++) {
        xds_doc_cell(out, "");
        xds_html_text(xds_doc_inline(out), cell_at(g, row + i));
    }
    xds_out_char(out, '\n');
}

static void print_grid(struct grid *g, const struct xds_table *table)
{
    struct xds_out *out = g->show->out;
    struct xds_slice cells[MOST_COLUMNS] = {{NULL, 0}};
    struct layout layout = {.form = FORM_WHOLE};

    for (size_t i = 0; i < table->n; i++)
        cells[i] = xds_slice_of(table->columns[i].title);
    for (size_t i = 0; i < table->n; i++)
        measure(&layout, i, cells[i]);
    for (size_t row = 0; row < g->n; row += table->n)
        for (size_t i = 0; i < table->n; i++)
            measure(&layout, i, cell_at(g, row + i));
    fit(&layout, table->n, out->to->columns);
    if (!xds_doc_of(out) && layout.form != FORM_RECORDS)
        print_row(g, table, &layout, cells);
    for (size_t row = 0; row < g->n && !out->failed; row += table->n) {
        for (size_t i = 0; i < table->n; i++)
            cells[i] = cell_at(g, row + i);
        if (xds_doc_of(out))
            page_row(g, table, row);
        else if (layout.form == FORM_RECORDS)
            print_record(g, table, row);
        else
            print_row(g, table, &layout, cells);
    }
}

/* A name, and what became of it. */
static void absent_rows(struct grid *g, enum xds_resource_type type)
{
    for (const struct xds_snapshot_entry *e = g->show->snapshot->first_absent; e;
         e = e->next) {
        if (e->type != type || !xds_show_wants(g->show, e->name))
            continue;
        name_cell(g, e->name);
        for (size_t i = 2; i < kinds[type].table.n; i++)
            end_cell(g);
        known_cell(g, e);
    }
}

static void print_table(struct xds_show *show, enum xds_resource_type type)
{
    struct grid g = {.show = show, .text = {.arena = show->arena}};
    const struct xds_printer to = xds_text_printer(&g.text);

    xds_out_init(&g.cell, &to);
    for (xds_show_begin(show); show->snapshot; xds_show_next(show)) {
        const struct xds_snapshot_entry *e = show->snapshot->first[XDS_TYPE_LISTENER];

        for (; e && type == XDS_TYPE_ROUTE; e = e->next)
            inline_route_rows(&g, e);
        for (e = show->snapshot->first[type]; e; e = e->next)
            kinds[type].rows(&g, e);
        absent_rows(&g, type);
    }
    xds_doc_section(show->out, kinds[type].table.caption, kinds[type].table.caption);
    print_grid(&g, &kinds[type].table);
}

void xds_show_tables(struct xds_show *show)
{
    for (unsigned type = XDS_TYPE_LISTENER; type <= XDS_TYPE_ENDPOINT; type++) {
        if (!(show->view->tables & 1u << type))
            continue;
        if (!show->out->to->quiet)
            xds_out_char(show->out, '\n');
        print_table(show, (enum xds_resource_type)type);
    }
}
