/*
 * outcome.c - what becomes of an RPC in the end, and with which status; what fault
 *             injection may do to it.
 *
 * Source: gRFC A33, spec routing 2.7 and 11, spec listener FI14, FI19, CO24.
 */
#include "explain/explain.h"

/* Below it a probability is what rounding leaves. */
#define LEAST_FAILING 1e-9

bool xds_decision_routed(const struct xds_decision *decision)
{
    return decision->outcome == XDS_OUTCOME_ROUTED ||
           decision->outcome == XDS_OUTCOME_GAP;
}

enum { MAX_NOTES = 8 };

static void add_note(const struct xds_rpc *rpc, struct xds_decision *d,
                     const char *format, va_list args)
{
    if (!d->notes)
        d->notes = XDS_NEW_ARRAY(rpc->arena, struct xds_slice, MAX_NOTES);
    if (d->n_notes < MAX_NOTES)
        d->notes[d->n_notes++] = xds_arena_vprintf(rpc->arena, format, args);
}

void xds_explain_note(const struct xds_rpc *rpc, struct xds_decision *d,
                      const char *format, ...)
{
    va_list args;

    va_start(args, format);
    add_note(rpc, d, format, args);
    va_end(args);
}

void xds_explain_minor(const struct xds_rpc *rpc, struct xds_decision *d,
                       const char *format, ...)
{
    const size_t n = d->n_notes;
    va_list args;

    va_start(args, format);
    add_note(rpc, d, format, args);
    va_end(args);
    if (d->n_notes > n)
        d->minor_notes |= 1u << n;
}

bool xds_explain_end(const struct xds_lb *lb, struct xds_decision *d,
                     enum xds_outcome outcome, const struct xds_rpc_failure *reason,
                     const char *format, ...)
{
    va_list args;

    d->outcome = outcome;
    d->status.reason = reason;
    va_start(args, format);
    d->status.error = xds_arena_vprintf(lb->rpc->arena, format, args);
    va_end(args);
    return false;
}

struct work {
    const struct xds_rpc *rpc;
    const struct xds_branches *branches;
    struct xds_decision *d;
};

struct verdict {
    enum xds_outcome outcome;
    struct xds_failed error;
    struct xds_slice code;
};

static bool is_dropped(const struct xds_pick *pick)
{
    return pick->drops.dropped == XDS_CHANCE_YES;
}

/* By a drop category or the circuit breaker. */
static bool is_refused(const struct xds_branch *b)
{
    const bool picked =
        b->forwards && !b->faults.aborts && !b->error.text.data && b->pick;

    return picked && b->pick->error.text.data &&
           (is_dropped(b->pick) || b->pick->refused);
}

static struct verdict verdict_of(const struct work *w, const struct xds_branch *b)
{
    if (!b->forwards && !b->error.text.data)
        return (struct verdict){
            .outcome = XDS_OUTCOME_UNAVAILABLE,
            .error = xds_failure_text(w->rpc, XDS_FAILURE_ACTION, w->rpc->request->path)};
    if (b->faults.aborts) {
        const struct xds_fault_chance *last = &b->faults.list[b->faults.n - 1];

        return (struct verdict){.outcome = XDS_OUTCOME_FAULT,
                                .error = {last->text, xds_failure_row(XDS_FAILURE_FAULT)},
                                .code = xds_status_code_text(w->rpc->arena, last->code)};
    }
    if (b->error.text.data)
        return (struct verdict){
            .outcome = XDS_OUTCOME_UNAVAILABLE, .error = b->error, .code = b->code};
    if (!b->pick || !b->pick->error.text.data)
        return (struct verdict){.outcome = XDS_OUTCOME_ROUTED};
    return (struct verdict){.outcome = is_dropped(b->pick) ? XDS_OUTCOME_DROPPED
                                                           : XDS_OUTCOME_UNAVAILABLE,
                            .error = b->pick->error,
                            .code = b->pick->code};
}

enum { MAX_CAUSES = 3 };

