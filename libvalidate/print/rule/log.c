/* log.c - the errors found in a log, each with the rules and the places after it. */
#include "print/findings/findings.h"
#include "print/rule/rule.h"
#include "print/write/document.h"
#include "print/write/json.h"

#include "catalogue/log.h"
#include "catalogue/status.h"
#include "route/route.h"

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

/* ---- text ---- */

/* How often, and where in a log of several lines. */
static void print_count(struct xds_out *out, const struct xds_log *log, size_t count,
                        uint32_t line)
{
    if (count > 1)
        xds_out_format(out, ", %zu times, first in line %u", count, line);
    else if (log->n_lines > 1)
        xds_out_format(out, ", line %u", line);
    xds_out_text(out, "\n");
}

static void print_place(struct xds_out *out, const struct xds_log_place *place)
{
    if (place->line > 0)
        xds_out_format(out, "%.*s:%u:%u", XDS_FMT(place->file), place->line,
                       place->column);
    else
        xds_out_format(out, "%.*s", XDS_FMT(place->file));
}

static void print_of(struct xds_out *out, const struct xds_log_place *place)
{
    if (*place->type == '\0')
        return;
    xds_out_format(out, ": %s", place->type);
    if (place->name.len > 0)
        xds_out_format(out, " \"%.*s\"", XDS_FMT(place->name));
}

static void print_cause(struct xds_out *out, const struct xds_log_place *place)
{
    xds_out_text(out, "        here: ");
    print_place(out, place);
    print_of(out, place);
    if (place->path.len > 0)
        xds_out_format(out, ", %.*s", XDS_FMT(place->path));
    if (place->message.len > 0)
        xds_out_format(out, ": %.*s", XDS_FMT(place->message));
    if (place->rule)
        xds_out_format(out, " [%s]", place->rule->slug);
    xds_out_text(out, "\n");
}

static void print_places(struct xds_out *out, const struct xds_log_places *places)
{
    for (size_t i = 0; i < places->n; i++)
        print_cause(out, &places->list[i]);
    if (places->more > 0)
        xds_out_line(out, "        and in %zu more places", places->more);
    if (places->missing) {
        xds_out_format(out, "        not here: the snapshot has no %s \"%.*s\"",
                       places->missing, XDS_FMT(places->missing_name));
        if (places->nearest) {
            xds_out_format(out, "; the nearest is \"%.*s\", ",
                           XDS_FMT(places->nearest->name));
            print_place(out, places->nearest);
        }
        xds_out_text(out, "\n");
    } else if (places->other) {
        xds_out_text(out, "        not here: ");
        print_place(out, places->other);
        print_of(out, places->other);
        xds_out_line(out, " keeps the rule: the log is of another version, or of a "
                          "release that is not asked for");
    } else if (places->looked && places->n == 0) {
        xds_out_line(out, "        not here: nothing in the snapshot is a cause of it");
    }
}

static bool is_one(unsigned clients)
{
    return clients && !(clients & (clients - 1));
}

/* "core and go", "go before 1.47", or what is no client. */
static void print_speaker(struct xds_out *out, const struct xds_log_status *status)
{
    const struct xds_status_wording wording = xds_status_wording_in(status);

    if (wording.who == NULL) {
        xds_out_text(out, xds_client_list(status->clients, " and ").text);
        return;
    }
    xds_out_text(out, wording.who);
    xds_out_span(out, &wording);
}

/* What the text says of the holes of the command: C, the client, and NAME of a listener.
 */
static void print_command(struct xds_out *out, const struct xds_log_status *status)
{
    static const char client[] = "--client C ", target[] = "xds:///NAME ";
    const struct xds_slice show = xds_slice_of(status->failure->show);
    const size_t at = xds_slice_search(show, xds_slice_of(client));
    const size_t name_at = xds_slice_search(show, xds_slice_of(target));
    const bool is_named = status->failure->names == XDS_NAMED_LISTENER &&
                          xds_target_takes(status->name) && name_at < show.len;
    struct xds_slice rest = show;

    xds_out_text(out, "        see: ");
    if (is_one(status->clients) && at < show.len) {
        const size_t hole = at + sizeof client - 3;

        xds_out_raw(out, xds_slice_make(show.data, hole));
        xds_out_text(out, xds_client_list(status->clients, "").text);
        rest = xds_slice_from(show, hole + 1);
    }
    if (is_named) {
        const size_t hole = name_at + sizeof target - 6;

        xds_out_raw(out,
                    xds_slice_make(rest.data, (size_t)(show.data + hole - rest.data)));
        xds_out_clean(out, status->name);
        rest = xds_slice_from(show, hole + 4);
    }
    xds_out_line(out, "%.*s", XDS_FMT(rest));
}

