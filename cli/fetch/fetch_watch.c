/*
 * fetch_watch.c - fetch --watch: a line for each response and for each change, with what
 * it does.
 *
 * What is held once nothing is missing is a snapshot; it is compared with the one before
 * as `diff` does. Lines begin with the time.
 */
#include "cli/fetch/fetch_ads.h"
#include "cli/files/input.h"
#include "cli/files/output.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct watch {
    const struct fetch *f;
    struct output out;
    bool is_open;
    struct xds_options asked;
    enum xds_client client;
    struct input states[2];
    struct xds_memo *memo; /* most resources of a state are as in the one before */
    unsigned now;          /* which of them is the newest */
    bool has_state;
    bool is_accepted; /* what came since then was */
    bool is_inside;   /* a line */
    /* The last rejection, and how often it has come again. */
    char rejection[1200];
    size_t again;
    /* What was missing the last time, a sentence each. */
    char **missing;
    size_t n_missing;
};

/* ---- lines ---- */

static void put_time(FILE *out)
{
    const time_t now = time(NULL);
    struct tm parts;
    char text[40];

    if (gmtime_r(&now, &parts) && strftime(text, sizeof text, "%FT%TZ ", &parts) > 0)
        (void)fputs(text, out);
}

/* A line, whatever is in it. */
static void put_line(struct watch *watch, const char *text)
{
    put_time(watch->out.file);
    put_safely(watch->out.file, text, strlen(text));
    (void)fputc('\n', watch->out.file);
    (void)fflush(watch->out.file); /* for who reads a pipe; see watch_flush() */
}

int watch_flush(struct watch *watch)
{
    if (fflush(watch->out.file) == 0 && !ferror(watch->out.file))
        return EXIT_CLEAN;
    watch->is_open = false;
    return worse(EXIT_TROUBLE, output_close(&watch->out, XDS_ERR_IO));
}

void watch_tell(struct watch *watch, const char *format, ...)
{
    char text[1200];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    put_line(watch, text);
}

struct watch *watch_new(const struct fetch *f)
{
    struct watch *watch = calloc(1, sizeof *watch);
    const char *as = f->settings->ads.as;

    if (!watch)
        return NULL;
    watch->f = f;
    watch->asked.clients = 0;
    watch->memo = xds_memo_new(INPUT_REMEMBERED);
    watch->is_open = watch->memo && output_open(&watch->out, f->command,
                                                &f->settings->common, true) == EXIT_CLEAN;
    if (watch->is_open &&
        ask_client(f->command, as ? as : "core", &watch->asked, &watch->client)) {
        watch->asked.clients = XDS_ALL_CLIENTS; /* verdicts are those of all */
        return watch;
    }
    watch_free(watch);
    return NULL;
}

static void free_missing(char **list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(list[i]);
    free(list);
}

void watch_free(struct watch *watch)
{
    if (!watch)
        return;
    for (unsigned i = 0; i < 2; i++)
        input_release(&watch->states[i]);
    xds_memo_free(watch->memo);
    free_missing(watch->missing, watch->n_missing);
    if (watch->is_open)
        (void)output_close(&watch->out, XDS_OK);
    free(watch);
}

/* ---- a response ---- */

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

/* Some control planes send at once again what was rejected, and so for ever. */
static void tell_rejection(struct watch *watch, const char *what, struct xds_slice error)
{
    char text[sizeof watch->rejection];

    (void)snprintf(text, sizeof text, "%s: rejected (NACK): %.*s", what,
                   (int)(error.len > 700 ? 700 : error.len), error.data);
    if (strcmp(text, watch->rejection) == 0) {
        if (++watch->again == 1)
            put_line(watch, "the control plane sends the same again, which is no longer "
                            "printed");
        return;
    }
    watch->again = 0;
    memcpy(watch->rejection, text, sizeof text);
    put_line(watch, text);
}

void watch_tell_verdict(struct watch *watch, const struct session *s,
                        const struct link *link)
{
    const struct xds_ads_verdict v = xds_ads_verdict(s->ads);
    const struct xds_ads_resource of = {.type_url = v.type_url};
    char text[400], kind[80];

    session_kind(&of, kind, sizeof kind);
    (void)snprintf(
        text, sizeof text, "%s: %s version \"%.*s\", %zu resource%s",
        link->peer.live.name, kind, (int)(v.version.len > 100 ? 100 : v.version.len),
        v.version.len > 0 ? v.version.data : "", v.resources, plural(v.resources));
    watch->is_accepted = v.rejected == 0;
    if (v.rejected == 0)
        watch_tell(watch, "%s: accepted (ACK)", text);
    else
        tell_rejection(watch, text, v.error);
}

/* ---- what is missing ---- */

static bool was_missing(const struct watch *watch, const char *text)
{
    for (size_t i = 0; i < watch->n_missing; i++)
        if (strcmp(watch->missing[i], text) == 0)
            return true;
    return false;
}

enum { MOST_MISSING = 100 };

