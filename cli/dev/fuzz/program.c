/*
 * program.c - the whole program in this process, one case after the other.
 *
 * Fails:  with xds_fuzz_fail() when a run leaves a file open, does not end with one of
 * the exit codes, or prints something else with more threads.
 */
#define _GNU_SOURCE 1 /* environ, nftw() */

#include "cli/dev/fuzz/program.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "cli/dev/test/called.h"
#include "cli/options/common.h"
#include "fuzz/memory.h"
#include "cli/dev/fuzz/offline.h"
#include "fuzz/sections.h"

enum { MOST_WORDS = 64, MOST_TEXT = 4096, MOST_VARIABLES = 16 };

/* Words, quoted as in a shell; or lines. */
struct words {
    size_t n;
    char *items[MOST_WORDS + 2];
    char text[MOST_TEXT];
};

struct outcome {
    struct xds_memory out, err;
    int status;
};

/* Of one length. */
static const char ONE[] = "-j01", MANY[] = "-j16";

/* The folder of the runs, a few levels deep: "..", too, leads to an empty one. */
static char top[512], folder[sizeof top + 16];

/* ---- the command line ---- */

static char *end_word(struct words *words, char *start, char *end)
{
    *end = '\0';
    words->items[words->n++] = start;
    words->items[words->n] = NULL;
    return end + 1;
}

/* False when it is too long. */
static bool read_words(struct words *words, struct xds_slice text)
{
    char *start = NULL, *at = words->text, quote = '\0';

    words->n = 0;
    words->items[0] = NULL;
    if (text.len + 2 > sizeof words->text)
        return false;
    for (size_t i = 0; i < text.len && words->n < MOST_WORDS; i++) {
        const char c = text.data[i];
        const bool is_blank = c == ' ' || c == '\n' || c == '\0';

        if (is_blank && !quote && start) {
            at = end_word(words, start, at);
            start = NULL;
        }
        if ((is_blank && !quote) || c == '\0')
            continue;
        start = start ? start : at;
        if (c == quote)
            quote = '\0';
        else if (!quote && (c == '"' || c == '\''))
            quote = c;
        else
            *at++ = c;
    }
    if (start)
        (void)end_word(words, start, at);
    return words->n > 0 && words->n < MOST_WORDS;
}

static bool leads_out(const char *path)
{
    return *path == '/' || *path == '~' || strstr(path, "..");
}

/* A path outside of the folder, alone or in an option. */
static bool names_outside(const char *word)
{
    if (leads_out(word) || (*word == '-' && strlen(word) > 2 && leads_out(word + 2)))
        return true;
    for (const char *equals = word; (equals = strchr(equals, '=')); equals++)
        if (leads_out(equals + 1))
            return true;
    return false;
}

static bool is_harmless(const struct words *args, const struct words *env)
{
    for (size_t i = 0; i < args->n; i++)
        if (names_outside(args->items[i]) &&
            !(i > 0 && strcmp(args->items[i - 1], "--path") == 0))
            return false;
    for (size_t i = 0; i < env->n; i++)
        if (names_outside(env->items[i]))
            return false;
    return true;
}

/* Before the operands and what ends the options. */
static void add_jobs(struct words *words, char *option)
{
    memmove(words->items + 2, words->items + 1, words->n * sizeof *words->items);
    words->items[1] = option;
    words->n++;
}

static bool takes_jobs(const struct words *args)
{
    const struct option *option;

    for (size_t i = 0; i < args->n; i++)
        if (strncmp(args->items[i], "-j", 2) == 0 || strstr(args->items[i], "jobs"))
            return false;
    for (const struct command *const *c = commands; *c; c++)
        for (size_t i = 0;
             strcmp((*c)->name, args->items[0]) == 0 && (option = command_option(*c, i));
             i++)
            if (option->letter == 'j')
                return true;
    return false;
}

/* ---- files ---- */

static void make_parents(char *path)
{
    for (char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(path, 0700);
        *slash = '/';
    }
}

static void write_file(struct xds_slice name, struct xds_slice text)
{
    char path[128];

    if (name.len >= sizeof path)
        return;
    memcpy(path, name.data, name.len);
    path[name.len] = '\0';
    if (leads_out(path))
        return;
    make_parents(path);
    FILE *file = fopen(path, "ab");

    if (!file)
        return;
    (void)fwrite(text.data, 1, text.len, file);
    (void)fclose(file);
}

