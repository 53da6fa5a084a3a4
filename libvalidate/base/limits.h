/* limits.h - the named bounds on untrusted input. Reaching one is a finding. */
#ifndef XDS_BASE_LIMITS_H
#define XDS_BASE_LIMITS_H

/* Nesting of objects, lists and messages in one resource; protobuf's own limit is 100. */
#define XDS_MAX_NESTING 100
/* Nesting of messages on the wire, through all Anys; libraries count anew in each. */
#define XDS_MAX_WIRE_NESTING 400
/* Bytes of one resource, and of everything decoded from it. */
#define XDS_MAX_RESOURCE_BYTES ((size_t)64 << 20)
#define XDS_MAX_DECODED_BYTES ((size_t)512 << 20)
/* Bytes of a packed input, once it is unpacked. */
#define XDS_MAX_UNPACKED_BYTES ((size_t)256 << 20)
/* Bytes of a .gitignore file. */
#define XDS_MAX_IGNORE_BYTES (1 << 20)
/* Findings of one resource; the rest is only counted, in the summary. */
#define XDS_MAX_FINDINGS_PER_RESOURCE 1000
/* Faults of a config that are named together in one message; the rest is counted. */
#define XDS_MAX_ERRORS_PER_MESSAGE 100
/* LB policies below each other in the JSON of one of them. */
#define XDS_MAX_LB_CONFIG_NESTING 64
/* Resources of one run: each leaves its name and place in the report. */
#define XDS_MAX_RESOURCES 2000000
/* Findings of one run. */
#define XDS_MAX_FINDINGS 100000
/* Parts that convert names when they have no place in a format. */
#define XDS_MAX_LOST_NAMED 10
/* Comments of one run that speak to xdscope. */
#define XDS_MAX_COMMENTS 10000
/* Tokens that YAML aliases may add to one resource. */
#define XDS_MAX_ALIAS_TOKENS 100000
/* RE2: the largest repetition count. */
#define XDS_MAX_REGEX_REPEAT 1000
/* Groups of a regex that nest deeper are never matched: "undecided". RE2 has no limit. */
#define XDS_MAX_REGEX_NESTING 1000
/* What nests deeper still is not read to its end, and the verdict on it open. */
#define XDS_MAX_REGEX_DEPTH 50000
/* Backtracking steps of one regex match; more is "undecided", never an answer. */
#define XDS_REGEX_MATCH_LIMIT 150000
/* Regexes that are kept from one resource, or line of a stream, to the next. */
#define XDS_MAX_KEPT_REGEXES 1000
/* Matches that the filter chains of one Listener are compared by: the product of their
 * repeated fields, summed over the chains. */
#define XDS_MAX_FILTER_CHAIN_MATCHES 100000
/* Depth of nested folders. */
#define XDS_MAX_FOLDER_DEPTH 64
/* Depth at which C-core gives up an aggregate cluster. */
#define XDS_MAX_AGGREGATE_DEPTH 16
/* Steps of the search for leaves that aggregate clusters name twice, and clusters that a
 * walk through cycles of them meets again. */
#define XDS_MAX_AGGREGATE_STEPS 1000000
/* Earlier routes that one route is compared with to see whether it can ever match, and
 * regexes run for that in one RouteConfiguration; what is beyond stays unsaid. */
#define XDS_MAX_COVERING_ROUTES 64
#define XDS_MAX_COVERING_REGEX_RUNS 2000
/* Header matchers of one route that are compared with each other; those of a route with
 * more of them are not. */
#define XDS_MAX_COMPARED_HEADERS 32
/* Weighted clusters of one route whose names are compared with each other. */
#define XDS_MAX_COMPARED_CLUSTERS 100
/* Different picks that one RPC with open fractions is followed into. */
#define XDS_MAX_OPEN_PICKS 256
#define XDS_MAX_OPEN_HOSTS 1000000
/* The search for what sends an RPC to one address: hosts looked at, steps per way,
 * causes, and of each cause the addresses listed. */
#define XDS_MAX_OBSERVED_HOSTS 10000000
#define XDS_MAX_OBSERVED_STEPS 1000
#define XDS_MAX_OBSERVED_CAUSES 64
#define XDS_MAX_OBSERVED_NEEDS 10000
/* Filters of the listener, looked at for each route of a service config. */
#define XDS_MAX_FILTER_USES 1000000
/* Bytes of the path of an LB policy that a scenario has below another. */
#define XDS_MAX_CHILD_PATH 1000
/* Timers that one step of a scenario fires. */
#define XDS_MAX_TIMERS_PER_STEP 1000000
/* What a comparison of two snapshots tells: bytes of one value, changes of one resource,
 * kinds of requests, and of each kind the clusters and hosts whose shares differ. */
#define XDS_MAX_DIFF_VALUE ((size_t)120)
#define XDS_MAX_DIFF_CHANGES 500
#define XDS_MAX_DIFF_KINDS 500
#define XDS_MAX_DIFF_SHARES 100
/* Changed resources of the old snapshot that are decoded at a time, in bytes. */
#define XDS_MAX_DIFF_DECODED ((size_t)64 << 20)
/* Requests that are made of the routes of a snapshot, and cookies that are tried. */
#define XDS_MAX_DERIVED_REQUESTS 100000
#define XDS_MAX_DIFF_COOKIES 50000
/* Files of tests: the cases that the products of one file expand to, and the values that
 * are reported as different in one case; the rest of these is counted. */
#define XDS_MAX_EXPANDED_CASES 100000
#define XDS_MAX_MISMATCHES 100
/* Of a case's name, and of the values that tell expanded cases apart. */
#define XDS_MAX_CASE_NAME 1000
#define XDS_MAX_VALUE_IN_NAME 80
/* Of a value that is reported as different; the length of a longer one is written
 * instead. */
#define XDS_MAX_VALUE_TOLD 4000
/* Everything that is kept of all files of tests. */
#define XDS_MAX_RESULT_BYTES ((size_t)2 << 30)
/* of error_detail, which has no more errors then */
#define XDS_MAX_NACK_BYTES ((size_t)1 << 20)

#endif
