/* words.c - what a route asks of an RPC, in words: "path prefix /a, header h present". */
#include "route/route.h"
#include "secret/secret.h"

static const char *kind_name(enum xds_match_kind kind)
{
    static const char *const names[] = {
        [XDS_MATCH_EXACT] = "",          [XDS_MATCH_PREFIX] = "prefix ",
        [XDS_MATCH_SUFFIX] = "suffix ",  [XDS_MATCH_CONTAINS] = "containing ",
        [XDS_MATCH_REGEX] = "matching ",
    };
    return names[kind];
}

static void add_path(struct xds_text *text, const struct xds_path_matcher *path)
{
    if (path->kind == XDS_MATCH_PREFIX && path->text.len == 0)
        xds_text_add(text, XDS_S("any path"));
    else if (!path->text.data)
        xds_text_add(text, XDS_S("path in a form that gRPC does not support"));
    else
        xds_text_printf(text, "path %s%.*s", kind_name(path->kind),
                        XDS_FMT(path->text.len > 0 ? path->text : XDS_S("\"\"")));
}

static void add_header(struct xds_text *text, const struct xds_header_matcher *header)
{
    xds_text_printf(text, ", %sheader %.*s", header->invert ? "not " : "",
                    XDS_FMT(header->name));
    switch (header->kind) {
    case XDS_HEADER_STRING:
        xds_text_printf(text, " %s%.*s", kind_name(header->string.kind),
                        XDS_FMT(xds_secret_name(header->name) ? XDS_S(XDS_SECRET_HIDDEN)
                                                              : header->string.text));
        break;
    case XDS_HEADER_RANGE:
        xds_text_printf(text, " from %lld to below %lld", (long long)header->start,
                        (long long)header->end);
        break;
    case XDS_HEADER_PRESENT:
        xds_text_add(text, header->present ? XDS_S(" present") : XDS_S(" absent"));
        break;
    case XDS_HEADER_NEVER:
        xds_text_add(text, XDS_S(" that never matches"));
        break;
    }
}

void xds_route_match_words(struct xds_text *text, const struct xds_route_match *match)
{
    add_path(text, &match->path);
    for (size_t i = 0; i < match->n_headers; i++)
        add_header(text, &match->headers[i]);
    if (match->has_fraction && match->fraction_is_set)
        xds_text_printf(text, ", %u of %u RPCs", match->fraction.numerator,
                        match->fraction.denominator);
}
