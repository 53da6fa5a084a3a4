/*
 * wire_declared.c - a resource on the wire as protobufjs reads it: by what the messages
 * declare, not by what the wire says.
 *
 * - A known field is read as its declared type, whatever its wire type.
 * - A message that appears twice is replaced, not merged.
 * - Of a oneof all arms that appear are there. The one with the highest number is said to
 *   be set, but some are read without a look at that.
 * - Text need not be UTF-8, and ends with its message at the latest.
 * - Field 0, ends of groups of another number, and nesting of groups are not checked.
 * - Entries of maps do not count as nesting, and one without a message for its value is
 *   an error, unless another one with its key follows.
 * - Its messages are older: undeclared_fields.txt in proto/ has what they lack.
 *
 * Fails:  with state UNDECODABLE, where the bytes of a value are not there or those of a
 *         message are not used up.
 * Source: protobufjs 7.6.6, src/decoder.js, reader.js; spec G100 to G109.
 */
#include "decode/wire.h"
#include "source/wire/wire_field.h"

#define HTTP_CONNECTION_MANAGER                                                          \
    "envoy.extensions.filters.network.http_connection_manager.v3."

/* A message with fields in proto/ has a type, any other has a shape or nothing known. */
struct declared {
    const ProtobufCMessageDescriptor *type;
    const struct xds_unread_shape *shape;
};

struct cursor {
    struct wire *wire;
    const unsigned char *bytes;
    size_t pos, len; /* len: the end of the message that is read */
    unsigned depth;
    bool has_open_entries; /* of a map, which may have been replaced by now */
    struct hidden *hidden;
};

/* A message in an arm of a oneof that does not count: it is there all the same. */
struct hidden {
    struct hidden *next;
    const ProtobufCMessage *message;
};

static struct declared declared(const ProtobufCMessageDescriptor *type)
{
    if (type->n_fields)
        return (struct declared){.type = type};
    return (struct declared){.shape = xds_unread_shape(type->name)};
}

static bool lacks(const char *message, uint32_t number)
{
    static const struct {
        const char *message;
        uint32_t number;
    } undeclared[] = {
#include "undeclared_fields.inc"
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(undeclared); i++)
        if (undeclared[i].number == number && strcmp(undeclared[i].message, message) == 0)
            return true;
    return false;
}

/* ---- oneofs ---- */

/* Which arm counts: the higher number, or above these the first of a list. */
static uint32_t rank_of(const char *message, uint32_t arm)
{
    static const struct {
        const char *message;
        uint32_t arm;
    } read_anyway[] = {
        {"envoy.config.cluster.v3.Cluster", 23},    /* ring_hash_lb_config */
        {"envoy.config.core.v3.Address", 1},        /* socket_address */
        {"envoy.config.core.v3.ConfigSource", 5},   /* self */
        {"envoy.config.core.v3.ConfigSource", 3},   /* ads */
        {"envoy.config.endpoint.v3.LbEndpoint", 1}, /* endpoint */
        {"envoy.config.listener.v3.Filter", 4},     /* typed_config */
        {HTTP_CONNECTION_MANAGER "HttpFilter", 4},  /* typed_config */
    };

    for (uint32_t i = 0; i < XDS_ARRAY_LEN(read_anyway); i++)
        if (read_anyway[i].arm == arm && strcmp(read_anyway[i].message, message) == 0)
            return UINT32_MAX - i;
    return arm;
}

/* Is another arm of the field's oneof there that counts? */
static bool is_hidden(const ProtobufCFieldDescriptor *field, const ProtobufCMessage *into)
{
    const char *message = into->descriptor->name;
    const uint32_t before = xds_wire_arm(field, into);

    return before != 0 && before != field->id &&
           rank_of(message, before) > rank_of(message, field->id);
}

/* ---- numbers ---- */

/* Near the end of a message, at most four bytes are read. */
static bool read_u32_at_end(struct cursor *c, uint32_t *out)
{
    *out = 0;
    for (unsigned i = 0; i < 4 && c->pos < c->len; i++) {
        const uint32_t byte = c->bytes[c->pos++];

        *out |= (byte & 0x7F) << (7 * i);
        if (byte < 0x80)
            return true;
    }
    return false;
}

/* After five bytes that do not end, five more are skipped, whatever they are. */
static bool read_u32(struct cursor *c, uint32_t *out)
{
    enum { SHORT = 5 };

    if (c->pos >= c->len)
        return false;
    if (c->len - c->pos < SHORT)
        return read_u32_at_end(c, out);
    *out = 0;
    for (unsigned i = 0; i < SHORT; i++) {
        const uint32_t byte = c->bytes[c->pos++];

        *out |= (byte & 0x7F) << (7 * i);
        if (byte < 0x80)
            return true;
    }
    if (c->len - c->pos < SHORT)
        return false;
    c->pos += SHORT;
    return true;
}

