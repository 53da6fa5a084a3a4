/*
 * main.c - the xdscope program: which command, with which settings.
 *
 * Fails:  with one line on standard error and EXIT_USAGE.
 */
#include "cli/options/common.h"
#include "cli/files/signals.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* In the order in which --help lists them. */
const struct command *const commands[] = {
    &cmd_lint,     &cmd_show, &cmd_explain, &cmd_service_config, &cmd_lb_config,
    &cmd_simulate, &cmd_test, &cmd_diff,    &cmd_fetch,          &cmd_cookie,
    &cmd_convert,  &cmd_rule, &cmd_lsp,     &cmd_completion,     NULL,
};

static int flush_stdout(void)
{
    if (fflush(stdout) == 0)
        return EXIT_CLEAN;
    return trouble_errno(NULL, "standard output");
}

static int run_with(const struct command *command, void *settings,
                    const struct operands *operands)
{
    const struct common *common = settings;

    if (common->help)
        usage_of_command(stdout, command);
    else if (common->version)
        print_version(stdout);
    else
        return command->run(command, settings, operands);
    return flush_stdout();
}

/* The arguments are those of the command, "xdscope lint" before them. */
static int run_command(const struct command *command, int argc, char **argv)
{
    struct common *settings = calloc(1, command->settings_size);
    const char **words = calloc((size_t)argc + 3, sizeof(*words));
    char error[OPTIONS_ERROR_SIZE];
    struct operands operands = {.n = 0};
    int status;

    if (!settings || !words) {
        free(words);
        free(settings);
        return trouble(command, "out of memory");
    }
    words[0] = "xdscope";
    words[1] = command->name;
    for (int i = 0; i < argc; i++) /* options_parse() changes their order */
        words[2 + i] = argv[i];
    settings->words = words;
    settings->commands = commands;
    if (options_parse(command, argc, argv, settings, &operands, error))
        status = run_with(command, settings, &operands);
    else
        status = *error ? usage_error(command, "%s", error)
                        : trouble(command, "out of memory");
    options_release(&operands);
    free(words);
    free(settings);
    return status;
}

/* A standard stream that the caller has closed stays unusable, so that no file of ours
 * takes its number and with it the messages meant for people. */
static void hold_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* Enough for what is as deeply nested as it may be. */
enum { STACK_KIB = 256 };

/* The limit that was set is raised when it is too low. */
static int hold_stack(void)
{
    const rlim_t least = (rlim_t)STACK_KIB << 10;
    struct rlimit limit;

    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= least)
        return EXIT_CLEAN;
    if (limit.rlim_max < least)
        return trouble(NULL,
                       "the stack is limited to %llu KiB; expected at least %d KiB, see "
                       "ulimit -s",
                       (unsigned long long)(limit.rlim_max >> 10), STACK_KIB);
    limit.rlim_cur = least;
    return setrlimit(RLIMIT_STACK, &limit) == 0 ? EXIT_CLEAN
                                                : trouble_errno(NULL, "setrlimit");
}

static const struct command *find_command(const char *word)
{
    const struct xds_slice name = slice_of(word);
    struct hint hint = hint_for(name.data, name.len);

    for (const struct command *const *c = commands; *c; c++) {
        if (is_text(name, (*c)->name))
            return *c;
        hint_offer(&hint, (*c)->name);
    }
    for (const char *const *other = other_words; *other; other++)
        hint_offer(&hint, *other);
    (void)unknown_error(NULL, "command", name, hint.best, "xdscope --help lists them");
    return NULL;
}

/* "xdscope help lint", "xdscope help lint live" */
static int print_help(int argc, char **argv)
{
    const struct command *command = NULL;
    const bool live = argc == 2 && strcmp(argv[1], "live") == 0;

    if (argc > 1 && !live)
        return usage_error(NULL, "help takes one command, not %d", argc);
    if (argc > 0 && !(command = find_command(argv[0])))
        return EXIT_USAGE;
    if (live && !has_help_of_live(command))
        return usage_error(command, "has no options for live systems apart from --help");
    if (live)
        usage_of_live(stdout, command);
    else if (command)
        usage_of_command(stdout, command);
    else
        usage_of_program(stdout, commands);
    return flush_stdout();
}

/* The same without dashes: words that users try, and no commands. */
static bool is_word(const char *word, const char *option, const char *letter)
{
    return strcmp(word, option) == 0 || strcmp(word, letter) == 0 ||
           strcmp(word, option + 2) == 0;
}

int main(int argc, char **argv)
{
    hold_standard_streams();
    if (hold_stack() != EXIT_CLEAN)
        return EXIT_TROUBLE;
    signals_begin();
    (void)signal(SIGXFSZ, SIG_IGN); /* a write over the limit fails and is reported */
    if (argc < 2) {
        usage_of_program(stderr, commands);
        return EXIT_USAGE;
    }
    if (is_word(argv[1], "--help", "-h"))
        return print_help(*argv[1] == '-' ? 0 : argc - 2, argv + 2);
    if (is_word(argv[1], "--version", "-V")) {
        print_version(stdout);
        return flush_stdout();
    }
    if (argv[1][0] == '-')
        return usage_error(NULL, "unknown option '%s'; options follow the command",
                           argv[1]);
    const struct command *command = find_command(argv[1]);

    return command ? run_command(command, argc - 2, argv + 2) : EXIT_USAGE;
}
