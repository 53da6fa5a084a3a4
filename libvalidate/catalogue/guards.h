/*
 * guards.h - the environment variables that switch a rule, by the rows that it cites.
 */
#ifndef XDS_CATALOGUE_GUARDS_H
#define XDS_CATALOGUE_GUARDS_H

#include "base/slice.h"

/* The next variable of a rule from *i on; *i moves after it. False after the last. */
bool xds_rule_guard(const struct xds_rule *rule, size_t *i, enum xds_env *env);

#endif
