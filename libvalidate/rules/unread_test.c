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
