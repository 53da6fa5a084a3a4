/* cmd_fetch.c - xdscope fetch: what a running client holds, or a control plane serves. */
#include "cli/fetch/fetch.h"
#include "cli/files/format.h"
#include "cli/files/input.h"
#include "cli/files/output.h"

#include <stdlib.h>
#include <string.h>

struct fetch_settings {
    struct peer_common reach;
    struct text_list env;
    const char *format, *bootstrap;
    bool bootstrap_env;
};

static const struct option rows[] = {
    {VALUE_ROW(TEXT, fetch_settings, format, "format", "NAME"), .letter = 'f',
     .words = format_words,
     .help = "json, yaml, textproto or binary; default: by the extension of --output, "
             "else json, or binary if JSON would lose something"},
    {VALUE_ROW(LIST, fetch_settings, reach.peer.headers, "header", "NAME: VALUE"),
     .letter = 'H', .reach = COMMAND_LINE_ONLY,
     .help = "send a header; @FILE: one on each line of the file; may be repeated"},
    {VALUE_ROW(TEXT, fetch_settings, reach.peer.node, "node", "ID"),
     .reach = COMMAND_LINE_ONLY,
     .help = "csds: ask a control plane what the client with this node id holds; ads: "
             "ask with this node id"},
    {VALUE_ROW(TEXT, fetch_settings, reach.ads.node_cluster, "node-cluster", "NAME"),
     .reach = COMMAND_LINE_ONLY, .help = "ads: ask with this cluster of the node"},
    {VALUE_ROW(TEXT, fetch_settings, bootstrap, "bootstrap", "FILE"),
     .argument = ARGUMENT_FILE, .reach = COMMAND_LINE_ONLY,
     .help = "ads: the client's gRPC bootstrap (JSON): node, authorities, and the server "
             "where no address is given"},
    {FLAG_ROW(fetch_settings, bootstrap_env, "bootstrap-env"), .reach = COMMAND_LINE_ONLY,
     .help = "ads: the bootstrap that GRPC_XDS_BOOTSTRAP or GRPC_XDS_BOOTSTRAP_CONFIG "
             "has"},
    {VALUE_ROW(LIST, fetch_settings, env, "env", "NAME=VALUE"), .adds = true,
     .check = input_check_env,
     .help = "ads: judge as with this gRPC environment variable; may be repeated"},
    {FLAG_ROW(fetch_settings, reach.ads.always_ack, "always-ack"),
     .reach = COMMAND_LINE_ONLY,
     .help = "ads: accept and keep what the client would reject"},
    {FLAG_ROW(fetch_settings, reach.ads.watch, "watch"), .reach = COMMAND_LINE_ONLY,
     .help =
         "ads: keep asking until an interrupt, and print a line for each response and "
         "each change, with what it does"},
    {FLAG_ROW(fetch_settings, reach.ads.delta, "delta"), .reach = COMMAND_LINE_ONLY,
     .help = "ads: use the incremental protocol, which no gRPC client does"},
};

static const struct option_group fetch_options = {.options = rows, .n = ARRAY_LEN(rows)};

struct writing {
    const struct command *self;
    const struct fetch_settings *settings;
    struct xds_slice versions;
    enum xds_format format;
    bool may_choose; /* no option asks for this format */
};

static void note(const struct writing *w, const char *text)
{
    if (!w->settings->reach.common.quiet)
        warning(w->self, "%s", text);
}

static int put_text(const struct writing *w, struct xds_slice bytes, FILE *spool,
                    size_t lost)
{
    if (lost > 0 && w->may_choose) {
        note(w, "JSON cannot hold all that came: written as binary");
        return output_write(w->self, &w->settings->reach.common, bytes);
    }
    const int status = output_put(w->self, &w->settings->reach.common, spool);

    if (status != EXIT_CLEAN || lost == 0)
        return status;
    (void)trouble(w->self,
                  "%zu part%s of what came left out: the schema has no field for it, or "
                  "the format cannot hold it; -f binary keeps all",
                  lost, lost == 1 ? "" : "s");
    return EXIT_FINDINGS;
}

static int put_converted(const struct writing *w, struct xds_slice bytes, FILE *spool)
{
    const struct xds_convert_options options = {.format = w->format};
    const struct xds_printer printer = {.write = write_file, .user = spool};
    size_t lost;

    switch (xds_convert_status(bytes, &options, &printer, &lost)) {
    case XDS_OK:
        return put_text(w, bytes, spool, lost);
    case XDS_ERR_IO:
        return trouble_errno(w->self, "temporary file");
    case XDS_ERR_NO_MEMORY:
        if (!w->may_choose)
            return trouble(w->self,
                           "what came takes too much memory as %s; -f binary "
                           "writes it as it came",
                           format_words[w->format]);
        note(w, "what came takes too much memory as JSON: written as binary");
        return output_write(w->self, &w->settings->reach.common, bytes);
    case XDS_END:
    case XDS_ERR_USAGE:
        break;
    }
    return trouble(w->self, "the answer is not the message that was asked for");
}

static bool is_folder(const char *output)
{
    const size_t len = output ? strlen(output) : 0;

    return len > 0 && output[len - 1] == '/';
}

static int put(const struct writing *w, struct xds_slice bytes)
{
    const char *output = w->settings->reach.common.output;

    if (is_folder(output))
        return fetch_put_folder(w->self, output, bytes, w->versions, w->format,
                                w->may_choose);
    if (w->format == XDS_FORMAT_BINARY)
        return output_write(w->self, &w->settings->reach.common, bytes);

    FILE *spool = replace_spool(w->self);

    if (!spool)
        return EXIT_TROUBLE;
    const int status = put_converted(w, bytes, spool);

    (void)fclose(spool);
    return status;
}

