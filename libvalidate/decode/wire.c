/*
 * wire.c - a resource on the wire as messages.
 *
 * Fails:  with state UNDECODABLE: cut off, groups, text that is no UTF-8 or holds NUL (at
 *         which a C string would end), nesting over XDS_MAX_NESTING.
 * Source: Protocol Buffers encoding; spec listener 0.2 (undecodable messages).
 */
#include "decode/wire.h"

#include "base/limits.h"
#include "decode/append.h"
#include "decode/decode.h"
#include "decode/field.h"
#include "decode/plain_copy.h"
#include "source/wire_field.h"

struct wire {
    struct xds_arena *arena;
    struct xds_kept *kept; /* or NULL */
    const char *end;       /* of all bytes: what may be read */
    unsigned depth;
    bool has_entries; /* of a map, in the message that is read */
};

/* How each type is on the wire. */
static const unsigned char wire_of[] = {
    [PROTOBUF_C_TYPE_INT32] = XDS_WIRE_VARINT,
    [PROTOBUF_C_TYPE_SINT32] = XDS_WIRE_VARINT,
    [PROTOBUF_C_TYPE_SFIXED32] = XDS_WIRE_32BIT,
    [PROTOBUF_C_TYPE_INT64] = XDS_WIRE_VARINT,
    [PROTOBUF_C_TYPE_SINT64] = XDS_WIRE_VARINT,
    [PROTOBUF_C_TYPE_SFIXED64] = XDS_WIRE_64BIT,
    [PROTOBUF_C_TYPE_UINT32] = XDS_WIRE_VARINT,
    [PROTOBUF_C_TYPE_FIXED32] = XDS_WIRE_32BIT,
    [PROTOBUF_C_TYPE_UINT64] = XDS_WIRE_VARINT,
    [PROTOBUF_C_TYPE_FIXED64] = XDS_WIRE_64BIT,
    [PROTOBUF_C_TYPE_FLOAT] = XDS_WIRE_32BIT,
    [PROTOBUF_C_TYPE_DOUBLE] = XDS_WIRE_64BIT,
    [PROTOBUF_C_TYPE_BOOL] = XDS_WIRE_VARINT,
    [PROTOBUF_C_TYPE_ENUM] = XDS_WIRE_VARINT,
    [PROTOBUF_C_TYPE_STRING] = XDS_WIRE_BYTES,
    [PROTOBUF_C_TYPE_BYTES] = XDS_WIRE_BYTES,
    [PROTOBUF_C_TYPE_MESSAGE] = XDS_WIRE_BYTES,
};

static char *member(ProtobufCMessage *message, size_t offset)
{
    return (char *)message + offset;
}

/* ---- numbers ---- */

static uint64_t zigzag(uint64_t n)
{
    return (n >> 1) ^ (0 - (n & 1));
}

/* Little-endian bytes of the wire as a number. */
static uint64_t fixed(struct xds_slice bytes)
{
    uint64_t n = 0;

    for (size_t i = bytes.len; i > 0; i--)
        n = n << 8 | (unsigned char)bytes.data[i - 1];
    return n;
}

static void store_narrow(uint32_t n, void *slot)
{
    memcpy(slot, &n, sizeof n);
}

static void store_wide(uint64_t n, void *slot)
{
    memcpy(slot, &n, sizeof n);
}

/* The low bits of n are what every 32-bit type keeps of it. False for what is no number.
 */
static bool store_number(ProtobufCType type, uint64_t n, void *slot)
{
    switch (type) {
    case PROTOBUF_C_TYPE_BOOL:
        *(protobuf_c_boolean *)slot = n != 0;
        return true;
    case PROTOBUF_C_TYPE_SINT32:
        store_narrow((uint32_t)zigzag(n), slot);
        return true;
    case PROTOBUF_C_TYPE_SINT64:
        store_wide(zigzag(n), slot);
        return true;
    case PROTOBUF_C_TYPE_INT32:
    case PROTOBUF_C_TYPE_SFIXED32:
    case PROTOBUF_C_TYPE_UINT32:
    case PROTOBUF_C_TYPE_FIXED32:
    case PROTOBUF_C_TYPE_FLOAT:
    case PROTOBUF_C_TYPE_ENUM:
        store_narrow((uint32_t)n, slot);
        return true;
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SFIXED64:
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_FIXED64:
    case PROTOBUF_C_TYPE_DOUBLE:
        store_wide(n, slot);
        return true;
    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_BYTES:
    case PROTOBUF_C_TYPE_MESSAGE:
        return false;
    }
    return false;
}

/* ---- text and messages ---- */

static bool is_text(struct xds_slice s)
{
    return s.len == 0 || (!memchr(s.data, '\0', s.len) && xds_utf8_valid(s));
}

/* False when it is no text; it is stored all the same. readable: bytes from its begin on.
 */
static bool store_text(struct wire *w, struct xds_slice text, size_t readable, void *slot)
{
    char *copy = xds_arena_alloc(w->arena, text.len + 1);
    const bool plain = xds_copy_plain(copy, text, readable);

    copy[text.len] = '\0';
    memcpy(slot, &copy, sizeof copy);
    return plain || is_text(text);
}

