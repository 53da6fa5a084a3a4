/*
 * decode.h - turn the bytes of one resource into one protobuf-c message.
 *
 * JSON and YAML go through tokens into one message builder that is driven by
 * protobuf-c's descriptors; binary is read as most protobuf libraries do, and once more
 * for clients whose library reads the same bytes in another way.
 */
#ifndef XDS_DECODE_DECODE_H
#define XDS_DECODE_DECODE_H

#include "report/report.h"
#include "decode/any.h"
#include "decode/kept.h"
#include "decode/names.h"

/* Decode `in` into root: an Any whose message is the resource. Everything is allocated
 * in arena (under a guard). Returns false when the input is no such message: then syntax
 * findings with their places were added for `resource`, and root holds what is known of
 * the type. An unknown resource type gives true and state XDS_ANY_UNKNOWN. Undecodable
 * binary gives true and XDS_ANY_UNDECODABLE: clients judge that themselves. */
bool xds_decode(const struct xds_resource *in, uint32_t resource,
                struct xds_report *report, struct xds_arena *arena, struct xds_any *root);
/* The same, and kept, which was initialised, takes what has no place in root. */
bool xds_decode_kept(const struct xds_resource *in, uint32_t resource,
                     struct xds_report *report, struct xds_arena *arena,
                     struct xds_any *root, struct xds_kept *kept);

/* The same for one of many resources, with what the names in those before it taught. */
bool xds_decode_with(const struct xds_resource *in, uint32_t resource,
                     struct xds_report *report, struct xds_arena *arena,
                     struct xds_any *root, struct xds_names *names);

/* The same as a protobuf library with these differences reads the wire (wire.h), of a
 * resource that xds_decode_with() has decoded: root->met said which matter. */
bool xds_decode_as(const struct xds_resource *in, uint32_t resource,
                   struct xds_report *report, struct xds_arena *arena,
                   struct xds_any *root, struct xds_names *names, unsigned differences);

/* After a guard that ended for lack of memory, on the last resource of the report: what
 * was found so far gets the place of the resource. is_limit: an arena of
 * XDS_MAX_DECODED_BYTES was full, which becomes a finding; else XDS_ERR_NO_MEMORY. */
enum xds_status xds_decode_give_up(const struct xds_resource *in,
                                   struct xds_report *report, bool is_limit);

/* Give places to all findings of the report that have none yet, from their paths, in one
 * walk over the resource. Paths that lead to nothing that was written get the place of
 * the nearest part that was. */
void xds_locate(const struct xds_resource *in, struct xds_report *report,
                struct xds_arena *scratch);
/* The same for n of them, all in this resource, which stay in the report's list: what was
 * found later about a resource that is read once more. */
void xds_locate_some(const struct xds_resource *in, struct xds_report *report,
                     const struct xds_unplaced *some, size_t n,
                     struct xds_arena *scratch);
/* The same for findings about no resource, in a text that is none. */
void xds_locate_in_text(const struct xds_resource *in, struct xds_report *report,
                        struct xds_arena *scratch);

/* The places of n paths, which must come in one array each: what no finding is about. */
void xds_locate_paths(const struct xds_resource *in, struct xds_arena *scratch,
                      const struct xds_steps *paths, size_t n, struct xds_place *places);

/* The resource type of a message name without prefix. */
enum xds_resource_type xds_resource_type_of(struct xds_slice full_name);
/* The full message name of a resource type, "" for unknown. */
const char *xds_resource_type_name(enum xds_resource_type type);

#endif
