/*
 * wire.c - a resource on the wire as messages, as most protobuf libraries read it.
 *
 * Fails:  with state UNDECODABLE: cut off, a group that is not closed, text that is not
 *         UTF-8, nesting over XDS_MAX_NESTING; also in what no client reads.
 * Source: Protocol Buffers encoding; spec G100 to G109.
 */
#include "decode/wire.h"
#include "source/wire/wire_field.h"

#define HTTP_CONNECTION_MANAGER                                                          \
    "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager"

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

static void store_narrow(uint32_t n, void *slot)
{
    memcpy(slot, &n, sizeof n);
}

static void store_wide(uint64_t n, void *slot)
{
    memcpy(slot, &n, sizeof n);
}

bool xds_wire_store_number(ProtobufCType type, uint64_t n, void *slot)
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

/* U+0000 takes the two bytes of XDS_NUL, as a C string ends at 0. */
static XDS_COLD char *copy_nul(struct xds_arena *arena, struct xds_slice text)
{
    char *copy = xds_arena_alloc(arena, 2 * text.len + 1);

    copy[xds_text_keep_nul(text, copy)] = '\0';
    return copy;
}

/* False when it is not text; it is stored all the same. readable: bytes from its begin
 * on. */
static bool store_text(struct wire *w, struct xds_slice text, size_t readable, void *slot)
{
    char *copy = xds_arena_alloc(w->arena, text.len + 1);
    const bool plain = xds_copy_plain(copy, text, readable);

    copy[text.len] = '\0';
    if (!plain && text.len && memchr(text.data, '\0', text.len))
        copy = copy_nul(w->arena, text);
    memcpy(slot, &copy, sizeof copy);
    return plain || xds_utf8_valid(text);
}

ProtobufCBinaryData xds_wire_copy(struct wire *w, struct xds_slice bytes)
{
    uint8_t *copy = xds_arena_alloc(w->arena, bytes.len);

    if (bytes.len)
        memcpy(copy, bytes.data, bytes.len);
    return (ProtobufCBinaryData){bytes.len, copy};
}

/* ---- what libraries differ in ---- */

/* May a message be entered that is n levels below the one that is read? */
static inline bool fits(struct wire *w, unsigned n)
{
    const unsigned depth = w->depth + n - 1;

    if (depth - w->any_at > XDS_MAX_NESTING) {
        w->met |= XDS_WIRE_BIT(DEEP);
        return (w->differences & XDS_WIRE_BIT(DEEP)) && w->depth <= XDS_MAX_WIRE_NESTING;
    }
    return depth <= XDS_MAX_WIRE_NESTING;
}

static bool tolerates(struct wire *w, unsigned odd, unsigned oddity, unsigned difference,
                      bool unless)
{
    if (!(odd & oddity))
        return true;
    w->met |= difference | XDS_WIRE_BIT(AS_DECLARED);
    return ((w->differences & difference) != 0) != unless;
}

/* A field that is not of the shortest form. */
static XDS_COLD bool accept_odd(struct wire *w, unsigned odd, unsigned groups)
{
    return tolerates(w, odd, XDS_WIRE_WIDE_TAG, XDS_WIRE_BIT(TAG_CUT), false) &&
           tolerates(w, odd, XDS_WIRE_LONG_HEAD, XDS_WIRE_BIT(HEAD_SHORT), true) &&
           tolerates(w, odd, XDS_WIRE_OVERFLOW, XDS_WIRE_BIT(VARINT_EXACT), true) &&
           fits(w, groups);
}

static inline bool next_field(struct wire *w, struct xds_slice *bytes,
                              struct xds_wire_field *head, struct xds_slice *value)
{
    return xds_wire_next(bytes, head, value) &&
           (!head->odd || accept_odd(w, head->odd, head->groups));
}

/* A field whose value cannot be decoded: a library whose messages do not have it skips
 * it. No client reads one of these. */
