/* cmd_lsp.c - xdscope lsp: findings, facts and fixes in an editor. */
#include "cli/lsp/lsp.h"

#include <stdlib.h>

static bool check_clients(const struct command *self, const char *value)
{
    const struct text_list one = {.items = &value, .n = 1};
    struct xds_options asked;

    return ask_clients(self, &one, &asked);
}

static const struct option rows[] = {
    {VALUE_ROW(LIST, lsp_settings, clients, "client", "LIST"),
     .words = client_or_all_words, .check = check_clients,
     .help = "clients whose verdict counts, as for lint: {words} (default), go@1.64, "
             "all@3y; separated by commas or repeated"},
    {VALUE_ROW(TEXT, lsp_settings, config, "config", "FILE"), .argument = ARGUMENT_FILE,
     .help = "read settings from FILE instead of the xdscope.conf of the workspace"},
};

static const struct option_group lsp_options = {.options = rows, .n = ARRAY_LEN(rows)};

/* In a text that is edited a large resource is what changes. */
enum { REMEMBERED = 64 << 10 };

static int run(const struct command *self, void *arg, const struct operands *operands)
{
    const struct lsp_settings *settings = arg;
    struct lsp_server server = {.command = self, .settings = settings};
    struct xds_options asked;

    if (operands->n > 0)
        return usage_error(self, "takes no operands; an editor starts it and sends "
                                 "documents on standard input");
    if (!ask_clients(self, &settings->clients, &asked))
        return EXIT_USAGE;
    server.memo = xds_memo_new(REMEMBERED);
    const int status = server.memo ? lsp_serve(&server) : trouble(self, "out of memory");

    lsp_documents_release(&server);
    xds_memo_free(server.memo);
    free(server.root);
    free(server.said);
    return status;
}

const struct command cmd_lsp = {
    .name = "lsp",
    .operands = "",
    .summary = "serve an editor as its language server, on standard input and output",
    .operand_kind = OPERANDS_WORDS,
    .groups = (const struct option_group *const[]){&lsp_options, &common_options, NULL},
    .settings_size = sizeof(struct lsp_settings),
    .examples = "lsp --client go,java",
    .run = run,
};
