/*
 * fuzz_test.c - the seeds of the fuzz targets, replayed in every test run: as they are,
 * cut short, and with bytes flipped. Nothing may crash, hang or leak.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/harness.h"
#include "cli/dev/fuzz/program.h"

/* SOME where there are many seeds, FEW of what takes its time. */
enum { MOST = 1 << 16, VARIANTS = 24, SOME = 8, FEW = 3 };

static void file_json(const uint8_t *data, size_t size)
{
    xds_fuzz_file("input.json", data, size);
}

static void file_yaml(const uint8_t *data, size_t size)
{
    xds_fuzz_yaml(data, size);
    xds_fuzz_file("input.yaml", data, size);
}

static void file_binary(const uint8_t *data, size_t size)
{
    xds_fuzz_file("input.binpb", data, size);
}

static void listener(const uint8_t *data, size_t size)
{
    xds_fuzz_resource(XDS_TYPE_LISTENER, data, size);
}

static void route(const uint8_t *data, size_t size)
{
    xds_fuzz_resource(XDS_TYPE_ROUTE, data, size);
}

static void cluster(const uint8_t *data, size_t size)
{
    xds_fuzz_resource(XDS_TYPE_CLUSTER, data, size);
}

static void endpoint(const uint8_t *data, size_t size)
{
    xds_fuzz_resource(XDS_TYPE_ENDPOINT, data, size);
}

typedef void (*target_fn)(const uint8_t *, size_t);

static void replay_variants(target_fn target, uint8_t *data, size_t size, size_t variants)
{
    target(data, size);
    for (size_t i = 1; i < variants && size; i++) {
        const size_t at = size * i / variants;
        const uint8_t was = data[at];

        target(data, at);
        data[at] = (uint8_t)(was ^ (1u << (i % 8)));
        target(data, size);
        data[at] = was;
    }
}

static void replay_some(const char *folder, target_fn target, size_t variants)
{
    DIR *dir = opendir(folder);
    uint8_t *data = malloc(MOST);
    char path[512];
    size_t seen = 0;

    cr_assert_not_null(dir, "%s", folder);
    cr_assert_not_null(data);
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        FILE *file = fopen(path, "rb");
        cr_assert_not_null(file, "%s", path);
        replay_variants(target, data, fread(data, 1, MOST, file), variants);
        fclose(file);
        seen++;
    }
    closedir(dir);
    free(data);
    cr_expect_gt(seen, 0, "%s has no seeds", folder);
}

static void replay(const char *folder, target_fn target)
{
    replay_some(folder, target, VARIANTS);
}

Test(fuzz, json_seeds_and_their_mutilations_do_no_harm)
{
    replay("testdata/fuzz/json", file_json);
}

Test(fuzz, yaml_seeds_and_their_mutilations_do_no_harm)
{
    replay("testdata/fuzz/yaml", file_yaml);
}

Test(fuzz, binary_seeds_and_their_mutilations_do_no_harm)
{
    replay("testdata/fuzz/binary", file_binary);
}

Test(fuzz, case_seeds_and_their_mutilations_do_no_harm)
{
    replay("testdata/fuzz/case", xds_fuzz_case);
}

Test(fuzz, control_planes_and_their_mutilations_do_no_harm)
{
    replay("testdata/fuzz/ads", xds_fuzz_ads);
}

Test(fuzz, configs_and_their_mutilations_do_no_harm)
{
    replay("testdata/fuzz/config", xds_fuzz_config);
}

Test(fuzz, scenario_seeds_and_their_mutilations_do_no_harm)
{
    replay("testdata/fuzz/scenario", xds_fuzz_scenario);
}

Test(fuzz, resources_of_each_type_in_wire_form_and_their_mutilations_do_no_harm)
{
    replay_some("testdata/fuzz/listener", listener, SOME);
    replay_some("testdata/fuzz/route", route, SOME);
    replay("testdata/fuzz/cluster", cluster);
    replay("testdata/fuzz/endpoint", endpoint);
}

Test(fuzz, streams_of_messages_and_their_mutilations_do_no_harm)
{
    replay("testdata/fuzz/frames", xds_fuzz_frames);
}

Test(fuzz, cookies_and_their_mutilations_do_no_harm)
{
    replay("testdata/fuzz/cookie", xds_fuzz_cookie);
}

Test(fuzz, regexes_and_their_mutilations_do_no_harm)
{
    replay("testdata/fuzz/regex", xds_fuzz_regex);
}

Test(fuzz, one_resource_and_its_mutilations_get_one_report_in_every_format)
{
    replay("testdata/fuzz/forms", xds_fuzz_forms);
}

Test(fuzz, the_index_answers_as_the_plain_walk_does_for_routes_and_their_mutilations)
{
    replay("testdata/fuzz/routes", xds_fuzz_routes);
}

Test(fuzz, runs_of_the_program_and_their_mutilations_do_no_harm)
{
    replay_some("testdata/fuzz/cli", xds_fuzz_cli, FEW);
}

Test(fuzz, sessions_of_the_language_server_and_their_mutilations_do_no_harm)
{
    replay_some("testdata/fuzz/lsp", xds_fuzz_lsp, FEW);
}

Test(fuzz, a_secret_in_any_text_is_not_printed)
{
    replay("testdata/fuzz/secrets", xds_fuzz_secrets);
}
