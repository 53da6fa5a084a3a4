/*
 * log_crash.c - traces of clients that crash: which line says most about it.
 *
 * Source: catalogue/status_faults.def.
 */
#include "catalogue/log.h"
#include "catalogue/status.h"

#define MOST_FRAMES 16 /* of the JVM and of Guava, above the first one of gRPC */

static bool is_below_grpc(struct xds_slice line)
{
    return xds_slice_starts(line, XDS_S("at java.")) ||
           xds_slice_starts(line, XDS_S("at jdk.")) ||
           xds_slice_starts(line, XDS_S("at com.google.common."));
}

struct xds_slice xds_log_frame(struct xds_slice text)
{
    for (unsigned i = 0; i < MOST_FRAMES && text.len > 0; i++) {
        struct xds_slice line;

        text = xds_slice_cut(text, '\n', &line);
        line = xds_slice_trim(line);
        if (xds_slice_starts(line, XDS_S("at io.grpc.")))
            return line;
        if (!is_below_grpc(line))
            break; /* what the program calls */
    }
    return (struct xds_slice){NULL, 0};
}

/* The crashes of which more is known. */
static unsigned known_crash(const struct xds_log_status *status)
{
    static const enum xds_failure known[] = {XDS_FAILURE_CLIENT_FAULT,
                                             XDS_FAILURE_SERVER_RDS_PANIC,
                                             XDS_FAILURE_LEAST_REQUEST_PANIC};

    for (size_t i = 0; i < XDS_ARRAY_LEN(known); i++)
        if (status->failure == xds_failure_row(known[i]))
            return status->clients;
    return 0;
}

/* Each line of a trace is one of a crash; one line that says of which is enough. */
void xds_log_drop_crashes(struct xds_log *log)
{
    const struct xds_rpc_failure *crash = xds_failure_row(XDS_FAILURE_CLIENT_CRASH);
    size_t n = 0;
    unsigned known = 0;

    for (size_t i = 0; i < log->n_statuses; i++)
        known |= known_crash(&log->statuses[i]);
    for (size_t i = 0; i < log->n_statuses; i++)
        if (log->statuses[i].failure != crash || !(log->statuses[i].clients & known))
            log->statuses[n++] = log->statuses[i];
    log->n_statuses = n;
}
