/* wire_test.c - wire bytes that only hostile or old servers send. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "base/limits.h"
#include "decode/decode.h"
#include "decode/wire.h"

#define TYPE(name) "type.googleapis.com/" name
#define RDS TYPE("envoy.config.route.v3.RouteConfiguration")
#define CDS TYPE("envoy.config.cluster.v3.Cluster")

struct job {
    struct xds_resource in;
    struct xds_arena *arena;
    unsigned differences;
    struct xds_any root;
};

static struct xds_arena arena;

static void decode(void *arg)
{
    struct job *job = arg;

    xds_decode_any(job->arena, job->differences, job->in.type_url, job->in.bytes,
                   &job->root, NULL);
}

static struct xds_any decoded_as(const char *type_url, struct xds_slice bytes,
                                 unsigned differences)
{
    struct xds_arena *const arenas[] = {&arena};
    struct job job = {.in = {.format = XDS_FORMAT_BINARY,
                             .type_url = xds_slice_of(type_url),
                             .bytes = bytes},
                      .arena = &arena,
                      .differences = differences};

    cr_assert_eq(xds_arena_guard(arenas, 1, decode, &job), XDS_OK);
    return job.root;
}

static struct xds_any decoded(const char *type_url, struct xds_slice bytes)
{
    return decoded_as(type_url, bytes, 0);
}

static void release(void)
{
    xds_arena_release(&arena);
}

TestSuite(wire, .fini = release);

/* RouteConfiguration: name 1, virtual_hosts 2, internal_only_headers 3,
 * validate_clusters 7 (BoolValue), max_direct_response_body_size_bytes 11. */
