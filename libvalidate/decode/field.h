/*
 * field.h - the fields of any protobuf-c message, through its descriptor.
 *
 * Values are borrowed from the message.
 */
#ifndef XDS_DECODE_FIELD_H
#define XDS_DECODE_FIELD_H

#include <protobuf-c/protobuf-c.h>

#include "base/digits.h"
#include "base/slice.h"
#include "decode/decode.h"

/* How it is seen in a message that a field is set, for those who ask many messages of one
 * type. */
struct xds_presence {
    enum {
        XDS_SET_POINTER, /* a message */
        XDS_SET_SIZE,    /* a list, bytes: it is not empty */
        XDS_SET_TEXT,
        XDS_SET_WORD32, /* a scalar is not 0 */
        XDS_SET_WORD64,
        XDS_SET_CASE, /* the oneof's */
    } by;
    unsigned offset; /* of what to look at */
    uint32_t id;     /* the case */
};

/* Is the field one of a oneof? */
static inline bool xds_field_in_oneof(const ProtobufCFieldDescriptor *field)
{
    return field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF;
}

/* Does an item of this type, a scalar or text, take 64 bits in memory? */
static inline bool xds_item_is_wide(ProtobufCType type)
{
    return type == PROTOBUF_C_TYPE_INT64 || type == PROTOBUF_C_TYPE_SINT64 ||
           type == PROTOBUF_C_TYPE_SFIXED64 || type == PROTOBUF_C_TYPE_UINT64 ||
           type == PROTOBUF_C_TYPE_FIXED64 || type == PROTOBUF_C_TYPE_DOUBLE;
}

static inline struct xds_presence
xds_field_presence(const ProtobufCFieldDescriptor *field)
{
    if (field->label == PROTOBUF_C_LABEL_REPEATED)
        return (struct xds_presence){XDS_SET_SIZE, field->quantifier_offset, 0};
    if (xds_field_in_oneof(field))
        return (struct xds_presence){XDS_SET_CASE, field->quantifier_offset, field->id};
    if (field->type == PROTOBUF_C_TYPE_MESSAGE)
        return (struct xds_presence){XDS_SET_POINTER, field->offset, 0};
    if (field->type == PROTOBUF_C_TYPE_STRING)
        return (struct xds_presence){XDS_SET_TEXT, field->offset, 0};
    if (field->type == PROTOBUF_C_TYPE_BYTES)
        return (struct xds_presence){XDS_SET_SIZE, field->offset, 0};
    /* Without presence of its own, a field is there when it is not zero. */
    if (xds_item_is_wide(field->type))
        return (struct xds_presence){XDS_SET_WORD64, field->offset, 0};
    return (struct xds_presence){XDS_SET_WORD32, field->offset, 0};
}

static inline bool xds_is_set(const ProtobufCMessage *message, struct xds_presence set)
{
    const char *at = (const char *)message + set.offset, *pointer;
    size_t size;
    uint32_t word32;
    uint64_t word64;

    switch (set.by) {
    case XDS_SET_POINTER:
        memcpy(&pointer, at, sizeof pointer);
        return pointer != NULL;
    case XDS_SET_TEXT:
        memcpy(&pointer, at, sizeof pointer);
        return pointer && *pointer != '\0';
    case XDS_SET_SIZE:
        memcpy(&size, at, sizeof size);
        return size != 0;
    case XDS_SET_WORD32:
        memcpy(&word32, at, sizeof word32);
        return word32 != 0;
    case XDS_SET_WORD64:
        memcpy(&word64, at, sizeof word64);
        return word64 != 0;
    case XDS_SET_CASE:
        memcpy(&word32, at, sizeof word32);
        return word32 == set.id;
    }
    return false;
}

/* How many values a field has: of one that is no list, 0 or 1. What proto3 does not
 * write, a scalar that is zero, it does not have. */
