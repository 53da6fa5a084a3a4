/* cmd_fetch.c - xdscope fetch: what a running client or a control plane holds. */
#include "cli/fetch.h"
#include "cli/format.h"
#include "cli/output.h"

#include <stdlib.h>

struct fetch_settings {
    struct peer_common reach;
    const char *format;
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
     .help = "ask a control plane what the client with this node id holds"},
};

static const struct option_group fetch_options = {rows, ARRAY_LEN(rows)};

/* What a kind of bytes is written by, as JSON and the like. */
typedef enum xds_status convert_fn(struct xds_slice bytes,
                                   const struct xds_convert_options *options,
                                   const struct xds_printer *to, size_t *lost);

static convert_fn *const converts[FETCH_KINDS] = {[FETCH_CSDS] = xds_convert_status};

struct writing {
    const struct command *self;
    const struct fetch_settings *settings;
    convert_fn *convert;
    enum xds_format format;
    bool may_choose; /* nobody asked for this format */
};

static int put_bytes(const struct writing *w, struct xds_slice bytes)
{
    struct output out;
    const int status = output_open(&out, w->self, &w->settings->reach.common, false);

    if (status != EXIT_CLEAN)
        return status;
    const bool good = out.printer.write(out.printer.user, bytes.data, bytes.len);

    return output_close(&out, good ? XDS_OK : XDS_ERR_IO);
}

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
        return put_bytes(w, bytes);
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

    switch (w->convert(bytes, &options, &printer, &lost)) {
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
        return put_bytes(w, bytes);
    case XDS_END:
    case XDS_ERR_USAGE:
        break;
    }
    return trouble(w->self, "the answer is not the message that was asked for");
}

static int put(const struct writing *w, struct xds_slice bytes)
{
    if (w->format == XDS_FORMAT_BINARY)
        return put_bytes(w, bytes);

    FILE *spool = tmpfile();

    if (!spool)
        return trouble_errno(w->self, "temporary file");
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

static int run(const struct command *self, void *arg, const struct operands *operands)
{
    const struct fetch_settings *settings = arg;
    struct writing writing = {.self = self, .settings = settings};
    struct xds_slice bytes;
    enum fetch_kind kind;

    if (operands->n != 2)
        return usage_error(self, "needs a service and an address: csds HOST:PORT");
    if (!fetch_kind_of_name(self, slice_of(operands->items[0]), &kind) ||
        !read_format(&writing))
        return EXIT_USAGE;
    writing.convert = converts[kind];

    int status = fetch(self, &settings->reach, kind, operands->items[1], &bytes);

    if (status == EXIT_CLEAN)
        status = put(&writing, bytes);
    if (status == EXIT_CLEAN && bytes.len == 0) {
        note(&writing, "the answer is empty: no client, or one that never asked for xDS");
        status = EXIT_FINDINGS;
    }
    free((void *)(uintptr_t)bytes.data);
    return status;
}

const struct command cmd_fetch = {
    .name = "fetch",
    .operands = "csds HOST:PORT",
    .summary = "what a running client or a control plane holds",
    .operand_kind = OPERANDS_WORDS,
    .operand_words = fetch_kinds,
    .groups = (const struct option_group *const[]){&fetch_options, &peer_options,
                                                   &common_options, NULL},
    .settings_size = sizeof(struct fetch_settings),
    .examples = "fetch csds localhost:50051 -o client.json\n"
                "fetch csds --tls --node shop-client-1 istiod:15012",
    .run = run,
};
