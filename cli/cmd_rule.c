/*
 * cmd_rule.c - xdscope rule: all rules, one in full, a row of the spec, the statements of
 * a document, or the rules of a log line and where a snapshot breaks them.
 */
#include "cli/files/input.h"
#include "cli/files/output.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FORMAT_TEXT, FORMAT_JSON };

struct rule_settings {
    struct input_settings input;
    struct text_list clients;
    const char *from_log, *spec, *document;
    unsigned format;
    bool man;
};

static const char *const format_words[] = {
    [FORMAT_TEXT] = "text", [FORMAT_JSON] = "json", NULL};

static bool check_clients(const struct command *self, const char *value)
{
    const struct text_list one = {.items = &value, .n = 1};
    struct xds_options asked;

    return ask_clients(self, &one, &asked);
}

static const struct option rows[] = {
    {VALUE_ROW(TEXT, rule_settings, from_log, "from-log", "TEXT|FILE"),
     .argument = ARGUMENT_FILE,
     .help =
         "find the rules of a NACK message, the causes of the status text of an RPC, or "
         "those of a log, and with a SNAPSHOT the places in it that are meant; - reads "
         "standard input"},
    {VALUE_ROW(TEXT, rule_settings, spec, "spec", "ID"),
     .help = "facts about gRPC's clients: a row (G31, cluster 1.4/5), a section "
             "(routing 2.4) or a page (cluster)"},
    {VALUE_ROW(TEXT, rule_settings, document, "document", "NAME"),
     .help = "a gRFC statement by statement, such as A75: the case that holds each, and "
             "which clients do so"},
    {VALUE_ROW(LIST, rule_settings, clients, "client", "LIST"),
     .words = client_or_all_words, .check = check_clients,
     .help =
         "clients by whose rules the snapshot beside --from-log is judged, as in lint: "
         "{words} (default), with releases or without; help lists them"},
    {VALUE_ROW(WORD, rule_settings, format, "format", "NAME"), .letter = 'f',
     .words = format_words, .help = "{words} (default: text)"},
    {FLAG_ROW(rule_settings, man, "man"), .hidden = true,
     .help = "print the man page of all rules"},
};

static const struct option_group rule_options = {.options = rows, .n = ARRAY_LEN(rows)};

/* Why RPCs fail, by the name that --from-log prints. */
static int show_failure(const struct command *self, const struct rule_settings *settings,
                        const char *name)
{
    const bool json = settings->format == FORMAT_JSON;
    const char *hint;
    const struct xds_rpc_failure *failure = xds_rpc_failure_find(slice_of(name), &hint);
    struct output out;
    const int status = output_open(&out, self, &settings->input.common, !json);

    if (status != EXIT_CLEAN)
        return status;
    return output_close(&out, json ? xds_print_failure_json(&out.printer, failure)
                                   : xds_print_failure(&out.printer, failure));
}

static int show_rule(const struct command *self, const struct rule_settings *settings,
                     const struct xds_rule *rule)
{
    const bool json = settings->format == FORMAT_JSON;
    struct output out;
    const int status = output_open(&out, self, &settings->input.common, !json);

    if (status != EXIT_CLEAN)
        return status;
    return output_close(&out, json ? xds_print_rule_json(&out.printer, rule)
                                   : xds_print_rule(&out.printer, rule));
}

/* Those that have all words: without words, all. */
static int list_rules(const struct command *self, const struct rule_settings *settings,
                      struct xds_words words)
{
    const bool json = settings->format == FORMAT_JSON;
    struct output out;
    const int status =
        output_open(&out, self, &settings->input.common, !settings->man && !json);

    if (status != EXIT_CLEAN)
        return status;
    return output_close(&out, settings->man ? xds_print_rules_man(&out.printer)
                              : json        ? xds_print_rules_json(&out.printer, words)
                                            : xds_print_rules(&out.printer, words));
}

static bool is_in_a_rule(struct xds_words words)
{
    size_t n;
    const struct xds_rule *rules = xds_rules(&n);

    for (size_t i = 0; i < n; i++)
        if (xds_rule_has(&rules[i], words))
            return true;
    return xds_rpc_failure_next(NULL, words) != NULL;
}

