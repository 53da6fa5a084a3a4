/*
 * proto_test.c - our proto definitions say what the published ones say.
 *
 * testdata/proto/fields.tsv and enums.tsv hold the facts: number, name, label, type and
 * oneof of each field of each message that gRPC clients read, the messages that are
 * declared empty, and the enum values.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/pb.h"
#include "decode/wire.h"

static const ProtobufCMessageDescriptor *const messages[] = {
#define XDS_MESSAGE(descriptor) &descriptor,
#include "all_messages.inc"
#undef XDS_MESSAGE
};

static const ProtobufCEnumDescriptor *const enums[] = {
#define XDS_ENUM(descriptor) &descriptor,
#include "all_enums.inc"
#undef XDS_ENUM
};

static const char *const scalar_names[] = {
    [PROTOBUF_C_TYPE_INT32] = "int32",   [PROTOBUF_C_TYPE_INT64] = "int64",
    [PROTOBUF_C_TYPE_UINT32] = "uint32", [PROTOBUF_C_TYPE_UINT64] = "uint64",
    [PROTOBUF_C_TYPE_FLOAT] = "float",   [PROTOBUF_C_TYPE_DOUBLE] = "double",
    [PROTOBUF_C_TYPE_BOOL] = "bool",     [PROTOBUF_C_TYPE_STRING] = "string",
    [PROTOBUF_C_TYPE_BYTES] = "bytes",   [PROTOBUF_C_TYPE_MESSAGE] = NULL,
};

static const ProtobufCMessageDescriptor *find_message(const char *name)
{
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
        if (strcmp(messages[i]->name, name) == 0)
            return messages[i];
    return NULL;
}

static const ProtobufCEnumDescriptor *find_enum(const char *name)
{
    for (size_t i = 0; i < sizeof enums / sizeof *enums; i++)
        if (strcmp(enums[i]->name, name) == 0)
            return enums[i];
    return NULL;
}

static const char *type_of(const ProtobufCFieldDescriptor *field)
{
    if (field->type == PROTOBUF_C_TYPE_MESSAGE)
        return ((const ProtobufCMessageDescriptor *)field->descriptor)->name;
    if (field->type == PROTOBUF_C_TYPE_ENUM)
        return ((const ProtobufCEnumDescriptor *)field->descriptor)->name;
    return scalar_names[field->type];
}

/* "map<K,V>" of a map field, from its entry message. */
static void type_text(const ProtobufCFieldDescriptor *field, const char *label, char *out,
                      size_t size)
{
    if (strcmp(label, "map") == 0) {
        const ProtobufCMessageDescriptor *entry = field->descriptor;
        cr_assert_eq(entry->n_fields, 2);
        snprintf(out, size, "map<%s,%s>", type_of(&entry->fields[0]),
                 type_of(&entry->fields[1]));
    } else {
        snprintf(out, size, "%s", type_of(field));
    }
}

/* Cut a line into its six columns in place. */
static void split(char *line, char *column[6])
{
    line[strcspn(line, "\n")] = '\0';
    for (int i = 0; i < 6; i++) {
        column[i] = line;
        line += strcspn(line, "\t");
        if (*line)
            *line++ = '\0';
    }
}

static void check_field(const ProtobufCMessageDescriptor *message, char *column[6])
{
    const ProtobufCFieldDescriptor *field =
        protobuf_c_message_descriptor_get_field(message, (unsigned)atoi(column[1]));
    char type[256];

    cr_assert_not_null(field, "%s has no field %s", message->name, column[1]);
    type_text(field, column[3], type, sizeof type);
    cr_expect_str_eq(field->name, column[2], "%s.%s", message->name, column[2]);
    cr_expect_str_eq(type, column[4], "%s.%s", message->name, column[2]);
    cr_expect_eq(field->label == PROTOBUF_C_LABEL_REPEATED,
                 strcmp(column[3], "optional") != 0, "label of %s.%s", message->name,
                 column[2]);
    cr_expect_eq((field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) != 0,
                 strcmp(column[5], "-") != 0, "oneof of %s.%s", message->name, column[2]);
}

