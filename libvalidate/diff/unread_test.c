/* unread_test.c - the table names fields that exist. */
#include <criterion/criterion.h>

#include "base/slice.h"
#include "decode/pb.h"
#include "diff/unread.h"

static const struct {
    const ProtobufCMessageDescriptor *message;
    const char *field;
} rows[] = {
#define XDS_UNREAD(message, field) {&message, field},
#include "diff/unread.def"
#undef XDS_UNREAD
};

Test(unread, every_row_is_a_field_of_its_message)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++)
        cr_expect_not_null(protobuf_c_message_descriptor_get_field_by_name(
                               rows[i].message, rows[i].field),
                           "%s has no %s", rows[i].message->name, rows[i].field);
}

Test(unread, what_decides_about_an_rpc_is_read)
{
    static const char *const read[] = {"cluster", "weighted_clusters", "retry_policy",
                                       "max_stream_duration", "hash_policy"};
    const ProtobufCMessageDescriptor *action =
        &envoy__config__route__v3__route_action__descriptor;

    for (size_t i = 0; i < XDS_ARRAY_LEN(read); i++)
        cr_expect_not(xds_field_is_unread(
            action, protobuf_c_message_descriptor_get_field_by_name(action, read[i])));
}
