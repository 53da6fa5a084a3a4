/*
 * output.c - where results go: standard output, or a file that is never half-written.
 *
 * Fails:  with a message, but silently by SIGPIPE when the reader has gone.
 */
#include "cli/files/output.h"

#include "cli/files/signals.h"
#include "cli/files/system.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool write_file(void *user, const char *data, size_t len)
{
    return fwrite(data, 1, len, user) == len;
}

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);

    return value && *value != '\0';
}

static bool wants_color(const struct common *settings, FILE *file)
{
    const char *term = getenv("TERM");

    if (settings->color != COLOR_AUTO)
        return settings->color == COLOR_ALWAYS;
    if (is_set("CLICOLOR_FORCE") || is_set("FORCE_COLOR"))
        return true;
    if (is_set("NO_COLOR") || (term && strcmp(term, "dumb") == 0))
        return false;
    return isatty(fileno(file)) == 1;
}

enum { NARROWEST = 40 };

/* Of a terminal; COLUMNS says otherwise, as to all programs. 0: it is none, or says none.
 */
static size_t columns_of(FILE *file)
{
    const char *given = getenv("COLUMNS");
    struct winsize size = {0};

    if (isatty(fileno(file)) != 1)
        return 0;
    unsigned long columns = given ? strtoul(given, NULL, 10) : 0;

    if (columns == 0 && ioctl(fileno(file), TIOCGWINSZ, &size) == 0)
        columns = size.ws_col;
    return columns == 0 || columns > NARROWEST ? columns : NARROWEST;
}

static struct xds_printer printer_for(FILE *file, const struct common *settings,
                                      bool color)
{
    return (struct xds_printer){
        .write = write_file,
        .user = file,
        .color = color && wants_color(settings, file),
        .verbose = settings->verbose,
        .quiet = settings->quiet,
        .command = settings->words,
    };
}

struct xds_printer error_printer(const struct common *settings)
{
    return printer_for(stderr, settings, true);
}

void tell_choices(const struct command *command, const struct common *settings,
                  struct xds_slice (*choice)(const void *of, size_t i), const void *of)
{
    const struct xds_printer to = error_printer(settings);
    struct xds_slice name = choice(of, 0);

    if (!name.data || settings->quiet)
        return;
    (void)usage_error(command, "a route configuration answers%s:",
                      choice(of, 1).data ? "; choose one" : "");
    for (size_t i = 1; name.data; name = choice(of, i++)) {
        (void)fputs("  ", stderr);
        if (xds_print_command_with(&to, "--route-config", name) != XDS_OK)
            return;
    }
}

int tell_findings(const struct command *command, const struct common *settings,
                  struct xds_report *report,
                  bool (*wanted)(const struct xds_finding *finding, void *user),
                  void *user)
{
    const struct xds_printer to = error_printer(settings);

    if (xds_report_keep(report, wanted, user) != XDS_OK)
        return trouble(command, "out of memory");
    return xds_print_findings_gcc(&to, report) == XDS_OK ? EXIT_CLEAN : EXIT_TROUBLE;
}

/* The answer is what was asked for; it must not be lost below hundreds of errors. */
enum { MAX_ERRORS = 5 };

struct few {
    const bool *met;          /* or NULL */
    size_t n;                 /* errors that were seen */
    size_t of_met, of_others; /* that may still be reported */
};

static bool is_met(const struct few *few, const struct xds_finding *finding)
{
    return few->met && finding->resource != XDS_NO_RESOURCE &&
           few->met[finding->resource];
}

static bool is_one_of_few(const struct xds_finding *finding, void *user)
{
    struct few *few = user;

    if (finding->level != XDS_LEVEL_ERROR)
        return false;
    size_t *left = is_met(few, finding) ? &few->of_met : &few->of_others;

    few->n++;
    return *left > 0 && (*left)--;
}

static void share_room(struct few *few, const struct xds_report *report, size_t most)
{
    for (size_t i = 0; i < xds_report_findings(report) && few->of_met < most; i++) {
        const struct xds_finding *finding = xds_report_finding(report, i);

        few->of_met += finding->level == XDS_LEVEL_ERROR && is_met(few, finding);
    }
    few->of_others = most - few->of_met;
}

int tell_errors(const struct command *command, const struct common *settings,
                struct xds_report *report, const bool *met)
{
    struct few few = {.met = met};

    if (settings->quiet)
        return EXIT_CLEAN;
    share_room(&few, report, settings->verbose ? SIZE_MAX : MAX_ERRORS);
    const int status = tell_findings(command, settings, report, is_one_of_few, &few);

