/*
 * field.c - the fields of any protobuf-c message, through its descriptor.
 *
 * Source: proto3's field presence; protobuf-c's layout of messages.
 */
#include "decode/field.h"

#include <stddef.h>

#include "base/ascii.h"
#include "decode/pb.h"

_Static_assert(offsetof(ProtobufCBinaryData, len) == 0, "bytes begin with their length");
_Static_assert(sizeof(protobuf_c_boolean) == sizeof(uint32_t), "a bool is a word");

static const void *member_of(const ProtobufCMessage *message, size_t offset)
{
    return (const char *)message + offset;
}

bool xds_set_fields_next(struct xds_set_fields *walk)
{
    const ProtobufCMessageDescriptor *type = walk->message->descriptor;

    while (walk->next < type->n_fields) {
        walk->field = &type->fields[walk->next++];
        walk->n = xds_field_count(walk->message, walk->field);
        if (walk->n > 0)
            return true;
    }
    return false;
}

const void *xds_field_item(const ProtobufCMessage *message,
                           const ProtobufCFieldDescriptor *field, size_t i)
{
    const char *items;

    if (field->label != PROTOBUF_C_LABEL_REPEATED)
        return member_of(message, field->offset);
    memcpy(&items, member_of(message, field->offset), sizeof items);
    return items + i * xds_item_size(field->type);
}

size_t xds_item_size(ProtobufCType type)
{
    switch (type) {
    case PROTOBUF_C_TYPE_INT32:
    case PROTOBUF_C_TYPE_SINT32:
    case PROTOBUF_C_TYPE_SFIXED32:
    case PROTOBUF_C_TYPE_UINT32:
    case PROTOBUF_C_TYPE_FIXED32:
    case PROTOBUF_C_TYPE_FLOAT:
    case PROTOBUF_C_TYPE_ENUM:
        return 4;
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
    case PROTOBUF_C_TYPE_SFIXED64:
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_FIXED64:
    case PROTOBUF_C_TYPE_DOUBLE:
        return 8;
    case PROTOBUF_C_TYPE_BOOL:
        return sizeof(protobuf_c_boolean);
    case PROTOBUF_C_TYPE_BYTES:
        return sizeof(ProtobufCBinaryData);
    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_MESSAGE:
        break;
    }
    return sizeof(void *);
}

const ProtobufCMessage *xds_item_message(const void *item)
{
    const ProtobufCMessage *message;

    memcpy(&message, item, sizeof message);
    return message;
}

struct xds_slice xds_item_text(const void *item)
{
    const char *text;

    memcpy(&text, item, sizeof text);
    return xds_slice_of(text);
}

struct xds_slice xds_item_bytes(const void *item)
{
    ProtobufCBinaryData bytes;

    memcpy(&bytes, item, sizeof bytes);
    return xds_slice_make((const char *)bytes.data, bytes.len);
}

bool xds_item_bool(const void *item)
{
    protobuf_c_boolean value;

    memcpy(&value, item, sizeof value);
    return value;
}

double xds_item_double(ProtobufCType type, const void *item)
{
    double wide;
    float narrow;

    if (type == PROTOBUF_C_TYPE_FLOAT) {
        memcpy(&narrow, item, sizeof narrow);
        return (double)narrow;
    }
    memcpy(&wide, item, sizeof wide);
    return wide;
}

bool xds_type_is_wide(ProtobufCType type)
{
    return type != PROTOBUF_C_TYPE_DOUBLE && xds_item_is_wide(type);
}

struct xds_slice xds_item_number(ProtobufCType type, const void *item,
                                 char out[XDS_DIGITS])
{
    const bool is_unsigned =
        type == PROTOBUF_C_TYPE_UINT32 || type == PROTOBUF_C_TYPE_FIXED32 ||
        type == PROTOBUF_C_TYPE_UINT64 || type == PROTOBUF_C_TYPE_FIXED64;
    uint64_t wide;
    uint32_t narrow;

    if (xds_type_is_wide(type)) {
        memcpy(&wide, item, sizeof wide);
    } else {
        memcpy(&narrow, item, sizeof narrow);
        wide = is_unsigned ? narrow : (uint64_t)(int64_t)(int32_t)narrow;
    }
    return is_unsigned ? xds_digits(wide, out) : xds_signed_digits((int64_t)wide, out);
}

struct xds_slice xds_item_enum(const ProtobufCFieldDescriptor *field, const void *item)
{
    int32_t number;

    memcpy(&number, item, sizeof number);
    const ProtobufCEnumValue *value =
        protobuf_c_enum_descriptor_get_value(field->descriptor, number);
    return value ? xds_slice_of(value->name) : xds_slice_make(NULL, 0);
}

