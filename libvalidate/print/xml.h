/* xml.h - text and attributes of XML, for JUnit, Checkstyle and pages. */
#ifndef XDS_PRINT_XML_H
#define XDS_PRINT_XML_H

#include "print/out.h"

/* What stands for a character that is markup in XML and in HTML; NULL for any other. */
const char *xds_xml_entity(char c);
/* Any bytes as the text of an element: markup is escaped, and what XML cannot hold, such
 * as control characters and bytes that are not UTF-8, becomes U+FFFD. */
void xds_xml_text(struct xds_out *out, struct xds_slice text);
/* Markup and text: as xds_out_format(), the arguments escaped as above. */
void xds_xml_format(struct xds_out *out, const char *format, ...) XDS_PRINTF(2, 3);
/* A blank, then name="value". */
void xds_xml_attribute(struct xds_out *out, const char *name, struct xds_slice value);
void xds_xml_attribute_u64(struct xds_out *out, const char *name, uint64_t value);

#endif
