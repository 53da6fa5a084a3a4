/* diff_text.c - a comparison for people, as one wants to read it beside a change. */
#include "print/diff/diff.h"
#include "print/findings/findings.h"
#include "print/write/document.h"
#include "secret/secret.h"

enum { SHOWN_RESOURCES = 50, SHOWN_FIELDS = 40, SHOWN_SHARES = 6, SHOWN_KINDS = 20 };
enum { COOKIE_BYTES = 2048 };

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

/* How many of n are shown when the page is not verbose. */
static size_t shown_of(const struct xds_out *out, size_t n, size_t most)
{
    return out->to->verbose || n < most ? n : most;
}

static void print_more(struct xds_out *out, const char *before, size_t n,
                       const char *what, const char *after)
{
    if (n > 0)
        xds_out_line(out, "%sand %zu %s%s%s", before, n, what, xds_plural(n), after);
}

/* The title of a section; the first of the page has no blank line before it. */
static void print_title(struct xds_out *out, const struct xds_diff *diff,
                        const char *title)
{
    if ((diff->n_resources > 0 && !diff->again) || out->n > 0)
        xds_out_char(out, '\n');
    xds_doc_heading(out);
    xds_out_styled(out, XDS_STYLE_BOLD, title);
}

static void print_identity(struct xds_out *out, struct xds_slice type,
                           struct xds_slice name)
{
    const struct xds_slice kind = xds_type_short(type);

    xds_out_clean(out, kind.len ? kind : XDS_S("resource"));
    if (name.len > 0) {
        xds_out_char(out, ' ');
        xds_doc_quoted(out, name);
    }
}

/* ---- resources ---- */

static void print_places(struct xds_out *out, const struct xds_slice file[XDS_SIDES],
                         const struct xds_place place[XDS_SIDES])
{
    const char *separator = "";

    for (unsigned side = 0; side < XDS_SIDES; side++) {
        if (!file[side].data)
            continue;
        xds_out_format(out, "%s%.*s", separator, XDS_FMT(file[side]));
        if (place[side].line > 0) /* wire form has no lines */
            xds_out_format(out, ":%u", place[side].line);
        separator = " -> ";
    }
}

/* An item of a list comes and goes; a field is set or not. */
static bool is_item(const struct xds_field_change *field)
{
    const struct xds_path *at =
        field->at[XDS_SIDE_NEW] ? field->at[XDS_SIDE_NEW] : field->at[XDS_SIDE_OLD];

    return at && (at->kind == XDS_STEP_INDEX || at->kind == XDS_STEP_KEY);
}

static void print_field(struct xds_out *out, const struct xds_field_change *field)
{
    const struct xds_slice old = field->value[XDS_SIDE_OLD];
    const struct xds_slice new = field->value[XDS_SIDE_NEW];
    const struct xds_slice unset = XDS_S("not set");

    xds_doc_code(out, field->path);
    xds_out_text(out, ": ");
    if (field->kind == XDS_CHANGE_MOVED)
        xds_out_format(out, "moved from position %zu to %zu", field->index[XDS_SIDE_OLD],
                       field->index[XDS_SIDE_NEW]);
    else if (field->kind != XDS_CHANGE_CHANGED && is_item(field))
        xds_out_format(out, "%s %.*s", xds_change_name(field->kind),
                       XDS_FMT(new.data ? new : old));
    else
        xds_out_format(out, "%.*s -> %.*s", XDS_FMT(old.data ? old : unset),
                       XDS_FMT(new.data ? new : unset));
}

static void print_resource(struct xds_out *out, const struct xds_resource_change *change)
{
    const struct xds_field_changes *fields = &change->fields;
    const size_t shown = shown_of(out, fields->n, SHOWN_FIELDS);
    const size_t more = fields->n - shown + fields->n_more;

    print_identity(out, change->type, change->name);
    xds_out_format(out, " %s, ", xds_change_name(change->kind));
    print_places(out, change->file, change->place);
    xds_out_line(out, "%s%s",
                 change->unread ? ", no effect on RPCs: no gRPC client reads what changed"
                                : "",
                 change->unreadable ? ", cannot be read as xDS" : "");
    for (size_t i = 0; i < shown; i++) {
        const struct xds_field_change *field = &fields->list[i];
        const struct xds_slice none = {NULL, 0};
        const struct xds_slice file[XDS_SIDES] = {field->at[0] ? change->file[0] : none,
                                                  field->at[1] ? change->file[1] : none};

        xds_out_text(out, "  ");
        print_field(out, field);
        xds_out_text(out, "\n      ");
        if (field->owner.len > 0)
            xds_out_format(out, "of \"%.*s\", ", XDS_FMT(field->owner));
        print_places(out, file, field->place);
        xds_out_line(out, "%s",
                     field->unread && !change->unread ? ", which no gRPC client reads"
                                                      : "");
    }
    print_more(out, "  ", more, "more change", "");
}

