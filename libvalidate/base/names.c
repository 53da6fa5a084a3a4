/* names.c - the words for verdicts, levels and connectivity states. */
#include "base/slice.h"

static const char *const verdicts[] = {
    [XDS_ACCEPT] = "ACCEPT", [XDS_IGNORE] = "IGNORE", [XDS_SKIP] = "SKIP",
    [XDS_NACK] = "NACK",     [XDS_CRASH] = "CRASH",
};

static const char *const levels[] = {
    [XDS_LEVEL_NOTE] = "note",
    [XDS_LEVEL_WARNING] = "warning",
    [XDS_LEVEL_ERROR] = "error",
};

static const char *const connectivities[] = {
    [XDS_STATE_TRANSIENT_FAILURE] = "TRANSIENT_FAILURE",
    [XDS_STATE_IDLE] = "IDLE",
    [XDS_STATE_CONNECTING] = "CONNECTING",
    [XDS_STATE_READY] = "READY",
};

const char *xds_verdict_name(enum xds_verdict verdict)
{
    return verdicts[verdict];
}

const char *xds_level_name(enum xds_level level)
{
    return levels[level];
}

const char *xds_connectivity_name(enum xds_connectivity state)
{
    return connectivities[state];
}

bool xds_connectivity_from_name(struct xds_slice name, enum xds_connectivity *out)
{
    for (unsigned i = 0; i <= XDS_STATE_READY; i++) {
        if (xds_slice_is(name, connectivities[i])) {
            *out = (enum xds_connectivity)i;
            return true;
        }
    }
    return false;
}

const char *xds_version(void)
{
    return XDS_VERSION;
}
