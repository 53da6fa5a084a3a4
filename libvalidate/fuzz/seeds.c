/*
 * seeds.c - from the cases to the seeds and the dictionary of the fuzz targets.
 *
 * below; folders of cases. Gives:  OUT/TYPE/HASH, the wire form of each resource that
 * is in an input file of a case, with a name, so that the others can refer to it;
 * OUT/textproto/HASH, the text protos; OUT/config/HASH, the files of --check and
 * --previous, and what -f json prints of configs; OUT/scenario/HASH, the input files of
 * cases of simulate; OUT/forms/HASH, each resource in an Any; OUT/routes/HASH, each
 *         RouteConfiguration with a path; OUT/cookie/HASH, the cookies of the command
 *         lines; OUT/regex/HASH, the patterns; OUT/cli/HASH, cases as sections.h has
 * them, some of them; OUT/dictionary, the type URLs that decode/ knows and the words of
 * configs and scenarios.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "cli/dev/test/case.h"
#include "cli/dev/test/case_input.h"
#include "decode/decode.h"
#include "convert/pack.h"

static const char *const folders[] = {
    [XDS_TYPE_LISTENER] = "listener",
    [XDS_TYPE_ROUTE] = "route",
    [XDS_TYPE_CLUSTER] = "cluster",
    [XDS_TYPE_ENDPOINT] = "endpoint",
};

static const ProtobufCMessageDescriptor *const messages[] = {
#define XDS_MESSAGE(descriptor) &descriptor,
#include "all_messages.inc"
#undef XDS_MESSAGE
};

/* Keys, policies, events, states and what else configs and scenarios are made of. */
static const char *const words[] = {
    "A55",
    "A75",
    "CONNECTING",
    "IDLE",
    "READY",
    "TRANSIENT_FAILURE",
    "action",
    "actual_address_list",
    "address",
    "addresses",
    "advance",
    "authority",
    "cancel",
    "cds_child_names",
    "cds_experimental",
    "channel",
    "child",
    "childPolicy",
    "child_creates",
    "child_names",
    "child_numbers",
    "child_picks",
    "child_policy",
    "child_releases",
    "child_reports",
    "child_reresolution",
    "child_retention",
    "child_state",
    "children",
    "client",
    "cluster",
    "clusterName",
    "cluster_impl_experimental",
    "clusters",
    "config",
    "config_selector",
    "config_update",
    "connect",
    "connection",
    "cookie",
    "cookie_addresses",
    "cookie_cluster",
    "cookie_from",
    "discoveryMechanisms",
    "disconnect",
    "drain_grace_time",
    "eds_update",
    "endpoints",
    "env",
    "event",
    "exists",
    "expect",
    "failover_timeout",
    "generation",
    "headers",
    "health",
    "hold",
    "idle_timeout",
    "ignore_reresolution_requests",
    "lb_policy",
    "leaves",
    "listeners",
    "loadBalancingConfig",
    "localities",
    "match_fraction",
    "methodConfig",
    "name",
    "next",
    "number",
    "outlier_detection_experimental",
    "override_host_status",
    "path",
    "peer",
    "peer_san",
    "pick",
    "pick_first",
    "picker",
    "plugin",
    "prefix",
    "priorities",
    "policy",
    "priority",
    "priority_experimental",
    "random",
    "regex_match",
    "reported",
    "reset",
    "resource_type",
    "resources",
    "response",
    "retryPolicy",
    "ring_hash_experimental",
    "round_robin",
    "route",
    "routes",
    "rpc",
    "rpc_commit",
    "rpc_end",
    "attempt_fails",
    "rpc_select",
    "rpc_start",
    "scenario",
    "server",
    "service_config",
    "snapshot",
    "state",
    "steps",
    "sub_zone",
    "subchannel_state",
    "subject",
    "target",
    "targets",
    "type",
    "update",
    "watch",
    "watcher",
    "weight",
    "weighted:A_B_1",
    "weighted_clusters",
    "weighted_round_robin",
    "weighted_target",
    "weighted_target_experimental",
    "xds_client",
    "xds_cluster_impl_experimental",
    "xds_cluster_manager_experimental",
    "xds_cluster_resolver_experimental",
    "xds_override_host",
    "xds_override_host_experimental",
    "xds_remove",
    "xds_routing_experimental",
    "xds_update",
    "xds_wrr_locality_experimental",
};

static FILE *must_open(const char *path)
{
    FILE *file = fopen(path, "wb");

    if (!file) {
        perror(path);
        exit(1);
    }
    return file;
}