static void print_resources(struct xds_out *out, const struct xds_diff *diff)
{
    const size_t shown = shown_of(out, diff->n_resources, SHOWN_RESOURCES);

    if (diff->n_resources == 0)
        return;
    xds_doc_heading(out);
    xds_out_styled(out, XDS_STYLE_BOLD, "resources");
    xds_out_char(out, '\n');
    for (size_t i = 0; i < shown && !out->failed; i++)
        print_resource(out, &diff->resources[i]);
    print_more(out, "", diff->n_resources - shown, "more resource", "");
}

/* ---- answers ---- */

/* "go", or of two readers "go@1.61.1 -> go@1.62.1". */
static void print_readers(struct xds_out *out, const struct xds_diff *diff)
{
    if (diff->of_readers)
        xds_out_format(out, "%s -> ", diff->as[XDS_SIDE_OLD].text);
    xds_out_text(out, diff->as[XDS_SIDE_NEW].text);
}

static void print_option(struct xds_out *out, const char *option, struct xds_slice value)
{
    xds_out_text(out, option);
    xds_out_shell_word(out, value);
}

/* A target says the authority already when both are the same name. */
static bool needs_authority(const struct xds_request *request)
{
    const struct xds_slice scheme = XDS_S("xds:///");

    return request->authority.data &&
           !(xds_slice_starts(request->target, scheme) &&
             xds_slice_eq(xds_slice_from(request->target, scheme.len),
                          request->authority));
}

static void begin_command(struct xds_out *out, const struct xds_diff *diff)
{
    const struct xds_client_label *as = &diff->as[XDS_SIDE_NEW];

    xds_doc_command(out, true);
    xds_out_text(out, "xdscope explain");
    if (diff->side[XDS_SIDE_NEW].client != XDS_CLIENT_CORE || strchr(as->text, '@'))
        xds_out_format(out, " --client %s", as->text);
    xds_out_env(out, &diff->side[XDS_SIDE_OLD].check->report->options);
}

static void end_command(struct xds_out *out, const struct xds_diff *diff)
{
    const struct xds_slice operand = diff->side[XDS_SIDE_NEW].operand;

    if (operand.data)
        print_option(out, " ", operand);
    xds_doc_command(out, false);
}

static void print_headers(struct xds_out *out, const struct xds_request *request)
{
    for (size_t i = 0; i < request->n_headers; i++) {
        xds_out_text(out, " -H '");
        xds_out_shell_part(out, request->headers[i].name);
        xds_out_text(out, ": ");
        xds_out_shell_part(out, xds_header_shown(&request->headers[i]));
        xds_out_char(out, '\'');
    }
}

static void print_request(struct xds_out *out, const struct xds_diff *diff,
                          const struct xds_request *request)
{
    begin_command(out, diff);
    if (request->target.data)
        print_option(out, " --target ", request->target);
    if (request->listener.data)
        print_option(out, " --listener ", request->listener);
    if (request->route_config.data)
        print_option(out, " --route-config ", request->route_config);
    if (needs_authority(request))
        print_option(out, " --authority ", request->authority);
    print_option(out, " --path ", request->path);
    print_headers(out, request);
    for (size_t i = 0; i < request->n_random; i++) {
        xds_out_text(out, i ? "," : " --random ");
        xds_out_double(out, request->random[i]);
    }
}

static void print_inbound(struct xds_out *out, const struct xds_diff *diff,
                          const struct xds_inbound *in)
{
    const struct xds_certificate *certificate = in->certificate;

    begin_command(out, diff);
    print_option(out, " --server ", in->server);
    if (in->local.data)
        print_option(out, " --local ", in->local);
    print_option(out, " --peer ", in->peer);
    for (size_t i = 0; certificate && i < certificate->n_sans; i++) {
        xds_out_format(out,
                       " --peer-san '%s:", xds_san_kind_name(certificate->sans[i].kind));
        xds_out_shell_part(out, certificate->sans[i].value);
        xds_out_char(out, '\'');
    }
    if (in->rpc.authority.data)
        print_option(out, " --authority ", in->rpc.authority);
    print_option(out, " --path ", in->rpc.path);
    print_headers(out, &in->rpc);
}

static struct xds_short_text percent(double share)
{
    const struct xds_short_text unknown = {"an unknown share"};

    return share == XDS_NOT_COMPUTABLE ? unknown : xds_percent(share);
}

/* Before what has changed, a label: in a column of its own, or on the same line. */
static void begin_effect(struct xds_out *out, bool in_line, const char *label)
{
    xds_out_format(out, in_line ? "; %s " : "    %-11s", label);
}