static XDS_COLD bool lacks(struct wire *w, const char *message, uint32_t number)
{
    static const struct {
        const char *message;
        uint32_t number;
        unsigned difference;
    } rows[] = {
        {"envoy.config.cluster.v3.Cluster", 60, XDS_WIRE_BIT(SCHEMA_OLDER)},
        {"envoy.config.cluster.v3.Cluster", 61, XDS_WIRE_BIT(SCHEMA_OLDER)},
        {"envoy.config.cluster.v3.Cluster", 62, XDS_WIRE_BIT(SCHEMA_OLD)},
        {"envoy.config.cluster.v3.OutlierDetection", 26, XDS_WIRE_BIT(SCHEMA_OLDER)},
        {"envoy.config.core.v3.HttpProtocolOptions", 8, XDS_WIRE_BIT(SCHEMA_OLDER)},
        {"envoy.config.endpoint.v3.Endpoint", 5, XDS_WIRE_BIT(SCHEMA_OLDER)},
        {"envoy.config.listener.v3.Listener", 37, XDS_WIRE_BIT(SCHEMA_OLDER)},
        {"envoy.config.listener.v3.Listener", 38, XDS_WIRE_BIT(SCHEMA_OLDER)},
        {"envoy.config.listener.v3.Listener", 39, XDS_WIRE_BIT(SCHEMA_OLDER)},
        {"envoy.config.route.v3.RouteMatch", 17, XDS_WIRE_BIT(SCHEMA_OLDER)},
        {HTTP_CONNECTION_MANAGER, 61, XDS_WIRE_BIT(SCHEMA_OLDER)},
        {HTTP_CONNECTION_MANAGER, 62, XDS_WIRE_BIT(SCHEMA_OLDER)},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++)
        if (rows[i].number == number && strcmp(rows[i].message, message) == 0) {
            w->met |= rows[i].difference;
            return (w->differences & rows[i].difference) != 0;
        }
    return false;
}

/* A field that no message has, for who writes the message again. */
static void keep_field(struct wire *w, const char *begin, const char *end,
                       ProtobufCMessage *into)
{
    if (w->kept)
        xds_unknown_add(w->arena, into, xds_slice_make(begin, (size_t)(end - begin)));
}

/* ---- messages that no client reads ---- */

/* The number that bytes of packed ones begin with; returns its size, 0 for none. */
static size_t cut_number(struct wire *w, enum xds_wire_type wire, struct xds_slice bytes,
                         uint64_t *number)
{
    const size_t n = wire == XDS_WIRE_32BIT   ? 4
                     : wire == XDS_WIRE_64BIT ? 8
                                              : xds_wire_varint(bytes, number);

    if (n > bytes.len)
        return 0;
    if (wire != XDS_WIRE_VARINT)
        *number = xds_wire_fixed(xds_slice_make(bytes.data, n));
    else if (xds_wire_overflows(bytes, n) &&
             !tolerates(w, XDS_WIRE_OVERFLOW, XDS_WIRE_OVERFLOW,
                        XDS_WIRE_BIT(VARINT_EXACT), true))
        return 0;
    if (wire == XDS_WIRE_VARINT && xds_wire_top_unset(n, *number))
        *number = xds_wire_with_top(w, *number);
    return n;
}

static bool check_unread(struct wire *w, const struct xds_unread_shape *shape,
                         struct xds_slice bytes);