enum xds_own_form xds_own_form_of(const ProtobufCMessageDescriptor *type)
{
    static const struct {
        const ProtobufCMessageDescriptor *type;
        enum xds_own_form form;
    } forms[] = {
        {&google__protobuf__duration__descriptor, XDS_FORM_DURATION},
        {&google__protobuf__timestamp__descriptor, XDS_FORM_TIMESTAMP},
        {&google__protobuf__field_mask__descriptor, XDS_FORM_MASK},
        {&google__protobuf__struct__descriptor, XDS_FORM_ONLY_FIELD},
        {&google__protobuf__list_value__descriptor, XDS_FORM_ONLY_FIELD},
        {&google__protobuf__value__descriptor, XDS_FORM_VALUE},
        {&google__protobuf__bool_value__descriptor, XDS_FORM_WRAPPER},
        {&google__protobuf__bytes_value__descriptor, XDS_FORM_WRAPPER},
        {&google__protobuf__double_value__descriptor, XDS_FORM_WRAPPER},
        {&google__protobuf__float_value__descriptor, XDS_FORM_WRAPPER},
        {&google__protobuf__int32_value__descriptor, XDS_FORM_WRAPPER},
        {&google__protobuf__int64_value__descriptor, XDS_FORM_WRAPPER},
        {&google__protobuf__string_value__descriptor, XDS_FORM_WRAPPER},
        {&google__protobuf__uint32_value__descriptor, XDS_FORM_WRAPPER},
        {&google__protobuf__uint64_value__descriptor, XDS_FORM_WRAPPER},
        {&google__protobuf__empty__descriptor, XDS_FORM_EMPTY},
    };

    for (size_t i = 0; type->package_name[0] == 'g' && i < XDS_ARRAY_LEN(forms); i++)
        if (forms[i].type == type)
            return forms[i].form;
    return XDS_FORM_NONE;
}

/* Is `text` the CamelCase form of name, with "Entry" after it? */
static bool is_entry_name(const char *text, const char *name)
{
    bool upper = true;

    for (; *name; name++) {
        if (*name == '_') {
            upper = true;
            continue;
        }
        if (*text++ != (upper ? xds_ascii_upper(*name) : *name))
            return false;
        upper = false;
    }
    return strcmp(text, "Entry") == 0;
}

bool xds_field_is_map(const ProtobufCFieldDescriptor *field)
{
    if (field->type != PROTOBUF_C_TYPE_MESSAGE)
        return false;
    const ProtobufCMessageDescriptor *entry = field->descriptor;
    return entry->n_fields == 2 && strcmp(entry->fields[0].name, "key") == 0 &&
           strcmp(entry->fields[1].name, "value") == 0 &&
           is_entry_name(entry->short_name, field->name);
}

static char *member(ProtobufCMessage *message, size_t offset)
{
    return (char *)message + offset;
}

void *xds_field_append(struct xds_arena *arena, const ProtobufCFieldDescriptor *field,
                       ProtobufCMessage *into)
{
    const size_t size = xds_item_size(field->type);
    size_t n;
    char *items;

    memcpy(&n, member(into, field->quantifier_offset), sizeof n);
    memcpy(&items, member(into, field->offset), sizeof items);
    if (n == 0 || (n >= 4 && (n & (n - 1)) == 0)) {
        char *more = xds_arena_zero(arena, n ? n * 2 : 4, size);

        if (n)
            memcpy(more, items, n * size);
        items = more;
        memcpy(member(into, field->offset), &items, sizeof items);
    }
    n++;
    memcpy(member(into, field->quantifier_offset), &n, sizeof n);
    return items + (n - 1) * size;
}

void xds_field_drop_last(const ProtobufCFieldDescriptor *field, ProtobufCMessage *into)
{
    ProtobufCMessage **items;
    size_t n;

    memcpy(&n, member(into, field->quantifier_offset), sizeof n);
    memcpy(&items, member(into, field->offset), sizeof items);
    items[--n] = NULL; /* free slots are clear ones */
    memcpy(member(into, field->quantifier_offset), &n, sizeof n);
}

/* ---- maps ---- */

static void *new_value(struct xds_arena *arena, const ProtobufCMessageDescriptor *type)
{
    const bool is_any = type == &google__protobuf__any__descriptor;
    void *message =
        xds_arena_zero(arena, 1, is_any ? sizeof(struct xds_any) : type->sizeof_message);

    type->message_init(message);
    if (is_any)
        ((struct xds_any *)message)->state = XDS_ANY_UNKNOWN;
    return message;
}

