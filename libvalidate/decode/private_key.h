/* private_key.h - private keys that are in a resource. */
#ifndef XDS_DECODE_PRIVATE_KEY_H
#define XDS_DECODE_PRIVATE_KEY_H

#include "report/report.h"

/* Report the first one of the resource. */
void xds_check_private_key(const struct xds_resource *in, uint32_t resource,
                           struct xds_report *report);

#endif
