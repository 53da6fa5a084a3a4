/* pack.c - from a decoded resource to protobuf's wire form. */
#include "convert/pack.h"

#include <string.h>

#include "base/text.h"
#include "convert/field.h"
#include "source/wire/wire_field.h"

static void pack_inside(struct xds_arena *arena, const ProtobufCMessage *message);

static void put_varint(struct xds_text *out, uint64_t n)
{
    char bytes[10];
    size_t len = 0;

    for (; n >= 0x80; n >>= 7)
        bytes[len++] = (char)(n | 0x80);
    bytes[len++] = (char)n;
    xds_text_add(out, xds_slice_make(bytes, len));
}

static struct xds_slice restore_nul(struct xds_arena *arena, struct xds_slice bytes,
                                    const ProtobufCMessageDescriptor *type);

static struct xds_slice restore_value(struct xds_arena *arena, struct xds_slice value,
                                      const ProtobufCFieldDescriptor *field)
{
    if (field->type == PROTOBUF_C_TYPE_MESSAGE)
        return restore_nul(arena, value, field->descriptor);
    if (field->type != PROTOBUF_C_TYPE_STRING)
        return value;
    char *text = xds_arena_alloc(arena, value.len);
    return xds_slice_make(text, xds_text_restore_nul(value, text));
}

/* The bytes of a message, in whose texts XDS_NUL is 0 again. */
static struct xds_slice restore_nul(struct xds_arena *arena, struct xds_slice bytes,
                                    const ProtobufCMessageDescriptor *type)
{
    struct xds_text out = {.arena = arena};
    struct xds_wire_field head;
    struct xds_slice value;

    if (xds_slice_search(bytes, XDS_NUL) > bytes.len)
        return bytes;
    while (bytes.len && xds_wire_next(&bytes, &head, &value)) {
        const ProtobufCFieldDescriptor *field =
            protobuf_c_message_descriptor_get_field(type, head.number);

        put_varint(&out, (uint64_t)head.number << 3 | head.type);
        if (head.type == XDS_WIRE_BYTES) {
            value = restore_value(arena, value, field);
            put_varint(&out, value.len);
        }
        xds_text_add(&out, value);
    }
    return xds_slice_make(out.data, out.len);
}

void xds_pack(struct xds_arena *arena, struct xds_any *any)
{
    if (any->state != XDS_ANY_TYPED)
        return;
    pack_inside(arena, any->message);
    any->pb.value.len = protobuf_c_message_get_packed_size(any->message);
    any->pb.value.data = xds_arena_alloc(arena, any->pb.value.len);
    protobuf_c_message_pack(any->message, any->pb.value.data);

    const struct xds_slice packed = restore_nul(
        arena, xds_slice_make((const char *)any->pb.value.data, any->pb.value.len),
        any->message->descriptor);
    any->pb.value.len = packed.len;
    memcpy(&any->pb.value.data, &packed.data, sizeof packed.data);
}

static void pack_inside(struct xds_arena *arena, const ProtobufCMessage *message)
{
    for (unsigned i = 0; i < message->descriptor->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &message->descriptor->fields[i];

        if (field->type != PROTOBUF_C_TYPE_MESSAGE)
            continue;
        const size_t n = xds_field_count(message, field);
        for (size_t k = 0; k < n; k++) {
            ProtobufCMessage *member;

            memcpy(&member, xds_field_item(message, field, k), sizeof member);
            if (member->descriptor == &google__protobuf__any__descriptor)
                xds_pack(arena, (struct xds_any *)(void *)member);
            else
                pack_inside(arena, member);
        }
    }
}
