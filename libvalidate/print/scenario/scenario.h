/* scenario.h - what the formats of a scenario share. */
#ifndef XDS_PRINT_SCENARIO_SCENARIO_H
#define XDS_PRINT_SCENARIO_SCENARIO_H

#include "print/write/out.h"
#include "scenario/scenario.h"

/* A duration as a scenario writes it: "10s", "1500ms". */
struct xds_short_text xds_span(int64_t ms);

#endif
