/* watch_test.c - --watch sees what changes, and ends when it is interrupted. */
#define _XOPEN_SOURCE 700
#include <criterion/criterion.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef XDS_PROGRAM
#define XDS_PROGRAM "build/release/xdscope"
#endif

/* So long a report may take before the test fails. */
enum { PATIENCE_MS = 20000 };

#define HEAD "name: shop\nvirtual_hosts:\n- domains: [\"*\"]\n  routes:\n"
#define GOOD HEAD "  - match: {prefix: \"\"}\n    route: {cluster: c}\n"
#define BAD                                                                              \
    HEAD "  - match: {prefix: \"\", headers: [{name: x}]}\n    route: {cluster: c}\n"

static struct watching {
    pid_t child;
    int out; /* what it writes, to both streams */
    char text[65536];
    size_t n;
} watching;

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    cr_assert_not_null(file);
    cr_assert(fputs(text, file) >= 0);
    cr_assert_eq(fclose(file), 0);
}

static void start(const char *operand)
{
    static char folder[] = "/tmp/xdscope-watch-XXXXXX";
    char *program = realpath(XDS_PROGRAM, NULL);
    int ends[2];

    cr_assert_not_null(program);
    cr_assert_not_null(mkdtemp(folder));
    cr_assert_eq(chdir(folder), 0);
    cr_assert_eq(mkdir("in", 0777), 0);
    write_file("in/a.routes.yaml", GOOD);
    cr_assert_eq(pipe(ends), 0);
    watching.child = fork();
    if (watching.child == 0) {
        (void)signal(SIGINT, SIG_DFL);
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        execl(program, "xdscope", "lint", "--no-config", "-w", operand, (char *)NULL);
        _exit(127);
    }
    cr_assert(watching.child > 0);
    close(ends[1]);
    watching.out = ends[0];
    free(program);
}

/* Reads on till the text has this; what stands before it is forgotten then. */
static void expect(const char *text)
{
    struct watching *w = &watching;
    struct pollfd source = {.fd = w->out, .events = POLLIN};

    while (!strstr(w->text, text)) {
        ssize_t n = 0;

        if (poll(&source, 1, PATIENCE_MS) == 1)
            n = read(w->out, w->text + w->n, sizeof w->text - 1 - w->n);
        if (n <= 0) {
            (void)kill(w->child, SIGKILL);
            cr_assert_fail("no \"%s\" in: %s", text, w->text);
        }
        w->n += (size_t)n;
        w->text[w->n] = '\0';
    }
    const char *behind = strstr(w->text, text) + strlen(text);

    w->n -= (size_t)(behind - w->text);
    memmove(w->text, behind, w->n + 1);
}

static void stop(void)
{
    int status;

    cr_assert_eq(kill(watching.child, SIGINT), 0);
    cr_assert_eq(waitpid(watching.child, &status, 0), watching.child);
    cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
    cr_assert_eq(system("rm -rf \"$PWD\""), 0);
}

Test(watch, a_file_that_is_written_is_judged_again, .timeout = 120)
{
    start("in/a.routes.yaml");
    expect("waiting");
    write_file("in/a.routes.yaml", BAD);
    expect("invalid header matcher");
    expect("waiting");
    write_file("in/other.routes.yaml", GOOD);
    write_file("in/new", GOOD);
    cr_assert_eq(rename("in/new", "in/a.routes.yaml"), 0);
    expect("1 resource: nothing to report");
    expect("waiting");
    stop();
}

Test(watch, what_comes_into_a_folder_is_judged, .timeout = 120)
{
    start("in");
    expect("1 resource: nothing to report");
    expect("waiting");
    cr_assert_eq(mkdir("in/below", 0777), 0);
    expect("waiting");
    write_file("in/below/b.routes.yaml", BAD);
    expect("invalid header matcher");
    expect("waiting");
    cr_assert_eq(unlink("in/below/b.routes.yaml"), 0);
    expect("1 resource: nothing to report");
    stop();
}
