/* grpc_service_test.c - credentials and headers that no text can spell, and who reads. */
#include <criterion/criterion.h>

#include "rules/filter/filter.h"
#include "rules/kit_test.h"
#include "rules/inner.h"

#define CREDENTIALS "envoy.extensions.grpc_service.channel_credentials."
#define INSECURE CREDENTIALS "insecure.v3.InsecureCredentials"
#define LOCAL CREDENTIALS "local.v3.LocalCredentials"
#define TOKEN                                                                            \
    "envoy.extensions.grpc_service.call_credentials.access_token.v3."                    \
    "AccessTokenCredentials"

/* A kit whose xDS server is a trusted one, and a service that all others accept. */
struct service {
    struct kit *kit;
    pb_grpc_service pb;
    pb_grpc_service_google_grpc google;
    pb_insecure_credentials insecure;
    pb_any *channel[2];
};

static char target[] = "dns:///svc";

static struct service *service_new(void)
{
    struct kit *kit = kit_new();
    struct service *s = XDS_NEW(&kit->arena, struct service);

    s->kit = kit;
    kit->options.bootstrap.is_set = kit->options.bootstrap.trusted_xds_server = true;
    envoy__config__core__v3__grpc_service__init(&s->pb);
    envoy__config__core__v3__grpc_service__google_grpc__init(&s->google);
    envoy__extensions__grpc_service__channel_credentials__insecure__v3__insecure_credentials__init(
        &s->insecure);
    s->pb.target_specifier_case =
        ENVOY__CONFIG__CORE__V3__GRPC_SERVICE__TARGET_SPECIFIER_GOOGLE_GRPC;
    s->pb.google_grpc = &s->google;
    s->google.target_uri = target;
    s->channel[0] = kit_any(kit, &s->insecure.base);
    s->google.channel_credentials_plugin = s->channel;
    s->google.n_channel_credentials_plugin = 1;
    return s;
}

static void expect(struct service *s, const char *findings)
{
    xds_grpc_service_read(&s->kit->ctx, XDS_AT(NULL, "s"), &s->pb);
    cr_expect_str_eq(kit_findings(s->kit), findings + (*findings == '\n'));
    cr_expect_eq(s->kit->ctx.live, XDS_ALL_CLIENTS);
    kit_free(s->kit);
}

Test(grpc_service, a_sound_service_is_accepted)
{
    expect(service_new(), "");
}

Test(grpc_service, a_broken_any_is_a_fault_and_the_next_entry_is_tried)
{
    struct service *s = service_new();

    s->channel[1] = s->channel[0];
    s->channel[0] = kit_opaque(s->kit, "", XDS_ANY_UNKNOWN);
    s->google.n_channel_credentials_plugin = 2;
    expect(s, "\ns.google_grpc.channel_credentials_plugin[0].type_url "
              "any-type-url-empty NNAAN");
}

Test(grpc_service, bytes_that_are_no_credentials_end_the_search)
{
    struct service *s = service_new();

    s->channel[1] = s->channel[0];
    s->channel[0] = kit_opaque(s->kit, "type.googleapis.com/" LOCAL, XDS_ANY_UNDECODABLE);
    s->google.n_channel_credentials_plugin = 2;
    expect(s, "\ns.google_grpc.channel_credentials_plugin[0].value[" LOCAL
              "] grpc-service-channel-credentials-config NAANA");
}

Test(grpc_service, java_goes_on_to_the_url_that_it_knows)
{
    struct service *s = service_new();

    s->channel[1] = s->channel[0];
    s->channel[0] = kit_opaque(s->kit, "other/" LOCAL, XDS_ANY_UNDECODABLE);
    s->google.n_channel_credentials_plugin = 2;
    expect(s, "\ns.google_grpc.channel_credentials_plugin[0].value[" LOCAL
              "] grpc-service-channel-credentials-config NAAAA");
}

Test(grpc_service, call_credentials_are_judged_one_by_one)
{
    struct service *s = service_new();
    pb_any *call[] = {
        kit_any(s->kit, &s->insecure.base),
        kit_opaque(s->kit, "", XDS_ANY_UNKNOWN),
        kit_opaque(s->kit, "type.googleapis.com/" TOKEN, XDS_ANY_UNDECODABLE),
        kit_opaque(s->kit, "other/" TOKEN, XDS_ANY_UNDECODABLE),
    };

    s->google.call_credentials_plugin = call;
    s->google.n_call_credentials_plugin = XDS_ARRAY_LEN(call);
#define ENTRY "\ns.google_grpc.call_credentials_plugin"
    expect(s,
           ENTRY "[0].value[" INSECURE "] grpc-service-call-credentials-type SSSSA" ENTRY
                 "[1].type_url any-type-url-empty NNAAN" ENTRY "[2].value[" TOKEN
                 "] grpc-service-call-credentials-config NNNNA" ENTRY "[3].value[" TOKEN
                 "] grpc-service-call-credentials-type AASAA" ENTRY "[3].value[" TOKEN
                 "] grpc-service-call-credentials-config NNANA");
}

