/* diff_text.c - a comparison for people, as one wants to read it beside a change. */
#include "print/decision_parts.h"
#include "print/diff.h"
#include "print/findings.h"

enum { SHOWN_RESOURCES = 50, SHOWN_FIELDS = 40 };

const char *xds_change_name(enum xds_change_kind kind)
{
    static const char *const names[] = {
        [XDS_CHANGE_ADDED] = "added",
        [XDS_CHANGE_REMOVED] = "removed",
        [XDS_CHANGE_CHANGED] = "changed",
        [XDS_CHANGE_MOVED] = "moved",
    };

    return names[kind];
}

size_t xds_diff_count(const struct xds_diff *diff, enum xds_change_kind kind)
{
    size_t n = 0;

    for (size_t i = 0; i < diff->n_resources; i++)
        n += diff->resources[i].kind == kind;
    return n;
}

static void print_identity(struct xds_out *out, struct xds_slice type,
                           struct xds_slice name)
{
    const struct xds_slice kind = xds_type_short(type);

    xds_out_clean(out, kind.len ? kind : XDS_S("resource"));
    if (name.len == 0)
        return;
    xds_out_char(out, ' ');
    quoted(out, name);
}

/* ---- resources ---- */

static void print_places(struct xds_out *out, const struct xds_slice file[XDS_SIDES],
                         const struct xds_place place[XDS_SIDES])
{
    const char *separator = "";

    for (unsigned side = 0; side < XDS_SIDES; side++) {
        if (!file[side].data)
            continue;
        xds_out_text(out, separator);
        xds_out_clean(out, file[side]);
        if (place[side].line > 0) { /* wire form has no lines */
            xds_out_char(out, ':');
            xds_out_u64(out, place[side].line);
        }
        separator = " -> ";
    }
}

/* An item of a list comes and goes; a field is set or not. */
static bool is_item(const struct xds_field_change *field)
{
    const struct xds_path *at =
        field->at[XDS_SIDE_NEW] ? field->at[XDS_SIDE_NEW] : field->at[XDS_SIDE_OLD];

    return at->kind == XDS_STEP_INDEX || at->kind == XDS_STEP_KEY;
}

static void print_move(struct xds_out *out, const struct xds_field_change *field)
{
    xds_out_text(out, "moved from position ");
    xds_out_u64(out, field->index[XDS_SIDE_OLD]);
    xds_out_text(out, " to ");
    xds_out_u64(out, field->index[XDS_SIDE_NEW]);
}

static void print_value(struct xds_out *out, const struct xds_field_change *field)
{
    const struct xds_slice unset = XDS_S("not set");
    const struct xds_slice *value = field->value;

    xds_out_text(out, ": ");
    if (field->kind == XDS_CHANGE_MOVED) {
        print_move(out, field);
    } else if (field->kind != XDS_CHANGE_CHANGED && is_item(field)) {
        xds_out_text(out, xds_change_name(field->kind));
        xds_out_char(out, ' ');
        xds_out_clean(out, value[XDS_SIDE_NEW].data ? value[XDS_SIDE_NEW]
                                                    : value[XDS_SIDE_OLD]);
    } else {
        xds_out_clean(out, value[XDS_SIDE_OLD].data ? value[XDS_SIDE_OLD] : unset);
        xds_out_text(out, " -> ");
        xds_out_clean(out, value[XDS_SIDE_NEW].data ? value[XDS_SIDE_NEW] : unset);
    }
}

static void print_field(struct xds_out *out, const struct xds_resource_change *change,
                        const struct xds_field_change *field)
{
    const struct xds_slice none = {NULL, 0};
    const struct xds_slice file[XDS_SIDES] = {field->at[0] ? change->file[0] : none,
                                              field->at[1] ? change->file[1] : none};

    xds_out_text(out, "  ");
    xds_out_clean(out, field->path);
    print_value(out, field);
    xds_out_text(out, "\n      ");
    if (field->owner.len > 0) {
        xds_out_text(out, "of ");
        quoted(out, field->owner);
        xds_out_text(out, ", ");
    }
    print_places(out, file, field->place);
    if (field->unread && !change->unread)
        xds_out_text(out, ", which no gRPC client reads");
    xds_out_char(out, '\n');
}

