/*
 * history.c - what older releases did about a rule, a variable or a difference.
 *
 * Callers: rule_text.c, rule_json.c; statements.c for differences.
 */
#include "clients/environment.h"
#include "print/findings/findings.h"
#include "print/rule/rule.h"
#include "print/write/json.h"

/* ---- text ---- */

/* "core before 1.66", "grfc before A36"; `since` is the release of the row before it, of
 * the same client. */
static void print_before(struct xds_out *out, enum xds_client client,
                         const struct xds_release *since, struct xds_release before)
{
    xds_out_text(out, xds_client_name(client));
    if (since)
        xds_out_format(
            out, " since %s and",
            xds_release_minor((struct xds_client_release){client, *since}).text);
    xds_out_format(out, " before %s",
                   xds_release_minor((struct xds_client_release){client, before}).text);
}

/* "history: NACK by go before 1.72; run of ..." */
void xds_out_rule_history(struct xds_out *out, const struct xds_rule *rule)
{
    size_t n;
    const struct xds_rule_before *rows = xds_rule_history(&n);

    for (size_t i = 0; i < n; i++) {
        const bool follows = i > 0 && rows[i - 1].rule == rows[i].rule &&
                             rows[i - 1].client == rows[i].client;

        if (xds_rule_row(rows[i].rule) != rule)
            continue;
        xds_out_format(out, "    history: %s", xds_verdict_words(rows[i].verdict));
        print_before(out, rows[i].client, follows ? &rows[i - 1].release : NULL,
                     rows[i].release);
        if (rows[i].verdict == XDS_CRASH && rule->crash)
            xds_out_format(out, " (kills %s)", rule->crash);
        xds_out_line(out, "; %s", rows[i].source);
    }
}

static void print_guard_history(struct xds_out *out, enum xds_env env)
{
    static const char *const words[2][2] = {{": always off", ": always on"},
                                            {": by default off", ": by default on"}};
    size_t n;
    const struct xds_env_before *rows = xds_env_history(&n);

    for (size_t i = 0; i < n; i++) {
        const bool follows =
            i > 0 && rows[i - 1].env == env && rows[i - 1].client == rows[i].client;

        if (rows[i].env != env)
            continue;
        xds_out_text(out, "        ");
        print_before(out, rows[i].client, follows ? &rows[i - 1].release : NULL,
                     rows[i].release);
        xds_out_line(out, "%s", words[rows[i].read][rows[i].on]);
    }
}

/* Of the clients that read the variable. */
void xds_out_guards(struct xds_out *out, const struct xds_rule *rule)
{
    enum xds_env env;
    size_t i = 0;

    while (xds_rule_guard(rule, &i, &env)) {
        const struct xds_env_row *row = xds_env_row(env);

        xds_out_format(out, "    guard: %s", row->name);
        if (row->read_by & row->on)
            xds_out_format(out, ", by default on in %s",
                           xds_client_list(row->read_by & row->on, ", ").text);
        if (row->read_by & ~row->on)
            xds_out_format(out, ", by default off in %s",
                           xds_client_list(row->read_by & ~row->on, ", ").text);
        xds_out_char(out, '\n');
        print_guard_history(out, env);
    }
}

/* Older releases, when they did otherwise: of a difference that newest releases have,
 * below its line. */
static void print_difference_history(struct xds_out *out, int column,
                                     enum xds_difference difference)
{
    const unsigned clients = xds_differing(difference);
    size_t n;
    const struct xds_difference_before *rows = xds_difference_history(&n);
    bool is_first = true;

    for (size_t i = 0; i < n; i++) {
        const bool follows = i > 0 && rows[i - 1].difference == difference &&
                             rows[i - 1].client == rows[i].client;

        if (rows[i].difference != difference || (!clients && !rows[i].differs))
            continue;
        if (is_first && clients)
            xds_out_format(out, "%*s", column, "");
        else if (!is_first)
            xds_out_text(out, ", ");
        if (clients)
            xds_out_text(out, rows[i].differs ? "also " : "not ");
        print_before(out, rows[i].client, follows ? &rows[i - 1].release : NULL,
                     rows[i].release);
        is_first = false;
    }
    if (clients && !is_first)
        xds_out_char(out, '\n');
}

void xds_out_difference(struct xds_out *out, int column, enum xds_difference difference)
{
    const struct xds_difference_row row = xds_difference_row(difference);

    xds_out_format(out, "%*sdifference: ", column, "");
    if (row.clients)
        xds_out_clients(out, row.clients);
    else
        print_difference_history(out, 0, difference);
    xds_out_line(out, " %s (%s)", row.text, row.source);
    if (row.clients)
        print_difference_history(out, column + 4, difference);
}

/* ---- JSON ---- */

/* "1.66", before which the client did something else. */
static struct xds_release_text version_of(enum xds_client client,
                                          struct xds_release release)
{
    return xds_release_minor((struct xds_client_release){client, release});
}

/* What older releases did; of several rows of a client the oldest release comes first. */
void xds_json_rule_history(struct xds_out *out, const struct xds_rule *rule)
{
    size_t n;
    const struct xds_rule_before *rows = xds_rule_history(&n);

    xds_json_key_array(out, "history");
    for (size_t i = 0; i < n; i++) {
        if (xds_rule_row(rows[i].rule) == rule)
            xds_json_object(out, "client: %s, before: %s, verdict: %s, source: %s",
                            xds_client_name(rows[i].client),
                            version_of(rows[i].client, rows[i].release).text,
                            xds_verdict_name(rows[i].verdict), rows[i].source);
    }
    xds_json_end_array(out);
}

void xds_json_guard_history(struct xds_out *out, const struct xds_rule *rule)
{
    size_t n, i = 0;
    const struct xds_env_before *rows = xds_env_history(&n);
    enum xds_env env;

    xds_json_key_array(out, "guard_history");
    while (xds_rule_guard(rule, &i, &env))
        for (const struct xds_env_before *row = rows; row < rows + n; row++)
            if (row->env == env)
                xds_json_object(
                    out, "guard: %s, client: %s, before: %s, on: %d, read: %d",
                    xds_env_name(env), xds_client_name(row->client),
                    version_of(row->client, row->release).text, row->on, row->read);
    xds_json_end_array(out);
}

static void write_difference_history(struct xds_out *out, enum xds_difference difference)
{
    size_t n;
    const struct xds_difference_before *rows = xds_difference_history(&n);

    xds_json_key_array(out, "history");
    for (size_t i = 0; i < n; i++) {
        if (rows[i].difference == difference)
            xds_json_object(out, "client: %s, before: %s, differs: %d",
                            xds_client_name(rows[i].client),
                            version_of(rows[i].client, rows[i].release).text,
                            rows[i].differs);
    }
    xds_json_end_array(out);
}

void xds_json_difference(struct xds_out *out, enum xds_difference difference)
{
    const struct xds_difference_row row = xds_difference_row(difference);

    xds_json_begin_object(out);
    xds_json_clients(out, "clients", row.clients);
    xds_json_members(out, "text: %s, source: %s", row.text, row.source);
    write_difference_history(out, difference);
    xds_json_end_object(out);
}
