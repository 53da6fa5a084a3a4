/*
 * inner.h - what the files of this room share.
 *
 * All readers take the message or the part of it that was set, and its path. The rules
 * that they fire are in the .def file of the message.
 */
#ifndef XDS_RULES_INNER_H
#define XDS_RULES_INNER_H

#include "base/arena.h"
#include "base/strmap.h"
#include "decode/pb.h"
#include "rules/ctx.h"
#include "rules/readers.h"

/* ---- addresses ---- */

#define XDS_MAX_PORT 65535

/* All bytes count in a comparison: unused ones are 0. */
struct xds_sockaddr {
    uint32_t family; /* 4 or 6; 0: not an address */
    uint32_t port;
    uint32_t scope; /* of IPv6: the zone */
    unsigned char ip[16];
};

/* The longest text: brackets, 45 characters of IPv6, a zone, a port. */
#define XDS_SOCKADDR_TEXT 72

/* Reads an IPv4 literal, or an IPv6 literal with or without brackets and with a numeric
 * zone, as inet_pton does. False for anything else; port is copied. */
bool xds_sockaddr_parse(struct xds_slice host, uint32_t port, struct xds_sockaddr *out);
/* The same as one that joins host and port to a text, and splits that again: U+0000 ends
 * the host, and the port is what follows the first "]:" of "[::1]:80". */
bool xds_sockaddr_parse_joined(struct xds_slice host, uint32_t port,
                               struct xds_sockaddr *out);
/* The same of "LITERAL%ZONE", whatever the zone; false without one. */
bool xds_sockaddr_parse_digits(struct xds_slice host, uint32_t port,
                               struct xds_sockaddr *out);
bool xds_sockaddr_parse_zone(struct xds_slice host, uint32_t port,
                             struct xds_sockaddr *out, struct xds_slice *zone);
/* Who accepts this zone, which is not a number. */
xds_readers xds_zone_known_to(const struct xds_ctx *ctx,
                              const struct xds_sockaddr *address, struct xds_slice host,
                              struct xds_slice zone);
/* Is it an address to a client that asks DNS for what is none? An empty text becomes the
 * loopback address, and a name what DNS knows of it: nothing, as far as is known here. */
bool xds_address_resolves(struct xds_slice text);
/* "10.0.0.1:80", "[2001:db8::1]:80" in its canonical form; the length, no NUL. buffer
 * has XDS_SOCKADDR_TEXT bytes. */
size_t xds_sockaddr_format(const struct xds_sockaddr *address, char *buffer);
/* The same in the arena; host is what was parsed. */
struct xds_slice xds_sockaddr_text(struct xds_arena *arena,
                                   const struct xds_sockaddr *address,
                                   struct xds_slice host);
/* "ipv4:10.0.0.1:80", "ipv6:%5B2001:db8::1%5D:80", as core writes it. */
struct xds_slice xds_sockaddr_uri(struct xds_arena *arena,
                                  const struct xds_sockaddr *address);

/* "Failed to parse address:HOST:PORT", as core says it of what is not a literal. */
struct xds_slice xds_address_fault(struct xds_arena *arena, struct xds_slice host,
                                   uint32_t port);

/* Address (NULL when it was not set) at the path of the field that holds it. False when
 * it is not an IP address with a port that fits; *out is then of family 0. */
bool xds_address_read(struct xds_ctx *ctx, const struct xds_path *at,
                      const pb_address *pb, struct xds_sockaddr *out);

/* The socket address of an Address, or NULL. */
const pb_socket_address *xds_socket_address(const pb_address *pb);
/* port_value, or 0 where the port is not given as a number. */
uint32_t xds_port_value(const pb_socket_address *pb);

/* Of an endpoint: endpoints[locality].lb_endpoints[endpoint]. */
struct xds_endpoint_place {
    uint32_t locality, endpoint;
};

