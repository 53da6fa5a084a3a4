/*
 * spec_json.c - what is known of gRPC's clients, as JSON.
 *
 * added.
 */
#include "print/json_member.h"
#include "print/findings.h"
#include "print/spec.h"

/* "core says" as "core_says". */
static void put_key(struct xds_out *out, struct xds_slice key)
{
    char name[24];
    const size_t n = key.len < sizeof name ? key.len : sizeof name - 1;

    for (size_t i = 0; i < n; i++)
        name[i] = (char)(key.data[i] == ' ' ? '_' : key.data[i]);
    name[n] = '\0';
    xds_json_key(out, name);
}

static void put_verdicts(struct xds_out *out, const struct xds_spec *row)
{
    xds_json_key_object(out, "clients");
    for (enum xds_client c = 0; c < XDS_CLIENTS; c++) {
        const char *name = c == XDS_CLIENT_GRFC ? "documents" : xds_client_name(c);
        const struct xds_slice value = xds_spec_verdict(row, name);

        if (!value.data)
            continue;
        xds_json_key_string(out, name, value);
    }
    xds_json_end_object(out);
}

static void put_row(struct xds_out *out, const struct xds_spec *row)
{
    struct xds_slice rest = xds_slice_of(xds_spec_text(row));
    struct xds_spec_line line;
    bool done = false;

    xds_json_members(out, "id: %s, section: %s", xds_spec_id(row),
                     xds_spec_id(xds_spec_in(row, XDS_SPEC_SECTION)));
    while (xds_spec_line_next(&rest, &line)) {
        if (!line.is_verdict) {
            put_key(out, line.key);
            xds_json_string(out, line.value);
        } else if (!done) {
            put_verdicts(out, row);
            done = true;
        }
    }
}

void xds_json_spec_short(struct xds_out *out, const struct xds_spec *spec)
{
    xds_json_begin_object(out);
    if (xds_spec_kind(spec) == XDS_SPEC_ROW) {
        put_row(out, spec);
    } else {
        xds_json_members(out, "id: %s, title: %s", xds_spec_id(spec),
                         xds_spec_title(spec));
    }
    xds_json_end_object(out);
}

static void put_texts(struct xds_out *out, const struct xds_spec *section)
{
    xds_json_key_array(out, "text");
    for (const struct xds_spec *at = xds_spec_next(section);
         at && xds_spec_kind(at) >= XDS_SPEC_TEXT; at = xds_spec_next(at))
        if (xds_spec_kind(at) == XDS_SPEC_TEXT)
            xds_json_text(out, xds_spec_text(at));
    xds_json_end_array(out);
}

static void put_section(struct xds_out *out, const struct xds_spec *section)
{
    xds_json_members(
        out, "id: %s, page: %s, title: %s, source: %.*s", xds_spec_id(section),
        xds_spec_id(xds_spec_in(section, XDS_SPEC_PAGE)), xds_spec_title(section),
        XDS_FMT_OR_NULL(xds_spec_value(section, "source")));
    put_texts(out, section);
    xds_json_key_array(out, "rows");
    for (const struct xds_spec *at = xds_spec_next(section);
         at && xds_spec_kind(at) >= XDS_SPEC_TEXT; at = xds_spec_next(at))
        if (xds_spec_kind(at) == XDS_SPEC_ROW)
            xds_json_spec(out, at);
    xds_json_end_array(out);
}

static void put_page(struct xds_out *out, const struct xds_spec *page)
{
    xds_json_members(out, "id: %s, title: %s, about: %s", xds_spec_id(page),
                     xds_spec_title(page), xds_spec_text(page));
    xds_json_key_array(out, "sections");
    for (const struct xds_spec *at = xds_spec_next(page);
         at && xds_spec_kind(at) != XDS_SPEC_PAGE; at = xds_spec_next(at))
        if (xds_spec_kind(at) == XDS_SPEC_SECTION)
            xds_json_spec(out, at);
    xds_json_end_array(out);
}

void xds_json_spec(struct xds_out *out, const struct xds_spec *spec)
{
    xds_json_line(out);
    xds_json_begin_object(out);
    if (xds_spec_kind(spec) == XDS_SPEC_PAGE)
        put_page(out, spec);
    else if (xds_spec_kind(spec) == XDS_SPEC_SECTION)
        put_section(out, spec);
    else
        put_row(out, spec);
    xds_json_end_object(out);
}

enum xds_status xds_print_spec_json(const struct xds_printer *to,
                                    const struct xds_spec *spec)
{
    struct xds_out out;

    xds_out_init(&out, to);
    xds_json_begin_document(&out);
    xds_json_tool(&out);
    xds_json_line(&out);
    xds_json_key_array(&out, "spec");
    xds_json_spec(&out, spec);
    xds_json_end_array(&out);
    xds_json_end_document(&out);
    return xds_out_finish(&out);
}
