/*
 * cmd_service_config.c - xdscope service-config: the gRPC service config that a route
 *                        configuration becomes.
 */
#include "cli/generate/config.h"

struct service_config_settings {
    struct config_settings config;
    const char *target, *listener, *authority, *route_config;
    unsigned form;
    bool single_route;
};

static const enum xds_config_form forms[] = {XDS_CONFIG_CURRENT, XDS_CONFIG_A28,
                                             XDS_CONFIG_METHODS};
static const char *const form_words[] = {"current", "a28", "methods", NULL};

static const struct option rows[] = {
    {VALUE_ROW(WORD, service_config_settings, form, "form", "NAME"), .words = form_words,
     .help = "current (default), a28 (gRFC A28), or methods, for clients without xDS"},
    {VALUE_ROW(TEXT, service_config_settings, target, "target", "URI"),
     .argument = ARGUMENT_TARGET,
     .help = "the channel's target, xds:///NAME; not needed with one listener"},
    {VALUE_ROW(TEXT, service_config_settings, listener, "listener", "NAME"),
     .argument = ARGUMENT_LISTENER, .help = "a listener instead of a target"},
    {VALUE_ROW(TEXT, service_config_settings, route_config, "route-config", "NAME"),
     .argument = ARGUMENT_ROUTE_CONFIG,
     .help = "a route configuration instead of a target"},
    {VALUE_ROW(TEXT, service_config_settings, authority, "authority", "HOST"),
     .help = "the authority that selects the virtual host"},
    {FLAG_ROW(service_config_settings, single_route, "single-route"),
     .help = "form a28: for a route that takes every RPC, print its policy alone"},
};

static const struct option_group service_config_options = {.options = rows,
                                                           .n = ARRAY_LEN(rows)};

static int generate(struct config_run *run, const void *arg)
{
    const struct service_config_settings *settings = arg;
    const struct xds_config *config;
    const struct xds_config_request request = {
        .form = forms[settings->form],
        .target = slice_of(settings->target),
        .listener = slice_of(settings->listener),
        .authority = slice_of(settings->authority),
        .route_config = slice_of(settings->route_config),
        .previous = run->previous,
        .single_route = settings->single_route,
    };
    const enum xds_status status =
        xds_generate_service_config(run->generator, &request, &config);

    return status == XDS_OK ? config_print(run, config) : config_failed(run, status);
}

static int run(const struct command *self, void *arg, const struct operands *operands)
{
    const struct service_config_settings *settings = arg;

    return config_run(self, &settings->config, operands, generate);
}

const struct command cmd_service_config = {
    .name = "service-config",
    .operands = "PATH...",
    .summary = "print the gRPC service config that a route configuration becomes",
    .operand_kind = OPERANDS_PATHS,
    .groups = (const struct option_group *const[]){&service_config_options,
                                                   &config_options, &input_options,
                                                   &jobs_options, &common_options, NULL},
    .settings_size = sizeof(struct service_config_settings),
    .examples = "service-config --target xds:///shop.example.com snapshot/",
    .run = run,
};
