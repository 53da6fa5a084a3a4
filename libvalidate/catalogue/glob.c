/* glob.c - texts with holes: "*" matches any text, also none. */
#include "catalogue/glob.h"

size_t xds_glob_hole(const char *pattern)
{
    if (*pattern == '*')
        return 1;
    if (strncmp(pattern, "{field}", 7) == 0)
        return 7;
    return *pattern == '{' && pattern[1] >= '1' && pattern[1] <= '4' && pattern[2] == '}'
               ? 3
               : 0;
}

/* The piece up to the next hole; *pattern moves to the hole or to the end. */
static struct xds_slice next_piece(const char **pattern)
{
    const char *from = *pattern;

    while (**pattern != '\0' && xds_glob_hole(*pattern) == 0)
        ++*pattern;
    return xds_slice_make(from, (size_t)(*pattern - from));
}

/* The pieces behind a hole, each as far left as it can be. rest is what is left of the
 * text; anchored: the last piece must end it. */
static bool match_rest(const char *pattern, struct xds_slice *rest, bool anchored)
{
    while (*pattern != '\0') {
        pattern += xds_glob_hole(pattern);
        const struct xds_slice piece = next_piece(&pattern);

        if (*pattern == '\0' && anchored)
            return xds_slice_ends(*rest, piece);
        const size_t at = xds_slice_search(*rest, piece);
        if (at > rest->len)
            return false;
        *rest = xds_slice_from(*rest, at + piece.len);
    }
    return !anchored || rest->len == 0;
}

bool xds_glob_matches(const char *pattern, struct xds_slice text)
{
    const struct xds_slice piece = next_piece(&pattern);

    if (!xds_slice_starts(text, piece))
        return false;
    text = xds_slice_from(text, piece.len);
    return match_rest(pattern, &text, true);
}

bool xds_glob_search(const char *pattern, struct xds_slice text, struct xds_slice *out)
{
    const struct xds_slice piece = next_piece(&pattern);
    const size_t at = xds_slice_search(text, piece);

    if (at > text.len)
        return false;
    struct xds_slice rest = xds_slice_from(text, at + piece.len);
    if (!match_rest(pattern, &rest, false))
        return false;
    *out = xds_slice_make(text.data + at, (size_t)(rest.data - (text.data + at)));
    return true;
}

size_t xds_glob_weight(const char *pattern)
{
    size_t weight = 0;

    for (; *pattern != '\0'; pattern += xds_glob_hole(pattern))
        weight += next_piece(&pattern).len;
    return weight;
}