static bool check_member(struct wire *w, const struct xds_unread_member *member,
                         const struct xds_wire_field *head, struct xds_slice value)
{
    static const unsigned char wire_of_kind[] = {
        [XDS_UNREAD_VARINT32] = XDS_WIRE_VARINT, [XDS_UNREAD_VARINT64] = XDS_WIRE_VARINT,
        [XDS_UNREAD_FIXED32] = XDS_WIRE_32BIT,   [XDS_UNREAD_FIXED64] = XDS_WIRE_64BIT,
        [XDS_UNREAD_STRING] = XDS_WIRE_BYTES,    [XDS_UNREAD_BYTES] = XDS_WIRE_BYTES,
        [XDS_UNREAD_MESSAGE] = XDS_WIRE_BYTES,
    };
    const enum xds_unread_kind kind = xds_unread_kind_of((ProtobufCType)member->type);
    const enum xds_wire_type wire = (enum xds_wire_type)wire_of_kind[kind];

    if (head->type == wire && kind == XDS_UNREAD_STRING)
        return xds_utf8_valid(value);
    if (head->type == wire)
        return kind != XDS_UNREAD_MESSAGE ||
               check_unread(w, xds_unread_below(member), value);
    if (head->type == XDS_WIRE_BYTES && member->label == XDS_UNREAD_REPEATED) {
        struct xds_slice bytes = value;
        uint64_t number;

        while (bytes.len) {
            const size_t n = cut_number(w, wire, bytes, &number);

            if (n == 0)
                return false;
            bytes = xds_slice_from(bytes, n);
        }
        return true;
    }
    w->met |= XDS_WIRE_BIT(AS_DECLARED);
    return true;
}

/* into: keeps the fields; or NULL. */
static bool check_members(struct wire *w, const struct xds_unread_shape *shape,
                          struct xds_slice bytes, ProtobufCMessage *into)
{
    struct xds_wire_field head;
    struct xds_slice value;

    while (bytes.len) {
        const char *start = bytes.data;

        if (!next_field(w, &bytes, &head, &value))
            return false;
        const struct xds_unread_member *member =
            shape ? xds_unread_member(shape, head.number) : NULL;
        if (member && !check_member(w, member, &head, value) &&
            !lacks(w, shape->name, head.number))
            return false;
        if (into)
            keep_field(w, start, bytes.data, into);
    }
    return true;
}

static bool check_unread(struct wire *w, const struct xds_unread_shape *shape,
                         struct xds_slice bytes)
{
    if (!fits(w, 1))
        return false;
    w->depth++;
    const bool good = check_members(w, shape, bytes, NULL);
    w->depth--;
    return good;
}

/* ---- messages ---- */

enum { ANY_TYPE_URL = 1, ANY_VALUE = 2 };

/* The fields of an Any; those that are not there stay as they are. */
static bool read_any_fields(struct wire *w, struct xds_slice bytes, struct xds_any *any,
                            struct xds_slice *type_url, struct xds_slice *value)
{
    struct xds_wire_field field;
    struct xds_slice content;

    while (bytes.len) {
        const char *start = bytes.data;

        if (!next_field(w, &bytes, &field, &content))
            return false;
        const bool is_text = field.type == XDS_WIRE_BYTES;
        if (is_text && field.number == ANY_TYPE_URL && !xds_utf8_valid(content))
            return false;
        if (is_text && field.number == ANY_TYPE_URL)
            *type_url = content;
        else if (is_text && field.number == ANY_VALUE)
            *value = content;
        else
            keep_field(w, start, bytes.data, &any->pb.base);
        if (!is_text && field.number <= ANY_VALUE)
            w->met |= XDS_WIRE_BIT(AS_DECLARED);
    }
    return true;
}

void xds_wire_name_any(struct wire *w, struct xds_slice type_url, struct xds_any *any)
{
    store_text(w, type_url, type_url.len, &any->pb.type_url);
    any->type = xds_any_type_name(xds_slice_of(any->pb.type_url));
}

/* A message in an Any is decoded on its own, and its depth counted anew. */
static bool read_inside(struct wire *w, struct xds_slice bytes, ProtobufCMessage *into)
{
    const unsigned outer = w->any_at;

    w->any_at = w->depth;
    const bool good = w->read_inside(w, bytes, into);
    w->any_at = outer;
    return good;
}

void xds_wire_open_as(struct wire *w, const ProtobufCMessageDescriptor *type,
                      struct xds_slice bytes, struct xds_any *any)
{
    any->message = NULL;
    any->wire = bytes;
    if (!type) {
        any->state = XDS_ANY_UNKNOWN;
        any->pb.value = xds_wire_copy(w, bytes);
        return;
    }
    ProtobufCMessage *message = xds_wire_new(w, type);
    const bool good = read_inside(w, bytes, message);
    any->state = good ? XDS_ANY_TYPED : XDS_ANY_UNDECODABLE;
    if (good) {
        any->message = message;
        return;
    }
    w->met |= XDS_WIRE_BIT(AS_DECLARED);
    any->pb.value = xds_wire_copy(w, bytes);
}

