/* first.c - --init: a first file of tests, or a first scenario, for a snapshot. */
#include "cli/input.h"
#include "cli/output.h"

#include <stdlib.h>
#include <string.h>

/* As a file in the folder of the output names it; the caller frees it. */
static char *path_from_output(const char *path, const char *output)
{
    const char *slash = output ? strrchr(output, '/') : NULL;
    size_t up = 0;

    if (!slash || *path == '/')
        return strdup(path);
    if (*output == '/' || strstr(output, ".."))
        return realpath(path, NULL);
    for (const char *c = output; c <= slash; c++)
        up += *c == '/';
    char *text = calloc(3 * up + strlen(path) + 1, 1);

    if (!text)
        return NULL;
    for (size_t i = 0; i < up; i++)
        memcpy(text + 3 * i, "../", 3);
    memcpy(text + 3 * up, path, strlen(path));
    return text;
}

struct first {
    const struct command *self;
    const struct input_settings *settings;
    enum xds_client client;
    first_fn *write;
    const char *missing;
};

static int write_first(const struct first *f, struct input *input, char **paths)
{
    const struct operands *operands = input->operands;
    size_t n = 0;
    struct output out;
    const int status = output_open(&out, f->self, &f->settings->common, false);

    if (status != EXIT_CLEAN)
        return status;
    const enum xds_status written = f->write(&out.printer, input->check, f->client,
                                             (const char *const *)paths, operands->n, &n);

    if (written != XDS_OK || n > 0)
        return output_close(&out, written);
    output_drop(&out);
    (void)usage_error(f->self, "--init: no RPC of client %s %s",
                      xds_client_name(f->client), f->missing);
    return EXIT_FINDINGS;
}

/* False when there is no memory. */
static bool fill_paths(char **paths, const struct operands *operands, const char *output)
{
    bool filled = true;

    for (size_t i = 0; i < operands->n; i++) {
        paths[i] = path_from_output(operands->items[i], output);
        filled = filled && paths[i];
    }
    return filled;
}

int first_write(const struct command *self, const struct input_settings *settings,
                const struct operands *operands, const struct xds_options *asked,
                enum xds_client client, first_fn *write, const char *missing)
{
    const struct first first = {self, settings, client, write, missing};
    struct input input;
    int status = input_read(&input, self, settings, operands, asked, true);

    if (status == EXIT_CLEAN) {
        char **paths = calloc(operands->n + 1, sizeof *paths);
        const bool filled = paths && fill_paths(paths, operands, settings->common.output);

        status =
            filled ? write_first(&first, &input, paths) : trouble(self, "out of memory");
        for (size_t i = 0; paths && i < operands->n; i++)
            free(paths[i]);
        free(paths);
    }
    input_release(&input);
    return status;
}