static void end_effect(struct xds_out *out, bool in_line)
{
    if (!in_line)
        xds_out_char(out, '\n');
}

static void print_shares(struct xds_out *out, bool in_line, const char *label,
                         const struct xds_share_changes *shares)
{
    const size_t shown = shown_of(out, shares->n, SHOWN_SHARES);

    if (shares->n == 0)
        return;
    begin_effect(out, in_line, label);
    for (size_t i = 0; i < shown; i++) {
        const struct xds_share_change *s = &shares->list[i];
        const char *quote = s->address.data ? "" : "\"";

        xds_out_format(out, "%s%s%.*s%s %s -> %s", i > 0 ? ", " : "", quote,
                       XDS_FMT(s->address.data ? s->address : s->cluster), quote,
                       percent(s->share[XDS_SIDE_OLD]).text,
                       percent(s->share[XDS_SIDE_NEW]).text);
    }
    if (shares->n + shares->n_more > shown)
        xds_out_format(out, " and %zu more", shares->n + shares->n_more - shown);
    end_effect(out, in_line);
}

static void print_aspect(struct xds_out *out, bool in_line,
                         const struct xds_answer_change *change, enum xds_aspect aspect)
{
    if (!(change->aspects & (1u << aspect)))
        return;
    begin_effect(out, in_line, xds_aspect_name(aspect));
    xds_out_format(out, "%.*s -> %.*s", XDS_FMT(change->text[XDS_SIDE_OLD][aspect]),
                   XDS_FMT(change->text[XDS_SIDE_NEW][aspect]));
    end_effect(out, in_line);
}

/* The hosts of an RPC that fails on one side are clear from its clusters. */
static void print_effects(struct xds_out *out, bool in_line,
                          const struct xds_answer_change *change)
{
    print_aspect(out, in_line, change, XDS_ASPECT_OUTCOME);
    print_shares(out, in_line, "clusters", &change->clusters);
    for (unsigned a = XDS_ASPECT_OUTCOME + 1; a < XDS_ASPECTS; a++)
        print_aspect(out, in_line, change, (enum xds_aspect)a);
    if (!(change->aspects & (1u << XDS_ASPECT_OUTCOME)))
        print_shares(out, in_line, "hosts", &change->hosts);
}

static void print_requests(struct xds_out *out, const struct xds_diff *diff)
{
    print_title(out, diff, "requests");
    if (!diff->of_readers)
        xds_out_format(out, " as client %s", diff->as[XDS_SIDE_NEW].text);
    if (diff->requests.n == 0) {
        const struct xds_slice asked = diff->requests.route_config;

        if (asked.data)
            xds_out_line(out,
                         ": no request to ask, as no route configuration \"%.*s\" "
                         "has a route",
                         XDS_FMT(asked));
        else
            xds_out_line(out, ": no request to ask, as no accepted listener has a route");
        return;
    }
    xds_out_line(out, ": %zu of %zu request%s%s a different answer",
                 diff->requests.n_differ, diff->requests.n, xds_plural(diff->requests.n),
                 diff->requests.n_differ == 1 || diff->requests.n == 1 ? " gets"
                                                                       : " get");

    const size_t shown = shown_of(out, diff->requests.n_kinds, SHOWN_KINDS);
    size_t more = diff->requests.n_differ;

    for (size_t i = 0; i < shown && !out->failed; i++) {
        const struct xds_request_kind *kind = diff->requests.kinds[i];

        xds_out_format(out, "  %zu request%s%s", kind->n, xds_plural(kind->n),
                       kind->n > 1 ? " such as: " : ": ");
        print_request(out, diff, &kind->example);
        end_command(out, diff);
        xds_out_char(out, '\n');
        print_effects(out, false, &kind->change);
        more -= diff->requests.kinds[i]->n;
    }
    print_more(out, "  ", more, "more request", " with other changes");

    /* What could not be asked. */
    static const char *const sides[XDS_SIDES] = {"old", "new"};

    for (unsigned side = 0; side < XDS_SIDES; side++) {
        const struct xds_derive_counts *counts = &diff->requests.counts[side];

        if (counts->impossible > 0) {
            xds_out_line(out,
                         "  not asked: %zu route%s of the %s side, for which no request "
                         "could be made, such as %.*s",
                         counts->impossible, xds_plural(counts->impossible), sides[side],
                         XDS_FMT(counts->example));
        }
        if (counts->cut) {
            xds_out_line(
                out, "  not asked: the routes of the %s side after the first %u requests",
                sides[side], XDS_MAX_DERIVED_REQUESTS);
        }
    }
}

/* ---- sessions ---- */