/* The name of a rule or a failure, or words to look for. */
static int show_rules(const struct command *self, const struct rule_settings *settings,
                      const struct operands *operands)
{
    const struct xds_words words = {(const char *const *)operands->items, operands->n};
    const char *hint = NULL, *other = NULL;

    if (words.n == 1) {
        const struct xds_slice name = slice_of(words.items[0]);
        const struct xds_rule *rule = xds_rule_find(name, &hint);

        if (rule)
            return show_rule(self, settings, rule);
        if (xds_rpc_failure_find(name, &other))
            return show_failure(self, settings, words.items[0]);
    }
    if (is_in_a_rule(words))
        return list_rules(self, settings, words);
    if (words.n == 1)
        return unknown_error(self, "rule", slice_of(words.items[0]), hint ? hint : other,
                             "no rule has this word; xdscope rule lists them");
    return usage_error(
        self, "no rule has all of these %zu words; xdscope rule lists them", words.n);
}

/* One line: the documents are few. */
static int unknown_document(const struct command *self, const char *name,
                            const char *hint)
{
    const struct xds_grfc *document = NULL;
    char known[64] = "";
    size_t len = 0;

    while ((document = xds_document_next(document)) && len < sizeof known)
        len += (size_t)snprintf(known + len, sizeof known - len, "%s%s",
                                len > 0 ? ", " : "", xds_document_name(document));
    return usage_error(self, "unknown document '%s'%s%s%s (known: %s)", name,
                       hint ? "; did you mean '" : "", hint ? hint : "", hint ? "'?" : "",
                       known);
}

static int show_document(const struct command *self, const struct rule_settings *settings)
{
    const bool json = settings->format == FORMAT_JSON;
    const char *hint;
    const struct xds_grfc *document =
        xds_document_find(slice_of(settings->document), &hint);
    struct output out;

    if (!document)
        return unknown_document(self, settings->document, hint);
    const int status = output_open(&out, self, &settings->input.common, !json);

    if (status != EXIT_CLEAN)
        return status;
    return output_close(&out, json ? xds_print_document_json(&out.printer, document)
                                   : xds_print_document(&out.printer, document));
}

/* Longer ones are no id. */
#define SPEC_ID_MAX 64

/* An id may be two words: "cluster 1.4/5", or cluster and then 1.4/5. */
static int show_spec(const struct command *self, const struct rule_settings *settings,
                     const struct operands *operands)
{
    const bool json = settings->format == FORMAT_JSON;
    char id[SPEC_ID_MAX];
    const char *hint;
    struct output out;

    (void)snprintf(id, sizeof id, "%s%s%s", settings->spec, operands->n > 0 ? " " : "",
                   operands->n > 0 ? operands->items[0] : "");
    const struct xds_spec *spec = xds_spec_find(slice_of(id), &hint);

    /* Who looks for a gRFC here finds it. */
    if (!spec && xds_document_find(slice_of(id), &hint))
        return usage_error(self, "'%s' is a document: rule --document %s prints it", id,
                           id);
    if (!spec) {
        (void)xds_spec_find(slice_of(id), &hint);
        return unknown_error(self, "row or section", slice_of(id), hint,
                             "ids are such as G31, 'cluster 1.4/5' and 'routing 2.4'");
    }
    const int status = output_open(&out, self, &settings->input.common, !json);

    if (status != EXIT_CLEAN)
        return status;
    return output_close(&out, json ? xds_print_spec_json(&out.printer, spec)
                                   : xds_print_spec(&out.printer, spec));
}

/* All of a file, up to one byte more than a log may have. */
static int read_file(const struct command *self, const char *path, char **buffer,
                     struct xds_slice *text)
{
    const bool is_stdin = strcmp(path, "-") == 0;
    FILE *file = is_stdin ? stdin : fopen(path, "rb");
    int status = EXIT_CLEAN;

