/*
 * readings.c - the table of what clients read differently.
 *
 * Source: spec routing 1 to 5, spec listener 10.
 */
#include "route/readings.h"

const struct xds_reading_row xds_readings[XDS_READINGS] = {
#define XDS_READING(id, clients, source, text) {clients, text},
#include "clients/differences.def"
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
