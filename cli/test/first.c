/* first.c - --init: a first file of tests, or a first scenario, for a snapshot. */
#include "cli/files/input.h"
#include "cli/files/output.h"

#include <stdlib.h>
#include <string.h>

/* With a slash at its end; NULL: there is none, or no memory. */
static char *real_folder(const char *path)
{
    char *real = realpath(path, NULL);
    const size_t len = real ? strlen(real) : 0;
    char *folder = real ? malloc(len + 2) : NULL;

    if (folder) {
        memcpy(folder, real, len + 1);
        if (len > 1) /* "/" has one */
            memcpy(folder + len, "/", 2);
    }
    free(real);
    return folder;
}

/* The folder that a file is in, likewise. */
static char *folder_of(const char *file)
{
    const char *slash = strrchr(file, '/');
    char *name = slash ? strndup(file, (size_t)(slash - file) + 1) : strdup(".");
    char *folder = name ? real_folder(name) : NULL;

    free(name);
    return folder;
}

/* Of "/a/b/" the length of "/a/". */
static size_t above(const char *folder, size_t len)
{
    while (len > 1 && folder[len - 2] != '/')
        len--;
    return len > 1 ? len - 1 : len;
}

/* The path from the root, without "." and ".." at its front; NULL when there is no
 * memory. Links in it stay what they are. */
static char *from_root(const char *path, const char *here)
{
    size_t len = *path == '/' ? 0 : strlen(here);
    char *text = malloc(len + strlen(path) + 1);

    while (len > 0 && *path == '.') {
        const size_t dots = path[1] == '.' ? 2 : 1;

        if (path[dots] != '/' && path[dots] != '\0')
            break;
        if (dots == 2)
            len = above(here, len);
        path += dots;
        path += strspn(path, "/");
    }
    if (text) {
        memcpy(text, here, len);
        memcpy(text + len, path, strlen(path) + 1);
    }
    return text;
}

/* The path as the folder has it; NULL when there is no memory. */
static char *from_folder(const char *path, const char *folder)
{
    size_t same = 0, up = 0;

    for (size_t i = 0; folder[i] != '\0' && path[i] == folder[i]; i++)
        same = folder[i] == '/' ? i + 1 : same;
    for (const char *rest = folder + same; *rest != '\0'; rest++)
        up += *rest == '/';
    char *text = malloc(3 * up + strlen(path + same) + 2);

    if (!text)
        return NULL;
    for (size_t i = 0; i < up; i++)
        memcpy(text + 3 * i, "../", 3);
    memcpy(text + 3 * up, path + same, strlen(path + same) + 1);
    const size_t len = strlen(text);

    if (len == 0)
        memcpy(text, ".", 2);
    else if (text[len - 1] == '/')
        text[len - 1] = '\0';
    return text;
}

static bool is_standard_output(const char *output)
{
    return !output || strcmp(output, "-") == 0;
}

/* As the file that is written names it; the caller frees it. An absolute path stays what
 * it is where the two have nothing in common. */
static char *path_from_output(const char *path, const char *output)
{
    char *here, *folder, *text = NULL, *whole;

    if (is_standard_output(output) || strcmp(path, "-") == 0)
        return strdup(path);
    here = real_folder(".");
    folder = folder_of(output);
    whole = here && folder ? from_root(path, here) : strdup(path);
    if (whole && folder && *whole == '/' &&
        (*path != '/' || strncmp(path, folder, strcspn(folder + 1, "/") + 2) == 0))
        text = from_folder(whole, folder);
    else if (whole)
        text = strdup(path);
    free(whole);
    free(folder);
    free(here);
    return text;
}

struct first {
    const struct command *self;
    const struct input_settings *settings;
    enum xds_client client;
    first_fn *write;
    const char *missing;
};

/* What goes to standard output may become a file anywhere. */
static const char from_here[] =
    "# The paths of the snapshot are as seen from the folder in which xdscope ran; with\n"
    "# --output FILE they are as seen from that of FILE.\n";

static bool is_relative(const struct operands *operands)
{
    for (size_t i = 0; i < operands->n; i++)
        if (operands->items[i][0] != '/' && strcmp(operands->items[i], "-") != 0)
            return true;
    return false;
}

static int write_first(const struct first *f, struct input *input, char **paths)
{
    const struct operands *operands = input->operands;
    size_t n = 0;
    struct output out;
    const int status = output_open(&out, f->self, &f->settings->common, false);

    if (status != EXIT_CLEAN)
        return status;
    enum xds_status written = f->write(&out.printer, input->check, f->client,
                                       (const char *const *)paths, operands->n, &n);

    if (written == XDS_OK && n > 0 && is_relative(operands) &&
        is_standard_output(f->settings->common.output) &&
        !out.printer.write(out.printer.user, from_here, sizeof from_here - 1))
        written = XDS_ERR_IO;
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
        const size_t n = operands->n;
        char **paths = calloc(n + 1, sizeof *paths);
        const bool filled = paths && fill_paths(paths, operands, settings->common.output);

        status =
            filled ? write_first(&first, &input, paths) : trouble(self, "out of memory");
        for (size_t i = 0; paths && i < n; i++)
            free(paths[i]);
        free(paths);
    }
    input_release(&input);
    return status;
}
