/*
 * readings.h - where the clients read the same configuration differently.
 *
 * Each XDS_READING of differences.def is one such difference. Whoever decides asks here,
 * so that explain/ can also ask what one difference changes.
 */
#ifndef XDS_ROUTE_READINGS_H
#define XDS_ROUTE_READINGS_H

#include "clients/clients.h"
#include "route/rpc.h"

enum xds_reading {
#define XDS_READING(id, clients, source, text) XDS_READS_##id,
#include "clients/differences.def"
    XDS_READINGS,
};

#define XDS_READING_BIT(reading) ((uint64_t)1 << (reading))

struct xds_reading_row {
    unsigned clients; /* mask */
    const char *text; /* "reads an absent case_sensitive as false" */
};

extern const struct xds_reading_row xds_readings[XDS_READINGS];

/* All readings of a client, as a mask of XDS_READING_BIT. */
uint64_t xds_readings_of(enum xds_client client);

/* Is it read so for this RPC? */
static inline bool xds_reads(const struct xds_rpc *rpc, enum xds_reading reading)
{
    const unsigned own = (unsigned)xds_readings[reading].clients >> rpc->client & 1u;

    return own != (rpc->flipped >> reading & 1u);
}

#endif