struct failing {
    struct {
        struct xds_slice text; /* after "fail" */
        double probability;
    } causes[MAX_CAUSES];
    size_t n;
    double probability, others; /* of all causes, of those beyond the list */
};

static void add_cause(struct failing *f, struct xds_slice text, double probability)
{
    size_t i = 0;

    f->probability += probability;
    while (i < f->n && !xds_slice_eq(f->causes[i].text, text))
        i++;
    if (i == MAX_CAUSES) {
        f->others += probability;
        return;
    }
    f->n = i == f->n ? i + 1 : f->n;
    f->causes[i].text = text;
    f->causes[i].probability += probability;
}

/* Where a branch fails, and with which message. */
static struct xds_slice cause_of(const struct work *w, const struct xds_branch *b,
                                 struct xds_slice error)
{
    struct xds_arena *arena = w->rpc->arena;

    if (!b->forwards)
        return xds_arena_printf(arena, " at route #%zu: %.*s", b->try->index,
                                XDS_FMT(error));
    if (b->error.text.data)
        return xds_arena_printf(arena, ": %.*s", XDS_FMT(error));
    return xds_arena_printf(arena, " in cluster \"%.*s\": %.*s", XDS_FMT(b->cluster.name),
                            XDS_FMT(error));
}

/* What a fault aborts is reported in d->faults. */
static struct failing find_failing(const struct work *w)
{
    struct failing f = {.n = 0};

    if (w->d->walk.unmatched > LEAST_FAILING)
        add_cause(&f, XDS_S(": no route takes them"), w->d->walk.unmatched);
    for (size_t i = 0; i < w->branches->n; i++) {
        const struct xds_branch *b = &w->branches->list[i];
        const struct verdict v = verdict_of(w, b);

        if (v.outcome != XDS_OUTCOME_ROUTED && v.outcome != XDS_OUTCOME_FAULT)
            add_cause(&f, cause_of(w, b, v.error.text), b->probability);
    }
    return f;
}

void xds_explain_outcome(const struct xds_rpc *rpc, const struct xds_branches *branches,
                         struct xds_decision *d)
{
    const struct work w = {rpc, branches, d};

    /* Routed when any branch is; what fails by chance is a note. */
    struct verdict first = verdict_of(&w, &w.branches->list[0]);

    for (size_t i = 0; i < w.branches->n && first.outcome != XDS_OUTCOME_ROUTED; i++) {
        const struct verdict v = verdict_of(&w, &w.branches->list[i]);

        if (v.outcome == XDS_OUTCOME_ROUTED)
            first = v;
    }
    w.d->outcome = first.outcome;
    w.d->status.error = first.error.text;
    w.d->status.reason = first.error.reason;
    w.d->status.code = first.code;
    w.d->status.refused =
        first.outcome != XDS_OUTCOME_ROUTED && is_refused(&w.branches->list[0]);
    if (first.outcome == XDS_OUTCOME_ROUTED || first.outcome == XDS_OUTCOME_FAULT) {
        const struct failing f = find_failing(&w);

        w.d->failing = f.probability;
        for (size_t i = 0; i < f.n; i++)
            xds_explain_note(w.rpc, w.d, "%.10g%% of such RPCs fail%.*s",
                             f.causes[i].probability * 100, XDS_FMT(f.causes[i].text));
        if (f.others > 0)
            xds_explain_note(w.rpc, w.d, "%.10g%% of such RPCs fail in other ways",
                             f.others * 100);
    }
    if (w.branches->too_many)
        xds_explain_note(w.rpc, w.d,
                         "too many different picks are possible; the list of hosts "
                         "is incomplete");

    /* The first says enough. */
    size_t i = 0;

    while (i < w.branches->n && !w.branches->list[i].unknown.data)
        i++;
    if (i < w.branches->n)
        xds_explain_note(w.rpc, w.d,
                         "which filters composite filter \"%.*s\" runs is not "
                         "decided here; the answer assumes that it runs none",
                         XDS_FMT(w.branches->list[i].unknown));
}

#define CERTAIN (1 - 1e-9)

