/* picture_svg.h - a picture as inline SVG of an HTML page. */
#ifndef XDS_PRINT_PICTURE_SVG_H
#define XDS_PRINT_PICTURE_SVG_H

#include "print/picture_layout.h"

/* Looks are classes that html.css draws. Must run under a guard of the arena. */
void xds_svg_picture(struct xds_out *out, struct xds_arena *arena,
                     const struct xds_picture *picture,
                     const struct xds_picture_form *form);

#endif
