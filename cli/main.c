/*
 * main.c - the xdscope program: which command, with which settings.
 *
 * Fails:  with one line on standard error and EXIT_USAGE.
 */
#include "cli/common.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

int main(int argc, char **argv)
{
    hold_standard_streams();
    (void)signal(SIGXFSZ, SIG_IGN); /* a write over the limit fails and is told */
    if (argc < 2) {
        usage_of_program(stderr);
        return EXIT_USAGE;
    }
    if (argv[1][0] == '-') {
        /* What stands before a command. */
        const char *word = argv[1];

        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
            usage_of_program(stdout);
        else if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0)
            print_version(stdout);
        else
            return usage_error(NULL, "unknown option '%s'; options follow the command",
                               word);
        return flush_stdout();
    }
    const struct xds_slice name = slice_of(argv[1]);
    struct hint hint = hint_for(name.data, name.len);

    for (const struct command *const *c = commands; *c; c++) {
        if (is_text(name, (*c)->name))
            return run_command(*c, argc - 2, argv + 2);
        hint_offer(&hint, (*c)->name);
    }
    return unknown_error(NULL, "command", name, hint.best, "xdscope --help lists them");
}
