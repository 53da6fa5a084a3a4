/* report.h - resources and what was found in them. */
#ifndef XDSCOPE_REPORT_H
#define XDSCOPE_REPORT_H

#include "options.h"
#include "rules.h"

/* A place in an input file. Lines and columns count from 1, columns in code points;
 * end is one past the last character. line 0 = not known. */
struct xds_place {
    uint32_t file; /* index for xds_report_file() */
    uint32_t line, column, end_line, end_column;
};

/* Why a resource is not judged, see enum xds_role. */
enum xds_unjudged {
    XDS_JUDGED,
    XDS_UNJUDGED_FOR_OTHERS,  /* only listeners for Envoy or servers lead to it */
    XDS_UNJUDGED_FOR_CLIENTS, /* servers were asked about */
    XDS_UNJUDGED_UNREACHED,   /* no target that was asked about leads to it */
};

/* What a client says of a resource: envoy.admin.v3.ClientResourceStatus, with its
 * numbers. */
enum xds_held_status {
    XDS_HELD_UNKNOWN,
    XDS_HELD_REQUESTED,
    XDS_HELD_DOES_NOT_EXIST,
    XDS_HELD_ACKED,
    XDS_HELD_NACKED,
    XDS_HELD_RECEIVED_ERROR,
    XDS_HELD_TIMEOUT,
};

/* "REQUESTED", "DOES_NOT_EXIST" ... */
XDS_API const char *xds_held_status_name(enum xds_held_status status);

/* What a dump says of a resource beside its content. Texts are as the dump has them, and
 * empty where it does not say. */
struct xds_held {
    enum xds_held_status status;
    uint32_t client; /* number of the client in the input, from 1; 0: none is known */
    uint32_t config; /* that of its ClientConfig: one client, with one node, may have one
                        for each target */
    struct xds_slice node;                             /* its node id */
    struct xds_slice version, updated;                 /* of what it uses */
    struct xds_slice error, error_version, error_time; /* of what it did not accept */
    bool has_rejected; /* the dump has what it did not accept */
    bool is_rejected;  /* this resource is that: it does not use it */
    bool is_absent;    /* there is no resource, only its name and status */
    /* Who uses this resource, whatever is judged of it: the client that the dump is of,
     * all of them where it does not say which one; 0: what is judged decides. */
    unsigned used_by;
    const char *against; /* of such a client: the first rule by which xdscope would have
                            it reject the resource; or NULL */
};

/* One resource that was read. */
struct xds_resource_result {
    struct xds_slice type; /* "envoy.config.route.v3.RouteConfiguration" */
    struct xds_slice name; /* may be empty */
    struct xds_place at;
    unsigned nacked_by;  /* clients of which a release that was asked for rejects it */
    unsigned crashed_by; /* the same, for those that die of it */
    xds_readers nacking, crashing, dying; /* releases, for xds_resource_verdict() */
    uint32_t index;         /* among the resources of one response type in its file */
    bool named_by_wrapper;  /* name is that of the wrapper around it */
    bool is_static;         /* see struct xds_resource */
    bool unreadable;        /* its text is no xDS: no control plane can send it, and the
                               sets above have all clients */
    bool undecodable;       /* some that was asked for can make no message of it */
    unsigned char unjudged; /* enum xds_unjudged; then no client is in the sets above */
    const struct xds_held *held; /* what a dump says of it, or NULL; of the report */
    uint64_t content; /* the same of two resources: so is their type, text and name; in
                         runs with one memo. 0: not known */
};

#define XDS_NO_RESOURCE UINT32_MAX

/* Another place that a finding speaks of, such as the route that hides a later one. */
struct xds_related {
    uint32_t resource; /* index for xds_report_resource(), or XDS_NO_RESOURCE */
    struct xds_place at;
    struct xds_slice path;    /* in that resource */
    struct xds_slice message; /* what is there: "this route takes its requests" */
};

/* Who has said that a finding is known. */
enum xds_suppression {
    XDS_NOT_SUPPRESSED,
    XDS_SUPPRESSED_BY_COMMENT, /* "# xdscope: ignore=RULE -- reason" in the input */
    XDS_SUPPRESSED_BY_BASELINE,
    XDS_SUPPRESSED_BY_SETTINGS, /* see struct xds_known */
};

struct xds_finding {
    const struct xds_rule *rule;
    enum xds_level level;
    uint32_t resource; /* index for xds_report_resource(), or XDS_NO_RESOURCE */
    struct xds_place at;
    enum xds_suppression suppressed;
    struct xds_slice path;    /* "virtual_hosts[0].routes[2].match", "" = the resource */
    struct xds_slice message; /* what is wrong here */
    /* The same as C-core says it in its NACK, empty where it does not; or absent. */
    struct xds_slice core;
    unsigned named; /* of a hygiene rule: clients that the message is about; or 0 */
    unsigned char verdict[XDS_CLIENTS];      /* the worst of the releases asked for */
    const struct xds_verdict_sets *releases; /* for xds_finding_verdict(), or NULL */
    uint32_t order;                          /* in which findings were made, from 0 */
    uint32_t repeats; /* how many more times the same was found, and is reported once */
    const struct xds_related *related; /* or NULL */
    struct xds_slice reason; /* of comment or setting; empty where there is none */
    struct xds_slice once;   /* what all share of which this one is reported; or absent */
    struct xds_slice instead; /* the only text that is meant in its place; or absent */
    /* "RouteAction.timeout": a field that no client reads and that decides nothing, of
     * which text has one line for each type of resource; or absent */
    struct xds_slice unread;
};

