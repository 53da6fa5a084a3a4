/*
 * registry.h - the LB policies that a client has by name, and what the parser of each
 * asks of its JSON (gRFC A24).
 *
 * A config is judged as a tree of struct xds_lb_json. xds_lb_json_of() makes it of a
 * google.protobuf.Struct. A reader of JSON text makes the same tree: an object is OBJECT
 * with its members as items, each with its key (of a key that stands twice the last
 * member counts), an array is ARRAY with its items, a number is NUMBER with the nearest
 * double, a string is STRING with its text unescaped. Nothing is borrowed from the
 * Struct or the text but the slices. Whatever the depth of the tree, no more than
 * XDS_MAX_LB_CONFIG_NESTING policies below each other are looked into.
 */
#ifndef XDS_RULES_LB_POLICY_REGISTRY_H
#define XDS_RULES_LB_POLICY_REGISTRY_H

#include "decode/pb.h"
#include "model/cluster.h"

enum xds_lb_json_kind {
    XDS_LB_JSON_NULL,
    XDS_LB_JSON_BOOL,
    XDS_LB_JSON_NUMBER,
    XDS_LB_JSON_STRING,
    XDS_LB_JSON_ARRAY,
    XDS_LB_JSON_OBJECT,
};

struct xds_lb_json {
    enum xds_lb_json_kind kind;
    bool truth;            /* BOOL */
    double number;         /* NUMBER */
    struct xds_slice text; /* STRING */
    struct xds_slice key;  /* of a member of an object */
    const struct xds_lb_json *items;
    size_t n;
};

/* The tree of a Struct, an empty object for NULL. */
struct xds_lb_json xds_lb_json_of(struct xds_arena *arena, const pb_struct *pb);
/* The member of an object, or NULL; null itself is a member. */
const struct xds_lb_json *xds_lb_json_member(const struct xds_lb_json *object,
                                             const char *key);

/* Who judges: one client at a time, since parsers differ in what they call a fault. Zero
 * but for the first three. */
struct xds_lb_judge {
    struct xds_arena *arena;
    const struct xds_options *options;
    enum xds_client client;
    unsigned depth;  /* policies above this one */
    size_t n_faults; /* so far: of all but the first ones no text is kept */
};

/* The clients that have a policy of this name; *kind is what the model calls it. */
unsigned xds_lb_registered(struct xds_slice name, enum xds_lb_kind *kind);

/* What the client's parser of the policy says against this config, in the words of
 * C-core ("errors validating pick_first LB policy config: [...]"), NUL-terminated; data
 * NULL when it takes it, or when the client has no such policy. */
struct xds_slice xds_lb_config_faults(struct xds_lb_judge *judge, struct xds_slice name,
                                      const struct xds_lb_json *config);
/* The same for a list of policies, of which the first registered one decides. */
struct xds_slice xds_lb_list_faults(struct xds_lb_judge *judge,
                                    const struct xds_lb_json *list);

#endif
