/* input.c - the options that say what is read and how it is judged, and the reading. */
#define _GNU_SOURCE /* memmem() */
#include "cli/files/input.h"
#include "cli/files/output.h"

#include "cli/files/bootstrap.h"
#include "cli/files/system.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- --jobs ---- */

/* More help little: one thread reads for all of them. */
#define MOST_BY_DEFAULT 16

/* Each thread reserves far more addresses than it uses memory; under "ulimit -v" those
 * would be missing elsewhere. */
static bool is_short_of_addresses(void)
{
    struct rlimit limit;

    return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

static unsigned processors(void)
{
    long n = is_short_of_addresses() ? 1 : system_processors();

    if (n > MOST_BY_DEFAULT)
        n = MOST_BY_DEFAULT;
    return n > 1 ? (unsigned)n : 1;
}

/* 0 when it is no number, or too large a one. */
static unsigned number_of(const char *text)
{
    unsigned number = 0;

    for (; *text >= '0' && *text <= '9' && number <= XDS_MAX_JOBS; text++)
        number = number * 10 + (unsigned)(*text - '0');
    return *text == '\0' && number <= XDS_MAX_JOBS ? number : 0;
}

/* The number of --jobs; without a value, of the processors that this process may use, up
 * to 16. False after a message. */
static bool jobs_read(const struct command *command, const char *value, unsigned *jobs)
{
    *jobs = value ? number_of(value) : processors();
    if (*jobs > 0)
        return true;
    (void)usage_error(command, "--jobs: '%s' is not a number from 1 to %d", value,
                      XDS_MAX_JOBS);
    return false;
}

/* ---- the input ---- */

static bool check_type(const struct command *command, const char *value);
static bool check_part(const struct command *command, const char *value);
static bool check_jobs(const struct command *command, const char *value);

static const char *const type_words[] = {"listener", "route", "cluster", "endpoint",
                                         NULL};
static const char *const part_words[] = {"grpclb", "random-subsetting", "rls", "rls=no",
                                         NULL};

static const struct option rows[] = {
    {VALUE_ROW(TEXT, input_settings, type, "type", "TYPE"), .check = check_type,
     .words = type_words,
     .help = "type of resources that do not name it: listener, route, cluster, endpoint, "
             "or a full type name"},
    {FLAG_ROW(input_settings, allow_unknown_fields, "allow-unknown-fields"),
     .help = "accept fields that the xDS message does not have"},
    {VALUE_ROW(LIST, input_settings, exclude, "exclude", "GLOB"),
     .argument = ARGUMENT_GLOB, .undo = true,
     .help =
         "skip what matches in folders, as a line of .gitignore does; may be repeated"},
    {FLAG_ROW(input_settings, no_gitignore, "no-gitignore"),
     .help = "also read what .gitignore files exclude from folders"},
    {VALUE_ROW(TEXT, input_settings, common.stdin_name, "stdin-name", "NAME"),
     .reach = COMMAND_LINE_ONLY,
     .help = "name of standard input in reports; it may tell the type, as a file's does"},
    {VALUE_ROW(LIST, input_settings, env, "env", "NAME=VALUE"), .adds = true,
     .check = input_check_env,
     .help = "set a gRPC environment variable for the client; may be repeated"},
    {VALUE_ROW(LIST, input_settings, with, "with", "PART"), .adds = true,
     .check = check_part, .words = part_words,
     .help = "a package that the program links beside the xDS client: grpclb, "
             "random-subsetting, rls; PART=no: it does not; may be repeated"},
    {VALUE_ROW(TEXT, input_settings, peer.node, "node", "ID"), .reach = NOT_IN_A_FILE,
     .help = "read only the client with this node id from a dump of several; with "
             "--from, ask the control plane for it"},
    {VALUE_ROW(TEXT, input_settings, bootstrap, "bootstrap", "FILE"),
     .argument = ARGUMENT_FILE, .help = "the client's gRPC bootstrap (JSON)"},
    {FLAG_ROW(input_settings, partial, "partial"),
     .help = "the snapshot is incomplete: report dangling references as notes"},
};

static const struct option jobs_rows[] = {
    {VALUE_ROW(TEXT, input_settings, jobs, "jobs", "N"), .letter = 'j',
     .check = check_jobs,
     .help =
         "judge resources with N threads (default: one per processor, at most 16); the "
         "output is the same for any N"},
};

const struct option_group jobs_options = {
    .options = jobs_rows, .n = ARRAY_LEN(jobs_rows), .title = "Input"};
const struct option_group input_options = {
    .options = rows, .n = ARRAY_LEN(rows), .title = "Input"};
const struct option_group reading_options = {.options = rows, .n = 5, .title = "Input"};

static bool set_env(const struct command *command, struct xds_options *options,
                    const char *assignment)
{
    const char *hint;

    if (xds_options_set_env(options, slice_of(assignment), &hint) == XDS_OK)
        return true;
    if (hint || strchr(assignment, '='))
        (void)unknown_error(command, "gRPC variable in", slice_of(assignment), hint,
                            "no client reads it");
    else
        (void)usage_error(command, "--env: '%s' is not NAME=VALUE", assignment);
    return false;
}

bool input_read_type(const struct command *command, const char *name,
                     enum xds_resource_type *type)
{
    *type = name ? xds_resource_type_from_name(slice_of(name)) : XDS_TYPE_UNKNOWN;
    if (!name || *type != XDS_TYPE_UNKNOWN)
        return true;
    struct hint hint = hint_for(name, strlen(name));

    for (const char *const *word = type_words; *word; word++)
        hint_offer(&hint, *word);
    (void)unknown_error(command, "resource type", slice_of(name), hint.best,
                        "use listener, route, cluster, endpoint or a full type name");
    return false;
}

static bool check_type(const struct command *command, const char *value)
{
    enum xds_resource_type type;

    return input_read_type(command, value, &type);
}

static bool check_jobs(const struct command *command, const char *value)
{
    unsigned jobs;

    return jobs_read(command, value, &jobs);
}

static bool link_part(const struct command *command, struct xds_options *options,
                      const char *part)
{
    if (xds_options_link(options, slice_of(part)) == XDS_OK)
        return true;
    struct hint hint = hint_for(part, strlen(part));

    for (const char *const *word = part_words; *word; word++)
        hint_offer(&hint, *word);
    (void)unknown_error(command, "part of a program", slice_of(part), hint.best,
                        "use grpclb, random-subsetting or rls, or one of them with =no");
    return false;
}

static bool check_part(const struct command *command, const char *value)
{
    struct xds_options options;

    xds_options_init(&options);
    return link_part(command, &options, value);
}

bool input_check_env(const struct command *command, const char *value)
{
    struct xds_options options;

    xds_options_init(&options);
    return set_env(command, &options, value);
}

bool input_set_env(const struct command *command, const struct text_list *env,
                   struct xds_options *options)
{
    xds_options_init(options);
    for (size_t i = 0; i < env->n; i++)
        if (!set_env(command, options, env->items[i]))
            return false;
    return true;
}

int input_options_read(const struct command *command,
                       const struct input_settings *settings,
                       const struct xds_options *asked, struct xds_options *options)
{
    if (!input_set_env(command, &settings->env, options))
        return EXIT_USAGE;
    options->clients = asked->clients;
    options->documents = asked->documents;
    options->known = settings->known;
    options->n_known = settings->n_known;
    options->known_file = settings->known_file;
    memcpy(options->asked, asked->asked, sizeof options->asked);
    memcpy(options->release, asked->release, sizeof options->release);
    for (size_t i = 0; i < settings->with.n; i++)
        if (!link_part(command, options, settings->with.items[i]))
            return EXIT_USAGE;
    options->allow_unknown_fields = settings->allow_unknown_fields;
    options->cosmetic = settings->cosmetic;
    options->partial = settings->partial;
    options->exclude = settings->exclude.items;
    options->n_exclude = settings->exclude.n;
    options->no_gitignore = settings->no_gitignore;
    options->each = settings->each;
    options->role = (enum xds_role)settings->role;
    options->reachable_from = settings->reachable_from.items;
    options->n_reachable_from = settings->reachable_from.n;
    options->stdin_name = settings->common.stdin_name;
    options->node = settings->peer.node;
    options->compare = settings->compare;
    options->bootstraps = settings->bootstraps;
    options->versions = settings->versions;
    return EXIT_CLEAN;
}

int input_read_bootstrap(const struct command *command,
                         const struct input_settings *settings,
                         struct xds_parsed **bootstrap, struct xds_options *options)
{
    const char *path = settings->bootstrap, *fault;

    if (!path)
        return EXIT_CLEAN;
    int status = slurp_json(command, path, bootstrap);

    if (status != EXIT_CLEAN)
        return status;
    status = bootstrap_is_json(command, path, *bootstrap);
    if (status != EXIT_CLEAN) {
        tell_kind(command, path, "a gRPC bootstrap");
        return status;
    }
    switch (xds_options_set_bootstrap(options, *bootstrap, &fault)) {
    case XDS_OK:
        return settings->bootstraps
                   ? EXIT_CLEAN
                   : bootstrap_check_asked(command, path, *bootstrap, options);
    case XDS_ERR_USAGE:
        if (settings->bootstraps) /* findings say what is wrong */
            return EXIT_CLEAN;
        (void)usage_error(command, "%s: %s", path, fault);
        tell_kind(command, path, "a gRPC bootstrap");
        return EXIT_USAGE;
    default:
        return trouble(command, "%s: out of memory", path);
    }
}

_Static_assert(
    offsetof(struct input_settings, peer) == offsetof(struct peer_common, peer) &&
        offsetof(struct input_settings, from) == offsetof(struct peer_common, from) &&
        offsetof(struct input_settings, ads) == offsetof(struct peer_common, ads),
    "the same rows of options fill both");

int input_fetch(const struct command *command, const struct input_settings *settings,
                const struct xds_options *options, struct xds_parsed *bootstrap,
                struct xds_slice *out)
{
    const struct peer_common peer = {settings->common, settings->peer, settings->from,
                                     settings->ads};
    const struct fetch_request request = {.options = options,
                                          .bootstrap = bootstrap,
                                          .bootstrap_name = settings->bootstrap};

    *out = (struct xds_slice){NULL, 0};
    if (!settings->from)
        return EXIT_CLEAN;
    const int status = fetch_from(command, &peer, request, out);

    return status == EXIT_FINDINGS ? EXIT_CLEAN : status;
}

/* Once. */
static int fetch_input(struct input *input, const struct input_settings *settings)
{
    if (!settings->from)
        return EXIT_CLEAN;
    input->from = settings->from;
    return input_fetch(input->command, settings, &input->options, input->bootstrap,
                       &input->fetched);
}

void input_settings_local(struct input_settings *settings)
{
    if (settings->from)
        settings->peer.node = NULL;
    settings->from = NULL;
}

static enum xds_status add_fetched(const struct input *input, struct xds_source *source)
{
    return input->from ? xds_source_add_answer(source, input->from, input->fetched)
                       : XDS_OK;
}

static enum xds_status add_path(const struct input *input, struct xds_source *source,
                                const char *path)
{
    const char *name = input->options.stdin_name;

    if (!input->held.data)
        return xds_source_add(source, path);
    return xds_source_add_bytes(source, name && strcmp(path, "-") == 0 ? name : path,
                                input->held);
}

/* A report that lacks something says so. */
static void note_error(const struct input *input, struct xds_slice path, unsigned line,
                       const char *message)
{
    (void)!xds_report_add_error(input->report, path, line, slice_of(message));
}

static const char *what_failed(enum xds_status status)
{
    return status == XDS_END ? "more than 2000000 resources, the rest is not read"
                             : "out of memory, the rest is not read";
}

/* False when no more resources are to be read. */
static bool visit_one(struct input *input, const struct xds_resource *resource,
                      input_visit visit, void *user, int *result)
{
    const enum xds_status status = visit(user, resource);

    if (status == XDS_ERR_USAGE)
        *result = EXIT_USAGE;
    else if (status != XDS_OK)
        *result = worse(*result, trouble(input->command, "%s:%u: %s",
                                         xds_source_path(input->source),
                                         resource->at.line, what_failed(status)));
    return status == XDS_OK;
}

/* In messages about the whole input. */
const char *input_name(const struct input *input)
{
    const struct operands *operands = input->operands;
    const char *name = input->options.stdin_name;

    if (operands->n + (input->from != NULL) != 1)
        return "the input";
    if (operands->n == 0)
        return input->from;
    if (strcmp(operands->items[0], "-") != 0)
        return operands->items[0];
    return name ? name : "standard input";
}

/* Without a resource nothing was done, and a fault may say why. */
static int end_of_each(const struct input *input, size_t n, bool has_held)
{
    const struct xds_read_sum sum = xds_source_sum(input->source);
    const char *what =
        has_held ? "has no resource that its client uses" : "has no resource";

    if (n > 0 || sum.unread > 0)
        return EXIT_CLEAN;
    if (sum.is_named)
        return trouble(input->command, "%s %s", input_name(input), what);
    warning(input->command, "%s %s", input_name(input), what);
    return EXIT_CLEAN;
}

int input_each(struct input *input, input_visit visit, void *user)
{
    struct xds_resource resource;
    int result = EXIT_CLEAN;
    bool has_held = false;
    size_t n = 0;

    for (;;) {
        switch (xds_source_next(input->source, &resource)) {
        case XDS_OK:
            has_held |= resource.held != NULL;
            if (resource.held && (resource.held->is_rejected || resource.held->is_absent))
                break; /* not a resource that is in use */
            n++;
            if (!visit_one(input, &resource, visit, user, &result))
                return result;
            break;
        case XDS_ERR_IO:
            result = trouble_errno(input->command, xds_source_path(input->source));
            break;
        case XDS_END:
            return worse(result, end_of_each(input, n, has_held));
        case XDS_ERR_NO_MEMORY:
        case XDS_ERR_USAGE:
            return trouble(input->command, "%s: out of memory",
                           xds_source_path(input->source));
        }
    }
}

/* The report and the source, from settings and operands. */
static int open_source(struct input *input, const struct input_settings *settings,
                       const struct xds_options *asked)
{
    struct xds_options *options = &input->options;

    if (!input_read_type(input->command, settings->type, &input->type) ||
        !jobs_read(input->command, settings->jobs, &input->jobs))
        return EXIT_USAGE;
    int status = input_options_read(input->command, settings, asked, options);
    if (status == EXIT_CLEAN)
        status =
            input_read_bootstrap(input->command, settings, &input->bootstrap, options);
    if (status == EXIT_CLEAN)
        status = fetch_input(input, settings);
    if (status != EXIT_CLEAN)
        return status;
    input->report = xds_report_new(options);
    if (input->report)
        input->source = xds_source_new(input->report, input->type);
    if (!input->source)
        return trouble(input->command, "out of memory");
    for (size_t i = 0; i < input->operands->n; i++)
        if (add_path(input, input->source, input->operands->items[i]) != XDS_OK) {
            const char *path = input->operands->items[i];
            const int error = errno;

            input->no_memory |= error == ENOMEM;
            note_error(input, slice_of(path), 0, strerror(error));
            errno = error;
            status = trouble_errno(input->command, path);
        }
    if (add_fetched(input, input->source) != XDS_OK)
        return trouble(input->command, "out of memory");
    return status;
}

int input_open(struct input *input, const struct command *command,
               const struct input_settings *settings, const struct operands *operands,
               const struct xds_options *asked)
{
    *input =
        (struct input){.command = command, .operands = operands, .side = settings->side};
    if (operands->n == 0 && !settings->from)
        return usage_error(command, "needs a PATH; - is standard input");
    return open_source(input, settings, asked);
}

static void tell_trouble(void *user, const struct xds_check_trouble *t)
{
    struct input *input = user;
    const struct command *command = input->command;

    input->no_memory |= t->status == XDS_ERR_NO_MEMORY;
    note_error(user, t->path, t->line,
               t->status == XDS_ERR_IO ? strerror(t->error) : what_failed(t->status));
    if (t->status == XDS_ERR_IO)
        (void)trouble(command, "%.*s: %s", (int)t->path.len, t->path.data,
                      strerror(t->error));
    else if (t->line == 0)
        (void)trouble(command, "%.*s: out of memory", (int)t->path.len, t->path.data);
    else
        (void)trouble(command, "%.*s:%u: %s", (int)t->path.len, t->path.data, t->line,
                      what_failed(t->status));
}

/* name: of the bootstrap that is judged, too; NULL: none. Lack of memory is reported
 * once.
 */
static int check_each(struct input *input, const char *name)
{
    const enum xds_status status =
        xds_check_all(input->check, input->source, input->jobs, tell_trouble, input);
    enum xds_status finished =
        name ? xds_check_bootstrap(input->check, name, input->bootstrap) : XDS_OK;

    if (finished == XDS_OK)
        finished = xds_check_finish(input->check, input->source);
    input->no_memory |= finished != XDS_OK;
    if (finished != XDS_OK && status != XDS_ERR_NO_MEMORY)
        return trouble(input->command, "out of memory");
    return status == XDS_OK ? EXIT_CLEAN : EXIT_TROUBLE;
}

static bool is_folder(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool is_mixed(const struct operands *operands)
{
    return operands->n > 1 || (operands->n == 1 && is_folder(operands->items[0]));
}

/* Judge a dump of a client's state as that client at its release. Of several files the
 * first one says nothing about the others. */
static int ask_dumped(struct input *input)
{
    struct xds_options *options = &input->options;

    if (is_mixed(input->operands))
        return EXIT_CLEAN;
    const struct xds_client_label label = xds_source_client(input->source);

    if (label.text[0] == '\0')
        return EXIT_CLEAN;
    if (!ask_client(input->command, label.text, options, &input->client))
        return EXIT_USAGE;
    input->dumped = &input->client;
    xds_report_set_options(input->report, options);
    return EXIT_CLEAN;
}

/* A bootstrap that nothing names: what: where it is. */
static int use_bootstrap(struct input *input, struct xds_slice text, const char *what)
{
    struct xds_options *options = &input->options;
    const char *fault;

    if (xds_parse(XDS_FORMAT_JSON, text, &input->bootstrap) != XDS_OK)
        return trouble(input->command, "out of memory");
    switch (xds_options_set_bootstrap(options, input->bootstrap, &fault)) {
    case XDS_OK:
        xds_report_set_options(input->report, options);
        return EXIT_CLEAN;
    case XDS_ERR_USAGE:
        warning(input->command, "%s is not used: %s", what, fault);
        return EXIT_CLEAN;
    case XDS_ERR_NO_MEMORY:
    case XDS_ERR_IO:
    case XDS_END:
        break;
    }
    return trouble(input->command, "out of memory");
}

/* The gRPC bootstrap in a folder that is a whole snapshot, if there is one. */
static int read_folder_bootstrap(struct input *input, bool quiet)
{
    static const char key[] = "\"xds_servers\"";
    const char *folder = input->operands->items[0];
    const size_t len = strlen(folder), size = len + sizeof "/bootstrap.json";
    struct xds_slice text = {NULL, 0};
    char *path = malloc(size);
    int status = EXIT_CLEAN;

    if (!path)
        return trouble(input->command, "out of memory");
    (void)snprintf(path, size, "%s%sbootstrap.json", folder,
                   len > 0 && folder[len - 1] == '/' ? "" : "/");
    if (access(path, F_OK) == 0)
        status = slurp(input->command, path, &text);
    if (text.len > 0 && memmem(text.data, text.len, key, sizeof key - 1)) {
        status = use_bootstrap(input, text, path);
        if (status == EXIT_CLEAN && input->options.bootstrap.is_set && !quiet)
            (void)fprintf(stderr, "%s is used as --bootstrap\n", path);
    }
    slurp_free(text);
    free(path);
    return status;
}

/* What a dump says of the bootstrap that it was made with, or a folder that it was
 * written to, unless there is a better one. */
static int read_dumped_bootstrap(struct input *input, bool quiet)
{
    if (input->options.bootstrap.is_set)
        return EXIT_CLEAN;
    if (!input->from && input->operands->n == 1 && is_folder(input->operands->items[0]))
        return read_folder_bootstrap(input, quiet);
    if (is_mixed(input->operands))
        return EXIT_CLEAN;
    const struct xds_slice text = xds_source_bootstrap(input->source);

    return text.len > 0
               ? use_bootstrap(input, text, "\"" XDS_BOOTSTRAP_KEY "\" in the dump")
               : EXIT_CLEAN;
}

/* opened: what opening came to. */
static int check_all(struct input *input, const struct input_settings *settings,
                     bool keep, int opened)
{
    if (!input->source)
        return opened;
    if (settings->ask_dump && ask_dumped(input) != EXIT_CLEAN)
        return EXIT_USAGE;
    opened = worse(opened, read_dumped_bootstrap(input, settings->common.quiet));
    input->check = xds_check_new(input->report, keep);
    if (!input->check)
        return trouble(input->command, "out of memory");
    if (settings->memo && xds_check_remember(input->check, settings->memo) != XDS_OK)
        return trouble(input->command, "out of memory");
    if (settings->against)
        xds_check_against(input->check, settings->against);
    int status = worse(
        opened, check_each(input, settings->bootstraps ? settings->bootstrap : NULL));

    xds_report_sort(input->report);
    if (status == EXIT_CLEAN && xds_source_lacks_node(input->source))
        status = trouble(input->command, "--node: the input has no client \"%s\"",
                         settings->peer.node);
    return status;
}

/* ---- what was not read ---- */

static const bool none_met[] = {false};

struct unread {
    const struct xds_report *report;
    const bool *met; /* or NULL: all; none_met: no resource */
    size_t n;        /* that were seen */
};

/* A few say enough. */
enum { MAX_UNREAD = 5 };

static bool is_without(const struct xds_finding *finding, enum xds_level level)
{
    return finding->level == level && strcmp(finding->rule->slug, "no-resources") == 0;
}

static bool is_unread(const struct xds_finding *finding, void *user)
{
    struct unread *unread = user;
    const uint32_t resource = finding->resource;

    if ((finding->rule->effect != XDS_EFFECT_SYNTAX &&
         !is_without(finding, XDS_LEVEL_ERROR)) ||
        (resource != XDS_NO_RESOURCE && unread->met &&
         (unread->met == none_met || !unread->met[resource])))
        return false;
    return unread->n++ < MAX_UNREAD;
}

/* Resources that matter and are no xDS. */
static size_t unreadable(const struct input *input, const bool *met,
                         const struct xds_read_sum *sum)
{
    size_t n = 0;

    if (!met)
        return sum->unreadable;
    for (size_t i = 0; met != none_met && i < xds_report_resources(input->report); i++)
        n += met[i] && xds_report_resource(input->report, i)->unreadable;
    return n;
}

static int tell_unread(struct input *input, const struct common *common, const bool *met)
{
    struct unread unread = {input->report, met, 0};

    if (common->quiet)
        return EXIT_CLEAN;
    const int status =
        tell_findings(input->command, common, input->report, is_unread, &unread);

    if (unread.n > MAX_UNREAD)
        (void)fprintf(stderr, "and %zu more error%s\n", unread.n - MAX_UNREAD,
                      unread.n == MAX_UNREAD + 1 ? "" : "s");
    return status;
}

static int no_answer(const struct input *input, const char *before, const char *after)
{
    const char *side = input->side ? input->side : "no answer: ";

    return trouble(input->command, "%s%s%s %s", side, before, input_name(input), after);
}

/* "Cluster" of envoy.config.cluster.v3.Cluster. */
static struct xds_slice last_part(struct xds_slice name)
{
    size_t at = name.len;

    while (at > 0 && name.data[at - 1] != '.')
        at--;
    return (struct xds_slice){name.data + at, name.len - at};
}

/* The words are those of lint. */
static void tell_replaced(const struct input *input)
{
    const struct xds_replaced replaced = xds_check_replaced(input->check);
    const struct xds_report *report = input->report;
    char more[48] = "";

    if (replaced.n == 0)
        return;
    const struct xds_resource_result *of = xds_report_resource(report, replaced.resource);
    const struct xds_slice file = xds_report_file(report, of->at.file);
    const struct xds_slice type = last_part(of->type);

    if (replaced.n > 1)
        (void)snprintf(more, sizeof more, "; so %s %zu more resource%s",
                       replaced.n == 2 ? "is" : "are", replaced.n - 1,
                       replaced.n == 2 ? "" : "s");
    warning(input->command,
            "%.*s:%u: %.*s \"%.*s\" is already defined; clients use the last valid one "
            "of a response%s",
            (int)file.len, file.data, of->at.line, (int)type.len, type.data,
            (int)of->name.len, of->name.data, more);
}

/* Beside what has resources. */
static void tell_empty_folders(const struct input *input)
{
    const struct xds_report *report = input->report;

    for (size_t i = 0; i < xds_report_findings(report); i++) {
        const struct xds_finding *finding = xds_report_finding(report, i);
        const struct xds_slice file = xds_report_file(report, finding->at.file);

        if (is_without(finding, XDS_LEVEL_WARNING))
            warning(input->command, "%.*s: %.*s", (int)file.len, file.data,
                    (int)finding->message.len, finding->message.data);
    }
}

int input_answers(struct input *input, const struct common *common, const bool *met)
{
    const struct xds_read_sum sum = xds_source_sum(input->source);
    const bool is_empty = sum.clients == 0 && sum.resources <= sum.unreadable;
    const size_t missing = sum.unread + unreadable(input, is_empty ? NULL : met, &sum);

    if (!is_empty && missing + sum.empty == 0) {
        if (!common->quiet && met != none_met) {
            tell_replaced(input);
            tell_empty_folders(input);
        }
        return EXIT_CLEAN;
    }
    if (missing == 0 && is_empty)
        return no_answer(input, "", "has no resource that gRPC reads");
    if (tell_unread(input, common, is_empty ? NULL : met) != EXIT_CLEAN)
        return EXIT_TROUBLE;
    if (missing == 0)
        return no_answer(input, "a file of ", "has no resource");
    return is_empty ? no_answer(input, "nothing of ", "could be read")
                    : no_answer(input, "a part of ", "could not be read");
}

enum { MOST_CHOICES = 8 };

int input_needs_choice(const struct input *input, const struct common *common,
                       const char *needs)
{
    const struct xds_check *check = input->check;
    const struct xds_printer to = error_printer(common);
    const char *option;
    struct xds_slice name = xds_check_choice(check, 0, &option);

    (void)usage_error(input->command,
                      "needs %s, as the input does not have exactly one listener%s",
                      needs, name.data && !common->quiet ? ":" : "");
    for (size_t i = 1; name.data && !common->quiet;
         name = xds_check_choice(check, i++, &option)) {
        (void)fputs("  ", stderr);
        if (i > MOST_CHOICES) {
            (void)fputs("...\n", stderr);
            break;
        }
        if (xds_print_command_with(&to, option, name) != XDS_OK)
            break;
    }
    return EXIT_USAGE;
}

int input_read(struct input *input, const struct command *command,
               const struct input_settings *settings, const struct operands *operands,
               const struct xds_options *asked, bool keep)
{
    const int opened = input_open(input, command, settings, operands, asked);
    const int status = check_all(input, settings, keep, opened);

    if (!keep || status != EXIT_CLEAN)
        return status;
    return input_answers(input, &settings->common, settings->one_rpc ? none_met : NULL);
}

int input_open_lines(struct input *input, const struct command *command,
                     const struct input_settings *settings,
                     const struct xds_options *asked)
{
    static const struct operands none = {.n = 0};

    *input = (struct input){.command = command, .operands = &none};
    const int status = open_source(input, settings, asked);

    if (status != EXIT_CLEAN)
        return status;
    input->check = xds_check_new(input->report, false);
    return input->check ? EXIT_CLEAN : trouble(command, "out of memory");
}

enum xds_status input_judge_line(struct input *input, const struct xds_line *line)
{
    return xds_check_line(input->check, input->source, line, tell_trouble, input);
}

static bool is_stream(const char *path)
{
    struct stat status;

    if (strcmp(path, "-") == 0)
        return true;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode) &&
           !S_ISDIR(status.st_mode);
}

int input_read_twice(struct input *input, const struct command *command,
                     const struct input_settings *settings,
                     const struct operands *operands, const struct xds_options *asked)
{
    int status = EXIT_CLEAN;

    *input =
        (struct input){.command = command, .operands = operands, .side = settings->side};
    if (operands->n > 0 && is_stream(operands->items[0]))
        status = slurp(command, operands->items[0], &input->held);
    if (status == EXIT_CLEAN)
        status = open_source(input, settings, asked);
    status = check_all(input, settings, true, status);
    return status == EXIT_CLEAN ? input_answers(input, &settings->common, NULL) : status;
}

int input_read_fetched(struct input *input, const struct input_settings *settings,
                       const struct xds_options *asked)
{
    return check_all(input, settings, true, open_source(input, settings, asked));
}

struct xds_source *input_open_again(const struct input *input, struct xds_report *report)
{
    struct xds_source *source = xds_source_new(report, input->type);
    bool added = source && add_fetched(input, source) == XDS_OK;

    if (added && input->operands->n > 0)
        added = add_path(input, source, input->operands->items[0]) == XDS_OK;
    if (added)
        return source;
    xds_source_free(source);
    return NULL;
}

void input_release(struct input *input)
{
    xds_check_free(input->check);
    xds_source_free(input->source);
    xds_report_free(input->report);
    xds_parsed_free(input->bootstrap);
    slurp_free(input->held);
    slurp_free(input->fetched);
}

/* ---- --against ---- */

static int read_old(struct input *out, const struct command *command,
                    const struct input_settings *settings, const char *path,
                    const struct xds_options *asked)
{
    char *copy = strdup(path); /* operands are those of argv, which may be changed */
    const struct operands only = {.n = 1, .items = &copy};
    struct input_settings reading = *settings;

    if (!copy)
        return trouble(command, "out of memory");
    input_settings_local(&reading);

    reading.side = "OLD cannot be read: ";

    int status = input_read(out, command, &reading, &only, asked, false);

    if (status == EXIT_CLEAN)
        status = input_answers(out, &reading.common, NULL);
    free(copy);
    return status;
}

int against_read(struct input *out, const struct command *command,
                 struct input_settings *settings, const char *path,
                 const struct xds_options *asked)
{
    *out = (struct input){.command = command};
    if (!path)
        return EXIT_CLEAN;
    settings->compare = true;

    const int status = read_old(out, command, settings, path, asked);

    if (status == EXIT_CLEAN)
        settings->against = out->check;
    return status;
}