static bool read_u64(struct cursor *c, uint64_t *out)
{
    *out = 0;
    for (unsigned i = 0; i < 10 && c->pos < c->len; i++) {
        const uint64_t byte = c->bytes[c->pos++];

        *out |= (byte & 0x7F) << (7 * i);
        if (byte < 0x80)
            return true;
    }
    return false;
}

static bool read_fixed(struct cursor *c, size_t n, uint64_t *out)
{
    *out = 0;
    if (c->len - c->pos < n)
        return false;
    for (size_t i = n; i > 0; i--)
        *out = *out << 8 | c->bytes[c->pos + i - 1];
    c->pos += n;
    return true;
}

static bool read_number(struct cursor *c, enum xds_unread_kind kind, uint64_t *out)
{
    uint32_t narrow = 0;
    bool good;

    switch (kind) {
    case XDS_UNREAD_VARINT32:
        good = read_u32(c, &narrow);
        *out = narrow;
        return good;
    case XDS_UNREAD_VARINT64:
        return read_u64(c, out);
    case XDS_UNREAD_FIXED32:
        return read_fixed(c, 4, out);
    case XDS_UNREAD_FIXED64:
        return read_fixed(c, 8, out);
    case XDS_UNREAD_STRING:
    case XDS_UNREAD_BYTES:
    case XDS_UNREAD_MESSAGE:
        break;
    }
    return false;
}

/* ---- text ---- */

/* What is not UTF-8 becomes U+FFFD, byte by byte. */
static char *copy_text(struct xds_arena *arena, struct xds_slice text)
{
    char *copy = xds_arena_alloc(arena, 3 * text.len + 1);
    size_t n = 0;

    while (text.len) {
        const size_t len = xds_utf8_first(text);
        struct xds_slice piece = xds_slice_make(text.data, len);

        if (len == 0)
            piece = XDS_S("\xEF\xBF\xBD");
        else if (text.data[0] == '\0')
            piece = XDS_NUL;
        memcpy(copy + n, piece.data, piece.len);
        n += piece.len;
        text = xds_slice_from(text, len ? len : 1);
    }
    copy[n] = '\0';
    return copy;
}

/* The bytes of a value with a length. clip: at most what is left of the message. */
static bool read_bytes(struct cursor *c, bool clip, struct xds_slice *out)
{
    uint32_t n;

    if (!read_u32(c, &n))
        return false;
    if (n > c->len - c->pos && clip)
        n = (uint32_t)(c->len - c->pos);
    *out = xds_slice_make((const char *)c->bytes + c->pos, n);
    if (n > c->len - c->pos)
        return false;
    c->pos += n;
    return true;
}

/* ---- what is not declared ---- */

static bool skip_plain(struct cursor *c, unsigned type)
{
    struct xds_slice bytes;
    uint64_t number;

    switch (type) {
    case XDS_WIRE_VARINT:
        while (c->pos < c->len)
            if (c->bytes[c->pos++] < 0x80)
                return true;
        return false;
    case XDS_WIRE_64BIT:
        return read_fixed(c, 8, &number);
    case XDS_WIRE_BYTES:
        return read_bytes(c, false, &bytes);
    case XDS_WIRE_32BIT:
        return read_fixed(c, 4, &number);
    }
    return false;
}

static bool skip(struct cursor *c, unsigned type)
{
    uint32_t tag;
    size_t open = 0;

    do {
        if (type == XDS_WIRE_GROUP)
            open++;
        else if (type == XDS_WIRE_GROUP_END && open > 0)
            open--;
        else if (!skip_plain(c, type))
            return false;
        if (open > 0 && !read_u32(c, &tag))
            return false;
        type = open > 0 ? tag & 7 : type;
    } while (open > 0);
    return true;
}

/* ---- messages ---- */

static bool read_members(struct cursor *c, struct declared what, ProtobufCMessage *into);

/* A message with its length; of one that is declared empty nothing is kept. */
static bool read_message(struct cursor *c, struct declared what, ProtobufCMessage *into,
                         bool counts)
{
    const size_t outer = c->len;
    uint32_t n;

    if (!read_u32(c, &n) || n > c->len - c->pos || c->depth + counts > XDS_MAX_NESTING ||
        c->wire->depth > XDS_MAX_WIRE_NESTING)
        return false;
    c->len = c->pos + n;
    c->depth += counts;
    c->wire->depth++;
    const bool good = read_members(c, what, into) && c->pos == c->len;
    c->wire->depth--;
    c->depth -= counts;
    c->len = outer;
    return good;
}

enum { ANY_TYPE_URL = 1, ANY_VALUE = 2 };

