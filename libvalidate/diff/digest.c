/* digest.c - one number for what a message says, however it is written. */
#include "diff/digest.h"

#include "decode/decode.h"

#include <xxhash.h>

struct walk {
    enum xds_digest_kind kind;
};

static uint64_t mix(uint64_t seed, uint64_t value)
{
    return XXH64(&value, sizeof value, seed);
}

static uint64_t of_bytes(const void *data, size_t len)
{
    return XXH64(len ? data : "", len, 0);
}

static uint64_t of_message(const struct walk *walk, const ProtobufCMessage *message);

/* The nesting of messages is bounded, and so is this recursion. */
static uint64_t of_item(const struct walk *walk, const ProtobufCFieldDescriptor *field,
                        const void *item)
{
    if (field->type == PROTOBUF_C_TYPE_MESSAGE) {
        const ProtobufCMessage *message = xds_item_message(item);
        return message ? of_message(walk, message) : 0;
    }
    if (field->type == PROTOBUF_C_TYPE_STRING) {
        const struct xds_slice text = xds_item_text(item);
        return of_bytes(text.data, text.len);
    }
    if (field->type == PROTOBUF_C_TYPE_BYTES) {
        const ProtobufCBinaryData *bytes = item;
        return of_bytes(bytes->data, bytes->len);
    }
    return of_bytes(item, xds_item_size(field->type));
}

static bool has_order(const struct walk *walk, const ProtobufCMessage *message,
                      const ProtobufCFieldDescriptor *field)
{
    if (field->label != PROTOBUF_C_LABEL_REPEATED)
        return true;
    if (walk->kind == XDS_DIGEST_STRICT)
        return !xds_field_is_map(field);
    return xds_list_rule_of(message->descriptor, field)->order == XDS_LIST_ORDERED;
}

static uint64_t of_field(const struct walk *walk, const ProtobufCMessage *message,
                         const ProtobufCFieldDescriptor *field, size_t n)
{
    const bool ordered = has_order(walk, message, field);
    uint64_t digest = n;

    for (size_t i = 0; i < n; i++) {
        const uint64_t item = of_item(walk, field, xds_field_item(message, field, i));

        digest = ordered ? mix(digest, item) : digest + mix(0, item);
    }
    return digest;
}

static uint64_t of_any(const struct walk *walk, const struct xds_any *any)
{
    const uint64_t type = of_bytes(any->type.data, any->type.len);

    if (any->state == XDS_ANY_TYPED)
        return mix(type, of_message(walk, any->message));
    if (any->state == XDS_ANY_UNDECODABLE)
        return mix(type, of_bytes(any->pb.value.data, any->pb.value.len));
    return type;
}

static uint64_t of_message(const struct walk *walk, const ProtobufCMessage *message)
{
    const ProtobufCMessageDescriptor *type = message->descriptor;
    const struct xds_any *any = xds_message_any(message);
    uint64_t digest = 1;

    if (any)
        return of_any(walk, any);
    for (unsigned i = 0; i < type->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &type->fields[i];
        const size_t n = xds_field_count(message, field);

        if (n > 0)
            digest = mix(mix(digest, field->id), of_field(walk, message, field, n));
    }
    return digest;
}

uint64_t xds_digest_message(const ProtobufCMessage *message, enum xds_digest_kind kind)
{
    return of_message(&(const struct walk){kind}, message);
}

uint64_t xds_digest_item(const ProtobufCFieldDescriptor *field, const void *item)
{
    return of_item(&(const struct walk){XDS_DIGEST_MEANING}, field, item);
}

/* ---- keys ---- */

/* "endpoint.address": each step but the last leads into a message. */
static const void *follow(const ProtobufCMessage *message, struct xds_slice path,
                          const ProtobufCFieldDescriptor **field)
{
    const void *item = NULL;

    while (path.data && message) {
        struct xds_slice step;
        char name[XDS_MAX_NAME];

        path = xds_slice_cut(path, '.', &step);
        if (step.len >= sizeof name)
            return NULL;
        memcpy(name, step.data, step.len);
        name[step.len] = '\0';
        item = xds_message_item(message, name, field);
        if (!item)
            return NULL;
        message =
            (*field)->type == PROTOBUF_C_TYPE_MESSAGE ? xds_item_message(item) : NULL;
    }
    return item;
}

bool xds_digest_key(const ProtobufCMessage *message, const char *fields, uint64_t *out)
{
    struct xds_slice rest = xds_slice_of(fields);
    bool any = false;

    *out = 0;
    while (rest.data) {
        const ProtobufCFieldDescriptor *field;
        struct xds_slice path;

        rest = xds_slice_cut(rest, ',', &path);
        const void *item = follow(message, path, &field);
        *out = mix(*out, item ? xds_digest_item(field, item) : 0);
        any |= item != NULL;
    }
    return any;
}
