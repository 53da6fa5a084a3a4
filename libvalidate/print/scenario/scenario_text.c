/* scenario_text.c - scenarios as a timeline for people. */
#include "base/ascii.h"
#include "print/findings/findings.h"
#include "print/write/document.h"
#include "print/write/out.h"
#include "scenario/scenario.h"

#include <stdio.h>

#define MARGIN "          " /* the column of times, 8, and two */

/* ---- values ---- */

static bool is_nothing(const struct xds_tree *tree)
{
    const bool list = tree->kind == XDS_TREE_ARRAY || tree->kind == XDS_TREE_OBJECT;

    return tree->kind == XDS_TREE_NULL || (list && tree->n == 0);
}

/* ---- a step ---- */

static void print_change(struct xds_out *out, const struct xds_tree *member)
{
    xds_out_format(out, MARGIN "> %.*s: ", XDS_FMT(member->key));
    /* Of a list without the outermost brackets. */
    if (is_nothing(member))
        xds_out_text(out, "none");
    else if (member->kind == XDS_TREE_ARRAY)
        xds_out_flow_items(out, member);
    else
        xds_out_flow(out, member);
    xds_out_char(out, '\n');
}

/* ---- only what a reader of this subject looks for ---- */

static void print_fact(struct xds_out *out, struct xds_slice name, const char *verb,
                       const struct xds_tree *state)
{
    xds_out_format(out, MARGIN "> %.*s%s", XDS_FMT(name), verb);
    if (state)
        xds_out_flow(out, state);
    xds_out_char(out, '\n');
}

/* The search begins at *from, after what was found before: both are in one order. */
static const struct xds_tree *find_state(const struct xds_tree *states,
                                         struct xds_slice name, size_t *from)
{
    for (size_t i = 0; i < states->n; i++) {
        const size_t at = (*from + i) % states->n;

        if (!xds_slice_eq(states->items[at].key, name))
            continue;
        *from = at + 1;
        return &states->items[at];
    }
    return NULL;
}

/* Objects of states: "10.0.0.1:80 is READY". */
static void print_changes(struct xds_out *out, const struct xds_tree *before,
                          const struct xds_tree *now)
{
    size_t from = 0;

    for (size_t i = 0; i < now->n; i++) {
        const struct xds_tree *state = &now->items[i];
        const struct xds_tree *old = find_state(before, state->key, &from);

        if (!old || !xds_slice_eq(old->text, state->text))
            print_fact(out, state->key, " is ", state);
    }
    from = 0;
    for (size_t i = 0; i < before->n; i++)
        if (!find_state(now, before->items[i].key, &from))
            print_fact(out, before->items[i].key, " is gone", NULL);
}

static void print_brief(struct xds_out *out, const struct xds_played *step,
                        const struct xds_brief_key *brief)
{
    static const struct xds_tree none = {.kind = XDS_TREE_OBJECT};
    const struct xds_tree *tree = xds_tree_member(step->result, brief->key);
    const struct xds_tree *before = xds_tree_member(step->before, brief->key);

    if (tree && brief->member && strcmp(brief->member, "*") == 0) {
        print_changes(out, before ? before : &none, tree);
        return;
    }
    if (!tree || is_nothing(tree) ||
        (brief->usual && xds_slice_is(tree->text, brief->usual)))
        return;
    const struct xds_tree *member =
        brief->member ? xds_tree_member(tree, brief->member) : tree;
    struct xds_tree shown;

    if (!member || (brief->by_member && is_nothing(member)))
        return;
    shown = *member;
    if (!brief->by_member)
        shown.key = tree->key;
    print_change(out, &shown);
}

static void print_result(struct xds_out *out, const struct xds_played *step)
{
    if (step->brief && !out->to->verbose) {
        for (const struct xds_brief_key *b = step->brief; b->key; b++)
            print_brief(out, step, b);
        return;
    }
    for (size_t i = 0; i < step->result->n; i++)
        if (step->news[i] || out->to->verbose)
            print_change(out, &step->result->items[i]);
}

/* ---- the verdict ---- */

static void print_verdict(struct xds_out *out, const struct xds_played *step)
{
    for (size_t i = 0; i < step->mismatches.n; i++) {
        const struct xds_mismatch *mismatch = &step->mismatches.list[i];

        xds_out_text(out, MARGIN);
        xds_out_styled(out, XDS_STYLE_RED, "differs");
        xds_out_format(out, ": %.*s should be ", XDS_FMT(mismatch->path));
        xds_out_flow(out, mismatch->want);
        xds_out_text(out, mismatch->got ? ", but is " : ", but is missing");
        if (mismatch->got)
            xds_out_flow(out, mismatch->got);
        xds_out_char(out, '\n');
    }
    if (step->n_expectations == 0 || step->mismatches.n > 0)
        return;
    xds_out_text(out, MARGIN);
    xds_out_styled(out, XDS_STYLE_GREEN, "ok");
    xds_out_char(out, '\n');
}