struct xds_address_slot {
    struct xds_sockaddr address; /* family 0: a free slot */
    uint32_t seen_by;            /* of the set's groups, from 1; 0: none */
    struct xds_endpoint_place first;
};

/* The endpoint addresses of one ClusterLoadAssignment, and who has met each of them.
 * Readers compare parsed addresses, or the text as it was written, or nothing. An IPv4
 * literal has just one spelling, so the first two are the same there. No strmap, as the
 * keys of that are texts: each address would have to be written as one before. */
struct xds_address_set {
    struct xds_arena *arena;
    struct xds_address_slot *slots;
    size_t n, cap; /* cap is 0 or a power of two */
    uint64_t seed;
    xds_readers by_text, by_value;
    xds_readers *groups; /* the different ones, few, so that a slot is small */
    size_t n_groups, cap_groups;
    struct xds_strmap texts;         /* "host:port" to its slot, where spellings differ */
    struct xds_endpoint_place here;  /* for the caller to set */
    struct xds_endpoint_place first; /* of the last repetition: where it was met first */
};

/* expected: how many addresses will come, as far as known. */
void xds_address_set_init(struct xds_address_set *set, const struct xds_ctx *ctx,
                          size_t expected);
/* Add what `readers` read here: the address (family 0 when it could not be parsed) and
 * host and port as written. Returns those of them that have met it before. */
xds_readers xds_address_set_add(struct xds_address_set *set,
                                const struct xds_sockaddr *address, struct xds_slice host,
                                uint32_t port, xds_readers readers);

/* ---- URIs and targets ---- */

/* What the parsers of URIs that clients use make of a text. All texts but the path are
 * parts of the input; the path is decoded. */
struct xds_uri {
    struct xds_slice scheme, authority, path;
};

/* C-core's own, laxer than RFC 3986: any byte may be in authority and path. */
bool xds_uri_lax(struct xds_arena *arena, struct xds_slice text, struct xds_uri *uri);
/* java.net.URI: RFC 2396 and characters beyond ASCII. Of a URI whose path does not begin
 * with "/" after a scheme the path is empty. */
bool xds_uri_java(struct xds_arena *arena, struct xds_slice text, struct xds_uri *uri);
/* url.Parse of Go; scheme is empty where it finds none. */
bool xds_uri_go(struct xds_arena *arena, struct xds_slice text, struct xds_uri *uri);
/* vscode-uri, which takes every text for a URI. */
void xds_uri_vscode(struct xds_arena *arena, struct xds_slice text, struct xds_uri *uri);

/* The resource's own name, where it is an xdstp: URI. */
void xds_name_read(struct xds_ctx *ctx, xds_readers who, enum xds_resource_type of,
                   struct xds_slice name);
/* Which source a ConfigSource names: "ads", "path_config_source", "empty". */
struct xds_slice xds_source_name(const pb_config_source *pb);
/* The name of another resource, which a channel asks for. */
void xds_reference_read(struct xds_ctx *ctx, const struct xds_path *at,
                        enum xds_resource_type type, struct xds_slice name);

/* C-core: false when a channel to the target could not even start. A target
 * with an unknown scheme is a name for DNS. exact: schemes are compared with their case.
 */
bool xds_target_uri_valid(struct xds_arena *arena, const char *target, bool exact);
/* java: a URI whose scheme, if it has one, is that of a resolver. */
bool xds_target_java_resolves(struct xds_arena *arena, struct xds_slice target);
/* go: the same, or else what is a URI after the default scheme. */
bool xds_target_go_dials(struct xds_arena *arena, struct xds_slice target);
/* go's RLS policy: only what is no URI at all is tried after the default scheme. */
bool xds_target_go_names_scheme(struct xds_arena *arena, struct xds_slice target);

/* ---- listeners ---- */

/* Nothing of what only a Listener of servers holds enters the model: xdscope explains
 * RPCs from the client's side. */

