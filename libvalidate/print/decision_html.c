/* decision_html.c - one decision as a page for a browser. */
#include "print/decision_html.h"

#include "print/decision_parts.h"
#include "print/decision_picture.h"
#include "print/html_steps.h"
#include "print/json_tree.h"
#include "print/observed.h"
#include "print/picture_svg.h"
#include "print/redact.h"
#include "print/ring.h"

/* Of more hosts the picture tells their number. */
enum { MOST_HOSTS = 16 };

/* ---- pieces ---- */

/* What writes text for people, escaped. */
static void write_text(struct xds_decision_page *page, xds_section_fn write)
{
    struct xds_html_writer writer;
    struct xds_out inner;

    xds_html_writer_init(&writer, &page->out);
    xds_out_init(&inner, &writer.to);
    write(&inner, page->d);
    page->out.failed |= xds_out_finish(&inner) != XDS_OK;
}

/* Sections of the text page. */
static void write_steps(struct xds_decision_page *page, const xds_section_fn *sections,
                        size_t n)
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

static void write_heading(struct xds_decision_page *page)
{
    const bool routed = page->d->outcome == XDS_OUTCOME_ROUTED;

    xds_out_text(&page->out, "<header>\n<p class=\"tool\">xdscope explain</p>\n");
    xds_out_text(&page->out,
                 routed ? "<h1 class=\"good\"><span>" : "<h1 class=\"bad\"><span>");
    write_text(page, xds_text_answer);
    xds_out_text(&page->out, "</span></h1>\n</header>\n");
}

/* Credentials among the headers stay on the command line. */
static void write_headers(struct xds_decision_page *page)
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

        xds_html_text(&page->out, xds_slice_make(safe, xds_redact(line, safe)));
        xds_out_char(&page->out, '\n');
    }
    xds_out_text(&page->out, "</pre>\n");
}

/* ---- picture ---- */

static void write_picture(struct xds_decision_page *page)
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
    xds_out_text(&page->out, "<section id=\"picture\">\n<h2>Path of the "
                             "RPC</h2>\n<figure class=\"wide\">\n<div class=\"scroll\" "
                             "tabindex=\"0\" role=\"region\" aria-label=\"Picture\">\n");
    xds_svg_picture(&page->out, &page->arena, picture, &form);
    xds_out_text(
        &page->out,
        "</div>\n<figcaption>Bold: the path it takes. Dashed: what it skips. Dotted and "
        "bold: what the session cookie decides.</figcaption>\n</figure>\n</section>\n");
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

static void write_way(struct xds_decision_page *page)
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

static void write_json(struct xds_decision_page *page, const char *title,
                       xds_section_fn write)
{
    xds_out_text(&page->out, "<h3>");
    xds_out_text(&page->out, title);
    xds_out_text(&page->out, "</h3>\n<pre>");
    write_text(page, write);
    xds_out_text(&page->out, "</pre>\n");
}

static void write_lb_policy(struct xds_out *out, const struct xds_decision *d)
{
    xds_out_tree(out, d->lb_policy);
}

static void write_config(struct xds_decision_page *page)
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

/* ---- the whole ---- */

static void write_page(void *arg)
{
    struct xds_decision_page *page = arg;

    xds_html_begin(&page->out, "xdscope explain", false);
    write_heading(page);
    write_picture(page);
    write_way(page);
    xds_html_routes(page);
    xds_html_hosts(page);
    write_config(page);
    xds_html_end(&page->out, false);
}

enum xds_status xds_print_decision_html(const struct xds_printer *to,
                                        const struct xds_decision *decision)
{
    struct xds_decision_page page = {.d = decision};

    return xds_out_run(&page.out, &page.arena, to, write_page, &page);
}
