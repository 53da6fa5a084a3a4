/*
 * lost.c - what of a message a format cannot say, and where it is.
 *
 * Source: proto3 JSON mapping; Protocol Buffers text format.
 */
#include "convert/inner.h"

#include "decode/wire.h"
#include "source/wire/wire_field.h"

#include <math.h>
#include <stdarg.h>

static XDS_PRINTF(3, 4) void add(struct xds_lost *lost, const struct xds_path *path,
                                 const char *format, ...)
{
    struct xds_text words = {.arena = lost->arena};
    va_list args;

    if (lost->n++ >= XDS_MAX_LOST_NAMED)
        return;
    if (path) {
        xds_text_add(&words, xds_path_render(lost->arena, path));
        xds_text_add(&words, XDS_S(": "));
    }
    va_start(args, format);
    xds_text_add(&words, xds_arena_vprintf(lost->arena, format, args));
    va_end(args);
    lost->words[lost->n - 1] = xds_slice_make(words.data, words.len);
}

static bool is_mapping(enum xds_format format)
{
    return format == XDS_FORMAT_JSON || format == XDS_FORMAT_YAML;
}

/* Can members be repeated that no message has room for? */
static bool repeats(const struct xds_lost *lost)
{
    return lost->from == lost->to || (is_mapping(lost->from) && is_mapping(lost->to));
}

static const char *origin(const struct xds_lost *lost)
{
    return is_mapping(lost->from) ? "JSON and YAML" : "text proto";
}

static void find_item(struct xds_lost *lost, const struct xds_path *path,
                      const ProtobufCMessage *message, bool is_entry);

/* The message of an Any that is not written out is packed. */
static void find_any(struct xds_lost *lost, const struct xds_path *path,
                     const struct xds_any *any)
{
    const enum xds_format to = lost->to;

    if (is_mapping(to) && any->pb.base.n_unknown_fields > 0)
        add(lost, path,
            "an Any with more fields than type_url and value has no form in JSON");
    if (to == XDS_FORMAT_TEXT_PROTO && !xds_text_is_open(any))
        lost->to = XDS_FORMAT_BINARY;
    const unsigned depth = lost->depth;

    lost->depth = lost->is_through ? depth : 0; /* readers of bytes begin again */
    if (any->state == XDS_ANY_TYPED)
        find_item(lost, path ? XDS_AT_VALUE(path, any->type) : NULL, any->message, false);
    else if (!repeats(lost) && xds_kept_find(lost->kept, any))
        add(lost, path,
            "the type \"%.*s\" is not known; its content can be copied as %s only",
            XDS_FMT(xds_slice_of(any->pb.type_url)), origin(lost));
    lost->depth = depth;
    lost->to = to;
}

/* JSON has no number that is infinite or none, only one null, and a Value without a kind
 * is nothing. */
static void check_value(struct xds_lost *lost, const struct xds_path *path,
                        const pb_value *value)
{
    if (value->kind_case == GOOGLE__PROTOBUF__VALUE__KIND__NOT_SET)
        add(lost, path, "a Value without a kind has no form in JSON");
    if (value->kind_case == GOOGLE__PROTOBUF__VALUE__KIND_NUMBER_VALUE &&
        !isfinite(value->number_value))
        add(lost, path, "a Value has no infinite number and no NaN in JSON");
    if (value->kind_case == GOOGLE__PROTOBUF__VALUE__KIND_NULL_VALUE &&
        value->null_value != GOOGLE__PROTOBUF__NULL_VALUE__NULL_VALUE)
        add(lost, path, "a null_value of %d is null in JSON", (int)value->null_value);
}

/* Has the message a place for "@unknown"? */
static bool is_without_keys(const ProtobufCMessageDescriptor *type)
{
    return type == &google__protobuf__struct__descriptor ||
           type == &google__protobuf__value__descriptor ||
           type == &google__protobuf__list_value__descriptor;
}

static void check_here(struct xds_lost *lost, const struct xds_path *path,
                       const ProtobufCMessage *message, bool is_entry)
{
    const ProtobufCMessageDescriptor *type = message->descriptor;

    if (is_mapping(lost->to) && type == &google__protobuf__value__descriptor)
        check_value(lost, path, (const pb_value *)message);
    if (is_mapping(lost->to) && message->n_unknown_fields > 0 &&
        (is_entry || is_without_keys(type)))
        add(lost, path, "fields that %s does not have have no place in JSON here",
            type->name);
    if (type->n_fields > 0 || repeats(lost) || !xds_kept_find(lost->kept, message))
        return;
    if (xds_unread_shape(type->name))
        add(lost, path, "it is not a valid %s, and can be copied as %s only", type->name,
            origin(lost));
    else
        add(lost, path,
            "the fields of %s are not known; they can be copied as %s "
            "only",
            type->name, origin(lost));
}

