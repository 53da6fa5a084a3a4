/*
 * scripted.h - child policies whose states a scenario says.
 *
 * Of a subject that plays one policy alone the children are no policies but names with a
 * state. The table makes them, remembers what each received, and lets an event report
 * in the name of one.
 */
#ifndef XDS_SCENARIO_SCRIPTED_H
#define XDS_SCENARIO_SCRIPTED_H

#include "base/strmap.h"
#include "scenario/subject.h"

struct xds_scripted {
    struct xds_play *play;
    struct xds_strmap children; /* struct xds_scripted_child by name, also if destroyed */
    struct xds_strmap labels;   /* of pickers, each kept once */
    struct xds_policy *parent;
    struct xds_child_maker maker;
    const struct xds_tree *reports; /* child_reports of the update in work; or NULL */
};

struct xds_scripted_child {
    struct xds_policy policy; /* first; its ops pick COMPLETE with the child's name as
                                 the address when READY */
    bool exists;
    bool existed;                /* before or in the update in work */
    bool told_to_exit_idle;      /* until the subject clears it */
    struct xds_slice failure;    /* what RPCs fail with: "p0 fails" */
    const struct xds_tree *says; /* a state, in the update in work; or NULL */
};

/* `parent` may be set later, before the first child. The maker writes "created" and
 * "deleted" of the step. */
void xds_scripted_init(struct xds_scripted *table, struct xds_play *play);
/* What children say while an update is worked off: {NAME: STATE}, each when it is created
 * or updated, and one that is neither at the end. A name that does not get to exist is a
 * fault at the end. */
void xds_scripted_begin(struct xds_scripted *table, const struct xds_tree *reports);
void xds_scripted_end(struct xds_scripted *table);
/* Event child_state {child, state, picker}: an unknown child is a fault. */
void xds_scripted_report(struct xds_scripted *table, const struct xds_tree *event);
/* The child of that name if it exists, else a fault and NULL. */
struct xds_scripted_child *xds_scripted_find(struct xds_scripted *table,
                                             const struct xds_tree *event,
                                             const char *key);

#endif