/* One header in initial_metadata. */
static const struct header {
    const char *key, *value, *raw;
    const char *findings;
} headers[] = {
    {"k", "v", "", ""},
    {"k", "", "v", ""},
    {"k-bin", "dg", "", ""},
    {"k", "\x7f", "",
     "\ns.initial_metadata[0].value grpc-service-header-value-illegal NNNNA"},
    {"k", "v", "\xff",
     "\ns.initial_metadata[0].raw_value grpc-service-header-value-illegal NNNAA"},
    {"k-bin", "dg==", "?",
     "\ns.initial_metadata[0] grpc-service-header-value-base64 NNAAA"},
    {"k\xc3\xa4", "v", "",
     "\ns.initial_metadata[0].key grpc-service-header-key-illegal NNNAA"},
};

static void set_header(pb_header_value *pb, struct xds_arena *arena,
                       const struct header *h)
{
    envoy__config__core__v3__header_value__init(pb);
    pb->key = (char *)(uintptr_t)xds_arena_strdup(arena, h->key);
    pb->value = (char *)(uintptr_t)xds_arena_strdup(arena, h->value);
    pb->raw_value.data = (uint8_t *)(uintptr_t)xds_arena_strdup(arena, h->raw);
    pb->raw_value.len = strlen(h->raw);
}

static void expect_header(struct service *s, pb_header_value *pb, const char *findings)
{
    pb_header_value *list[] = {pb};
    s->pb.initial_metadata = list;
    s->pb.n_initial_metadata = 1;
    expect(s, findings);
}

Test(grpc_service, raw_value_comes_before_value)
{
    for (const struct header *h = headers; h < headers + XDS_ARRAY_LEN(headers); h++) {
        struct service *s = service_new();
        pb_header_value pb;

        set_header(&pb, &s->kit->arena, h);
        expect_header(s, &pb, h->findings);
    }
}

/* Which field is too long to whom: java goes by the key. */
static const struct long_value {
    const char *key;
    bool raw_is_long;
    const char *findings;
} long_values[] = {
    {"k", true,
     "\ns.initial_metadata[0].raw_value grpc-service-header-value-length NNNAA"},
    {"k-bin", true,
     "\ns.initial_metadata[0].raw_value grpc-service-header-value-length NNNNA"},
    {"k", false, "\ns.initial_metadata[0].value grpc-service-header-value-length AAANA"},
    {"k-bin", false, ""},
};

Test(grpc_service, the_field_that_a_client_does_not_read_may_be_long)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(long_values); i++) {
        const struct long_value *row = &long_values[i];
        struct service *s = service_new();
        char *bytes = xds_arena_alloc(&s->kit->arena, 16386);
        pb_header_value pb;

        memset(bytes, 'v', 16385);
        bytes[16385] = '\0';
        const struct header h = {row->key, row->raw_is_long ? "v" : bytes,
                                 row->raw_is_long ? bytes : "dg==", ""};
        set_header(&pb, &s->kit->arena, &h);
        expect_header(s, &pb, row->findings);
    }
}

/* ---- the guards of the filters ---- */

static const struct guard_row {
    const char *assignment;
    bool server;
    unsigned filter, override; /* who knows ext_proc and its override */
} guards[] = {
    {"GRPC_EXPERIMENTAL_XDS_EXT_PROC_ON_CLIENT=false", false, 0, 0},
    {"GRPC_EXPERIMENTAL_XDS_EXT_PROC_ON_CLIENT=true", false,
     XDS_GRFC | XDS_CORE | XDS_GO | XDS_JAVA, XDS_GRFC | XDS_CORE | XDS_GO | XDS_JAVA},
    {"GRPC_EXPERIMENTAL_XDS_EXT_PROC_ON_CLIENT=true", true, XDS_CORE | XDS_GO | XDS_JAVA,
     XDS_GRFC | XDS_CORE | XDS_GO | XDS_JAVA},
    {"GRPC_EXPERIMENTAL_XDS_EXT_PROC_ON_SERVER=true", false, 0, XDS_GRFC},
    {"GRPC_EXPERIMENTAL_XDS_EXT_PROC_ON_SERVER=true", true, XDS_GRFC, XDS_GRFC},
};

Test(grpc_service, a_filter_has_a_guard_per_side_and_its_override_takes_either)
{
    const struct xds_extension ext = {.url_is_canonical = true};

    for (const struct guard_row *g = guards; g < guards + XDS_ARRAY_LEN(guards); g++) {
        struct kit *kit = kit_new();

        kit_set_env(kit, g->assignment);
        kit->ctx.server = g->server;
        cr_expect_eq(xds_filter_known_to(&kit->ctx, &xds_filter_ext_proc, &ext),
                     g->filter, "%s", g->assignment);
        cr_expect_eq(xds_filter_known_on_a_side(&kit->ctx, &xds_filter_ext_proc, &ext),
                     g->override, "%s", g->assignment);
        kit_free(kit);
    }
}
