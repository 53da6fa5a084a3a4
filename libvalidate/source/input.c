/* input.c - the list of inputs: files, folders, standard input, bytes in memory. */
#include "source/source.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder that is being read, and those it is in. */
struct folder {
    const struct folder *up;
    const char *path;
    struct xds_slice absolute;       /* the same */
    const struct xds_ignore *ignore; /* the .gitignore files in it and above */
    dev_t device;
    ino_t inode;
    unsigned depth;
};

struct names {
    const char **items;
    size_t n, cap;
};

void xds_inputs_add(struct xds_inputs *inputs, struct xds_input input)
{
    inputs->items = xds_arena_room(inputs->arena, inputs->items, inputs->n, &inputs->cap,
                                   sizeof *inputs->items);
    inputs->items[inputs->n++] = input;
}

/* ---- names ---- */

static struct xds_slice base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return xds_slice_of(slash ? slash + 1 : path);
}

enum xds_ending xds_input_ending(const char *path)
{
    static const struct {
        const char *text;
        enum xds_ending ending;
    } endings[] = {
        {".json", XDS_ENDING_JSON},
        {".ndjson", XDS_ENDING_JSON_LINES},
        {".jsonl", XDS_ENDING_JSON_LINES},
        {".yaml", XDS_ENDING_YAML},
        {".yml", XDS_ENDING_YAML},
        {".pb", XDS_ENDING_BINARY},
        {".binpb", XDS_ENDING_BINARY},
        {".txtpb", XDS_ENDING_TEXT_PROTO},
        {".textproto", XDS_ENDING_TEXT_PROTO},
        {".pb_text", XDS_ENDING_TEXT_PROTO},
        {".pbtxt", XDS_ENDING_TEXT_PROTO},
        {".prototxt", XDS_ENDING_TEXT_PROTO},
    };
    struct xds_slice name = base_name(path);

    if (xds_slice_ends(name, XDS_S(".gz")))
        name.len -= 3;
    else if (xds_slice_ends(name, XDS_S(".zst")))
        name.len -= 4;

    for (size_t i = 0; i < XDS_ARRAY_LEN(endings); i++) {
        if (xds_slice_ends(name, xds_slice_of(endings[i].text)))
            return endings[i].ending;
    }
    return XDS_ENDING_NONE;
}

enum xds_resource_type xds_input_type(const char *path)
{
    enum xds_resource_type type = XDS_TYPE_UNKNOWN;
    struct xds_slice rest = base_name(path), part;

    while (rest.data) {
        rest = xds_slice_cut(rest, '.', &part);
        if (part.len && part.data[part.len - 1] == 's')
            part.len--;
        const enum xds_resource_type found = xds_resource_type_from_name(part);
        if (rest.data && found != XDS_TYPE_UNKNOWN)
            type = found;
    }
    return type;
}

