/*
 * conf.c - settings from the environment and from xdscope.conf; the first of command
 * line, environment and file wins. What is no option, or not what the option takes, is
 * one line with the variable or with file:line:column.
 *
 * Source: XDG Base Directory Specification; ruff and shellcheck look in the same way.
 */
#include "cli/options/conf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Text made from what is in the file. */
struct conf_text {
    struct conf_text *next;
    char text[];
};

static char *new_text(struct conf *conf, size_t size)
{
    struct conf_text *text = malloc(sizeof *text + size);

    if (!text)
        return NULL;
    text->next = conf->texts;
    conf->texts = text;
    return text->text;
}

bool conf_no_memory(struct conf *conf)
{
    conf->no_memory = true;
    (void)trouble(conf->command, "out of memory");
    return false;
}

/* What it comes to when a setting cannot be taken, which a message has said. */
static int refused(const struct conf *conf)
{
    return conf->no_memory ? EXIT_TROUBLE : EXIT_USAGE;
}

/* A command as messages name it where the fault is not in the command line. */
struct culprit {
    struct command command;
    char name[512];
};

static void name_culprit(struct culprit *culprit, const struct conf *conf,
                         const char *place)
{
    culprit->command = *conf->command;
    (void)snprintf(culprit->name, sizeof culprit->name, "%s: %s", conf->command->name,
                   place);
    culprit->command.name = culprit->name;
}

static void name_place(struct culprit *culprit, const struct conf *conf, uint32_t line,
                       uint32_t column)
{
    char place[400];

    (void)snprintf(place, sizeof place, "%s:%u:%u", conf->path, line, column);
    name_culprit(culprit, conf, place);
}

static bool set(struct conf *conf, const struct culprit *culprit,
                const struct option *option, const char *const *values, size_t n)
{
    char error[OPTIONS_ERROR_SIZE];

    if (options_offer(conf->command, conf->settings, conf->operands, option, values, n,
                      &conf->room, error))
        return true;
    if (*error == '\0')
        return conf_no_memory(conf);
    (void)usage_error(&culprit->command, "%s", error);
    return false;
}

/* ---- the environment ---- */

static bool read_variable(struct conf *conf, const struct option *option)
{
    struct culprit culprit;
    char name[64] = "XDSCOPE_";
    size_t n = strlen(name);

    if (option->reach == COMMAND_LINE_ONLY)
        return true;
    /* "fail-on" is XDSCOPE_FAIL_ON. */
    for (const char *c = option->name; *c != '\0' && n + 1 < sizeof name; c++)
        name[n++] = (char)(*c == '-'                ? '_'
                           : *c >= 'a' && *c <= 'z' ? *c - 'a' + 'A'
                                                    : *c);
    const char *value = getenv(name);
    if (!value || *value == '\0')
        return true;
    name_culprit(&culprit, conf, name);
    if (option->check && !option->check(&culprit.command, value))
        return false;
    return set(conf, &culprit, option, &value, 1);
}

int conf_read_environment(struct conf *conf)
{
    const struct option *option;

    for (size_t i = 0; (option = command_option(conf->command, i)); i++)
        if (!read_variable(conf, option))
            return refused(conf);
    return EXIT_CLEAN;
}

/* ---- values of the file ---- */

bool conf_wrong(const struct conf *conf, const struct xds_tree *value, const char *name,
                const char *what)
{
    struct culprit culprit;

    name_place(&culprit, conf, value->line, value->column);
    (void)usage_error(&culprit.command, "'%s' %s", name, what);
    return false;
}

bool conf_unknown(const struct conf *conf, const struct xds_tree *at, const char *what,
                  struct xds_slice word, const char *hint, const char *otherwise)
{
    struct culprit culprit;

    name_place(&culprit, conf, at->line, at->column);
    (void)unknown_error(&culprit.command, what, word, hint, otherwise);
    return false;
}

