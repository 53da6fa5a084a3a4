/*
 * filter_chain_match.h - which connections the filter chains of a Listener are for, and
 * whether two of them are for the same.
 */
#ifndef XDS_RULES_FILTER_CHAIN_MATCH_H
#define XDS_RULES_FILTER_CHAIN_MATCH_H

#include "base/strmap.h"
#include "rules/cidr_range.h"

/* A range, known once for the whole Listener in each of its forms. */
struct xds_chain_prefix {
    uint32_t id;
    bool is_any; /* no range was given */
    struct xds_cidr cidr;
    xds_readers raw_buffer_for; /* who has met raw_buffer for it (FM13) */
    bool has_chain;             /* a chain that go keeps is for it */
};

struct xds_chain_range {
    struct xds_chain_prefix *form[XDS_CIDR_FORMS];
};

/* prefix_ranges or source_prefix_ranges; one entry that is any when there are none. */
struct xds_chain_ranges {
    size_t n;
    struct xds_chain_range *at;
};

struct xds_chain_match {
    const pb_filter_chain_match *pb; /* an empty one where the field was not set */
    bool is_set;
    bool is_usable; /* all its ranges could be read */
    struct xds_chain_ranges destination, source;
    xds_readers *open; /* per destination: who compares the chain with others there */
};

/* The chains of one Listener so far. */
struct xds_chain_set {
    struct xds_arena *arena;
    const struct xds_panel *panel;
    struct xds_strmap prefixes; /* struct xds_chain_prefix, by the bytes of xds_cidr */
    struct xds_strmap names;    /* uint32_t, by text */
    struct xds_strmap seen;     /* xds_readers, by what is matched */
    size_t n_matches;
    size_t n_in_use; /* prefixes with a chain that go keeps */
    bool is_full;
    bool has_unusable; /* a chain whose ranges go reads, and cannot */
};

void xds_chain_set_init(struct xds_chain_set *set, const struct xds_ctx *ctx);

/* FilterChainMatch, NULL when it was not set. Returns who reads the rest of the chain: go
 * does not when it can never match. */
xds_readers xds_chain_match_read(struct xds_ctx *ctx, const struct xds_path *at,
                                 const pb_filter_chain_match *pb,
                                 struct xds_chain_set *set, struct xds_chain_match *out);
/* The same for the default chain, which is not chosen by it. */
void xds_chain_match_check(struct xds_ctx *ctx, const struct xds_path *at,
                           const pb_filter_chain_match *pb, struct xds_chain_set *set);
/* Adds a chain, and fires when another one is for the same connections. */
void xds_chain_set_add(struct xds_ctx *ctx, struct xds_chain_set *set,
                       const struct xds_chain_match *match);

/* As core writes it: "{prefix_ranges={...}, source_type=EXTERNAL}". */
struct xds_slice xds_chain_match_text(struct xds_arena *arena,
                                      const struct xds_chain_match *match);

#endif
