/*
 * any.h - google.protobuf.Any with the message inside it already decoded.
 *
 * Every pb_any that decode/ makes is the first member of a struct xds_any, so rules may
 * go from one to the other with xds_any_of().
 */
#ifndef XDS_DECODE_ANY_H
#define XDS_DECODE_ANY_H

#include "base/arena.h"
#include "decode/pb.h"

enum xds_any_state {
    XDS_ANY_TYPED,       /* message is set */
    XDS_ANY_UNKNOWN,     /* no registered type: its content is opaque */
    XDS_ANY_UNDECODABLE, /* it came as bytes that are no message of that type */
};

struct xds_any {
    pb_any pb; /* type_url as written; value is what came as bytes, unless TYPED */
    enum xds_any_state state;
    struct xds_slice type;           /* after the last '/', or all of type_url */
    const ProtobufCMessage *message; /* NULL unless TYPED */
    struct xds_slice wire; /* the bytes of its value, while they are read; else absent */
    unsigned met;          /* of a resource: enum xds_wire_difference of wire.h */
};

static inline const struct xds_any *xds_any_of(const pb_any *any)
{
    return (const struct xds_any *)(const void *)any;
}

/* The message of an Any when it is TYPED and of exactly this type, else NULL. */
static inline const void *xds_any_message(const pb_any *any,
                                          const ProtobufCMessageDescriptor *type)
{
    const struct xds_any *a = xds_any_of(any);

    return a && a->state == XDS_ANY_TYPED && a->message->descriptor == type ? a->message
                                                                            : NULL;
}

/* The part of a type URL after its last '/'; all of it when there is none. */
struct xds_slice xds_any_type_name(struct xds_slice type_url);

/* The descriptor of a full message name ("envoy.config.route.v3.FilterConfig") that may
 * be in an Any, or NULL. Messages declared empty in proto/ are registered too. */
const ProtobufCMessageDescriptor *xds_any_registry(struct xds_slice full_name);

#endif