static inline size_t xds_field_count(const ProtobufCMessage *message,
                                     const ProtobufCFieldDescriptor *field)
{
    size_t n;

    if (field->label != PROTOBUF_C_LABEL_REPEATED)
        return xds_is_set(message, xds_field_presence(field));
    memcpy(&n, (const char *)message + field->quantifier_offset, sizeof n);
    return n;
}
/* A walk over the fields of a message that are set, in the order of their numbers. It
 * begins with the message alone. */
struct xds_set_fields {
    const ProtobufCMessage *message;
    const ProtobufCFieldDescriptor *field;
    size_t n; /* values that it has */
    unsigned next;
};
bool xds_set_fields_next(struct xds_set_fields *walk);
/* Where the i-th of them is. */
const void *xds_field_item(const ProtobufCMessage *message,
                           const ProtobufCFieldDescriptor *field, size_t i);
/* Bytes that an item of this type takes in memory. */
size_t xds_item_size(ProtobufCType type);
/* What an item of a message, string or bytes field holds. */
const ProtobufCMessage *xds_item_message(const void *item);
struct xds_slice xds_item_text(const void *item);
struct xds_slice xds_item_bytes(const void *item);
bool xds_item_bool(const void *item);
double xds_item_double(ProtobufCType type, const void *item); /* a float, too */
/* An integer or enum as text, in out. */
struct xds_slice xds_item_number(ProtobufCType type, const void *item,
                                 char out[XDS_DIGITS]);
/* The name of an enum's value; absent when it has none. */
struct xds_slice xds_item_enum(const ProtobufCFieldDescriptor *field, const void *item);
/* Is the type an integer of 64 bits, which JSON writes in quotes? */
bool xds_type_is_wide(ProtobufCType type);
/* Messages of google.protobuf that are written in another way than by their fields. */
enum xds_own_form {
    XDS_FORM_NONE,
    XDS_FORM_DURATION,
    XDS_FORM_TIMESTAMP,
    XDS_FORM_MASK,
    XDS_FORM_ONLY_FIELD, /* Struct and ListValue: their value is that of their field */
    XDS_FORM_WRAPPER,    /* so is that of UInt32Value and its like */
    XDS_FORM_VALUE,      /* of the field that is set */
    XDS_FORM_EMPTY,      /* {}, also in an Any */
};
enum xds_own_form xds_own_form_of(const ProtobufCMessageDescriptor *type);
/* protobuf-c keeps no map option: a map is a list of messages that protoc named, each
 * with a key and a value. */
bool xds_field_is_map(const ProtobufCFieldDescriptor *field);
/* A cleared slot for one more item of a repeated field. */
void *xds_field_append(struct xds_arena *arena, const ProtobufCFieldDescriptor *field,
                       ProtobufCMessage *into);
/* Take the last item of a repeated field of messages away again. */
void xds_field_drop_last(const ProtobufCFieldDescriptor *field, ProtobufCMessage *into);
/* False when it is for sure no map. */
static inline bool xds_field_may_be_map(const ProtobufCFieldDescriptor *field)
{
    const ProtobufCMessageDescriptor *type = field->descriptor;

    return field->type == PROTOBUF_C_TYPE_MESSAGE && type->n_fields == 2;
}
/* Give the entry of what may be a map an empty message for a value, when it is one and
 * lacks it. False when there was nothing to do. */
bool xds_field_complete_entry(struct xds_arena *arena,
                              const ProtobufCFieldDescriptor *field, void *slot);
/* Does the entry of what may be a map lack its value, a message? */
bool xds_field_entry_is_open(const ProtobufCFieldDescriptor *field, const void *slot);
/* Does an entry of a map do so, in the message or in one below it? */
bool xds_message_lacks_values(const ProtobufCMessage *message);
/* Of the entries with one key the last one counts, in every map of the message. */
void xds_message_unify_maps(struct xds_arena *arena, ProtobufCMessage *message);

#endif
