/* yaml_scalar.h - the value of a plain YAML scalar. */
#ifndef XDS_SOURCE_YAML_YAML_SCALAR_H
#define XDS_SOURCE_YAML_YAML_SCALAR_H

#include "source/token.h"

#define XDS_YAML_NUMBER 64 /* a longer number is passed on as it was written */

/* Set kind and text of a token from a plain scalar; a number that JSON writes in another
 * way is rewritten into `number`. */
void xds_yaml_resolve(struct xds_slice text, char number[XDS_YAML_NUMBER],
                      struct xds_token *out);

#endif