static const struct {
    const char *sentence, *quote;
} causes[XDS_BREAKS] = {
    [XDS_BREAK_HOST] = {"the host is gone", NULL},
    [XDS_BREAK_PRIORITY] = {"the host is in a priority that is not in use; affinity does "
                            "not go beyond the one in use",
                            NULL},
    [XDS_BREAK_CLUSTER] = {"the route no longer leads to the cluster", NULL},
    [XDS_BREAK_STATUS] = {"the health status of the host is not in override_host_status",
                          NULL},
    [XDS_BREAK_OFF] = {"session affinity is off", NULL},
    [XDS_BREAK_NAME] = {"the cookie that is read has another name, ", "\""},
    [XDS_BREAK_PATH] = {"the cookie path does not cover the request, it is ", "\""},
    [XDS_BREAK_FAILS] = {"the RPC fails: ", ""},
    [XDS_BREAK_OTHER] = {"", ""},
};

/* Named and encoded as the old side does: the new one may call it otherwise. */
static void print_cookie(struct xds_out *out, const struct xds_session_kind *kind)
{
    const struct xds_slice addresses = kind->first->addresses;
    char value[COOKIE_BYTES];
    const size_t len = xds_cookie_encode(addresses, kind->in_cookie, value, sizeof value);

    if (len > sizeof value) { /* names of endpoints are not that long */
        print_option(out, " --cookie-host ", addresses);
        print_option(out, " --cookie-cluster ", kind->cluster);
        return;
    }
    print_option(out, " --cookie ", kind->cookie_name);
    xds_out_format(out, "=%.*s", XDS_FMT(xds_slice_make(value, len)));
}

static void print_break(struct xds_out *out, const struct xds_session_kind *kind)
{
    const struct xds_session_change *first = kind->first;
    const char *quote = causes[kind->cause].quote;

    xds_out_format(out, "%zu session%s%s%.*s", kind->n, xds_plural(kind->n),
                   kind->n > 1 ? " with hosts such as " : " with host ",
                   XDS_FMT(first->addresses));
    if (first->health != XDS_HEALTH_UNKNOWN && first->health != XDS_HEALTH_HEALTHY)
        xds_out_format(out, " (%s)", xds_health_name(first->health));
    xds_out_format(out, " of cluster \"%.*s\" in cookie \"%.*s\": %s",
                   XDS_FMT(kind->cluster), XDS_FMT(kind->cookie_name),
                   causes[kind->cause].sentence);
    if (quote)
        xds_out_format(out, "%s%.*s%s", quote, XDS_FMT(kind->reason), quote);
}

static void print_sessions(struct xds_out *out, const struct xds_diff *diff)
{
    if (diff->sessions.n_broken == 0 && !diff->sessions.cut)
        return;
    print_title(out, diff, "sessions");
    xds_out_line(out, ": %zu of %zu cookie%s%s no longer honoured",
                 diff->sessions.n_broken, diff->sessions.n, xds_plural(diff->sessions.n),
                 diff->sessions.n_broken == 1 ? " is" : " are");

    const size_t shown = shown_of(out, diff->sessions.n_breaks, SHOWN_KINDS);
    size_t more = diff->sessions.n_broken;

    for (size_t i = 0; i < shown && !out->failed; i++) {
        const struct xds_session_kind *kind = diff->sessions.breaks[i];

        xds_out_text(out, "  ");
        print_break(out, kind);
        xds_out_text(out, "\n    ");
        print_request(out, diff, &kind->example);
        print_cookie(out, kind);
        end_command(out, diff);
        xds_out_char(out, '\n');
        more -= diff->sessions.breaks[i]->n;
    }
    print_more(out, "  ", more, "more session", " with other changes");
    if (diff->sessions.cut) {
        xds_out_line(out, "  not asked: sessions after the first %u cookies",
                     XDS_MAX_DIFF_COOKIES);
    }
}

/* ---- verdicts ---- */

static void print_clients(struct xds_out *out, const struct xds_verdict_change *change)
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

    print_identity(out, change->type, change->name);
    for (size_t i = 0; i < XDS_ARRAY_LEN(parts); i++) {
        if (!parts[i].clients)
            continue;
        xds_out_text(out, further ? parts[i].further : parts[i].first);
        xds_out_people(out, parts[i].clients);
        xds_out_text(out, parts[i].after);
        further = true;
    }
}

/* The same of two readers, who are known. */
static void print_between(struct xds_out *out, const struct xds_diff *diff,
                          const struct xds_verdict_change *change)
{
    const char *old = diff->as[XDS_SIDE_OLD].text, *now = diff->as[XDS_SIDE_NEW].text;

    print_identity(out, change->type, change->name);
    if (change->dies)
        xds_out_format(out, " crashes %s, not %s", now, old);
    else if (change->rejects)
        xds_out_format(out,
                       change->survives ? " is rejected by %s and crashes %s"
                                        : " is rejected by %s, not by %s",
                       now, old);
    else
        xds_out_format(out,
                       change->survives ? " is accepted by %s and crashes %s"
                                        : " is accepted by %s, not by %s",
                       now, old);
}

