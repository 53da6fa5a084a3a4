/* wire.h - a resource on the wire as messages. */
#ifndef XDS_DECODE_WIRE_H
#define XDS_DECODE_WIRE_H

#include "decode/any.h"
#include "decode/kept.h"

/* In what a protobuf library differs from the documents on the wire. Most have a row of
 * their own in clients/differences.def, which says more. */
enum xds_wire_difference {
    XDS_WIRE_DIFF_AS_DECLARED = 1 << 0,   /* protobufjs, see wire_declared.c */
    XDS_WIRE_DIFF_DEEP = 1 << 1,          /* nesting over XDS_MAX_NESTING is read */
    XDS_WIRE_DIFF_ENTRY_DROPPED = 1 << 2, /* ... of a map, with a field that it lacks */
    XDS_WIRE_DIFF_HEAD_SHORT = 1 << 3,    /* XDS_WIRE_LONG_HEAD is refused */
    XDS_WIRE_DIFF_TAG_CUT = 1 << 4,       /* XDS_WIRE_WIDE_TAG is read */
    XDS_WIRE_DIFF_VARINT_EXACT = 1 << 5,  /* XDS_WIRE_OVERFLOW is refused */
    XDS_WIRE_DIFF_TOP_SET = 1 << 6,       /* the top bit of XDS_WIRE_TOP_UNSET is set */
};

/* Decode bytes into any, a message of the type that type_url names, as a library with
 * these differences does it; everything is allocated in arena, under a guard. any->state
 * says how it went: TYPED, UNKNOWN when no such type is registered, UNDECODABLE;
 * any->met, which other differences would have mattered. kept, or NULL, counts the fields
 * that no message has. */
void xds_decode_any(struct xds_arena *arena, unsigned differences,
                    struct xds_slice type_url, struct xds_slice bytes,
                    struct xds_any *any, struct xds_kept *kept);

#endif
