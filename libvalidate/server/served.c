/*
 * served.c - parts of an answer that several steps fill, and of what it is asked with.
 *
 * Source: xdscope-explain(1).
 */
#include "server/server.h"

void xds_served_note(struct xds_arena *arena, struct xds_served *d, const char *format,
                     ...)
{
    struct xds_slice *list = XDS_NEW_ARRAY(arena, struct xds_slice, d->n_notes + 1);
    va_list args;

    if (d->n_notes > 0)
        memcpy(list, d->notes, d->n_notes * sizeof *list);
    va_start(args, format);
    list[d->n_notes++] = xds_arena_vprintf(arena, format, args);
    va_end(args);
    d->notes = list;
}

bool xds_served_well(const struct xds_served *served)
{
    return served->outcome == XDS_SERVED_YES;
}

/* ---- certificates ---- */

static const char *const san_names[] = {[XDS_SAN_URI] = "uri",
                                        [XDS_SAN_DNS] = "dns",
                                        [XDS_SAN_EMAIL] = "email",
                                        [XDS_SAN_IP] = "ip"};

const char *xds_san_kind_name(enum xds_san_kind kind)
{
    return san_names[kind];
}

bool xds_san_read(struct xds_slice text, struct xds_san *out)
{
    const size_t colon = xds_slice_find(text, ':');
    const struct xds_slice kind = xds_slice_make(text.data, colon);

    for (size_t i = 0; colon < text.len && i < XDS_ARRAY_LEN(san_names); i++)
        if (xds_slice_eq_fold(kind, xds_slice_of(san_names[i]))) {
            *out =
                (struct xds_san){(enum xds_san_kind)i, xds_slice_from(text, colon + 1)};
            return out->value.len > 0;
        }
    return false;
}