static void print_verdict(struct xds_out *out, const struct xds_diff *diff,
                          const struct xds_verdict_change *change)
{
    xds_out_text(out, "  ");
    if (diff->of_readers)
        print_between(out, diff, change);
    else
        print_clients(out, change);
    xds_out_char(out, '\n');
    for (size_t i = 0; i < change->n_rules; i++) {
        const struct xds_rule_change *rule = &change->rules[i];
        const struct xds_report *report = diff->side[rule->side].report;

        if (diff->of_readers)
            xds_out_format(out, "    %s: ", diff->as[rule->side].text);
        else
            xds_out_text(out, rule->side == XDS_SIDE_NEW ? "    " : "    no longer: ");
        xds_out_finding_line(out, report, &rule->finding);
    }
}

static bool is_stale(const struct xds_diff *diff)
{
    const unsigned client = XDS_CLIENT_BIT(diff->side[XDS_SIDE_NEW].client);

    for (size_t i = 0; i < diff->n_verdicts && !diff->of_readers; i++)
        if ((diff->verdicts[i].rejects & client) && !diff->verdicts[i].added)
            return true;
    return false;
}

static void print_verdicts(struct xds_out *out, const struct xds_diff *diff)
{
    if (diff->n_verdicts == 0)
        return;
    print_title(out, diff, "verdicts");
    xds_out_char(out, '\n');
    for (size_t i = 0; i < diff->n_verdicts && !out->failed; i++)
        print_verdict(out, diff, &diff->verdicts[i]);
    print_more(out, "  ", diff->n_more_verdicts, "more resource", "");
    if (is_stale(diff))
        xds_out_line(out,
                     "  The answers above are those of a %s client that starts with the "
                     "new side; a running one keeps the old resource.",
                     diff->as[XDS_SIDE_NEW].text);
}

/* ---- two readers ---- */

static void print_trees(struct xds_out *out, const struct xds_diff *diff)
{
    if (diff->n_trees == 0)
        return;
    print_title(out, diff, "LB policies");
    xds_out_line(out, ": those of %zu of %zu cluster%s differ", diff->n_clusters_differ,
                 diff->n_clusters, xds_plural(diff->n_clusters));
    for (size_t i = 0; i < diff->n_trees && !out->failed; i++) {
        const struct xds_policy_kind *kind = diff->trees[i];

        xds_out_format(out,
                       kind->n > 1 ? "  %zu clusters such as \"%.*s\": "
                                   : "  %zu cluster \"%.*s\": ",
                       kind->n, XDS_FMT(kind->cluster));
        xds_doc_code(out, kind->path);
        xds_out_line(out, ": %.*s -> %.*s", XDS_FMT(kind->text[XDS_SIDE_OLD]),
                     XDS_FMT(kind->text[XDS_SIDE_NEW]));
    }
    print_more(out, "  ", diff->n_more_trees, "more cluster", "");
}

/* ---- the last line ---- */

/* Parts of the line have "; " between them. */
static void begin_part(struct xds_out *out, bool *any)
{
    xds_out_text(out, *any ? "; " : "");
    *any = true;
}

static void sum_verdict(struct xds_out *out, const struct xds_verdict_change *change,
                        unsigned clients, const char *what)
{
    if (!(clients & ~XDS_CLIENT_BIT(XDS_CLIENT_GRFC)))
        return;
    xds_out_text(out, "; ");
    xds_out_people(out, clients);
    xds_out_format(out, "%s\"%.*s\"", what, XDS_FMT(change->name));
}

/* Clients whose servers come to harm by the update. */
static unsigned harmed(const struct xds_diff *diff, enum xds_update_effect effect)
{
    unsigned clients = 0;

    for (size_t i = 0; i < diff->updates.n; i++)
        if (diff->updates.list[i].effect == effect)
            clients |= diff->updates.list[i].clients;
    return clients;
}

static void sum_updates(struct xds_out *out, unsigned clients, const char *what,
                        bool *any)
{
    if (!clients)
        return;
    begin_part(out, any);
    xds_out_text(out, "servers of ");
    xds_out_people(out, clients);
    xds_out_format(out, " %s", what);
}