Test(proto, each_field_has_its_published_number_type_and_label)
{
    FILE *file = fopen("testdata/proto/fields.tsv", "r");
    char line[1024], *column[6];
    size_t seen = 0;

    cr_assert_not_null(file);
    while (fgets(line, sizeof line, file)) {
        if (*line == '#')
            continue;
        split(line, column);
        const ProtobufCMessageDescriptor *message = find_message(column[0]);
        cr_assert_not_null(message, "%s is not declared", column[0]);
        if (strcmp(column[1], "opaque") == 0 || strcmp(column[1], "-") == 0)
            cr_expect_eq(message->n_fields, 0, "%s must be empty", column[0]);
        else
            check_field(message, column);
        seen++;
    }
    fclose(file);
    cr_expect_gt(seen, 1000);
}

static size_t facts_about(const char *path, const char *name)
{
    FILE *file = fopen(path, "r");
    char line[1024];
    const size_t len = strlen(name);
    size_t n = 0;

    cr_assert_not_null(file);
    while (fgets(line, sizeof line, file))
        n += strncmp(line, name, len) == 0 && line[len] == '\t';
    fclose(file);
    return n;
}

static bool is_map_entry(const ProtobufCMessageDescriptor *message)
{
    const size_t len = strlen(message->name);

    return message->n_fields == 2 && len > 5 &&
           strcmp(message->name + len - 5, "Entry") == 0;
}

Test(proto, nothing_is_declared_beyond_the_facts)
{
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        const size_t lines = facts_about("testdata/proto/fields.tsv", messages[i]->name);

        if (is_map_entry(messages[i]) && lines == 0)
            continue;
        cr_expect_eq(lines, messages[i]->n_fields ? messages[i]->n_fields : 1, "%s",
                     messages[i]->name);
    }
}

/* A message that is declared with its fields has a shape too where one that is declared
 * empty holds it; of newer fields than those of the shape nothing is said. */
Test(proto, the_shape_of_what_is_not_read_is_known_and_fits_what_is_declared)
{
    size_t compared = 0;

    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        const ProtobufCMessageDescriptor *message = messages[i];
        const struct xds_unread_shape *shape = xds_unread_shape(message->name);

        cr_expect(shape || message->n_fields, "%s is not in unread_fields.txt",
                  message->name);
        for (unsigned k = 0; shape && k < message->n_fields; k++) {
            const ProtobufCFieldDescriptor *field = &message->fields[k];
            const struct xds_unread_member *member = xds_unread_member(shape, field->id);

            if (!member)
                continue;
            cr_expect_eq(xds_unread_kind_of((ProtobufCType)member->type),
                         xds_unread_kind_of(field->type), "%s.%s", message->name,
                         field->name);
            cr_expect(member->name == 0 ||
                          strcmp(xds_unread_name(member), field->name) == 0,
                      "%s.%s", message->name, field->name);
            cr_expect_eq(member->label != XDS_UNREAD_SINGULAR,
                         field->label == PROTOBUF_C_LABEL_REPEATED, "%s.%s",
                         message->name, field->name);
            compared++;
        }
    }
    cr_expect_gt(compared, 200);
}

Test(proto, each_enum_value_has_its_published_number)
{
    FILE *file = fopen("testdata/proto/enums.tsv", "r");
    char line[1024], *column[6];

    cr_assert_not_null(file);
    while (fgets(line, sizeof line, file)) {
        if (*line == '#')
            continue;
        split(line, column);
        const ProtobufCEnumDescriptor *type = find_enum(column[0]);
        cr_assert_not_null(type, "%s is not declared", column[0]);
        const ProtobufCEnumValue *value =
            protobuf_c_enum_descriptor_get_value_by_name(type, column[1]);
        cr_assert_not_null(value, "%s.%s", column[0], column[1]);
        cr_expect_eq(value->value, atoi(column[2]), "%s.%s", column[0], column[1]);
    }
    fclose(file);
}
