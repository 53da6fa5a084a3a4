/* options.h - the inside of struct xds_options. */
#ifndef XDS_BASE_OPTIONS_H
#define XDS_BASE_OPTIONS_H

#include "include/xdscope.h"

/* Values of env_set. */
enum { XDS_ENV_UNSET, XDS_ENV_FALSE, XDS_ENV_TRUE, XDS_ENV_FIRST_NUMBER };

/* The number that the variable was set to, or `unset`. */
uint64_t xds_env_number(const struct xds_options *options, enum xds_env env,
                        uint64_t unset);

#endif
