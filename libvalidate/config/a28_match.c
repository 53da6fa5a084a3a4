/*
 * a28_match.c - the matchers of a route as gRFC A28's config spells them.
 *
 * Source: gRFC A28, spec routing 2.6 and 14.2.
 */
#include "config/a28.h"

#define MILLION 1000000u

/* A28 has fields for three of the five ways to compare a header's text. */
static const char *const header_fields[] = {
    [XDS_MATCH_EXACT] = "exact_match",   [XDS_MATCH_PREFIX] = "prefix_match",
    [XDS_MATCH_SUFFIX] = "suffix_match", [XDS_MATCH_CONTAINS] = NULL,
    [XDS_MATCH_REGEX] = "regex_match",
};

static const char *const path_fields[] = {
    [XDS_MATCH_EXACT] = "path",
    [XDS_MATCH_PREFIX] = "prefix",
    [XDS_MATCH_REGEX] = "regex",
};

/* ---- headers ---- */

/* The text with a backslash before what means something in a regex. */
static struct xds_slice quote(struct xds_arena *arena, struct xds_slice text)
{
    char *out = xds_arena_alloc(arena, 2 * text.len + 1);
    size_t n = 0;

    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] != '\0' && strchr("\\.+*?()|[]{}^$", text.data[i]))
            out[n++] = '\\';
        out[n++] = text.data[i];
    }
    return xds_slice_make(out, n);
}

/* What A28 has no field for, as a regex with the same meaning. */
static struct xds_slice regex_for(struct xds_arena *arena,
                                  const struct xds_string_matcher *string)
{
    const char *before =
        string->kind == XDS_MATCH_SUFFIX || string->kind == XDS_MATCH_CONTAINS ? ".*"
                                                                               : "";
    const char *behind =
        string->kind == XDS_MATCH_PREFIX || string->kind == XDS_MATCH_CONTAINS ? ".*"
                                                                               : "";
    const struct xds_slice text = quote(arena, string->text);

    return xds_arena_printf(arena, "%s%s%.*s%s", string->fold_case ? "(?i)" : "", before,
                            XDS_FMT(text), behind);
}

static void put_text(struct xds_maker *maker, size_t index,
                     const struct xds_header_matcher *header, struct xds_tree *out)
{
    const struct xds_string_matcher *string = &header->string;
    const char *field = header_fields[string->kind];

    if (field && !string->fold_case) {
        xds_tree_put(maker->arena, out, field, xds_tree_string(string->text));
        return;
    }
    xds_note(
        maker,
        "route %zu: header \"%.*s\": the config has no field for %s; it is written as "
        "a regular expression",
        index, XDS_FMT(header->name),
        string->fold_case ? "ignore_case" : "contains_match");
    xds_tree_put(maker->arena, out, "regex_match",
                 xds_tree_string(regex_for(maker->arena, string)));
}

static void put_range(struct xds_arena *arena, const struct xds_header_matcher *header,
                      struct xds_tree *out)
{
    struct xds_tree range = xds_tree_object();

    xds_tree_put(arena, &range, "start", xds_tree_i64(arena, header->start));
    xds_tree_put(arena, &range, "end", xds_tree_i64(arena, header->end));
    xds_tree_put(arena, out, "range_match", range);
}

/* node keeps what does not compile, and then it never matches. */
static bool is_broken(const struct xds_string_matcher *string)
{
    return string->kind == XDS_MATCH_REGEX && !string->regex;
}

/* False for what never matches. */
static bool put_header(struct xds_maker *maker, size_t index,
                       const struct xds_header_matcher *header, struct xds_tree *headers)
{
    struct xds_tree out = xds_tree_object();

    xds_tree_put(maker->arena, &out, "name", xds_tree_string(header->name));
    switch (header->kind) {
    case XDS_HEADER_STRING:
        if (is_broken(&header->string))
            return false;
        put_text(maker, index, header, &out);
        break;
    case XDS_HEADER_RANGE:
        put_range(maker->arena, header, &out);
        break;
    case XDS_HEADER_PRESENT:
        xds_tree_put(maker->arena, &out, "present_match", xds_tree_bool(header->present));
        break;
    case XDS_HEADER_NEVER:
        return false;
    }
    if (header->invert)
        xds_tree_put(maker->arena, &out, "invert_match", xds_tree_bool(true));
    xds_tree_add(maker->arena, headers, out);
    return true;
}

/* ---- the match ---- */

/* Parts of one million, capped. */
static double fraction_of(struct xds_fraction fraction)
{
    const uint64_t each = fraction.denominator ? MILLION / fraction.denominator : 10000;
    const uint64_t parts = each * fraction.numerator;

    return parts < MILLION ? (double)parts : (double)MILLION;
}

bool xds_a28_match(struct xds_maker *maker, size_t index,
                   const struct xds_route_match *match, struct xds_tree *entry)
{
    struct xds_tree headers = xds_tree_array();

    if (match->path.kind == XDS_MATCH_REGEX && !match->path.regex) {
        xds_note(maker,
                 "route %zu: its path is not a valid regular expression, so it can never "
                 "match; it is omitted",
                 index);
        return false;
    }
    xds_tree_put(maker->arena, entry, path_fields[match->path.kind],
                 xds_tree_string(match->path.text));
    if (xds_folds_path(maker, &match->path) && match->path.kind != XDS_MATCH_REGEX)
        xds_note(maker,
                 "route %zu: the config has no field for case_sensitive; it compares the "
                 "path with regard to case",
                 index);
    for (size_t i = 0; i < match->n_headers; i++) {
        if (put_header(maker, index, &match->headers[i], &headers))
            continue;
        xds_note(maker,
                 "route %zu: header \"%.*s\" can never match; the route is omitted",
                 index, XDS_FMT(match->headers[i].name));
        return false;
    }
    if (headers.n > 0)
        xds_tree_put(maker->arena, entry, "headers", headers);
    if (match->fraction_is_set)
        xds_tree_put(maker->arena, entry, "match_fraction",
                     xds_tree_number(fraction_of(match->fraction)));
    return true;
}

/* ---- routes that no RPC reaches ---- */

/* What a regex begins with literally; nothing where it has alternatives. */
static struct xds_slice literal_of(struct xds_slice pattern)
{
    const struct xds_slice body =
        xds_slice_starts(pattern, XDS_S("^")) ? xds_slice_from(pattern, 1) : pattern;
    size_t n = 0;

    if (xds_slice_find(pattern, '|') < pattern.len)
        return XDS_S("");
    while (n < body.len && body.data[n] != '\0' &&
           !strchr("\\.+*?()[]{}^$", body.data[n]))
        n++;
    /* The last character may be repeated, or not be there at all. */
    return xds_slice_make(body.data, n < body.len && n > 0 ? n - 1 : n);
}

bool xds_a28_covers(const struct xds_route_match *first,
                    const struct xds_route_match *second)
{
    const struct xds_slice text = second->path.kind == XDS_MATCH_REGEX
                                      ? literal_of(second->path.text)
                                      : second->path.text;

    if (first->n_headers > 0 || first->fraction_is_set || !second->path.case_sensitive)
        return false;
    if (first->path.kind == XDS_MATCH_PREFIX)
        return xds_slice_starts(text, first->path.text);
    return first->path.kind == second->path.kind &&
           xds_slice_eq(first->path.text, second->path.text);
}
