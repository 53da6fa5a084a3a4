/* xml.c - text and attributes of XML 1.0. */
#include "print/write/markup.h"

static const char replacement[] = "\xEF\xBF\xBD";

const char *xds_xml_entity(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    default: /* of a character, not of an enum */
        return NULL;
    }
}

/* NULL: the character stands for itself. */
static const char *escape_of(char c, bool in_attribute)
{
    switch (c) {
    case '"':
        return in_attribute ? xds_xml_entity(c) : NULL;
    case '\n':
        return in_attribute ? "&#10;" : NULL;
    case '\t':
        return in_attribute ? "&#9;" : NULL;
    case '\r':
        return "&#13;";
    default: /* all other bytes of an open set */
        return (unsigned char)c < 0x20 ? replacement : xds_xml_entity(c);
    }
}

/* U+FFFE and U+FFFF are the characters above ASCII that XML forbids. */
static bool is_forbidden(const char *at)
{
    return memcmp(at, "\xEF\xBF\xBE", 3) == 0 || memcmp(at, "\xEF\xBF\xBF", 3) == 0;
}

static void put(struct xds_out *out, struct xds_slice text, bool in_attribute)
{
    for (size_t i = 0; i < text.len;) {
        const size_t len = xds_utf8_first(xds_slice_from(text, i));
        struct xds_slice rest = xds_slice_from(text, i);
        uint32_t rune;

        const char *escape = len == 1 ? escape_of(text.data[i], in_attribute) : NULL;

        if (len == 0 || (len == 3 && is_forbidden(text.data + i)))
            escape = replacement;
        if (escape)
            xds_out_text(out, escape);
        else if ((len > 1 || text.data[i] == 0x7f) && xds_utf8_next(&rest, &rune) &&
                 xds_rune_is_unsafe(rune))
            xds_out_format(out, "&#%u;", rune);
        else
            xds_out_raw(out, xds_slice_make(text.data + i, len));
        i += len > 0 ? len : 1;
    }
}

void xds_xml_text(struct xds_out *out, struct xds_slice text)
{
    put(out, text, false);
}

void xds_xml_format(struct xds_out *out, const char *format, ...)
{
    XDS_OUT_ARGS(out, xds_xml_text, format);
}

static void put_in_attribute(struct xds_out *out, struct xds_slice text)
{
    put(out, text, true);
}

void xds_xml_in_attribute(struct xds_out *out, const char *format, ...)
{
    XDS_OUT_ARGS(out, put_in_attribute, format);
}

void xds_xml_attribute(struct xds_out *out, const char *name, struct xds_slice value)
{
    xds_out_char(out, ' ');
    xds_out_text(out, name);
    xds_out_text(out, "=\"");
    put(out, value, true);
    xds_out_char(out, '"');
}
