/*
 * names.c - what a dump says of the bootstrap: the names that decide verdicts.
 *
 * It is a gRPC bootstrap with these names alone, so that --bootstrap takes it, too. What
 * a bootstrap has besides, such as credentials and paths, is not in the options and so
 * not here.
 *
 * Source: gRFC A27, A29, A47, A81, draft A102.
 */
#include "ads/inner.h"
#include "print/write/json.h"

static bool add_text(void *user, const char *data, size_t len)
{
    xds_text_add(user, xds_slice_make(data, len));
    return true;
}

static void put_template(struct xds_out *out, const char *name, struct xds_slice text)
{
    if (text.len > 0)
        xds_json_key_string(out, name, text);
}

static void put_key_object(struct xds_out *out, struct xds_slice key)
{
    xds_json_key_object(out, key.data); /* texts of a document end with NUL */
}

static void put_servers(struct xds_out *out, const struct xds_options *options)
{
    xds_json_key_array(out, "xds_servers");
    xds_json_begin_object(out);
    if (options->bootstrap.trusted_xds_server) {
        xds_json_key_array(out, "server_features");
        xds_json_string(out, XDS_S("trusted_xds_server"));
        xds_json_end_array(out);
    }
    xds_json_end_object(out);
    xds_json_end_array(out);
}

static void put_providers(struct xds_out *out, const struct xds_options *options)
{
    xds_json_key_object(out, "certificate_providers");
    for (size_t i = 0; i < options->bootstrap.n_provider_instances; i++) {
        put_key_object(out, options->bootstrap.provider_instances[i]);
        if (options->bootstrap.provider_plugins)
            xds_json_key_string(out, "plugin_name",
                                options->bootstrap.provider_plugins[i]);
        xds_json_end_object(out);
    }
    xds_json_end_object(out);
}

static void put_authorities(struct xds_out *out, const struct xds_options *options)
{
    xds_json_key_object(out, "authorities");
    for (size_t i = 0; i < options->bootstrap.n_authorities; i++) {
        put_key_object(out, options->bootstrap.authorities[i].name);
        put_template(out, "client_listener_resource_name_template",
                     options->bootstrap.authorities[i].listener_template);
        xds_json_end_object(out);
    }
    xds_json_end_object(out);
}

struct xds_slice xds_ads_bootstrap_names(struct xds_arena *arena,
                                         const struct xds_options *options)
{
    struct xds_text text = {.arena = arena};
    const struct xds_printer to = {.write = add_text, .user = &text, .one_line = true};
    struct xds_out out;

    xds_out_init(&out, &to);
    xds_json_begin_object(&out);
    /* No client could use it as a bootstrap. */
    xds_json_key_text(&out, XDS_BOOTSTRAP_KEY, "names that decide verdicts");
    put_servers(&out, options);
    put_providers(&out, options);
    put_authorities(&out, options);
    xds_json_key_object(&out, "allowed_grpc_services");
    for (size_t i = 0; i < options->bootstrap.n_allowed_grpc_services; i++) {
        put_key_object(&out, options->bootstrap.allowed_grpc_services[i]);
        xds_json_end_object(&out);
    }
    xds_json_end_object(&out);
    put_template(&out, "client_default_listener_resource_name_template",
                 options->bootstrap.client_listener_template);
    put_template(&out, "server_listener_resource_name_template",
                 options->bootstrap.server_listener_template);
    xds_json_end_object(&out);
    return xds_out_finish(&out) == XDS_OK ? xds_slice_make(text.data, text.len)
                                          : XDS_S("");
}
