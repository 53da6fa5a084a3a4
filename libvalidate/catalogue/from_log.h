/*
 * from_log.h - the inside of struct xds_log: errors found in log lines, with their rules.
 */
#ifndef XDS_CATALOGUE_FROM_LOG_H
#define XDS_CATALOGUE_FROM_LOG_H

#include "base/arena.h"

struct xds_log {
    struct xds_arena arena; /* of the text and all that was made from it */
    struct xds_log_error *errors;
    size_t n;
};

#endif
