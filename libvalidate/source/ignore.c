/*
 * ignore.c - which entries of folders are left out: patterns, and .gitignore files.
 *
 * Source: gitignore(5).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "source/source.h"

struct xds_ignore_line {
    struct xds_slice pattern; /* without what the members below say */
    bool negated;
    bool only_folders;
    bool anchored; /* it is that of a path below the folder, not of a name */
};

/* A bracket expression at the begin of the pattern: *len of it, and whether it has the
 * character. False when it is not closed: then it is a plain '['. */
static bool match_set(struct xds_slice pattern, char c, size_t *len, bool *has)
{
    const bool negated = pattern.len > 1 && strchr("!^", pattern.data[1]);
    const size_t begin = negated ? 2 : 1;
    bool found = false;

    for (size_t i = begin; i < pattern.len; i++) {
        if (pattern.data[i] == ']' && i > begin) {
            *len = i + 1;
            *has = found != negated && c != '/';
            return true;
        }
        if (pattern.data[i] == '\\' && i + 1 < pattern.len)
            i++;
        const unsigned char from = (unsigned char)pattern.data[i];
        unsigned char to = from;

        if (i + 2 < pattern.len && pattern.data[i + 1] == '-' &&
            pattern.data[i + 2] != ']')
            to = (unsigned char)pattern.data[i += 2];
        found |= from <= (unsigned char)c && (unsigned char)c <= to;
    }
    return false;
}

/* One character of the pattern, which takes *len bytes of it, against one of the text. */
static bool match_one(struct xds_slice pattern, char c, size_t *len)
{
    bool has;

    *len = 1;
    if (pattern.data[0] == '?')
        return c != '/';
    if (pattern.data[0] == '[' && match_set(pattern, c, len, &has))
        return has;
    if (pattern.data[0] == '\\' && pattern.len > 1) {
        *len = 2;
        return pattern.data[1] == c;
    }
    return pattern.data[0] == c;
}

/* The length of the stars at p. Two of them that are all of a part of the path take whole
 * folders, or none, with the slash after them; others a part of a name. */
static size_t star_length(struct xds_slice pattern, size_t p, bool *deep)
{
    const bool begins = p == 0 || pattern.data[p - 1] == '/';
    size_t end = p;

    while (end < pattern.len && pattern.data[end] == '*')
        end++;
    *deep = end - p == 2 && begins && (end == pattern.len || pattern.data[end] == '/');
    if (*deep && end < pattern.len)
        end++;
    return end - p;
}

/* A star takes as little as possible, and one more whenever the rest does not match: for
 * each kind of star only the last one has to be tried again. */
static bool match(struct xds_slice pattern, struct xds_slice text)
{
    struct {
        size_t pattern, text;
        bool set;
    } last[2] = {{0, 0, false}, {0, 0, false}};
    size_t p = 0, t = 0, len;

    for (;;) {
        if (p < pattern.len && pattern.data[p] == '*') {
            bool deep;

            p += star_length(pattern, p, &deep);
            last[0].set = false;
            last[deep].pattern = p;
            last[deep].text = t;
            last[deep].set = true;
            continue;
        }
        if (p == pattern.len && t == text.len)
            return true;
        if (p < pattern.len && t < text.len &&
            match_one(xds_slice_from(pattern, p), text.data[t], &len)) {
            p += len;
            t++;
            continue;
        }
        if (last[0].set && last[0].text < text.len && text.data[last[0].text] != '/') {
            p = last[0].pattern;
            t = ++last[0].text;
        } else if (last[1].set && last[1].text < text.len) {
            /* Whole folders: on to the next slash, but to any place at the end. */
            const bool at_end = last[1].pattern == pattern.len;

            last[0].set = false;
            do
                last[1].text++;
            while (!at_end && last[1].text < text.len &&
                   text.data[last[1].text - 1] != '/');
            p = last[1].pattern;
            t = last[1].text;
        } else {
            return false;
        }
    }
}

/* False for an empty line and a comment. */
static bool read_line(struct xds_slice text, bool is_file, struct xds_ignore_line *out)
{
    *out = (struct xds_ignore_line){.anchored = false};
    if (text.len > 0 && text.data[text.len - 1] == '\r')
        text.len--;
    while (text.len > 0 && text.data[text.len - 1] == ' ' &&
           !(text.len > 1 && text.data[text.len - 2] == '\\'))
        text.len--;
    if (text.len == 0 || (is_file && text.data[0] == '#'))
        return false;
    if (is_file && text.data[0] == '!') {
        out->negated = true;
        text = xds_slice_from(text, 1);
    }
    if (text.len > 0 && text.data[text.len - 1] == '/') {
        out->only_folders = true;
        text.len--;
    }
    out->anchored = xds_slice_find(text, '/') < text.len;
    if (text.len > 0 && text.data[0] == '/')
        text = xds_slice_from(text, 1);
    out->pattern = text;
    return text.len > 0;
}

static void add_line(struct xds_arena *arena, struct xds_ignore *ignore,
                     struct xds_slice text, bool is_file)
{
    struct xds_ignore_line line;

