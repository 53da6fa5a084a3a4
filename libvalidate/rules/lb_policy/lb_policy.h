/*
 * lb_policy.h - what the files of this folder share: the walk over a typed policy list
 * and the descriptor of one policy that can stand in it.
 *
 * A new policy is one file with one descriptor, and its line in policy_list.c.
 */
#ifndef XDS_RULES_LB_POLICY_LB_POLICY_H
#define XDS_RULES_LB_POLICY_LB_POLICY_H

#include "rules/cluster_readers.h"
#include "rules/lb_policy/registry.h"

/* gRFC A42: the bound on ring sizes, the default minimum, and the cap that clients apply
 * to both. */
#define XDS_RING_SIZE_MAX 8388608u
#define XDS_RING_SIZE_MIN_DEFAULT 1024u
#define XDS_RING_SIZE_CAP 4096u
/* gRFC A48. */
#define XDS_CHOICE_COUNT_DEFAULT 2u

static inline uint64_t xds_ring_size_cap(uint64_t size)
{
    return size < XDS_RING_SIZE_CAP ? size : XDS_RING_SIZE_CAP;
}

/* java reads sizes as signed numbers. */
static inline bool xds_ring_size_below_1_in_java(uint64_t size)
{
    return size == 0 || size > INT64_MAX;
}

/* What each client makes of a cluster's policy; NULL: nothing yet. */
struct xds_lb_choice {
    const struct xds_lb_policy *of[XDS_CLIENTS];
};

/* One list. depth 0 is Cluster.load_balancing_policy itself. */
struct xds_lb_walk {
    struct xds_ctx *ctx;
    unsigned depth;
    bool wrr_locality; /* the list stands below a WrrLocality */
    size_t first;      /* of the report's findings about load_balancing_policy */
    struct xds_lb_choice *choice;
};

/* A policy that clients convert from its own message. */
struct xds_lb_converter {
    const ProtobufCMessageDescriptor *type;
    const char *label; /* "RingHash" in messages; NULL: the payload is not looked at */
    unsigned clients;  /* that have a converter */
    bool guarded;      /* ... of these, those for which `guard` is on */
    enum xds_env guard;
    bool nests; /* the clients' choices are made in a list below it */
    /* Fires what is wrong for ctx->live, and fills *out. */
    void (*read)(const struct xds_lb_walk *walk, const struct xds_path *at,
                 const ProtobufCMessage *message, struct xds_lb_policy *out);
};

extern const struct xds_lb_converter xds_lb_client_side_weighted_round_robin;
extern const struct xds_lb_converter xds_lb_least_request;
extern const struct xds_lb_converter xds_lb_pick_first;
extern const struct xds_lb_converter xds_lb_ring_hash;
extern const struct xds_lb_converter xds_lb_round_robin;
extern const struct xds_lb_converter xds_lb_wrr_locality;

/* Walk a list as each of ctx->live does, and note in walk->choice what each finds. */
void xds_lb_list_read(const struct xds_lb_walk *walk, const struct xds_path *at,
                      const pb_load_balancing_policy *pb);
/* This is what these clients make of it. */
void xds_lb_choose(struct xds_arena *arena, struct xds_lb_choice *choice,
                   unsigned clients, const struct xds_lb_policy *policy);

/* The config of a policy that ctx->live have by its name; value may be NULL. Fires what
 * their parsers say against it. kind is that of xds_lb_registered(). */
void xds_lb_config_read(const struct xds_lb_walk *walk, enum xds_lb_kind kind,
                        struct xds_slice name, const pb_struct *value,
                        struct xds_lb_policy *out);
/* Such a policy may be the locality layer alone: then the one below it that this client
 * chooses says how endpoints are picked. Name and config stay those of the layer. */
void xds_lb_config_follow(struct xds_arena *arena, enum xds_client client,
                          struct xds_lb_policy *policy);

/* The policies that came out of a typed list are handed to the parsers of their JSON, all
 * of them as one config: those of the clients that hear what the parser of this policy
 * says. node asks the outermost parser only, core none if the list has a fault. */
unsigned xds_lb_parsed_by(const struct xds_lb_walk *walk, unsigned clients);
/* What the outermost parser says when that of this policy says `text`. */
struct xds_slice xds_lb_parser_text(const struct xds_lb_walk *walk,
                                    struct xds_slice text);

#endif
