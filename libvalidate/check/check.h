/*
 * check.h - the walk of one resource through decode, rules and lint.
 *
 * Takes:  resources from source/.
 * Gives:  findings in the report; with keep, the models of the snapshot.
 */
#ifndef XDS_CHECK_CHECK_H
#define XDS_CHECK_CHECK_H

#include "lint/lint.h"
#include "model/snapshot.h"
#include "rules/readers.h"
#include "rules/unread.h"

struct xds_check {
    struct xds_report *report;
    bool keep;
    struct xds_arena decode; /* reset per resource */
    struct xds_arena model;  /* reset per resource unless keep */
    struct xds_regex_cache *regexes;
    struct xds_snapshot snapshot;
    struct xds_lint lint;
    struct xds_unread unread;
    uint32_t file; /* whose resources are counted */
    uint32_t n_of_type[XDS_TYPE_ENDPOINT + 1];
};

#endif
