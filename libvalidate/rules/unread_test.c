/* unread_test.c - the table of fields is that of the descriptors, and has no gaps. */
#include <criterion/criterion.h>

#include "rules/unread.h"

/* A message, or one of the fields of the message before it. */
static const struct row {
    const ProtobufCMessageDescriptor *message;
    const char *field;
    bool is_read;
} rows[] = {
#define XDS_MESSAGE_READ(message, clients, first) {&(message), NULL, true},
#define XDS_FIELD_READ(name, clients, remark, hint) {NULL, #name, (clients) != 0},
#include "read_fields.inc"
#undef XDS_MESSAGE_READ
#undef XDS_FIELD_READ
};

Test(unread, the_rows_of_a_message_are_its_fields_in_their_order)
{
    const ProtobufCMessageDescriptor *message = NULL;
    unsigned n = 0;

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        if (rows[i].message) {
            message = rows[i].message;
            n = 0;
        } else {
            cr_assert_lt(n, message->n_fields, "%s", message->name);
            cr_expect_str_eq(rows[i].field, message->fields[n++].name, "%s",
                             message->name);
        }
        if (i + 1 == XDS_ARRAY_LEN(rows) || rows[i + 1].message)
            cr_expect_eq(n, message->n_fields, "%s", message->name);
    }
}

/* Values, and what the walk does not enter field by field. */
static bool needs_no_rows(const ProtobufCMessageDescriptor *type)
{
    return type->n_fields == 0 || strcmp(type->package_name, "google.protobuf") == 0;
}

static bool has_rows(const ProtobufCMessageDescriptor *type)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++)
        if (rows[i].message == type)
            return true;
    return false;
}

Test(unread, what_a_field_that_is_read_holds_is_read_too)
{
    const ProtobufCFieldDescriptor *field = NULL;

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        if (rows[i].message) {
            field = rows[i].message->fields;
            continue;
        }
        if (rows[i].is_read && field->type == PROTOBUF_C_TYPE_MESSAGE) {
            const ProtobufCMessageDescriptor *type = field->descriptor;

            cr_expect(needs_no_rows(type) || xds_field_is_map(field) || has_rows(type),
                      "%s: no client reads it, but it is in %s, which is read",
                      type->name, field->name);
        }
        field++;
    }
}

static bool is_unread(const ProtobufCMessageDescriptor *message, const char *field)
{
    return xds_field_is_unread(
        message, protobuf_c_message_descriptor_get_field_by_name(message, field));
}

Test(unread, what_one_client_reads_or_a_oneof_holds_is_not_unread)
{
    const ProtobufCMessageDescriptor *host =
        &envoy__config__route__v3__virtual_host__descriptor;

    cr_expect_not(is_unread(host, "retry_policy"), "java alone leaves it out");
    cr_expect(is_unread(host, "cors"));
    cr_expect_not(
        is_unread(&envoy__config__route__v3__route_match__descriptor, "connect_matcher"),
        "it shuts out the prefix");
}
