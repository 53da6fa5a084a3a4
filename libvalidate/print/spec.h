/* spec.h - rows of the spec, in full and beside the rules that cite them. */
#ifndef XDS_PRINT_SPEC_H
#define XDS_PRINT_SPEC_H

#include "catalogue/spec.h"
#include "print/out.h"

/* What a row is about, when, and what clients do; of a section its title. Below a rule,
 * so in column 4. */
void xds_out_spec_short(struct xds_out *out, const struct xds_spec *spec);
/* An object: a row, or of a section its id and title. */
void xds_json_spec_short(struct xds_out *out, const struct xds_spec *spec);
/* An object on a line of its own: a page, a section with its text and its rows, or a row.
 */
void xds_json_spec(struct xds_out *out, const struct xds_spec *spec);

#endif
