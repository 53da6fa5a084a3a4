/*
 * generated_test.c - what is generated from any snapshot of testdata/ is valid: the
 * inputs of all cases, for all clients and forms.
 */
#include "cli/dev/test/case.h"
#include "generate/config_test.h"

#include <stdlib.h>

static struct test_text text;

/* The routes of a rule's case, at which a config was asked to start: what a client
 * accepts in them need not be what its service config can say. */
static bool is_assumed(const struct xds_config *config)
{
    return xds_slice_starts(xds_config_note(config, 0), XDS_S("assumed: "));
}

static void check_service_configs(struct test_config *t, enum xds_client client,
                                  const char *name)
{
    static const enum xds_config_form forms[] = {XDS_CONFIG_CURRENT, XDS_CONFIG_A28,
                                                 XDS_CONFIG_METHODS};

    for (size_t i = 0; i < XDS_ARRAY_LEN(forms); i++) {
        const struct xds_config_request request = {.form = forms[i]};
        const struct xds_config *config;

        if (xds_generate_service_config(t->generator, &request, &config) == XDS_OK &&
            !config->error.data && !is_assumed(config))
            cr_expect_eq(test_config_faults(config, client, &text), 0, "%s: form %zu, %s",
                         name, i, xds_client_name(client));
    }
}

static void check_lb_configs(struct test_config *t, enum xds_client client,
                             const char *name)
{
    static const enum xds_config_form forms[] = {XDS_CONFIG_CURRENT, XDS_CONFIG_LEGACY};
    struct xds_config_request request = {.form = XDS_CONFIG_CURRENT};

    for (size_t i = 0; (request.cluster = xds_generator_cluster(t->generator, i)).data;
         i++) {
        for (size_t k = 0; k < XDS_ARRAY_LEN(forms); k++) {
            const struct xds_config *config;

            request.form = forms[k];
            cr_assert_eq(xds_generate_lb_config(t->generator, &request, &config), XDS_OK);
            if (!config->error.data)
                cr_expect_eq(test_config_faults(config, client, &text), 0,
                             "%s: cluster %.*s, form %zu, %s", name,
                             XDS_FMT(request.cluster), k, xds_client_name(client));
        }
    }
}

static void check_input(const char *path, const struct case_section *input)
{
    for (unsigned c = 0; c < XDS_CLIENTS; c++) {
        struct test_config t;

        test_config_open(&t, (enum xds_client)c, input->name,
                         xds_slice_make(input->text, input->len));
        check_service_configs(&t, (enum xds_client)c, path);
        check_lb_configs(&t, (enum xds_client)c, path);
        test_config_close(&t);
    }
}

static bool is_snapshot(const struct case_section *section)
{
    const struct xds_slice name = xds_slice_of(section->name);

    return xds_slice_ends(name, XDS_S(".yaml")) || xds_slice_ends(name, XDS_S(".json"));
}

/* Cases of what a client itself makes of a snapshot, and then refuses: sizes of rings,
 * and times that do not fit; or
 * would refuse where it came as JSON, and not as a resource. */
static bool is_refused_by_its_client(const char *path)
{
    static const char *const parts[] = {
        "explain/failure/ring-size-",
        "lb_config/outlier-times-node",
        "rules/lb-policy-config-invalid/",
        "rules/outlier-detection-threshold/core-alone-accepts",
        "rules/ring-hash-lb-config-size",
        "rules/ring-hash-size/signed-largest",
        "rules/weighted-round-robin-penalty/infinity-go",
        "show/rejected",
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(parts); i++)
        if (strstr(path, parts[i]))
            return true;
    return false;
}

Test(generated, configs_of_all_inputs_of_cases_are_valid)
{
    char **paths = case_list("testdata");

    for (size_t i = 0; paths[i]; i++) {
        struct case_file c;

        cr_assert(case_read(paths[i], &c), "%s", paths[i]);
        for (size_t k = 0; k < c.n; k++)
            if (is_snapshot(&c.section[k]) && !is_refused_by_its_client(paths[i]))
                check_input(paths[i], &c.section[k]);
        case_release(&c);
        free(paths[i]);
    }
    free(paths);
}
