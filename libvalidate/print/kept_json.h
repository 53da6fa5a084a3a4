/* kept_json.h - JSON that decisions share is made once. */
#ifndef XDS_PRINT_KEPT_JSON_H
#define XDS_PRINT_KEPT_JSON_H

#include "print/decision_parts.h"

/* Members that are after others. kept: of decisions on one line; NULL: they are the
 * decision's own. */
void xds_json_kept(struct xds_out *out, const struct xds_decision *d,
                   xds_section_fn write, struct xds_kept_json *kept);

#endif
