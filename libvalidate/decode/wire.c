/*
 * wire.c - a resource on the wire as messages.
 *
 * Takes:  wire bytes and the descriptors of proto/.
 * Gives:  messages as protobuf-c's own unpack would fill them, but every Any decoded by
 *         its type, no unknown fields kept, and a field of another wire type than
 *         declared treated as unknown, as the clients' parsers do.
 * Fails:  with state UNDECODABLE: cut off, groups, text that is no UTF-8 or holds NUL (at
 *         which a C string would end), nesting over XDS_MAX_NESTING.
 * Source: Protocol Buffers encoding; spec 0.2 (undecodable messages).
 */
#include "decode/wire.h"

#include "base/limits.h"
#include "decode/append.h"
#include "decode/decode.h"
#include "source/wire_field.h"

struct wire {
    struct xds_arena *arena;
    struct xds_kept *kept; /* or NULL */
    unsigned depth;
};

/* How a type stands on the wire, and in memory. */
struct coding {
    enum xds_wire_type wire;
    unsigned char size; /* of one value in the message */
    bool zigzag;
};

static struct coding coding_of(ProtobufCType type)
{
    static const struct coding codings[] = {
        [PROTOBUF_C_TYPE_INT32] = {XDS_WIRE_VARINT, 4, false},
        [PROTOBUF_C_TYPE_SINT32] = {XDS_WIRE_VARINT, 4, true},
        [PROTOBUF_C_TYPE_SFIXED32] = {XDS_WIRE_32BIT, 4, false},
        [PROTOBUF_C_TYPE_INT64] = {XDS_WIRE_VARINT, 8, false},
        [PROTOBUF_C_TYPE_SINT64] = {XDS_WIRE_VARINT, 8, true},
        [PROTOBUF_C_TYPE_SFIXED64] = {XDS_WIRE_64BIT, 8, false},
        [PROTOBUF_C_TYPE_UINT32] = {XDS_WIRE_VARINT, 4, false},
        [PROTOBUF_C_TYPE_FIXED32] = {XDS_WIRE_32BIT, 4, false},
        [PROTOBUF_C_TYPE_UINT64] = {XDS_WIRE_VARINT, 8, false},
        [PROTOBUF_C_TYPE_FIXED64] = {XDS_WIRE_64BIT, 8, false},
        [PROTOBUF_C_TYPE_FLOAT] = {XDS_WIRE_32BIT, 4, false},
        [PROTOBUF_C_TYPE_DOUBLE] = {XDS_WIRE_64BIT, 8, false},
        [PROTOBUF_C_TYPE_BOOL] = {XDS_WIRE_VARINT, sizeof(protobuf_c_boolean), false},
        [PROTOBUF_C_TYPE_ENUM] = {XDS_WIRE_VARINT, sizeof(int), false},
        [PROTOBUF_C_TYPE_STRING] = {XDS_WIRE_BYTES, sizeof(char *), false},
        [PROTOBUF_C_TYPE_BYTES] = {XDS_WIRE_BYTES, sizeof(ProtobufCBinaryData), false},
        [PROTOBUF_C_TYPE_MESSAGE] = {XDS_WIRE_BYTES, sizeof(ProtobufCMessage *), false},
    };

    return codings[type];
}

/* One value to be put into a message. */
struct value {
    uint64_t number;        /* VARINT */
    struct xds_slice bytes; /* the others */
};

static char *member(ProtobufCMessage *message, size_t offset)
{
    return (char *)message + offset;
}

/* ---- numbers -------------------------------------------------------------------- */

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

/* The low bits of n are what every 32-bit type keeps of it. */
static void store_number(const ProtobufCFieldDescriptor *field, uint64_t n, void *slot)
{
    const struct coding coding = coding_of(field->type);
    const uint64_t wide = coding.zigzag ? zigzag(n) : n;
    const uint32_t narrow = (uint32_t)wide;
    const protobuf_c_boolean boolean = n != 0;

    if (field->type == PROTOBUF_C_TYPE_BOOL)
        memcpy(slot, &boolean, sizeof boolean);
    else if (coding.size == sizeof narrow)
        memcpy(slot, &narrow, sizeof narrow);
    else
        memcpy(slot, &wide, sizeof wide);
}

/* ---- text and messages ---------------------------------------------------------- */

static bool is_text(struct xds_slice s)
{
    return s.len == 0 || (!memchr(s.data, '\0', s.len) && xds_utf8_valid(s));
}