void xds_wire_open_any(struct wire *w, struct xds_slice bytes, struct xds_any *any)
{
    xds_wire_open_as(w, xds_any_registry(any->type), bytes, any);
}

struct xds_any *xds_wire_new_any(struct wire *w)
{
    struct xds_any *any = XDS_NEW(w->arena, struct xds_any);

    google__protobuf__any__init(&any->pb);
    return any;
}

/* One that appears twice is merged: what the later does not have stays. */
static bool read_any(struct wire *w, struct xds_slice bytes, void *slot)
{
    struct xds_slice type_url = {NULL, 0}, value = XDS_S("");
    struct xds_any *any;

    memcpy(&any, slot, sizeof any);
    if (any) {
        w->met |= XDS_WIRE_BIT(AS_DECLARED) | XDS_WIRE_REPACKED;
        value = any->wire;
    } else {
        any = xds_wire_new_any(w);
        memcpy(slot, &any, sizeof any);
        type_url = XDS_S("");
    }
    if (!fits(w, 1) || !read_any_fields(w, bytes, any, &type_url, &value))
        return false;
    if (type_url.data)
        xds_wire_name_any(w, type_url, any);
    any->pb.value = (ProtobufCBinaryData){0, NULL};
    xds_wire_open_any(w, value, any);
    return true;
}

bool xds_wire_is_any(const ProtobufCFieldDescriptor *field)
{
    return field->descriptor == &google__protobuf__any__descriptor;
}

/* A message that appears twice is merged into the first one. Inlined, as it is called for
 * each message. */
static inline __attribute__((always_inline)) bool
store_message(struct wire *w, const ProtobufCFieldDescriptor *field,
              struct xds_slice bytes, void *slot)
{
    ProtobufCMessage *message;

    if (xds_wire_is_any(field))
        return read_any(w, bytes, slot);
    memcpy(&message, slot, sizeof message);
    if (message)
        w->met |= XDS_WIRE_BIT(AS_DECLARED) | XDS_WIRE_REPACKED;
    else
        message = xds_wire_new(w, field->descriptor);
    memcpy(slot, &message, sizeof message);
    return xds_wire_read_message(w, bytes, message);
}

/* bytes: of the value; number: what they say of a number. */
static inline bool store(struct wire *w, const ProtobufCFieldDescriptor *field,
                         struct xds_slice bytes, uint64_t number, void *slot)
{
    if (field->type == PROTOBUF_C_TYPE_MESSAGE)
        return store_message(w, field, bytes, slot);
    if (field->type == PROTOBUF_C_TYPE_STRING)
        return store_text(w, bytes, (size_t)(w->end - bytes.data), slot);
    if (xds_wire_store_number(field->type, number, slot))
        return true;
    const ProtobufCBinaryData copy = xds_wire_copy(w, bytes);
    memcpy(slot, &copy, sizeof copy);
    return true;
}

/* ---- one value or many ---- */

static bool read_packed(struct wire *w, const ProtobufCFieldDescriptor *field,
                        struct xds_slice bytes, ProtobufCMessage *into)
{
    const enum xds_wire_type wire = (enum xds_wire_type)wire_of[field->type];
    uint64_t number = 0;

    while (bytes.len) {
        const size_t n = cut_number(w, wire, bytes, &number);

        if (n == 0)
            return false;
        xds_wire_store_number(field->type, number,
                              xds_field_append(w->arena, field, into));
        bytes = xds_slice_from(bytes, n);
    }
    return true;
}

/* The entry of a map that was added last has a field that is not one of an entry. upb
 * takes all of it for an unknown field. */
