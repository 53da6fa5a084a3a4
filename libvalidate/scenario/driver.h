/*
 * driver.h - play the steps of one scenario.
 *
 * Everything that one step needs is forgotten with the step after the next one.
 */
#ifndef XDS_SCENARIO_DRIVER_H
#define XDS_SCENARIO_DRIVER_H

#include "scenario/chart.h"
#include "scenario/expect.h"
#include "scenario/subject.h"

/* A step that was played. */
struct xds_played {
    int64_t at_ms;
    struct xds_slice at; /* as written */
    const struct xds_tree *event, *result;
    const struct xds_tree *before;     /* the result of the step before */
    const struct xds_brief_key *brief; /* of the subject */
    const bool *news; /* of each member of the result: this step has changed it */
    const struct xds_happening *happenings;
    size_t n_happenings;
    size_t n_expectations;
    struct xds_mismatches mismatches;
};

struct xds_driver {
    struct xds_play play;
    const struct xds_subject *subject;
    void *state;                   /* what the subject has opened */
    struct xds_arena *step_arenas; /* two: of this step and of the one before */
    unsigned now;                  /* which of them is this step's */
    struct xds_step step;
    size_t n_steps;
    struct xds_tree before; /* the result of the step before */
    struct xds_tree before_that;
    struct xds_chart *chart; /* NULL: not requested */
    bool listens;            /* what machines say is wanted */
};

/* Open the subject; play, with its machine, moments and listens are set. chart NULL:
 * none. False after a fault. */
bool xds_driver_open(struct xds_driver *driver, const struct xds_subject *subject,
                     struct xds_chart *chart);
/* The arena of the step that comes next, empty. */
struct xds_arena *xds_driver_step_arena(struct xds_driver *driver);
/* Play a step that was read into that arena. False after a fault; the step is then not
 * reported. */
bool xds_driver_play(struct xds_driver *driver, const struct xds_tree *step,
                     struct xds_played *out);

#endif
