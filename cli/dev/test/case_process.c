/*
 * case_process.c - run what a case runs, with its environment and its streams.
 *
 * A program that is called here leaves nothing to the next call: not its environment, not
 * its streams, not its signals.
 */
#define _GNU_SOURCE /* environ, clearenv() */

#include "cli/dev/test/case_process.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/dev/test/called.h"
#include "cli/dev/test/case_terminal.h"
#include "cli/dev/test/case_text.h"

/* ---- environment ----------------------------------------------------------------- */

/* A case does not see the settings of the shell that runs the tests. */
static void clear_environment(void)
{
    for (char **variable = environ; *variable;) {
        const size_t len = strcspn(*variable, "=");
        char name[64];

        if (strncmp(*variable, "XDSCOPE_", 8) != 0 || len >= sizeof name) {
            variable++;
            continue;
        }
        memcpy(name, *variable, len);
        name[len] = '\0';
        unsetenv(name);
    }
    unsetenv("FORCE_COLOR");
    unsetenv("CLICOLOR_FORCE");
    unsetenv("COLUMNS");
    setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
}

/* NAME=VALUE, where $PWD at the start of a value is the current folder. */
static void set_variable(char *line, const char *folder)
{
    static const char here[] = "$PWD";
    char *equals = strchr(line, '='), value[4096];

    if (!equals)
        return;
    const char *rest = equals + 1;
    const bool is_here = strncmp(rest, here, sizeof here - 1) == 0;

    *equals = '\0';
    snprintf(value, sizeof value, "%s%s", is_here ? folder : "",
             rest + (is_here ? sizeof here - 1 : 0));
    setenv(line, value, 1);
}

static void set_environment(const struct case_file *c)
{
    const struct case_section *s = case_find(c, "env");
    char *text = s ? strndup(s->text, s->len) : NULL, *folder = getcwd(NULL, 0);

    clear_environment();
    for (char *line = text; folder && line && *line;) {
        char *end = line + strcspn(line, "\n"), *next = *end ? end + 1 : end;

        *end = '\0';
        set_variable(line, folder);
        line = next;
    }
    free(folder);
    free(text);
}

/* ---- a process of its own -------------------------------------------------------- */

static bool redirect(int fd, const char *path, int flags)
{
    const int opened = open(path, flags, 0666);

    return opened >= 0 && dup2(opened, fd) >= 0 && close(opened) == 0;
}

static bool redirect_all(const char *in, struct case_terminal *terminal)
{
    if (!redirect(STDIN_FILENO, in, O_RDONLY) ||
        !redirect(STDERR_FILENO, ".stderr", O_WRONLY | O_CREAT | O_TRUNC))
        return false;
    if (terminal->theirs < 0)
        return redirect(STDOUT_FILENO, ".stdout", O_WRONLY | O_CREAT | O_TRUNC);
    return dup2(terminal->theirs, STDOUT_FILENO) >= 0 && close(terminal->theirs) == 0 &&
           close(terminal->ours) == 0;
}

static int call(const struct case_program *program, char **words)
{
    char *copy[CASE_WORDS]; /* which getopt() sorts */
    int n = 0;

    while (words[n])
        n++;
    memcpy(copy, words, ((size_t)n + 1) * sizeof *copy);
    const int status = program->call(n, copy);

    (void)fflush(NULL);
    return status;
}

static void run_child(const struct case_program *program, char **words)
{
    if (!program->path)
        _exit(call(program, words));
    execv(program->path, words);
    _exit(127);
}

/* Standard output is a file; or a terminal, if the case says how wide it is. */
static int run_apart(const struct case_file *c, const struct case_program *program,
                     char **words, const char *in)
{
    const struct case_section *columns = case_find(c, "terminal");
    struct case_terminal terminal = {-1, -1};
    int status;

    if (columns &&
        !case_terminal_open(&terminal, (unsigned short)strtoul(columns->text, NULL, 10)))
        return -1;
    const pid_t child = fork();

    if (child == 0) {
        set_environment(c);
        if (!redirect_all(in, &terminal))
            _exit(126);
        run_child(program, words);
    }
    const bool read = !columns || case_terminal_read(&terminal, ".stdout");

    if (child < 0 || waitpid(child, &status, 0) != child || !read)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* ---- a call in this process ------------------------------------------------------ */

enum { STREAMS = 3, MOST_VARIABLES = 256 };

/* What this process had before the call. */
struct before {
    int streams[STREAMS];
    struct called called;
    char *variables[MOST_VARIABLES]; /* NAME=VALUE, up to a NULL */
};

static void keep(struct before *before)
{
    size_t n = 0;

    (void)fflush(NULL);
    for (int fd = 0; fd < STREAMS; fd++)
        before->streams[fd] = fcntl(fd, F_DUPFD_CLOEXEC, STREAMS);
    called_keep(&before->called);
    for (; environ[n] && n + 1 < MOST_VARIABLES; n++)
        before->variables[n] = strdup(environ[n]);
    before->variables[n] = NULL;
}

static void put_back_variables(struct before *before)
{
    (void)clearenv();
    for (size_t i = 0; before->variables[i]; i++) {
        char *value = strchr(before->variables[i], '=');

        if (value) {
            *value = '\0';
            setenv(before->variables[i], value + 1, 1);
        }
        free(before->variables[i]);
    }
}

static void put_back(struct before *before)
{
    (void)alarm(0);
    called_streams();
    for (int fd = 0; fd < STREAMS; fd++)
        if (before->streams[fd] >= 0) {
            (void)dup2(before->streams[fd], fd);
            (void)close(before->streams[fd]);
        }
    called_put_back(&before->called);
    put_back_variables(before);
}

static int run_within(const struct case_file *c, const struct case_program *program,
                      char **words, const char *in)
{
    struct case_terminal none = {-1, -1};
    struct before before;
    int status = -1;

    keep(&before);
    set_environment(c);
    clearerr(stdin);
    if (redirect_all(in, &none))
        status = call(program, words);
    put_back(&before);
    return status;
}

/* The other end of a terminal has to be read meanwhile, and a loader reads its variables
 * once. */
static bool needs_process(const struct case_file *c)
{
    const struct case_section *env = case_find(c, "env");

    return case_find(c, "terminal") || (env && strstr(env->text, "LD_"));
}

int case_process_run(const struct case_file *c, const struct case_program *program,
                     char **words, const char *in)
{
    return program->here && !needs_process(c) ? run_within(c, program, words, in)
                                              : run_apart(c, program, words, in);
}
