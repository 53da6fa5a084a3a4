/* suite.h - tests: expectations on where RPCs go, and which routes they cover. */
#ifndef XDSCOPE_SUITE_H
#define XDSCOPE_SUITE_H

#include "check.h"
#include "explain.h"

/* The files of tests, see xdscope-test(1), and what came of them. */
struct xds_suite;

struct xds_suite_settings {
    struct xds_options options; /* go before what a file sets; its clients are unused */
    const enum xds_client *client; /* goes before the clients of a file; its release is
                                      that of options; NULL: those of the file */
    enum xds_resource_type type;   /* of resources that do not say their own */
    struct xds_slice run;          /* only cases in whose names this regex is found: RE2's
                                      grammar; absent: all */
    const char *const *snapshots;  /* of test files of Envoy's router_check_tool, which
                                      name none; NULL: the files are ours */
    size_t n_snapshots;
    struct xds_slice route_config; /* where the RPCs of cases start that say no target,
                                      listener or route configuration; or absent */
    struct xds_slice held; /* a snapshot in memory, in place of those that files name */
    const char *held_name; /* for messages */
    bool update;           /* an empty expectation is one that differs */
    bool coverage;         /* note which routes are taken */
    bool explanations;     /* keep that of each case that failed */
};

/* Settings and what they point to are copied, but for the snapshots and for the lists of
 * the bootstrap in options, which must outlive the suite. XDS_ERR_USAGE when
 * settings->run is not a regex: *error says why, in the words of RE2, and lives as long
 * as the suite. The suite is to be freed then, too. *out is NULL when there is no memory.
 */
XDS_API XDS_MUST_USE enum xds_status
xds_suite_new(const struct xds_suite_settings *settings, struct xds_suite **out,
              struct xds_slice *error);
XDS_API void xds_suite_free(struct xds_suite *suite);
/* A file, a folder (its JSON and YAML files, recursively, in byte order of their names),
 * or "-". The path is copied. XDS_ERR_IO with errno set when it cannot be read; nothing
 * is added then. */
XDS_API XDS_MUST_USE enum xds_status xds_suite_add(struct xds_suite *suite,
                                                   const char *path);
/* Bytes in memory under a name; they must outlive the suite. A snapshot is found beside
 * the name. */
XDS_API XDS_MUST_USE enum xds_status
xds_suite_add_bytes(struct xds_suite *suite, const char *name, struct xds_slice bytes);
/* Read and run everything that was added; once. */
XDS_API XDS_MUST_USE enum xds_status xds_suite_run(struct xds_suite *suite);

/* All of this belongs to the suite and lives as long as it. */

/* A value of the answer that is not as expected. */
struct xds_suite_mismatch {
    struct xds_slice path; /* in the JSON of explain: "clusters[0].name" */
    struct xds_slice want; /* JSON */
    struct xds_slice got;  /* JSON; absent: there is no such member, or it is long */
    bool exists;           /* there is such a member */
    struct xds_slice text; /* "cluster.name: expected "cart", is "search"" */
    uint32_t line, column; /* of the expectation, in the file of the case */
    struct xds_slice now;  /* with `update`: what is to be written in place of `value` */
    struct xds_place value;
};

/* One RPC: a case, or one of those that its lists of values expand to. */
struct xds_suite_case {
    struct xds_slice name; /* "cart [client=go]" */
    uint32_t line, column;
    enum xds_client client;
    struct xds_release release; /* of the client; {0, 0, 0}: the newest */
    bool ok;
    const struct xds_suite_mismatch *mismatches;
    size_t n_mismatches, n_more_mismatches;
    struct xds_slice ending;      /* how an RPC that failed and goes to no host ends:
                                     "no_route: No matching route found"; or absent */
    struct xds_slice explanation; /* text for people, of a case that failed; or absent */
};

/* What the clients of the cases make of a resource of the snapshot. */
struct xds_suite_rejected {
    struct xds_slice type, name; /* as in xds_resource_result */
    struct xds_slice file;
    uint32_t line, column;
    unsigned clients; /* that reject it and are asked for; 0: it could not be read */
    struct xds_release release; /* of the only client, or {0, 0, 0}: the newest of each */
    unsigned dying;             /* those of them that die of it */
    struct xds_slice message, rule; /* of the first finding about it */
};

/* A member of a test of router_check_tool that gRPC has nothing for. */
struct xds_suite_unjudged {
    struct xds_slice member; /* "path_rewrite" */
    const char *why;
    uint32_t line; /* of the first one */
    size_t times;
};

/* One document of tests; a file of YAML may hold several. */
struct xds_suite_file {
    struct xds_slice name;
    struct xds_slice snapshot; /* its paths, ", " between them */
    struct xds_slice client;   /* of cases that name none: "core", "go@1.60..1.72" */
    struct xds_slice unread;   /* present: this could not be read */
    struct xds_slice why;      /* then: "No such file or directory" */
    const struct xds_suite_case *cases;
    size_t n_cases, n_failed;
    size_t n_not_run; /* that the regex has left out */
    const struct xds_suite_rejected *rejected;
    size_t n_rejected;
    const struct xds_suite_unjudged *unjudged;
    size_t n_unjudged;
};