/* Is there a value, or no message for one? Then it does not matter what a map is. */
static bool is_complete(const ProtobufCMessage *entry,
                        const ProtobufCFieldDescriptor *of_value)
{
    return !entry || of_value->type != PROTOBUF_C_TYPE_MESSAGE ||
           xds_field_count(entry, of_value) > 0;
}

bool xds_field_complete_entry(struct xds_arena *arena,
                              const ProtobufCFieldDescriptor *field, void *slot)
{
    const ProtobufCMessageDescriptor *type = field->descriptor;
    const ProtobufCFieldDescriptor *of_value = &type->fields[1];
    ProtobufCMessage *entry;

    memcpy(&entry, slot, sizeof entry);
    if (is_complete(entry, of_value) || !xds_field_is_map(field))
        return false;
    void *value = new_value(arena, of_value->descriptor);
    memcpy(member(entry, of_value->offset), &value, sizeof value);
    return true;
}

static bool field_lacks_values(const ProtobufCMessage *message,
                               const ProtobufCFieldDescriptor *field)
{
    const bool is_map = field->label == PROTOBUF_C_LABEL_REPEATED &&
                        xds_field_may_be_map(field) && xds_field_is_map(field);
    const ProtobufCMessageDescriptor *type = field->descriptor;

    for (size_t i = 0; i < xds_field_count(message, field); i++) {
        const ProtobufCMessage *item =
            xds_item_message(xds_field_item(message, field, i));

        if (!item)
            continue;
        if ((is_map && !is_complete(item, &type->fields[1])) ||
            xds_message_lacks_values(item))
            return true;
    }
    return false;
}

/* Recursion is as deep as the nesting that is read. */
bool xds_message_lacks_values(const ProtobufCMessage *message)
{
    const ProtobufCMessageDescriptor *type = message->descriptor;

    for (unsigned i = 0; i < type->n_fields; i++)
        if (type->fields[i].type == PROTOBUF_C_TYPE_MESSAGE &&
            field_lacks_values(message, &type->fields[i]))
            return true;
    return false;
}

bool xds_field_entry_is_open(const ProtobufCFieldDescriptor *field, const void *slot)
{
    const ProtobufCMessageDescriptor *type = field->descriptor;

    return !is_complete(xds_item_message(slot), &type->fields[1]) &&
           xds_field_is_map(field);
}

/* Of a text what it says, of all else its bytes in memory. */
static struct xds_slice key_of(ProtobufCMessage *entry)
{
    const ProtobufCFieldDescriptor *of_key = &entry->descriptor->fields[0];
    char *key = member(entry, of_key->offset);
    const char *text;

    if (of_key->type != PROTOBUF_C_TYPE_STRING)
        return xds_slice_make(key, xds_item_size(of_key->type));
    memcpy(&text, key, sizeof text);
    return xds_slice_of(text);
}

/* Has one of a few entries the key of the first? */
static bool comes_again(ProtobufCMessage *const *entries, size_t n)
{
    const struct xds_slice key = key_of(entries[0]);

    for (size_t i = 1; i < n; i++)
        if (xds_slice_eq(key, key_of(entries[i])))
            return true;
    return false;
}

static void keep_last_entries(struct xds_arena *arena, ProtobufCMessage **entries,
                              size_t *n)
{
    enum { FEW = 8 };
    struct xds_strmap last;
    size_t kept = 0;

    xds_strmap_init(&last, arena);
    for (size_t i = 0; *n > FEW && i < *n; i++)
        *xds_strmap_at(&last, key_of(entries[i])) = entries[i];
    for (size_t i = 0; i < *n; i++)
        if (*n > FEW ? xds_strmap_get(&last, key_of(entries[i])) == entries[i]
                     : !comes_again(entries + i, *n - i))
            entries[kept++] = entries[i];
    for (size_t i = kept; i < *n; i++)
        entries[i] = NULL; /* free slots are clear ones */
    *n = kept;
}

void xds_message_unify_maps(struct xds_arena *arena, ProtobufCMessage *message)
{
    const ProtobufCMessageDescriptor *type = message->descriptor;

    for (unsigned i = 0; i < type->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &type->fields[i];
        ProtobufCMessage **entries;
        size_t n;

        if (field->label != PROTOBUF_C_LABEL_REPEATED)
            continue;
        memcpy(&n, member(message, field->quantifier_offset), sizeof n);
        if (n < 2 || !xds_field_is_map(field))
            continue;
        memcpy(&entries, member(message, field->offset), sizeof entries);
        keep_last_entries(arena, entries, &n);
        memcpy(member(message, field->quantifier_offset), &n, sizeof n);
    }
}
