/* wire_inside.h - what the two readers of the wire share. */
#ifndef XDS_DECODE_WIRE_INSIDE_H
#define XDS_DECODE_WIRE_INSIDE_H

#include "base/limits.h"
#include "base/text.h"
#include "decode/append.h"
#include "decode/field.h"
#include "decode/unread_fields.h"
#include "decode/wire.h"

struct wire {
    struct xds_arena *arena;
    struct xds_kept *kept; /* or NULL */
    const char *end;       /* of all bytes: what may be read */
    unsigned differences;  /* enum xds_wire_difference of the library */
    unsigned met;          /* those that matter in these bytes */
    unsigned depth;        /* of messages, through all Anys */
    unsigned any_at;       /* ... of the Any that they are in */
    unsigned unread_at;    /* depth in a message that is declared empty, while in one */
    bool has_entries;      /* of a map, in the message that is read */
    bool has_unknown;      /* fields that it does not have, or of another wire type */
    bool unknown_inside;   /* ... in the message that was read last */
};

ProtobufCBinaryData xds_wire_copy(struct wire *w, struct xds_slice bytes);
/* The low bits of n are what every 32-bit type keeps of it. False for a type that is not
 * a number. */
bool xds_wire_store_number(ProtobufCType type, uint64_t n, void *slot);

static inline ProtobufCMessage *xds_wire_new(struct wire *w,
                                             const ProtobufCMessageDescriptor *type)
{
    ProtobufCMessage *message = xds_arena_alloc(w->arena, type->sizeof_message);

    type->message_init(message);
    return message;
}

/* The arm of the field's oneof that is set; 0: none, or it is in no oneof. */
static inline uint32_t xds_wire_arm(const ProtobufCFieldDescriptor *field,
                                    const ProtobufCMessage *into)
{
    uint32_t arm = 0;

    if (xds_field_in_oneof(field))
        memcpy(&arm, (const char *)into + field->quantifier_offset, sizeof arm);
    return arm;
}

/* Note that a field is there. Another arm of its oneof is forgotten: returns whether
 * there was one. */
static inline bool xds_wire_set_present(const ProtobufCFieldDescriptor *field,
                                        ProtobufCMessage *into)
{
    const protobuf_c_boolean yes = true;
    const uint32_t arm = field->id;

    if (!field->quantifier_offset)
        return false;
    if (!xds_field_in_oneof(field)) {
        memcpy((char *)into + field->quantifier_offset, &yes, sizeof yes);
        return false;
    }
    const uint32_t before = xds_wire_arm(field, into);
    if (before == arm)
        return false;
    memcpy((char *)into + field->quantifier_offset, &arm, sizeof arm);
    memset((char *)into + field->offset, 0, xds_item_size(field->type));
    return before != 0;
}

/* Little-endian bytes of the wire as a number. */
static inline uint64_t xds_wire_fixed(struct xds_slice bytes)
{
    uint64_t n = 0;

    for (size_t i = bytes.len; i > 0; i--)
        n = n << 8 | (unsigned char)bytes.data[i - 1];
    return n;
}

/* A number of ten bytes without the top bit. */
static inline uint64_t xds_wire_with_top(struct wire *w, uint64_t n)
{
    w->met |= XDS_WIRE_DIFF_TOP_SET;
    return w->differences & XDS_WIRE_DIFF_TOP_SET ? n | UINT64_C(1) << 63 : n;
}

bool xds_wire_is_any(const ProtobufCFieldDescriptor *field);
struct xds_any *xds_wire_new_any(struct wire *w);
void xds_wire_name_any(struct wire *w, struct xds_slice type_url, struct xds_any *any);
/* Set state and message from the bytes of the message; its type is set. */
void xds_wire_open_any(struct wire *w, struct xds_slice bytes, struct xds_any *any);

/* wire_declared.c: a message as protobufjs reads it. */
bool xds_wire_read_declared(struct wire *w, struct xds_slice bytes,
                            ProtobufCMessage *into);

#endif