/* "2 resources changed, 1 added" */
static void sum_resources(struct xds_out *out, const struct xds_diff *diff, bool *any)
{
    static const enum xds_change_kind kinds[] = {XDS_CHANGE_CHANGED, XDS_CHANGE_ADDED,
                                                 XDS_CHANGE_REMOVED};

    for (size_t i = 0; i < XDS_ARRAY_LEN(kinds); i++) {
        const size_t n = xds_diff_count(diff, kinds[i]);

        if (n == 0)
            continue;
        if (!*any)
            xds_out_format(out, "%zu resource%s", n, xds_plural(n));
        else
            xds_out_format(out, ", %zu", n);
        xds_out_format(out, " %s", xds_change_name(kinds[i]));
        *any = true;
    }
    if (diff->of_readers)
        print_readers(out, diff);
    else if (!*any)
        xds_out_text(out, "only the order of lists changed");
    *any = true;
}

static void sum_servers(struct xds_out *out, const struct xds_diff *diff, bool *any)
{
    const unsigned keeping =
        harmed(diff, XDS_UPDATE_IGNORED) | harmed(diff, XDS_UPDATE_ROUTES_KEPT);

    if (!diff->again) {
        sum_updates(out, harmed(diff, XDS_UPDATE_KILLS), "die of the update", any);
        sum_updates(out, keeping, "do not take the update", any);
    }
    if (diff->n_servers > 0) {
        begin_part(out, any);
        xds_out_format(out, "%zu server%s", diff->n_servers,
                       diff->n_servers == 1 ? " does not serve" : "s do not serve");
    }
    if (diff->served.n_kinds > 0) {
        begin_part(out, any);
        xds_out_format(out, "%zu kind%s of RPCs to servers change%s",
                       diff->served.n_kinds, xds_plural(diff->served.n_kinds),
                       diff->served.n_kinds == 1 ? "s" : "");
    }
}

/* They are those of one client: that no request of it changes says nothing of others. */
static void sum_requests(struct xds_out *out, const struct xds_diff *diff, bool *any)
{
    const size_t n = diff->requests.n_kinds;
    const bool of_servers = diff->n_servers > 0 || diff->served.n_kinds > 0;

    if (diff->requests.n == 0 || (n == 0 && of_servers))
        return;
    begin_part(out, any);
    if (n > 0)
        xds_out_format(out, "%zu kind%s of request%s", n, xds_plural(n), xds_plural(n));
    else
        xds_out_text(out, "no request");
    xds_out_text(out, n > 1 ? " change" : " changes");
    if (!diff->of_readers)
        xds_out_format(out, " for %s", diff->as[XDS_SIDE_NEW].text);
}

static void print_summary(struct xds_out *out, const struct xds_diff *diff)
{
    bool any = false;

    if (!diff->again)
        sum_resources(out, diff, &any);
    sum_servers(out, diff, &any);
    sum_requests(out, diff, &any);
    if (diff->sessions.n_broken > 0) {
        begin_part(out, &any);
        xds_out_format(out, "%zu of %zu session%s%s", diff->sessions.n_broken,
                       diff->sessions.n, xds_plural(diff->sessions.n),
                       diff->sessions.n_broken == 1 ? " breaks" : " break");
    }
    if (diff->n_trees > 0) {
        begin_part(out, &any);
        xds_out_format(out, "LB policies of %zu cluster%s differ",
                       diff->n_clusters_differ, xds_plural(diff->n_clusters_differ));
    }
    if (diff->warnings.n > 0) {
        const size_t n = diff->warnings.n + diff->warnings.n_more;

        begin_part(out, &any);
        xds_out_format(out, "%zu warning%s", n, n == 1 ? " differs" : "s differ");
    }
    for (size_t i = 0; diff->of_readers && i < diff->n_verdicts; i++) {
        begin_part(out, &any);
        print_between(out, diff, &diff->verdicts[i]);
    }
    for (size_t i = 0; !diff->of_readers && !diff->again && i < diff->n_verdicts; i++) {
        const struct xds_verdict_change *change = &diff->verdicts[i];

        sum_verdict(out, change, change->dies, " would crash of ");
        sum_verdict(out, change, change->rejects, " would reject ");
    }
    if (any)
        xds_out_char(out, '\n');
}

static void print_server(struct xds_out *out, const struct xds_server_change *server)
{
    const bool is_rejected = strcmp(server->why, "rejected") == 0;

    /* One that runs keeps the old listener. */
    xds_out_format(
        out, "the server on %.*s %s: its listener ",
        XDS_FMT(server->address.data ? server->address : XDS_S("an unknown address")),
        is_rejected ? "cannot start serving" : "stops serving");
    xds_doc_quoted(out, server->listener);
    xds_out_line(out, "%s%s", strcmp(server->why, "kills the server") == 0 ? " " : " is ",
                 server->why);
}

