/* html_steps.c - sections of a text page as a list of an HTML page. */
#include "print/html_steps.h"

static struct xds_slice trim_end(struct xds_slice s)
{
    while (s.len > 0 && s.data[s.len - 1] == ' ')
        s.len--;
    return s;
}

static void write_id(struct xds_out *out, struct xds_slice heading)
{
    xds_out_text(out, "<div id=\"step-");
    for (size_t i = 0; i < heading.len; i++)
        xds_out_char(out, heading.data[i] == ' ' ? '-' : heading.data[i]);
    xds_out_text(out, "\">");
}

static void end_section(struct xds_html_steps *steps)
{
    if (*steps->heading != '\0')
        xds_out_text(steps->out, "</dd></div>\n");
}

static void begin_section(struct xds_html_steps *steps, struct xds_slice heading)
{
    if (xds_slice_is(heading, steps->heading))
        return;
    end_section(steps);
    memcpy(steps->heading, heading.data, heading.len);
    steps->heading[heading.len] = '\0';
    write_id(steps->out, heading);
    xds_html_format(steps->out, "<dt>%.*s</dt><dd>", XDS_FMT(heading));
}

/* The first columns of a line are known: a heading, or blanks. */
static void begin_text(struct xds_html_steps *steps)
{
    const struct xds_slice heading = trim_end(xds_slice_make(
        steps->start, steps->n < XDS_PAGE_TEXT ? steps->n : XDS_PAGE_TEXT));

    if (heading.len > 0)
        begin_section(steps, heading);
    xds_out_text(steps->out, "<p>");
    steps->in_text = true;
}

static void end_line(struct xds_html_steps *steps)
{
    if (!steps->in_text)
        begin_text(steps);
    xds_out_text(steps->out, "</p>");
    steps->in_text = false;
    steps->n = 0;
}

/* Up to the end of the line. */
static size_t write_text(struct xds_html_steps *steps, struct xds_slice s)
{
    const size_t len = xds_slice_find(s, '\n');

    xds_html_text(steps->out, xds_slice_make(s.data, len));
    return len;
}

static bool write_steps(void *user, const char *data, size_t len)
{
    struct xds_html_steps *steps = user;

    for (size_t i = 0; i < len;) {
        if (data[i] == '\n') {
            end_line(steps);
            i++;
        } else if (steps->in_text) {
            i += write_text(steps, xds_slice_make(data + i, len - i));
        } else {
            steps->start[steps->n++] = data[i++];
            if (steps->n == XDS_PAGE_TEXT)
                begin_text(steps);
        }
    }
    return !steps->out->failed;
}

void xds_html_steps_begin(struct xds_html_steps *steps, struct xds_out *out)
{
    *steps = (struct xds_html_steps){.out = out};
    steps->printer = (struct xds_printer){
        .write = write_steps, .user = steps, .verbose = out->to->verbose};
    xds_out_text(out, "<dl class=\"steps\">\n");
}

void xds_html_steps_end(struct xds_html_steps *steps)
{
    end_section(steps);
    xds_out_text(steps->out, "</dl>\n");
}