static const char *joined(struct conf *conf, const char *begin, const char *end)
{
    const size_t size = strlen(begin) + strlen(end) + 1;
    char *text = new_text(conf, size);

    if (text)
        (void)snprintf(text, size, "%s%s", begin, end);
    return text;
}

/* A path is that of a file, seen from the folder of the configuration file. */
static const char *seen_from_here(struct conf *conf, const char *path)
{
    if (path[0] == '/' || strcmp(path, "-") == 0 || conf->folder[0] == '\0')
        return path;
    return joined(conf, conf->folder, path);
}

/* NULL after a message. */
static const char *text_of(const struct conf *conf, const struct option *option,
                           const struct xds_tree *value)
{
    switch (value->kind) {
    case XDS_TREE_BOOL:
        return value->truth ? "true" : "false";
    case XDS_TREE_STRING:
        if (!memchr(value->text.data, '\0', value->text.len))
            return value->text.data;
        break;
    case XDS_TREE_NUMBER:
        return value->text.data;
    case XDS_TREE_NULL:
    case XDS_TREE_ARRAY:
    case XDS_TREE_OBJECT:
        break;
    }
    (void)conf_wrong(conf, value, option->name, "must be a text");
    return NULL;
}

static const char *scalar(struct conf *conf, const struct option *option,
                          const struct xds_tree *value)
{
    const char *text = text_of(conf, option, value);
    const size_t slash = text ? strcspn(text, "/") : 0;

    /* A pattern with a slash that is not at its end is one of paths. */
    if (text && option->argument == ARGUMENT_GLOB && slash > 0 && text[slash] != '\0' &&
        text[slash + 1] != '\0')
        text = joined(conf, conf->pattern, text);
    else if (text && option->argument == ARGUMENT_FILE)
        text = seen_from_here(conf, text);
    else
        return text;
    if (!text)
        (void)conf_no_memory(conf);
    return text;
}

/* "KEY=VALUE", or "KEY=A,B" of a list. */
static const char *pair(struct conf *conf, const struct option *option,
                        const struct xds_tree *member)
{
    const bool is_list = member->kind == XDS_TREE_ARRAY;
    const struct xds_tree *items = is_list ? member->items : member;
    const size_t n = is_list ? member->n : 1;
    /* What precedes a key: a pattern with a slash is one of paths, which are
     * seen from the folder of the configuration file. */
    const struct xds_slice key = member->key;
    const bool is_path = option->argument == ARGUMENT_PATTERN && key.len > 0 &&
                         key.data[0] != '/' && memchr(key.data, '/', key.len);
    const char *prefix = is_path ? conf->pattern : "";
    size_t size = strlen(prefix) + member->key.len + 2, at;
    const char *text;
    char *out;

    for (size_t i = 0; i < n; i++) {
        text = text_of(conf, option, &items[i]);
        if (!text)
            return NULL;
        size += strlen(text) + 1;
    }
    out = new_text(conf, size);
    if (!out) {
        (void)conf_no_memory(conf);
        return NULL;
    }
    at = (size_t)snprintf(out, size, "%s%.*s=", prefix, (int)member->key.len,
                          member->key.data);
    for (size_t i = 0; i < n && at < size; i++)
        at += (size_t)snprintf(out + at, size - at, "%s%s", i > 0 ? "," : "",
                               text_of(conf, option, &items[i]));
    return out;
}

/* One item of the value, which is checked and set as one of the command line is. */
static bool read_item(struct conf *conf, const struct option *option,
                      const struct xds_tree *item, bool is_pair, const char **out)
{
    struct culprit culprit;

    *out = is_pair ? pair(conf, option, item) : scalar(conf, option, item);
    name_place(&culprit, conf, item->line, item->column);
    return *out && (!option->check || option->check(&culprit.command, *out));
}