Test(wire, bytes_that_are_no_message_are_undecodable)
{
    static const struct {
        const char *why;
        struct xds_slice bytes;
        enum xds_any_state state;
    } rows[] = {
        {"empty", {"", 0}, XDS_ANY_TYPED},
        {"name", {"\x0a\x01r", 3}, XDS_ANY_TYPED},
        {"cut off", {"\x0a\x02r", 3}, XDS_ANY_UNDECODABLE},
        {"not UTF-8", {"\x0a\x01\xff", 3}, XDS_ANY_UNDECODABLE},
        {"U+0000", {"\x0a\x02r\0", 4}, XDS_ANY_TYPED},
        {"the two bytes that keep U+0000 in memory",
         {"\x0a\x02\xc0\x80", 4},
         XDS_ANY_UNDECODABLE},
        {"field number 0", {"\x02\x00", 2}, XDS_ANY_UNDECODABLE},
        {"unknown field", {"\xfa\x7f\x01x", 4}, XDS_ANY_TYPED},
        {"unknown group", {"\xfb\x7f\xfc\x7f", 4}, XDS_ANY_TYPED},
        {"group in a group", {"\xfb\x7f\x0b\x10\x05\x0c\xfc\x7f", 8}, XDS_ANY_TYPED},
        {"known field as a group", {"\x0b\x0c", 2}, XDS_ANY_TYPED},
        {"open group", {"\xfb\x7f", 2}, XDS_ANY_UNDECODABLE},
        {"end of a group that did not begin", {"\xfc\x7f", 2}, XDS_ANY_UNDECODABLE},
        {"end of another group", {"\xfb\x7f\x0c", 3}, XDS_ANY_UNDECODABLE},
        {"bad bytes in a group", {"\xfb\x7f\x0e\xfc\x7f", 5}, XDS_ANY_UNDECODABLE},
        {"wire type 6", {"\x0e\x00", 2}, XDS_ANY_UNDECODABLE},
        {"other wire type than declared", {"\x08\x05", 2}, XDS_ANY_TYPED},
        {"varint of 11 bytes",
         {"\xf8\x7f\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 13},
         XDS_ANY_UNDECODABLE},
        {"bad bytes in a message inside", {"\x12\x02\x0a\x05", 4}, XDS_ANY_UNDECODABLE},
        {"length over the end of all memory",
         {"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11},
         XDS_ANY_UNDECODABLE},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        const struct xds_any root = decoded(RDS, rows[i].bytes);

        cr_expect_eq(root.state, rows[i].state, "%s", rows[i].why);
        cr_expect_eq(root.message != NULL, rows[i].state == XDS_ANY_TYPED, "%s",
                     rows[i].why);
        cr_expect(xds_slice_is(root.type, "envoy.config.route.v3.RouteConfiguration"));
    }
}

Test(wire, singular_messages_are_merged_and_lists_appended)
{
    const struct xds_any root =
        decoded(RDS, XDS_S("\x0a\x01"
                           "a"
                           "\x1a\x01x\x1a\x01y\x1a\x01z\x1a\x01u\x1a\x01v"
                           "\x3a\x02\x08\x01\x3a\x00"
                           "\x0a\x01"
                           "b"));
    const pb_route_configuration *pb = xds_any_message(
        &root.pb, &envoy__config__route__v3__route_configuration__descriptor);

    cr_assert_not_null(pb);
    cr_expect_str_eq(pb->name, "b");
    cr_assert_eq(pb->n_internal_only_headers, 5);
    cr_expect_str_eq(pb->internal_only_headers[0], "x");
    cr_expect_str_eq(pb->internal_only_headers[4], "v");
    cr_assert_not_null(pb->validate_clusters);
    cr_expect(pb->validate_clusters->value);
}

/* RouteMatch: prefix 1, path 2, case_sensitive 4; HeaderMatcher: invert_match 8,
 * range_match 6 (Int64Range: start 1, end 2). */
Test(wire, the_last_arm_of_a_oneof_wins)
{
    const struct xds_any root = decoded(TYPE("envoy.config.route.v3.RouteConfiguration"),
                                        XDS_S("\x12\x0c\x1a\x0a\x0a\x08"
                                              "\x0a\x02/a"
                                              "\x12\x02/b"));
    const pb_route_configuration *pb = xds_any_message(
        &root.pb, &envoy__config__route__v3__route_configuration__descriptor);

    cr_assert_not_null(pb);
    const pb_route_match *match = pb->virtual_hosts[0]->routes[0]->match;
    cr_expect_eq(match->path_specifier_case, 2);
    cr_expect_str_eq(match->path, "/b");
}

/* Struct > fields entry > Value.struct_value, over and over: levels is a multiple of 3.
 */
static size_t nested(unsigned char *out, size_t size, unsigned levels)
{
    size_t at = size;

    for (unsigned i = 0; i < levels; i++) {
        const size_t len = size - at;

        cr_assert(at > 3 && len < 0x4000);
        out[--at] = (unsigned char)(len >> 7);
        out[--at] = (unsigned char)(len & 0x7f) | 0x80;
        out[--at] = i % 3 == 0 ? 0x2a : i % 3 == 1 ? 0x12 : 0x0a;
    }
    memmove(out, out + at, size - at);
    return size - at;
}

/* limit: XDS_MAX_WIRE_NESTING */
Test(wire, nesting_is_limited_before_the_stack_is)
{
    static unsigned char bytes[0x4000];

    static const struct {
        unsigned levels, differences;
        enum xds_any_state state;
    } rows[] = {
        {XDS_MAX_NESTING - 1, 0, XDS_ANY_TYPED},
        {XDS_MAX_NESTING + 2, 0, XDS_ANY_UNDECODABLE},
        {3 * XDS_MAX_NESTING, XDS_WIRE_BIT(DEEP), XDS_ANY_TYPED},
        {XDS_MAX_WIRE_NESTING - 1, XDS_WIRE_BIT(DEEP), XDS_ANY_TYPED},
        {XDS_MAX_WIRE_NESTING + 2, XDS_WIRE_BIT(DEEP), XDS_ANY_UNDECODABLE},
        {XDS_MAX_NESTING * 3 / 2, XDS_WIRE_BIT(AS_DECLARED), XDS_ANY_TYPED},
        {XDS_MAX_NESTING * 3 / 2 + 3, XDS_WIRE_BIT(AS_DECLARED), XDS_ANY_UNDECODABLE},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        const size_t n = nested(bytes, sizeof bytes, rows[i].levels);

        cr_expect_eq(decoded_as(TYPE("google.protobuf.Struct"),
                                xds_slice_make((char *)bytes, n), rows[i].differences)
                         .state,
                     rows[i].state, "row %zu", i);
    }
}

static const struct xds_any *typed_config(const struct xds_any *root)
{
    const pb_cluster *pb =
        xds_any_message(&root->pb, &envoy__config__cluster__v3__cluster__descriptor);

    return pb && pb->transport_socket ? xds_any_of(pb->transport_socket->typed_config)
                                      : NULL;
}

/* Cluster: transport_socket 24 {typed_config 3 (Any)}. */
Test(wire, an_any_is_typed_unknown_or_undecodable_without_harm_to_its_message)
{
    static const struct {
        const char *type_url, *value;
        enum xds_any_state state;
    } rows[] = {
        {"x/google.protobuf.StringValue", "\x0a\x01s", XDS_ANY_TYPED},
        {"x/google.protobuf.StringValue", "\x0a\x09s", XDS_ANY_UNDECODABLE},
        {"x/no.such.Type", "\x0a\x09s", XDS_ANY_UNKNOWN},
        {"", "abc", XDS_ANY_UNKNOWN},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        char bytes[100];
        const size_t type = strlen(rows[i].type_url), value = strlen(rows[i].value);
        const int n = snprintf(bytes, sizeof bytes, "\xc2\x01%c\x1a%c\x0a%c%s\x12%c%s",
                               (char)(type + value + 6), (char)(type + value + 4),
                               (char)type, rows[i].type_url, (char)value, rows[i].value);
        /* an empty text ends snprintf's, so its length byte is 0 */
        const size_t len = type ? (size_t)n : 4 + 3 + value + 2;
        const struct xds_any root = decoded(CDS, xds_slice_make(bytes, len));

        cr_assert_eq(root.state, XDS_ANY_TYPED);
        const struct xds_any *any = typed_config(&root);
        cr_assert_not_null(any);
        cr_expect_eq(any->state, rows[i].state, "%s", rows[i].type_url);
        cr_expect_str_eq(any->pb.type_url, rows[i].type_url);
        if (any->state == XDS_ANY_UNKNOWN)
            cr_expect_eq(any->pb.value.len, value);
    }
}

static void decode_resource(void *arg)
{
    struct job *job = arg;

    cr_assert(xds_decode(&job->in, 0, NULL, job->arena, &job->root));
}

Test(wire, an_empty_wrapper_has_no_message)
{
    struct xds_arena *const arenas[] = {&arena};
    struct job job = {.in = {.format = XDS_FORMAT_BINARY,
                             .type = XDS_TYPE_CLUSTER,
                             .wrapper = XDS_WRAPPER_EMPTY},
                      .arena = &arena};

    cr_assert_eq(xds_arena_guard(arenas, 1, decode_resource, &job), XDS_OK);
    cr_expect_eq(job.root.state, XDS_ANY_UNDECODABLE);
    cr_expect_null(job.root.message);
    cr_expect_str_eq(job.root.pb.type_url, CDS);
}