/* The key of a map's entry, when it is a text. */
static struct xds_slice key_of(const ProtobufCMessage *entry)
{
    const ProtobufCFieldDescriptor *key = &entry->descriptor->fields[0];

    return key->type == PROTOBUF_C_TYPE_STRING
               ? xds_item_text(xds_field_item(entry, key, 0))
               : XDS_S("");
}

/* As deep as messages are read. */
static void find(struct xds_lost *lost, const struct xds_path *path,
                 const ProtobufCMessage *message)
{
    for (struct xds_set_fields walk = {.message = message}; xds_set_fields_next(&walk);) {
        const ProtobufCFieldDescriptor *field = walk.field;
        const bool is_list = field->label == PROTOBUF_C_LABEL_REPEATED;
        const bool is_map = is_list && xds_field_is_map(field);

        if (field->type != PROTOBUF_C_TYPE_MESSAGE)
            continue;
        for (size_t k = 0; k < walk.n; k++) {
            const ProtobufCMessage *item =
                xds_item_message(xds_field_item(message, field, k));

            if (is_map && item)
                find_item(lost, XDS_AT_KEY(path, field->name, key_of(item)), item, true);
            else if (is_list)
                find_item(lost, XDS_AT_I(path, field->name, k), item, false);
            else
                find_item(lost, XDS_AT(path, field->name), item, false);
        }
    }
}

/* As much of the path as one reads. It is written all the same, for a person to look at.
 */
static struct xds_slice too_deep(struct xds_arena *arena, struct xds_slice path)
{
    enum { SHOWN = 240 };
    const bool is_long = path.len > SHOWN;

    return xds_arena_printf(
        arena,
        "%.*s%s: nested more than %d levels deep, which the output has and no "
        "command reads back",
        (int)(is_long ? SHOWN : path.len), path.data, is_long ? "..." : "",
        XDS_MAX_NESTING);
}

/* A message is about to be entered. */
static void check_depth(struct xds_lost *lost, const struct xds_path *path)
{
    if (lost->depth == XDS_MAX_NESTING + 1 && lost->to == XDS_FORMAT_BINARY &&
        lost->from != XDS_FORMAT_BINARY) {
        const bool is_named = lost->n < XDS_MAX_LOST_NAMED;
        const struct xds_slice at =
            is_named ? xds_path_render(lost->arena, path) : XDS_S("");

        add(lost, NULL, "%.*s", XDS_FMT(is_named ? too_deep(lost->arena, at) : at));
    }
    if (lost->depth > lost->deepest)
        lost->deepest = lost->depth;
    if (lost->wanted && lost->depth == lost->wanted && !lost->wanted_at.data)
        lost->wanted_at = xds_path_render(lost->arena, path);
}

static void find_item(struct xds_lost *lost, const struct xds_path *path,
                      const ProtobufCMessage *message, bool is_entry)
{
    if (!message)
        return;
    check_depth(lost, path);
    lost->depth++;
    if (message->descriptor == &google__protobuf__any__descriptor) {
        find_any(lost, path, xds_any_of((const pb_any *)message));
    } else {
        check_here(lost, path, message, is_entry);
        find(lost, path, message);
    }
    lost->depth--;
}

/* ---- where libraries differ ---- */

/* Larger ones are looked into as a whole. */
#define MOST_BYTES ((size_t)1 << 20)

static void add_differing(struct xds_lost *lost, const struct xds_path *path)
{
    add(lost, path,
        "protobuf libraries read its bytes in different ways; the one of the "
        "documents is written");
}

static bool differs(struct xds_lost *lost, const ProtobufCMessageDescriptor *type,
                    struct xds_slice bytes)
{
    struct xds_kept kept;
    struct xds_any any = {0};

    xds_kept_init(&kept, lost->arena);
    xds_decode_message(lost->arena, type, bytes, &any, &kept);
    return any.met & ~XDS_WIRE_BIT(AS_DECLARED);
}

static bool find_differing(struct xds_lost *lost, const struct xds_path *path,
                           const ProtobufCMessageDescriptor *type,
                           struct xds_slice bytes);

static struct xds_slice text_field(struct xds_slice message, uint32_t number)
{
    struct xds_wire_field head;
    struct xds_slice value, found = XDS_S("");

    while (message.len && xds_wire_next(&message, &head, &value))
        if (head.number == number && head.type == XDS_WIRE_BYTES)
            found = value;
    return found;
}

/* In the value of a field: the message that it is, or that is in it. */
static bool find_inside(struct xds_lost *lost, const struct xds_path *path,
                        const ProtobufCFieldDescriptor *field, struct xds_slice value)
{
    const ProtobufCMessageDescriptor *type = field->descriptor;

    if (type != &google__protobuf__any__descriptor)
        return find_differing(lost, path, type, value);
    const struct xds_slice name = xds_any_type_name(text_field(value, 1));

    type = xds_any_registry(name);
    return type &&
           find_differing(lost, XDS_AT_VALUE(path, name), type, text_field(value, 2));
}