static bool read_any_members(struct cursor *c, struct xds_slice *type_url,
                             struct xds_slice *value)
{
    uint32_t tag;

    while (c->pos < c->len) {
        if (!read_u32(c, &tag))
            return false;
        const bool good = tag >> 3 == ANY_TYPE_URL ? read_bytes(c, true, type_url)
                          : tag >> 3 == ANY_VALUE  ? read_bytes(c, false, value)
                                                   : skip(c, tag & 7);
        if (!good)
            return false;
    }
    return true;
}

static bool read_any(struct cursor *c, void *slot)
{
    struct xds_any *any = xds_wire_new_any(c->wire);
    struct xds_slice type_url = XDS_S(""), value = XDS_S("");
    const size_t outer = c->len;
    uint32_t n;

    memcpy(slot, &any, sizeof any);
    if (!read_u32(c, &n) || n > c->len - c->pos || c->depth + 1 > XDS_MAX_NESTING)
        return false;
    c->len = c->pos + n;
    if (!read_any_members(c, &type_url, &value) || c->pos != c->len)
        return false;
    c->len = outer;
    char *url = copy_text(c->wire->arena, type_url);
    memcpy(&any->pb.type_url, &url, sizeof url);
    any->type = xds_any_type_name(xds_slice_of(url));
    xds_wire_open_any(c->wire, value, any);
    return true;
}

/* ---- declared fields ---- */

static bool store(struct cursor *c, const ProtobufCFieldDescriptor *field, void *slot)
{
    const enum xds_unread_kind kind = xds_unread_kind_of(field->type);
    struct xds_slice bytes;
    uint64_t number;

    if (kind == XDS_UNREAD_MESSAGE) {
        if (xds_wire_is_any(field))
            return read_any(c, slot);
        ProtobufCMessage *message = xds_wire_new(c->wire, field->descriptor);
        memcpy(slot, &message, sizeof message);
        return read_message(c, declared(field->descriptor), message,
                            !xds_field_is_map(field));
    }
    if (kind != XDS_UNREAD_STRING && kind != XDS_UNREAD_BYTES)
        return read_number(c, kind, &number) &&
               xds_wire_store_number(field->type, number, slot);
    if (!read_bytes(c, kind == XDS_UNREAD_STRING, &bytes))
        return false;
    if (kind == XDS_UNREAD_STRING) {
        char *text = copy_text(c->wire->arena, bytes);
        memcpy(slot, &text, sizeof text);
    } else {
        const ProtobufCBinaryData copy = xds_wire_copy(c->wire, bytes);
        memcpy(slot, &copy, sizeof copy);
    }
    return true;
}

static void keep_hidden(struct cursor *c, const ProtobufCFieldDescriptor *arm,
                        const void *slot)
{
    if (arm->type != PROTOBUF_C_TYPE_MESSAGE || xds_wire_is_any(arm))
        return;
    struct hidden *hidden = XDS_NEW(c->wire->arena, struct hidden);

    memcpy(&hidden->message, slot, sizeof hidden->message);
    hidden->next = c->hidden;
    c->hidden = hidden;
}

static bool store_single(struct cursor *c, const ProtobufCFieldDescriptor *field,
                         ProtobufCMessage *into)
{
    void *slot = (char *)into + field->offset;
    const uint32_t before = xds_wire_arm(field, into);
    union {
        void *pointer;
        uint64_t number;
        ProtobufCBinaryData bytes;
    } unused = {NULL};

    if (is_hidden(field, into)) {
        const bool good = store(c, field, &unused);

        keep_hidden(c, field, &unused);
        return good;
    }
    if (before && before != field->id)
        keep_hidden(c, protobuf_c_message_descriptor_get_field(into->descriptor, before),
                    slot);
    (void)xds_wire_set_present(field, into);
    return store(c, field, slot);
}

static bool store_field(struct cursor *c, const ProtobufCFieldDescriptor *field,
                        unsigned type, ProtobufCMessage *into)
{
    if (field->label != PROTOBUF_C_LABEL_REPEATED)
        return store_single(c, field, into);
    if (type == XDS_WIRE_BYTES && xds_unread_kind_of(field->type) < XDS_UNREAD_STRING) {
        const size_t outer = c->len;
        uint32_t n;
        bool good = true;

        if (!read_u32(c, &n) || n > c->len - c->pos)
            return false;
        c->len = c->pos + n;
        while (good && c->pos < c->len)
            good = store(c, field, xds_field_append(c->wire->arena, field, into));
        c->len = outer;
        return good;
    }
    void *slot = xds_field_append(c->wire->arena, field, into);
    if (!store(c, field, slot))
        return false;
    if (xds_field_may_be_map(field)) {
        c->wire->has_twins |=
            xds_field_count(into, field) == 2 && xds_field_is_map(field);
        c->has_open_entries |= xds_field_entry_is_open(field, slot);
    }
    return true;
}

