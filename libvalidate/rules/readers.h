/*
 * readers.h - the readers that other files of rules/ call, in the order of the spec.
 *
 * Each takes a decoded message (NULL when the field was not set) and its path, fires its
 * rows and builds the model as far as the message can be represented: a resource that one
 * client rejects may be accepted by another. false means that *out holds nothing usable.
 */
#ifndef XDS_RULES_READERS_H
#define XDS_RULES_READERS_H

#include "decode/pb.h"
#include "model/address.h"
#include "model/snapshot.h"
#include "rules/ctx.h"

/* A string field of a message, copied into the model's arena. */
static inline struct xds_slice xds_text(struct xds_ctx *ctx, const char *text)
{
    return xds_arena_dup(ctx->arena, xds_slice_of(text));
}

/* What follows the last '/' of a type URL; empty without one. */
struct xds_slice xds_type_name(struct xds_slice url);

/* Is it one of the two messages TypedStruct? */
bool xds_is_typed_struct(struct xds_slice type);

/* The content of the Any of an extension (G10-G17, G97). */
struct xds_extension {
    struct xds_slice type; /* after the last '/', of the inner one in a TypedStruct */
    const ProtobufCMessage *message; /* NULL: unknown type, TypedStruct or undecodable */
    bool undecodable;
    bool typed_struct;         /* the type came through a TypedStruct */
    const struct xds_path *at; /* the path of further errors: <field>.value[T], with a
                                  second step for TypedStruct; in ctx->arena, on top of
                                  the frame of the field, which must outlive it (no
                                  XDS_AT inside an if) */
    xds_readers skipped_by;    /* when false is returned for an optional entry: those to
                                  which it is one of an unknown type, so that they skip it */
    bool url_is_canonical; /* type_url is "type.googleapis.com/" + type; go, java and node
                              know no other spelling (G13) */
    bool inner_url_is_canonical; /* that in a TypedStruct is, whatever the one of this */
    const char *struct_fault;    /* why the value of a TypedStruct is not JSON; or NULL */
    bool url_is_malformed; /* no '/', or nothing after it: `type` is the whole URL (G12),
                              though to those who unpack it there is no type */
};

/* False when core stops at this Any: absent (G10), type_url empty (G11), or a broken
 * TypedStruct. optional: the entry is is_optional, then only core rejects it. */
bool xds_extension_read(struct xds_ctx *ctx, const struct xds_path *at, const pb_any *any,
                        bool optional, struct xds_extension *out);

/* Why a Struct cannot be written as JSON, in the words of C-core's encoder; NULL when it
 * can or when it was not set. */
const char *xds_struct_fault(const pb_struct *pb);
/* Is it the name of a property of every JavaScript object? */
bool xds_is_object_property(struct xds_slice name);
/* Which of the two it is: a Value without a kind, or Infinity and NaN; or both. */
bool xds_struct_lacks_kind(const pb_struct *pb);
bool xds_struct_has_infinity(const pb_struct *pb);

/* Duration (G21-G24). who: those that check it; *ns is the value, cut to the range of
 * int64. NULL gives false and no finding. */
bool xds_duration_read_cut(struct xds_ctx *ctx, const struct xds_path *at,
                           const pb_duration *pb, xds_readers who, xds_readers cutting,
                           int64_t *ns);
/* Is it one of up to 10000 years, whatever its sign? */
bool xds_duration_is_valid(const pb_duration *pb);
bool xds_duration_read(struct xds_ctx *ctx, const struct xds_path *at,
                       const pb_duration *pb, xds_readers who, int64_t *ns);
/* Is it an int64 of nanoseconds? */
bool xds_duration_fits_nanos(const pb_duration *pb);

bool xds_string_matcher_read(struct xds_ctx *ctx, const struct xds_path *at,
                             const pb_string_matcher *pb, struct xds_string_matcher *out);
/* Compiles, or fires the regex row at the path. NULL when no reader can compile it; when
 * node alone can, what it finds with it. prefix: C-core's words before RE2's error, such
 * as "Invalid regex string specified in matcher: ". whole: it must match in full.
 * uncaught: the rule that fires, too, for those that refuse it; XDS_RULES: none. */
const struct xds_regex *xds_regex_read(struct xds_ctx *ctx, const struct xds_path *at,
                                       const char *pattern, bool whole,
                                       const char *prefix, enum xds_rule_id uncaught);
/* For routes (RBAC differs, see G45, G46). */
bool xds_header_matcher_read(struct xds_ctx *ctx, const struct xds_path *at,
                             const pb_header_matcher *pb, struct xds_header_matcher *out);

/* Who rejects a flag that must not be true: all when it is; presence: those that also
 * reject one that is set to false. */
static inline xds_readers xds_flag_rejected_by(const pb_bool_value *pb,
                                               xds_readers presence)
{
    if (!pb)
        return 0;
    return pb->value ? XDS_EVERYONE : presence;
}

/* 100, 10000 or 1000000; 0 for one that is not defined. */
static inline uint32_t xds_denominator(const pb_fractional_percent *pb)
{
    static const uint32_t denominators[] = {100, 10000, 1000000};
    const size_t i = (size_t)pb->denominator;

    return i < XDS_ARRAY_LEN(denominators) ? denominators[i] : 0;
}

bool xds_listener_read(struct xds_ctx *ctx, const pb_listener *pb,
                       struct xds_listener *out);
/* at NULL for RDS, the path of route_config when inline. */
bool xds_route_config_read(struct xds_ctx *ctx, const struct xds_path *at,
                           const pb_route_configuration *pb,
                           struct xds_route_config *out);
bool xds_cluster_read(struct xds_ctx *ctx, const pb_cluster *pb, struct xds_cluster *out);
bool xds_endpoints_read(struct xds_ctx *ctx, const pb_cluster_load_assignment *pb,
                        struct xds_endpoints *out);

/* An entry of a typed_per_filter_config map, whichever message owns the map. */
struct xds_filter_config_entry {
    struct xds_slice name;
    const pb_any *value;
};

/* One typed_per_filter_config map; at is the path of the message that owns it. Entries
 * come in byte order of their names. */
void xds_overrides_read(struct xds_ctx *ctx, const struct xds_path *at, size_t n,
                        const struct xds_filter_config_entry *entries,
                        struct xds_overrides *out);

/* Rules of the envelope (spec listener 1.1), then of the resource itself. Fills entry's
 * type, name and model (in ctx->arena); nacked_by stays with the report. */
void xds_resource_read(struct xds_ctx *ctx, const struct xds_resource *in,
                       const struct xds_any *root, struct xds_snapshot_entry *entry);

/* Its name, borrowed; of a resource that could not be decoded, if its name was read. */
struct xds_slice xds_resource_name(const struct xds_resource *in,
                                   const struct xds_any *root);

#endif
