/*
 * state.c - read the states of addresses from the file of --state.
 *
 * Fails:  with one line: what is no JSON object, a state that is none, an address twice.
 */
#include "cli/state.h"

#include "cli/slurp.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is wrong; always false. */
__attribute__((format(printf, 2, 3))) static bool complain(char error[OPTIONS_ERROR_SIZE],
                                                           const char *format, ...)
{
    va_list args;

    va_start(args, format);
    (void)vsnprintf(error, OPTIONS_ERROR_SIZE, format, args);
    va_end(args);
    return false;
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* An object that says two things of one address says nothing. *twice: that address, or
 * NULL. False when there is no memory. */
static bool find_twice(const struct xds_tree *object, const char **twice)
{
    const char **names = calloc(object->n + 1, sizeof *names);

    *twice = NULL;
    if (!names)
        return false;
    for (size_t i = 0; i < object->n; i++)
        names[i] = object->items[i].key.data;
    qsort(names, object->n, sizeof *names, compare_names);
    for (size_t i = 1; i < object->n && !*twice; i++)
        *twice = strcmp(names[i - 1], names[i]) == 0 ? names[i] : NULL;
    free(names);
    return true;
}

/* Nothing is wrong with the text then. */
static bool no_memory(char error[OPTIONS_ERROR_SIZE])
{
    error[0] = '\0';
    return false;
}

static bool read_member(struct request *request, const struct xds_tree *member,
                        char error[OPTIONS_ERROR_SIZE])
{
    enum xds_connectivity state;

    if (member->kind != XDS_TREE_STRING ||
        !xds_connectivity_from_name(member->text, &state))
        return complain(error,
                        "the state of \"%.80s\" is not READY, IDLE, CONNECTING or "
                        "TRANSIENT_FAILURE",
                        member->key.data);
    return request_assume(request, member->key, state) || no_memory(error);
}

static bool read_object(struct request *request, const struct xds_tree *object,
                        char error[OPTIONS_ERROR_SIZE])
{
    const char *twice;

    if (!object)
        return complain(error, "not valid JSON");
    if (object->kind != XDS_TREE_OBJECT)
        return complain(error, "not a JSON object of addresses and states");
    if (!find_twice(object, &twice))
        return no_memory(error);
    if (twice)
        return complain(error, "duplicate address \"%.80s\"", twice);
    for (size_t i = 0; i < object->n; i++)
        if (!read_member(request, &object->items[i], error))
            return false;
    return true;
}

int state_read(struct request *request, const char *path, struct xds_parsed **json)
{
    char error[OPTIONS_ERROR_SIZE];
    const int status = slurp_json(request->command, path, json);

    if (status != EXIT_CLEAN)
        return status;
    if (read_object(request, xds_parsed_tree(*json), error))
        return EXIT_CLEAN;
    return *error ? usage_error(request->command, "--state: %s: %s", path, error)
                  : trouble(request->command, "out of memory");
}
