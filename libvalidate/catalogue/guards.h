/*
 * guards.h - the environment variables that switch a rule, by the rows that it cites.
 */
#ifndef XDS_CATALOGUE_GUARDS_H
#define XDS_CATALOGUE_GUARDS_H

#include "base/slice.h"

/* The next variable of a rule from *i on; *i moves behind it. False behind the last. */
bool xds_rule_guard(const struct xds_rule *rule, size_t *i, enum xds_env *env);
/* The clients that read the variable: setting it changes what they do. */
unsigned xds_env_readers(enum xds_env env);

#endif
