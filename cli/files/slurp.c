/*
 * slurp.c - a whole file in memory.
 *
 * Fails:  with a message when it cannot be read or is larger than a resource may be.
 */
#include "cli/options/common.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_BYTES ((size_t)64 << 20)

static bool grow(char **data, size_t *cap)
{
    const size_t more = *cap ? 2 * *cap : (size_t)64 << 10;
    char *larger = realloc(*data, more);

    if (!larger)
        return false;
    *data = larger;
    *cap = more;
    return true;
}

static int read_file(const struct command *command, const char *path, FILE *file,
                     struct xds_slice *text)
{
    char *data = NULL;
    size_t cap = 0, len = 0;

    while (!feof(file) && !ferror(file) && len <= MAX_BYTES) {
        if (len + 1 >= cap && !grow(&data, &cap)) {
            free(data);
            return trouble(command, "out of memory");
        }
        len += fread(data + len, 1, cap - len - 1, file);
    }
    if (data)
        data[len] = '\0';
    *text = (struct xds_slice){data, len};
    if (ferror(file))
        return trouble_errno(command, path);
    return len > MAX_BYTES ? trouble(command, "%s: larger than 64 MiB", path)
                           : EXIT_CLEAN;
}

int slurp(const struct command *command, const char *path, struct xds_slice *text)
{
    const bool is_stdin = strcmp(path, "-") == 0;
    FILE *file = is_stdin ? stdin : fopen(path, "rb");

    *text = (struct xds_slice){NULL, 0};
    if (!file)
        return trouble_errno(command, path);
    const int status = read_file(command, path, file, text);

    if (!is_stdin)
        (void)fclose(file);
    return status;
}

int slurp_json(const struct command *command, const char *path, struct xds_parsed **json)
{
    struct xds_slice text;
    int status = slurp(command, path, &text);

    *json = NULL;
    if (status == EXIT_CLEAN && xds_parse(XDS_FORMAT_JSON, text, json) != XDS_OK)
        status = trouble(command, "%s: out of memory", path);
    slurp_free(text);
    return status;
}

void slurp_free(struct xds_slice text)
{
    free((void *)(uintptr_t)text.data);
}

bool is_read_once(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

bool is_packed(struct xds_slice text)
{
    return text.len >= 4 && (memcmp(text.data, "\x1f\x8b", 2) == 0 ||
                             memcmp(text.data, "\x28\xb5\x2f\xfd", 4) == 0);
}
