/* fix_test.c - what is spoilt in a text in a known way, edits make the same text again.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/xdscope.h"

/* A text without a fault, and what may be spoilt in it, each once. */
static const struct text {
    const char *name, *good;
    const struct slip {
        const char *is, *becomes;
    } slips[12];
} texts[] = {
    {"in.clusters.yaml",
     "# clusters\nname: c # first\ntype: EDS\nlb_policy: \"RING_HASH\"\n"
     "eds_cluster_config:\n  service_name: 'é'\n  eds_config: {ads: {}, "
     "resource_api_version: V3}\n"
     "ring_hash_lb_config:\n    hash_function: XX_HASH\ntransport_socket:\n  name: |\n"
     "    a\n    b\n",
     {{"type: EDS\n", "type: eds\n"},
      {"\"RING_HASH\"", "\"ring-hash\""},
      {": V3", ": v3"},
      {": XX_HASH", ": Xx_Hash"},
      {"service_name", "service_nme"},
      {"eds_config:", "eds_confg:"},
      {"ads: {}", "ads: {}, ads: {}"},
      {"name: c # first\n", "name: c # first\nname: c # again\n"},
      {"    a\n    b\n", "    a\n    b\n  name: |\n    a\n    b\n"}}},
    {"in.clusters.json",
     "{\"name\": \"c\", \"type\": \"EDS\",\n\t\"lbPolicy\": \"RING_HASH\", "
     "\"edsClusterConfig\": {\"edsConfig\":\n {\"ads\": {}, \"resourceApiVersion\": "
     "\"V3\"}},\n"
     "\"metadata\": {\"filter_metadata\": {\"日本\": {\"a\": [1, 2, {\"b\": null}]}}}}\n",
     {{"\"EDS\"", "\"eds\""},
      {"\"RING_HASH\"", "\"ring_hash\""},
      {"\"V3\"", "\"v3\""},
      {"lbPolicy", "lbPolcy"},
      {"edsClusterConfig", "edsClusterConfigs"},
      {"\"ads\": {}", "\"ads\": {},\n \"ads\" : {}"},
      {"\"name\": \"c\"", "\"name\": \"c\", \"name\": \"c\""}}},
    {"in.textproto",
     "# proto-message: envoy.config.cluster.v3.Cluster\nname: \"c\"  # first\ntype: EDS\n"
     "lb_policy: RING_HASH\neds_cluster_config { eds_config <ads: {}> service_name: 's' "
     "}\n",
     {{"service_name", "service_nam"},
      {"eds_config", "eds_confg"},
      {"ads: {}", "ads: {} ads: {}"},
      {"type: EDS\n", "type: EDS\n  type: EDS; # again\n"}}},
};

static bool wants_all(const struct xds_rule *rule, void *user)
{
    (void)user;
    return rule->edit != XDS_EDIT_WRAP;
}

/* One round of edits into text. Returns how many there were. */
static size_t edit(const char *name, char *text, size_t size)
{
    const struct xds_slice all = {text, strlen(text)};
    struct xds_options options;
    struct xds_fix *fix;

    xds_options_init(&options);
    options.each_time = true;
    struct xds_report *report = xds_report_new(&options);
    struct xds_check *check = xds_check_new(report, false);
    struct xds_source *source = xds_source_new(report, XDS_TYPE_UNKNOWN);

    cr_assert_eq(xds_source_add_bytes(source, name, all), XDS_OK);
    cr_assert_eq(xds_check_all(check, source, 1, NULL, NULL), XDS_OK);
    cr_assert_eq(xds_check_finish(check, source), XDS_OK);
    xds_report_sort(report);
    cr_assert_eq(xds_fix_new(report, 0, all, XDS_TYPE_UNKNOWN, wants_all, NULL, &fix),
                 XDS_OK);

    const size_t n = xds_fix_edits(fix);
    snprintf(text, size, "%.*s", (int)xds_fix_text(fix).len, xds_fix_text(fix).data);
    xds_fix_free(fix);
    xds_source_free(source);
    xds_check_free(check);
    xds_report_free(report);
    return n;
}

static void replace(char *text, size_t size, const struct slip *slip)
{
    char *at = strstr(text, slip->is);

    /* Another slip may have spoilt it. */
    if (!at)
        return;
    char *rest = strdup(at + strlen(slip->is));

    snprintf(at, size - (size_t)(at - text), "%s%s", slip->becomes, rest);
    free(rest);
}

Test(fix, any_slips_are_undone_and_nothing_else_changes)
{
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        size_t n = 0;

        while (texts[t].slips[n].is)
            n++;
        for (unsigned set = 0; set < 1u << n; set++) {
            char text[2048], spoilt[2048];

            snprintf(text, sizeof text, "%s", texts[t].good);
            for (size_t i = 0; i < n; i++)
                if (set >> i & 1)
                    replace(text, sizeof text, &texts[t].slips[i]);
            memcpy(spoilt, text, sizeof text);
            for (size_t round = 0; round < n; round++)
                if (edit(texts[t].name, text, sizeof text) == 0)
                    break;
            cr_expect_str_eq(text, texts[t].good, "%s: of\n%sbecame\n%s", texts[t].name,
                             spoilt, text);
        }
    }
}

Test(fix, a_text_without_a_fault_stays)
{
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        char text[2048];

        snprintf(text, sizeof text, "%s", texts[t].good);
        cr_expect_eq(edit(texts[t].name, text, sizeof text), 0);
        cr_expect_str_eq(text, texts[t].good);
    }
}
