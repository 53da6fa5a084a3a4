/*
 * field.c - values as texts of proto3 JSON, and a message in protobuf's wire form.
 *
 * Source: the layout of protobuf-c's messages; proto3's JSON mapping; RFC 3339.
 */
#include "base/ascii.h"
#include "base/base64.h"
#include "base/text.h"
#include "convert/inner.h"
#include "convert/pack.h"
#include "source/wire/wire_field.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers, times and bytes ---- */

struct capture {
    char *out;
    size_t n;
};

static bool capture_write(void *user, const char *data, size_t len)
{
    struct capture *capture = user;

    memcpy(capture->out + capture->n, data, len);
    capture->n += len;
    return true;
}

/* The double with the shortest text that is the float when it is rounded to one. */
static double shortest_single(float value)
{
    double wide = (double)value;
    char text[XDS_SCALAR_TEXT];

    for (int precision = 6; precision <= 9; precision++) {
        snprintf(text, sizeof text, "%.*g", precision, (double)value);
        wide = strtod(text, NULL);
        if ((float)wide == value)
            break;
    }
    return wide;
}

struct xds_slice xds_text_of_double(double value, bool single, char out[XDS_SCALAR_TEXT])
{
    struct capture capture = {out, 0};
    const struct xds_printer printer = {.write = capture_write, .user = &capture};
    struct xds_out writer;

    xds_out_init(&writer, &printer);
    xds_out_double(&writer, single ? shortest_single((float)value) : value);
    (void)!xds_out_finish(&writer);
    return xds_slice_make(out, capture.n);
}

#define NANOS_PER_SECOND 1000000000

/* ".5" as three digits, ".000001" as six, or nine, or nothing. */
static size_t put_fraction(char *out, size_t room, int32_t nanos)
{
    if (nanos == 0)
        return 0;
    if (nanos % 1000000 == 0)
        return (size_t)snprintf(out, room, ".%03" PRId32, nanos / 1000000);
    if (nanos % 1000 == 0)
        return (size_t)snprintf(out, room, ".%06" PRId32, nanos / 1000);
    return (size_t)snprintf(out, room, ".%09" PRId32, nanos);
}

struct xds_slice xds_text_of_duration(const pb_duration *duration,
                                      char out[XDS_SCALAR_TEXT])
{
    const int64_t seconds = duration->seconds;
    const int32_t nanos = duration->nanos;
    const bool negative = seconds < 0 || nanos < 0;

    if (nanos <= -NANOS_PER_SECOND || nanos >= NANOS_PER_SECOND || seconds == INT64_MIN ||
        (negative && (seconds > 0 || nanos > 0)))
        return xds_slice_make(NULL, 0);
    size_t n = (size_t)snprintf(out, XDS_SCALAR_TEXT, "%s%" PRId64, negative ? "-" : "",
                                negative ? -seconds : seconds);
    n += put_fraction(out + n, XDS_SCALAR_TEXT - n, negative ? -nanos : nanos);
    out[n++] = 's';
    return xds_slice_make(out, n);
}

struct date {
    int64_t year, month, day;
};

/* Days since 1970-01-01 as a date; years are counted from March, eras of 400 years from
 * the year 0. */
static struct date date_of(int64_t days)
{
    const int64_t shifted = days + 719468;
    const int64_t era = shifted / 146097, of_era = shifted % 146097;
    const int64_t year =
        (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    const int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
    const int64_t march = (5 * of_year + 2) / 153;
    const int64_t month = march < 10 ? march + 3 : march - 9;

    return (struct date){year + era * 400 + (month <= 2), month,
                         of_year - (153 * march + 2) / 5 + 1};
}

struct xds_slice xds_text_of_timestamp(const pb_timestamp *timestamp,
                                       char out[XDS_SCALAR_TEXT])
{
    const int64_t first = INT64_C(-62135596800), last = INT64_C(253402300799);
    const int64_t seconds = timestamp->seconds;

    if (seconds < first || seconds > last || timestamp->nanos < 0 ||
        timestamp->nanos >= NANOS_PER_SECOND)
        return xds_slice_make(NULL, 0);
    const int64_t of_day = (seconds % 86400 + 86400) % 86400;
    const struct date date = date_of((seconds - of_day) / 86400);
    size_t n = (size_t)snprintf(out, XDS_SCALAR_TEXT,
                                "%04" PRId64 "-%02" PRId64 "-%02" PRId64 "T%02" PRId64
                                ":%02" PRId64 ":%02" PRId64,
                                date.year, date.month, date.day, of_day / 3600,
                                of_day / 60 % 60, of_day % 60);
    n += put_fraction(out + n, XDS_SCALAR_TEXT - n, timestamp->nanos);
    out[n++] = 'Z';
    return xds_slice_make(out, n);
}

struct xds_slice xds_text_of_bytes(struct xds_slice bytes, struct xds_arena *arena)
{
    const size_t size = bytes.len / 3 * 4 + 4;
    char *text = xds_arena_alloc(arena, size);

    return xds_slice_make(text, xds_base64_encode(bytes, text, size));
}

/* Append a.foo_bar as a.fooBar; false when that does not lead back. */
static bool put_path(char *out, size_t *n, const char *path)
{
    bool begins = true;

    for (; *path; path++) {
        const bool joint = *path == '_' && path[1] >= 'a' && path[1] <= 'z';

        if (begins ? !(*path >= 'a' && *path <= 'z')
                   : !joint && *path != '.' && !xds_ascii_digit(*path) &&
                         !(*path >= 'a' && *path <= 'z'))
            return false;
        begins = *path == '.';
        path += joint;
        out[(*n)++] = joint ? xds_ascii_upper(*path) : *path;
    }
    return !begins;
}

struct xds_slice xds_text_of_mask(const pb_field_mask *mask, struct xds_arena *arena)
{
    size_t room = 1, n = 0;

