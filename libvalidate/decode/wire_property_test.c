/* wire_property_test.c - protobuf-c's own unpack beside ours, on bytes that went bad. */
#include <criterion/criterion.h>

#include "decode/builder_test.h"
#include "decode/field.h"
#include "decode/wire.h"
#include "source/wire/wire_field.h"

enum { ROUNDS = 20000, MOST_BYTES = 600, MOST_CHANGES = 3 };

static const struct sample {
    const char *type, *json;
} samples[] = {
    {CLUSTER,
     "{\"name\":\"c\",\"type\":\"EDS\",\"edsClusterConfig\":{\"serviceName\":\"s\","
     "\"edsConfig\":{\"ads\":{},\"resourceApiVersion\":\"V3\"}},\"lbPolicy\":\"RING_"
     "HASH\","
     "\"ringHashLbConfig\":{\"minimumRingSize\":\"5\",\"maximumRingSize\":\"70\"},"
     "\"connectTimeout\":\"5s\",\"circuitBreakers\":{\"thresholds\":[{\"priority\":"
     "\"HIGH\",\"maxRequests\":7}]},\"outlierDetection\":{\"consecutive5xx\":3}}"},
    {LOADS, "{\"clusterName\":\"c\",\"endpoints\":[{\"locality\":{\"region\":\"r\","
            "\"zone\":\"z\"},"
            "\"lbEndpoints\":[{\"endpoint\":{\"address\":{\"socketAddress\":{\"address\":"
            "\"::1\","
            "\"portValue\":80}}},\"healthStatus\":\"HEALTHY\",\"loadBalancingWeight\":9},"
            "{\"endpointName\":\"e\"}],\"loadBalancingWeight\":3,\"priority\":1}],"
            "\"policy\":{\"overprovisioningFactor\":100}}"},
    {ROUTES,
     "{\"name\":\"r\",\"virtualHosts\":[{\"name\":\"v\",\"domains\":[\"a\",\"*\"],"
     "\"routes\":[{\"match\":{\"prefix\":\"/\",\"caseSensitive\":true,\"headers\":["
     "{\"name\":\"h\",\"rangeMatch\":{\"start\":\"1\",\"end\":\"9\"}}]},\"route\":"
     "{\"cluster\":\"c\",\"timeout\":\"3s\"}}]}],\"internalOnlyHeaders\":[\"x\",\"y\"],"
     "\"validateClusters\":true}"},
};

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* A changed copy. */
static size_t change(char *out, struct xds_slice in, uint64_t *random)
{
    size_t n = in.len;

    memcpy(out, in.data, n);
    for (uint64_t i = next_random(random) % MOST_CHANGES + 1; i > 0 && n > 1; i--) {
        const size_t at = (size_t)next_random(random) % n;
        const char byte = (char)next_random(random);

        switch (next_random(random) % 4) {
        case 0: /* cut off */
            n = at;
            break;
        case 1: /* take out */
            memmove(out + at, out + at + 1, --n - at);
            break;
        case 2: /* put in */
            memmove(out + at + 1, out + at, n++ - at);
            out[at] = byte;
            break;
        default:
            out[at] = byte;
        }
    }
    return n;
}

struct outcome {
    struct xds_arena arena;
    struct xds_slice url, bytes;
    struct xds_any any;
    struct xds_kept kept;
};

static void decode_ours(void *arg)
{
    struct outcome *o = arg;

    xds_kept_init(&o->kept, &o->arena);
    xds_decode_any(&o->arena, 0, o->url, o->bytes, &o->any, &o->kept);
}

static size_t pack(const ProtobufCMessage *message, uint8_t **out)
{
    *out = malloc(protobuf_c_message_get_packed_size(message) + 1);
    return protobuf_c_message_pack(message, *out);
}

static bool pack_alike(const ProtobufCMessage *a, const ProtobufCMessage *b)
{
    uint8_t *x, *y;
    const size_t n = pack(a, &x), m = pack(b, &y);
    const bool alike = n == m && memcmp(x, y, n) == 0;

    free(x);
    free(y);
    return alike;
}

static enum xds_wire_type declared(ProtobufCType type)
{
    switch (type) {
    case PROTOBUF_C_TYPE_SFIXED32:
    case PROTOBUF_C_TYPE_FIXED32:
    case PROTOBUF_C_TYPE_FLOAT:
        return XDS_WIRE_32BIT;
    case PROTOBUF_C_TYPE_SFIXED64:
    case PROTOBUF_C_TYPE_FIXED64:
    case PROTOBUF_C_TYPE_DOUBLE:
        return XDS_WIRE_64BIT;
    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_BYTES:
    case PROTOBUF_C_TYPE_MESSAGE:
        return XDS_WIRE_BYTES;
    case PROTOBUF_C_TYPE_INT32:
    case PROTOBUF_C_TYPE_SINT32:
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
    case PROTOBUF_C_TYPE_UINT32:
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_BOOL:
    case PROTOBUF_C_TYPE_ENUM:
        break;
    }
    return XDS_WIRE_VARINT;
}

static bool has_doubt(const ProtobufCMessageDescriptor *type, struct xds_slice bytes);

/* May the two read this field differently? protobuf-c does not look into text, refuses
 * fields of another wire type than declared unless they are bools, keeps Anys and unknown
 * fields, and leaves map entries without values. */
