/*
 * readings.h - where the clients read the same configuration differently.
 *
 * Each XDS_READING of differences.def is one such difference. Whoever decides asks here,
 * so that explain/ can also ask what one difference changes.
 */
#ifndef XDS_ROUTE_READINGS_H
#define XDS_ROUTE_READINGS_H

#include "clients/readers.h"
#include "route/rpc.h"

enum xds_reading {
#define XDS_READING(id, clients, source, text) XDS_READS_##id,
#include "clients/differences.def"
    XDS_READINGS,
};

#define XDS_READING_BIT(reading) ((uint64_t)1 << (reading))

struct xds_reading_row {
    enum xds_difference difference; /* the same row, for who reads so */
    const char *text;               /* "reads an absent case_sensitive as false" */
};

extern const struct xds_reading_row xds_readings[XDS_READINGS];

/* Does the client, at the release that was asked for, read it so? */
static inline bool xds_reads_as(const struct xds_options *options, enum xds_client client,
                                enum xds_reading reading)
{
    return xds_differs(options, client, xds_readings[reading].difference);
}

/* All readings of a client, as a mask of XDS_READING_BIT. */
uint64_t xds_readings_of(const struct xds_options *options, enum xds_client client);

/* Is it read so for this RPC? */
static inline bool xds_reads(const struct xds_rpc *rpc, enum xds_reading reading)
{
    return xds_reads_as(rpc->options, rpc->client, reading) !=
           (rpc->flipped >> reading & 1u);
}

#endif
