/* sections.c - the sections of a case as fuzz targets have them. */
#include "fuzz/sections.h"

static bool heading(struct xds_slice line, struct xds_slice *name)
{
    if (line.len < 7 || !xds_slice_starts(line, XDS_S("-- ")) ||
        !xds_slice_ends(line, XDS_S(" --")))
        return false;
    *name = xds_slice_make(line.data + 3, line.len - 6);
    return true;
}

static void end_part(struct xds_sections *parts, struct xds_slice name, const char *start,
                     const char *end)
{
    if (name.len == 0 || parts->n == XDS_SECTIONS)
        return;
    parts->items[parts->n++] =
        (struct xds_section){name, xds_slice_make(start, (size_t)(end - start))};
}

void xds_sections_read(struct xds_sections *parts, struct xds_slice text)
{
    struct xds_slice rest = text, name = XDS_S(""), found, line;
    const char *start = text.data;

    parts->n = 0;
    while (rest.len > 0) {
        rest = xds_slice_cut(rest, '\n', &line);
        if (!heading(line, &found))
            continue;
        end_part(parts, name, start, line.data);
        name = found;
        start = rest.data ? rest.data : line.data + line.len;
    }
    if (text.len > 0)
        end_part(parts, name, start, text.data + text.len);
}

struct xds_slice xds_sections_find(const struct xds_sections *parts, const char *name)
{
    for (size_t i = 0; i < parts->n; i++)
        if (xds_slice_is(parts->items[i].name, name))
            return parts->items[i].text;
    return (struct xds_slice){NULL, 0};
}

bool xds_section_is_file(const struct xds_section *part)
{
    static const char *const others[] = {"args",   "env",  "stdin",    "stdout",
                                         "stderr", "exit", "findings", "after"};

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (xds_slice_is(part->name, others[i]))
            return false;
    return true;
}
