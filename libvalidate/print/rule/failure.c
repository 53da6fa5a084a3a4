/* failure.c - why an RPC fails: a row of the catalogue with the words of all clients. */
#include <string.h>

#include "catalogue/status.h"
#include "print/findings/findings.h"
#include "print/rule/rule.h"
#include "print/write/document.h"
#include "print/write/json.h"

void xds_out_span(struct xds_out *out, const struct xds_status_wording *wording)
{
    const struct xds_release since = wording->since, before = wording->before;

    if (since.major > 0)
        xds_out_format(out, " since %u.%u", since.major, since.minor);
    if (before.major > 0)
        xds_out_format(out, " before %u.%u", before.major, before.minor);
}

/* A hole is shown as "*". */
static const char *next_hole(const char *text)
{
    const char *hole = strstr(text, "{1}");

    return hole ? hole : text + strlen(text);
}

static void print_words(struct xds_out *out, const char *text)
{
    for (const char *hole; *text != '\0'; text = *hole != '\0' ? hole + 3 : hole) {
        hole = next_hole(text);
        xds_out_format(out, "%.*s%s", (int)(hole - text), text, *hole != '\0' ? "*" : "");
    }
}

enum xds_status xds_print_failure(const struct xds_printer *to,
                                  const struct xds_rpc_failure *failure)
{
    struct xds_status_wording wording;
    struct xds_out out;
    size_t i = 0;

    xds_out_init(&out, to);
    xds_out_styled(&out, XDS_STYLE_BOLD, failure->slug);
    xds_out_line(&out, " (%s)", failure->id);
    xds_out_line(&out, "    %s", failure->text);
    xds_out_line(&out, "    causes: %s", failure->causes);
    if (*failure->rules != '\0' && strcmp(failure->rules, "NACK") != 0)
        xds_out_line(&out, "    rules: %s", failure->rules);
    while (xds_status_wording_of(failure, &i, &wording)) {
        xds_out_format(&out, "    in the words of %s", wording.who);
        xds_out_span(&out, &wording);
        xds_out_text(&out, ": ");
        print_words(&out, wording.text);
        xds_out_char(&out, '\n');
    }
    xds_out_line(&out, "    see: %s", failure->show);
    return xds_out_finish(&out);
}

static void release_json(struct xds_out *out, const char *key, struct xds_release release)
{
    xds_json_key(out, key);
    if (release.major == 0) {
        xds_json_null(out);
        return;
    }
    xds_json_begin_string(out);
    xds_json_parts(out, "%u.%u", release.major, release.minor);
    xds_json_end_string(out);
}

void xds_json_span(struct xds_out *out, const struct xds_status_wording *wording)
{
    release_json(out, "since", wording->since);
    release_json(out, "before", wording->before);
}

static void wording_json(struct xds_out *out, const struct xds_status_wording *wording)
{
    const char *text = wording->text;

    xds_json_begin_object(out);
    xds_json_key_text(out, "by", wording->who);
    xds_json_span(out, wording);
    xds_json_key(out, "message");
    xds_json_begin_string(out);
    for (const char *hole; *text != '\0'; text = *hole != '\0' ? hole + 3 : hole) {
        hole = next_hole(text);
        xds_json_part(out, xds_slice_make(text, (size_t)(hole - text)));
        xds_json_part(out, xds_slice_of(*hole != '\0' ? "*" : ""));
    }
    xds_json_end_string(out);
    xds_json_end_object(out);
}

enum xds_status xds_print_failure_json(const struct xds_printer *to,
                                       const struct xds_rpc_failure *failure)
{
    struct xds_status_wording wording;
    struct xds_out out;
    size_t i = 0;

    xds_out_init(&out, to);
    xds_json_begin_document(&out);
    xds_json_tool(&out);
    xds_json_key_object(xds_json_line(&out), "failure");
    xds_json_members(&out, "failure: %s, id: %s, text: %s, causes: %s, show: %s",
                     failure->slug, failure->id, failure->text, failure->causes,
                     failure->show);
    xds_json_key_array(&out, "logs");
    while (xds_status_wording_of(failure, &i, &wording))
        wording_json(&out, &wording);
    xds_json_end_array(&out);
    xds_json_end_object(&out);
    xds_json_end_document(&out);
    return xds_out_finish(&out);
}