    if (!file)
        return trouble_errno(self, path);
    *buffer = malloc(XDS_LOG_TEXT_MAX + 1);
    if (*buffer)
        *text =
            (struct xds_slice){*buffer, fread(*buffer, 1, XDS_LOG_TEXT_MAX + 1, file)};
    else
        status = trouble(self, "out of memory");
    if (ferror(file))
        status = trouble_errno(self, is_stdin ? "standard input" : path);
    if (!is_stdin)
        (void)fclose(file);
    return status;
}

static bool ends_in(const char *text, const char *end)
{
    const size_t len = strlen(text), n = strlen(end);

    return len >= n && strcmp(text + len - n, end) == 0;
}

/* What a client says has blanks. */
static bool is_file_name(const char *text)
{
    if (strcmp(text, "-") == 0)
        return true;
    if (*text == '\0' || text[strcspn(text, " \t\r\n")] != '\0')
        return false;
    return strchr(text, '/') || ends_in(text, ".log") || ends_in(text, ".txt") ||
           ends_in(text, ".json") || access(text, R_OK) == 0;
}

static int read_log(const struct command *self, struct xds_slice text,
                    struct xds_log **log)
{
    switch (xds_log_read(text, log)) {
    case XDS_OK:
        break;
    case XDS_ERR_USAGE:
        return usage_error(
            self, "--from-log takes at most %zu bytes; pass only the part with the error",
            XDS_LOG_TEXT_MAX);
    case XDS_ERR_NO_MEMORY:
    case XDS_ERR_IO:
    case XDS_END:
        return trouble(self, "out of memory");
    }
    return EXIT_CLEAN;
}

static int show_log(const struct command *self, const struct rule_settings *settings,
                    const struct xds_log *log)
{
    const bool json = settings->format == FORMAT_JSON;
    struct output out;
    int status = output_open(&out, self, &settings->input.common, !json);

    if (status != EXIT_CLEAN)
        return status;
    status = output_close(&out, json ? xds_print_log_json(&out.printer, log)
                                     : xds_print_log_text(&out.printer, log));

    /* An empty text has no error to look up. */
    const size_t n = xds_log_errors(log);
    bool found = n + xds_log_statuses(log) > 0;

    if (!json && !settings->input.common.quiet && !found)
        (void)fputs("no error found\n", stderr);

    for (size_t i = 0; i < n; i++)
        found = found && xds_log_error(log, i)->n_matches > 0;
    return worse(status, found ? EXIT_CLEAN : EXIT_FINDINGS);
}

/* The snapshot is kept in *input: places are in its files. */
static int place_log(struct input *input, const struct rule_settings *settings,
                     const struct operands *operands, struct xds_log *log)
{
    const struct command *self = input->command;
    struct input_settings reading = settings->input;
    struct xds_options asked;

    if (!ask_clients(self, &settings->clients, &asked))
        return EXIT_USAGE;
    reading.ask_dump = settings->clients.n == 0;
    const int status = input_read(input, self, &reading, operands, &asked, false);

    if (status == EXIT_USAGE || !input->check)
        return status;
    if (input->no_memory)
        return trouble(self, "out of memory");
    if (xds_report_resources(input->report) == 0)
        return status;
    if (xds_check_place_log(input->check, input->source, log) != XDS_OK)
        return trouble(self, "out of memory");
    return status;
}

/* Who words errors so that the newest releases would not give. */
static unsigned of_older(const struct xds_log *log)
{
    unsigned clients = 0;

    for (size_t i = 0; i < xds_log_errors(log); i++) {
        const struct xds_log_error *error = xds_log_error(log, i);

        const struct xds_log_places *places = &error->places;
        const bool unexplained =
            places->other || (places->looked && places->n == 0 && !places->missing);

        if (unexplained && error->n_matches > 0)
            clients |= error->matches[0].clients;
    }
    return clients & ~(unsigned)XDS_CLIENT_BIT(XDS_CLIENT_GRFC);
}

/* The log is old where the newest release accepts what it says is rejected: the places
 * are then looked for once more, with all releases of these clients. */