static void print_step(struct xds_out *out, const struct xds_played *step)
{
    const struct xds_tree *type = xds_tree_member(step->event, "type");

    xds_doc_time(out, step->at);
    xds_doc_code(out, type->text);
    for (size_t i = 0; i < step->event->n; i++) {
        const struct xds_tree *member = &step->event->items[i];

        if (xds_slice_is(member->key, "type"))
            continue;
        xds_out_format(out, "  %.*s: ", XDS_FMT(member->key));
        xds_out_flow(out, member);
    }
    xds_out_char(out, '\n');
    for (size_t i = 0; i < step->n_happenings; i++) {
        const struct xds_happening *happening = &step->happenings[i];

        xds_out_text(out, MARGIN);
        if (happening->at_ms < step->at_ms)
            xds_out_format(out, "at %s ", xds_span(happening->at_ms).text);
        xds_out_line(out, "%.*s%s%.*s", XDS_FMT(happening->who),
                     happening->who.len > 0 ? ": " : "", XDS_FMT(happening->what));
    }
    print_result(out, step);
    print_verdict(out, step);
}

/* ---- who served when, as a picture of letters ---- */

enum { COLUMNS = 60, FEWEST = 20, LABEL = 32 };

/* Of the chart, beside labels and margins. */
static size_t columns_of(const struct xds_printer *to)
{
    const size_t rest = LABEL + 4;

    if (to->columns == 0 || to->columns >= COLUMNS + rest)
        return COLUMNS;
    return to->columns > FEWEST + rest ? to->columns - rest : FEWEST;
}

/* How many buckets of the chart one column stands for. */
static size_t buckets_per_column(size_t buckets, size_t columns)
{
    static const size_t steps[] = {1, 2, 5};

    for (size_t i = 0; i < XDS_ARRAY_LEN(steps); i++)
        if (buckets <= columns * steps[i])
            return steps[i];
    return (XDS_CHART_BUCKETS + columns - 1) / columns;
}

static char letter_of(const struct xds_chart_mark *mark)
{
    static const char letters[] = {
        [XDS_STATE_TRANSIENT_FAILURE] = 'f',
        [XDS_STATE_IDLE] = 'i',
        [XDS_STATE_CONNECTING] = 'c',
        [XDS_STATE_READY] = 'r',
    };
    const char letter = letters[mark->state];

    if (!mark->there)
        return ' ';
    if (mark->parked)
        return '-';
    return mark->serves ? xds_ascii_upper(letter) : letter;
}

/* A column shows what was true last in it. */
static size_t read_row(const struct xds_chart_row *row, size_t buckets, size_t step,
                       char text[COLUMNS])
{
    struct xds_chart_mark last = {0};
    size_t used = 0;

    for (size_t i = 0; i < buckets; i++) {
        if (row->marks[i].known)
            last = row->marks[i];
        text[i / step] = letter_of(&last);
        if (text[i / step] != ' ')
            used = i / step + 1;
    }
    return used;
}

/* The characters of a label that fit beside its indentation. */
static size_t label_room(const struct xds_chart_row *row)
{
    const size_t indent = 2 * row->depth;

    return indent < LABEL / 2 ? LABEL - indent : LABEL / 2;
}

static size_t indent_of(const struct xds_chart_row *row)
{
    return LABEL - label_room(row);
}

static size_t shown(const struct xds_chart_row *row)
{
    const size_t room = label_room(row);

    return row->label.len < room ? row->label.len : room;
}

static size_t widest(const struct xds_chart *chart)
{
    size_t width = 0;

    for (size_t i = 0; i < chart->n_rows; i++) {
        const size_t here = indent_of(chart->rows[i]) + shown(chart->rows[i]);

        width = here > width ? here : width;
    }
    return width;
}

