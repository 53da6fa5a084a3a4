/* mapping.h - a message in the JSON mapping of proto3. */
#ifndef XDS_CONVERT_MAPPING_H
#define XDS_CONVERT_MAPPING_H

#include "convert/sink.h"
#include "decode/decode.h"

struct xds_mapping {
    struct xds_sink *sink;
    struct xds_arena *arena; /* for texts */
    const struct xds_kept *kept;
    bool json_names; /* lowerCamelCase instead of snake_case */
    bool of_json;    /* what was kept came from JSON or YAML, and can be repeated */
    size_t lost;     /* parts that the mapping cannot say */
};

/* The message in an Any, which says its type in front; one whose message is not known as
 * its bytes, under "@value". */
void xds_mapping_any(struct xds_mapping *m, const struct xds_any *any);

#endif
