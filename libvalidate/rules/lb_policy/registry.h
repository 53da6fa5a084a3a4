/*
 * registry.h - the LB policies that a client has by name, and what the parser of each
 * asks of its JSON (gRFC A24).
 *
 * A config is judged as a tree. xds_tree_of_struct() makes it of a
 * google.protobuf.Struct; a reader of JSON text makes the same tree. Whatever its depth,
 * no more than XDS_MAX_LB_CONFIG_NESTING policies below each other are looked into.
 */
#ifndef XDS_RULES_LB_POLICY_REGISTRY_H
#define XDS_RULES_LB_POLICY_REGISTRY_H

#include "base/path.h"
#include "clients/readers.h"
#include "decode/pb.h"
#include "model/cluster.h"
#include "model/tree.h"

/* The tree of a Struct, an empty object for NULL. */
struct xds_tree xds_tree_of_struct(struct xds_arena *arena, const pb_struct *pb);
/* Gets the faults one by one, with their path from the top of the config. */
struct xds_lb_observer {
    void (*fault)(void *user, const struct xds_path *at, struct xds_slice message);
    /* The member `field` of `up` is a list of policies, to be judged in turn. */
    void (*policies)(void *user, const struct xds_path *up, const char *field,
                     const struct xds_tree *list);
    void *user;
};

/* Who judges: one client at a time, since parsers differ in what they call a fault. Zero
 * but for the first three. */
struct xds_lb_judge {
    struct xds_arena *arena;
    const struct xds_options *options;
    enum xds_client client;
    unsigned depth;  /* policies above this one */
    size_t n_faults; /* so far: of all but the first ones no text is kept */
    const struct xds_lb_observer *observer; /* NULL: all faults in one text */
    bool both_spellings; /* of each field, snake_case and lowerCamelCase */
    bool throws;         /* a parser of java throws, and none around it catches */
};

/* The clients that have a policy of this name; *kind is what the model calls it. */
unsigned xds_lb_registered(const struct xds_options *options, struct xds_slice name,
                           enum xds_lb_kind *kind);

/* Some releases of them do not, those that differ in *missing. */
bool xds_lb_missing(struct xds_slice name, enum xds_difference *missing);

/* What the client's parser of the policy finds wrong in this config, in the words of
 * C-core ("errors validating pick_first LB policy config: [...]"), NUL-terminated; data
 * NULL when it accepts it, or when the client has no such policy. */
struct xds_slice xds_lb_config_faults(struct xds_lb_judge *judge, struct xds_slice name,
                                      const struct xds_tree *config);
/* The name as a static text; NULL when the judge's client has no such policy. */
const char *xds_lb_policy_name(const struct xds_lb_judge *judge, struct xds_slice name);
/* Report each fault of the config at `at` to judge->observer. False when the client has
 * no policy of this name. */
bool xds_lb_config_report(struct xds_lb_judge *judge, const struct xds_path *at,
                          struct xds_slice name, const struct xds_tree *config);
/* Why an entry of a list of policies is not valid; data NULL if it is. */
struct xds_slice xds_lb_entry_fault(const struct xds_tree *entry);
/* "No known policies in list: A B", for a list of good entries. */
struct xds_slice xds_lb_none_known(struct xds_arena *arena, const struct xds_tree *list);
/* The same for a list of policies, of which the first registered one decides. */
struct xds_slice xds_lb_list_faults(struct xds_lb_judge *judge,
                                    const struct xds_tree *list);

#endif
