/*
 * requests.c - --requests: many RPCs, one per line.
 *
 * Takes:  JSON lines, each an RPC; empty lines are passed over.
 * Gives:  each to the command that asks, in order; for a line that is none an object with
 *         "line" and "error". Memory stays that of one line.
 * Fails:  with FILE:LINE: error: ... on standard error; the other lines are answered.
 */
#include "cli/requests.h"

#include "cli/lines.h"
#include "cli/request_json.h"

#include <cjson/cJSON.h>

#include <errno.h>
#include <string.h>

struct work {
    const struct requests *shared;
    const char *name; /* of the file, for messages */
    struct request request;
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

static int reject(const struct work *w, const char *message)
{
    (void)fprintf(stderr, "%s:%zu: error: %s\n", w->name, w->lines.number, message);
    return w->shared->to ? put_error(w, message) : EXIT_USAGE;
}

static int decide(struct work *w)
{
    const char *complaint = NULL;

    if (!w->request.rpc.path.data)
        return reject(w, "a request needs \"path\"");
    const int status = w->shared->answer(w->shared, &w->request, &complaint);
    return complaint ? reject(w, complaint) : status;
}

static int answer_object(struct work *w, const cJSON *object)
{
    char error[OPTIONS_ERROR_SIZE];

    if (!request_copy(&w->request, w->shared->base))
        return out_of_memory(w);
    w->request.rpc.every_route = w->shared->every_route;
    if (!request_from_json(&w->request, object, error))
        return reject(w, error);
    return decide(w);
}

/* As a byte or as the escape \\u0000: cJSON would cut the text there. */
static bool has_nul(struct xds_slice line)
{
    for (size_t i = 0; i < line.len; i++) {
        if (line.data[i] == '\0')
            return true;
        if (line.data[i] != '\\')
            continue;
        if (strncmp(line.data + i, "\\u0000", 6) == 0)
            return true;
        i++;
    }
    return false;
}

static int answer_line(struct work *w, struct xds_slice line)
{
    const char *end;
    cJSON *object;
    int status;

    if (line.len == strspn(line.data, " \t"))
        return EXIT_CLEAN;
    if (has_nul(line))
        return reject(w, "a request has no NUL character");
    object = cJSON_ParseWithLengthOpts(line.data, line.len + 1, &end, true);
    if (!object) {
        char error[OPTIONS_ERROR_SIZE];
        (void)snprintf(error, sizeof error, "no JSON from column %zu on",
                       (size_t)(end - line.data) + 1);
        return reject(w, error);
    }
    status = answer_object(w, object);
    cJSON_Delete(object);
    return status;
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
            status = worse(status, reject(w, "the line is too long"));
            break;
        case LINE_END:
            return status;
        case LINE_ERROR:
            return trouble_errno(w->shared->command, w->name);
        }
    }
    return status;
}

int requests_answer(const struct requests *requests, const char *path)
{
    const bool standard = strcmp(path, "-") == 0;
    struct work w = {.shared = requests, .name = standard ? "standard input" : path};
    FILE *file = standard ? stdin : fopen(path, "rb");
    int status;

    if (!file)
        return trouble_errno(requests->command, path);
    status = lines_open(&w.lines, file) ? answer_lines(&w) : out_of_memory(&w);
    lines_close(&w.lines);
    request_release(&w.request);
    if (!standard)
        (void)fclose(file);
    return status;
}