/* Named after what is in it. */
static FILE *open_seed(const char *out, const char *folder, const void *data, size_t len)
{
    char path[512];

    snprintf(path, sizeof path, "%s/%s/%016llx", out, folder,
             (unsigned long long)XXH64(data, len, 0));
    return must_open(path);
}

static void write_dictionary(const char *out)
{
    char path[512];

    snprintf(path, sizeof path, "%s/dictionary", out);
    FILE *file = must_open(path);
    for (size_t i = 0; i < XDS_ARRAY_LEN(messages); i++)
        if (xds_any_registry(xds_slice_of(messages[i]->name)) == messages[i])
            fprintf(file, "\"type.googleapis.com/%s\"\n", messages[i]->name);
    for (size_t i = 0; i < XDS_ARRAY_LEN(words); i++)
        fprintf(file, "\"%s\"\n", words[i]);
    fclose(file);
}

/* ---- one resource ---- */

struct job {
    const struct xds_resource *in;
    struct xds_report *report;
    struct xds_arena arena;
    const char *out;
};

/* The name is the first field of all four. */
static bool is_nameless(const pb_any *any)
{
    return any->value.len == 0 || any->value.data[0] != 0x0a;
}

static void write_seed(const struct job *job, enum xds_resource_type type,
                       const pb_any *any)
{
    static const unsigned char name[] = {0x0a, 1, 'n'};
    FILE *file = open_seed(job->out, folders[type], any->value.data, any->value.len);

    fwrite(any->value.data, 1, any->value.len, file);
    if (is_nameless(any))
        fwrite(name, 1, sizeof name, file);
    fclose(file);
}

static void put_field(FILE *file, int number, const void *data, size_t len)
{
    size_t rest = len;

    fputc(number << 3 | 2, file);
    for (; rest > 0x7f; rest >>= 7)
        fputc((int)(rest & 0x7f) | 0x80, file);
    fputc((int)rest, file);
    fwrite(data, 1, len, file);
}

static void write_any(const struct job *job, const struct xds_any *root)
{
    const pb_any *any = &root->pb;
    FILE *file = open_seed(job->out, "forms", any->value.data, any->value.len);

    put_field(file, 1, root->type.data, root->type.len);
    put_field(file, 2, any->value.data, any->value.len);
    fclose(file);
}

static void write_routes(const struct job *job, const pb_any *any)
{
    static const char path[] = "/pkg.Svc/Get";
    FILE *file = open_seed(job->out, "routes", any->value.data, any->value.len);

    put_field(file, 1, any->value.data, any->value.len);
    put_field(file, 2, path, sizeof path - 1);
    put_field(file, 3, "x-env: prod", 11);
    fclose(file);
}

static void decode_and_write(void *arg)
{
    struct job *job = arg;
    struct xds_any root = {0};
    const uint32_t resource =
        xds_report_add_resource(job->report, XDS_S(""), XDS_S(""), job->in->at);

    if (!xds_decode(job->in, resource, job->report, &job->arena, &root) ||
        root.state != XDS_ANY_TYPED)
        return;
    const enum xds_resource_type type = xds_resource_type_of(root.type);
    if (type == XDS_TYPE_UNKNOWN)
        return;
    xds_pack((struct xds_packer){&job->arena, NULL}, &root);
    write_seed(job, type, &root.pb);
    write_any(job, &root);
    if (type == XDS_TYPE_ROUTE)
        write_routes(job, &root.pb);
}

/* ---- the resources of a case ---- */

static void each_resource(struct job *job, struct xds_source *source)
{
    struct xds_arena *const arenas[] = {&job->arena, &job->report->arena};
    struct xds_resource resource;

    job->in = &resource;
    while (xds_source_next(source, &resource) == XDS_OK) {
        xds_arena_reset(&job->arena);
        (void)!xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), decode_and_write, job);
    }
}

static enum xds_resource_type type_of_args(const struct case_section *args)
{
    const char *at = args ? strstr(args->text, "--type ") : NULL;

    return at ? xds_resource_type_from_name(
                    xds_slice_make(at + 7, strcspn(at + 7, " \n")))
              : XDS_TYPE_UNKNOWN;
}

static bool is_input(const struct case_section *section)
{
    const struct xds_slice name = xds_slice_of(section->name);

    return xds_slice_ends(name, XDS_S(".yaml")) || xds_slice_ends(name, XDS_S(".json")) ||
           xds_slice_ends(name, XDS_S(".binpb"));
}