static ProtobufCBinaryData copy_bytes(struct wire *w, struct xds_slice bytes)
{
    uint8_t *copy = xds_arena_alloc(w->arena, bytes.len);

    if (bytes.len)
        memcpy(copy, bytes.data, bytes.len);
    return (ProtobufCBinaryData){bytes.len, copy};
}

static ProtobufCMessage *new_message(struct wire *w,
                                     const ProtobufCMessageDescriptor *type)
{
    ProtobufCMessage *message = xds_arena_alloc(w->arena, type->sizeof_message);

    type->message_init(message);
    return message;
}

static bool read_message(struct wire *w, struct xds_slice bytes, ProtobufCMessage *into);

enum { ANY_TYPE_URL = 1, ANY_VALUE = 2 };

/* The fields of an Any; those that are not there stay as they are. */
static bool read_any_fields(struct xds_slice bytes, struct xds_slice *type_url,
                            struct xds_slice *value)
{
    struct xds_wire_field field;
    struct xds_slice content;

    while (bytes.len) {
        if (!xds_wire_next(&bytes, &field, &content))
            return false;
        if (field.type == XDS_WIRE_BYTES && field.number == ANY_TYPE_URL)
            *type_url = content;
        if (field.type == XDS_WIRE_BYTES && field.number == ANY_VALUE)
            *value = content;
    }
    return is_text(*type_url);
}

/* Set type, state and message from a type URL and the bytes of the message. */
static void open_any(struct wire *w, struct xds_slice type_url, struct xds_slice bytes,
                     struct xds_any *any)
{
    google__protobuf__any__init(&any->pb);
    store_text(w, type_url, type_url.len, &any->pb.type_url);
    any->type = xds_any_type_name(xds_slice_of(any->pb.type_url));
    any->message = NULL;

    const ProtobufCMessageDescriptor *type = xds_any_registry(any->type);
    if (!type) {
        any->state = XDS_ANY_UNKNOWN;
        any->pb.value = copy_bytes(w, bytes);
        return;
    }
    ProtobufCMessage *message = new_message(w, type);
    const size_t unknown_before = w->kept ? w->kept->n_unknown : 0;
    const bool good = read_message(w, bytes, message);
    any->state = good ? XDS_ANY_TYPED : XDS_ANY_UNDECODABLE;
    if (good)
        any->message = message;
    else
        any->pb.value = copy_bytes(w, bytes);
    if (!good && w->kept)
        w->kept->n_unknown = unknown_before; /* they are among the bytes */
}

static bool read_any(struct wire *w, struct xds_slice bytes, void *slot)
{
    struct xds_any *any = XDS_NEW(w->arena, struct xds_any);
    struct xds_slice type_url = XDS_S(""), value = XDS_S("");

    memcpy(slot, &any, sizeof any);
    if (!read_any_fields(bytes, &type_url, &value))
        return false;
    open_any(w, type_url, value, any);
    return true;
}

static bool is_any(const ProtobufCFieldDescriptor *field)
{
    return field->descriptor == &google__protobuf__any__descriptor;
}

/* A message that appears twice is merged into the first one. */
static bool store_message(struct wire *w, const ProtobufCFieldDescriptor *field,
                          struct xds_slice bytes, void *slot)
{
    ProtobufCMessage *message;

    if (is_any(field))
        return read_any(w, bytes, slot);
    memcpy(&message, slot, sizeof message);
    if (!message)
        message = new_message(w, field->descriptor);
    memcpy(slot, &message, sizeof message);
    return read_message(w, bytes, message);
}

/* bytes: of the value; number: what they say of a number. */
static inline bool store(struct wire *w, const ProtobufCFieldDescriptor *field,
                         struct xds_slice bytes, uint64_t number, void *slot)
{
    if (field->type == PROTOBUF_C_TYPE_MESSAGE)
        return store_message(w, field, bytes, slot);
    if (field->type == PROTOBUF_C_TYPE_STRING)
        return store_text(w, bytes, (size_t)(w->end - bytes.data), slot);
    if (store_number(field->type, number, slot))
        return true;
    const ProtobufCBinaryData copy = copy_bytes(w, bytes);
    memcpy(slot, &copy, sizeof copy);
    return true;
}

/* ---- one value or many ---- */

/* The number that bytes of packed ones begin with; returns its size, 0 for none. */
static size_t cut_number(enum xds_wire_type wire, struct xds_slice bytes,
                         uint64_t *number)
{
    const size_t n = wire == XDS_WIRE_32BIT ? 4 : wire == XDS_WIRE_64BIT ? 8 : 0;

    if (wire == XDS_WIRE_VARINT)
        return xds_wire_varint(bytes, number);
    if (n > bytes.len)
        return 0;
    *number = fixed(xds_slice_make(bytes.data, n));
    return n;
}

static bool read_packed(struct wire *w, const ProtobufCFieldDescriptor *field,
                        struct xds_slice bytes, ProtobufCMessage *into)
{
    const enum xds_wire_type wire = (enum xds_wire_type)wire_of[field->type];
    uint64_t number = 0;