/* CidrRange of a FilterChainMatch. False when no client can read its address. */
bool xds_cidr_range_read(struct xds_ctx *ctx, const struct xds_path *at,
                         const pb_cidr_range *pb, struct xds_cidr out[XDS_CIDR_FORMS]);
/* "{address_prefix=10.0.0.0:0, prefix_len=8}", as core writes it. */
struct xds_slice xds_cidr_text(struct xds_arena *arena, const struct xds_cidr *cidr);

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
    struct xds_strmap seen;     /* struct seen, by what is matched */
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
/* What a server matches a connection by, in the model; match: as it was read. */
struct xds_chain_criteria xds_chain_criteria_of(struct xds_ctx *ctx,
                                                const struct xds_chain_match *match);
/* Adds a chain, and fires when another one is for the same connections. rejecting: who
 * rejects the chain for another fault, and does not compare it then. */
void xds_chain_set_add(struct xds_ctx *ctx, struct xds_chain_set *set,
                       const struct xds_chain_match *match, xds_readers rejecting);

/* As core writes it: "{prefix_ranges={...}, source_type=EXTERNAL}". */
struct xds_slice xds_chain_match_text(struct xds_arena *arena,
                                      const struct xds_chain_match *match);

/* ---- transport_sockets/tls ---- */

/* A provider instance as `readers` look it up; at is its path. */
void xds_provider_instance_read(struct xds_ctx *ctx, const struct xds_path *at,
                                const char *instance_name, xds_readers readers);

/* TransportSocket of a filter chain, at its own path. NULL: there is no TLS context in it
 * that can be read. */
const struct xds_tls_context *xds_downstream_socket_read(struct xds_ctx *ctx,
                                                         const struct xds_path *at,
                                                         const pb_transport_socket *pb);

/* A transport socket has its config at this path, or none. */
void xds_socket_config_check(struct xds_ctx *ctx, const struct xds_path *at,
                             const pb_transport_socket *pb);
/* Who cannot find the type of a transport socket in a type URL of this form. */
xds_readers xds_socket_url_foreign_to(const struct xds_ctx *ctx,
                                      const struct xds_extension *ext);

/* ---- routes ---- */

/* Who still looks at a route changes while it is read: where a client skips the route, or
 * stops after a fault, its bit leaves ctx->live and nothing that the client would read
 * later counts for it. The order of reading differs per client (spec listener 0.4), so
 * the functions that take bits out say whose and when. xds_route_read() has
 * a context of its own for each route. */

/* A name in RouteConfiguration.cluster_specifier_plugins: the value of the map `plugins`
 * below. */
struct xds_specifier_plugin {
    xds_readers known_to; /* those that find the name */
    xds_readers usable;   /* those for which routes that name it are kept */
    bool is_named;        /* by a route */
};

/* Checks the config of an RLS plugin for those that know the plugin. at: the path of its
 * typed_config; plugin: the path of the message inside that Any. */
void xds_route_lookup_config_check(struct xds_ctx *ctx, const struct xds_path *at,
                                   const struct xds_path *plugin, xds_readers who,
                                   const pb_route_lookup_config *pb);

/* The list of LB policies that a client makes of the config of an RLS plugin. */
const struct xds_tree *xds_route_lookup_policy(struct xds_arena *arena,
                                               const pb_route_lookup_config *pb);

void xds_route_read(struct xds_ctx *ctx, const struct xds_path *at, const pb_route *pb,
                    const struct xds_strmap *plugins, struct xds_route *out);
/* Note that these drop the route; the first reason stays. Returns who. */
xds_readers xds_route_skip(struct xds_route *route, xds_readers who, const char *reason);

/* xds_overrides_read() of a map as protobuf-c holds it: a list in any order. */
void xds_override_map_read(struct xds_ctx *ctx, const struct xds_path *at, size_t n,
                           struct xds_filter_config_entry *entries,
                           struct xds_overrides *out);