const char *xds_input_other_type(const char *path)
{
    static const struct {
        const char *part, *type;
    } types[] = {
        {"secret", "envoy.extensions.transport_sockets.tls.v3.Secret"},
        {"runtime", "envoy.service.runtime.v3.Runtime"},
        {"ecds", "envoy.config.core.v3.TypedExtensionConfig"},
        {"extension_config", "envoy.config.core.v3.TypedExtensionConfig"},
    };
    struct xds_slice rest = base_name(path), part;
    const char *type = NULL;

    while (rest.data) {
        rest = xds_slice_cut(rest, '.', &part);
        if (part.len > 4 && part.data[part.len - 1] == 's')
            part.len--;
        for (size_t i = 0; rest.data && i < XDS_ARRAY_LEN(types); i++)
            if (xds_slice_is(part, types[i].part))
                type = types[i].type;
    }
    return type;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* ---- folders ---- */

static bool add_folder(struct xds_inputs *inputs, struct folder *folder);

static void add_unreadable(struct xds_inputs *inputs, const char *path, int error)
{
    xds_inputs_add(
        inputs,
        (struct xds_input){.kind = XDS_INPUT_UNREADABLE, .path = path, .error = error});
}

static bool is_open_already(const struct folder *up, const struct stat *info)
{
    for (; up; up = up->up) {
        if (up->device == info->st_dev && up->inode == info->st_ino)
            return true;
    }
    return false;
}

/* False with errno when the folder itself cannot be read. */
static bool enter_folder(struct xds_inputs *inputs, const struct folder *up,
                         const char *path, struct xds_slice absolute,
                         const struct stat *info)
{
    struct folder folder = {.up = up,
                            .path = path,
                            .absolute = absolute,
                            .ignore = up ? up->ignore : NULL,
                            .device = info->st_dev,
                            .inode = info->st_ino,
                            .depth = up ? up->depth + 1 : 1};

    if (is_open_already(up, info))
        return true; /* a link that leads back */
    if (folder.depth > XDS_MAX_FOLDER_DEPTH) {
        const uint32_t file = xds_report_add_file(inputs->report, xds_slice_of(path));

        xds_report_at(inputs->report, xds_rule_row(XDS_R_SRC_FOLDER_DEPTH),
                      XDS_NO_RESOURCE, (struct xds_place){file, 1, 1, 1, 1},
                      "folder is nested more than 64 levels deep and not read");
        return true;
    }
    return add_folder(inputs, &folder);
}

/* Of both kinds, or of one: files of a snapshot come together where each folder has its
 * own. A link that leads nowhere is an input that will fail when it is opened. */
static void add_entry(struct xds_inputs *inputs, const struct folder *folder,
                      const char *name, bool files, bool folders)
{
    const char *slash = xds_slice_ends(xds_slice_of(folder->path), XDS_S("/")) ? "" : "/";
    const char *path =
        xds_arena_printf(inputs->arena, "%s%s%s", folder->path, slash, name).data;
    struct stat info;
    const bool known = stat(path, &info) == 0;
    const bool is_folder = known && S_ISDIR(info.st_mode);

    if (!(is_folder ? folders : files))
        return;
    if (!is_folder &&
        (xds_input_ending(path) == XDS_ENDING_NONE || (known && !S_ISREG(info.st_mode))))
        return;
    const struct xds_slice absolute =
        xds_arena_printf(inputs->arena, "%.*s/%s", XDS_FMT(folder->absolute), name);

    if (xds_ignore_has(inputs->excluded, absolute, is_folder) ||
        xds_ignore_has(folder->ignore, absolute, is_folder))
        return;
    if (!is_folder)
        xds_inputs_add(
            inputs,
            (struct xds_input){.kind = XDS_INPUT_FILE, .path = path, .in_folder = true});
    else if (!enter_folder(inputs, folder, path, absolute, &info))
        add_unreadable(inputs, path, errno);
}

/* The names of a folder, without those that begin with a dot. The open folder hangs on
 * inputs, so that it is closed even if memory runs out here. */
static bool read_names(struct xds_inputs *inputs, const char *path, struct names *out)
{
    const struct dirent *entry;

    inputs->open = opendir(path);
    if (!inputs->open)
        return false;
    errno = 0;
    while ((entry = readdir(inputs->open)) != NULL) {
        if (entry->d_name[0] != '.') {
            out->items = xds_arena_room(inputs->arena, out->items, out->n, &out->cap,
                                        sizeof *out->items);
            out->items[out->n++] = xds_arena_strdup(inputs->arena, entry->d_name);
        }
        errno = 0;
    }
    const int error = errno;
    xds_inputs_close(inputs);
    errno = error;
    return error == 0;
}

void xds_inputs_close(struct xds_inputs *inputs)
{
    if (inputs->open)
        closedir(inputs->open);
    inputs->open = NULL;
}

static bool add_folder(struct xds_inputs *inputs, struct folder *folder)
{
    struct xds_arena *arena = inputs->arena;
    const bool uses_git = !inputs->report->options.no_gitignore;
    const bool each = inputs->report->options.each;
    struct names names = {NULL, 0, 0};

    if (!read_names(inputs, folder->path, &names))
        return false;
    if (uses_git && !folder->up &&
        !xds_ignore_read_above(arena, folder->absolute, &folder->ignore))
        add_unreadable(inputs, "a .gitignore file above", errno);
    if (uses_git && !xds_ignore_read(arena, folder->absolute, &folder->ignore))
        add_unreadable(
            inputs, xds_arena_printf(arena, "%s/.gitignore", folder->path).data, errno);
    if (names.n)
        qsort(names.items, names.n, sizeof names.items[0], compare_names);
    for (size_t i = 0; i < names.n; i++)
        add_entry(inputs, folder, names.items[i], true, !each);
    for (size_t i = 0; each && i < names.n; i++)
        add_entry(inputs, folder, names.items[i], false, true);
    return true;
}

/* The path of a folder from the root on, without a slash at its end. */
static struct xds_slice absolute_of(struct xds_inputs *inputs, const char *path)
{
    char *real = realpath(path, NULL);
    const char *name = real ? real : path;
    struct xds_slice text =
        xds_arena_dup(inputs->arena, xds_slice_make(name, strlen(name)));

    free(real);
    while (text.len > 0 && text.data[text.len - 1] == '/')
        text.len--;
    return text;
}

bool xds_inputs_add_path(struct xds_inputs *inputs, const char *path)
{
    const struct xds_options *options = &inputs->report->options;
    const size_t before = inputs->n;
    struct stat info;

    if (strcmp(path, "-") == 0) {
        const char *name = options->stdin_name ? options->stdin_name : "-";

        xds_inputs_add(inputs, (struct xds_input){.kind = XDS_INPUT_STDIN, .path = name});
        return true;
    }
    if (stat(path, &info) != 0 || access(path, R_OK) != 0)
        return false;
    const char *copy = xds_arena_strdup(inputs->arena, path);
    if (!S_ISDIR(info.st_mode)) {
        xds_inputs_add(inputs, (struct xds_input){.kind = XDS_INPUT_FILE, .path = copy});
        return true;
    }
    if (!inputs->excluded && options->n_exclude > 0)
        inputs->excluded =
            xds_ignore_patterns(inputs->arena, options->exclude, options->n_exclude);
    if (!enter_folder(inputs, NULL, copy, absolute_of(inputs, copy), &info)) {
        inputs->n = before;
        return false;
    }
    if (inputs->n == before)
        xds_inputs_add(inputs,
                       (struct xds_input){.kind = XDS_INPUT_EMPTY_FOLDER, .path = copy});
    return true;
}