    if (few.n > MAX_ERRORS && !settings->verbose)
        (void)fprintf(stderr, "and %zu more error%s (-v lists them)\n",
                      few.n - MAX_ERRORS, few.n == MAX_ERRORS + 1 ? "" : "s");
    return status;
}

int output_open(struct output *out, const struct command *command,
                const struct common *settings, bool text)
{
    const char *name = settings->output;

    *out = (struct output){.command = command, .name = name};
    if (!name || strcmp(name, "-") == 0) {
        out->name = "standard output";
        out->file = stdout;
    } else {
        replace_begin(&out->place, name);
        out->file = out->place.file;
    }
    if (!out->file) {
        (void)trouble_errno(command, name);
        output_drop(out);
        return EXIT_TROUBLE;
    }
    out->printer = printer_for(out->file, settings, text);
    out->printer.columns = text ? columns_of(out->file) : 0;
    if (out->printer.columns > 0) {
        out->fold = xds_fold_new(&out->printer);
        if (!out->fold)
            return trouble(command, "out of memory");
        out->printer = xds_fold_printer(out->fold);
    }
    return EXIT_CLEAN;
}

/* errno says why not. */
static bool finish(struct output *out, bool complete, char **kept)
{
    complete = xds_fold_free(out->fold) == XDS_OK && complete;
    out->fold = NULL;
    *kept = NULL;
    if (out->file == stdout)
        return fflush(stdout) == 0 && complete;
    return replace_end(&out->place, complete, kept);
}

void output_drop(struct output *out)
{
    char *kept;

    (void)finish(out, false, &kept);
}

/* What could not be written over the older file is not lost. */
static int failed(const struct output *out, enum xds_status status, const char *kept)
{
    if (kept)
        return trouble(out->command, "%s: %s; it is damaged, and %s has the new text",
                       out->name, strerror(errno), kept);
    return status == XDS_ERR_NO_MEMORY ? trouble(out->command, "out of memory")
                                       : trouble_errno(out->command, out->name);
}

int output_close(struct output *out, enum xds_status status)
{
    char *kept;

    if (finish(out, status == XDS_OK, &kept))
        return EXIT_CLEAN;
    /* A reader that went away wants no message, even if our parent ignored SIGPIPE. */
    if (errno == EPIPE)
        signals_end(SIGPIPE);
    const int result = failed(out, status, kept);

    free(kept);
    return result;
}

int output_write(const struct command *command, const struct common *settings,
                 struct xds_slice bytes)
{
    struct output out;
    const int status = output_open(&out, command, settings, false);

    if (status != EXIT_CLEAN)
        return status;
    return output_close(&out, write_file(out.file, bytes.data, bytes.len) ? XDS_OK
                                                                          : XDS_ERR_IO);
}

/* EXIT_CLEAN: the file has this text. */
static int check_text(const struct command *command, const char *path,
                      struct xds_slice text)
{
    struct xds_slice now;
    int status = slurp(command, path, &now);

    if (status == EXIT_CLEAN &&
        (now.len != text.len ||
         (text.len > 0 && memcmp(now.data, text.data, text.len) != 0)))
        status = trouble(command, "%s: not changed: something else has changed it", path);
    slurp_free(now);
    return status;
}

int output_edit(const struct command *command, const char *path, struct xds_slice old,
                struct xds_slice new)
{
    const struct common there = {.output = path};
    struct output out;
    int status = output_open(&out, command, &there, false);

    if (status != EXIT_CLEAN)
        return status;
    const bool good = write_file(out.file, new.data, new.len);

    status = good ? check_text(command, path, old) : EXIT_CLEAN;
    if (status == EXIT_CLEAN)
        return output_close(&out, good ? XDS_OK : XDS_ERR_IO);
    output_drop(&out);
    return status;
}

int output_put(const struct command *command, const struct common *settings, FILE *spool)
{
    struct output out;
    char buffer[65536];
    size_t n;
    int status = output_open(&out, command, settings, false);

    if (status != EXIT_CLEAN)
        return status;
    rewind(spool);
    if (fflush(out.file) == 0)
        system_send(fileno(out.file), fileno(spool));
    bool good = true;
    while (good && (n = fread(buffer, 1, sizeof buffer, spool)) > 0)
        good = out.printer.write(out.printer.user, buffer, n);
    return output_close(&out, good && !ferror(spool) ? XDS_OK : XDS_ERR_IO);
}
