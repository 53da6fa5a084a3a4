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

/* What a comment in proto/ says about a field. */
struct xds_field_use {
    unsigned readers; /* of the clients that read the message */
    enum {
        XDS_NO_REMARK,
        XDS_HARMLESS, /* not expected to have an effect on an RPC */
        XDS_CURRENT,  /* deprecated, but gRPC does not read the newer form */
    } remark;
    const char *hint; /* what follows from a field that is not read, or NULL */
};

/* A field of a message. */
struct xds_unread_field {
    const ProtobufCMessageDescriptor *message;
    const ProtobufCFieldDescriptor *field;
    const struct xds_field_use *use;
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
    bool is_any;     /* what is entered: its type decides the plan */
    bool is_known;   /* below has been found; not for an Any */
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
    /* Most fields that would be reported are not set: all probes together show that, and
     * then only the other watches are left. */
    struct xds_unread_probe *probes, *probes_end;
    struct xds_unread_watch *others, *others_end;
    struct xds_unread_plan *next; /* of the same type for other clients */
};

struct xds_unread_message;

/* What is known of the messages entered so far, for the selected clients. */
struct xds_unread {
    struct xds_arena *arena;           /* outlives all resources */
    unsigned selected;                 /* clients */
    struct xds_unread_message **slots; /* by descriptor; made with the first message */
    struct xds_unread_watch *scratch;
    unsigned cap; /* of it */
};

/* For a message that these clients read; NULL: nothing in it can be reported. Runs
 * under a guard of the arena. */
const struct xds_unread_plan *xds_unread_plan(struct xds_unread *unread,
                                              const ProtobufCMessageDescriptor *type,
                                              unsigned clients);

/* Find the plan for what a watch enters, the first time: most of the API is never set. */
void xds_unread_find_below(struct xds_unread *unread, struct xds_unread_watch *watch);

/* Is the field one that no client reads, of a message that clients do read? A member of a
 * oneof does not count: it may hide another one. */
bool xds_field_is_unread(const ProtobufCMessageDescriptor *message,
                         const ProtobufCFieldDescriptor *field);

#endif
