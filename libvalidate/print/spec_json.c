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
    xds_json_key(out, "clients");
    xds_json_begin_object(out);
    for (enum xds_client c = 0; c < XDS_CLIENTS; c++) {
        const char *name = c == XDS_CLIENT_GRFC ? "documents" : xds_client_name(c);
        const struct xds_slice value = xds_spec_verdict(row, name);

        if (!value.data)
            continue;
        xds_json_key(out, name);
        xds_json_string(out, value);
    }
    xds_json_end_object(out);
}

static void put_row(struct xds_out *out, const struct xds_spec *row)
{
    struct xds_slice rest = xds_slice_of(row->text);
    struct xds_spec_line line;
    bool done = false;

    xds_json_key_text(out, "id", row->id);
    xds_json_key_text(out, "section", xds_spec_in(row, XDS_SPEC_SECTION)->id);
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
    if (spec->kind == XDS_SPEC_ROW) {
        put_row(out, spec);
    } else {
        xds_json_key_text(out, "id", spec->id);
        xds_json_key_text(out, "title", spec->title);
    }
    xds_json_end_object(out);
}

static void put_texts(struct xds_out *out, const struct xds_spec *section)
{
    xds_json_key(out, "text");
    xds_json_begin_array(out);
    for (const struct xds_spec *at = xds_spec_next(section);
         at && at->kind >= XDS_SPEC_TEXT; at = xds_spec_next(at))
        if (at->kind == XDS_SPEC_TEXT)
            xds_json_text(out, at->text);
    xds_json_end_array(out);
}

static void put_section(struct xds_out *out, const struct xds_spec *section)
{
    xds_json_key_text(out, "id", section->id);
    xds_json_key_text(out, "page", xds_spec_in(section, XDS_SPEC_PAGE)->id);
    xds_json_key_text(out, "title", section->title);
    xds_json_key_string_or_null(out, "source", xds_spec_value(section, "source"));
    put_texts(out, section);
    xds_json_key(out, "rows");
    xds_json_begin_array(out);
    for (const struct xds_spec *at = xds_spec_next(section);
         at && at->kind >= XDS_SPEC_TEXT; at = xds_spec_next(at))
        if (at->kind == XDS_SPEC_ROW)
            xds_json_spec(out, at);
    xds_json_end_array(out);
}

static void put_page(struct xds_out *out, const struct xds_spec *page)
{
    xds_json_key_text(out, "id", page->id);
    xds_json_key_text(out, "title", page->title);
    xds_json_key_text(out, "about", page->text);
    xds_json_key(out, "sections");
    xds_json_begin_array(out);
    for (const struct xds_spec *at = xds_spec_next(page); at && at->kind != XDS_SPEC_PAGE;
         at = xds_spec_next(at))
        if (at->kind == XDS_SPEC_SECTION)
            xds_json_spec(out, at);
    xds_json_end_array(out);
}

void xds_json_spec(struct xds_out *out, const struct xds_spec *spec)
{
    xds_json_line(out);
    xds_json_begin_object(out);
    if (spec->kind == XDS_SPEC_PAGE)
        put_page(out, spec);
    else if (spec->kind == XDS_SPEC_SECTION)
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
    xds_json_key(&out, "spec");
    xds_json_begin_array(&out);
    xds_json_spec(&out, spec);
    xds_json_end_array(&out);
    xds_json_end_document(&out);
    return xds_out_finish(&out);
}
