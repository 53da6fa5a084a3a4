/* decision_html.c - one decision as a page for a browser. */
#include "print/inner.h"

/* Of more hosts the picture tells their number; rows of a table that are seen at once. */
enum { MOST_HOSTS = 16, OPEN = 30 };

struct page {
    const struct xds_decision *d;
    struct xds_arena arena;
    struct xds_out out;
};

/* ---- pieces ---- */

/* What writes text for people, escaped. */
static void write_text(struct page *page, xds_section_fn write)
{
    struct xds_html_writer writer;
    struct xds_out inner;

    xds_html_writer_init(&writer, &page->out);
    xds_out_init(&inner, &writer.to);
    write(&inner, page->d);
    page->out.failed |= xds_out_finish(&inner) != XDS_OK;
}

/* Sections of the text page. */
static void write_steps(struct page *page, const xds_section_fn *sections, size_t n)
{
    struct xds_html_steps steps;
    struct xds_out inner;

    xds_html_steps_begin(&steps, &page->out);
    xds_out_init(&inner, &steps.printer);
    for (size_t i = 0; i < n; i++)
        sections[i](&inner, page->d);
    page->out.failed |= xds_out_finish(&inner) != XDS_OK;
    xds_html_steps_end(&steps);
}

/* Credentials among the headers stay on the command line. */
static void write_headers(struct page *page)
{
    const struct xds_request *request = &page->d->request;

    if (request->n_headers == 0)
        return;
    xds_out_text(&page->out, "<h3>Headers of the request</h3>\n<pre>");
    for (size_t i = 0; i < request->n_headers; i++) {
        const struct xds_slice start =
            xds_arena_concat(&page->arena, request->headers[i].name, XDS_S(": "));
        const struct xds_slice line =
            xds_arena_concat(&page->arena, start, request->headers[i].value);
        char *safe = xds_arena_alloc(&page->arena, line.len);

        xds_html_format(&page->out, "%.*s\n",
                        XDS_FMT(xds_slice_make(safe, xds_redact(line, safe))));
    }
    xds_out_text(&page->out, "</pre>\n");
}

/* ---- picture ---- */

static void write_picture(struct page *page)
{
    static const struct xds_picture_kind kinds[] = {
        {"rpc", 0, "#step-request"},
        {"listener", 1, "#step-listener"},
        {"session", 1, "#step-session"},
        {"virtual_host", 2, "#step-virtual-host"},
        {"route", 3, "#routes"},
        {"more_routes", 3, "#routes"},
        {"cluster", 4, "#step-cluster"},
        {"other_cluster", 4, NULL},
        {"more_clusters", 4, NULL},
        {"priority", 5, "#hosts"},
        {"idle_priority", 5, NULL},
        {"drops", 5, NULL},
        {"more_localities", 5, NULL},
        {"locality", 6, "#hosts"},
        {"idle", 6, NULL},
        {"endpoint", 7, "#hosts"},
        {"rest", 7, NULL},
        {"more_endpoints", 7, "#hosts"},
    };
    static const struct xds_picture_form form = {kinds, XDS_ARRAY_LEN(kinds)};
    struct xds_picture *picture = XDS_NEW(&page->arena, struct xds_picture);

    xds_picture_init(picture, &page->arena);
    xds_decision_draw(picture, page->d, MOST_HOSTS);
    xds_out_text(
        &page->out,
        "<section id=\"picture\">\n"
        "<h2>Path of the RPC</h2>\n"
        "<figure class=\"wide\">\n"
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Picture\">\n");
    xds_svg_picture(&page->out, &page->arena, picture, &form);
    xds_out_text(&page->out,
                 "</div>\n"
                 "<figcaption>Bold: the path it takes. Dashed: what it skips. Dotted and "
                 "bold: what the session cookie decides.</figcaption>\n"
                 "</figure>\n"
                 "</section>\n");
}

/* ---- sections ---- */

static void write_balancing(struct xds_out *out, const struct xds_decision *d)
{
    if (!xds_comes_to_balancing(d))
        return;
    xds_text_policy(out, d);
    xds_print_priorities_text(out, d);
    if (d->host)
        xds_text_hosts(out, d); /* else the table tells them */
    xds_print_rings_text(out, d, out->to->verbose);
}

