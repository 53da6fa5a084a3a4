/* wire_field.h - one field after the other of a message on the wire. */
#ifndef XDS_SOURCE_WIRE_WIRE_FIELD_H
#define XDS_SOURCE_WIRE_WIRE_FIELD_H

#include "base/slice.h"
#include "report/report.h"
#include "source/held.h"

enum xds_wire_type {
    XDS_WIRE_VARINT = 0,
    XDS_WIRE_64BIT = 1,
    XDS_WIRE_BYTES = 2,
    XDS_WIRE_GROUP = 3,
    XDS_WIRE_GROUP_END = 4,
    XDS_WIRE_32BIT = 5,
};

/* What some libraries refuse or cut. */
enum {
    XDS_WIRE_LONG_HEAD = 1 << 0, /* a tag or length of more than five bytes */
    XDS_WIRE_WIDE_TAG =
        1 << 1, /* a tag of more than 32 bits: number is of its lower ones */
    XDS_WIRE_OVERFLOW = 1 << 2, /* a varint of more than 64 bits: they are cut */
    XDS_WIRE_LONG_VALUE =
        1 << 3,                /* a value of more than 32 bits, in less than ten bytes */
    XDS_WIRE_GROUPED = 1 << 4, /* a group */
    XDS_WIRE_TOP_UNSET = 1 << 5, /* a varint of ten bytes and of 63 bits or less */
};

/* A tag and a length, at most. */
#define XDS_WIRE_HEAD 20

struct xds_wire_field {
    uint32_t number;
    enum xds_wire_type type;
    uint32_t head;   /* bytes of the tag and, for BYTES, of the length */
    uint16_t odd;    /* XDS_WIRE_LONG_HEAD ... */
    uint16_t groups; /* of GROUP: how deep groups are nested in it, itself included */
    uint64_t len;    /* bytes of the value */
    uint64_t value;  /* of VARINT */
};

/* Bytes of the varint that s begins with; 0 when there is none. What is over 64 bits is
 * cut. */
size_t xds_wire_varint(struct xds_slice s, uint64_t *out);
/* Was something cut of the varint of n bytes that s begins with? */
static inline bool xds_wire_overflows(struct xds_slice s, size_t n)
{
    return n == 10 && s.data && (unsigned char)s.data[n - 1] > 1;
}
/* Has a varint of n bytes room for the top bit of its value, which is not set? */
static inline bool xds_wire_top_unset(size_t n, uint64_t value)
{
    return n == 10 && value <= INT64_MAX;
}
/* What xds_wire_next() does with a field that is not of the shortest form. */
bool xds_wire_next_long(struct xds_slice *message, struct xds_wire_field *field,
                        struct xds_slice *value);

/* The field that s begins with; except for VARINT its value need not be in s, and of
 * GROUP none is. False when it is none. */
bool xds_wire_head(struct xds_slice s, struct xds_wire_field *out);

/* Cut the next field off a message; *value holds the bytes of its value: of a group, the
 * fields in it and its end, which is there. False for the end of a group that did not
 * begin, and for groups that are nested over XDS_MAX_WIRE_NESTING. Inline for most
 * fields: a tag of one byte, and a length, or a number, of one byte. */
static inline bool xds_wire_next(struct xds_slice *message, struct xds_wire_field *field,
                                 struct xds_slice *value)
{
    const unsigned tag = message->len > 1 ? (unsigned char)message->data[0] : 0;
    const unsigned next = tag ? (unsigned char)message->data[1] : 0;
    const unsigned type = tag & 7;
    const size_t len = type == XDS_WIRE_BYTES ? next : 0;

    if (tag >= 8 && tag < 0x80 && next < 0x80 && len + 2 <= message->len &&
        (type == XDS_WIRE_BYTES || type == XDS_WIRE_VARINT)) {
        const char *begin = message->data + (type == XDS_WIRE_BYTES ? 2 : 1);

        *field = (struct xds_wire_field){.number = tag >> 3,
                                         .type = (enum xds_wire_type)type,
                                         .head = type == XDS_WIRE_BYTES ? 2 : 1,
                                         .len = type == XDS_WIRE_BYTES ? len : 1,
                                         .value = next};
        *value = xds_slice_make(begin, (size_t)field->len);
        *message = xds_slice_make(message->data + 2 + len, message->len - 2 - len);
        return true;
    }
    /* Copies, so that the compiler may keep the caller's in registers. */
    struct xds_slice rest = *message, found;
    struct xds_wire_field head;
    const bool good = xds_wire_next_long(&rest, &head, &found);
    *message = rest;
    *field = head;
    *value = found;
    return good;
}

/* Messages of a dump, see dump_fields[] in wire_walk.c. */
enum xds_dump_message {
    XDS_DUMP_NODE,
    XDS_DUMP_CLIENT,
    XDS_DUMP_PER_XDS,
    XDS_DUMP_LISTENERS,
    XDS_DUMP_CLUSTERS,
    XDS_DUMP_ROUTES,
    XDS_DUMP_ENDPOINTS,
    XDS_DUMP_ENTRY,
};

struct xds_dump_frame {
    enum xds_dump_message message;
    struct xds_slice rest; /* fields that were not read */
};

struct xds_binary {
    struct xds_buffer *in;
    struct xds_report *report;
    struct xds_arena *texts;     /* for expected */
    enum xds_resource_type type; /* set: the input is one bare resource of this type */
    enum xds_resource_type hint; /* its type if it is one, or UNKNOWN */
    size_t pos;
    bool done;
    struct xds_slice expected; /* the type URL that counts up to expected_until */
    size_t expected_until;
    /* Of a ClientStatusResponse, or a ConfigDump: */
    enum {
        XDS_BINARY_UNKNOWN,
        XDS_BINARY_RESPONSE,
        XDS_BINARY_DUMP,
        XDS_BINARY_RESOURCE, /* one, of a type that nothing says */
    } form;
    bool is_admin;   /* it is a ConfigDump */
    size_t item_end; /* of the item in work; it is in the buffer, as what follows is */
    unsigned depth;
    struct xds_dump_frame frame[3]; /* messages in it that are open */
    struct xds_arena *entries;      /* reset for each entry */
    struct xds_held_entry entry;    /* in work; its resources are taken out one by one */
    enum xds_resource_type entry_type;
    bool is_absent; /* what it says of a resource that it does not have is due */
    struct xds_held held;
    struct xds_dumped_client *client;
};

void xds_binary_open(struct xds_binary *binary, struct xds_buffer *in,
                     struct xds_report *report, struct xds_arena *texts,
                     enum xds_resource_type type, struct xds_dumped_client *client,
                     struct xds_arena *entries);
/* What is wrong with the bytes of a resource, or of the input: XDS_NO_RESOURCE. */
void xds_report_wire(struct xds_report *report, uint32_t resource, struct xds_place at,
                     struct xds_slice text);
/* The next resource; false at the end. Runs under a guard of report->arena and texts. */
bool xds_binary_next(struct xds_binary *binary, struct xds_resource *out);
/* Settle the type of a resource whose type_url and bytes are those of its Any; out of a
 * Resource wrapper, it becomes the resource inside. */
void xds_binary_unwrap(struct xds_resource *out);
/* The resource in a google.protobuf.Any of a response of this type. False: it is none. */
bool xds_binary_of_any(struct xds_slice any, struct xds_slice expected,
                       struct xds_resource *out);

#endif