static void add_abort(const struct xds_rpc *rpc, struct xds_decision_faults *sum,
                      const struct xds_fault_chance *chance, double probability)
{
    const struct xds_slice code = xds_status_code_text(rpc->arena, chance->code);

    if (probability <= 0)
        return;
    if (sum->abort > 0 &&
        !(xds_slice_eq(sum->code, code) && xds_slice_eq(sum->text, chance->text)))
        sum->several_aborts = true;
    sum->code = code;
    sum->text = chance->text;
    sum->abort += probability;
}

static void add_delay(struct xds_decision_faults *sum,
                      const struct xds_fault_chance *chance, double probability)
{
    if (probability <= 0)
        return;
    if (sum->delay > 0 && sum->delay_ns != chance->delay_ns)
        sum->several_delays = true;
    sum->delay_ns = chance->delay_ns;
    sum->delay += probability;
}

/* Who sets such a header means a fault, and gets none. */
static void note_unread_headers(const struct xds_rpc *rpc,
                                const struct xds_branches *branches,
                                struct xds_decision *d)
{
    bool meets_filters = false, has_filter = false;
    unsigned read = 0;

    for (size_t i = 0; i < branches->n; i++) {
        meets_filters |= branches->list[i].forwards;
        has_filter |= branches->list[i].faults.has_filter;
        read |= branches->list[i].faults.headers;
    }
    for (size_t i = 0; meets_filters && i < XDS_FAULT_HEADERS; i++) {
        const struct xds_fault_header *header = &xds_fault_headers[i];
        const struct xds_fault_header *other = header->instead;
        struct xds_slice value;

        if (!xds_metadata_get(rpc, xds_slice_of(header->name), &value) || read >> i & 1)
            continue;
        if (!has_filter)
            xds_explain_note(rpc, d,
                             "header %s does nothing: the RPC meets no fault filter",
                             header->name);
        else if (other && read >> (other - xds_fault_headers) & 1)
            xds_explain_note(rpc, d, "header %s does nothing: this client reads %s",
                             header->name, other->name);
        else
            xds_explain_note(rpc, d,
                             "header %s does nothing: no fault filter that the RPC meets "
                             "has %s",
                             header->name, header->asked);
    }
}

void xds_explain_faults(const struct xds_rpc *rpc, const struct xds_branches *branches,
                        struct xds_decision *d)
{
    struct xds_decision_faults sum = {.abort = 0};

    note_unread_headers(rpc, branches, d);

    for (size_t i = 0; i < branches->n; i++) {
        const struct xds_branch *b = &branches->list[i];
        double alive = b->probability, undelayed = 1;

        /* Each filter meets what those before it let pass; it delays, then aborts. */
        for (size_t k = 0; k < b->faults.n; k++) {
            const struct xds_fault_chance *chance = &b->faults.list[k];

            add_delay(&sum, chance, alive * undelayed * chance->delay);
            undelayed *= 1 - chance->delay;
            add_abort(rpc, &sum, chance, alive * chance->abort);
            alive *= 1 - chance->abort;
            if (chance->config->has_max_active_faults)
                sum.max_active = chance->config->max_active_faults;
        }
    }
    if (sum.abort <= 0 && sum.delay <= 0)
        return;
    struct xds_decision_faults *f = XDS_NEW(rpc->arena, struct xds_decision_faults);
    *f = sum;
    d->faults = f;

    if (f->abort > 0 && f->abort < CERTAIN)
        xds_explain_note(rpc, d,
                         "%.10g%% of such RPCs are aborted by fault injection; which "
                         "ones is not decided, as --random does not apply to faults",
                         f->abort * 100);
    else if (f->delay > 0 && f->delay < CERTAIN)
        xds_explain_note(rpc, d,
                         "whether fault injection delays this RPC is not decided, "
                         "as --random does not apply to faults");
    if (f->max_active > 0)
        xds_explain_note(rpc, d,
                         "fault injection stops while %lu faults are "
                         "active in the process; none is assumed to be",
                         (unsigned long)f->max_active);
}
