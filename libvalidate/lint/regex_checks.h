/* regex_checks.h - regexes that say more or less than is meant. */
#ifndef XDS_LINT_REGEX_CHECKS_H
#define XDS_LINT_REGEX_CHECKS_H

#include "lint/inspect.h"

enum xds_regex_place { XDS_REGEX_OF_PATH, XDS_REGEX_OF_HEADER };

/* pattern compiles; at is its path. */
void xds_check_regex(const struct xds_inspection *in, const struct xds_path *at,
                     struct xds_slice pattern, enum xds_regex_place place);

#endif
