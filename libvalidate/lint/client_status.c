/*
 * client_status.c - what the client of a dump says of a resource, as findings.
 *
 * Source: gRFC A40, A88; envoy.admin.v3.ClientResourceStatus.
 */
#include "lint/lint.h"

/* Words of a client, some of which print whole resources after them; and errors of one
 * resource that are reported one by one. */
enum { LONGEST_WORDS = 1000, MOST_ERRORS = 20 };

#define UNSAID XDS_S("it does not say why")

struct telling {
    const struct xds_inspection *in;
    const struct xds_held *held;
    size_t first; /* finding of the resource */
    size_t told;  /* errors */
};

static struct xds_slice client_of(const struct telling *t)
{
    if (t->held->node.len == 0)
        return XDS_S("the client");
    return xds_arena_printf(t->in->scratch, "client \"%.*s\"", XDS_FMT(t->held->node));
}

/* Cluster "a" */
static struct xds_slice subject_of(const struct telling *t)
{
    const struct xds_resource_result *resource =
        &t->in->report->resources[t->in->resource];
    size_t from = resource->type.len;

    while (from > 0 && resource->type.data[from - 1] != '.')
        from--;
    const struct xds_slice type = xds_slice_from(resource->type, from);

    if (resource->name.len == 0)
        return xds_arena_printf(t->in->scratch, "the %.*s", XDS_FMT(type));
    return xds_arena_printf(t->in->scratch, "%.*s \"%.*s\"", XDS_FMT(type),
                            XDS_FMT(resource->name));
}

static bool fire(const struct telling *t, enum xds_rule_id rule, struct xds_slice message)
{
    struct xds_report *report = t->in->report;

    return xds_report_at(report, xds_rule_row(rule), t->in->resource,
                         report->resources[t->in->resource].at, "%.*s", XDS_FMT(message));
}

/* "version 8 of Cluster "a" at 2024-05-01T10:02:00Z and uses version 7", as far as it is
 * known. */
static struct xds_slice versions_of(const struct telling *t)
{
    const struct xds_held *held = t->held;
    struct xds_slice pieces[7];
    size_t n = 0;

    if (held->error_version.len > 0) {
        pieces[n++] = XDS_S("version ");
        pieces[n++] = held->error_version;
        pieces[n++] = XDS_S(" of ");
    }
    pieces[n++] = subject_of(t);
    if (held->error_time.len > 0) {
        pieces[n++] = XDS_S(" at ");
        pieces[n++] = held->error_time;
    }
    if (held->version.len > 0)
        pieces[n++] = xds_arena_printf(t->in->scratch, " and uses version %.*s",
                                       XDS_FMT(held->version));
    else if (held->is_absent)
        pieces[n++] = XDS_S(" and has accepted none");
    return xds_arena_join(t->in->scratch, pieces, n);
}

/* The finding of a rule in the resource that the client rejected, at this path, if there
 * is one there. */
static const struct xds_finding *find(const struct telling *t,
                                      const struct xds_log_error *error)
{
    const struct xds_report *report = t->in->report;
    const struct xds_finding *found = NULL;

    for (size_t k = 0; k < error->n_matches && !found; k++)
        for (size_t i = t->first; i < report->n_findings; i++) {
            const struct xds_finding *finding = &report->findings[i];

            if (finding->rule != error->matches[k].rule ||
                (found && !xds_slice_eq(finding->path, error->path)))
                continue;
            found = finding;
            if (xds_slice_eq(finding->path, error->path))
                break;
        }
    return found;
}

/* The path of a finding that has no place yet. */
static const struct xds_path *path_of(const struct telling *t, size_t finding)
{
    const struct xds_report *report = t->in->report;

    for (size_t i = report->unplaced.n; i-- > 0;)
        if (!report->unplaced.list[i].related &&
            report->unplaced.list[i].finding == finding)
            return xds_path_of(t->in->scratch, report->unplaced.list[i].steps);
    return NULL;
}

/* Where it is in the resource. */
static void relate(const struct telling *t, const struct xds_finding *to)
{
    struct xds_report *report = t->in->report;
    const size_t index = (size_t)(to - report->findings);
    const struct xds_path *path = to->at.line == 0 ? path_of(t, index) : NULL;
    const char *slug = to->rule->slug;

    xds_report_relate(report, t->in->resource, path, to->at.line > 0 ? &to->at : NULL,
                      "%s is here", slug);
}

static void tell_nack(struct telling *t, const struct xds_log_error *error,
                      struct xds_slice words)
{
    const struct xds_finding *to = error ? find(t, error) : NULL;
    const struct xds_rule *rule = to                              ? to->rule
                                  : error && error->n_matches > 0 ? error->matches[0].rule
                                                                  : NULL;
    const struct xds_slice path = error ? error->path : XDS_S("");
    const struct xds_slice client = client_of(t), versions = versions_of(t);
    const struct xds_slice cut = xds_slice_clip(words, LONGEST_WORDS);
    const size_t at = to ? (size_t)(to - t->in->report->findings) : 0;