    for (size_t i = 0; i < mask->n_paths; i++)
        room += strlen(mask->paths[i]) + 1;
    char *out = xds_arena_alloc(arena, room);
    for (size_t i = 0; i < mask->n_paths; i++) {
        if (i > 0)
            out[n++] = ',';
        if (!put_path(out, &n, mask->paths[i]))
            return xds_slice_make(NULL, 0);
    }
    return xds_slice_make(out, n);
}

/* ---- wire form ---- */

static void pack_inside(struct xds_packer p, const ProtobufCMessage *message);

static struct xds_slice restore_nul(struct xds_packer p, struct xds_slice bytes,
                                    const ProtobufCMessageDescriptor *type);

static struct xds_slice restore_value(struct xds_packer p, struct xds_slice value,
                                      const ProtobufCFieldDescriptor *field)
{
    if (field->type == PROTOBUF_C_TYPE_MESSAGE)
        return restore_nul(p, value, xds_unread_type(p.types, field->descriptor));
    if (field->type != PROTOBUF_C_TYPE_STRING)
        return value;
    char *text = xds_arena_alloc(p.arena, value.len);
    return xds_slice_make(text, xds_text_restore_nul(value, text));
}

/* The bytes of a message, in whose texts XDS_NUL is 0 again. */
static struct xds_slice restore_nul(struct xds_packer p, struct xds_slice bytes,
                                    const ProtobufCMessageDescriptor *type)
{
    struct xds_text out = {.arena = p.arena};
    struct xds_wire_field head;
    struct xds_slice value;

    if (xds_slice_search(bytes, XDS_NUL) > bytes.len)
        return bytes;
    for (const char *begin = bytes.data;
         bytes.len && xds_wire_next(&bytes, &head, &value); begin = bytes.data) {
        const ProtobufCFieldDescriptor *field =
            protobuf_c_message_descriptor_get_field(type, head.number);

        if (!field || head.type != XDS_WIRE_BYTES) {
            xds_text_add(&out, xds_slice_make(begin, (size_t)(bytes.data - begin)));
            continue;
        }
        value = restore_value(p, value, field);
        xds_text_add_varint(&out, (uint64_t)head.number << 3 | head.type);
        xds_text_add_varint(&out, value.len);
        xds_text_add(&out, value);
    }
    return xds_slice_make(out.data, out.len);
}

void xds_pack(struct xds_packer p, struct xds_any *any)
{
    if (any->state != XDS_ANY_TYPED)
        return;
    pack_inside(p, any->message);
    any->pb.value.len = protobuf_c_message_get_packed_size(any->message);
    any->pb.value.data = xds_arena_alloc(p.arena, any->pb.value.len);
    protobuf_c_message_pack(any->message, any->pb.value.data);

    const struct xds_slice packed = restore_nul(
        p, xds_slice_make((const char *)any->pb.value.data, any->pb.value.len),
        any->message->descriptor);
    any->pb.value.len = packed.len;
    memcpy(&any->pb.value.data, &packed.data, sizeof packed.data);
}

/* protobuf-c leaves out -0.0, which is not the default: it is packed with what the
 * message does not declare, and 0 in its place. */
static void keep_minus(struct xds_packer p, const ProtobufCMessage *message,
                       const ProtobufCFieldDescriptor *field)
{
    static const char zeros[8];
    const bool is_wide = field->type == PROTOBUF_C_TYPE_DOUBLE;
    const size_t len = is_wide ? 8 : 4;
    struct xds_text bytes = {.arena = p.arena};
    ProtobufCMessage *into;
    double wide = 0;
    float narrow = 0;

    if (field->label != PROTOBUF_C_LABEL_NONE || xds_field_in_oneof(field))
        return;
    memcpy(&into, &message, sizeof into);
    char *slot = (char *)into + field->offset;

    memcpy(is_wide ? (void *)&wide : &narrow, slot, len);
    if (!(is_wide ? wide == 0 && signbit(wide) : narrow == 0 && signbit(narrow)))
        return;
    xds_text_add_varint(&bytes, (uint64_t)field->id << 3 |
                                    (is_wide ? XDS_WIRE_64BIT : XDS_WIRE_32BIT));
    xds_text_add(&bytes, xds_slice_make(zeros, len - 1));
    xds_text_add(&bytes, XDS_S("\x80"));
    memset(slot, 0, len);
    xds_unknown_add(p.arena, into, xds_slice_make(bytes.data, bytes.len));
}

static void pack_inside(struct xds_packer p, const ProtobufCMessage *message)
{
    for (struct xds_set_fields walk = {.message = message}; xds_set_fields_next(&walk);) {
        const ProtobufCFieldDescriptor *field = walk.field;

        if (field->type == PROTOBUF_C_TYPE_DOUBLE || field->type == PROTOBUF_C_TYPE_FLOAT)
            keep_minus(p, message, field);
        for (size_t k = 0; field->type == PROTOBUF_C_TYPE_MESSAGE && k < walk.n; k++) {
            ProtobufCMessage *member;

            memcpy(&member, xds_field_item(message, field, k), sizeof member);
            if (member->descriptor == &google__protobuf__any__descriptor)
                xds_pack(p, (struct xds_any *)(void *)member);
            else
                pack_inside(p, member);
        }
    }
}
