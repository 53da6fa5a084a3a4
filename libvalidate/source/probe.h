/* probe.h - what the top-level keys of an object tell about it. */
#ifndef XDS_SOURCE_PROBE_H
#define XDS_SOURCE_PROBE_H

#include "source/reader.h"
#include "source/shape.h"

struct xds_probe {
    bool container;
    struct xds_slice type_url, name;
    struct xds_slice
        packed; /* text proto: "type_url" of an Any that is not written out */
    bool has_resource;
    enum xds_token_kind resource; /* the kind of the value of "resource" */
};

/* Read the keys of an object that was just entered, as far as they tell something, and
 * come back to its first key. place: DOCUMENT, where it may be a container, or RESOURCE.
 * A wrapper by type is no container. False on a fault; if the reader is not dead then,
 * the object is too large. */
bool xds_probe_object(struct xds_reader *reader, struct xds_probe *found,
                      enum xds_place_kind place);
/* The text of a string token, in an arena; what is no text is left for decode/ to judge
 * and gives "". */
struct xds_slice xds_plain_text(const struct xds_token *token, struct xds_arena *arena);

#endif
