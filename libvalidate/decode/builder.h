/*
 * builder.h - the one recursive builder from tokens to protobuf-c messages.
 *
 * Every function takes the builder with b->token = the first token of a value, and
 * leaves after the last token of that value. It returns false only when the tokens
 * cannot continue (a syntax error, reported); a value that does not fit its field is
 * reported, skipped, and clears b->ok, so that all slips of a resource are seen at once.
 */
#ifndef XDS_DECODE_BUILDER_H
#define XDS_DECODE_BUILDER_H

#include "report/report.h"
#include "decode/decode.h"
#include "source/token.h"

struct xds_builder {
    struct xds_tokens tokens;
    struct xds_token token;
    const struct xds_resource *in;
    uint32_t resource; /* index in the report */
    struct xds_report *report;
    struct xds_arena *arena; /* of everything that is built */
    struct xds_place_cursor cursor;
    struct xds_names *names;
    struct xds_kept *kept;     /* or NULL */
    unsigned differences, met; /* of bytes in the text: XDS_WIRE_BIT() */
    /* A field of a message type, whose message may be an Any or have a JSON form of its
     * own: build_any.c, which is above the builder. */
    bool (*build_message)(struct xds_builder *b, const char *name,
                          const ProtobufCFieldDescriptor *field, void *slot);
    bool quiet; /* what is wrong is not reported: the caller has another way to go */
    bool plain; /* text proto: fields as the messages declare them, no JSON mapping */
    bool ok;
};

/* What is known of the "@type" of the object that is read. */
enum xds_at_type {
    XDS_AT_TYPE_ALIEN, /* it must not have one */
    XDS_AT_TYPE_OPEN,  /* it may have one that was not read yet */
    XDS_AT_TYPE_READ,  /* it was read: one more is too many */
};

/* Takes in->bytes of JSON, or in->tokens. names: those of earlier resources, or NULL. */
void xds_builder_init(struct xds_builder *b, const struct xds_resource *in,
                      uint32_t resource, struct xds_report *report,
                      struct xds_arena *arena, struct xds_names *names);

/* The next token into b->token; false when it is an error (reported) or the end. */
bool xds_builder_next(struct xds_builder *b);
/* Skip the value that begins with b->token. */
bool xds_builder_skip(struct xds_builder *b);
/* Report a fault at a token, b->token or one before it. */
bool xds_builder_report(struct xds_builder *b, const struct xds_token *at,
                        enum xds_rule_id rule, const char *format, ...) XDS_PRINTF(4, 5);
/* Report a field that the message does not have, or not by that key. */
bool xds_builder_no_field(struct xds_builder *b, const struct xds_token *at,
                          const char *format, ...) XDS_PRINTF(3, 4);
/* Report that b->token is not the bytes that it has to be. name: of the field, or NULL:
 * `what` is the whole message. */
void xds_builder_no_bytes(struct xds_builder *b, const char *name, const char *what);
/* Report that `name` needs another kind of value, and skip it. due: "a list"; detail:
 * more words after it, or "". */
bool xds_builder_mismatch(struct xds_builder *b, const char *name, const char *due,
                          const char *detail);
/* Report a key that appears twice. */
void xds_builder_duplicate(struct xds_builder *b, const struct xds_token *key,
                           struct xds_slice name);
/* Report a key that names nothing in `message`, unless that is allowed. is_first: it has
 * no key before this one. */
void xds_builder_unknown(struct xds_builder *b, const struct xds_token *key,
                         const ProtobufCMessageDescriptor *message, struct xds_slice name,
                         bool is_first);
/* A text short enough for a message: cut between characters. */
struct xds_slice xds_builder_excerpt(struct xds_slice text);
/* The same of a name that is none of the message's fields. Where a secret is due, one
 * that is like none of them may be the secret. */
struct xds_slice xds_builder_name(const ProtobufCMessageDescriptor *message,
                                  struct xds_slice name, bool is_like_one);
/* The same of a value of this field, which may be a secret. */
struct xds_slice xds_builder_value(const char *name, struct xds_slice text);
/* The same of a string that is not in quotes: it may also be the value of a header. */
struct xds_slice xds_builder_unquoted(const char *name, struct xds_slice text);

/* A message of this type, initialised, in the arena. */
static inline ProtobufCMessage *xds_build_new(struct xds_builder *b,
                                              const ProtobufCMessageDescriptor *type)
{
    ProtobufCMessage *message = xds_arena_alloc(b->arena, type->sizeof_message);

    xds_message_init(type, message);
    return message;
}

/* One field of a message, of any label and type. */
bool xds_build_field(struct xds_builder *b, const char *name,
                     const ProtobufCFieldDescriptor *field, ProtobufCMessage *into);
/* One value of a field's type into its slot: the member, or an item of the
 * list. name is what messages call it. */
bool xds_build_value(struct xds_builder *b, const char *name,
                     const ProtobufCFieldDescriptor *field, void *slot);
/* The rest of an object whose brace was read, as the fields of a message. */
bool xds_build_members(struct xds_builder *b, ProtobufCMessage *into,
                       enum xds_at_type at_type);
/* An object as a message; other kinds are a mismatch. */
bool xds_build_object(struct xds_builder *b, const char *name, ProtobufCMessage *into);

/* Has the key in b->token fields that the message does not declare? They are a number in
 * text proto, and "@unknown" else. */
bool xds_is_undeclared_key(const struct xds_builder *b);
/* The value of that key: added to what the message does not declare. */
bool xds_build_undeclared(struct xds_builder *b, ProtobufCMessage *into);

/* The rest of an object whose brace and type are known, as any->message. */
bool xds_build_any_content(struct xds_builder *b, struct xds_any *any,
                           enum xds_at_type at_type);
/* Sets type_url (NUL-terminated), type and state of an Any, before its content. */
void xds_any_set_type(struct xds_any *any, struct xds_slice type_url);

#endif