static bool tell_missing(struct watch *watch, const struct session *s)
{
    char **list = calloc(MOST_MISSING, sizeof *list), text[1200];
    struct xds_ads_resource r;
    size_t n = 0;
    bool good = list != NULL;

    for (size_t i = 0; good && n < MOST_MISSING && xds_ads_resource_at(s->ads, i, &r);
         i++) {
        if (r.rejected.data || !session_absence(s, &r, text, sizeof text))
            continue;
        if (!was_missing(watch, text))
            put_line(watch, text);
        list[n] = strdup(text);
        good = list[n++] != NULL;
    }
    free_missing(watch->missing, watch->n_missing);
    watch->missing = list;
    watch->n_missing = n;
    return good;
}

/* ---- what changes ---- */

static void tell_first(struct watch *watch, const struct session *s)
{
    size_t n[XDS_TYPE_ENDPOINT + 1] = {0};
    struct xds_ads_resource r;

    for (size_t i = 0; xds_ads_resource_at(s->ads, i, &r); i++)
        n[r.type] += r.bytes.data != NULL;
    watch_tell(
        watch,
        "in use: %zu listener%s, %zu route configuration%s, %zu cluster%s, endpoints "
        "of %zu cluster%s",
        n[XDS_TYPE_LISTENER], plural(n[XDS_TYPE_LISTENER]), n[XDS_TYPE_ROUTE],
        plural(n[XDS_TYPE_ROUTE]), n[XDS_TYPE_CLUSTER], plural(n[XDS_TYPE_CLUSTER]),
        n[XDS_TYPE_ENDPOINT], plural(n[XDS_TYPE_ENDPOINT]));
}

static struct xds_source *open_again(void *user, struct xds_report *report)
{
    return input_open_again(user, report);
}

/* The time before each line. */
static bool put_stamped(void *user, const char *data, size_t len)
{
    struct watch *watch = user;
    FILE *out = watch->out.file;

    while (len > 0) {
        const char *end = memchr(data, '\n', len);
        const size_t n = end ? (size_t)(end - data) + 1 : len;

        if (!watch->is_inside)
            put_time(out);
        watch->is_inside = !end;
        if (fwrite(data, 1, n, out) != n)
            return false;
        data += n;
        len -= n;
    }
    return true;
}

static int failed(const struct watch *watch, enum xds_status status)
{
    if (status == XDS_OK)
        return EXIT_CLEAN;
    return trouble(watch->f->command, "out of memory");
}

static int print_changes(struct watch *watch, struct xds_diff *diff)
{
    struct xds_printer to = watch->out.printer;
    int status = failed(watch, xds_diff_resources(diff));

    if (status == EXIT_CLEAN)
        status = failed(watch, xds_diff_derive(diff, (struct xds_slice){NULL, 0}));
    if (status != EXIT_CLEAN)
        return status;
    to.write = put_stamped;
    to.user = watch;
    if (!xds_diff_found(diff) && watch->is_accepted)
        watch_tell(watch, "no difference");
    /* What cannot be written is seen by watch_flush(). */
    return xds_print_diff_lines(&to, diff) == XDS_ERR_NO_MEMORY
               ? failed(watch, XDS_ERR_NO_MEMORY)
               : EXIT_CLEAN;
}

static int compare(struct watch *watch)
{
    struct input *old = &watch->states[!watch->now], *new = &watch->states[watch->now];
    const struct xds_diff_side before = {.check = old->check,
                                         .report = old->report,
                                         .open = open_again,
                                         .user = old,
                                         .client = watch->client};
    const struct xds_diff_side after = {.check = new->check,
                                        .report = new->report,
                                        .open = open_again,
                                        .user = new,
                                        .client = watch->client};
    struct xds_diff *diff = xds_diff_new(&before, &after);
    const int status =
        diff ? print_changes(watch, diff) : failed(watch, XDS_ERR_NO_MEMORY);

    xds_diff_free(diff);
    return status;
}

/* What is held becomes the newest state. */
static int read_state(struct watch *watch, const struct session *s)
{
    static const struct operands none = {.n = 0};
    const struct input_settings settings = {.common = watch->f->settings->common,
                                            .memo = watch->memo};
    struct xds_slice bytes;
    int status = session_dump(s, &bytes);

    if (status != EXIT_CLEAN)
        return status;
    watch->now = !watch->now;
    input_release(&watch->states[watch->now]);
    watch->states[watch->now] = (struct input){
        .command = watch->f->command, .operands = &none, .from = "", .fetched = bytes};
    status = input_read_fetched(&watch->states[watch->now], &settings, &watch->asked);
    return status == EXIT_FINDINGS ? EXIT_CLEAN : status;
}

int watch_tell_state(struct watch *watch, const struct session *s)
{
    if (!tell_missing(watch, s))
        return failed(watch, XDS_ERR_NO_MEMORY);
    int status = read_state(watch, s);

    if (status == EXIT_CLEAN && watch->has_state)
        status = compare(watch);
    else if (status == EXIT_CLEAN)
        tell_first(watch, s);
    watch->has_state = true;
    watch->is_accepted = false;
    return status == EXIT_CLEAN ? watch_flush(watch) : status;
}
