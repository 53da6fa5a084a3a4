/*
 * within.h - does whatever one matcher takes pass another one?
 *
 * All answers are those of one client, by the code that routes its RPCs. "Yes" is always
 * right; "no" may stand for "is not known", which concerns regexes, and ranges
 * beside texts. Matchers are compared one by one: what two of them ask for together is
 * not seen.
 */
#ifndef XDS_LINT_WITHIN_H
#define XDS_LINT_WITHIN_H

#include "model/matcher.h"
#include "route/rpc.h"

/* One client, for the time of a check. */
struct xds_within {
    struct xds_rpc rpc;
    unsigned regex_runs; /* how many more regexes may be run */
};

/* scratch: for the time of the check. */
struct xds_within xds_within_of(enum xds_client client, const struct xds_options *options,
                                struct xds_arena *scratch);

/* A path that no matcher can have read is never within, and holds nothing. */
bool xds_path_within(struct xds_within *w, const struct xds_path_matcher *inner,
                     const struct xds_path_matcher *outer);
/* Does every gRPC path pass? */
bool xds_path_takes_all(const struct xds_path_matcher *path);
/* Do the headers that inner asks for satisfy all that outer asks for? */
bool xds_headers_within(struct xds_within *w, const struct xds_route_match *inner,
                        const struct xds_route_match *outer);
/* Two headers of a match, as positions in its list; the same one twice: one alone. */
struct xds_header_pair {
    size_t first, second;
};
/* Can headers that it asks for never hold together, or one of them never at all? */
bool xds_headers_contradict(struct xds_within *w, const struct xds_route_match *match,
                            struct xds_header_pair *pair);

/* What the client's matchers can see of a header. */
enum xds_visibility {
    XDS_SEES_NOTHING, /* it counts as absent, whatever was sent */
    XDS_SEES_CONSTANT,
    XDS_SEES_VALUE,
};
enum xds_visibility xds_header_visibility(const struct xds_within *w,
                                          struct xds_slice name,
                                          struct xds_slice *constant);
/* The names of two matchers, as the client reads them. */
bool xds_header_same_name(const struct xds_within *w, struct xds_slice a,
                          struct xds_slice b);

#endif
