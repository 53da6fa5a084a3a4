/* text.h - a message in protobuf's text format. */
#ifndef XDS_CONVERT_TEXT_H
#define XDS_CONVERT_TEXT_H

#include "decode/decode.h"
#include "print/out.h"

struct xds_text_writer {
    struct xds_out *out;
    struct xds_arena *arena; /* for the bytes of Anys that are not written out */
    const struct xds_kept *kept;
    bool of_text; /* what was kept came from a text proto, and can be repeated */
    unsigned depth;
    size_t lost; /* parts that the text format cannot say */
};

/* The fields of a message, each on lines of its own. */
void xds_text_fields(struct xds_text_writer *w, const ProtobufCMessage *message);
/* The inside of an Any: "[URL] { ... }", or its type_url and value. */
void xds_text_any(struct xds_text_writer *w, const struct xds_any *any);
/* A string in quotes. */
void xds_text_string(struct xds_out *out, struct xds_slice text);
/* May the type URL be in brackets? */
bool xds_text_is_bracketable(struct xds_slice url);

#endif
