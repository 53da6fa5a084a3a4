/* step.h - the result of a step while it comes about; xds_step_* of subject.h too. */
#ifndef XDS_SCENARIO_STEP_H
#define XDS_SCENARIO_STEP_H

#include "scenario/subject.h"

/* With every key that tells what happened, empty. */
void xds_step_begin(struct xds_step *step, struct xds_arena *arena,
                    const struct xds_result_key *keys);
/* What a machine says. Both texts are copied. */
void xds_step_record(struct xds_step *step, int64_t at_ms, struct xds_slice who,
                     struct xds_slice what);

#endif
