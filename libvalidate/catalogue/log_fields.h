/*
 * log_fields.h - the field list of C-core's ValidationErrors, taken apart.
 *
 * "[field:PATH error:MSG; field:PATH errors:[A; B]]" is somewhere in a line; messages
 * may hold brackets, quotes and field lists of their own.
 */
#ifndef XDS_CATALOGUE_LOG_FIELDS_H
#define XDS_CATALOGUE_LOG_FIELDS_H

#include "base/slice.h"

struct xds_log_fields {
    struct xds_slice rest; /* after the message that was given last */
    struct xds_slice path; /* of the messages in work */
    bool many;             /* inside "errors:[...]" */
};

struct xds_log_fields xds_log_fields_of(struct xds_slice line);
/* The next message, and the path it is about; false after the last one. */
bool xds_log_fields_next(struct xds_log_fields *fields, struct xds_slice *path,
                         struct xds_slice *message);

#endif
