/*
 * unread.h - fields that are set and that a client does not read.
 *
 * No client says a word about them: the resource is accepted, and the RPCs do what they
 * would do without the field.
 */
#ifndef XDS_RULES_UNREAD_H
#define XDS_RULES_UNREAD_H

#include "decode/pb.h"
#include "rules/ctx.h"

struct xds_unread_message;

/* What is known of the messages met so far. Findings are told once per field and run. */
struct xds_unread {
    struct xds_arena *arena;           /* outlives all resources */
    struct xds_unread_message **slots; /* by descriptor; made with the first message */
};

/* Report what is set in a resource and not read by one of the selected clients. Runs
 * under a guard of unread->arena, and of those in ctx. */
void xds_unread_check(struct xds_unread *unread, struct xds_ctx *ctx,
                      const ProtobufCMessage *resource);

/* Is the field one that no client reads, of a message that clients do read? A member of a
 * oneof is none: it may shut out another one. */
bool xds_field_is_unread(const ProtobufCMessageDescriptor *message,
                         const ProtobufCFieldDescriptor *field);

#endif
