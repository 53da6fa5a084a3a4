/* bindings_test.c - the calls of xdscope.wasm, compiled for this machine: requests that
 * no binding makes. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

#include "cli/bindings/wasi/calls.h"
#define CLUSTER                                                                          \
    "\x0a\x01"                                                                           \
    "c"                                                                                  \
    "\x10\x01" /* name: "c" type: STRICT_DNS */
#define URL "type.googleapis.com/envoy.config.cluster.v3.Cluster"
#define YAML                                                                             \
    "{\"@type\": " URL                                                                   \
    ", name: d, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}}\n"

typedef int (*call_fn)(const char *, size_t);

static const call_fn calls[] = {xdscope_lint, xdscope_explain, xdscope_diff};

/* All that a request can have; the bytes of three inputs follow. */
static const char whole[] =
    "{\"clients\": [\"go@1.72\", \"core\"], \"env\": "
    "[\"GRPC_XDS_EXPERIMENTAL_RBAC=true\"], \"with\": [\"rls\"],"
    " \"bootstrap\": {\"xds_servers\": [{\"server_uri\": \"a:1\"}]}, \"request\": "
    "{\"path\": \"/a.B/C\"},"
    " \"partial\": true, \"files\": [{\"name\": \"s\", \"type_url\": \"" URL
    "\", \"sizes\": [5]},"
    " {\"name\": \"d.yaml\", \"size\": 128}], \"old\": [{\"name\": \"s\", \"type_url\": "
    "\"" URL "\", \"sizes\": [5]}]}\n" CLUSTER YAML CLUSTER;

static bool says(const char *text)
{
    const size_t n = strlen(text), size = xdscope_output_size();

    for (size_t i = 0; i + n <= size; i++)
        if (memcmp(xdscope_output() + i, text, n) == 0)
            return true;
    return false;
}

static const struct row {
    const char *request;
    const char *answer;
} refused[] = {
    {"", "a JSON object on one line"},
    {"{}", "a JSON object on one line"},
    {"[]\n", "a JSON object on one line"},
    {"{\"files\": [{\"name\": \"a\", \"size\": 2}]}\nx", "\"files\": each needs"},
    {"{\"files\": [{\"name\": \"a\", \"size\": -1}]}\nx", "\"files\": each needs"},
    {"{\"files\": [{\"name\": \"a\", \"size\": 1e300}]}\nx", "\"files\": each needs"},
    {"{\"files\": [{\"size\": 1}]}\nx", "\"files\": each needs"},
    {"{\"files\": [{\"files\": []}]}\nx", "\"files\": each needs"},
    {"{\"files\": [{\"name\": \"d\", \"files\": [{\"name\": \"a\", \"size\": 2}]}]}\nx",
     "\"files\": each needs"},
    {"{\"files\": [{\"name\": \"d\", \"files\": [{\"size\": 1}]}]}\nx",
     "\"files\": each needs"},
    {"{\"files\": [{\"name\": \"d\", \"files\": [{\"name\": \"a\", \"files\": []}]}]}\nx",
     "\"files\": each needs"},
    {"{\"files\": [{\"name\": \"a\", \"type_url\": \"t\", \"sizes\": [1, 1]}]}\nx",
     "\"files\": each needs"},
    {"{\"clients\": [\"nobody\"]}\n", "unknown client \"nobody\""},
    {"{\"clients\": [7]}\n", "clients: a name is a text"},
    {"{\"clients\": \"go\"}\n", "clients: is not a list"},
    {"{\"env\": [\"X=1\"]}\n", "env: 'X=1' is not known"},
    {"{\"with\": [\"x\"]}\n", "with: 'x' is not known"},
    {"{\"type\": \"x\"}\n", "type: 'x' is not known"},
    {"{\"format\": \"x\"}\n", "format: 'x' is not known"},
};

Test(bindings, a_request_that_is_not_one_is_refused)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        cr_expect_eq(xdscope_lint(refused[i].request, strlen(refused[i].request)), 2,
                     "%s", refused[i].request);
        cr_expect(says(refused[i].answer), "%s: %.*s", refused[i].request,
                  (int)xdscope_output_size(), xdscope_output());
    }
}

