/* cmd_lb_config.c - xdscope lb-config: the LB policy tree that a cluster becomes. */
#include "cli/generate/config.h"

struct lb_config_settings {
    struct config_settings config;
    const char *cluster;
    unsigned form;
};

static const enum xds_config_form forms[] = {XDS_CONFIG_CURRENT, XDS_CONFIG_LEGACY};
static const char *const form_words[] = {"current", "legacy", NULL};

static const struct option rows[] = {
    {VALUE_ROW(WORD, lb_config_settings, form, "form", "NAME"), .words = form_words,
     .help = "current (default), or legacy: the tree before gRFC A74"},
    {VALUE_ROW(TEXT, lb_config_settings, cluster, "cluster", "NAME"),
     .argument = ARGUMENT_CLUSTER,
     .help = "print only this cluster; default: all, in JSON one line per cluster"},
};

static const struct option_group lb_config_options = {.options = rows,
                                                      .n = ARRAY_LEN(rows)};

static int generate_one(struct config_run *run, const struct lb_config_settings *settings,
                        struct xds_slice cluster)
{
    const struct xds_config *config;
    const struct xds_config_request request = {
        .form = forms[settings->form], .cluster = cluster, .previous = run->previous};
    const enum xds_status status =
        xds_generate_lb_config(run->generator, &request, &config);

    return status == XDS_OK ? config_print(run, config) : config_failed(run, status);
}

static int generate(struct config_run *run, const void *arg)
{
    const struct lb_config_settings *settings = arg;
    int status = EXIT_CLEAN;
    struct xds_slice cluster = xds_generator_cluster(run->generator, 0);

    if (settings->cluster)
        return generate_one(run, settings, slice_of(settings->cluster));
    if (!cluster.data) {
        (void)trouble(run->command, "the snapshot has no accepted cluster");
        return EXIT_FINDINGS;
    }
    run->one_line = true;
    run->several = xds_generator_cluster(run->generator, 1).data != NULL;
    for (size_t i = 1; status < EXIT_USAGE && cluster.data;
         cluster = xds_generator_cluster(run->generator, i++))
        status = worse(status, generate_one(run, settings, cluster));
    return status;
}

static int run(const struct command *self, void *arg, const struct operands *operands)
{
    const struct lb_config_settings *settings = arg;

    return config_run(self, &settings->config, operands, generate);
}

const struct command cmd_lb_config = {
    .name = "lb-config",
    .operands = "PATH...",
    .summary = "print the tree of LB policies that a client builds for a cluster",
    .operand_kind = OPERANDS_PATHS,
    .groups = (const struct option_group *const[]){&lb_config_options, &config_options,
                                                   &input_options, &jobs_options,
                                                   &common_options, NULL},
    .settings_size = sizeof(struct lb_config_settings),
    .examples = "lb-config --cluster cart snapshot/",
    .run = run,
};
