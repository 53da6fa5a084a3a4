/* decode.h - one resource's bytes as a message, and where its fields are in the text. */
#ifndef XDS_DECODE_DECODE_H
#define XDS_DECODE_DECODE_H

#include <protobuf-c/protobuf-c.h>

#include "base/arena.h"
#include "base/path.h"
#include "base/slice.h"
#include "base/strmap.h"
#include "decode/pb.h"
#include "decode/unread.h"
#include "model/resource_type.h"
#include "report/report.h"
#include "source/place.h"
#include "source/token.h"

/* Every pb_any that decode/ makes is the first member of a struct xds_any, so rules may
 * go from one to the other with xds_any_of(). */

enum xds_any_state {
    XDS_ANY_TYPED,       /* message is set */
    XDS_ANY_UNKNOWN,     /* no registered type: its content is opaque */
    XDS_ANY_UNDECODABLE, /* it came as bytes that are no message of that type */
};

struct xds_any {
    pb_any pb; /* type_url as written; value is what came as bytes, unless TYPED */
    enum xds_any_state state;
    struct xds_slice type;           /* after the last '/', or all of type_url */
    const ProtobufCMessage *message; /* NULL unless TYPED */
    struct xds_slice wire; /* the bytes of its value, while they are read; else absent */
    unsigned met;          /* of a resource: XDS_WIRE_BIT() of wire.h */
};

static inline const struct xds_any *xds_any_of(const pb_any *any)
{
    return (const struct xds_any *)(const void *)any;
}

/* The message of an Any when it is TYPED and of exactly this type, else NULL. */
static inline const void *xds_any_message(const pb_any *any,
                                          const ProtobufCMessageDescriptor *type)
{
    const struct xds_any *a = xds_any_of(any);

    return a && a->state == XDS_ANY_TYPED && a->message->descriptor == type ? a->message
                                                                            : NULL;
}

/* The descriptor of a full message name ("envoy.config.route.v3.FilterConfig") that may
 * be in an Any, or NULL. Messages declared empty in proto/ are registered too. */
const ProtobufCMessageDescriptor *xds_any_registry(struct xds_slice full_name);

/* Judging needs none of it. Writing the message again does. */

struct xds_kept {
    struct xds_arena *arena;
    struct xds_strmap content; /* by message: where its members begin, not its "@type" */
    struct xds_unread_types types;
    size_t n_unknown; /* members of JSON or a text proto that were allowed and skipped */
    struct xds_place unknown_at; /* of the first of them, and what it is */
    struct xds_slice unknown;
    struct xds_names *names; /* for decoding, or NULL: see xds_decode_with() */
};

void xds_kept_init(struct xds_kept *kept, struct xds_arena *arena);
/* Remember where the members of an object begin that has no fields for them: `message` is
 * an opaque message, or an Any of an unknown type. kept may be NULL. */
void xds_kept_add(struct xds_kept *kept, const void *message,
                  const struct xds_tokens *members);
/* The tokens of such an object, up to its end; NULL when none were kept, or there is no
 * member but "@type". */
const struct xds_tokens *xds_kept_find(const struct xds_kept *kept, const void *message);

/* Fields that a message does not declare are kept in it as protobuf-c does; they are
 * packed again with the message. */

/* Add one, which is valid: its bytes on the wire, with the tag. */
void xds_unknown_add(struct xds_arena *arena, ProtobufCMessage *message,
                     struct xds_slice field);
/* All of them as they are on the wire. */
struct xds_slice xds_unknown_bytes(struct xds_arena *arena,
                                   const ProtobufCMessage *message);

#define XDS_NAMES_SLOTS 256
#define XDS_NAMES_STARTS 128
/* No message of proto/ has more fields, no name is longer (decode/builder_test.c). */
#define XDS_MAX_FIELDS 128
#define XDS_MAX_NAME 64

/* How a value is read where it is a plain one (build.c). */
enum xds_rpc_path {
    XDS_WAY_TOKEN, /* by its token, as every other value */
    XDS_WAY_STRING,
    XDS_WAY_UINT32,
    XDS_WAY_UINT32_VALUE,
    XDS_WAY_ENUM,
    XDS_WAY_MESSAGE,
};

enum xds_rpc_path xds_rpc_path_of(const ProtobufCFieldDescriptor *field);

/* A key that was read, and the field it names. */
struct xds_name {
    const ProtobufCFieldDescriptor *field;
    struct xds_name *next;        /* what came after it the last time, or NULL */
    struct xds_name *same;        /* of the same hash */
    unsigned char index;          /* of the field in its message */
    unsigned char way;            /* enum xds_rpc_path; of a list, that of its items */
    bool is_list, is_map, is_arm; /* a map is a list of entries */
    unsigned char len;            /* of quoted */
    char quoted[]; /* the key in quotes, and zeros up to a multiple of 16 */
};

/* The same keys come again and again, and mostly in the same order; what one resource
 * taught helps with the next. */
struct xds_names {
    struct xds_arena *arena; /* of the names */
    struct xds_name *known[XDS_NAMES_SLOTS];
    struct xds_name_start {
        const ProtobufCMessageDescriptor *message;
        struct xds_name *next;
    } starts[XDS_NAMES_STARTS]; /* the first keys of objects */
};