/* A field of a message on the wire: where it is, and its value. */
struct piece {
    const char *begin, *end;
    struct xds_wire_field head;
    struct xds_slice value;
};

static struct piece *cut(struct xds_arena *arena, struct xds_slice bytes, size_t *n)
{
    struct xds_slice rest = bytes;
    struct xds_wire_field head;
    struct xds_slice value;

    for (*n = 0; rest.len && xds_wire_next(&rest, &head, &value);)
        ++*n;
    struct piece *pieces = XDS_NEW_ARRAY(arena, struct piece, *n + 1);

    for (size_t i = 0; i < *n; i++) {
        pieces[i].begin = bytes.data;
        (void)xds_wire_next(&bytes, &pieces[i].head, &pieces[i].value);
        pieces[i].end = bytes.data;
    }
    return pieces;
}

/* The field with which the bytes begin to differ; n: none. */
static size_t first_differing(struct xds_lost *lost,
                              const ProtobufCMessageDescriptor *type,
                              const struct piece *pieces, size_t n)
{
    size_t low = 0, high = n;

    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        const size_t len = (size_t)(pieces[mid].end - pieces[0].begin);

        if (differs(lost, type, xds_slice_make(pieces[0].begin, len)))
            high = mid;
        else
            low = mid + 1;
    }
    return low;
}

/* How a path goes on to the field of this piece. */
static struct xds_path step_to(const struct xds_path *path,
                               const ProtobufCFieldDescriptor *field,
                               const struct piece *pieces, size_t at)
{
    size_t index = 0;

    if (field->label != PROTOBUF_C_LABEL_REPEATED)
        return *XDS_AT(path, field->name);
    if (field->type == PROTOBUF_C_TYPE_MESSAGE && xds_field_is_map(field))
        return *XDS_AT_KEY(path, field->name, text_field(pieces[at].value, 1));
    for (size_t i = 0; i < at; i++)
        index += pieces[i].head.number == field->id;
    return *XDS_AT_I(path, field->name, index);
}

/* False when the bytes do not differ as a message of this type alone. */
static bool find_differing(struct xds_lost *lost, const struct xds_path *path,
                           const ProtobufCMessageDescriptor *type, struct xds_slice bytes)
{
    size_t n;
    const struct piece *pieces = cut(lost->arena, bytes, &n);
    const size_t at = first_differing(lost, type, pieces, n);

    if (at == n)
        return false;
    const struct piece *piece = &pieces[at];
    const ProtobufCFieldDescriptor *field =
        protobuf_c_message_descriptor_get_field(type, piece->head.number);

    if (!field) {
        add_differing(lost, path);
        return true;
    }
    const struct xds_path here = step_to(path, field, pieces, at);

    if (field->type != PROTOBUF_C_TYPE_MESSAGE || piece->head.type != XDS_WIRE_BYTES ||
        !find_inside(lost, &here, field, piece->value))
        add_differing(lost, &here);
    return true;
}

static void find_first_differing(struct xds_lost *lost, const struct xds_any *root)
{
    if (root->state != XDS_ANY_TYPED || lost->bytes.len == 0 ||
        lost->bytes.len > MOST_BYTES ||
        !find_differing(lost, NULL, root->message->descriptor, lost->bytes))
        add_differing(lost, NULL);
}

void xds_lost_find(struct xds_lost *lost, const struct xds_any *root)
{
    const struct xds_slice type_url = xds_slice_of(root->pb.type_url);
    const bool is_copy = lost->from == XDS_FORMAT_BINARY && lost->to == XDS_FORMAT_BINARY;

    find_any(lost, NULL, root);
    if ((root->met & ~XDS_WIRE_BIT(AS_DECLARED)) && !is_copy)
        find_first_differing(lost, root);
    if (lost->to == XDS_FORMAT_BINARY && root->state == XDS_ANY_UNKNOWN &&
        xds_slice_find(type_url, '/') == type_url.len)
        add(lost, NULL,
            "the type \"%.*s\" has no slash; in binary, a message of such a type "
            "does not differ from other bytes",
            XDS_FMT(type_url));
}

struct xds_slice xds_lost_too_deep(struct xds_arena *arena, const struct xds_any *root)
{
    struct xds_kept kept;
    struct xds_lost lost = {.arena = arena, .kept = &kept, .is_through = true};

    xds_kept_init(&kept, arena);
    find_any(&lost, NULL, root);
    lost.wanted = lost.deepest;
    find_any(&lost, NULL, root);
    return too_deep(arena, lost.wanted_at);
}

void xds_lost_find_in(struct xds_lost *lost, const ProtobufCMessage *message)
{
    find_item(lost, NULL, message, false);
}