    t->told++;
    if (fire(t, XDS_R_LINT_CLIENT_NACKED,
             xds_arena_printf(t->in->scratch, "%.*s rejected %.*s: %.*s%s%.*s%s%s%s%s",
                              XDS_FMT(client), XDS_FMT(versions), XDS_FMT(path),
                              path.len > 0 ? ": " : "",
                              XDS_FMT(cut.len > 0 ? cut : UNSAID),
                              cut.len < words.len ? "..." : "", rule ? " (rule " : "",
                              rule ? rule->slug : "", rule ? ")" : "")) &&
        to)
        relate(t, &t->in->report->findings[at]);
}

static void tell(const struct telling *t, enum xds_rule_id rule, const char *before,
                 const char *after)
{
    (void)fire(t, rule,
               xds_arena_printf(t->in->scratch, "%.*s%s%.*s%s", XDS_FMT(client_of(t)),
                                before, XDS_FMT(subject_of(t)), after));
}

/* One finding for each error of this resource in the words of the client: those of a
 * response tell of others, too. */
static void tell_nacks(struct telling *t, struct xds_slice name)
{
    struct xds_slice words = xds_slice_trim(t->held->error);
    struct xds_log *log = NULL;

    if (xds_log_read(words, &log) == XDS_ERR_NO_MEMORY)
        xds_arena_give_up(t->in->scratch);
    for (size_t i = 0; log && i < xds_log_errors(log) && t->told < MOST_ERRORS; i++) {
        const struct xds_log_error *error = xds_log_error(log, i);

        if (error->resource.len == 0 || xds_slice_eq(error->resource, name))
            tell_nack(t, error, error->message);
    }
    xds_log_free(log);
    if (t->told == 0 || t->told == MOST_ERRORS)
        tell_nack(t, NULL, words); /* as it is */
}

void xds_check_client_status(const struct xds_inspection *in, const struct xds_held *held,
                             struct xds_slice name, size_t first)
{
    struct telling t = {.in = in, .held = held, .first = first};

    if (held->has_rejected && !held->is_rejected)
        return; /* reported with that one */
    switch (held->status) {
    case XDS_HELD_UNKNOWN:
    case XDS_HELD_ACKED:
        return;
    case XDS_HELD_REQUESTED:
        tell(&t, XDS_R_LINT_CLIENT_REQUESTED, " has no answer yet to the request for ",
             "; after 15 s without one, it does not exist for the client");
        return;
    case XDS_HELD_DOES_NOT_EXIST:
        tell(&t, XDS_R_LINT_CLIENT_ABSENT, " requested ",
             ", which does not exist on the server; RPCs that need it fail");
        return;
    case XDS_HELD_TIMEOUT:
        tell(&t, XDS_R_LINT_CLIENT_TIMEOUT, " got no answer in time to the request for ",
             "; RPCs that need it fail");
        return;
    case XDS_HELD_RECEIVED_ERROR: {
        const struct xds_slice words = xds_slice_clip(held->error, LONGEST_WORDS);

        (void)fire(&t, XDS_R_LINT_CLIENT_ERROR,
                   xds_arena_printf(in->scratch, "%.*s got an error for %.*s: %.*s",
                                    XDS_FMT(client_of(&t)), XDS_FMT(versions_of(&t)),
                                    XDS_FMT(words.len > 0 ? words : UNSAID)));
        return;
    }
    case XDS_HELD_NACKED:
        tell_nacks(&t, name);
        return;
    }
}

/* ---- what the client uses ---- */

static struct xds_slice contradiction(const struct telling *t,
                                      const struct xds_finding *finding)
{
    const struct xds_slice words = xds_slice_clip(finding->message, LONGEST_WORDS);

    return xds_arena_printf(
        t->in->scratch,
        "%.*s has accepted %.*s, which xdscope judges as NACK: %.*s (rule %s); %s",
        XDS_FMT(client_of(t)), XDS_FMT(subject_of(t)), XDS_FMT(words),
        finding->rule->slug,
        t->in->report->options.bootstrap.is_set
            ? "is this the bootstrap, the environment and the release that it has?"
            : "is --bootstrap missing, or --env or the release?");
}

static bool is_left(const struct xds_finding *finding)
{
    for (size_t c = 0; c < XDS_CLIENTS; c++)
        if (finding->verdict[c] != XDS_ACCEPT)
            return true;
    return false;
}

static void contradict(const struct telling *t, size_t i)
{
    const struct xds_rule *row = xds_rule_row(XDS_R_LINT_CLIENT_ACCEPTED);
    struct xds_report *report = t->in->report;
    const struct xds_slice words = contradiction(t, &report->findings[i]);

    if (is_left(&report->findings[i])) {
        const struct xds_place at = report->findings[i].at;

        (void)xds_report_add(report, row, t->in->resource, path_of(t, i),
                             at.line > 0 ? &at : NULL, NULL, words);
        return;
    }
    xds_report_restate(report, i, row, words);
}

void xds_check_client_use(const struct xds_inspection *in, struct xds_held *held,
                          size_t first)
{
    const struct telling t = {.in = in, .held = held};
    const size_t n = in->report->n_findings;

    for (size_t i = first; held->used_by && i < n; i++) {
        const struct xds_rule *rule = in->report->findings[i].rule;

        if (rule->effect == XDS_EFFECT_SYNTAX ||
            !xds_report_overrule(in->report, i, held->used_by))
            continue;
        held->against = held->against ? held->against : rule->slug;
        contradict(&t, i);
    }
    if (held->used_by)
        xds_report_overrule_resource(in->report, in->resource, held->used_by);
}
