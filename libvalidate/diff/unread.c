/*
 * unread.c - fields that no gRPC client reads.
 *
 * Takes:  a field of a message.
 * Gives:  whether a change of it, and of all below it, can change nothing in any client.
 *         A field that may shut out another one of its oneof is none of them.
 * Source: the fields that rules/ never looks at.
 */
#include "diff/unread.h"

#include <string.h>

#include "base/slice.h"
#include "decode/pb.h"

static const struct row {
    const ProtobufCMessageDescriptor *message;
    const char *field;
} rows[] = {
#define XDS_UNREAD(message, field) {&message, field},
#include "diff/unread.def"
#undef XDS_UNREAD
};

bool xds_field_is_unread(const ProtobufCMessageDescriptor *message,
                         const ProtobufCFieldDescriptor *field)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++)
        if (rows[i].message == message && strcmp(rows[i].field, field->name) == 0)
            return true;
    return false;
}