static void run_section(struct job *job, const struct case_file *c,
                        const struct case_section *section)
{
    struct xds_options options;

    xds_options_init(&options);
    job->report = xds_report_new(&options);
    struct xds_source *source =
        xds_source_new(job->report, type_of_args(case_find(c, "args")));
    if (xds_source_add_bytes(source, section->name,
                             xds_slice_make(section->text, section->len)) == XDS_OK)
        each_resource(job, source);
    xds_source_free(source);
    xds_report_free(job->report);
}

/* ---- configs ---- */

static bool has_option(const struct case_section *args, const char *option)
{
    return args && strstr(args->text, option);
}

/* A file that --check or --previous names, or a config that was printed. */
static bool is_config(const struct case_file *c, const struct case_section *section)
{
    const struct case_section *args = case_find(c, "args");

    if (strcmp(section->name, "stdout") == 0)
        return has_option(args, "-config ") && has_option(args, "-f json");
    return xds_slice_ends(xds_slice_of(section->name), XDS_S(".json")) &&
           (has_option(args, "--check ") || has_option(args, "--previous "));
}

static bool is_text_proto(const struct case_section *section)
{
    const struct xds_slice name = xds_slice_of(section->name);

    return xds_slice_ends(name, XDS_S(".txtpb")) ||
           xds_slice_ends(name, XDS_S(".textproto"));
}

static bool is_of_simulate(const struct case_file *c)
{
    const struct case_section *args = case_find(c, "args");

    return args && strncmp(args->text, "simulate", 8) == 0;
}

/* A seed as it is in the case. */
static void write_as_is(const char *out, const char *folder, const char *text, size_t len)
{
    FILE *file = open_seed(out, folder, text, len);

    fwrite(text, 1, len, file);
    fclose(file);
}

static void write_section(const char *out, const char *folder,
                          const struct case_section *section)
{
    write_as_is(out, folder, section->text, section->len);
}

/* What is after each `key`, up to the end of the word or the quotes. */
static void write_behind(const char *out, const char *folder, const char *text,
                         const char *key)
{
    while ((text = strstr(text, key))) {
        text += strlen(key);
        const char *ends = *text == '"' ? "\"\n" : *text == '\'' ? "'\n" : " ,}\n";

        text += *text == '"' || *text == '\'';
        write_as_is(out, folder, text, strcspn(text, ends));
    }
}

/* ---- the program ---- */

/* So large, and so many of them: each run of the program takes its time. */
enum { MOST_OF_CASE = 4096, ONE_OF = 4 };

static bool write_section_of(FILE *file, const struct case_section *section)
{
    char *name = case_input_name(section);
    const bool ok =
        fprintf(file, "-- %s --\n", name) > 0 && case_append_input(file, section);

    free(name);
    return ok;
}

/* Without what is expected of it. */
static void write_case(const char *out, const struct case_file *c)
{
    char *text = NULL;
    size_t len = 0;
    bool ok = true;
    FILE *file = open_memstream(&text, &len);

    for (size_t i = 0; i < c->n; i++)
        if (!case_is_expected(c->section[i].name) &&
            strcmp(c->section[i].name, "after") != 0)
            ok &= write_section_of(file, &c->section[i]);
    fclose(file);
    if (ok && len < MOST_OF_CASE && XXH64(text, len, 0) % ONE_OF == 0)
        write_as_is(out, "cli", text, len);
    free(text);
}

static void run_case(struct job *job, const char *path)
{
    struct case_file c;

    if (!case_read(path, &c))
        exit(1);
    const bool simulates = is_of_simulate(&c);

    write_case(job->out, &c);
    for (size_t i = 0; i < c.n; i++) {
        if (is_text_proto(&c.section[i]))
            write_section(job->out, "textproto", &c.section[i]);
        else if (is_config(&c, &c.section[i]))
            write_section(job->out, "config", &c.section[i]);
        else if (simulates && is_input(&c.section[i]))
            write_section(job->out, "scenario", &c.section[i]);
        else if (is_input(&c.section[i]))
            run_section(job, &c, &c.section[i]);
        write_behind(job->out, "regex", c.section[i].text, "regex: ");
        write_behind(job->out, "cookie", c.section[i].text, "cookie decode ");
        write_behind(job->out, "cookie", c.section[i].text, "sid=");
    }
    case_release(&c);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: seeds OUT FOLDER...\n");
        return 2;
    }
    struct job job = {.out = argv[1]};

    write_dictionary(job.out);
    xds_arena_init(&job.arena, 0);
    for (int i = 2; i < argc; i++) {
        char **paths = case_list(argv[i]);

        for (size_t k = 0; paths[k]; k++) {
            run_case(&job, paths[k]);
            free(paths[k]);
        }
        free(paths);
    }
    xds_arena_release(&job.arena);
    return 0;
}