/* ---- fields that no client reads ---- */

static bool check_value(struct cursor *c, const struct xds_unread_member *member)
{
    const enum xds_unread_kind kind = xds_unread_kind_of((ProtobufCType)member->type);
    struct xds_slice bytes;
    uint64_t number;

    if (kind == XDS_UNREAD_MESSAGE)
        return read_message(c, (struct declared){.shape = xds_unread_below(member)}, NULL,
                            member->label != XDS_UNREAD_MAP);
    if (kind == XDS_UNREAD_STRING || kind == XDS_UNREAD_BYTES)
        return read_bytes(c, kind == XDS_UNREAD_STRING, &bytes);
    return read_number(c, kind, &number);
}

static bool check_member(struct cursor *c, const struct xds_unread_member *member,
                         unsigned type)
{
    const size_t outer = c->len;
    uint32_t n;
    bool good = true;

    if (type != XDS_WIRE_BYTES || member->label != XDS_UNREAD_REPEATED ||
        xds_unread_kind_of((ProtobufCType)member->type) >= XDS_UNREAD_STRING)
        return check_value(c, member);
    if (!read_u32(c, &n) || n > c->len - c->pos)
        return false;
    c->len = c->pos + n;
    while (good && c->pos < c->len)
        good = check_value(c, member);
    c->len = outer;
    return good;
}

static bool read_member(struct cursor *c, struct declared what, uint32_t tag,
                        ProtobufCMessage *into)
{
    if (what.type && !lacks(what.type->name, tag >> 3)) {
        const ProtobufCFieldDescriptor *field =
            protobuf_c_message_descriptor_get_field(what.type, tag >> 3);
        return field ? store_field(c, field, tag & 7, into) : skip(c, tag & 7);
    }
    const struct xds_unread_member *member =
        what.shape && !lacks(what.shape->name, tag >> 3)
            ? xds_unread_member(what.shape, tag >> 3)
            : NULL;
    return member ? check_member(c, member, tag & 7) : skip(c, tag & 7);
}

static bool read_members(struct cursor *c, struct declared what, ProtobufCMessage *into)
{
    const bool outer = c->wire->has_twins;
    bool good = true;
    uint32_t tag;

    c->wire->has_twins = false;
    while (good && c->pos < c->len)
        good = read_u32(c, &tag) && read_member(c, what, tag, into);
    if (good && c->wire->has_twins)
        xds_message_unify_maps(c->wire->arena, into);
    c->wire->has_twins = outer;
    return good;
}

static bool lacks_values(const struct cursor *c, const ProtobufCMessage *message)
{
    bool found = xds_message_lacks_values(message);

    for (const struct hidden *h = c->hidden; h && !found; h = h->next)
        found = h->message && xds_message_lacks_values(h->message);
    return found;
}

static bool read_declared(struct wire *w, struct xds_slice bytes, ProtobufCMessage *into)
{
    struct cursor cursor = {
        .wire = w, .bytes = (const unsigned char *)bytes.data, .len = bytes.len};

    if (w->depth > XDS_MAX_WIRE_NESTING)
        return false;
    w->depth++;
    const bool good = read_members(&cursor, declared(into->descriptor), into);
    w->depth--;
    return good && !(cursor.has_open_entries && lacks_values(&cursor, into));
}

void xds_decode_any(struct xds_arena *arena, unsigned differences,
                    struct xds_slice type_url, struct xds_slice bytes,
                    struct xds_any *any, struct xds_kept *kept)
{
    struct wire w = {.arena = arena,
                     .kept = kept,
                     .end = xds_slice_from(bytes, bytes.len).data,
                     .differences = differences,
                     .read_inside = differences & XDS_WIRE_BIT(AS_DECLARED)
                                        ? read_declared
                                        : xds_wire_read_message};

    google__protobuf__any__init(&any->pb);
    xds_wire_name_any(&w, type_url, any);
    xds_wire_open_any(&w, bytes, any);
    any->met = w.met;
}

void xds_decode_message(struct xds_arena *arena, const ProtobufCMessageDescriptor *type,
                        struct xds_slice bytes, struct xds_any *any,
                        struct xds_kept *kept)
{
    struct wire w = {.arena = arena,
                     .kept = kept,
                     .end = xds_slice_from(bytes, bytes.len).data,
                     .read_inside = xds_wire_read_message};

    google__protobuf__any__init(&any->pb);
    xds_wire_name_any(&w, xds_slice_of(type->name), any);
    xds_wire_open_as(&w, type, bytes, any);
    any->met = w.met;
}
