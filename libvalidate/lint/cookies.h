/* cookies.h - the affinity cookies that a configuration asks for. */
#ifndef XDS_LINT_COOKIES_H
#define XDS_LINT_COOKIES_H

#include "lint/inspect.h"
#include "model/filter.h"

void xds_check_cookie_name(const struct xds_inspection *in, const struct xds_path *at,
                           struct xds_slice name);
void xds_check_cookie_ttl(const struct xds_inspection *in, const struct xds_path *at,
                          const struct xds_session_config *config);
/* Does a client that is asked about have session affinity? The others leave the filter
 * out or reject it, which rules say. */
bool xds_someone_has_affinity(const struct xds_inspection *in);
bool xds_override_is_on(const struct xds_filter_override *override);

#endif
