/* mutate.c - mutate a message in wire form so that it mostly stays one. */
#include "fuzz/mutate.h"

#include <stdlib.h>
#include <string.h>

#include "source/wire/wire_field.h"

#define MAX_VARINT 10

struct record {
    struct xds_slice all, value;
    enum xds_wire_type type;
};

/* xorshift32 */
static uint32_t draw(uint32_t *state, uint32_t bound)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state % bound;
}

/* One field of the message, each with the same chance; false when it is no message. */
static bool choose(struct xds_slice message, uint32_t *state, struct record *out)
{
    struct xds_wire_field field;
    struct xds_slice value;
    uint32_t seen = 0;

    while (message.len > 0) {
        const char *start = message.data;

        if (!xds_wire_next(&message, &field, &value))
            return false;
        if (draw(state, ++seen) == 0)
            *out = (struct record){
                xds_slice_make(start, (size_t)(value.data + value.len - start)), value,
                field.type};
    }
    return seen > 0;
}

/* ---- writing ---- */

struct out {
    uint8_t *data;
    size_t len, room;
    bool is_full;
};

static void put(struct out *out, const void *data, size_t len)
{
    if (out->is_full || len > out->room - out->len) {
        out->is_full = true;
        return;
    }
    if (len > 0)
        memmove(out->data + out->len, data, len);
    out->len += len;
}

static void put_varint(struct out *out, uint64_t value)
{
    uint8_t bytes[MAX_VARINT];
    size_t n = 0;

    for (; value > 0x7f; value >>= 7)
        bytes[n++] = (uint8_t)(value | 0x80);
    bytes[n++] = (uint8_t)value;
    put(out, bytes, n);
}

static void put_mutated(struct out *out, struct xds_slice bytes, size_t room)
{
    const size_t start = out->len;

    put(out, bytes.data, bytes.len);
    if (out->is_full || room > out->room - start)
        return;
    out->len = start + LLVMFuzzerMutate(out->data + start, bytes.len, room);
}

/* ---- one mutation ---- */

static void put_message(struct out *out, struct xds_slice message, uint32_t *state);

/* Behind room for its length, which is known only then. */
static void put_bytes(struct out *out, const struct record *record, uint32_t *state)
{
    uint64_t tag;
    const size_t start = out->len;

    put(out, record->all.data, xds_wire_varint(record->all, &tag));
    const size_t length_at = out->len;
    if (out->is_full || out->room - length_at <= MAX_VARINT) {
        out->len = start;
        out->is_full = true;
        return;
    }
    out->len += MAX_VARINT;
    put_message(out, record->value, state);

    const size_t len = out->len - length_at - MAX_VARINT;

    out->len = length_at;
    put_varint(out, len);
    put(out, out->data + length_at + MAX_VARINT, len);
}

static void put_changed(struct out *out, const struct record *record, uint32_t *state)
{
    const size_t head = record->all.len - record->value.len;

    switch (record->type) {
    case XDS_WIRE_BYTES:
        put_bytes(out, record, state);
        break;
    case XDS_WIRE_VARINT:
        put(out, record->all.data, head);
        put_varint(out, (uint64_t)draw(state, UINT32_MAX) >> draw(state, 32));
        break;
    case XDS_WIRE_64BIT:
    case XDS_WIRE_32BIT:
    case XDS_WIRE_GROUP:
    case XDS_WIRE_GROUP_END:
        put(out, record->all.data, head);
        put_mutated(out, record->value, record->value.len);
        break;
    }
}

static void put_message(struct out *out, struct xds_slice message, uint32_t *state)
{
    struct record record = {.type = XDS_WIRE_BYTES};

    if (draw(state, 4) == 0 || !choose(message, state, &record)) {
        put_mutated(out, message, out->room - out->len);
        return;
    }
    const size_t before = (size_t)(record.all.data - message.data);

    put(out, message.data, before);
    switch (draw(state, 8)) {
    case 0: /* dropped */
        break;
    case 1: /* repeated */
        put(out, record.all.data, record.all.len);
        put(out, record.all.data, record.all.len);
        break;
    default:
        put_changed(out, &record, state);
    }
    const struct xds_slice after = xds_slice_from(message, before + record.all.len);
    put(out, after.data, after.len);
}

size_t xds_fuzz_mutate_message(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    struct out out = {.data = malloc(max_size), .room = max_size};
    uint32_t state = seed | 1;

    if (out.data)
        put_message(&out, xds_slice_make((const char *)data, size), &state);
    if (!out.data || out.is_full)
        out.len = LLVMFuzzerMutate(data, size, max_size);
    else
        memcpy(data, out.data, out.len);
    free(out.data);
    return out.len;
}