    if (!read_line(text, is_file, &line))
        return;
    ignore->lines = xds_arena_room(arena, ignore->lines, ignore->n, &ignore->cap,
                                   sizeof *ignore->lines);
    ignore->lines[ignore->n++] = line;
}

/* Of path, below the folder of the lines. The last line that matches decides. */
static bool decide(const struct xds_ignore *ignore, struct xds_slice path, bool is_folder,
                   bool *ignored)
{
    const struct xds_slice below = xds_slice_from(path, ignore->folder);
    size_t name = below.len;

    while (name > 0 && below.data[name - 1] != '/')
        name--;
    for (size_t i = ignore->n; i-- > 0;) {
        const struct xds_ignore_line *line = &ignore->lines[i];

        if (line->only_folders && !is_folder)
            continue;
        if (!match(line->pattern, line->anchored ? below : xds_slice_from(below, name)))
            continue;
        *ignored = !line->negated;
        return true;
    }
    return false;
}

bool xds_ignore_has(const struct xds_ignore *ignore, struct xds_slice path,
                    bool is_folder)
{
    bool ignored = false;

    while (ignore && !decide(ignore, path, is_folder, &ignored))
        ignore = ignore->up;
    return ignored;
}

/* The text of a file, absent without one; false with errno when it cannot be read. */
static bool read_file(struct xds_arena *arena, const char *path, struct xds_slice *text)
{
    struct stat info;

    *text = (struct xds_slice){NULL, 0};
    if (stat(path, &info) != 0)
        return errno == ENOENT || errno == ENOTDIR;
    if (!S_ISREG(info.st_mode))
        return true;
    errno = EFBIG;
    if (info.st_size > XDS_MAX_IGNORE_BYTES)
        return false;

    char *data = xds_arena_alloc(arena, (size_t)info.st_size + 1);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd < 0 ? -1 : pread(fd, data, (size_t)info.st_size, 0);
    const int error = errno;

    if (fd >= 0)
        close(fd);
    errno = error;
    if (n < 0)
        return false;
    *text = xds_slice_make(data, (size_t)n);
    return true;
}

bool xds_ignore_read(struct xds_arena *arena, struct xds_slice folder,
                     const struct xds_ignore **ignore)
{
    struct xds_slice rest, line;

    if (!read_file(arena,
                   xds_arena_printf(arena, "%.*s/.gitignore", XDS_FMT(folder)).data,
                   &rest))
        return false;
    if (!rest.data)
        return true;
    struct xds_ignore *found = XDS_NEW(arena, struct xds_ignore);

    *found = (struct xds_ignore){.up = *ignore, .folder = folder.len + 1};
    while (rest.data) {
        rest = xds_slice_cut(rest, '\n', &line);
        add_line(arena, found, line, true);
    }
    *ignore = found;
    return true;
}

static bool exists(struct xds_arena *arena, struct xds_slice folder, const char *name)
{
    return access(xds_arena_printf(arena, "%.*s/%s", XDS_FMT(folder), name).data, F_OK) ==
           0;
}

bool xds_ignore_read_above(struct xds_arena *arena, struct xds_slice folder,
                           const struct xds_ignore **ignore)
{
    size_t top = folder.len;

    while (top > 0 && !exists(arena, xds_slice_make(folder.data, top), ".git"))
        while (top > 0 && folder.data[--top] != '/')
            ;
    if (top == 0 || top == folder.len)
        return true;
    /* From the top of the repository on down, the folder itself comes later. */
    for (size_t at = top; at < folder.len; at++)
        if (folder.data[at] == '/' &&
            !xds_ignore_read(arena, xds_slice_make(folder.data, at), ignore))
            return false;
    return true;
}

/* The characters of the folder's own name stand for themselves. */
static struct xds_slice escape(struct xds_arena *arena, const char *folder)
{
    char *text = xds_arena_alloc(arena, 2 * strlen(folder) + 1);
    size_t n = 0;

    for (; *folder != '\0'; folder++) {
        if (strchr("*?[\\", *folder))
            text[n++] = '\\';
        text[n++] = *folder;
    }
    return xds_slice_make(text, n);
}

const struct xds_ignore *xds_ignore_patterns(struct xds_arena *arena,
                                             const char *const *patterns, size_t n)
{
    struct xds_ignore *ignore = XDS_NEW(arena, struct xds_ignore);
    struct xds_slice here = {NULL, 0};

    *ignore = (struct xds_ignore){.folder = 1};
    for (size_t i = 0; i < n; i++) {
        struct xds_slice text = xds_slice_of(patterns[i]);

        (void)xds_slice_take(&text, "./");
        const size_t slash = xds_slice_find(text, '/');

        /* Seen from the working folder; only a name is one of any folder. */
        if (text.len > 0 && text.data[0] != '/' && slash + 1 < text.len) {
            if (!here.data) {
                char *folder = realpath(".", NULL);

                here = escape(arena, folder ? folder : "");
                free(folder);
            }
            text = xds_arena_printf(arena, "%.*s/%.*s", XDS_FMT(here), XDS_FMT(text));
        }
        add_line(arena, ignore, text, false);
    }
    return ignore;
}
