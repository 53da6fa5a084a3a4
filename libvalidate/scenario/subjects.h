/* subjects.h - the list of what a scenario can play. */
#ifndef XDS_SCENARIO_SUBJECTS_H
#define XDS_SCENARIO_SUBJECTS_H

#include "scenario/subject.h"

/* NULL when there is none of that name; *hint is then the nearest name or NULL. */
const struct xds_subject *xds_subject_find(struct xds_slice name, const char **hint);

#endif
