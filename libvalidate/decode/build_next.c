/*
 * build_next.c - the value that comes next in JSON, without a token where it is a plain
 * one: nearly all are, and a token costs more than what it says.
 *
 * Source: proto3 JSON mapping.
 */
#include "decode/builder.h"

#include "source/token_take.h"

static ProtobufCMessage *new_message(struct xds_builder *b,
                                     const ProtobufCFieldDescriptor *field, void *slot)
{
    ProtobufCMessage *message = xds_build_new(b, field->descriptor);

    memcpy(slot, &message, sizeof message);
    return message;
}

static bool take_string(struct xds_builder *b, void *slot)
{
    struct xds_slice text;

    if (!xds_tokens_take_text(&b->tokens, &text))
        return false;
    text = xds_arena_dup(b->arena, text);
    memcpy(slot, &text.data, sizeof text.data);
    return true;
}

/* A name that the enum does not have is for the builder to report. */
static bool take_enum(struct xds_builder *b, const ProtobufCFieldDescriptor *field,
                      void *slot)
{
    const size_t pos = b->tokens.pos;
    struct xds_slice text;

    if (!xds_tokens_take_text(&b->tokens, &text))
        return false;
    const ProtobufCEnumValue *value = xds_enum_find(field->descriptor, text);
    if (!value) {
        b->tokens.pos = pos;
        b->tokens.due = XDS_DUE_VALUE;
        return false;
    }
    memcpy(slot, &value->value, sizeof value->value);
    return true;
}

/* Take the value in one of the ways. False when it is not plain, and nothing has changed.
 * *good: as the builder's functions return. */
static bool take(struct xds_builder *b, enum xds_rpc_path way,
                 const ProtobufCFieldDescriptor *field, void *slot, bool *good)
{
    uint32_t number;

    *good = true;
    switch (way) {
    case XDS_WAY_TOKEN:
        return false;
    case XDS_WAY_STRING:
        return take_string(b, slot);
    case XDS_WAY_UINT32:
        if (!xds_tokens_take_whole(&b->tokens, &number))
            return false;
        memcpy(slot, &number, sizeof number);
        return true;
    case XDS_WAY_UINT32_VALUE:
        if (!xds_tokens_take_whole(&b->tokens, &number))
            return false;
        ((pb_u_int32_value *)new_message(b, field, slot))->value = number;
        return true;
    case XDS_WAY_ENUM:
        return take_enum(b, field, slot);
    case XDS_WAY_MESSAGE:
        if (!xds_tokens_take_object(&b->tokens))
            return false;
        *good = xds_build_members(b, new_message(b, field, slot), XDS_AT_TYPE_ALIEN);
        return true;
    }
    return false;
}

static bool is_arm_set(const ProtobufCFieldDescriptor *field,
                       const ProtobufCMessage *into)
{
    uint32_t set;

    memcpy(&set, (const char *)into + field->quantifier_offset, sizeof set);
    return set != 0;
}

static void set_arm(const ProtobufCFieldDescriptor *field, ProtobufCMessage *into)
{
    memcpy((char *)into + field->quantifier_offset, &field->id, sizeof field->id);
}

static bool take_list(struct xds_builder *b, const struct xds_name *name,
                      ProtobufCMessage *into, bool *good)
{
    if (name->is_map || !xds_tokens_take_list(&b->tokens))
        return false;
    *good = xds_build_items(b, name->field->name, name->field,
                            (enum xds_rpc_path)name->way, into);
    return true;
}

/* A second arm of a oneof is for the builder to report. */
static bool take_field(struct xds_builder *b, const struct xds_name *name,
                       ProtobufCMessage *into, bool *good)
{
    const ProtobufCFieldDescriptor *field = name->field;

    if (name->is_list)
        return take_list(b, name, into, good);
    if ((name->is_arm && is_arm_set(field, into)) ||
        !take(b, (enum xds_rpc_path)name->way, field, (char *)into + field->offset, good))
        return false;
    if (name->is_arm)
        set_arm(field, into);
    return true;
}

bool xds_build_next_field(struct xds_builder *b, const struct xds_name *name,
                          ProtobufCMessage *into)
{
    bool good;

    if (take_field(b, name, into, &good))
        return good;
    return xds_builder_next(b) &&
           xds_build_field(b, name->field->name, name->field, into);
}

bool xds_build_next_item(struct xds_builder *b, const char *name,
                         const ProtobufCFieldDescriptor *field, enum xds_rpc_path way,
                         void *slot)
{
    bool good;

    if (take(b, way, field, slot, &good))
        return good;
    return xds_builder_next(b) && xds_build_value(b, name, field, slot);
}
