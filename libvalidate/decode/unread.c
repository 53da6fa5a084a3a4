/*
 * unread.c - messages that are declared empty, as no client reads what is in them.
 *
 * Source: proto/unread_fields.txt; protobuf-c: layout of messages and descriptors.
 */
#include "decode/unread.h"

#include <stddef.h>
#include <string.h>

#include "base/slice.h"
#include "decode/decode.h"

struct unread_enum {
    const char *name;
    uint16_t first, n; /* rows of values */
};

struct unread_value {
    int32_t number;
    uint16_t name;
};

#define XDS_UNREAD_MESSAGE(name, first, n)
#define XDS_UNREAD_FIELD(number, type, label, row, oneof, name)
#define XDS_UNREAD_ENUM(name, first, n)
#define XDS_UNREAD_VALUE(number, name)
#define XDS_UNREAD_NAME(text)

static const struct xds_unread_shape shapes[] = {
#undef XDS_UNREAD_MESSAGE
#define XDS_UNREAD_MESSAGE(name, first, n) {name, first, n},
#include "unread_fields.inc"
#undef XDS_UNREAD_MESSAGE
#define XDS_UNREAD_MESSAGE(name, first, n)
};

static const struct xds_unread_member members[] = {
#undef XDS_UNREAD_FIELD
#define XDS_UNREAD_FIELD(number, type, label, row, oneof, name)                          \
    {number, row, name, PROTOBUF_C_TYPE_##type, XDS_UNREAD_##label, oneof},
#include "unread_fields.inc"
#undef XDS_UNREAD_FIELD
#define XDS_UNREAD_FIELD(number, type, label, row, oneof, name)
};

static const struct unread_enum enums[] = {
#undef XDS_UNREAD_ENUM
#define XDS_UNREAD_ENUM(name, first, n) {name, first, n},
#include "unread_fields.inc"
#undef XDS_UNREAD_ENUM
#define XDS_UNREAD_ENUM(name, first, n)
};

static const struct unread_value values[] = {
#undef XDS_UNREAD_VALUE
#define XDS_UNREAD_VALUE(number, name) {number, name},
#include "unread_fields.inc"
#undef XDS_UNREAD_VALUE
#define XDS_UNREAD_VALUE(number, name)
};

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverlength-strings"
static const char names[] = {
#undef XDS_UNREAD_NAME
#define XDS_UNREAD_NAME(text) text "\0"
#include "unread_fields.inc"
#undef XDS_UNREAD_NAME
};
#pragma GCC diagnostic pop

const struct xds_unread_shape *xds_unread_shape(const char *name)
{
    size_t low = 0, high = XDS_ARRAY_LEN(shapes);

    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        const int order = strcmp(shapes[mid].name, name);

        if (order == 0)
            return &shapes[mid];
        if (order < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}

const struct xds_unread_member *xds_unread_member(const struct xds_unread_shape *shape,
                                                  uint32_t number)
{
    for (size_t i = shape->first; i < (size_t)shape->first + shape->n; i++)
        if (members[i].number == number)
            return &members[i];
    return NULL;
}

const struct xds_unread_shape *xds_unread_below(const struct xds_unread_member *member)
{
    return &shapes[member->row];
}

const char *xds_unread_name(const struct xds_unread_member *member)
{
    return names + member->name;
}

enum xds_unread_kind xds_unread_kind_of(ProtobufCType type)
{
    switch (type) {
    case PROTOBUF_C_TYPE_INT32:
    case PROTOBUF_C_TYPE_SINT32:
    case PROTOBUF_C_TYPE_UINT32:
    case PROTOBUF_C_TYPE_BOOL:
    case PROTOBUF_C_TYPE_ENUM:
        return XDS_UNREAD_VARINT32;
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
    case PROTOBUF_C_TYPE_UINT64:
        return XDS_UNREAD_VARINT64;
    case PROTOBUF_C_TYPE_SFIXED32:
    case PROTOBUF_C_TYPE_FIXED32:
    case PROTOBUF_C_TYPE_FLOAT:
        return XDS_UNREAD_FIXED32;
    case PROTOBUF_C_TYPE_SFIXED64:
    case PROTOBUF_C_TYPE_FIXED64:
    case PROTOBUF_C_TYPE_DOUBLE:
        return XDS_UNREAD_FIXED64;
    case PROTOBUF_C_TYPE_STRING:
        return XDS_UNREAD_STRING;
    case PROTOBUF_C_TYPE_BYTES:
        return XDS_UNREAD_BYTES;
    case PROTOBUF_C_TYPE_MESSAGE:
        break;
    }
    return XDS_UNREAD_MESSAGE;
}

/* ---- enums ---- */

static void sort_names(ProtobufCEnumValueIndex *list, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const ProtobufCEnumValueIndex value = list[i];
        size_t k = i;

        for (; k > 0 && strcmp(list[k - 1].name, value.name) > 0; k--)
            list[k] = list[k - 1];
        list[k] = value;
    }
}

/* Each value is a range of its own; the first of those with one number has its name. */
static const ProtobufCEnumDescriptor *make_enum(struct xds_arena *arena,
                                                const struct unread_enum *row)
{
    ProtobufCEnumDescriptor *type = XDS_NEW(arena, ProtobufCEnumDescriptor);
    ProtobufCEnumValue *list = XDS_NEW_ARRAY(arena, ProtobufCEnumValue, row->n);
    ProtobufCEnumValueIndex *index =
        XDS_NEW_ARRAY(arena, ProtobufCEnumValueIndex, row->n);
    ProtobufCIntRange *ranges = XDS_NEW_ARRAY(arena, ProtobufCIntRange, row->n + 1u);
    unsigned n = 0;

    for (unsigned i = 0; i < row->n; i++) {
        const struct unread_value *value = &values[row->first + i];

        if (n == 0 || list[n - 1].value != value->number) {
            list[n] = (ProtobufCEnumValue){names + value->name, "", value->number};
            ranges[n] = (ProtobufCIntRange){value->number, n};
            n++;
        }
        index[i] = (ProtobufCEnumValueIndex){names + value->name, n - 1};
    }
    ranges[n] = (ProtobufCIntRange){0, n};
    sort_names(index, row->n);
    *type = (ProtobufCEnumDescriptor){.magic = PROTOBUF_C__ENUM_DESCRIPTOR_MAGIC,
                                      .name = row->name,
                                      .n_values = n,
                                      .values = list,
                                      .n_value_names = row->n,
                                      .values_by_name = index,
                                      .n_value_ranges = n,
                                      .value_ranges = ranges};
    return type;
}

/* ---- messages ---- */

static const ProtobufCMessageDescriptor *make(struct xds_unread_types *types,
                                              const struct xds_unread_shape *shape);

/* Messages of google.protobuf are declared with their fields. */
static const ProtobufCMessageDescriptor *
type_below(struct xds_unread_types *types, const struct xds_unread_member *member)
{
    const struct xds_unread_shape *shape = xds_unread_below(member);
    const struct xds_slice name = xds_slice_of(shape->name);
    const ProtobufCMessageDescriptor *known = NULL;

    if (xds_slice_is(name, "google.protobuf.Any"))
        return &google__protobuf__any__descriptor;
    if (xds_slice_starts(name, XDS_S("google.protobuf.")))
        known = xds_any_registry(name);
    return known ? known : make(types, shape);
}

/* Where the fields of a message are in it. */
struct layout {
    size_t size;
    size_t cases[UINT8_MAX]; /* of oneofs, by their number; 0: not met yet */
};

static size_t place(struct layout *layout, size_t size)
{
    const size_t at = layout->size;

    layout->size += (size + sizeof(void *) - 1) / sizeof(void *) * sizeof(void *);
    return at;
}

static ProtobufCFieldDescriptor make_field(struct xds_unread_types *types,
                                           const struct xds_unread_member *member,
                                           struct layout *layout)
{
    const ProtobufCType type = (ProtobufCType)member->type;
    const bool is_list = member->label != XDS_UNREAD_SINGULAR;
    ProtobufCFieldDescriptor field = {.name = names + member->name,
                                      .id = member->number,
                                      .label = PROTOBUF_C_LABEL_NONE,
                                      .type = type};
    const bool is_text = type == PROTOBUF_C_TYPE_STRING;

    if (is_list) {
        field.label = PROTOBUF_C_LABEL_REPEATED;
        field.quantifier_offset = (unsigned)place(layout, sizeof(size_t));
        if (xds_unread_kind_of(type) < XDS_UNREAD_STRING)
            field.flags = PROTOBUF_C_FIELD_FLAG_PACKED;
    } else if (member->oneof) {
        size_t *which = &layout->cases[member->oneof - 1];

        if (*which == 0)
            *which = place(layout, sizeof(uint32_t));
        field.quantifier_offset = (unsigned)*which;
        field.flags = PROTOBUF_C_FIELD_FLAG_ONEOF;
    } else if (is_text) {
        field.default_value = protobuf_c_empty_string;
    }
    field.offset =
        (unsigned)place(layout, is_list ? sizeof(void *) : sizeof(ProtobufCBinaryData));
    if (type == PROTOBUF_C_TYPE_ENUM)
        field.descriptor = make_enum(types->arena, &enums[member->row]);
    return field;
}

static const char *short_name(const char *name)
{
    const char *dot = strrchr(name, '.');

    return dot ? dot + 1 : name;
}

/* Fields without a name are left out: they are known by their number. */
static const ProtobufCMessageDescriptor *make(struct xds_unread_types *types,
                                              const struct xds_unread_shape *shape)
{
    struct xds_arena *arena = types->arena;
    const ProtobufCMessageDescriptor *made = types->made[shape - shapes];
    struct layout layout = {.size = sizeof(ProtobufCMessage)};

    if (made)
        return made;
    ProtobufCMessageDescriptor *type = XDS_NEW(arena, ProtobufCMessageDescriptor);
    ProtobufCFieldDescriptor *fields =
        XDS_NEW_ARRAY(arena, ProtobufCFieldDescriptor, shape->n + 1u);
    ProtobufCIntRange *ranges = XDS_NEW_ARRAY(arena, ProtobufCIntRange, shape->n + 1u);
    unsigned n = 0;

    types->made[shape - shapes] = type; /* before its fields, which may be of this type */
    for (unsigned i = 0; i < shape->n; i++) {
        const struct xds_unread_member *member = &members[shape->first + i];

        if (member->name == 0)
            continue;
        fields[n] = make_field(types, member, &layout);
        if (member->type == PROTOBUF_C_TYPE_MESSAGE)
            fields[n].descriptor = type_below(types, member);
        ranges[n] = (ProtobufCIntRange){member->number, n};
        n++;
    }
    ranges[n] = (ProtobufCIntRange){0, n};
    *type = (ProtobufCMessageDescriptor){.magic = PROTOBUF_C__MESSAGE_DESCRIPTOR_MAGIC,
                                         .name = shape->name,
                                         .short_name = short_name(shape->name),
                                         .package_name = shape->name,
                                         .sizeof_message = layout.size,
                                         .n_fields = n,
                                         .fields = fields,
                                         .n_field_ranges = n,
                                         .field_ranges = ranges};
    return type;
}

const ProtobufCMessageDescriptor *xds_unread_type(struct xds_unread_types *types,
                                                  const ProtobufCMessageDescriptor *type)
{
    const struct xds_unread_shape *shape;

    if (!types || type->n_fields > 0 || type == &google__protobuf__empty__descriptor)
        return type;
    shape = xds_unread_shape(type->name);
    if (!shape || shape->n == 0)
        return type;
    if (!types->made)
        types->made = XDS_NEW_ARRAY(types->arena, const ProtobufCMessageDescriptor *,
                                    XDS_ARRAY_LEN(shapes));
    const ProtobufCMessageDescriptor *made = make(types, shape);
    return made->n_fields > 0 ? made : type;
}

void xds_unread_init(const ProtobufCMessageDescriptor *type, void *message)
{
    memset(message, 0, type->sizeof_message);
    ((ProtobufCMessage *)message)->descriptor = type;
    for (unsigned i = 0; i < type->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &type->fields[i];

        if (field->default_value)
            memcpy((char *)message + field->offset, &field->default_value,
                   sizeof field->default_value);
    }
}
