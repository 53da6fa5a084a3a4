/* reach.c - what an RPC must be like to get to a route, in words. */
#include "suite/reach.h"

#include "base/text.h"

static const char *kind_name(enum xds_match_kind kind)
{
    static const char *const names[] = {
        [XDS_MATCH_EXACT] = "",          [XDS_MATCH_PREFIX] = "prefix ",
        [XDS_MATCH_SUFFIX] = "suffix ",  [XDS_MATCH_CONTAINS] = "containing ",
        [XDS_MATCH_REGEX] = "matching ",
    };
    return names[kind];
}

static void add(struct xds_text *text, struct xds_slice piece)
{
    xds_text_add(text, piece);
}

static void add_path(struct xds_text *text, const struct xds_path_matcher *path)
{
    if (path->kind == XDS_MATCH_PREFIX && path->text.len == 0) {
        add(text, XDS_S("any path"));
        return;
    }
    add(text, XDS_S("path "));
    add(text, xds_slice_of(kind_name(path->kind)));
    add(text, path->text);
}

static void add_header(struct xds_text *text, const struct xds_header_matcher *header)
{
    add(text, header->invert ? XDS_S(", not header ") : XDS_S(", header "));
    add(text, header->name);
    switch (header->kind) {
    case XDS_HEADER_STRING:
        add(text, XDS_S(" "));
        add(text, xds_slice_of(kind_name(header->string.kind)));
        add(text, header->string.text);
        break;
    case XDS_HEADER_RANGE:
        add(text, xds_arena_printf(text->arena, " from %lld to below %lld",
                                   (long long)header->start, (long long)header->end));
        break;
    case XDS_HEADER_PRESENT:
        add(text, header->present ? XDS_S(" present") : XDS_S(" absent"));
        break;
    case XDS_HEADER_NEVER:
        add(text, XDS_S(" that never matches"));
        break;
    }
}

struct xds_slice xds_route_match_words(struct xds_arena *arena,
                                       const struct xds_route_match *match)
{
    struct xds_text text = {.arena = arena};

    add_path(&text, &match->path);
    for (size_t i = 0; i < match->n_headers; i++)
        add_header(&text, &match->headers[i]);
    if (match->has_fraction && match->fraction_is_set)
        add(&text, xds_arena_printf(arena, ", %u of %u RPCs", match->fraction.numerator,
                                    match->fraction.denominator));
    return xds_slice_make(text.data, text.len);
}

struct xds_slice xds_route_reach(struct xds_arena *arena,
                                 const struct xds_virtual_host *host,
                                 struct xds_slice match)
{
    struct xds_text text = {.arena = arena};

    add(&text, XDS_S("authority "));
    add(&text, host->n_domains ? host->domains[0] : XDS_S("that no domain has"));
    add(&text, XDS_S(", "));
    add(&text, match);
    return xds_slice_make(text.data, text.len);
}
