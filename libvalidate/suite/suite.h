/*
 * suite.h - the inside of struct xds_suite: the files of tests, one after the other.
 *
 * What came of them lives in `run_arena`, what one file holds in `document`, what one
 * case needs in `case_arena`, one of its RPCs in `rpc`, and one resource of the snapshot
 * in `resource`. The snapshot of a file is read once for the newest releases of all
 * clients, and once for each older release that a case asks for.
 */
#ifndef XDS_SUITE_SUITE_H
#define XDS_SUITE_SUITE_H

#include "regex/regex.h"
#include "catalogue/rule.h"
#include "config/tree_read.h"
#include "source/source.h"
#include "suite/coverage.h"

/* What a file says beside its cases. */
struct xds_suite_head {
    const struct xds_tree *client;   /* of cases that name none; NULL: core */
    struct xds_client_release first; /* of these */
    struct xds_options options;      /* for all readings of the snapshot */
    enum xds_resource_type type;
    const struct xds_tree *snapshot, *defaults, *cases; /* defaults NULL: none */
};

/* The snapshot of the file in work, as the newest releases of all clients read it, or
 * one client at an older release. */
struct xds_suite_snapshot {
    struct xds_suite_snapshot *next;
    struct xds_client_release reader; /* {0, 0, 0}: the newest of all clients */
    struct xds_report *report;
    struct xds_check *check;
    struct xds_source *source;
    struct xds_explainer *explainers[XDS_CLIENTS]; /* of the clients that were asked */
    unsigned clients;                              /* these */
    struct xds_coverage_map coverage;
};

struct xds_suite {
    struct xds_suite_settings settings;
    enum xds_client client; /* of the settings, if they have one */
    struct xds_arena run_arena, document, case_arena, rpc, resource;
    struct xds_report *report; /* what is wrong with the files */
    struct xds_inputs inputs;
    struct xds_regex_cache *regexes;
    const struct xds_regex *run;          /* NULL: every case runs */
    struct xds_tree_file reading, beside; /* beside: what a file of tests names */
    struct xds_suite_results results;
    struct xds_suite_file *files;
    struct xds_coverage_table **coverages; /* those of results */
    enum xds_status status;                /* what ended the run, if it is not XDS_OK */
    /* the file in work */
    uint32_t number; /* in the report */
    struct xds_suite_file *file;
    struct xds_suite_case *cases;
    struct xds_suite_rejected *rejected;
    struct xds_strmap names; /* of its cases */
    struct xds_suite_head head;
    struct xds_suite_snapshot *snapshots; /* in the order in which cases want them */
    uint64_t n_expanded;
};

#endif
