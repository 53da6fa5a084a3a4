/* killing.h - who dies of using what it has accepted. */
#ifndef XDS_MODEL_KILLING_H
#define XDS_MODEL_KILLING_H

#include <stddef.h>
#include <stdint.h>

struct xds_rule;

/* Readers that accept a part of the resource and die once it is used. */
struct xds_killing {
    xds_readers readers;
    const struct xds_rule *rule; /* of which; NULL: there are none */
    struct xds_killing *more;    /* of another rule; or NULL */
};

/* The rule of which a reader dies, or NULL. */
static inline const struct xds_rule *xds_killing_rule(const struct xds_killing *killing,
                                                      xds_readers reader)
{
    while (killing && !(killing->readers & reader))
        killing = killing->more;
    return killing ? killing->rule : NULL;
}

#endif