static void print_resource(struct xds_out *out, const struct xds_resource_change *change)
{
    const struct xds_field_changes *fields = &change->fields;
    const size_t shown =
        out->to->verbose || fields->n < SHOWN_FIELDS ? fields->n : SHOWN_FIELDS;
    const size_t more = fields->n - shown + fields->n_more;

    print_identity(out, change->type, change->name);
    xds_out_char(out, ' ');
    xds_out_text(out, xds_change_name(change->kind));
    xds_out_text(out, ", ");
    print_places(out, change->file, change->place);
    if (change->unread)
        xds_out_text(out, ", no effect on RPCs: no gRPC client reads what changed");
    if (change->unreadable)
        xds_out_text(out, ", cannot be read as xDS");
    xds_out_char(out, '\n');
    for (size_t i = 0; i < shown; i++)
        print_field(out, change, &fields->list[i]);
    if (more > 0) {
        xds_out_text(out, "  and ");
        xds_out_count(out, more, "more change");
        xds_out_char(out, '\n');
    }
}

static void print_resources(struct xds_out *out, const struct xds_diff *diff)
{
    const size_t shown = out->to->verbose || diff->n_resources < SHOWN_RESOURCES
                             ? diff->n_resources
                             : SHOWN_RESOURCES;

    if (diff->n_resources == 0)
        return;
    xds_out_styled(out, XDS_STYLE_BOLD, "resources");
    xds_out_char(out, '\n');
    for (size_t i = 0; i < shown && !out->failed; i++)
        print_resource(out, &diff->resources[i]);
    if (shown < diff->n_resources) {
        xds_out_text(out, "and ");
        xds_out_count(out, diff->n_resources - shown, "more resource");
        xds_out_char(out, '\n');
    }
}

/* ---- verdicts ---- */

static void print_rule(struct xds_out *out, const struct xds_diff *diff,
                       const struct xds_rule_change *rule)
{
    const struct xds_report *report = diff->side[rule->side].report;

    xds_out_text(out, rule->side == XDS_SIDE_NEW ? "    " : "    no longer: ");
    xds_out_finding_line(out, report, &rule->finding);
}

static void print_verdict(struct xds_out *out, const struct xds_diff *diff,
                          const struct xds_verdict_change *change)
{
    const struct {
        unsigned clients;
        const char *first, *further, *after;
    } parts[] = {
        {change->dies, " would crash ", "", ""},
        {change->rejects, " would be rejected by ", "; would be rejected by ",
         change->added ? "" : ", where the old one stays in use"},
        {change->accepts, " is accepted now by ", "; accepted now by ", ""},
        {change->survives, " no longer crashes ", "; no longer crashes ", ""},
    };
    bool further = false;

    xds_out_text(out, "  ");
    print_identity(out, change->type, change->name);
    for (size_t i = 0; i < XDS_ARRAY_LEN(parts); i++) {
        if (!parts[i].clients)
            continue;
        xds_out_text(out, further ? parts[i].further : parts[i].first);
        xds_out_clients(out, parts[i].clients);
        xds_out_text(out, parts[i].after);
        further = true;
    }
    xds_out_char(out, '\n');
    for (size_t i = 0; i < change->n_rules; i++)
        print_rule(out, diff, &change->rules[i]);
}

static bool is_stale(const struct xds_diff *diff)
{
    for (size_t i = 0; i < diff->n_verdicts; i++)
        if ((diff->verdicts[i].rejects & XDS_CLIENT_BIT(diff->client)) &&
            !diff->verdicts[i].added)
            return true;
    return false;
}

