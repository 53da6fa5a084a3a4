/* scenario_chart.c - who served when, as a picture of letters. */
#include "print/scenario.h"

#include <stdio.h>

#include "base/ascii.h"

enum { COLUMNS = 60, LABEL = 32 };

struct xds_short_text xds_span(int64_t ms)
{
    const bool whole = ms % 1000 == 0;
    struct xds_short_text out;

    (void)snprintf(out.text, sizeof(out.text), "%" PRId64 "%s", whole ? ms / 1000 : ms,
                   whole ? "s" : "ms");
    return out;
}

/* How many buckets of the chart one column stands for. */
static size_t buckets_per_column(size_t buckets)
{
    static const size_t steps[] = {1, 2, 5};

    for (size_t i = 0; i < XDS_ARRAY_LEN(steps); i++)
        if (buckets <= COLUMNS * steps[i])
            return steps[i];
    return XDS_CHART_BUCKETS / COLUMNS;
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

static void print_legend(struct xds_out *out, const struct xds_chart *chart, size_t step)
{
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

void xds_out_chart(struct xds_out *out, const struct xds_chart *chart)
{
    const size_t buckets = (size_t)(chart->end_ms / chart->width_ms) + 1;
    const size_t step = buckets_per_column(buckets), width = widest(chart);
    char letters[COLUMNS];

    if (chart->n_rows == 0 || chart->end_ms == 0)
        return;
    xds_out_char(out, '\n');
    for (size_t i = 0; i < chart->n_rows; i++) {
        const struct xds_chart_row *row = chart->rows[i];
        const size_t used = read_row(row, buckets, step, letters);

        xds_out_line(out, "  %*s%-*.*s |%.*s", (int)indent_of(row), "",
                     (int)(width - indent_of(row)), (int)shown(row), row->label.data,
                     (int)used, letters);
    }
    print_legend(out, chart, step);
}