static int place_older(struct input *input, const struct rule_settings *settings,
                       const struct operands *operands, struct xds_slice text,
                       struct xds_log **log)
{
    char names[XDS_CLIENTS][sizeof "client@0+"];
    const char *items[XDS_CLIENTS];
    struct rule_settings older = *settings;
    const unsigned clients = of_older(*log);

    if (!clients || settings->clients.n > 0)
        return EXIT_CLEAN;
    for (size_t i = 0; i < operands->n; i++)
        if (strcmp(operands->items[i], "-") == 0)
            return EXIT_CLEAN;
    older.clients = (struct text_list){.items = items};
    for (enum xds_client c = 0; c < XDS_CLIENTS; c++)
        if (clients & XDS_CLIENT_BIT(c)) {
            (void)snprintf(names[c], sizeof names[c], "%s@1.0+", xds_client_name(c));
            items[older.clients.n++] = names[c];
        }
    xds_log_free(*log);
    *log = NULL;
    input_release(input);
    *input = (struct input){.command = input->command};
    const int status = read_log(input->command, text, log);

    return status == EXIT_CLEAN ? place_log(input, &older, operands, *log) : status;
}

static int from_log(const struct command *self, const struct rule_settings *settings,
                    const struct operands *operands)
{
    struct input input = {.command = self};
    struct xds_slice text = slice_of(settings->from_log);
    struct xds_log *log = NULL;
    char *buffer = NULL;
    int status = EXIT_CLEAN;

    if (is_file_name(settings->from_log))
        status = read_file(self, settings->from_log, &buffer, &text);
    if (status == EXIT_CLEAN)
        status = read_log(self, text, &log);
    if (status == EXIT_CLEAN && operands->n > 0)
        status = place_log(&input, settings, operands, log);
    if (status != EXIT_USAGE && log && operands->n > 0)
        status = worse(status, place_older(&input, settings, operands, text, &log));
    if (status != EXIT_USAGE && log)
        status = worse(status, show_log(self, settings, log));
    xds_log_free(log);
    input_release(&input);
    free(buffer);
    return status;
}

/* The name of a rule, and no file: it was not meant as a snapshot. */
static bool is_rule(const struct operands *operands)
{
    const char *hint;

    return operands->n == 1 && access(operands->items[0], R_OK) != 0 &&
           xds_rule_find(slice_of(operands->items[0]), &hint);
}

static int run(const struct command *self, void *arg, const struct operands *operands)
{
    const struct rule_settings *settings = arg;

    if (settings->clients.n == 1 && strcmp(settings->clients.items[0], "help") == 0) {
        print_readers(stdout);
        return EXIT_CLEAN;
    }
    const bool is_id = operands->n > 0 && !settings->from_log;
    const int asked =
        (is_id || settings->spec) + !!settings->from_log + !!settings->document;

    if (asked > 1 || (settings->from_log && is_rule(operands)))
        return usage_error(
            self, "takes a rule, --spec, --document or --from-log, only one of them");
    for (size_t i = 0; settings->from_log && i < operands->n; i++)
        if (strcmp(settings->from_log, "-") == 0 && strcmp(operands->items[i], "-") == 0)
            return usage_error(self, "standard input cannot be both log and snapshot");
    if (settings->document)
        return show_document(self, settings);
    if (settings->from_log)
        return from_log(self, settings, operands);
    if (settings->spec && operands->n > 1)
        return usage_error(self, "--spec takes one id, of one or two words");
    if (settings->spec)
        return show_spec(self, settings, operands);
    return show_rules(self, settings, operands);
}

const struct command cmd_rule = {
    .name = "rule",
    .operands = "[ID | WORD... | SNAPSHOT...]",
    .summary = "explain rules, facts about clients, gRFCs, and lines of a client's log",
    .operand_kind = OPERANDS_RULES,
    .groups = (const struct option_group *const[]){&rule_options, &input_options,
                                                   &jobs_options, &common_options, NULL},
    .settings_size = sizeof(struct rule_settings),
    .examples = "rule domain-repeated\n"
                "rule weight zero\n"
                "rule --from-log client.log snapshot/",
    .run = run,
};