static XDS_COLD bool drops_entry(struct wire *w, const ProtobufCFieldDescriptor *field,
                                 ProtobufCMessage *into)
{
    w->met |= XDS_WIRE_BIT(ENTRY_DROPPED);
    if (!(w->differences & XDS_WIRE_BIT(ENTRY_DROPPED)))
        return false;
    xds_field_drop_last(field, into);
    return true;
}

static inline bool read_one(struct wire *w, const ProtobufCFieldDescriptor *field,
                            struct xds_slice bytes, uint64_t number,
                            ProtobufCMessage *into)
{
    if (field->label != PROTOBUF_C_LABEL_REPEATED) {
        if (xds_wire_set_present(field, into))
            w->met |= XDS_WIRE_BIT(AS_DECLARED) | XDS_WIRE_REPACKED;
        return store(w, field, bytes, number, member(into, field->offset));
    }
    void *slot = xds_field_append(w->arena, field, into);
    if (!store(w, field, bytes, number, slot))
        return false;
    if (w->unknown_inside && xds_field_is_map(field) && drops_entry(w, field, into))
        return true;
    if (xds_field_may_be_map(field)) {
        w->has_twins |= xds_field_count(into, field) == 2 && xds_field_is_map(field);
        if (xds_field_complete_entry(w->arena, field, slot))
            w->met |= XDS_WIRE_BIT(AS_DECLARED) | XDS_WIRE_REPACKED;
    }
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
                                                      : xds_wire_fixed(bytes),
                        into);
    if (head.type == XDS_WIRE_BYTES && field->label == PROTOBUF_C_LABEL_REPEATED)
        return read_packed(w, field, bytes, into);
    w->met |= XDS_WIRE_BIT(AS_DECLARED);
    w->has_unknown = true;
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

bool xds_wire_has_room(const ProtobufCFieldDescriptor *field, unsigned type)
{
    return type == wire_of[field->type] ||
           (type == XDS_WIRE_BYTES && field->label == PROTOBUF_C_LABEL_REPEATED);
}

static bool read_fields(struct wire *w, struct xds_slice bytes, ProtobufCMessage *into)
{
    struct xds_wire_field head;
    struct xds_slice value;
    unsigned guess = 0;

    while (bytes.len) {
        const char *start = bytes.data;

        if (!next_field(w, &bytes, &head, &value))
            return false;
        const ProtobufCFieldDescriptor *field =
            find_field(into->descriptor, head.number, &guess);
        if (field && (head.odd & XDS_WIRE_LONG_VALUE))
            /* protobufjs reads other bits of a number that its type cannot hold. */
            w->met |= xds_item_size(field->type) == sizeof(uint32_t)
                          ? XDS_WIRE_BIT(AS_DECLARED) | XDS_WIRE_REPACKED
                          : 0;
        if (field && (head.odd & XDS_WIRE_TOP_UNSET))
            head.value = xds_wire_with_top(w, head.value);
        if (field && !read_field(w, field, head, value, into) &&
            !lacks(w, into->descriptor->name, field->id))
            return false;
        if (field && (!w->kept || xds_wire_has_room(field, head.type)))
            continue;
        w->has_unknown = true;
        keep_field(w, start, bytes.data, into);
    }
    return true;
}

/* Of a message that is declared empty. */
static XDS_COLD bool read_unread(struct wire *w, struct xds_slice bytes,
                                 ProtobufCMessage *into)
{
    return check_members(w, xds_unread_shape(into->descriptor->name), bytes, into);
}

bool xds_wire_read_message(struct wire *w, struct xds_slice bytes, ProtobufCMessage *into)
{
    const bool outer_has_twins = w->has_twins, outer_has_unknown = w->has_unknown;

    if (!fits(w, 1))
        return false;
    w->has_twins = w->has_unknown = false;
    w->depth++;
    const bool good = into->descriptor->n_fields || !bytes.len
                          ? read_fields(w, bytes, into)
                          : read_unread(w, bytes, into);
    if (good && w->has_twins)
        xds_message_unify_maps(w->arena, into);
    w->unknown_inside = w->has_unknown;
    w->has_unknown = outer_has_unknown;
    w->has_twins = outer_has_twins;
    w->depth--;
    return good;
}
