/*
 * untyped.c - the type of a binary resource that nothing but its bytes tells.
 *
 * A type fits when each field is one of its message, of the right kind, and so on below.
 *
 * Source: Protocol Buffers encoding.
 */
#include "decode/untyped.h"

#include "source/wire/wire_field.h"

/* Below, it may be anything. */
enum { LEVELS = 32 };

/* What is asked about, and how. */
struct trial {
    bool plain; /* texts have no control characters, which messages have */
    unsigned level;
};

static bool fits(const ProtobufCMessageDescriptor *type, struct xds_slice bytes,
                 struct trial trial);

static bool is_plain(struct xds_slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.data[i] < 0x20)
            return false;
    return true;
}

static enum xds_wire_type wire_type_of(const ProtobufCFieldDescriptor *field)
{
    switch (field->type) {
    case PROTOBUF_C_TYPE_INT32:
    case PROTOBUF_C_TYPE_SINT32:
    case PROTOBUF_C_TYPE_UINT32:
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_BOOL:
    case PROTOBUF_C_TYPE_ENUM:
        return XDS_WIRE_VARINT;
    case PROTOBUF_C_TYPE_SFIXED32:
    case PROTOBUF_C_TYPE_FIXED32:
    case PROTOBUF_C_TYPE_FLOAT:
        return XDS_WIRE_32BIT;
    case PROTOBUF_C_TYPE_SFIXED64:
    case PROTOBUF_C_TYPE_FIXED64:
    case PROTOBUF_C_TYPE_DOUBLE:
        return XDS_WIRE_64BIT;
    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_BYTES:
    case PROTOBUF_C_TYPE_MESSAGE:
        return XDS_WIRE_BYTES;
    }
    return XDS_WIRE_GROUP;
}

static bool field_fits(const ProtobufCFieldDescriptor *field,
                       const struct xds_wire_field *on_wire, struct xds_slice value,
                       struct trial trial)
{
    const enum xds_wire_type type = wire_type_of(field);

    if (on_wire->type != type)
        return field->label == PROTOBUF_C_LABEL_REPEATED && type != XDS_WIRE_BYTES &&
               on_wire->type == XDS_WIRE_BYTES; /* packed */
    if (field->type == PROTOBUF_C_TYPE_STRING)
        return xds_utf8_valid(value) && (!trial.plain || is_plain(value));
    trial.level++;
    return field->type != PROTOBUF_C_TYPE_MESSAGE ||
           fits(field->descriptor, value, trial);
}

/* Of a message that no client reads no field is declared. */
static bool fits(const ProtobufCMessageDescriptor *type, struct xds_slice bytes,
                 struct trial trial)
{
    struct xds_wire_field on_wire;
    struct xds_slice value;

    while (bytes.len > 0 && trial.level < LEVELS) {
        if (!xds_wire_next(&bytes, &on_wire, &value))
            return false;
        const ProtobufCFieldDescriptor *field =
            protobuf_c_message_descriptor_get_field(type, on_wire.number);

        if (field ? !field_fits(field, &on_wire, value, trial) : type->n_fields > 0)
            return false;
    }
    return true;
}

/* The types that fit, a bit each. */
static unsigned types_with(struct xds_slice bytes, bool plain)
{
    unsigned types = 0;

    for (unsigned type = XDS_TYPE_LISTENER; type <= XDS_TYPE_ENDPOINT; type++) {
        const char *name = xds_resource_type_name((enum xds_resource_type)type);

        if (fits(xds_any_registry(xds_slice_of(name)), bytes,
                 (struct trial){.plain = plain}))
            types |= 1u << type;
    }
    return types;
}

/* A message may pass for a text, but hardly for one of a line. */
static unsigned types_of(struct xds_slice bytes)
{
    const unsigned types = types_with(bytes, true);

    return types ? types : types_with(bytes, false);
}

/* "Listener, Cluster" */
static struct xds_slice names_of(struct xds_arena *arena, unsigned types)
{
    struct xds_slice names = XDS_S("");

    for (unsigned type = XDS_TYPE_LISTENER; type <= XDS_TYPE_ENDPOINT; type++) {
        const char *name = xds_resource_type_name((enum xds_resource_type)type);

        if (types >> type & 1)
            names = xds_arena_printf(arena, "%.*s%s%s", XDS_FMT(names),
                                     names.len > 0 ? ", " : "", strrchr(name, '.') + 1);
    }
    return names;
}

bool xds_decode_untyped(const struct xds_resource *in, uint32_t resource,
                        struct xds_report *report, struct xds_resource *out)
{
    const unsigned types = types_of(in->bytes);
    const struct xds_slice names = names_of(&report->arena, types);

    *out = *in;
    out->is_untyped = false;
    if (types == 0 || (types & (types - 1)) != 0) {
        const struct xds_slice why =
            types
                ? xds_arena_printf(&report->arena,
                                   "cannot tell the type of this binary resource, which "
                                   "may be any of %.*s; use --type",
                                   XDS_FMT(names))
                : XDS_S("the input is neither a DiscoveryResponse nor a resource of a "
                        "type that gRPC reads; if it is one, use --type");

        xds_report_wire(report, resource, in->at, why);
        return false;
    }
    while (types >> out->type != 1)
        out->type++;
    xds_report_at(report, xds_rule_row(XDS_R_SRC_UNTYPED), resource, in->at,
                  "binary resource without a type, read as a %.*s, of which alone it has "
                  "the fields; --type says what it is",
                  XDS_FMT(names));
    return true;
}
