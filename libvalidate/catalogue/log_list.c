/*
 * log_list.c - the list of errors of grpc-node, taken apart.
 *
 * Source: the texts of grpc-node.
 */
#include "catalogue/log_list.h"

#include "base/ascii.h"

struct xds_log_list xds_log_list_of(struct xds_slice line)
{
    const struct xds_slice head = XDS_S(" message validation failed: [");
    const size_t at = xds_slice_search(line, head);

    if (at > line.len)
        return (struct xds_log_list){.rest = line};
    return (struct xds_log_list){.rest = xds_slice_from(line, at + head.len),
                                 .open = true};
}

static bool opens(char c)
{
    return c == '[' || c == '{';
}

static bool closes(char c)
{
    return c == ']' || c == '}';
}

/* The character after s.data[i]; '\0' at the end. */
static char next_char(struct xds_slice s, size_t i)
{
    return i + 1 < s.len ? s.data[i + 1] : '\0';
}

/* A bracket that no bracket opened ends the list, unless it is of a text, such as that of
 * a domain: something else follows it then. */
static bool ends_list(struct xds_slice s, size_t i)
{
    const char next = next_char(s, i);

    return s.data[i] == ']' &&
           (next == '\0' || xds_slice_find(XDS_S("]; ,)\"'\\}"), next) < 9);
}

/* Where the error that begins s ends: at a comma, at the end of the list or of s. */
static size_t error_len(struct xds_slice s)
{
    size_t depth = 0, i = 0;

    for (; i < s.len; i++) {
        if (opens(s.data[i]))
            depth++;
        else if (depth > 0 && closes(s.data[i]))
            depth--;
        else if (depth == 0 &&
                 (ends_list(s, i) || (s.data[i] == ',' && next_char(s, i) != ' ')))
            break;
    }
    return i;
}

/* The length of a path that begins s and has ": " after it; 0 when there is none. */
static size_t path_len(struct xds_slice s)
{
    size_t depth = 0;

    for (size_t i = 0; i + 1 < s.len; i++) {
        const char c = s.data[i];

        if (opens(c))
            depth++;
        else if (depth > 0 && closes(c))
            depth--;
        else if (depth == 0 && c == ':')
            return s.data[i + 1] == ' ' ? i : 0;
        else if (depth == 0 && !xds_ascii_alpha(c) && !xds_ascii_digit(c) && c != '_' &&
                 c != '.')
            return 0;
    }
    return 0;
}

/* "filter_chains[]: filters[0].typed_config: x filter validation failed" has two paths,
 * each inside of the one before. */
static struct xds_slice all_paths(struct xds_slice error)
{
    size_t len = 0, from = 0, n;

    while ((n = path_len(xds_slice_from(error, from))) > 0) {
        len = from + n;
        from = len + 2;
    }
    return xds_slice_make(error.data, len);
}

bool xds_log_list_next(struct xds_log_list *list, struct xds_slice *path,
                       struct xds_slice *message)
{
    while (list->open) {
        const struct xds_slice error =
            xds_slice_make(list->rest.data, error_len(list->rest));

        list->rest = xds_slice_from(list->rest, error.len);
        list->open = list->rest.len > 0 && list->rest.data[0] == ',';
        list->rest = xds_slice_from(list->rest, 1);
        if (error.len == 0)
            continue;
        *path = all_paths(error);
        *message = path->len > 0 ? xds_slice_from(error, path->len + 2) : error;
        return true;
    }
    return false;
}
