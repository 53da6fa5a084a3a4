/*
 * requests.c - --requests: many RPCs, one per line.
 *
 * Fails:  with FILE:LINE: error: ... on standard error; the other lines are answered.
 */
#include "cli/explain/request.h"

#include "cli/files/lines.h"

#include <cjson/cJSON.h>

#include <errno.h>
#include <string.h>

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

struct work {
    const struct requests *shared;
    const char *name;        /* of the file, for messages */
    struct xds_request base; /* of every line */
    struct xds_inbound inbound;
    struct xds_json_requests *reader;
    struct lines lines;
};

static bool put(const struct work *w, const char *text, size_t len)
{
    return w->shared->to->write(w->shared->to->user, text, len);
}

static int out_of_memory(const struct work *w)
{
    return trouble(w->shared->command, "out of memory");
}

/* The line's place stays taken in the output. */
static int put_error(const struct work *w, const char *message)
{
    cJSON *line = cJSON_CreateObject();
    char *text = NULL;
    bool ok = true;

    if (cJSON_AddNumberToObject(line, "version", 1) &&
        cJSON_AddNumberToObject(line, "line", (double)w->lines.number) &&
        cJSON_AddStringToObject(line, "error", message))
        text = cJSON_PrintUnformatted(line);
    if (text)
        ok = put(w, text, strlen(text)) && put(w, "\n", 1);
    cJSON_Delete(line);
    cJSON_free(text);
    if (!text)
        return out_of_memory(w);
    return ok ? EXIT_USAGE : EXIT_TROUBLE;
}

static int reject(const struct work *w, struct xds_slice message)
{
    put_remark(stderr, "%s:%zu: error: %.*s", w->name, w->lines.number, (int)message.len,
               message.data);
    return w->shared->to ? put_error(w, message.data) : EXIT_USAGE;
}

/* Some editors put a byte order mark in front of a file. */
static struct xds_slice without_mark(struct xds_slice line)
{
    const size_t len = strlen(BYTE_ORDER_MARK);

    if (line.len < len || memcmp(line.data, BYTE_ORDER_MARK, len) != 0)
        return line;
    return (struct xds_slice){line.data + len, line.len - len};
}

static int answer_line(struct work *w, struct xds_slice line)
{
    const struct xds_request *rpc;
    struct xds_slice fault;

    if (w->lines.number == 1)
        line = without_mark(line);
    if (line.len == strspn(line.data, " \t"))
        return EXIT_CLEAN;
    switch (xds_json_requests_read(w->reader, line, &rpc, &fault)) {
    case XDS_OK:
        break;
    case XDS_ERR_USAGE:
        return reject(w, fault);
    case XDS_END:
    case XDS_ERR_NO_MEMORY:
    case XDS_ERR_IO:
        return out_of_memory(w);
    }
    if (!rpc->path.data)
        return reject(w, slice_of("a request needs \"path\""));

    const struct request_line read = {w->reader, rpc};
    const char *complaint = NULL;
    const int status = w->shared->answer(w->shared, &read, &complaint);

    return complaint ? reject(w, slice_of(complaint)) : status;
}

static int answer_lines(struct work *w)
{
    int status = EXIT_CLEAN;
    struct xds_slice line;

    while (status != EXIT_TROUBLE) {
        switch (lines_next(&w->lines, &line)) {
        case LINE_READ:
            status = worse(status, answer_line(w, line));
            break;
        case LINE_TOO_LONG:
            status = worse(status, reject(w, slice_of("the line is too long")));
            break;
        case LINE_END:
            return status;
        case LINE_ERROR:
            return trouble_errno(w->shared->command, w->name);
        }
    }
    return status;
}

/* Cookies of the options come before those of a line, in one header with them. */
static bool open_reader(struct work *w)
{
    const struct request *base = w->shared->base;

    w->base = base->rpc;
    w->base.every_route = w->shared->every_route;
    if (base->cookies)
        w->base.n_headers--;
    if (w->shared->inbound) {
        w->inbound = *w->shared->inbound;
        w->inbound.rpc = w->base;
        w->reader = xds_json_inbounds_new(&w->inbound, slice_of(base->cookies));
    } else
        w->reader = xds_json_requests_new(&w->base, slice_of(base->cookies));
    return w->reader != NULL;
}

int requests_answer(const struct requests *requests, const char *path)
{
    const bool standard = strcmp(path, "-") == 0;
    struct work w = {.shared = requests, .name = standard ? "standard input" : path};
    FILE *file = standard ? stdin : fopen(path, "rb");
    int status;

    if (!file)
        return trouble_errno(requests->command, path);
    status = open_reader(&w) && lines_open(&w.lines, file) ? answer_lines(&w)
                                                           : out_of_memory(&w);
    lines_close(&w.lines);
    xds_json_requests_free(w.reader);
    if (!standard)
        (void)fclose(file);
    return status;
}
