/* unread_test.c - the tables of fields name messages and fields that there are. */
#include <criterion/criterion.h>

#include "rules/unread.h"

struct row {
    const ProtobufCMessageDescriptor *message;
    const char *fields;
};

static void expect_fields(const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct xds_slice rest = xds_slice_of(rows[i].fields), word;

        while (rest.data && rows[i].fields[0] != '\0') {
            char name[100] = "";

            rest = xds_slice_cut(rest, ' ', &word);
            cr_assert_lt(word.len, sizeof name);
            memcpy(name, word.data, word.len);
            cr_expect(
                protobuf_c_message_descriptor_get_field_by_name(rows[i].message, name),
                "%s has no field \"%s\"", rows[i].message->name, name);
        }
    }
}

Test(unread, every_field_of_the_tables_exists)
{
    static const struct row rows[] = {
#define XDS_READS(message, clients, fields) {&(message), (fields)},
#include "rules/read_fields.inc"
#undef XDS_READS
#define XDS_READS_NOT(message, fields, clients) {&(message), (fields)},
#include "rules/unread_exceptions.inc"
#undef XDS_READS_NOT
#define XDS_HARMLESS(message, fields) {&(message), (fields)},
#include "rules/unread_harmless.inc"
#undef XDS_HARMLESS
#define XDS_UNREAD_HINT(message, field, text) {&(message), (field)},
#include "rules/unread_hints.inc"
#undef XDS_UNREAD_HINT
    };

    expect_fields(rows, XDS_ARRAY_LEN(rows));
}

Test(unread, what_some_client_reads_is_no_exception_for_all)
{
    const ProtobufCMessageDescriptor *host =
        &envoy__config__route__v3__virtual_host__descriptor;
    const ProtobufCFieldDescriptor *retry =
        protobuf_c_message_descriptor_get_field_by_name(host, "retry_policy");
    const ProtobufCFieldDescriptor *cors =
        protobuf_c_message_descriptor_get_field_by_name(host, "cors");

    cr_expect(xds_field_is_read(retry, host, XDS_ALL_CLIENTS));
    cr_expect(xds_field_is_read(retry, host, XDS_CORE));
    cr_expect_not(xds_field_is_read(retry, host, XDS_JAVA));
    cr_expect_not(xds_field_is_read(cors, host, XDS_ALL_CLIENTS));
}
