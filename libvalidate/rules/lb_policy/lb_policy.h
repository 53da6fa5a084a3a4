/*
 * lb_policy.h - what the files of this folder share: the walk over a typed policy list
 * and the descriptor of a policy in it.
 *
 * A new policy is one file with one descriptor, and its row in model/lb_policies.def.
 */
#ifndef XDS_RULES_LB_POLICY_LB_POLICY_H
#define XDS_RULES_LB_POLICY_LB_POLICY_H

#include "rules/inner.h"
#include "rules/lb_policy/registry.h"

/* The readers that reject this ring size. */
xds_readers xds_ring_size_refused_by(const struct xds_ctx *ctx, uint64_t size);
/* The readers to which the minimum is above the maximum. */
xds_readers xds_ring_order_refused_by(const struct xds_ctx *ctx,
                                      const struct xds_lb_policy *ring);
/* A size as a value for the words of a rule. */
struct xds_slice xds_lb_size(const struct xds_ctx *ctx, uint64_t size);

/* What each client makes of a cluster's policy; NULL: nothing yet. */
struct xds_lb_choice {
    const struct xds_lb_policy *of[XDS_CLIENTS];
};

/* One list. depth 0 is Cluster.load_balancing_policy itself. */
struct xds_lb_walk {
    struct xds_ctx *ctx;
    unsigned depth;
    bool wrr_locality; /* the list is below a WrrLocality */
    size_t first;      /* of the report's findings about load_balancing_policy */
    struct xds_lb_choice *choice;
};

/* A policy that clients convert from its own message. */
struct xds_lb_converter {
    const ProtobufCMessageDescriptor *type;
    const char *label; /* "RingHash" in messages; NULL: the payload is ignored */
    unsigned clients;  /* that have a converter */
    bool guarded;      /* ... of these, those for which `guard` is on */
    enum xds_env guard;
    bool guards_some; /* the guard is only for readers that differ in guards_for */
    enum xds_difference guards_for;
    bool nests; /* the clients' choices are made in a list below it */
    /* Fires what is wrong for ctx->live, and fills *out. */
    void (*read)(const struct xds_lb_walk *walk, const struct xds_path *at,
                 const ProtobufCMessage *message, struct xds_lb_policy *out);
    /* ... for those that do not have the policy and convert its config all the same; or
     * NULL. */
    void (*convert)(struct xds_ctx *ctx, const struct xds_path *at,
                    const ProtobufCMessage *message);
};

#define XDS_LB_CONVERTER(name) extern const struct xds_lb_converter xds_lb_##name;
#include "model/lb_policies.def"

/* Walk a list as each of ctx->live does, and note in walk->choice what each finds. */
void xds_lb_list_read(const struct xds_lb_walk *walk, const struct xds_path *at,
                      const pb_load_balancing_policy *pb);
/* This is what these readers make of it. */
void xds_lb_choose(struct xds_arena *arena, struct xds_lb_choice *choice,
                   xds_readers readers, const struct xds_lb_policy *policy);

/* The config of a policy that ctx->live have by its name; value may be NULL. Fires what
 * their parsers find wrong in it. kind is that of xds_lb_registered(). */
void xds_lb_config_read(const struct xds_lb_walk *walk, enum xds_lb_kind kind,
                        struct xds_slice name, const pb_struct *value,
                        struct xds_lb_policy *out);
/* Such a policy may be the locality layer alone: then the one below it that this client
 * chooses says how endpoints are picked. Name and config stay those of the layer. */
void xds_lb_config_follow(const struct xds_options *options, struct xds_arena *arena,
                          enum xds_client client, struct xds_lb_policy *policy);

/* Those of ctx->live that look into the config of a policy of this list. */
xds_readers xds_lb_config_readers(const struct xds_lb_walk *walk);
/* The policies that came out of a typed list are given to the parsers of their JSON, all
 * of them as one config: the readers that see what the parser of this policy finds. */
xds_readers xds_lb_parsed_by(const struct xds_lb_walk *walk);
/* Fires the rule for what the parsers of these readers find wrong in a config, with their
 * text and the name of the policy. */
void xds_lb_config_check(const struct xds_lb_walk *walk, xds_readers readers,
                         enum xds_rule_id rule, struct xds_slice name,
                         const struct xds_tree *config);

#endif