static void print_status(struct xds_out *out, const struct xds_log *log,
                         const struct xds_log_status *status)
{
    const struct xds_rpc_failure *failure = status->failure;

    xds_out_line(
        out, "%.*s",
        XDS_FMT(xds_slice_clip(xds_slice_trim(status->message), LONGEST_MESSAGE)));
    xds_out_text(out, "    ");
    xds_out_styled(out, XDS_STYLE_BOLD, failure->slug);
    xds_out_text(out, ", in the words of ");
    print_speaker(out, status);
    print_count(out, log, status->count, status->line);
    xds_out_line(out, "        %s", failure->text);
    xds_out_line(out, "        causes: %s", failure->causes);
    print_places(out, &status->places);
    print_command(out, status);
}

static void print_match(struct xds_out *out, const struct xds_log *log,
                        const struct xds_log_error *error, size_t k)
{
    const struct xds_log_match *match = &error->matches[k];

    xds_out_text(out, k > 0 ? "    or " : "    ");
    xds_out_styled(out, XDS_STYLE_BOLD, match->rule->slug);
    xds_out_format(out, ", in the words of %s",
                   xds_client_list(match->clients, ", ").text);
    if (k == 0)
        print_count(out, log, error->count, error->line);
    else
        xds_out_text(out, "\n");
    xds_out_line(out, "        %s", match->rule->text);
    xds_out_text(out, "        ");
    xds_out_rule_effect(out, match->rule);
    xds_out_line(out, " (%s)", match->rule->source);
}

/* What is not known. */
static void print_no_match(struct xds_out *out, const struct xds_log *log,
                           const struct xds_log_error *error)
{
    xds_out_text(out, "    no rule has these words");
    if (error->nearest)
        xds_out_format(out, "; the nearest is %s: %s", error->nearest->slug,
                       error->nearest->text);
    print_count(out, log, error->count, error->line);
}

static void print_error(struct xds_out *out, const struct xds_log *log,
                        const struct xds_log_error *error)
{
    const struct xds_slice message = xds_slice_clip(error->message, LONGEST_MESSAGE);

    print_subject(out, error);
    xds_out_format(out, "%.*s%s%.*s%s", XDS_FMT(error->path),
                   error->path.len > 0 ? ": " : "", XDS_FMT(message),
                   message.len < error->message.len ? "..." : "");
    xds_out_text(out, "\n");
    for (size_t k = 0; k < error->n_matches; k++)
        print_match(out, log, error, k);
    if (error->n_matches == 0)
        print_no_match(out, log, error);
    if (error->n_matches > 0 || error->places.n > 0 || error->places.missing)
        print_places(out, &error->places);
}

enum xds_status xds_print_log_text(const struct xds_printer *to,
                                   const struct xds_log *log)
{
    struct xds_out out;

    xds_out_init(&out, to);
    for (size_t i = 0; i < log->n && !out.failed; i++)
        print_error(&out, log, &log->errors[i]);
    for (size_t i = 0; i < log->n_statuses && !out.failed; i++)
        print_status(&out, log, &log->statuses[i]);
    return xds_out_finish(&out);
}

/* ---- JSON ---- */

static void place_json(struct xds_out *out, const struct xds_log_place *place)
{
    xds_json_begin_object(out);
    xds_json_members(out, "file: %.*s, line: %u, column: %u, type: %s, resource: %.*s",
                     XDS_FMT(place->file), place->line, place->column, place->type,
                     XDS_FMT(place->name));
    xds_json_members(out, "path: %.*s, rule: %s, message: %.*s", XDS_FMT(place->path),
                     place->rule ? place->rule->slug : NULL,
                     XDS_FMT_OR_NULL(place->message));
    xds_json_end_object(out);
}

/* A place, or null. */
static void key_place_json(struct xds_out *out, const char *key,
                           const struct xds_log_place *place)
{
    if (!place)
        return;
    xds_json_key(out, key);
    place_json(out, place);
}

static void places_json(struct xds_out *out, const struct xds_log_places *places)
{
    if (!places->looked)
        return;
    xds_json_key_array(out, "places");
    for (size_t i = 0; i < places->n; i++)
        place_json(out, &places->list[i]);
    xds_json_end_array(out);
    xds_json_members(out, "more_places: %zu, missing: %s, missing_name: %.*s",
                     places->more, places->missing,
                     XDS_FMT_OR_NULL(places->missing_name));
    key_place_json(out, "nearest_place", places->nearest);
    key_place_json(out, "other_version", places->other);
}

static void print_status_json(struct xds_out *out, const struct xds_log_status *status)
{
    const struct xds_status_wording wording = xds_status_wording_in(status);
    const struct xds_rpc_failure *failure = status->failure;

    xds_json_begin_row(out);
    xds_json_members(out,
                     "failure: %s, id: %s, message: %.*s, name: %.*s, text: %s, "
                     "causes: %s, show: %s, count: %zu, line: %u",
                     failure->slug, failure->id, XDS_FMT(status->message),
                     XDS_FMT_OR_NULL(status->name), failure->text, failure->causes,
                     failure->show, status->count, status->line);
    xds_json_clients(out, "worded_by", status->clients);
    xds_json_span(out, &wording);
    places_json(out, &status->places);
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
        xds_json_members(&out, "count: %zu, line: %u", error->count, error->line);
        places_json(&out, &error->places);
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