struct xds_report;

/* Sets of releases by what they do, from XDS_IGNORE on; the others accept. */
struct xds_verdict_sets {
    xds_readers of[XDS_CRASH + 1];
};

struct xds_summary {
    size_t resources, nacked, errors, warnings, notes;
    size_t crashing;   /* resources that a client dies of */
    size_t unreadable; /* resources whose text is no xDS: they are not among nacked */
    size_t dropped;    /* findings beyond the limits of one resource and of one run */
    size_t suppressed; /* findings that are known and not among the counts above */
    size_t unjudged;   /* resources that were not judged, and are in no other count */
    /* gRPC bootstraps, which are not among the resources; those that a client refuses,
     * and those that one dies of. */
    size_t bootstraps, refused_bootstraps, killing_bootstraps;
};

/* Resources that depend on one: how many, and the names of the first ones. */
struct xds_dependents {
    size_t n, n_names;
    const struct xds_slice *names;
};

/* What depends on a resource that clients reject, or that makes them crash. For these
 * clients it keeps its old version, or fails where there is none. The resource itself is
 * among them, except endpoints. */
struct xds_impact {
    uint32_t resource; /* index for xds_report_resource() */
    struct xds_dependents listeners, route_configs, clusters;
    size_t routes; /* one that leads to several of the clusters counts for each */
    bool is_open;  /* there are more: the search for them became too long */
};

/* The same for all such resources together. */
struct xds_impact_sum {
    size_t causes; /* those resources */
    size_t listeners, route_configs, clusters, routes;
};

/* options are copied. NULL when there is no memory. */
XDS_API struct xds_report *xds_report_new(const struct xds_options *options);
XDS_API void xds_report_free(struct xds_report *report);
/* Other options, before the report is given to xds_check_new(). */
XDS_API void xds_report_set_options(struct xds_report *report,
                                    const struct xds_options *options);
/* What could not be read, or judged, so that a reader of the report knows that it is not
 * complete. file: as it was given; line 0: it is about the file. Copied. */
XDS_API XDS_MUST_USE enum xds_status xds_report_add_error(struct xds_report *report,
                                                          struct xds_slice file,
                                                          uint32_t line,
                                                          struct xds_slice message);
/* Order by file, line, column, rule, path; drops exact repetitions, and sets apart what
 * is suppressed. Call it before xds_report_keep() and before printing. */
XDS_API void xds_report_sort(struct xds_report *report);
/* Take out the findings that keep() refuses, once the report is sorted. Verdicts on
 * resources and the text of their NACK do not change. */
XDS_API XDS_MUST_USE enum xds_status
xds_report_keep(struct xds_report *report,
                bool (*keep)(const struct xds_finding *finding, void *user), void *user);
/* Give all findings of a rule another level. Verdicts do not change. */
XDS_API void xds_report_set_level(struct xds_report *report, const struct xds_rule *rule,
                                  enum xds_level level);
XDS_API size_t xds_report_findings(const struct xds_report *report);
XDS_API const struct xds_finding *xds_report_finding(const struct xds_report *report,
                                                     size_t i);
/* The findings that are suppressed, in the same order. Verdicts on resources and the text
 * of their NACK are what they would be without. NULL after the last one. */
XDS_API const struct xds_finding *xds_report_suppressed(const struct xds_report *report,
                                                        size_t i);
XDS_API size_t xds_report_resources(const struct xds_report *report);
XDS_API const struct xds_resource_result *
xds_report_resource(const struct xds_report *report, size_t i);
/* What a release that was asked for does about a finding, or a resource: that is
 * XDS_ACCEPT, XDS_NACK or XDS_CRASH. */
XDS_API enum xds_verdict xds_finding_verdict(const struct xds_report *report,
                                             const struct xds_finding *finding,
                                             struct xds_client_release who);
XDS_API enum xds_verdict xds_resource_verdict(const struct xds_report *report,
                                              const struct xds_resource_result *resource,
                                              struct xds_client_release who);
/* What a rejected resource takes with it; NULL where no client that was asked about
 * rejects it, or its name is not known. */
XDS_API const struct xds_impact *xds_report_impact(const struct xds_report *report,
                                                   size_t resource);
XDS_API struct xds_impact_sum xds_report_impact_sum(const struct xds_report *report);
/* "for Envoy or servers": why a resource is not judged; NULL: it is. */
XDS_API const char *xds_unjudged_reason(enum xds_unjudged unjudged);
/* The first target of the options whose listener the input does not have; NULL: all were
 * found. */
XDS_API const char *xds_report_missing_target(const struct xds_report *report);
/* The name of an input file as the user gave it; "-" is standard input. */
XDS_API struct xds_slice xds_report_file(const struct xds_report *report, uint32_t file);
XDS_API const struct xds_options *xds_report_options(const struct xds_report *report);
/* Counts over the selected clients. */
XDS_API struct xds_summary xds_report_summary(const struct xds_report *report);

#endif
