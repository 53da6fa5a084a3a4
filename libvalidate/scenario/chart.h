/*
 * chart.h - who served when: the states of all policies over time, in bounded memory.
 *
 * Time is cut into at most XDS_CHART_BUCKETS buckets of 1, 10, 100 ... milliseconds; when
 * they are full, ten become one. A bucket keeps what was true last in it.
 */
#ifndef XDS_SCENARIO_CHART_H
#define XDS_SCENARIO_CHART_H

#include "base/strmap.h"
#include "scenario/subject.h"

enum { XDS_CHART_BUCKETS = 600, XDS_CHART_ROWS = 64 };

/* What one policy did in one bucket. */
struct xds_chart_mark {
    bool known; /* false: nothing was seen; as in the bucket before */
    bool there; /* it exists */
    bool serves, parked;
    enum xds_connectivity state;
};

struct xds_chart_row {
    struct xds_slice label;
    size_t depth;
    struct xds_chart_mark marks[XDS_CHART_BUCKETS];
};

struct xds_chart {
    struct xds_arena *arena; /* of the scenario */
    struct xds_strmap by_path;
    struct xds_chart_row *rows[XDS_CHART_ROWS]; /* in order of appearance */
    size_t n_rows;
    size_t left_out; /* most policies at one time for which there was no row */
    int64_t width_ms, end_ms;
};

void xds_chart_init(struct xds_chart *chart, struct xds_arena *arena);
/* What is true from now_ms on; time never goes back. */
void xds_chart_add(struct xds_chart *chart, int64_t now_ms,
                   const struct xds_scene *scene);

#endif
