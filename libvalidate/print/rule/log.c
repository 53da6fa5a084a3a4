/* log.c - the errors found in a log, each with the rules after it. */
#include "print/findings/findings.h"
#include "print/rule/rule.h"
#include "print/write/document.h"
#include "print/write/json.h"

#include "catalogue/status.h"

#define LONGEST_MESSAGE 200 /* go and java print whole resources after their words */

/* "Cluster "shop": ", as much of it as is known. */
static void print_subject(struct xds_out *out, const struct xds_log_error *error)
{
    const bool named = error->resource.data != NULL;

    if (!named && *error->type == '\0')
        return;
    xds_out_text(out, *error->type != '\0' ? error->type : "resource");
    if (named)
        xds_out_format(out, " \"%.*s\"", XDS_FMT(error->resource));
    xds_out_text(out, ": ");
}

/* Who says so: "core", or what is no client. */
static const char *who_says(const struct xds_log_status *status,
                            struct xds_client_list *list)
{
    if (status->failure == xds_failure_row(XDS_FAILURE_ENVOY))
        return "Envoy";
    if (status->clients == 0)
        return "control planes";
    *list = xds_client_list(status->clients, " and ");
    return list->text;
}

static void print_status(struct xds_out *out, const struct xds_log_status *status)
{
    const struct xds_rpc_failure *failure = status->failure;
    struct xds_client_list list;

    xds_out_line(
        out, "%.*s",
        XDS_FMT(xds_slice_clip(xds_slice_trim(status->message), LONGEST_MESSAGE)));
    xds_out_text(out, "    ");
    xds_out_styled(out, XDS_STYLE_BOLD, failure->slug);
    if (status->count > 1)
        xds_out_line(out, ", in the words of %s, %zu times", who_says(status, &list),
                     status->count);
    else
        xds_out_line(out, ", in the words of %s", who_says(status, &list));
    xds_out_line(out, "        %s", failure->text);
    xds_out_line(out, "        causes: %s", failure->causes);
    xds_out_line(out, "        see: %s", failure->show);
}

enum xds_status xds_print_log_text(const struct xds_printer *to,
                                   const struct xds_log *log)
{
    const size_t n = xds_log_errors(log);
    struct xds_out out;

    xds_out_init(&out, to);
    for (size_t i = 0; i < n && !out.failed; i++) {
        const struct xds_log_error *error = xds_log_error(log, i);
        const struct xds_slice message = xds_slice_clip(error->message, LONGEST_MESSAGE);

        print_subject(&out, error);
        xds_out_line(&out, "%.*s%s%.*s%s", XDS_FMT(error->path),
                     error->path.len > 0 ? ": " : "", XDS_FMT(message),
                     message.len < error->message.len ? "..." : "");
        for (size_t k = 0; k < error->n_matches; k++) {
            const struct xds_log_match *match = &error->matches[k];

            xds_out_text(&out, k > 0 ? "    or " : "    ");
            xds_out_styled(&out, XDS_STYLE_BOLD, match->rule->slug);
            xds_out_line(&out, ", in the words of %s",
                         xds_client_list(match->clients, ", ").text);
            xds_out_line(&out, "        %s", match->rule->text);
            xds_out_text(&out, "        ");
            xds_out_rule_effect(&out, match->rule);
            xds_out_line(&out, " (%s)", match->rule->source);
        }
        if (error->n_matches == 0 && error->nearest)
            xds_out_line(&out, "    no rule has these words; the nearest is %s: %s",
                         error->nearest->slug, error->nearest->text);
        else if (error->n_matches == 0)
            xds_out_line(&out, "    no rule has these words");
    }
    for (size_t i = 0; i < xds_log_statuses(log) && !out.failed; i++)
        print_status(&out, xds_log_status(log, i));
    return xds_out_finish(&out);
}

static void print_status_json(struct xds_out *out, const struct xds_log_status *status)
{
    const struct xds_rpc_failure *failure = status->failure;

    xds_json_begin_row(out);
    xds_json_members(out,
                     "failure: %s, id: %s, message: %.*s, name: %.*s, text: %s, "
                     "causes: %s, show: %s, count: %zu",
                     failure->slug, failure->id, XDS_FMT(status->message),
                     XDS_FMT_OR_NULL(status->name), failure->text, failure->causes,
                     failure->show, status->count);
    xds_json_clients(out, "worded_by", status->clients);
    xds_json_end_object(out);
}

enum xds_status xds_print_log_json(const struct xds_printer *to,
                                   const struct xds_log *log)
{
    const size_t n = xds_log_errors(log);
    struct xds_out out;

    xds_out_init(&out, to);
    xds_json_begin_document(&out);
    xds_json_tool(&out);
    xds_json_key_array(xds_json_line(&out), "errors");
    for (size_t i = 0; i < n && !out.failed; i++) {
        const struct xds_log_error *error = xds_log_error(log, i);

        xds_json_begin_row(&out);
        xds_json_members(&out, "type: %s, resource: %.*s, path: %.*s, message: %.*s",
                         *error->type != '\0' ? error->type : NULL,
                         XDS_FMT_OR_NULL(error->resource), XDS_FMT_OR_NULL(error->path),
                         XDS_FMT(error->message));
        xds_json_key_array(&out, "rules");
        for (size_t k = 0; k < error->n_matches; k++) {
            const struct xds_log_match *match = &error->matches[k];

            xds_json_begin_object(&out);
            xds_json_rule(&out, match->rule);
            xds_json_clients(&out, "worded_by", match->clients);
            xds_json_end_object(&out);
        }
        xds_json_end_array(&out);
        xds_json_key_text(&out, "nearest", error->nearest ? error->nearest->slug : NULL);
        xds_json_end_object(&out);
    }
    xds_json_end_array(&out);
    xds_json_key_array(xds_json_line(&out), "statuses");
    for (size_t i = 0; i < xds_log_statuses(log) && !out.failed; i++)
        print_status_json(&out, xds_log_status(log, i));
    xds_json_end_array(&out);
    xds_json_end_document(&out);
    return xds_out_finish(&out);
}