static bool is_doubtful(const ProtobufCFieldDescriptor *field,
                        const struct xds_wire_field *head, struct xds_slice value)
{
    if (!field || field->descriptor == &google__protobuf__any__descriptor ||
        xds_field_is_map(field) || head->type != declared(field->type))
        return true;
    if (field->type == PROTOBUF_C_TYPE_MESSAGE)
        return has_doubt(field->descriptor, value);
    return field->type == PROTOBUF_C_TYPE_STRING &&
           (memchr(value.data, 0, value.len) || !xds_utf8_valid(value));
}

static bool has_doubt(const ProtobufCMessageDescriptor *type, struct xds_slice bytes)
{
    struct xds_wire_field head;
    struct xds_slice value;

    while (bytes.len && xds_wire_next(&bytes, &head, &value))
        if (is_doubtful(protobuf_c_message_descriptor_get_field(type, head.number), &head,
                        value))
            return true;
    return false;
}

/* Returns whether ours is a message. */
static bool compare(struct outcome *o)
{
    struct xds_arena *const arenas[] = {&o->arena};

    xds_arena_reset(&o->arena);
    cr_assert_eq(xds_arena_guard(arenas, 1, decode_ours, o), XDS_OK);
    const ProtobufCMessageDescriptor *type = xds_any_registry(o->any.type);
    if (has_doubt(type, o->bytes))
        return o->any.message != NULL;
    ProtobufCMessage *theirs = protobuf_c_message_unpack(type, NULL, o->bytes.len,
                                                         (const uint8_t *)o->bytes.data);

    cr_expect_eq(theirs != NULL, o->any.message != NULL, "only one takes it");
    if (theirs && o->any.message)
        cr_expect(pack_alike(theirs, o->any.message), "not the same message");
    if (theirs)
        protobuf_c_message_free_unpacked(theirs, NULL);
    return o->any.message != NULL;
}

static void compare_changed(struct outcome *o, struct xds_slice good)
{
    uint64_t random = UINT64_C(88172645463325252);
    size_t taken = 0;

    for (size_t i = 0; i < ROUNDS; i++) {
        char bytes[MOST_BYTES + MOST_CHANGES];

        o->bytes = xds_slice_make(bytes, change(bytes, good, &random));
        taken += compare(o);
    }
    cr_expect_gt(taken, (size_t)ROUNDS / 50, "hardly any was still a message");
}

static void each_sample(void (*compare_all)(struct outcome *o, struct xds_slice good))
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(samples); i++) {
        struct decoded d;
        const ProtobufCMessage *message =
            decode_good(&d, samples[i].type, samples[i].json);
        uint8_t *bytes;
        const size_t n = pack(message, &bytes);
        struct outcome o = {.url = xds_slice_of(samples[i].type),
                            .bytes = xds_slice_make((const char *)bytes, n)};

        cr_assert_leq(n, (size_t)MOST_BYTES);
        xds_arena_init(&o.arena, XDS_MAX_DECODED_BYTES);
        cr_expect(compare(&o), "%s", samples[i].type);
        compare_all(&o, xds_slice_make((const char *)bytes, n));
        xds_arena_release(&o.arena);
        free(bytes);
        release(&d);
    }
}

Test(wire_property, what_protobuf_c_reads_is_read_alike)
{
    each_sample(compare_changed);
}

/* ---- libraries ---- */

struct reading {
    struct outcome *outcome;
    unsigned differences;
    struct xds_any any;
};

static void decode_as(void *arg)
{
    struct reading *r = arg;

    xds_decode_any(&r->outcome->arena, r->differences, r->outcome->url, r->outcome->bytes,
                   &r->any, NULL);
}

static struct xds_any read_as(struct outcome *o, unsigned differences)
{
    struct xds_arena *const arenas[] = {&o->arena};
    struct reading r = {.outcome = o, .differences = differences};

    cr_assert_eq(xds_arena_guard(arenas, 1, decode_as, &r), XDS_OK);
    return r.any;
}

static void compare_libraries(struct outcome *o, struct xds_slice good)
{
    static const unsigned libraries[] = {
        XDS_WIRE_BIT(AS_DECLARED),
        XDS_WIRE_BIT(TAG_CUT),
        XDS_WIRE_BIT(DEEP) | XDS_WIRE_BIT(VARINT_EXACT),
        XDS_WIRE_BIT(ENTRY_DROPPED) | XDS_WIRE_BIT(HEAD_SHORT),
    };
    uint64_t random = UINT64_C(88172645463325252);
    size_t met = 0;

    for (size_t i = 0; i < ROUNDS; i++) {
        char bytes[MOST_BYTES + MOST_CHANGES];

        o->bytes = xds_slice_make(bytes, change(bytes, good, &random));
        xds_arena_reset(&o->arena);
        const struct xds_any usual = read_as(o, 0);
        for (size_t k = 0; k < XDS_ARRAY_LEN(libraries); k++) {
            const struct xds_any other = read_as(o, libraries[k]);

            met += (usual.met & libraries[k]) != 0;
            if (usual.met & libraries[k])
                continue;
            cr_assert_eq(other.state, usual.state, "library %zu, round %zu", k, i);
            cr_assert(!usual.message || pack_alike(usual.message, other.message),
                      "library %zu, round %zu", k, i);
        }
    }
    cr_expect_gt(met, (size_t)ROUNDS / 50, "hardly anything was odd");
}

Test(wire_property, a_library_reads_the_usual_unless_its_difference_is_met)
{
    each_sample(compare_libraries);
}
