/*
 * unread.h - fields that are set and that a client does not read.
 *
 * Clients ignore them silently: the resource is accepted, and RPCs behave as without the
 * field.
 */
#ifndef XDS_RULES_UNREAD_H
#define XDS_RULES_UNREAD_H

#include "base/arena.h"
#include "decode/field.h"
#include "decode/pb.h"
#include "rules/ctx.h"

struct xds_unread_message;

/* What is known of the messages entered so far, for the selected clients. */
struct xds_unread {
    struct xds_arena *arena;           /* outlives all resources */
    unsigned selected;                 /* clients */
    bool cosmetic;                     /* report such fields, too */
    struct xds_unread_message **slots; /* by descriptor; made with the first message */
    struct xds_unread_watch *scratch;
    unsigned cap; /* of it */
};

/* Report what is set in a resource and not read by one of the selected clients, which are
 * the same each time. Each field is reported once per run. Runs under a guard of
 * unread->arena, and of those in ctx. */
void xds_unread_check(struct xds_unread *unread, struct xds_ctx *ctx,
                      const ProtobufCMessage *resource);

/* Is the field one that no client reads, of a message that clients do read? A member of a
 * oneof does not count: it may hide another one. */
bool xds_field_is_unread(const ProtobufCMessageDescriptor *message,
                         const ProtobufCFieldDescriptor *field);

/* Those of the clients that look into a message of this type and read the field; *hint is
 * what follows for the others, or NULL. */
unsigned xds_field_readers(const ProtobufCMessageDescriptor *message,
                           const ProtobufCFieldDescriptor *field, const char **hint);
/* Who reads what is below the field is another matter than in other messages of its type.
 */
bool xds_field_is_read_otherwise(const ProtobufCFieldDescriptor *field);

#endif
