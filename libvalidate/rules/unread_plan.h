/*
 * unread_plan.h - what to look at in a message to find fields that a client does not
 * read.
 *
 * Of the many fields of a message few can be reported, or lead to such ones; which ones
 * is known from its type and from the clients that read it. Plans are made once per run.
 */
#ifndef XDS_RULES_UNREAD_PLAN_H
#define XDS_RULES_UNREAD_PLAN_H

#include "base/arena.h"
#include "decode/field.h"

/* A field of a message. */
struct xds_unread_field {
    const ProtobufCMessageDescriptor *message;
    const ProtobufCFieldDescriptor *field;
    unsigned readers;
    bool is_harmless;
    bool is_kept_old;     /* deprecated, but of its newer form gRPC knows nothing */
    struct xds_slice key; /* "envoy.config.route.v3.RouteAction.timeout"; once needed */
    struct xds_slice deprecated_key; /* "deprecated " before it; once needed */
};

/* What is done where a field is set. */
struct xds_unread_watch {
    struct xds_presence set;
    struct xds_unread_field *field;
    unsigned blind;     /* who of those that read the message does not; 0: not reported */
    bool is_deprecated; /* and read, which is reported too */
    enum { XDS_ENTER_NOTHING, XDS_ENTER_ONE, XDS_ENTER_LIST, XDS_ENTER_MAP } enter;
    unsigned offset; /* of the message, or of the list's array; its length is in set */
    bool is_any;     /* what is entered: its plan is met in it */
    bool is_met;     /* it has been entered; of no Any, below is known then */
    const struct xds_unread_plan *below;       /* NULL: nothing in it can be reported */
    const ProtobufCMessageDescriptor *content; /* what is entered, of a map its values */
    unsigned clients;                          /* that enter */
};

/* A word of a message in which these bits are 0 unless a watched field is set. */
struct xds_unread_probe {
    unsigned offset;
    uintptr_t bits;
};

struct xds_unread_plan {
    unsigned clients; /* that read the message */
    struct xds_unread_watch *watches, *end;
    /* Most fields that would be reported are not set: all probes together tell that, and
     * then only the others of the watches are left to look at. */
    struct xds_unread_probe *probes, *probes_end;
    struct xds_unread_watch *others, *others_end;
    struct xds_unread_plan *next; /* of the same type for other clients */
};

struct xds_unread_message;

/* What is known of the messages met so far, for the clients that are asked about. */
struct xds_unread {
    struct xds_arena *arena;           /* outlives all resources */
    unsigned selected;                 /* clients */
    struct xds_unread_message **slots; /* by descriptor; made with the first message */
    struct xds_unread_watch *scratch;
    unsigned cap; /* of it */
};

/* For a message that these clients come to; NULL: nothing in it can be reported. Runs
 * under a guard of the arena. */
const struct xds_unread_plan *xds_unread_plan(struct xds_unread *unread,
                                              const ProtobufCMessageDescriptor *type,
                                              unsigned clients);

/* Find the plan for what a watch enters, the first time that it is met: most of the API
 * never is. */
void xds_unread_meet(struct xds_unread *unread, struct xds_unread_watch *watch);

/* Is the field one that no client reads, of a message that clients do read? A member of a
 * oneof is none: it may shut out another one. */
bool xds_field_is_unread(const ProtobufCMessageDescriptor *message,
                         const ProtobufCFieldDescriptor *field);

#endif