static bool read_items(struct conf *conf, const struct option *option,
                       const struct xds_tree *value, const char **room)
{
    const bool is_pairs = value->kind == XDS_TREE_OBJECT;
    const bool is_many = is_pairs || value->kind == XDS_TREE_ARRAY;
    const size_t n = is_many ? value->n : 1;
    struct culprit culprit;

    for (size_t i = 0; i < n; i++)
        if (!read_item(conf, option, is_many ? &value->items[i] : value, is_pairs,
                       &room[i]))
            return false;
    name_place(&culprit, conf, value->line, value->column);
    return set(conf, &culprit, option, room, n);
}

/* ---- keys of the file ---- */

static const struct option *find_key(const struct conf *conf, struct xds_slice key,
                                     struct hint *hint)
{
    const struct option *option;

    for (size_t i = 0; (option = command_option(conf->command, i)); i++) {
        if (option->reach != ANYWHERE || option->hidden)
            continue;
        if (is_text(key, option->name))
            break;
        hint_offer(hint, option->name);
    }
    if (!option && conf->key)
        hint_offer(hint, conf->key->name);
    return option;
}

static bool stands_twice(const struct conf *conf, const struct xds_tree *tree, size_t i)
{
    const struct xds_slice key = tree->items[i].key;
    struct xds_tree at = {.line = tree->items[i].key_line,
                          .column = tree->items[i].key_column};

    for (size_t j = 0; j < i; j++)
        if (tree->items[j].key.len == key.len &&
            memcmp(tree->items[j].key.data, key.data, key.len) == 0)
            return !conf_wrong(conf, &at, key.data, "is set twice");
    return false;
}

static bool read_member(struct conf *conf, const struct xds_tree *member)
{
    struct hint hint = hint_for(member->key.data, member->key.len);
    const struct option *option = find_key(conf, member->key, &hint);
    const struct xds_tree at = {.line = member->key_line, .column = member->key_column};

    if (conf->key && is_text(member->key, conf->key->name))
        return conf->key->read(conf, member);
    if (option) {
        const char **room;
        bool good;

        if (member->kind == XDS_TREE_OBJECT && !option->adds)
            return conf_wrong(conf, member, option->name, "does not take keys");
        if (member->kind != XDS_TREE_OBJECT && option->argument == ARGUMENT_PATTERN)
            return conf_wrong(conf, member, option->name, "takes PATTERN: RULES");
        if (member->kind == XDS_TREE_ARRAY && option->kind != OPTION_LIST)
            return conf_wrong(conf, member, option->name, "takes one value");
        room = calloc(member->n + 1, sizeof *room);
        good = room ? read_items(conf, option, member, room) : conf_no_memory(conf);
        free(room);
        return good;
    }
    return conf_unknown(conf, &at, "setting", member->key, hint.best,
                        "xdscope.conf(5) lists them");
}

/* An empty file says nothing. */
static int read_tree(struct conf *conf, const struct xds_tree *tree)
{
    struct culprit culprit;

    if (tree->kind == XDS_TREE_NULL)
        return EXIT_CLEAN;
    if (tree->kind != XDS_TREE_OBJECT) {
        name_place(&culprit, conf, tree->line, tree->column);
        return usage_error(&culprit.command, "settings are written as NAME: VALUE");
    }
    for (size_t i = 0; i < tree->n; i++)
        if (stands_twice(conf, tree, i) || !read_member(conf, &tree->items[i]))
            return refused(conf);
    return EXIT_CLEAN;
}

/* ---- the file ---- */

static int parse(struct conf *conf, struct xds_slice text)
{
    struct culprit culprit;
    struct xds_place at;

    if (xds_parse(XDS_FORMAT_YAML, text, &conf->document) != XDS_OK)
        return trouble(conf->command, "%s: out of memory", conf->path);
    const struct xds_tree *tree = xds_parsed_tree(conf->document);
    const struct xds_slice fault = xds_parsed_fault(conf->document, &at);

    if (tree)
        return read_tree(conf, tree);
    name_place(&culprit, conf, at.line, at.column);
    return usage_error(&culprit.command, "%.*s", (int)fault.len, fault.data);
}