/* Names live in arena, which must not be reset before names is. */
void xds_names_init(struct xds_names *names, struct xds_arena *arena);

/* The key that an object of this message began with the last time, or NULL. */
static inline struct xds_name **xds_names_first(struct xds_names *names,
                                                const ProtobufCMessageDescriptor *message)
{
    struct xds_name_start *start =
        &names->starts[(uintptr_t)message / 32 % XDS_NAMES_STARTS];

    if (start->message != message)
        *start = (struct xds_name_start){message, NULL};
    return &start->next;
}

/* The name of the field called `key`, either as in the .proto file or in lowerCamelCase;
 * NULL when there is none. */
struct xds_name *xds_names_find(struct xds_names *names,
                                const ProtobufCMessageDescriptor *message,
                                struct xds_slice key);
/* The field whose name is most like key, spelled in the style of key, or always in
 * snake_case; false when none is near. *only: no other one is as near. */
bool xds_names_nearest(const ProtobufCMessageDescriptor *message, struct xds_slice key,
                       bool snake, char nearest[XDS_MAX_NAME], bool *only);
/* lowerCamelCase of a name, as protobuf makes a json_name. */
void xds_names_camel(const char *name, char camel[XDS_MAX_NAME]);

/* The value called `name`, NULL when there is none. */
const ProtobufCEnumValue *xds_enum_find(const ProtobufCEnumDescriptor *type,
                                        struct xds_slice name);
/* The name most like `name`, NULL when none is near. */
const char *xds_enum_nearest(const ProtobufCEnumDescriptor *type, struct xds_slice name);

/* Report the first one of the resource. */
void xds_check_private_key(const struct xds_resource *in, uint32_t resource,
                           struct xds_report *report);

/* One step of a path as JSON spells it: a member, or an item of a list. Steps into an
 * Any (".value[T]") do not show in JSON and are left out, and so are steps that are only
 * said. */
struct xds_atom {
    struct xds_slice name; /* snake_case, or a map key; absent: a list item */
    size_t index;          /* of a name, in text proto: how many of them were met */
    bool is_key;           /* of a map */
};

/* JSON and YAML go through tokens into one message builder that is driven by
 * protobuf-c's descriptors; binary is read as most protobuf libraries do, and once more
 * for clients whose library reads the same bytes in another way. */

/* Decode `in` into root: an Any whose message is the resource. Everything is allocated
 * in arena (under a guard). Returns false when the input is no such message: then syntax
 * findings with their places were added for `resource`, and root holds what is known of
 * the type. An unknown resource type gives true and state XDS_ANY_UNKNOWN. Undecodable
 * binary gives true and XDS_ANY_UNDECODABLE: clients judge that themselves. */
bool xds_decode(const struct xds_resource *in, uint32_t resource,
                struct xds_report *report, struct xds_arena *arena, struct xds_any *root);
/* The same, and kept, which was initialised, takes what has no place in root; messages
 * that are declared empty have their fields. */
bool xds_decode_kept(const struct xds_resource *in, uint32_t resource,
                     struct xds_report *report, struct xds_arena *arena,
                     struct xds_any *root, struct xds_kept *kept);

/* The same for one of many resources, with what the names in those before it taught. */
bool xds_decode_with(const struct xds_resource *in, uint32_t resource,
                     struct xds_report *report, struct xds_arena *arena,
                     struct xds_any *root, struct xds_names *names);

/* The same as a protobuf library with these differences reads the wire (wire.h), of a
 * resource that xds_decode_with() has decoded: root->met said which matter. */
bool xds_decode_as(const struct xds_resource *in, uint32_t resource,
                   struct xds_report *report, struct xds_arena *arena,
                   struct xds_any *root, struct xds_names *names, unsigned differences);

/* After a guard that ended for lack of memory, on the last resource of the report: what
 * was found so far gets the place of the resource. is_limit: an arena of
 * XDS_MAX_DECODED_BYTES was full, which becomes a finding; else XDS_ERR_NO_MEMORY. */
enum xds_status xds_decode_give_up(const struct xds_resource *in,
                                   struct xds_report *report, bool is_limit);

/* Give places to all findings of the report that have none yet, from their paths, in one
 * walk over the resource. Paths that lead to nothing that was written get the place of
 * the nearest part that was. */
void xds_locate(const struct xds_resource *in, struct xds_report *report,
                struct xds_arena *scratch);
/* The same for n of them, all in this resource, which stay in the report's list: what was
 * found later about a resource that is read once more. stream: its tokens, or NULL: it
 * has them. */
void xds_locate_some(const struct xds_resource *in, struct xds_token_stream *stream,
                     struct xds_report *report, const struct xds_unplaced *some, size_t n,
                     struct xds_arena *scratch);
/* The same for findings about no resource, in a text that is none. */
void xds_locate_in_text(const struct xds_resource *in, struct xds_report *report,
                        struct xds_arena *scratch);

/* The places of n paths, which must come in one array each: what no finding is about. */
void xds_locate_paths(const struct xds_resource *in, struct xds_arena *scratch,
                      const struct xds_steps *paths, size_t n, struct xds_place *places);

#endif
