/* match.h - does the path, do the headers of an RPC match a route. */
#ifndef XDS_ROUTE_MATCH_H
#define XDS_ROUTE_MATCH_H

#include "model/matcher.h"
#include "route/rpc.h"

/* A regex as this client compiles it. */
const struct xds_regex *xds_regex_of(const struct xds_rpc *rpc,
                                     const struct xds_regex *regex);
/* Does this client compare the path without regard to case? */
bool xds_path_folds(const struct xds_path_matcher *matcher,
                    const struct xds_options *options, enum xds_client client);
/* False: *reason is the sentence that says why not. */
bool xds_path_matches(const struct xds_rpc *rpc, const struct xds_path_matcher *matcher,
                      struct xds_slice *reason);
/* One text against one matcher; undecided: noted in the RPC. */
bool xds_string_matches(const struct xds_rpc *rpc,
                        const struct xds_string_matcher *matcher, struct xds_slice text);
/* Does the matcher hold for a header of this value? NULL: for an absent one. */
enum xds_match xds_header_takes(const struct xds_rpc *rpc,
                                const struct xds_header_matcher *matcher,
                                const struct xds_slice *value);
bool xds_header_matches(const struct xds_rpc *rpc,
                        const struct xds_header_matcher *matcher,
                        struct xds_slice *reason);
/* Path, then every header in list order, up to the first that fails; *passed: how many of
 * them match; 1 when the path is known to, 0 else. The fraction is not looked at. */
enum xds_match xds_match_certain(const struct xds_rpc *rpc,
                                 const struct xds_route_match *match, size_t *passed);
/* The sentence for the criterion after those that matched, and how it failed. */
struct xds_slice xds_match_reason(const struct xds_rpc *rpc,
                                  const struct xds_route_match *match, size_t passed,
                                  enum xds_match result);

#endif