/* An entry of weighted_clusters. */
struct xds_covered_target {
    size_t index;
    struct xds_slice
        path; /* that of its route and ".route.weighted_clusters.clusters[1]" */
    struct xds_slice cluster;
    uint32_t weight;
    uint32_t line, column;
    size_t times; /* 0: no case covers it */
};

/* A case that takes a route. */
struct xds_covering_case {
    struct xds_slice file, name; /* "cart [client=go]" */
    uint32_t line;
    bool ok;
};

/* A route that a client of the cases uses. */
struct xds_covered_route {
    size_t virtual_host, index;
    struct xds_slice path; /* "virtual_hosts[0].routes[1]" */
    struct xds_slice virtual_host_name, name;
    uint32_t line, column;
    struct xds_slice match; /* "path /a.B/C, header x-user present": what it asks for */
    struct xds_slice reach; /* "authority a.example.com, path /a.B/C": what gets there */
    struct xds_request
        witness;              /* the same, if reached_by is set; chance may have a say */
    struct xds_slice action;  /* the field that says where to: "weighted_clusters" */
    struct xds_slice cluster; /* of "cluster" its name, of "cluster_specifier_plugin" that
                                 of the plugin; else absent */
    size_t times;
    struct xds_covering_case *cases; /* the first of them */
    size_t n_cases;
    struct xds_covered_target *targets; /* those of weight > 0 */
    size_t n_targets;
    unsigned clients;     /* that use it; 0: none, and it does not count */
    unsigned reached_by;  /* those of them for which there is an RPC that takes it; 0: it
                             does not count either */
    uint32_t shadowed_by; /* then: the route of this virtual host that takes its RPCs, or
                             XDS_NOT_SHADOWED: none was found that it matches */
};
#define XDS_NOT_SHADOWED UINT32_MAX

/* A route configuration, all of its routes in order. */
struct xds_covered_config {
    struct xds_slice name; /* of the resource that holds it */
    bool is_inline;        /* in a listener, whose name that is */
    struct xds_slice file;
    struct xds_covered_route *routes;
    size_t n_routes;
};

/* How often something is covered, and by what. */
struct xds_covered_times {
    uint32_t line, column;
    size_t times;                    /* 0: no case covers it */
    struct xds_covering_case *cases; /* the first of them */
    size_t n_cases;
};

/* A policy of an RBAC filter: it has decided that the RPC of a case passes, or does not.
 */
struct xds_covered_policy {
    struct xds_slice filter, name;
    const char *action; /* "ALLOW", "DENY" */
    struct xds_covered_times cover;
};

/* A filter chain: it has taken the connection of a case. */
struct xds_covered_chain {
    size_t index; /* XDS_COVERED_DEFAULT: default_filter_chain */
    struct xds_slice name;
    struct xds_covered_times cover;
    struct xds_covered_policy *policies;
    size_t n_policies;
};
#define XDS_COVERED_DEFAULT SIZE_MAX

/* A listener of servers. */
struct xds_covered_server {
    struct xds_slice name, address, file;
    struct xds_covered_chain *chains;
    size_t n_chains;
    unsigned clients; /* servers of the cases that use it; 0: none, and it does not count
                       */
};

/* Counts of a coverage: all of them, and those that are covered. */
struct xds_covered_count {
    size_t all, covered;
};

/* What all files of tests cover that read the same snapshot. */
struct xds_coverage {
    struct xds_slice snapshot;
    const struct xds_covered_config *const *configs;
    size_t n_configs;
    size_t routes, routes_covered, targets, targets_covered;
    size_t unreached; /* routes that no RPC can get to: they are not among `routes` */
    const struct xds_covered_server *const *servers;
    size_t n_servers;
    struct xds_covered_count chains, policies; /* of servers that count */
};

struct xds_suite_results {
    const struct xds_suite_file *files;
    size_t n_files;
    size_t cases, failed, not_run;   /* of all files */
    const struct xds_report *faults; /* what is wrong with the files; sorted */
    size_t n_faults;
    size_t unread; /* of the faults: texts that are no JSON or YAML */
    const struct xds_coverage *const *coverages;
    size_t n_coverages;
    size_t routes, routes_covered, targets, targets_covered, unreached;
    struct xds_covered_count chains, policies;
    double percent; /* of all that is counted what is covered; 0 when there is nothing */
};

struct xds_printer;

/* A first file of tests for the snapshot that the check has read, with its models kept:
 * for each route an RPC that takes it, and where it goes now. paths: of the snapshot, as
 * the file is to name them, if it is to name any; *n_cases: so many routes have a case.
 */
XDS_API XDS_MUST_USE enum xds_status
xds_suite_write_first(const struct xds_printer *to, struct xds_check *check,
                      enum xds_client client, const char *const *paths, size_t n_paths,
                      size_t *n_cases);

/* The same of a first scenario for simulate: hosts of an RPC connect, one goes down and
 * comes back. *n_steps is 0 when no RPC goes to hosts of the snapshot. */
XDS_API XDS_MUST_USE enum xds_status
xds_suite_write_scenario(const struct xds_printer *to, struct xds_check *check,
                         enum xds_client client, const char *const *paths, size_t n_paths,
                         size_t *n_steps);

XDS_API const struct xds_suite_results *xds_suite_results(const struct xds_suite *suite);

#endif
