/* scenario.h - what the formats of scenarios share. */
#ifndef XDS_PRINT_SCENARIO_H
#define XDS_PRINT_SCENARIO_H

#include "print/out.h"
#include "scenario/simulation.h"

/* A duration as a scenario writes it: "10s", "1500ms". */
struct xds_short_text xds_span(int64_t ms);
/* One row per policy, one column per bucket of time; nothing when no time has passed. */
void xds_out_chart(struct xds_out *out, const struct xds_chart *chart);

#endif