static void print_update(struct xds_out *out, const struct xds_server_update *update)
{
    static const char *const begin[XDS_UPDATE_EFFECTS] = {
        [XDS_UPDATE_KILLS] = "dies of the update: listener ",
        [XDS_UPDATE_IGNORED] = "does not notice the update: listener ",
        [XDS_UPDATE_ROUTES_KEPT] =
            "ignores the new routes of default_filter_chain: listener ",
        [XDS_UPDATE_NO_RETURN] =
            "does not serve again if it comes back as it was: listener ",
    };

    xds_out_format(
        out, "the server on %.*s, as ",
        XDS_FMT(update->address.data ? update->address : XDS_S("an unknown address")));
    xds_out_people(out, update->clients);
    xds_out_format(out, ", %s", begin[update->effect]);
    xds_doc_quoted(out, update->listener);
    if (update->why)
        xds_out_format(out, " %s", update->why);
    if (update->routes.len > 0) {
        xds_out_text(out, " keeps those of ");
        xds_doc_quoted(out, update->routes);
        xds_out_text(out, " that it has");
    }
    xds_out_line(out, "%s",
                 update->effect == XDS_UPDATE_NO_RETURN ? " is removed"
                                                        : "; restart the server");
}

static void print_served_side(struct xds_out *out, const struct xds_served_kind *kind,
                              enum xds_side side)
{
    xds_out_clean(out, kind->text[side]);
    if (!kind->policy[side].data)
        return;
    xds_out_text(out, ", by policy ");
    xds_doc_quoted(out, kind->policy[side]);
}

static void print_served_kind(struct xds_out *out, const struct xds_diff *diff,
                              const struct xds_served_kind *kind, bool in_line)
{
    xds_out_format(out, "%s%zu RPC%s%s", in_line ? "" : "  ", kind->n,
                   xds_plural(kind->n), kind->n > 1 ? " such as: " : ": ");
    print_inbound(out, diff, &kind->example);
    end_command(out, diff);
    if (!in_line)
        xds_out_char(out, '\n');
    begin_effect(out, in_line, "outcome");
    print_served_side(out, kind, XDS_SIDE_OLD);
    xds_out_text(out, " -> ");
    print_served_side(out, kind, XDS_SIDE_NEW);
    end_effect(out, in_line);
    if (in_line)
        xds_out_char(out, '\n');
}

/* Of all clients, whichever is asked about. */
static size_t n_updates(const struct xds_diff *diff)
{
    return diff->again ? 0 : diff->updates.n;
}

static void print_updates(struct xds_out *out, const struct xds_diff *diff)
{
    const size_t n = n_updates(diff), shown = shown_of(out, n, SHOWN_RESOURCES);

    for (size_t i = 0; i < shown && !out->failed; i++)
        print_update(out, &diff->updates.list[i]);
    print_more(out, "", n - shown, "more update", " of servers");
}

static void print_servers(struct xds_out *out, const struct xds_diff *diff)
{
    const size_t shown = shown_of(out, diff->n_servers, SHOWN_RESOURCES);
    const struct xds_diff_served *served = &diff->served;
    const size_t kinds = shown_of(out, served->n_kinds, SHOWN_KINDS);
    size_t more = served->n_differ;

    if (diff->n_servers == 0 && served->n_kinds == 0 && n_updates(diff) == 0)
        return;
    print_title(out, diff, "servers");
    if (served->n_kinds > 0)
        xds_out_format(out, ": %zu of %zu RPC%s %s a different answer", served->n_differ,
                       served->n, xds_plural(served->n),
                       served->n_differ == 1 ? "gets" : "get");
    xds_out_char(out, '\n');
    for (size_t i = 0; i < shown; i++)
        print_server(out, &diff->servers[i]);
    print_more(out, "", diff->n_servers - shown, "more server", "");
    print_updates(out, diff);
    for (size_t i = 0; i < kinds && !out->failed; i++) {
        print_served_kind(out, diff, served->kinds[i], false);
        more -= served->kinds[i]->n;
    }
    print_more(out, "  ", more, "more RPC", " with other changes");
}

static void print_sections(struct xds_out *out, const struct xds_diff *diff)
{
    if (!diff->again)
        print_resources(out, diff);
    if (!xds_diff_found(diff))
        return;
    if (diff->of_readers) {
        print_readers(out, diff);
        xds_out_char(out, '\n');
    }
    print_servers(out, diff);
    print_requests(out, diff);
    print_sessions(out, diff);
    if (!diff->again)
        print_verdicts(out, diff);
    print_trees(out, diff);
    if (diff->warnings.n > 0) {
        print_title(out, diff, "warnings");
        xds_diff_print_warnings(out, diff);
    }
    if (xds_diff_history(diff, 0)) {
        print_title(out, diff, "history");
        xds_diff_print_history(out, diff);
    }
}

