/*
 * simulation.h - the scenarios of several files, played one step after the other.
 *
 * print/ pulls one entry after the other: a scenario begins, its steps, its end.
 */
#ifndef XDS_SCENARIO_SIMULATION_H
#define XDS_SCENARIO_SIMULATION_H

#include "scenario/scenario.h"

enum xds_entry_kind {
    XDS_ENTRY_BEGIN, /* of a scenario */
    XDS_ENTRY_STEP,
    XDS_ENTRY_END, /* of a scenario, after its last step or a fault */
};

/* All of it lives until the next call; scene and report until the next scenario. */
struct xds_entry {
    enum xds_entry_kind kind;
    struct xds_slice name;    /* of the scenario; its file if it has none */
    struct xds_slice subject; /* absent if that is not known */
    enum xds_client client;
    struct xds_client_label as;    /* the client, with its release if one was asked for */
    const struct xds_played *step; /* STEP */
    /* END */
    bool ok; /* no fault and no mismatch */
    size_t n_steps, n_expectations, n_mismatches;
    const struct xds_report *report; /* sorted: faults, and what the client rejects */
    const struct xds_chart *chart;
    struct xds_scene scene; /* what exists in the end, where a chart was wanted */
};

/* chart: whether scenes, and what machines say, are wanted. XDS_END after the last
 * scenario.
 */
enum xds_status xds_simulation_next(struct xds_simulation *simulation, bool chart,
                                    struct xds_entry *out) XDS_MUST_USE;

#endif
