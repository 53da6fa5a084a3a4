/*
 * stream.c - lint --stream: each line of the input alone, whatever their number.
 *
 * Fails:  with a message where a file cannot be read, and goes on with the next; when the
 *         output cannot be written, or there is no memory for a line, it ends.
 *
 * Output waits in a buffer only while there is input at hand: what comes through a pipe
 * is answered before more of it is waited for.
 */
#include "cli/files/lines.h"
#include "cli/lint/lint.h"
#include "cli/files/output.h"

#include <errno.h>
#include <string.h>

struct stream {
    const struct command *command;
    const struct lint_settings *settings;
    struct input input;
    struct xds_slice baseline;
    struct output out;
    enum xds_status written; /* what printing came to so far */
    int error;               /* its errno */
    int status;              /* exit code so far */
    size_t unread;           /* lines of which no finding says that */
    bool ended;              /* for lack of memory, which a message has said */
};

static void note_written(struct stream *s, enum xds_status status)
{
    if (status == XDS_OK || s->written != XDS_OK)
        return;
    s->written = status;
    s->error = errno;
}

static void flush(void *user)
{
    struct stream *s = user;

    note_written(s, fflush(s->out.file) == 0 ? XDS_OK : XDS_ERR_IO);
}

/* What is known is taken out, and what is not wanted. False, after a message, when there
 * is no memory: the baseline was read before. */
static bool filter(struct stream *s)
{
    struct xds_report *report = s->input.report;

    if (xds_report_findings(report) == 0)
        return true;
    if (baseline_apply_text(s->command, s->settings, s->baseline, report) != EXIT_CLEAN)
        return false;
    if (rules_apply(s->settings, report) == XDS_OK)
        return true;
    (void)trouble(s->command, "out of memory");
    return false;
}

/* May there be another line? */
static bool goes_on(const struct stream *s)
{
    return s->written == XDS_OK && !s->ended;
}

static void judge(struct stream *s, const struct xds_line *line)
{
    const struct xds_report *report = s->input.report;
    const enum xds_status judged = input_judge_line(&s->input, line);

    if (judged != XDS_OK)
        s->status = EXIT_TROUBLE;
    s->ended = judged == XDS_ERR_NO_MEMORY || !filter(s);
    if (s->ended) {
        s->status = EXIT_TROUBLE;
        return;
    }
    note_written(s, xds_print_line_json(&s->out.printer, report, line));

    const struct xds_summary sum = xds_report_summary(report);
    const struct xds_read_sum reading = xds_source_sum(s->input.source);

    s->unread +=
        lint_counted(s->settings, sum) == 0 && reading.unread + reading.unreadable > 0;
    s->status = worse(s->status, lint_verdict(s->settings, sum));
}

/* It cannot be read, as errno says. Without memory there will be no other one. */
static void leave_file(struct stream *s, const char *name)
{
    s->ended |= errno == ENOMEM;
    s->status = worse(s->status, trouble_errno(s->command, name));
}

static void judge_lines(struct stream *s, struct lines *lines, const char *name)
{
    struct xds_line line = {.file = name};

    while (goes_on(s)) {
        const enum line_status status = lines_next(lines, &line.text);

        line.number = lines->number;
        line.too_long = status == LINE_TOO_LONG;
        switch (status) {
        case LINE_READ:
            if (strspn(line.text.data, " \t\r") == line.text.len)
                break;
            judge(s, &line);
            break;
        case LINE_TOO_LONG:
            judge(s, &line);
            break;
        case LINE_ERROR:
            leave_file(s, name);
            return;
        case LINE_END:
            return;
        }
    }
}

static void judge_file(struct stream *s, const char *name, FILE *file)
{
    struct lines lines;

    if (lines_open(&lines, file)) {
        lines.most = XDS_MAX_LINE;
        lines.before_read = flush;
        lines.user = s;
        judge_lines(s, &lines, name);
    } else {
        leave_file(s, name);
    }
    lines_close(&lines);
}

static void judge_path(struct stream *s, const char *path)
{
    if (strcmp(path, "-") == 0) {
        const char *name = s->settings->input.common.stdin_name;

        judge_file(s, name ? name : path, stdin);
        return;
    }
    FILE *file = fopen(path, "rb");

    if (!file) {
        leave_file(s, path);
        return;
    }
    judge_file(s, path, file);
    (void)fclose(file);
}

static int judge_all(struct stream *s, const struct operands *operands)
{
    const int status =
        output_open(&s->out, s->command, &s->settings->input.common, false);

    if (status != EXIT_CLEAN)
        return status;
    for (size_t i = 0; i < operands->n && goes_on(s); i++)
        judge_path(s, operands->items[i]);
    if (s->ended) {
        output_drop(&s->out);
        return s->status;
    }
    errno = s->error;
    s->status = worse(s->status, output_close(&s->out, s->written));
    if (s->unread == 0)
        return s->status;
    return trouble(s->command, "%zu line%s could not be read: " UNREAD_IS_HIDDEN,
                   s->unread, s->unread == 1 ? "" : "s");
}

int stream(const struct command *self, const struct lint_settings *settings,
           const struct operands *operands)
{
    struct stream s = {.command = self, .settings = settings};
    struct xds_options asked;

    if (operands->n == 0)
        return usage_error(self, "needs a PATH; - is standard input");
    if (!ask_clients(self, &settings->clients, &asked) || !rules_check(self, settings))
        return EXIT_USAGE;
    int status = input_open_lines(&s.input, self, &settings->input, &asked);

    /* An invalid baseline is reported at once, not at the first line with a finding. */
    if (status == EXIT_CLEAN)
        status = baseline_read(self, settings, &s.baseline);
    if (status == EXIT_CLEAN)
        status = baseline_apply_text(self, settings, s.baseline, s.input.report);
    if (status == EXIT_CLEAN)
        status = judge_all(&s, operands);
    slurp_free(s.baseline);
    input_release(&s.input);
    return status;
}