/* $PWD in a message is the folder. */
static void put_line(struct xds_memory *out, struct xds_slice line)
{
    static const char name[] = "$PWD";

    for (size_t at; (at = xds_slice_search(line, xds_slice_of(name))) < line.len;) {
        (void)xds_memory_write(out, line.data, at);
        (void)xds_memory_write(out, folder, strlen(folder));
        line = xds_slice_from(line, at + sizeof name - 1);
    }
    (void)xds_memory_write(out, line.data, line.len);
}

static void write_messages(struct xds_slice text)
{
    struct xds_memory framed = {.len = 0}, body = {.len = 0};
    struct xds_slice line;

    while (text.len > 0) {
        text = xds_slice_cut(text, '\n', &line);
        body.len = 0;
        put_line(&body, line);
        if (line.len > 0 && *line.data == '{')
            xds_memory_print(&framed, "Content-Length: %zu\r\n\r\n", body.len);
        else
            (void)xds_memory_write(&body, "\r\n", 2);
        (void)xds_memory_write(&framed, body.data, body.len);
    }
    write_file(XDS_S(".stdin"), xds_memory_text(&framed));
    free(framed.data);
    free(body.data);
}

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *at)
{
    (void)info;
    (void)type;
    if (at->level > 0)
        (void)remove(path);
    return 0;
}