static bool read_format(struct writing *w)
{
    if (w->settings->format)
        return format_of_name(w->self, w->settings->format, &w->format);
    w->may_choose = !format_of_ending(w->settings->reach.common.output, &w->format);
    if (w->may_choose)
        w->format = XDS_FORMAT_JSON;
    return true;
}

static int read_variables(const struct command *self, struct xds_parsed **bootstrap)
{
    const char *path = getenv("GRPC_XDS_BOOTSTRAP");
    const char *text = getenv("GRPC_XDS_BOOTSTRAP_CONFIG");

    if (path && *path != '\0')
        return slurp_json(self, path, bootstrap);
    if (!text || *text == '\0')
        return usage_error(self, "--bootstrap-env: neither GRPC_XDS_BOOTSTRAP nor "
                                 "GRPC_XDS_BOOTSTRAP_CONFIG is set");
    return xds_parse(XDS_FORMAT_JSON, slice_of(text), bootstrap) == XDS_OK
               ? EXIT_CLEAN
               : trouble(self, "out of memory");
}

static const char *name_of_bootstrap(const struct fetch_settings *settings)
{
    const char *path = getenv("GRPC_XDS_BOOTSTRAP");

    if (!settings->bootstrap_env)
        return settings->bootstrap;
    return path && *path != '\0' ? path : "GRPC_XDS_BOOTSTRAP_CONFIG";
}

static int read_bootstrap(const struct command *self,
                          const struct fetch_settings *settings,
                          struct xds_parsed **bootstrap)
{
    if (settings->bootstrap && settings->bootstrap_env)
        return usage_error(self, "--bootstrap and --bootstrap-env: one of them");
    if (settings->bootstrap_env)
        return read_variables(self, bootstrap);
    return settings->bootstrap ? slurp_json(self, settings->bootstrap, bootstrap)
                               : EXIT_CLEAN;
}

static int fetch_and_put(struct writing *w, struct fetch_request *request)
{
    struct xds_slice bytes;

    if (is_folder(w->settings->reach.common.output))
        request->versions = &w->versions;
    int status = fetch(w->self, &w->settings->reach, request, &bytes);

    if (w->settings->reach.ads.watch)
        return status;
    if (status <= EXIT_FINDINGS)
        status = worse(status, put(w, bytes));
    if (status == EXIT_CLEAN && bytes.len == 0) {
        note(w, "the answer is empty: no client, or one that never asked for xDS");
        status = EXIT_FINDINGS;
    }
    free((void *)(uintptr_t)w->versions.data);
    free((void *)(uintptr_t)bytes.data);
    return status;
}

static int run(const struct command *self, void *arg, const struct operands *operands)
{
    const struct fetch_settings *settings = arg;
    const bool has_bootstrap = settings->bootstrap || settings->bootstrap_env;
    struct writing writing = {.self = self, .settings = settings};
    struct xds_options options;
    struct xds_parsed *bootstrap = NULL;
    struct fetch_request request = {.options = &options};

    if (operands->n != 2 && (operands->n != 1 || !has_bootstrap))
        return usage_error(
            self, "needs a service and an address: csds HOST:PORT or ads HOST:PORT");
    if (!fetch_kind_of_name(self, slice_of(operands->items[0]), &request.kind) ||
        !read_format(&writing))
        return EXIT_USAGE;
    if (has_bootstrap && request.kind != FETCH_ADS)
        return usage_error(self, "--bootstrap is for ads");
    if (settings->reach.ads.targets.n > 0 && request.kind != FETCH_ADS)
        return usage_error(self, "--target is for ads");
    if (settings->reach.ads.watch && request.kind != FETCH_ADS)
        return usage_error(self, "--watch is for ads");
    if (settings->env.n > 0 && request.kind != FETCH_ADS)
        return usage_error(self, "--env is for ads");
    if (settings->reach.ads.watch && (settings->reach.common.output || settings->format))
        return usage_error(self, "--watch prints lines: without --output and --format");
    if (!input_set_env(self, &settings->env, &options))
        return EXIT_USAGE;
    request.address = operands->n == 2 ? operands->items[1] : NULL;
    int status = read_bootstrap(self, settings, &bootstrap);

    request.bootstrap = bootstrap;
    request.bootstrap_name = name_of_bootstrap(settings);
    if (status == EXIT_CLEAN)
        status = fetch_and_put(&writing, &request);
    xds_parsed_free(bootstrap);
    return status;
}

const struct command cmd_fetch = {
    .name = "fetch",
    .operands = "csds|ads HOST:PORT",
    .summary = "fetch what a running client holds, or a control plane serves",
    .operand_kind = OPERANDS_WORDS,
    .operand_words = fetch_kinds,
    .groups = (const struct option_group *const[]){&target_options, &ads_options,
                                                   &fetch_options, &peer_options,
                                                   &common_options, NULL},
    .settings_size = sizeof(struct fetch_settings),
    .examples = "fetch csds localhost:50051 -o client.json\n"
                "fetch csds --ca ca.pem shop-0.shop:50051 -o shop-0.json\n"
                "fetch ads localhost:18000 --target xds:///shop -o shop.json\n"
                "fetch ads localhost:18000 --target xds:///shop --as go@1.72 -o shop/\n"
                "fetch ads localhost:18000 --target xds:///shop --watch",
    .run = run,
};
