/*
 * pack.c - from a decoded resource to protobuf's wire form.
 *
 * Takes:  an Any as decode/ makes them, whose message holds further Anys.
 * Gives:  its value, in the arena.
 */
#include "fuzz/pack.h"

#include <string.h>

static void pack_inside(struct xds_arena *arena, const ProtobufCMessage *message);

void xds_fuzz_pack(struct xds_arena *arena, struct xds_any *any)
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
    if (!member)
        return;
    if (member->descriptor == &google__protobuf__any__descriptor)
        xds_fuzz_pack(arena, (struct xds_any *)(void *)member);
    else
        pack_inside(arena, member);
}

static bool is_other_arm(const ProtobufCMessage *message,
                         const ProtobufCFieldDescriptor *field)
{
    uint32_t arm;

    if (!(field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF))
        return false;
    memcpy(&arm, (const char *)message + field->quantifier_offset, sizeof arm);
    return arm != field->id;
}

static void pack_inside(struct xds_arena *arena, const ProtobufCMessage *message)
{
    for (unsigned i = 0; i < message->descriptor->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &message->descriptor->fields[i];
        const char *at = (const char *)message + field->offset;

        if (field->type != PROTOBUF_C_TYPE_MESSAGE || is_other_arm(message, field))
            continue;
        if (field->label != PROTOBUF_C_LABEL_REPEATED) {
            pack_member(arena, *(ProtobufCMessage *const *)(const void *)at);
            continue;
        }
        const size_t n = *(const size_t *)(const void *)((const char *)message +
                                                         field->quantifier_offset);
        ProtobufCMessage **items = *(ProtobufCMessage * *const *)(const void *)at;
        for (size_t k = 0; k < n; k++)
            pack_member(arena, items[k]);
    }
}
