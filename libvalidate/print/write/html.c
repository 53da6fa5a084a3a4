/*
 * html.c - what the HTML reports are made of: the page around them, text, filters.
 *
 * page_assets.h, made from html.css and html.js, holds their lines and their hashes.
 * Source: HTML Living Standard 13.1.2 (attributes), 13.3 (escaping); CSP Level 3.
 */
#include "print/write/markup.h"

#include "page_assets.h"

static void write_lines(struct xds_out *out, const char *const *lines)
{
    for (; *lines; lines++)
        xds_out_text(out, *lines);
}

/* The policy allows this very style and script: neither a handler in an attribute nor
 * any other element can do anything, and nothing is loaded or sent. */
void xds_html_begin(struct xds_out *out, const char *name)
{
    xds_out_text(out, "<!DOCTYPE html>\n"
                      "<html lang=\"en\">\n"
                      "<head>\n"
                      "<meta charset=\"utf-8\"/>\n"
                      "<meta http-equiv=\"Content-Security-Policy\" content=\""
                      "default-src 'none'; style-src '" PAGE_CSS_HASH
                      "'; script-src '" PAGE_JS_HASH
                      "'; base-uri 'none'; form-action 'none'\"/>\n"
                      "<meta name=\"viewport\" content=\"width=device-width, "
                      "initial-scale=1\"/>\n"
                      "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
                      "<meta name=\"referrer\" content=\"no-referrer\"/>\n");
    xds_html_format(out, "<title>xdscope %s</title>\n<style>", name);
    write_lines(out, page_css);
    xds_out_text(out, "</style>\n</head>\n<body>\n<main>\n");
}

void xds_html_end(struct xds_out *out)
{
    xds_html_format(out, "</main>\n<footer>xdscope %s</footer>\n<script>", xds_version());
    write_lines(out, page_js);
    xds_out_text(out, "</script>\n</body>\n</html>\n");
}

void xds_html_escape(struct xds_out *out, struct xds_slice s)
{
    size_t done = 0;

    for (size_t i = 0; i < s.len; i++) {
        const char *instead = s.data[i] == '\'' ? "&#39;" : xds_xml_entity(s.data[i]);

        if (!instead)
            continue;
        xds_out_raw(out, xds_slice_make(s.data + done, i - done));
        xds_out_text(out, instead);
        done = i + 1;
    }
    xds_out_raw(out, xds_slice_from(s, done));
}

static bool write_escaped(void *user, const char *data, size_t len)
{
    struct xds_out *out = user;

    xds_html_escape(out, xds_slice_make(data, len));
    return !out->failed;
}

/* Printable ASCII without markup: nearly all text. */
static bool is_plain(struct xds_slice s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)(s.data[i] - 0x20) >= 0x7f - 0x20 || s.data[i] == '\'' ||
            xds_xml_entity(s.data[i]))
            return false;
    return true;
}

void xds_html_text(struct xds_out *out, struct xds_slice s)
{
    const struct xds_printer to = {.write = write_escaped, .user = out};
    struct xds_out inner;

    if (is_plain(s)) {
        xds_out_raw(out, s);
        return;
    }
    xds_out_init(&inner, &to);
    xds_out_clean(&inner, s);
    out->failed |= xds_out_finish(&inner) != XDS_OK;
}

void xds_html_format(struct xds_out *out, const char *format, ...)
{
    XDS_OUT_ARGS(out, xds_html_text, format);
}

void xds_html_attribute(struct xds_out *out, const char *name, struct xds_slice value)
{
    xds_html_format(out, " %s=\"%.*s\"", name, XDS_FMT(value));
}

void xds_html_code(struct xds_out *out, struct xds_slice s)
{
    xds_html_format(out, "<code>%.*s</code>", XDS_FMT(s));
}

/* Hidden until the script runs. */
void xds_html_filters_begin(struct xds_out *out, const char *what)
{
    xds_html_format(
        out,
        "<form class=\"filters\" aria-label=\"Filters\" hidden=\"\" data-what=\"%s\">\n",
        what);
}

void xds_html_filter_boxes(struct xds_out *out, const char *name, const char *label,
                           const struct xds_html_option *options, size_t n)
{
    xds_html_format(out, "<fieldset><legend>%s</legend>", label);
    for (size_t i = 0; i < n; i++) {
        xds_html_format(out,
                        "<label><input type=\"checkbox\" checked=\"\" name=\"%s\" "
                        "value=\"%s\"/> %s <span class=\"count\"></span></label>",
                        name, options[i].value, options[i].label);
    }
    xds_out_text(out, "</fieldset>\n");
}

void xds_html_filter_only(struct xds_out *out, const char *name,
                          struct xds_html_option option)
{
    xds_html_format(out,
                    "<label><input type=\"checkbox\" class=\"only\" name=\"%s\" "
                    "value=\"%s\"/> %s</label>\n",
                    name, option.value, option.label);
}

void xds_html_filter_list(struct xds_out *out, const char *name, const char *label,
                          const struct xds_html_option *options, size_t n)
{
    xds_html_format(out, "<label>%s <select name=\"%s\"><option value=\"\">any</option>",
                    label, name);
    for (size_t i = 0; i < n; i++) {
        xds_html_format(out, "<option value=\"%s\">%s</option>", options[i].value,
                        options[i].label);
    }
    xds_out_text(out, "</select></label>\n");
}

void xds_html_filters_end(struct xds_out *out)
{
    xds_out_text(out, "<label class=\"search\">Text <input type=\"search\" name=\"q\" "
                      "autocomplete=\"off\" spellcheck=\"false\"/></label>\n"
                      "<button type=\"reset\">Reset</button>\n"
                      "<output class=\"shown\" aria-live=\"polite\"></output>\n"
                      "</form>\n");
}