/* The same for the field itself: map is protobuf-c's array of n pointers to entries. */
void xds_typed_per_filter_config_read(struct xds_ctx *ctx, const struct xds_path *at,
                                      size_t n, const void *map,
                                      struct xds_overrides *out);

/* Fills route->match. Takes out of ctx->live who reads no more of the route. */
void xds_route_match_read(struct xds_ctx *ctx, const struct xds_path *at,
                          const pb_route_match *pb, struct xds_route *route);
/* Fills the action of the route. Takes out of ctx->live who does not read the route's
 * typed_per_filter_config then. */
void xds_route_action_read(struct xds_ctx *ctx, const struct xds_path *at,
                           const pb_route_action *pb, const struct xds_strmap *plugins,
                           struct xds_route *route);
/* NULL when pb is. */
const struct xds_retry_policy *xds_retry_policy_read(struct xds_ctx *ctx,
                                                     const struct xds_path *at,
                                                     const pb_retry_policy *pb);

/* ---- clusters ---- */

/* lb_policy, and load_balancing_policy where it is set. */
void xds_lb_policy_read(struct xds_ctx *ctx, const pb_cluster *pb,
                        struct xds_cluster *out);
void xds_outlier_detection_read(struct xds_ctx *ctx, const pb_outlier_detection *pb,
                                struct xds_cluster *out);
void xds_upstream_config_read(struct xds_ctx *ctx, const pb_typed_extension_config *pb,
                              struct xds_cluster *out);
void xds_transport_socket_read(struct xds_ctx *ctx, const pb_cluster *pb,
                               struct xds_cluster *out);
/* at is the path of what holds typed_filter_metadata and filter_metadata. */
void xds_metadata_read(struct xds_ctx *ctx, const struct xds_path *at,
                       const pb_metadata *pb);

/* In the memory of the model. */
struct xds_tls_context *xds_upstream_tls_context_read(struct xds_ctx *ctx,
                                                      const struct xds_path *at,
                                                      const pb_upstream_tls_context *pb);

/* ---- endpoints ---- */

/* What the walk over one ClusterLoadAssignment has met so far. */
struct xds_eds_walk {
    struct xds_ctx *ctx;
    struct xds_address_set addresses;
    struct xds_strmap localities; /* priority and names to who keeps it */
    size_t n_localities;
    xds_readers dualstack;         /* who reads additional_addresses */
    xds_readers locality_metadata; /* ... metadata of localities */
    xds_readers endpoint_metadata; /* ... metadata of endpoints */
};

/* What one locality adds to its priority. */
struct xds_priority_share {
    uint32_t priority;
    uint32_t weight;          /* 0: unset too */
    xds_readers counted_by;   /* for which the locality fills the priority */
    xds_readers too_high_for; /* those that say so, and not which priorities are empty */
};

/* Gaps and weight sums; sorts the shares. Returns how many priorities, from 0 on without
 * a gap, have a locality with weight. */
uint32_t xds_priorities_check(struct xds_ctx *ctx, struct xds_priority_share *shares,
                              size_t n);

/* ---- ext_authz and ext_proc ---- */

/* Routing never depends on these messages: they are checked, and nothing of them is kept.
 */

/* The field that holds the GrpcService must be set: pb NULL is a fault. */
void xds_grpc_service_read(struct xds_ctx *ctx, const struct xds_path *at,
                           const pb_grpc_service *pb);
/* Who takes a duration for one that is not positive. */
xds_readers xds_duration_not_positive_to(const struct xds_ctx *ctx, int64_t ns);
/* The other two may be absent. at is the path of the field that holds them. */
void xds_header_mutation_rules_read(struct xds_ctx *ctx, const struct xds_path *at,
                                    const pb_header_mutation_rules *pb);
void xds_list_string_matcher_read(struct xds_ctx *ctx, const struct xds_path *at,
                                  const pb_list_string_matcher *pb);

#endif