enum xds_status xds_print_diff_text(const struct xds_printer *to,
                                    const struct xds_diff *diff)
{
    struct xds_out out;

    xds_out_init(&out, to);
    print_sections(&out, diff);
    if (xds_diff_found(diff) && !to->quiet) {
        if (!diff->again || diff->requests.n > 0)
            xds_out_char(&out, '\n');
        print_summary(&out, diff);
    }
    return xds_out_finish(&out);
}

/* ---- lines ---- */

enum { SHOWN_IN_LINE = 4 };

static void line_of_resource(struct xds_out *out,
                             const struct xds_resource_change *change)
{
    const struct xds_field_changes *fields = &change->fields;
    const size_t shown = shown_of(out, fields->n, SHOWN_IN_LINE);
    const size_t more = fields->n - shown + fields->n_more;

    print_identity(out, change->type, change->name);
    xds_out_format(out, " %s", xds_change_name(change->kind));
    for (size_t i = 0; i < shown; i++) {
        xds_out_text(out, i > 0 ? "; " : ": ");
        print_field(out, &fields->list[i]);
    }
    if (more > 0)
        xds_out_format(out, "; and %zu more change%s", more, xds_plural(more));
    xds_out_line(out, "%s",
                 change->unread ? ", no effect on RPCs: no gRPC client reads what changed"
                                : "");
}

static void line_of_requests(struct xds_out *out, const struct xds_diff *diff,
                             const struct xds_request_kind *kind)
{
    xds_out_format(out, "%zu request%s%s", kind->n, xds_plural(kind->n),
                   kind->n > 1 ? " such as: " : ": ");
    print_request(out, diff, &kind->example);
    print_effects(out, true, &kind->change);
    xds_out_char(out, '\n');
}

static void line_of_verdict(struct xds_out *out, const struct xds_verdict_change *change)
{
    print_clients(out, change);
    for (size_t i = 0; i < change->n_rules && i < SHOWN_IN_LINE; i++) {
        const struct xds_rule_change *rule = &change->rules[i];

        xds_out_format(out, "; %s%.*s [%s]",
                       rule->side == XDS_SIDE_NEW ? "" : "no longer: ",
                       XDS_FMT(rule->finding.message), rule->rule->slug);
    }
    xds_out_char(out, '\n');
}

static void print_lines(struct xds_out *out, const struct xds_diff *diff)
{
    const size_t resources = shown_of(out, diff->n_resources, SHOWN_RESOURCES);
    const size_t kinds = shown_of(out, diff->requests.n_kinds, SHOWN_KINDS);
    const size_t breaks = shown_of(out, diff->sessions.n_breaks, SHOWN_KINDS);

    for (size_t i = 0; i < resources; i++)
        line_of_resource(out, &diff->resources[i]);
    print_more(out, "", diff->n_resources - resources, "more resource", "");
    for (size_t i = 0; i < diff->n_servers; i++)
        print_server(out, &diff->servers[i]);
    print_updates(out, diff);
    for (size_t i = 0; i < shown_of(out, diff->served.n_kinds, SHOWN_KINDS); i++)
        print_served_kind(out, diff, diff->served.kinds[i], true);
    for (size_t i = 0; i < kinds; i++)
        line_of_requests(out, diff, diff->requests.kinds[i]);
    print_more(out, "", diff->requests.n_kinds + diff->requests.n_more_kinds - kinds,
               "more kind", " of requests that change");
    for (size_t i = 0; i < breaks; i++) {
        print_break(out, diff->sessions.breaks[i]);
        xds_out_char(out, '\n');
    }
    print_more(out, "", diff->sessions.n_breaks + diff->sessions.n_more_breaks - breaks,
               "more kind", " of sessions that break");
    for (size_t i = 0; i < diff->n_verdicts; i++)
        line_of_verdict(out, &diff->verdicts[i]);
    print_more(out, "", diff->n_more_verdicts, "more resource", " with other verdicts");
}

enum xds_status xds_print_diff_lines(const struct xds_printer *to,
                                     const struct xds_diff *diff)
{
    struct xds_out out;

    xds_out_init(&out, to);
    if (xds_diff_found(diff))
        print_lines(&out, diff);
    return xds_out_finish(&out);
}

enum xds_status xds_print_diff_html(const struct xds_printer *to,
                                    const struct xds_diff *diff)
{
    const bool found = xds_diff_found(diff);
    struct xds_doc doc;
    struct xds_out out;

    xds_doc_begin(&doc, to, "diff");
    xds_out_init(&out, &doc.printer);
    xds_doc_verdict(&out, !found);
    if (found)
        print_summary(&out, diff);
    else
        xds_out_line(&out, "no difference");
    print_sections(&out, diff);
    return xds_doc_end(&doc, xds_out_finish(&out));
}