static void print_verdicts(struct xds_out *out, const struct xds_diff *diff)
{
    if (diff->n_verdicts == 0)
        return;
    xds_diff_title(out, diff, "verdicts");
    xds_out_char(out, '\n');
    for (size_t i = 0; i < diff->n_verdicts && !out->failed; i++)
        print_verdict(out, diff, &diff->verdicts[i]);
    if (diff->n_more_verdicts > 0) {
        xds_out_text(out, "  and ");
        xds_out_count(out, diff->n_more_verdicts, "more resource");
        xds_out_char(out, '\n');
    }
    if (is_stale(diff)) {
        xds_out_text(out, "  The answers above are those of a ");
        xds_out_text(out, diff->as.text);
        xds_out_text(out, " client that starts with the new side; a running one keeps "
                          "the old resource.\n");
    }
}

/* ---- the last line ---- */

/* "2 resources changed, 1 added" */
static void sum_resources(struct xds_out *out, const struct xds_diff *diff)
{
    static const enum xds_change_kind kinds[] = {XDS_CHANGE_CHANGED, XDS_CHANGE_ADDED,
                                                 XDS_CHANGE_REMOVED};
    const char *separator = "";

    for (size_t i = 0; i < XDS_ARRAY_LEN(kinds); i++) {
        const size_t n = xds_diff_count(diff, kinds[i]);

        if (n == 0)
            continue;
        xds_out_text(out, separator);
        if (*separator == '\0')
            xds_out_count(out, n, "resource");
        else
            xds_out_u64(out, n);
        xds_out_char(out, ' ');
        xds_out_text(out, xds_change_name(kinds[i]));
        separator = ", ";
    }
    if (*separator == '\0')
        xds_out_text(out, "only the order of lists changed");
}

static void sum_requests(struct xds_out *out, const struct xds_diff *diff)
{
    xds_out_text(out, "; ");
    if (diff->n_kinds > 0)
        xds_out_u64(out, diff->n_kinds);
    else
        xds_out_text(out, "no");
    xds_out_text(out, diff->n_kinds > 1    ? " kinds of requests change"
                      : diff->n_kinds == 1 ? " kind of request changes"
                                           : " request changes");
}

static void sum_sessions(struct xds_out *out, const struct xds_diff *diff)
{
    xds_out_text(out, "; ");
    xds_out_u64(out, diff->n_broken);
    xds_out_text(out, " of ");
    xds_out_count(out, diff->n_sessions, "session");
    xds_out_text(out, diff->n_broken == 1 ? " breaks" : " break");
}

static void sum_verdict(struct xds_out *out, const struct xds_verdict_change *change,
                        unsigned clients, const char *what)
{
    if (!clients)
        return;
    xds_out_text(out, "; ");
    xds_out_clients(out, clients);
    xds_out_text(out, what);
    quoted(out, change->name);
}

static void sum_verdicts(struct xds_out *out, const struct xds_diff *diff)
{
    for (size_t i = 0; i < diff->n_verdicts; i++) {
        const struct xds_verdict_change *change = &diff->verdicts[i];

        sum_verdict(out, change, change->dies, " would crash of ");
        sum_verdict(out, change, change->rejects, " would reject ");
    }
}

static void print_summary(struct xds_out *out, const struct xds_diff *diff)
{
    sum_resources(out, diff);
    if (diff->n_requests > 0)
        sum_requests(out, diff);
    if (diff->n_broken > 0)
        sum_sessions(out, diff);
    sum_verdicts(out, diff);
    xds_out_char(out, '\n');
}

enum xds_status xds_print_diff_text(const struct xds_printer *to,
                                    const struct xds_diff *diff)
{
    struct xds_out out;

    xds_out_init(&out, to);
    print_resources(&out, diff);
    if (xds_diff_found(diff)) {
        xds_diff_requests_text(&out, diff);
        xds_diff_sessions_text(&out, diff);
        print_verdicts(&out, diff);
        if (!to->quiet) {
            xds_out_char(&out, '\n');
            print_summary(&out, diff);
        }
    }
    return xds_out_finish(&out);
}