static void write_way(struct page *page)
{
    static const xds_section_fn sections[] = {
        xds_text_way,        xds_text_nearest, xds_text_cluster,
        xds_text_session,    xds_text_drops,   write_balancing,
        xds_text_set_cookie, xds_text_notes,   xds_print_observed_text};

    xds_out_text(&page->out, "<section id=\"steps\">\n<h2>Step by step</h2>\n");
    write_steps(page, sections, XDS_ARRAY_LEN(sections));
    write_headers(page);
    xds_out_text(&page->out, "</section>\n");
}

static void write_json(struct page *page, const char *title, xds_section_fn write)
{
    xds_html_format(&page->out, "<h3>%s</h3>\n<pre>", title);
    write_text(page, write);
    xds_out_text(&page->out, "</pre>\n");
}

static void write_lb_policy(struct xds_out *out, const struct xds_decision *d)
{
    xds_out_tree(out, d->lb_policy);
}

static void write_config(struct page *page)
{
    static const xds_section_fn sections[] = {xds_text_config};
    const struct xds_decision *d = page->d;

    if (!d->config && !d->faults && !d->has_method_config && !d->lb_policy)
        return;
    xds_out_text(&page->out, "<section id=\"config\">\n<h2>Configuration</h2>\n");
    if (d->config || d->faults)
        write_steps(page, sections, XDS_ARRAY_LEN(sections));
    if (d->has_method_config)
        write_json(page, "Method config", xds_json_method_config);
    if (d->lb_policy)
        write_json(page, "LB policy of the cluster", write_lb_policy);
    xds_out_text(&page->out, "</section>\n");
}

/* ---- tables ---- */

static void begin_fold(struct xds_out *out, size_t n, const char *what)
{
    xds_html_format(out, "<details><summary>%zu %s%s</summary>\n", n, what,
                    xds_plural(n));
}

static void write_route(struct xds_html_table *table, const struct xds_route_try *try,
                        bool tried)
{
    static const char *const words[] = {
        [XDS_CHANCE_NO] = "no", [XDS_CHANCE_YES] = "yes", [XDS_CHANCE_OPEN] = "maybe"};

    xds_html_row(table);
    xds_html_cell(table, NULL);
    xds_html_format(table->out, "#%zu", try->index);
    xds_html_cell(table, NULL);
    if (try->route->name.len > 0)
        xds_html_code(table->out, try->route->name);
    xds_html_cell(table, try->matched == XDS_CHANCE_NO ? NULL : "yes");
    xds_out_text(table->out, tried ? words[try->matched] : "not tried");
    xds_html_cell(table, NULL);
    if (tried && try->matched != XDS_CHANCE_NO)
        xds_out_text(table->out, xds_percent(try->probability).text);
    xds_html_cell(table, NULL);
    xds_html_text(table->out, try->reason);
}

static void write_tries(struct page *page, size_t from, size_t to, bool untried)
{
    static const struct xds_html_column columns[] = {{"Route", NULL},
                                                     {"Name", NULL},
                                                     {"Matches", "no"},
                                                     {"Probability", "number"},
                                                     {"Reason", NULL}};
    const struct xds_virtual_host *host = page->d->virtual_host.host;
    const struct xds_slice reason = to > 0 ? XDS_S("an earlier route matches the RPC")
                                           : XDS_S("the RPC fails before");
    struct xds_html_table table;

    xds_html_table_begin(&table, &page->out, "Routes", columns, XDS_ARRAY_LEN(columns));
    for (size_t i = from; i < to && !page->out.failed; i++)
        write_route(&table, &page->d->walk.tries[i], true);
    for (size_t i = page->d->walk.n_tries; untried && i < host->n_routes; i++)
        write_route(&table,
                    &(struct xds_route_try){
                        .index = i, .route = &host->routes[i], .reason = reason},
                    false);
    xds_html_table_end(&table);
}

/* Of a long list the last ones are shown: the winner is there. Where none was tried
 * they are listed all the same, as the picture has them. */
