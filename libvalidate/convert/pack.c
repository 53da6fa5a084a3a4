/* pack.c - from a decoded resource to protobuf's wire form. */
#include "convert/pack.h"

#include <string.h>

#include "convert/field.h"

static void pack_inside(struct xds_arena *arena, const ProtobufCMessage *message);

void xds_pack(struct xds_arena *arena, struct xds_any *any)
{
    if (any->state != XDS_ANY_TYPED)
        return;
    pack_inside(arena, any->message);
    any->pb.value.len = protobuf_c_message_get_packed_size(any->message);
    any->pb.value.data = xds_arena_alloc(arena, any->pb.value.len);
    protobuf_c_message_pack(any->message, any->pb.value.data);
}

static void pack_member(struct xds_arena *arena, ProtobufCMessage *member)
{
    if (member->descriptor == &google__protobuf__any__descriptor)
        xds_pack(arena, (struct xds_any *)(void *)member);
    else
        pack_inside(arena, member);
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
            pack_member(arena, member);
        }
    }
}
