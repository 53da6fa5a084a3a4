/* names.c - the words for levels, verdicts and what a client says of a resource. */
#include "report/report.h"

const char *xds_verdict_name(enum xds_verdict verdict)
{
    static const char *const names[] = {
        [XDS_ACCEPT] = "ACCEPT", [XDS_IGNORE] = "IGNORE", [XDS_SKIP] = "SKIP",
        [XDS_NACK] = "NACK",     [XDS_CRASH] = "CRASH",
    };

    return names[verdict];
}

const char *xds_level_name(enum xds_level level)
{
    static const char *const names[] = {
        [XDS_LEVEL_NOTE] = "note",
        [XDS_LEVEL_WARNING] = "warning",
        [XDS_LEVEL_ERROR] = "error",
    };

    return names[level];
}

static const char *const status_names[] = {
    [XDS_HELD_UNKNOWN] = "UNKNOWN",
    [XDS_HELD_REQUESTED] = "REQUESTED",
    [XDS_HELD_DOES_NOT_EXIST] = "DOES_NOT_EXIST",
    [XDS_HELD_ACKED] = "ACKED",
    [XDS_HELD_NACKED] = "NACKED",
    [XDS_HELD_RECEIVED_ERROR] = "RECEIVED_ERROR",
    [XDS_HELD_TIMEOUT] = "TIMEOUT",
};

const char *xds_held_status_name(enum xds_held_status status)
{
    return status_names[status];
}