static void write_routes(struct page *page)
{
    const struct xds_virtual_host *host = page->d->virtual_host.host;
    const size_t n = page->d->walk.n_tries;
    const size_t from = n <= OPEN ? 0 : n - OPEN;

    if (!host || host->n_routes == 0)
        return;
    xds_out_text(&page->out, "<section id=\"routes\">\n<h2>Routes tried</h2>\n");
    if (from > 0) {
        begin_fold(&page->out, from, "route");
        write_tries(page, 0, from, false);
        xds_out_text(&page->out, "</details>\n");
    }
    write_tries(page, from, n, page->out.to->verbose || n == 0);
    xds_out_text(&page->out, "</section>\n");
}

/* ---- hosts ---- */

/* A bar, and beside it the number. */
static void write_probability_bar(struct xds_out *out, const struct xds_decision_host *h)
{
    if (h->probability == XDS_NOT_COMPUTABLE) {
        xds_out_text(out, "cannot be computed");
        return;
    }
    xds_out_text(out, "<meter min=\"0\" max=\"1\" value=\"");
    xds_out_double(out, h->probability);
    xds_html_format(out, "\"></meter>%s", xds_share_text(h->share, h->probability).text);
}

static void write_host(struct xds_html_table *table, const struct xds_decision *d,
                       const struct xds_decision_host *h)
{
    struct xds_out *out = table->out;

    xds_html_row(table);
    xds_html_cell(table, d->host == h->host ? "yes" : NULL);
    xds_html_code(out, xds_host_address(h->host));
    xds_html_cell(table, NULL);
    write_probability_bar(out, h);
    xds_html_cell(table, NULL);
    xds_html_code(out, h->cluster);
    xds_html_cell(table, NULL);
    xds_out_u64(out, h->host->locality->priority);
    xds_html_cell(table, NULL);
    xds_out_locality(out, xds_html_text, h->host->locality);
    xds_html_cell(table, NULL);
    xds_out_text(out, xds_health_name(h->host->endpoint->health));
}

static void write_hosts(struct page *page, size_t from, size_t to)
{
    static const struct xds_html_column columns[] = {
        {"Host", NULL},         {"Probability", "no"}, {"Cluster", NULL},
        {"Priority", "number"}, {"Locality", NULL},    {"Health", NULL}};
    struct xds_html_table table;

    xds_html_table_begin(&table, &page->out, "Hosts", columns, XDS_ARRAY_LEN(columns));
    for (size_t i = from; i < to && !page->out.failed; i++)
        write_host(&table, page->d, &page->d->hosts[i]);
    xds_html_table_end(&table);
}

static void write_hosts_section(struct page *page)
{
    const size_t n = page->d->n_hosts, open = n < OPEN ? n : OPEN;

    if (n == 0)
        return;
    xds_out_text(&page->out, "<section id=\"hosts\">\n<h2>Hosts</h2>\n");
    if (!page->d->cluster)
        xds_out_text(&page->out, "<p class=\"quiet\">Probabilities are those of an RPC "
                                 "that goes to the cluster of the host.</p>\n");
    write_hosts(page, 0, open);
    if (open < n) {
        begin_fold(&page->out, n - open, "more host");
        write_hosts(page, open, n);
        xds_out_text(&page->out, "</details>\n");
    }
    xds_out_text(&page->out, "</section>\n");
}

/* ---- the whole ---- */

static void write_page(void *arg)
{
    struct page *page = arg;

    xds_html_begin(&page->out, "xdscope explain", false);
    const bool routed = page->d->outcome == XDS_OUTCOME_ROUTED;

    xds_out_text(&page->out, "<header>\n<p class=\"tool\">xdscope explain</p>\n");
    xds_out_text(&page->out,
                 routed ? "<h1 class=\"good\"><span>" : "<h1 class=\"bad\"><span>");
    write_text(page, xds_text_answer);
    xds_out_text(&page->out, "</span></h1>\n</header>\n");
    write_picture(page);
    write_way(page);
    write_routes(page);
    write_hosts_section(page);
    write_config(page);
    xds_html_end(&page->out, false);
}

enum xds_status xds_print_decision_html(const struct xds_printer *to,
                                        const struct xds_decision *decision)
{
    struct page page = {.d = decision};

    return xds_out_run(&page.out, &page.arena, to, write_page, &page);
}
