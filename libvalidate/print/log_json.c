/* log_json.c - the errors found in a log as one JSON document. */
#include "print/json_member.h"
#include "print/rules.h"

static void write_match(struct xds_out *out, const struct xds_log_match *match)
{
    xds_json_begin_object(out);
    xds_json_rule(out, match->rule);
    xds_json_clients(out, "worded_by", match->clients);
    xds_json_end_object(out);
}

static void write_subject(struct xds_out *out, const struct xds_log_error *error)
{
    xds_json_members(out, "type: %s, resource: %.*s, path: %.*s, message: %.*s",
                     *error->type != '\0' ? error->type : NULL,
                     XDS_FMT_OR_NULL(error->resource), XDS_FMT_OR_NULL(error->path),
                     XDS_FMT(error->message));
}

static void write_error(struct xds_out *out, const struct xds_log_error *error)
{
    xds_json_line(out);
    xds_json_begin_object(out);
    write_subject(out, error);
    xds_json_key_array(out, "rules");
    for (size_t i = 0; i < error->n_matches; i++)
        write_match(out, &error->matches[i]);
    xds_json_end_array(out);
    xds_json_key_text(out, "nearest", error->nearest ? error->nearest->slug : NULL);
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
    xds_json_line(&out);
    xds_json_key_array(&out, "errors");
    for (size_t i = 0; i < n && !out.failed; i++)
        write_error(&out, xds_log_error(log, i));
    xds_json_end_array(&out);
    xds_json_end_document(&out);
    return xds_out_finish(&out);
}
