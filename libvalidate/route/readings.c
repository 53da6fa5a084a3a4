/*
 * readings.c - the table of what clients read differently.
 *
 * Source: spec routing 1 to 5, spec listener 10.
 */
#include "route/route.h"

const struct xds_reading_row xds_readings[XDS_READINGS] = {
#define XDS_READING(id, clients, source, text) {XDS_DIFF_##id, text},
#include "clients/differences.def"
};

_Static_assert(XDS_READINGS <= 64, "a mask of readings is a uint64_t");

uint64_t xds_readings_of(const struct xds_options *options, enum xds_client client)
{
    uint64_t mask = 0;

    for (unsigned i = 0; i < XDS_READINGS; i++)
        if (xds_reads_as(options, client, (enum xds_reading)i))
            mask |= XDS_READING_BIT(i);
    return mask;
}
