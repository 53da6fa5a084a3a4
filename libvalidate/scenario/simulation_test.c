/* simulation_test.c - whole scenarios: what no subject is needed for, and hostile text.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "scenario/scenario.h"

#define ALL_SUBJECTS                                                                     \
    "; there are cds_child_names, channel, config_selector, xds_override_host, policy, " \
    "priority, server, weighted_target, xds_client"

static struct xds_simulation *new_simulation(void)
{
    struct xds_options options;

    xds_options_init(&options);
    return xds_simulation_new(&options, NULL);
}

/* The messages of the end of each scenario, a line each. */
static const char *play(const char *name, const char *text)
{
    static char told[2048];
    struct xds_simulation *s = new_simulation();
    struct xds_entry entry;

    told[0] = '\0';
    cr_assert_eq(xds_simulation_add_bytes(s, name, xds_slice_of(text)), XDS_OK);
    while (xds_simulation_next(s, true, XDS_WRITE_JSON, &entry) == XDS_OK) {
        const size_t used = strlen(told);

        if (entry.kind == XDS_ENTRY_END)
            (void)snprintf(told + used, sizeof told - used, "%s\n",
                           entry.ok ? "ok"
                                    : xds_report_finding(entry.report, 0)->message.data);
    }
    xds_simulation_free(s);
    return told;
}

static const struct row {
    const char *name, *text, *told;
} rows[] = {
    {"a.yaml", "", "the file has no scenario\n"},
    {"a.json", "", "the file has no scenario\n"},
    {"a.json", " \n", "the file has no scenario\n"},
    {"a.yaml", "--- \n---\nnull\n",
     "a scenario must be an object with \"subject\" and \"steps\"\n"},
    {"a.json", "[]", "a scenario must be an object with \"subject\" and \"steps\"\n"},
    {"a.json", "{}", "\"subject\" is missing in the scenario\n"},
    {"a.json", "{\"subject\": null, \"steps\": []}", "\"subject\" is missing\n"},
    {"a.json", "{\"subject\": 7, \"steps\": []}", "\"subject\" must be a string\n"},
    {"a.json", "{\"subject\": \"\\u0000\", \"steps\": []}",
     "there is no subject \"\xC0\x80\"" ALL_SUBJECTS "\n"},
    {"a.json", "{\"sub\\u006aect\": \"x\", \"steps\": []}",
     "there is no subject \"x\"" ALL_SUBJECTS "\n"},
    {"a.json", "{\"steps\": [], \"subject\": \"\\q\"}",
     "invalid JSON: a backslash must be followed by one of \" \\ / b f n r t or by u and "
     "four hexadecimal digits\n"},
    {"a.json", "{} {}",
     "\"subject\" is missing in the scenario\n\"subject\" is missing in the scenario\n"},
    {"a.jsonl", "{\n{}\n", NULL},
    {"a.yaml", "steps: [", NULL},
    {"a.yaml", "? [a]\n: b\n", NULL},
    {"a.yaml", "a: *b\n", NULL},
    {"a", "{\"subject\": \"x\"}", "\"steps\" is missing in the scenario\n"},
    {"a", "{subject: x}", "\"steps\" is missing in the scenario\n"},
    {"a", "\xEF\xBB\xBF{\"subject\": \"x\"}", "\"steps\" is missing in the scenario\n"},
};

Test(simulation, text_that_is_no_scenario_is_told)
{
    for (const struct row *r = rows; r < rows + XDS_ARRAY_LEN(rows); r++) {
        const char *told = play(r->name, r->text);

        cr_expect(*told != '\0' && strncmp(told, "ok", 2) != 0, "%s: %s", r->text, told);
        if (r->told)
            cr_expect_str_eq(told, r->told, "%s: %s", r->text, told);
    }
}

/* Every part of a text up to some byte, as JSON and as YAML. */
Test(simulation, a_file_may_end_anywhere)
{
    static const char text[] =
        "{\"scenario\": \"x\", \"steps\": [{\"at\": \"0s\", \"event\": {\"type\": "
        "\"advance\"}}], \"env\": {\"A\": 1}, \"subject\": \"no such\"}";
    char part[sizeof text];

    for (size_t n = 0; n < sizeof text; n++) {
        memcpy(part, text, n);
        part[n] = '\0';
        cr_expect_str_not_empty(play("a.json", part));
        cr_expect_str_not_empty(play("a.yaml", part));
    }
}

Test(simulation, a_file_that_cannot_be_read_is_not_added)
{
    struct xds_simulation *s = new_simulation();
    struct xds_entry entry;

    cr_expect_eq(xds_simulation_add(s, "no/such/file"), XDS_ERR_IO);
    cr_expect_eq(errno, ENOENT);
    cr_expect_eq(xds_simulation_add(s, "."), XDS_ERR_IO);
    cr_expect_eq(errno, EISDIR);
    cr_expect_eq(xds_simulation_next(s, false, XDS_WRITE_JSON, &entry), XDS_END);
    cr_expect_null(xds_simulation_unread(s));
    xds_simulation_free(s);
    xds_simulation_free(NULL);
}

Test(simulation, many_files_are_played_in_their_order)
{
    struct xds_simulation *s = new_simulation();
    struct xds_entry entry;
    char name[16];
    size_t n = 0;

    for (int i = 0; i < 40; i++) {
        (void)snprintf(name, sizeof name, "%d.yaml", i);
        cr_assert_eq(xds_simulation_add_bytes(s, name, XDS_S("subject: x\n")), XDS_OK);
    }
    while (xds_simulation_next(s, false, XDS_WRITE_JSON, &entry) == XDS_OK) {
        if (entry.kind != XDS_ENTRY_END)
            continue;
        (void)snprintf(name, sizeof name, "%zu.yaml", n++);
        cr_expect(xds_slice_is(entry.name, name), "%s", name);
    }
    cr_expect_eq(n, 40);
    cr_expect_eq(xds_simulation_summary(s).failed, 40);
    xds_simulation_free(s);
}

/* Large enough that nothing is read ahead of the steps. */
Test(simulation, in_a_long_file_the_steps_come_last)
{
    const size_t size = (size_t)3 << 20;
    char *text = malloc(size);
    int n = snprintf(text, size, "{\"subject\": \"no such\", \"steps\": [");

    memset(text + n, ' ', size - (size_t)n);
    (void)snprintf(text + size - 40, 40, "], \"client\": \"go\"}");
    const char *told = play("a.json", text);

    cr_expect_str_eq(told, "there is no subject \"no such\"" ALL_SUBJECTS "\n", "%s",
                     told);
    free(text);
}
