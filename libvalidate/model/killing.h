/* killing.h - who dies of using what it has accepted. */
#ifndef XDS_MODEL_KILLING_H
#define XDS_MODEL_KILLING_H

#include <stdint.h>

struct xds_rule;

/* Readers that accept a part of the resource and die once it is used. */
struct xds_killing {
    uint64_t readers;
    const struct xds_rule *rule; /* of which; NULL: there are none */
};

#endif