Test(bindings, messages_and_files_are_judged_together)
{
    cr_expect_eq(xdscope_lint(whole, sizeof whole - 1), 1, "%.*s",
                 (int)xdscope_output_size(), xdscope_output());
    cr_expect(says("\"clients\":[\"core\",\"go@1.72.2\"]") || says("go@1.72"));
    cr_expect(says("\"rule\":\"cluster-discovery-type\""));
    cr_expect(says("\"name\":\"d\""));
}

static const char folder[] =
    "{\"files\": [{\"name\": \"d\", \"files\": [{\"name\": \"d/bootstrap.json\", "
    "\"size\": 66}, {\"name\": \"d/values.yaml\", \"size\": 12}]}]}\n"
    "{\"xds_servers\": [{\"server_uri\": \"a:1\", \"channel_creds\": \"none\"}]}\n"
    "replicas: 2\n";

Test(bindings, a_folder_has_a_bootstrap_and_files_that_are_not_xds)
{
    static const char empty[] = "{\"files\": [{\"name\": \"d\", \"files\": []}]}\n";

    cr_expect_eq(xdscope_lint(folder, sizeof folder - 1), 1);
    cr_expect(says("\"bootstraps_nacked\":1"), "%.*s", (int)xdscope_output_size(),
              xdscope_output());
    cr_expect(says("\"rule\":\"file-not-xds\",\"level\":\"note\""));
    cr_expect_eq(xdscope_lint(empty, sizeof empty - 1), 0);
    cr_expect(says("\"rule\":\"no-resources\""), "%.*s", (int)xdscope_output_size(),
              xdscope_output());
}

Test(bindings, explain_and_diff_need_what_they_ask_about)
{
    static const char none[] = "{\"files\": []}\n",
                      bare[] =
                          "{\"files\": [{\"name\": \"d.yaml\", \"size\": 128}]}\n" YAML,
                      added[] = "{\"files\": [{\"name\": \"d.yaml\", \"size\": 128}], "
                                "\"old\": [{\"name\": \"s\", \"type_url\": \"" URL
                                "\", \"sizes\": [5]}]}\n" YAML CLUSTER;

    cr_expect_eq(xdscope_explain(bare, sizeof bare - 1), 2);
    cr_expect(says("\"request\" is missing"));
    cr_expect_eq(xdscope_diff(none, sizeof none - 1), 2);
    cr_expect(says("two clients or releases"));
    cr_expect_eq(xdscope_diff(added, sizeof added - 1), 1);
    cr_expect(says("\"change\":\"added\""));
}

/* None of them is left out silently. */
Test(bindings, an_rpc_and_a_diff_of_snapshots_are_of_one_client)
{
    cr_expect_eq(xdscope_explain(whole, sizeof whole - 1), 2);
    cr_expect(says("several are named"));
    cr_expect_eq(xdscope_diff(whole, sizeof whole - 1), 2);
    cr_expect(says("several are named"));
}

/* xorshift: the same numbers in each run. */
static size_t random_below(uint64_t *state, size_t bound)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (size_t)(*state % bound);
}

/* Each in memory of its own size, so that sanitizers see what is read beyond it. */
Test(bindings, changed_requests_do_no_harm)
{
    uint64_t random = 7;

    for (size_t i = 0; i < 3000; i++) {
        size_t size = sizeof whole - 1;
        char text[sizeof whole];

        memcpy(text, whole, sizeof whole);
        for (size_t n = 1 + random_below(&random, 4); n > 0; n--) {
            text[random_below(&random, size)] =
                "0123456789-[]{}\",:\n\x12\xff"[random_below(&random, 21)];
            if (random_below(&random, 4) == 0)
                size -= random_below(&random, size / 4);
        }
        char *copy = xdscope_alloc(size);

        memcpy(copy, text, size);
        const int status = calls[i % 3](copy, size);

        xdscope_free(copy);
        cr_expect(status >= 0 && status <= 3 && xdscope_output_size() > 0);
    }
}