static void xds_out_chart(struct xds_out *out, const struct xds_chart *chart)
{
    const size_t buckets = (size_t)(chart->end_ms / chart->width_ms) + 1;
    const size_t step = buckets_per_column(buckets, columns_of(out->to));
    const size_t width = widest(chart);
    char letters[COLUMNS];

    if (chart->n_rows == 0 || chart->end_ms == 0)
        return;
    xds_out_char(out, '\n');
    (void)xds_doc_markup(out); /* it is of all steps */
    xds_doc_block(out, true);
    for (size_t i = 0; i < chart->n_rows; i++) {
        const struct xds_chart_row *row = chart->rows[i];
        const size_t used = read_row(row, buckets, step, letters);

        xds_out_line(out, "  %*s%-*.*s |%.*s", (int)indent_of(row), "",
                     (int)(width - indent_of(row)), (int)shown(row), row->label.data,
                     (int)used, letters);
    }
    xds_doc_block(out, false);
    xds_out_line(out,
                 "  from 0s to %s, one column is %s: r ready, c connecting, i idle, f "
                 "transient failure;\n"
                 "  a capital letter: RPCs go there; -: kept, but deactivated",
                 xds_span(chart->end_ms).text,
                 xds_span(chart->width_ms * (int64_t)step).text);
    if (chart->left_out > 0)
        xds_out_line(out, "  not shown: %zu more name%s", chart->left_out,
                     xds_plural(chart->left_out));
}

/* ---- a scenario ---- */

static void print_counts(struct xds_out *out, size_t steps, size_t expectations,
                         size_t mismatches)
{
    xds_out_format(out, "%zu step%s, %zu expectation%s: ", steps, xds_plural(steps),
                   expectations, xds_plural(expectations));
    if (mismatches > 0)
        xds_out_format(out, "%zu value%s differ%s", mismatches, xds_plural(mismatches),
                       mismatches == 1 ? "s" : "");
}

static enum xds_status print_end(struct xds_out *out, const struct xds_entry *entry)
{
    enum xds_status status = XDS_OK;

    if (xds_report_findings(entry->report) > 0)
        status = xds_out_findings(out, entry->report);
    if (out->to->quiet)
        return status;
    xds_out_chart(out, entry->chart);
    print_counts(out, entry->n_steps, entry->n_expectations, entry->n_mismatches);
    if (entry->ok)
        xds_out_styled(out, XDS_STYLE_GREEN, "ok");
    else if (entry->n_mismatches == 0)
        xds_out_styled(out, XDS_STYLE_RED, "not run to the end");
    xds_out_char(out, '\n');
    return status;
}

static enum xds_status print_entry(struct xds_out *out, const struct xds_entry *entry,
                                   size_t n_before)
{
    switch (entry->kind) {
    case XDS_ENTRY_BEGIN:
        if (n_before > 0)
            xds_out_char(out, '\n');
        xds_doc_heading(out);
        xds_out_line(out, "%.*s", XDS_FMT(entry->name));
        if (entry->subject.data)
            xds_out_line(out, "subject %.*s, client %s", XDS_FMT(entry->subject),
                         entry->as.text);
        break;
    case XDS_ENTRY_STEP:
        print_step(out, entry->step);
        break;
    case XDS_ENTRY_END:
        return print_end(out, entry);
    }
    return XDS_OK;
}

/* ---- all of them ---- */

static void print_total(struct xds_out *out, struct xds_simulation_summary sum)
{
    if (!xds_doc_of(out) && (sum.scenarios < 2 || out->to->quiet))
        return;
    xds_out_char(out, '\n');
    xds_doc_verdict(out, sum.failed == 0 && sum.scenarios > 0);
    xds_out_format(out, "%zu scenario%s, ", sum.scenarios, xds_plural(sum.scenarios));
    print_counts(out, sum.steps, sum.expectations, 0);
    if (sum.failed == 0)
        xds_out_styled(out, XDS_STYLE_GREEN, "ok");
    else
        xds_out_format(out, "%zu scenario%s failed", sum.failed, xds_plural(sum.failed));
    xds_out_char(out, '\n');
}

enum xds_status xds_print_simulation_text(const struct xds_printer *to,
                                          struct xds_simulation *simulation)
{
    enum xds_status status = XDS_OK, printed = XDS_OK;
    struct xds_entry entry;
    struct xds_out out;

    xds_out_init(&out, to);
    while (printed == XDS_OK && !out.failed) {
        status = xds_simulation_next(simulation, true, XDS_WRITE_JSON, &entry);
        if (status != XDS_OK)
            break;
        printed = print_entry(&out, &entry, xds_simulation_summary(simulation).scenarios);
    }
    print_total(&out, xds_simulation_summary(simulation));
    const enum xds_status written = xds_out_finish(&out);

    if (status != XDS_OK && status != XDS_END)
        return status;
    return printed == XDS_OK ? written : printed;
}

enum xds_status xds_print_simulation_html(const struct xds_printer *to,
                                          struct xds_simulation *simulation)
{
    struct xds_doc doc;

    xds_doc_begin(&doc, to, "simulate");
    return xds_doc_end(&doc, xds_print_simulation_text(&doc.printer, simulation));
}