    while (bytes.len) {
        const size_t n = cut_number(wire, bytes, &number);

        if (n == 0)
            return false;
        store_number(field->type, number, xds_field_append(w->arena, field, into));
        bytes = xds_slice_from(bytes, n);
    }
    return true;
}

/* Note that a field is there. Another arm of its oneof is forgotten. */
static void set_present(const ProtobufCFieldDescriptor *field, ProtobufCMessage *into)
{
    const protobuf_c_boolean yes = true;
    const uint32_t arm = field->id;
    uint32_t before;

    if (!field->quantifier_offset)
        return;
    if (!xds_field_in_oneof(field)) {
        memcpy(member(into, field->quantifier_offset), &yes, sizeof yes);
        return;
    }
    memcpy(&before, member(into, field->quantifier_offset), sizeof before);
    if (before == arm)
        return;
    memcpy(member(into, field->quantifier_offset), &arm, sizeof arm);
    memset(member(into, field->offset), 0, xds_item_size(field->type));
}

static inline bool read_one(struct wire *w, const ProtobufCFieldDescriptor *field,
                            struct xds_slice bytes, uint64_t number,
                            ProtobufCMessage *into)
{
    if (field->label != PROTOBUF_C_LABEL_REPEATED) {
        set_present(field, into);
        return store(w, field, bytes, number, member(into, field->offset));
    }
    void *slot = xds_field_append(w->arena, field, into);
    if (!store(w, field, bytes, number, slot))
        return false;
    w->has_entries |= xds_field_complete_entry(w->arena, field, slot);
    return true;
}

static inline bool read_field(struct wire *w, const ProtobufCFieldDescriptor *field,
                              struct xds_wire_field head, struct xds_slice bytes,
                              ProtobufCMessage *into)
{
    if (head.type == wire_of[field->type])
        return read_one(w, field, bytes,
                        head.type == XDS_WIRE_VARINT  ? head.value
                        : head.type == XDS_WIRE_BYTES ? 0
                                                      : fixed(bytes),
                        into);
    if (head.type == XDS_WIRE_BYTES && field->label == PROTOBUF_C_LABEL_REPEATED)
        return read_packed(w, field, bytes, into);
    return true;
}

/* Fields are mostly written in the order of their numbers: look after the last one, and
 * at it, first. *guess is where the next one may be. */
static inline const ProtobufCFieldDescriptor *
find_field(const ProtobufCMessageDescriptor *type, uint32_t number, unsigned *guess)
{
    if (*guess < type->n_fields && type->fields[*guess].id == number)
        return &type->fields[(*guess)++];
    if (*guess > 0 && type->fields[*guess - 1].id == number)
        return &type->fields[*guess - 1];
    const ProtobufCFieldDescriptor *field =
        protobuf_c_message_descriptor_get_field(type, number);
    if (field)
        *guess = (unsigned)(field - type->fields) + 1;
    return field;
}

static bool read_fields(struct wire *w, struct xds_slice bytes, ProtobufCMessage *into)
{
    struct xds_wire_field head;
    struct xds_slice value;
    unsigned guess = 0;

    while (bytes.len) {
        if (!xds_wire_next(&bytes, &head, &value))
            return false;
        const ProtobufCFieldDescriptor *field =
            find_field(into->descriptor, head.number, &guess);
        if (field && !read_field(w, field, head, value, into))
            return false;
        if (!field && w->kept)
            w->kept->n_unknown++;
    }
    return true;
}

static bool read_message(struct wire *w, struct xds_slice bytes, ProtobufCMessage *into)
{
    const bool outer_has_entries = w->has_entries;

    if (w->depth >= XDS_MAX_NESTING)
        return false;
    w->has_entries = false;
    w->depth++;
    const bool good = read_fields(w, bytes, into);
    if (good && w->has_entries)
        xds_message_unify_maps(w->arena, into);
    w->has_entries = outer_has_entries;
    w->depth--;
    return good;
}

void xds_decode_any(struct xds_arena *arena, struct xds_slice type_url,
                    struct xds_slice bytes, struct xds_any *any, struct xds_kept *kept)
{
    struct wire wire = {
        .arena = arena, .kept = kept, .end = xds_slice_from(bytes, bytes.len).data};

    open_any(&wire, type_url, bytes, any);
}

static struct xds_slice type_url_of(const struct xds_resource *in,
                                    struct xds_arena *arena)
{
    const char *name = xds_resource_type_name(in->type);

    if (in->type_url.len || !*name)
        return in->type_url;
    return xds_arena_printf(arena, "type.googleapis.com/%s", name);
}

bool xds_decode_binary(const struct xds_resource *in, struct xds_arena *arena,
                       struct xds_any *root, struct xds_kept *kept)
{
    const bool has_resource =
        in->wrapper == XDS_WRAPPER_NONE || in->wrapper == XDS_WRAPPER_OK;

    xds_decode_any(arena, type_url_of(in, arena), has_resource ? in->bytes : XDS_S(""),
                   root, kept);
    if (!has_resource) {
        root->state = XDS_ANY_UNDECODABLE;
        root->message = NULL;
    }
    return true;
}
