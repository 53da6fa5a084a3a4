/* fault.h - what keeps a scenario from being played, as findings of its report. */
#ifndef XDS_SCENARIO_FAULT_H
#define XDS_SCENARIO_FAULT_H

#include "catalogue/rule.h"
#include "scenario/subject.h"

/* Where a value of the scenario is. */
struct xds_place xds_play_place(const struct xds_play *play, const struct xds_tree *at);
/* Where its key does. */
struct xds_place xds_play_key_place(const struct xds_play *play,
                                    const struct xds_tree *member);
/* A finding, and the play has failed: of one play only the first is reported. Always
 * false.
 */
bool xds_fault_at(struct xds_play *play, enum xds_rule_id rule, struct xds_place at,
                  const char *format, ...) XDS_PRINTF(4, 5);

#endif