/* The folder's own name is no pattern. */
static char *pattern_of(const char *folder)
{
    char *path = realpath(*folder != '\0' ? folder : ".", NULL);
    char *pattern = path ? malloc(2 * strlen(path) + 2) : NULL;
    size_t n = 0;

    for (const char *c = path; pattern && *c != '\0'; c++) {
        if (strchr("*?[\\", *c))
            pattern[n++] = '\\';
        pattern[n++] = *c;
    }
    if (pattern)
        memcpy(pattern + n, "/", 2);
    free(path);
    return pattern;
}

static bool find_folder(struct conf *conf)
{
    const char *slash = strrchr(conf->path, '/');

    conf->folder =
        strndup(conf->path, slash ? (size_t)(slash + 1 - conf->path) : (size_t)0);
    conf->pattern = conf->folder ? pattern_of(conf->folder) : NULL;
    return conf->pattern != NULL;
}

int conf_read_file(struct conf *conf, const char *wanted, bool search)
{
    struct xds_slice text;
    int status;

    if (!wanted && !search)
        return EXIT_CLEAN;
    conf->path = wanted ? strdup(wanted) : conf_find();
    if (!conf->path)
        return errno == ENOMEM ? trouble(conf->command, "out of memory") : EXIT_CLEAN;
    if (!find_folder(conf))
        return trouble_errno(conf->command, conf->path);
    status = slurp(conf->command, conf->path, &text);
    if (status == EXIT_CLEAN)
        status = parse(conf, text);
    slurp_free(text);
    return status;
}

void conf_release(struct conf *conf)
{
    while (conf->texts) {
        struct conf_text *text = conf->texts;

        conf->texts = text->next;
        free(text);
    }
    options_free_room(conf->room);
    xds_parsed_free(conf->document);
    free(conf->pattern);
    free(conf->folder);
    free(conf->path);
}

/* ---- the file that is read ---- */

#define NAME "xdscope.conf"

#define LONGEST ((size_t)1024) /* of "../../../" */

static bool is_file(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && !S_ISDIR(info.st_mode);
}

/* The root is its own parent. */
static bool is_root(const char *folder, const char *parent)
{
    struct stat a, b;

    return stat(folder, &a) != 0 || stat(parent, &b) != 0 ||
           (a.st_dev == b.st_dev && a.st_ino == b.st_ino);
}

static char *find_above(void)
{
    char path[LONGEST + sizeof NAME] = NAME;
    size_t up = 0;

    while (!is_file(path)) {
        char folder[LONGEST] = ".", parent[LONGEST + 3];

        if (up > 0)
            (void)snprintf(folder, sizeof folder, "%.*s", (int)up, path);
        (void)snprintf(parent, sizeof parent, "%s/..", folder);
        if (up + 6 >= sizeof folder || is_root(folder, parent))
            return NULL;
        memcpy(path + up, "../", 3);
        up += 3;
        memcpy(path + up, NAME, sizeof NAME);
    }
    return strdup(path);
}

static char *join(const char *a, const char *b)
{
    const size_t size = strlen(a) + strlen(b) + 1;
    char *path = malloc(size);

    if (path)
        (void)snprintf(path, size, "%s%s", a, b);
    return path;
}

/* The specification has relative paths ignored. */
static char *find_own(void)
{
    const char *folder = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    char *path = NULL;

    if (folder && folder[0] == '/')
        path = join(folder, "/xdscope/" NAME);
    else if (home && home[0] == '/')
        path = join(home, "/.config/xdscope/" NAME);
    if (path && is_file(path))
        return path;
    free(path);
    return NULL;
}

char *conf_find(void)
{
    errno = 0;
    char *path = find_above();

    return path || errno == ENOMEM ? path : find_own();
}
