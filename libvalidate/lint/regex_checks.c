/*
 * regex_checks.c - regexes that plain text could stand for, and dots that are none.
 *
 * Source: gRFC A28: the whole path or value must match.
 */
#include "lint/regex_checks.h"

#include "lint/regex_text.h"

/* What says the same without a regex; NULL: nothing does. */
static const char *plain_field(const struct xds_regex_text *text,
                               enum xds_regex_place place)
{
    static const char *const fields[][2][2] = {
        /* [place][any_before][any_after] */
        [XDS_REGEX_OF_PATH] = {{"path", "prefix"}, {NULL, NULL}},
        [XDS_REGEX_OF_HEADER] = {{"string_match.exact", "string_match.prefix"},
                                 {"string_match.suffix", "string_match.contains"}},
    };

    if (!text->is_plain || (text->text.len == 0 && place == XDS_REGEX_OF_HEADER))
        return NULL;
    if (text->any_before && text->text.len == 0)
        return "prefix";
    return fields[place][text->any_before][text->any_after];
}

/* In a path a dot is between the names of packages and services. */
static void report_dot(const struct xds_inspection *in, const struct xds_path *at,
                       const struct xds_regex_text *text)
{
    const char *field = plain_field(text, XDS_REGEX_OF_PATH);
    struct xds_slice instead = XDS_S("");

    if (field)
        instead = xds_arena_printf(in->scratch, ", or use %s: \"%.*s\"", field,
                                   XDS_FMT(text->text));
    (void)xds_lint_fire(in, at, XDS_R_LINT_REGEX_DOT,
                        "the dot in \"%.*s\" matches any character, so other services "
                        "may match too: write \\.%.*s",
                        XDS_FMT(text->text), XDS_FMT(instead));
}

void xds_check_regex(const struct xds_inspection *in, const struct xds_path *at,
                     struct xds_slice pattern, enum xds_regex_place place)
{
    const struct xds_regex_text text = xds_regex_text_read(in->scratch, pattern);
    const char *field = plain_field(&text, place);

    if (text.lone_dots && place == XDS_REGEX_OF_PATH)
        report_dot(in, at, &text);
    else if (field && !text.dots)
        (void)xds_lint_fire(in, at, XDS_R_LINT_REGEX_PLAIN,
                            "the regex is plain text; use %s: \"%.*s\"", field,
                            XDS_FMT(text.text));
    else if ((text.anchored_start || text.anchored_end) &&
             xds_report_is_first(in->report, XDS_S("regex-anchored")))
        (void)xds_lint_fire(in, at, XDS_R_LINT_REGEX_ANCHORED,
                            "\"%s\" has no effect: a regex must match the whole %s",
                            !text.anchored_end    ? "^"
                            : text.anchored_start ? "^...$"
                                                  : "$",
                            place == XDS_REGEX_OF_PATH ? "path" : "value");
}
