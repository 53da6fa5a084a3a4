/*
 * filter.h - the HTTP filters: one descriptor each, and the readers of what names them.
 *
 * A filter is added by one file that exports its descriptor, and one line of the list in
 * filter.c. Source: gRFC A39, A106 (draft), spec listener 1.7, 4.1.
 */
#ifndef XDS_RULES_FILTER_FILTER_H
#define XDS_RULES_FILTER_FILTER_H

#include "model/filter_tree.h"
#include "rules/readers.h"

struct xds_filter_type {
    enum xds_filter_kind kind;
    const char *type;          /* message of its config in http_filters */
    const char *override_type; /* ... in typed_per_filter_config; NULL: it has none */
    unsigned known_to;         /* clients that always have the filter */
    unsigned guarded;          /* clients that have it when the guard is on */
    enum xds_env guard, server_guard; /* ... for clients, and for servers */
    bool dated; /* only those know the filter that do not differ in `before` */
    enum xds_difference before;
    unsigned override_for; /* of those that have the filter: who accepts override_type */
    unsigned opaque_to;    /* ... and who never reads its payload */
    bool on_clients, on_servers;
    unsigned
        never_on_servers; /* of those that have it: who does not, despite on_servers */
    bool terminal;
    const char *config_words, *override_words; /* as in "could not parse X" */
    /* The message is of the right type; NULL: nothing inside is checked. False when the
     * config is invalid. */
    bool (*read)(struct xds_ctx *ctx, const struct xds_extension *ext,
                 struct xds_filter *out);
    bool (*read_override)(struct xds_ctx *ctx, const struct xds_extension *ext,
                          struct xds_filter_override *out);
};

extern const struct xds_filter_type xds_filter_composite, xds_filter_ext_authz,
    xds_filter_ext_proc, xds_filter_fault, xds_filter_gcp_authn, xds_filter_rbac,
    xds_filter_router, xds_filter_stateful_session;

/* NULL when no client has such a filter. */
const struct xds_filter_type *xds_filter_by_type(struct xds_slice type);
/* To whom the type in ext is this filter (type may be NULL): guards and the spelling of
 * the URL decide. */
xds_readers xds_filter_known_to(const struct xds_ctx *ctx,
                                const struct xds_filter_type *type,
                                const struct xds_extension *ext);
/* The same as xds_filter_known_to() for overrides, whose side no client checks (P6): the
 * guard of either side is enough. */
xds_readers xds_filter_known_on_a_side(const struct xds_ctx *ctx,
                                       const struct xds_filter_type *type,
                                       const struct xds_extension *ext);
/* What an Any holds whose type is this filter; NULL is one that no client has. False when
 * the config is invalid. */
bool xds_filter_config_read(struct xds_ctx *ctx, const struct xds_extension *ext,
                            const struct xds_filter_type *type, struct xds_filter *out);

/* HttpConnectionManager.http_filters; at is the path of the HttpConnectionManager. */
void xds_http_filters_read(struct xds_ctx *ctx, const struct xds_path *at, size_t n,
                           pb_http_filter *const *pb, struct xds_listener *out);

/* What the owner of a tree lets its leaves do. */
struct xds_matcher_action {
    const char *type;
    const char *words; /* as in "could not parse X" */
    /* The message is of the type; NULL: nothing inside is checked, and nothing runs. */
    void (*read)(struct xds_ctx *ctx, const struct xds_path *at,
                 const ProtobufCMessage *message, struct xds_filter_choice *out);
};

struct xds_matcher_actions {
    const struct xds_matcher_action *list;
    size_t n;
};

/* at: the path of the tree. What is built is whole only when no finding fires. */
const struct xds_filter_tree *
xds_matcher_tree_read(struct xds_ctx *ctx, const struct xds_path *at,
                      const pb_matcher *pb, const struct xds_matcher_actions *actions);
/* for_cel: a CelMatcher takes what the input gives, not a matcher of text. Returns the
 * name of the header; absent when it is not one. */
struct xds_slice xds_matcher_input_read(struct xds_ctx *ctx, const struct xds_path *at,
                                        const pb_xds_typed_extension_config *pb,
                                        bool for_cel);
/* The flavour of xds.type.matcher.v3; pb is set. As xds_string_matcher_read(). */
bool xds_matcher_string_read(struct xds_ctx *ctx, const struct xds_path *at,
                             const pb_xds_string_matcher *pb,
                             struct xds_string_matcher *out);

#endif
