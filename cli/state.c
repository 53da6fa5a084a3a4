/*
 * state.c - read the file of --state.
 *
 * Takes:  {"10.0.0.1:80": "READY", ...}: READY, IDLE, CONNECTING or TRANSIENT_FAILURE.
 * Gives:  one assumption of the request per member, in order.
 * Fails:  with one line: what is no JSON object, a state that is none, an address twice.
 */
#include "cli/state.h"

#include <cjson/cJSON.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BYTES ((size_t)16 << 20)

/* The bytes of the file with a NUL behind them; NULL with errno, or when it is too large
 * (*len is MAX_BYTES then). */
static char *read_all(const char *path, size_t *len)
{
    FILE *file = fopen(path, "rb");
    char *text = file ? malloc(MAX_BYTES + 1) : NULL;

    *len = 0;
    if (text) {
        *len = fread(text, 1, MAX_BYTES, file);
        text[*len] = '\0';
        if (ferror(file) || *len == MAX_BYTES) {
            free(text);
            text = NULL;
        }
    }
    if (file)
        (void)fclose(file);
    return text;
}

static bool find_state(const cJSON *value, enum xds_connectivity *out)
{
    return cJSON_IsString(value) &&
           xds_connectivity_from_name(slice_of(value->valuestring), out);
}

static int read_member(struct request *request, const char *path, const cJSON *member)
{
    enum xds_connectivity state;

    if (!find_state(member, &state))
        return usage_error(request->command,
                           "--state: %s: the state of \"%s\" is not READY, IDLE, "
                           "CONNECTING or TRANSIENT_FAILURE",
                           path, member->string);
    return request_assume(request, slice_of(member->string), state)
               ? EXIT_CLEAN
               : trouble(request->command, "out of memory");
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* A file that says two things of one address says nothing. */
static int refuse_twice(const struct request *request, const char *path,
                        const cJSON *object)
{
    const size_t n = (size_t)cJSON_GetArraySize(object);
    const char **names = calloc(n + 1, sizeof *names);
    const char *twice = NULL;
    const cJSON *member;
    size_t at = 0;

    if (!names)
        return trouble(request->command, "out of memory");
    cJSON_ArrayForEach(member, object) names[at++] = member->string;
    qsort(names, n, sizeof *names, compare_names);
    for (size_t i = 1; i < n && !twice; i++)
        twice = strcmp(names[i - 1], names[i]) == 0 ? names[i] : NULL;
    free(names);
    return twice ? usage_error(request->command, "--state: %s: \"%s\" stands there twice",
                               path, twice)
                 : EXIT_CLEAN;
}

static int read_members(struct request *request, const char *path, const cJSON *object)
{
    const cJSON *member;
    int status;

    if (!cJSON_IsObject(object))
        return usage_error(request->command,
                           "--state: %s: not a JSON object of addresses and states",
                           path);
    status = refuse_twice(request, path, object);
    cJSON_ArrayForEach(member, object)
    {
        if (status == EXIT_CLEAN)
            status = read_member(request, path, member);
    }
    return status;
}

int state_read(struct request *request, const char *path, cJSON **json)
{
    size_t len;
    char *text = read_all(path, &len);

    if (!text)
        return len == MAX_BYTES
                   ? trouble(request->command, "--state: %s: the file is too large", path)
                   : trouble_errno(request->command, path);
    /* With the NUL counted, cJSON refuses what stands behind the document. */
    *json = cJSON_ParseWithLengthOpts(text, len + 1, NULL, 1);
    free(text);
    if (!*json)
        return usage_error(request->command, "--state: %s: not valid JSON", path);
    return read_members(request, path, *json);
}
