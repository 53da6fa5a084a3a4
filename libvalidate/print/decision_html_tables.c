/* decision_html_tables.c - the routes that were tried, and the hosts. */
#include "print/decision_html.h"
#include "print/decision_parts.h"
#include "print/ring.h"

/* Rows of a table that are seen at once. */
enum { OPEN = 30 };

static void begin_fold(struct xds_out *out, size_t n, const char *what)
{
    xds_out_text(out, "<details><summary>");
    xds_out_count(out, n, what);
    xds_out_text(out, "</summary>\n");
}

/* ---- routes ---- */

static void write_route(struct xds_html_table *table, const struct xds_route_try *try,
                        bool tried)
{
    static const char *const words[] = {
        [XDS_CHANCE_NO] = "no", [XDS_CHANCE_YES] = "yes", [XDS_CHANCE_OPEN] = "maybe"};

    xds_html_row(table);
    xds_html_cell(table, NULL);
    xds_out_char(table->out, '#');
    xds_out_u64(table->out, try->index);
    xds_html_cell(table, NULL);
    if (try->route->name.len > 0)
        xds_html_code(table->out, try->route->name);
    xds_html_cell(table, try->matched == XDS_CHANCE_NO ? NULL : "yes");
    xds_out_text(table->out, tried ? words[try->matched] : "not tried");
    xds_html_cell(table, NULL);
    if (tried && try->matched != XDS_CHANCE_NO)
        xds_out_percent(table->out, try->probability);
    xds_html_cell(table, NULL);
    xds_html_text(table->out, try->reason);
}

static void write_tries(struct xds_decision_page *page, size_t from, size_t to,
                        bool untried)
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
void xds_html_routes(struct xds_decision_page *page)
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

static void write_locality(struct xds_out *out, const struct xds_locality *l)
{
    const struct xds_slice parts[] = {l->region, l->zone, l->sub_zone};
    const char *separator = "";

    for (size_t i = 0; i < XDS_ARRAY_LEN(parts); i++) {
        if (parts[i].len == 0)
            continue;
        xds_out_text(out, separator);
        xds_html_text(out, parts[i]);
        separator = "/";
    }
}

/* A bar, and beside it the number. */
static void write_probability_bar(struct xds_out *out, const struct xds_decision_host *h)
{
    if (h->probability == XDS_NOT_COMPUTABLE) {
        xds_out_text(out, "cannot be computed");
        return;
    }
    xds_out_text(out, "<meter min=\"0\" max=\"1\" value=\"");
    xds_out_double(out, h->probability);
    xds_out_text(out, "\"></meter>");
    if (!xds_out_share(out, h->share))
        xds_out_percent(out, h->probability);
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
    write_locality(out, h->host->locality);
    xds_html_cell(table, NULL);
    xds_out_text(out, xds_health_name(h->host->endpoint->health));
}

static void write_hosts(struct xds_decision_page *page, size_t from, size_t to)
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

void xds_html_hosts(struct xds_decision_page *page)
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
