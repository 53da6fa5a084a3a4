/* wire.h - messages on the wire, as each client's library reads them. */
#ifndef XDS_DECODE_WIRE_H
#define XDS_DECODE_WIRE_H

#include <stddef.h>
#include <stdint.h>

#include "base/limits.h"
#include "base/slice.h"
#include "base/text.h"
#include "clients/readers.h"
#include "decode/decode.h"
#include "decode/field.h"
#include "decode/unread.h"

/* In what a protobuf library differs from the documents on the wire: the bit of a row
 * WIRE_... of clients/differences.def, which follow each other there. */
#define XDS_WIRE_BIT(name) (1u << (XDS_DIFF_WIRE_##name - XDS_DIFF_WIRE_AS_DECLARED))
enum { XDS_WIRE_BITS = XDS_DIFF_WIRE_VARINT_EXACT - XDS_DIFF_WIRE_AS_DECLARED + 1 };
/* The difference of no library: what is read and written is gone. */
#define XDS_WIRE_REPACKED (1u << XDS_WIRE_BITS)

/* Does the field take what is on the wire? */
bool xds_wire_has_room(const ProtobufCFieldDescriptor *field, unsigned type);

/* Decode bytes into any, a message of the type that type_url names, as a library with
 * these differences does it; everything is allocated in arena, under a guard. any->state
 * says how it went: TYPED, UNKNOWN when no such type is registered, UNDECODABLE;
 * any->met, which other differences would have mattered. With kept, or NULL, the messages
 * hold also what they are not declared to have. */
void xds_decode_any(struct xds_arena *arena, unsigned differences,
                    struct xds_slice type_url, struct xds_slice bytes,
                    struct xds_any *any, struct xds_kept *kept);

/* The same of a message that is in no Any, of this type, as the documents have it. */
void xds_decode_message(struct xds_arena *arena, const ProtobufCMessageDescriptor *type,
                        struct xds_slice bytes, struct xds_any *any,
                        struct xds_kept *kept);

/* Inline, as texts are short: most are one step. */

#ifdef __SSE2__
#include <emmintrin.h>

#define XDS_COPY_STEP ((size_t)16)

/* Copy a step; one bit for each byte that is ASCII and not NUL. */
static inline unsigned xds_copy_step(char *to, const char *from)
{
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)from);

    _mm_storeu_si128((__m128i *)(void *)to, bytes);
    return (unsigned)_mm_movemask_epi8(_mm_cmpgt_epi8(bytes, _mm_setzero_si128()));
}

/* Copy text, which is the begin of `readable` bytes, to where there is room for whole
 * steps. True when all of it is ASCII without NUL; false says nothing. */
static inline bool xds_copy_plain(char *to, struct xds_slice text, size_t readable)
{
    size_t i = 0;

    for (; text.len - i >= XDS_COPY_STEP; i += XDS_COPY_STEP)
        if (xds_copy_step(to + i, text.data + i) != 0xFFFF)
            break;
    const size_t rest = text.len - i;
    const unsigned wanted = rest < XDS_COPY_STEP ? (1u << rest) - 1 : 0xFFFF;

    if (readable - i >= XDS_COPY_STEP && rest < XDS_COPY_STEP)
        return (xds_copy_step(to + i, text.data + i) & wanted) == wanted;
    if (rest)
        memcpy(to + i, text.data + i, rest);
    return rest == 0;
}

#else

static inline bool xds_copy_plain(char *to, struct xds_slice text, size_t readable)
{
    (void)readable;
    if (text.len)
        memcpy(to, text.data, text.len);
    return false;
}

#endif

struct wire {
    struct xds_arena *arena;
    struct xds_kept *kept; /* or NULL */
    const char *end;       /* of all bytes: what may be read */
    unsigned differences;  /* XDS_WIRE_BIT() of the library */
    unsigned met;          /* those that matter in these bytes */
    unsigned depth;        /* of messages, through all Anys */
    unsigned any_at;       /* ... of the Any that they are in */
    bool has_twins;        /* two entries of one map, in the message that is read */
    bool has_unknown;      /* fields that it does not have, or of another wire type */
    bool unknown_inside;   /* ... in the message that was read last */
    /* A message in an Any, as the library reads it. */
    bool (*read_inside)(struct wire *w, struct xds_slice bytes, ProtobufCMessage *into);
};

ProtobufCBinaryData xds_wire_copy(struct wire *w, struct xds_slice bytes);
/* The low bits of n are what every 32-bit type keeps of it. False for a type that is not
 * a number. */
bool xds_wire_store_number(ProtobufCType type, uint64_t n, void *slot);

static inline ProtobufCMessage *xds_wire_new(struct wire *w,
                                             const ProtobufCMessageDescriptor *type)
{
    if (w->kept)
        type = xds_unread_type(&w->kept->types, type);
    ProtobufCMessage *message = xds_arena_alloc(w->arena, type->sizeof_message);

    xds_message_init(type, message);
    return message;
}

/* The arm of the field's oneof that is set; 0: none, or it is in no oneof. */
static inline uint32_t xds_wire_arm(const ProtobufCFieldDescriptor *field,
                                    const ProtobufCMessage *into)
{
    uint32_t arm = 0;

    if (xds_field_in_oneof(field))
        memcpy(&arm, (const char *)into + field->quantifier_offset, sizeof arm);
    return arm;
}

/* Note that a field is there. Another arm of its oneof is forgotten: returns whether
 * there was one. */
static inline bool xds_wire_set_present(const ProtobufCFieldDescriptor *field,
                                        ProtobufCMessage *into)
{
    const protobuf_c_boolean yes = true;
    const uint32_t arm = field->id;

    if (!field->quantifier_offset)
        return false;
    if (!xds_field_in_oneof(field)) {
        memcpy((char *)into + field->quantifier_offset, &yes, sizeof yes);
        return false;
    }
    const uint32_t before = xds_wire_arm(field, into);
    if (before == arm)
        return false;
    memcpy((char *)into + field->quantifier_offset, &arm, sizeof arm);
    memset((char *)into + field->offset, 0, xds_item_size(field->type));
    return before != 0;
}

/* Little-endian bytes of the wire as a number. */
static inline uint64_t xds_wire_fixed(struct xds_slice bytes)
{
    uint64_t n = 0;

    for (size_t i = bytes.len; i > 0; i--)
        n = n << 8 | (unsigned char)bytes.data[i - 1];
    return n;
}

/* A number of ten bytes without the top bit. */
static inline uint64_t xds_wire_with_top(struct wire *w, uint64_t n)
{
    w->met |= XDS_WIRE_BIT(TOP_SET);
    return w->differences & XDS_WIRE_BIT(TOP_SET) ? n | UINT64_C(1) << 63 : n;
}

bool xds_wire_is_any(const ProtobufCFieldDescriptor *field);
struct xds_any *xds_wire_new_any(struct wire *w);
void xds_wire_name_any(struct wire *w, struct xds_slice type_url, struct xds_any *any);
/* Set state and message from the bytes of the message; its type is set. */
void xds_wire_open_any(struct wire *w, struct xds_slice bytes, struct xds_any *any);
/* The same as a message of this type; NULL: of none that is known. */
void xds_wire_open_as(struct wire *w, const ProtobufCMessageDescriptor *type,
                      struct xds_slice bytes, struct xds_any *any);

/* A message as all libraries but protobufjs read it. */
bool xds_wire_read_message(struct wire *w, struct xds_slice bytes,
                           ProtobufCMessage *into);

#endif
