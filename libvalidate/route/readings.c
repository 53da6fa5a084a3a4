/*
 * readings.c - the table of what clients read differently.
 *
 * Takes:  readings.def.
 * Gives:  its rows by id, and all of one client.
 * Source: spec routing, the tables headed DIFF; spec listener 10.
 */
#include "route/readings.h"

enum {
    GRFC = XDS_CLIENT_BIT(XDS_CLIENT_GRFC),
    CORE = XDS_CLIENT_BIT(XDS_CLIENT_CORE),
    GO = XDS_CLIENT_BIT(XDS_CLIENT_GO),
    JAVA = XDS_CLIENT_BIT(XDS_CLIENT_JAVA),
    NODE = XDS_CLIENT_BIT(XDS_CLIENT_NODE),
};

const struct xds_reading_row xds_readings[XDS_READINGS] = {
#define XDS_READING(id, clients, source, text) {clients, text},
#include "route/readings.def"
#undef XDS_READING
};

_Static_assert(XDS_READINGS <= 64, "a mask of readings is a uint64_t");

uint64_t xds_readings_of(enum xds_client client)
{
    uint64_t mask = 0;

    for (unsigned i = 0; i < XDS_READINGS; i++)
        if (xds_readings[i].clients & XDS_CLIENT_BIT(client))
            mask |= XDS_READING_BIT(i);
    return mask;
}
