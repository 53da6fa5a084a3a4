/*
 * names.c - find the field or enum value that a text names.
 *
 * Source: proto3 JSON mapping: parsers accept the lowerCamelCase and the original name.
 */

#include "base/ascii.h"
#include "base/text.h"
#include "decode/field.h"

/* As xds_tokens_take_key() wants it. */
#define PADDED(len) (((len) + 15) & ~(size_t)15)

/* Is key the name, with each "_x" written as "X"? */
static bool is_camel(const char *name, struct xds_slice key)
{
    size_t i = 0;

    for (; *name; name++, i++) {
        const bool joint = *name == '_' && name[1];

        name += joint;
        if (i >= key.len || key.data[i] != (joint ? xds_ascii_upper(*name) : *name))
            return false;
    }
    return i == key.len;
}

static bool is_named(const ProtobufCFieldDescriptor *field, struct xds_slice key)
{
    /* Both spellings begin alike; most candidates end here. */
    return field->name[0] == key.data[0] &&
           (is_camel(field->name, key) || xds_slice_is(key, field->name));
}

static size_t slot_of(const ProtobufCMessageDescriptor *message, struct xds_slice key)
{
    const size_t last = (unsigned char)key.data[key.len - 1];
    const size_t middle = (unsigned char)key.data[key.len / 2];
    const uint64_t mix = ((uintptr_t)message >> 5) + key.len * 5 + last * 17 + middle * 3;

    return (size_t)(mix * UINT64_C(0x9E3779B97F4A7C15) >> 32) % XDS_NAMES_SLOTS;
}

static const ProtobufCFieldDescriptor *
find_field(const ProtobufCMessageDescriptor *message, struct xds_slice key)
{
    for (unsigned i = 0; i < message->n_fields; i++)
        if (is_named(&message->fields[i], key))
            return &message->fields[i];
    return NULL;
}

/* Messages of google.protobuf have JSON forms of their own; what is in those without
 * fields is skipped. */
static enum xds_rpc_path way_of_message(const ProtobufCMessageDescriptor *type)
{
    if (type == &google__protobuf__uint32_value__descriptor)
        return XDS_WAY_UINT32_VALUE;
    return type->n_fields > 0 && type->package_name[0] != 'g' ? XDS_WAY_MESSAGE
                                                              : XDS_WAY_TOKEN;
}

enum xds_rpc_path xds_rpc_path_of(const ProtobufCFieldDescriptor *field)
{
    if (field->type == PROTOBUF_C_TYPE_STRING)
        return XDS_WAY_STRING;
    if (field->type == PROTOBUF_C_TYPE_UINT32)
        return XDS_WAY_UINT32;
    if (field->type == PROTOBUF_C_TYPE_ENUM)
        return XDS_WAY_ENUM;
    return field->type == PROTOBUF_C_TYPE_MESSAGE ? way_of_message(field->descriptor)
                                                  : XDS_WAY_TOKEN;
}

static struct xds_name *new_name(struct xds_arena *arena,
                                 const ProtobufCMessageDescriptor *message,
                                 const ProtobufCFieldDescriptor *field,
                                 struct xds_slice key)
{
    struct xds_name *name = xds_arena_alloc(arena, sizeof *name + PADDED(key.len + 2));

    *name = (struct xds_name){.field = field,
                              .index = (unsigned char)(field - message->fields),
                              .way = (unsigned char)xds_rpc_path_of(field),
                              .is_list = field->label == PROTOBUF_C_LABEL_REPEATED,
                              .is_map = xds_field_is_map(field),
                              .is_arm = xds_field_in_oneof(field),
                              .len = (unsigned char)(key.len + 2)};
    memset(name->quoted, 0, PADDED(key.len + 2));
    name->quoted[0] = name->quoted[key.len + 1] = '"';
    memcpy(name->quoted + 1, key.data, key.len);
    return name;
}

void xds_names_init(struct xds_names *names, struct xds_arena *arena)
{
    *names = (struct xds_names){.arena = arena};
}

struct xds_name *xds_names_find(struct xds_names *names,
                                const ProtobufCMessageDescriptor *message,
                                struct xds_slice key)
{
    if (key.len == 0)
        return NULL;
    struct xds_name **slot = &names->known[slot_of(message, key)];
    for (struct xds_name *name = *slot; name; name = name->same)
        if (name->field - name->index == message->fields && name->len == key.len + 2 &&
            memcmp(name->quoted + 1, key.data, key.len) == 0)
            return name;
    const ProtobufCFieldDescriptor *field = find_field(message, key);
    if (!field)
        return NULL;
    struct xds_name *name = new_name(names->arena, message, field, key);
    name->same = *slot;
    return *slot = name;
}

void xds_names_camel(const char *name, char camel[XDS_MAX_NAME])
{
    size_t n = 0;

    for (; *name && n + 1 < XDS_MAX_NAME; name++) {
        const bool joint = *name == '_' && name[1];

        name += joint;
        camel[n++] = joint ? xds_ascii_upper(*name) : *name;
    }
    camel[n] = '\0';
}

static bool looks_camel(struct xds_slice key)
{
    bool upper = false;

    for (size_t i = 0; i < key.len; i++) {
        if (key.data[i] == '_')
            return false;
        upper |= key.data[i] != xds_ascii_lower(key.data[i]);
    }
    return upper;
}

/* How many edits still look like a slip. */
static size_t patience(struct xds_slice name)
{
    return name.len < 4 ? 1 : name.len < 9 ? 2 : 3;
}

bool xds_names_nearest(const ProtobufCMessageDescriptor *message, struct xds_slice key,
                       bool snake, char nearest[XDS_MAX_NAME], bool *only)
{
    const bool camel = !snake && looks_camel(key);
    size_t limit = patience(key);
    bool found = false;

    for (unsigned i = 0; i < message->n_fields; i++) {
        char name[XDS_MAX_NAME];

        if (camel)
            xds_names_camel(message->fields[i].name, name);
        else
            memcpy(name, message->fields[i].name, strlen(message->fields[i].name) + 1);
        const size_t d = xds_slice_distance(key, xds_slice_of(name), limit);
        if (d > limit)
            continue;
        *only = !found || d < limit;
        if (!*only)
            continue;
        limit = d;
        found = true;
        memcpy(nearest, name, sizeof name);
    }
    return found;
}

/* In one call each: values of enums are as many as fields. */
static int cmp_name(const char *name, struct xds_slice text)
{
    const int c = strncmp(name, text.data, text.len);

    return c == 0 && name[text.len] != '\0' ? 1 : c;
}

const ProtobufCEnumValue *xds_enum_find(const ProtobufCEnumDescriptor *type,
                                        struct xds_slice name)
{
    size_t low = 0, high = type->n_value_names;

    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        const ProtobufCEnumValueIndex *value = &type->values_by_name[mid];
        const int c = cmp_name(value->name, name);

        if (c == 0)
            return &type->values[value->index];
        if (c < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}

const char *xds_enum_nearest(const ProtobufCEnumDescriptor *type, struct xds_slice name)
{
    struct xds_nearest nearest = {.name = name, .distance = patience(name) + 1};

    for (unsigned i = 0; i < type->n_value_names; i++)
        xds_nearest_offer(&nearest, type->values_by_name[i].name);
    return nearest.best;
}