static void empty(const char *path)
{
    (void)nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void remove_top(void)
{
    empty(top);
    (void)rmdir(top);
}

static void make_folder(void)
{
    const char *place = getenv("TMPDIR");

    (void)snprintf(top, sizeof top, "%s/xdscope-fuzz.XXXXXX", place ? place : "/tmp");
    if (!mkdtemp(top))
        xds_fuzz_fail("%s: %s", top, strerror(errno));
    (void)snprintf(folder, sizeof folder, "%s/a/b/c/d/", top);
    make_parents(folder);
    folder[strlen(folder) - 1] = '\0';
    (void)atexit(remove_top);
}

/* ---- streams ---- */

/* Number to is what path is; returns what it was. */
static int redirect(int to, const char *path, int flags)
{
    const int was = dup(to), fd = open(path, flags | O_CLOEXEC, 0600);

    if (was < 0 || fd < 0 || dup2(fd, to) < 0)
        xds_fuzz_fail("%s: %s", path, strerror(errno));
    (void)close(fd);
    return was;
}

static void put_back(int to, int was)
{
    (void)dup2(was, to);
    (void)close(was);
}

static void read_back(int fd, struct xds_memory *out)
{
    char part[4096];
    ssize_t n;

    (void)lseek(fd, 0, SEEK_SET);
    while ((n = read(fd, part, sizeof part)) > 0)
        (void)xds_memory_write(out, part, (size_t)n);
}

/* ---- a run ---- */

static int first_free(void)
{
    const int fd = dup(STDIN_FILENO);

    (void)close(fd);
    return fd;
}

/* stderr is another stream meanwhile: the sanitizers and libFuzzer write to number 2. */
static int call(struct words *args, struct outcome *o)
{
    char program[] = "xdscope", *argv[MOST_WORDS + 4] = {program};
    FILE *const was = stderr, *err = fopen("../.err", "w+b");

    if (!err)
        xds_fuzz_fail("../.err: %s", strerror(errno));
    memcpy(argv + 1, args->items, (args->n + 1) * sizeof *argv);
    stderr = err;
    xds_offline(true);
    const int status = xds_program_main((int)args->n + 1, argv);

    xds_offline(false);
    stderr = was;
    (void)fflush(stdout);
    (void)fflush(err);
    read_back(fileno(err), &o->err);
    (void)fclose(err);
    return status;
}

static void run_here(struct words *args, struct outcome *o)
{
    struct called called;
    const int before = first_free();

    called_keep(&called);
    (void)fflush(stdout);
    const int in = redirect(STDIN_FILENO, ".stdin", O_RDONLY | O_CREAT);
    const int out = redirect(STDOUT_FILENO, "../.out", O_RDWR | O_CREAT | O_TRUNC);

    called_streams();
    o->status = call(args, o);
    called_streams();
    read_back(STDOUT_FILENO, &o->out);
    put_back(STDIN_FILENO, in);
    put_back(STDOUT_FILENO, out);
    called_put_back(&called);
    (void)messages_to(NULL);
    if (first_free() != before)
        xds_fuzz_fail("a file is still open");
    if (o->status < EXIT_CLEAN || o->status > EXIT_TROUBLE)
        xds_fuzz_fail("exit status %d", o->status);
}

static void write_files(const struct xds_sections *parts, bool is_lsp)
{
    const struct xds_slice input = xds_sections_find(parts, "stdin");

    for (size_t i = 0; i < parts->n; i++)
        if (xds_section_is_file(&parts->items[i]))
            write_file(parts->items[i].name, parts->items[i].text);
    if (is_lsp)
        write_messages(input);
    else if (input.len > 0)
        write_file(XDS_S(".stdin"), input);
}

/* In the folder, with the environment of the case. */
static void run(const struct xds_sections *parts, struct words *args, struct words *env,
                struct outcome *o)
{
    char **const environment = environ;
    const int home = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (home < 0 || chdir(folder) != 0)
        xds_fuzz_fail("%s: %s", folder, strerror(errno));
    *o = (struct outcome){.status = 0};
    write_files(parts, strcmp(args->items[0], "lsp") == 0);
    environ = env->items;
    run_here(args, o);
    environ = environment;
    empty(folder);
    if (fchdir(home) != 0)
        xds_fuzz_fail("back: %s", strerror(errno));
    (void)close(home);
}

static void outcome_release(struct outcome *o)
{
    free(o->out.data);
    free(o->err.data);
}

/* The command line is quoted here and there. */
static void rename_jobs(struct xds_memory *text)
{
    char *at = text->data;

    for (; text->len > 0 && (at = memmem(at, (size_t)(text->data + text->len - at), MANY,
                                         sizeof MANY - 1));)
        memcpy(at, ONE, sizeof ONE - 1);
}

static void compare(const struct outcome *one, const struct outcome *many)
{
    if (one->status != many->status)
        xds_fuzz_fail("exit status %d, with more threads %d", one->status, many->status);
    if (!xds_slice_eq(xds_memory_text(&one->out), xds_memory_text(&many->out)))
        xds_fuzz_fail("1 thread prints\n%.*s\nand more\n%.*s",
                      XDS_FMT(xds_memory_text(&one->out)),
                      XDS_FMT(xds_memory_text(&many->out)));
    if (!xds_slice_eq(xds_memory_text(&one->err), xds_memory_text(&many->err)))
        xds_fuzz_fail("1 thread says\n%.*s\nand more\n%.*s",
                      XDS_FMT(xds_memory_text(&one->err)),
                      XDS_FMT(xds_memory_text(&many->err)));
}

static void run_case(const uint8_t *data, size_t size, bool is_lsp)
{
    const struct xds_slice text = {(const char *)data, size};
    char one[sizeof ONE], many[sizeof MANY];
    struct words args, again, env;
    struct outcome first, second;
    struct xds_sections parts;

    xds_sections_read(&parts, text);
    if (!read_words(&args, xds_sections_find(&parts, "args")) ||
        (strcmp(args.items[0], "lsp") == 0) != is_lsp)
        return;
    if (!read_words(&env, xds_sections_find(&parts, "env")))
        env.n = 0, env.items[0] = NULL;
    if (!is_harmless(&args, &env))
        return;
    if (!*folder)
        make_folder();
    const bool compares = takes_jobs(&args) && XXH64(data, size, 0) % 4 == 0;

    memcpy(one, ONE, sizeof one);
    memcpy(many, MANY, sizeof many);
    again = args;
    if (compares)
        add_jobs(&args, one);
    run(&parts, &args, &env, &first);
    if (compares) {
        add_jobs(&again, many);
        run(&parts, &again, &env, &second);
        rename_jobs(&second.out);
        rename_jobs(&second.err);
        compare(&first, &second);
        outcome_release(&second);
    }
    outcome_release(&first);
}

void xds_fuzz_cli(const uint8_t *data, size_t size)
{
    run_case(data, size, false);
}

void xds_fuzz_lsp(const uint8_t *data, size_t size)
{
    run_case(data, size, true);
}