static bool store_text(struct wire *w, struct xds_slice text, void *slot)
{
    const struct xds_slice copy =
        xds_arena_dup(w->arena, text.len ? text : xds_slice_make("", 0));

    memcpy(slot, &copy.data, sizeof copy.data);
    return is_text(text);
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
    store_text(w, type_url, &any->pb.type_url);
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

/* A message that stands twice is merged into the first one. */
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

static bool store(struct wire *w, const ProtobufCFieldDescriptor *field,
                  const struct value *value, void *slot)
{
    if (field->type == PROTOBUF_C_TYPE_MESSAGE)
        return store_message(w, field, value->bytes, slot);
    if (field->type == PROTOBUF_C_TYPE_STRING)
        return store_text(w, value->bytes, slot);
    if (field->type == PROTOBUF_C_TYPE_BYTES) {
        const ProtobufCBinaryData copy = copy_bytes(w, value->bytes);

        memcpy(slot, &copy, sizeof copy);
        return true;
    }
    store_number(field, value->number, slot);
    return true;
}

/* ---- one value or many ---------------------------------------------------------- */

static bool read_packed(struct wire *w, const ProtobufCFieldDescriptor *field,
                        struct xds_slice bytes, ProtobufCMessage *into)
{
    const struct coding coding = coding_of(field->type);

    while (bytes.len) {
        struct value value = {0, {NULL, 0}};
        size_t n = coding.size;

        if (coding.wire == XDS_WIRE_VARINT)
            n = xds_wire_varint(bytes, &value.number);
        else if (n <= bytes.len)
            value.number = fixed(xds_slice_make(bytes.data, n));
        if (n == 0 || n > bytes.len)
            return false;
        store(w, field, &value, xds_field_append(w->arena, field, into));
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
    if (!(field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF)) {
        memcpy(member(into, field->quantifier_offset), &yes, sizeof yes);
        return;
    }
    memcpy(&before, member(into, field->quantifier_offset), sizeof before);
    memcpy(member(into, field->quantifier_offset), &arm, sizeof arm);
    if (before != arm)
        memset(member(into, field->offset), 0, coding_of(field->type).size);
}

static bool read_one(struct wire *w, const ProtobufCFieldDescriptor *field,
                     const struct value *value, ProtobufCMessage *into)
{
    if (field->label != PROTOBUF_C_LABEL_REPEATED) {
        set_present(field, into);
        return store(w, field, value, member(into, field->offset));
    }
    void *slot = xds_field_append(w->arena, field, into);
    if (!store(w, field, value, slot))
        return false;
    xds_field_complete_entry(w->arena, field, slot);
    return true;
}

static bool read_field(struct wire *w, const ProtobufCFieldDescriptor *field,
                       const struct xds_wire_field *head, struct xds_slice bytes,
                       ProtobufCMessage *into)
{
    const struct coding coding = coding_of(field->type);
    const struct value value = {head->type == XDS_WIRE_VARINT  ? head->value
                                : head->type == XDS_WIRE_BYTES ? 0
                                                               : fixed(bytes),
                                bytes};

    if (head->type == coding.wire)
        return read_one(w, field, &value, into);
    if (head->type == XDS_WIRE_BYTES && field->label == PROTOBUF_C_LABEL_REPEATED)
        return read_packed(w, field, bytes, into);
    return true;
}

/* Fields are mostly written in the order of their numbers: look at the place of the last
 * one and behind it first. */
static const ProtobufCFieldDescriptor *find_field(const ProtobufCMessageDescriptor *type,
                                                  uint32_t number, unsigned *guess)
{
    for (unsigned i = *guess; i < type->n_fields && i < *guess + 2; i++) {
        if (type->fields[i].id == number) {
            *guess = i;
            return &type->fields[i];
        }
    }
    const ProtobufCFieldDescriptor *field =
        protobuf_c_message_descriptor_get_field(type, number);
    if (field)
        *guess = (unsigned)(field - type->fields);
    return field;
}

static bool read_message(struct wire *w, struct xds_slice bytes, ProtobufCMessage *into)
{
    const ProtobufCMessageDescriptor *type = into->descriptor;
    struct xds_wire_field head;
    struct xds_slice value;
    unsigned guess = 0;
    bool good = w->depth < XDS_MAX_NESTING;

    w->depth++;
    while (good && bytes.len) {
        good = xds_wire_next(&bytes, &head, &value);
        const ProtobufCFieldDescriptor *field =
            good ? find_field(type, head.number, &guess) : NULL;
        if (field)
            good = read_field(w, field, &head, value, into);
        else if (good && w->kept)
            w->kept->n_unknown++;
    }
    w->depth--;
    return good;
}

void xds_decode_any(struct xds_arena *arena, struct xds_slice type_url,
                    struct xds_slice bytes, struct xds_any *any, struct xds_kept *kept)
{
    struct wire wire = {.arena = arena, .kept = kept};

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
    struct wire wire = {.arena = arena, .kept = kept};
    const bool has_resource =
        in->wrapper == XDS_WRAPPER_NONE || in->wrapper == XDS_WRAPPER_OK;

    open_any(&wire, type_url_of(in, arena),
             has_resource ? in->bytes : xds_slice_make("", 0), root);
    if (!has_resource) {
        root->state = XDS_ANY_UNDECODABLE;
        root->message = NULL;
    }
    return true;
}
