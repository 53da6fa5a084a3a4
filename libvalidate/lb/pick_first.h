/* pick_first.h - pick_first: the first address that can be connected takes all RPCs. */
#ifndef XDS_LB_PICK_FIRST_H
#define XDS_LB_PICK_FIRST_H

#include "lb/subchannel.h"
#include "model/endpoint.h"

struct xds_pick_first_slot {
    struct xds_subchannel *subchannel; /* NULL: it is made when its turn comes */
    enum xds_connectivity state;       /* of it, before it changed */
    bool failed;                       /* since the attempt began */
    bool failed_once;                  /* and it was not READY since */
};

struct xds_pick_first_slots {
    struct xds_pick_first_slot *list;
    size_t n, n_failed, cap;
    size_t n_again; /* failures since all have failed */
};

/* What becomes of the attempt to connect. */
enum xds_attempt {
    XDS_ATTEMPT_NONE,
    XDS_ATTEMPT_FIRST_PASS, /* one address after the other */
    XDS_ATTEMPT_FAILED,     /* all have failed; each continues by itself */
};

struct xds_pick_first {
    struct xds_policy policy; /* first */
    const struct xds_subchannel_maker *maker;
    struct xds_slice *addresses; /* in the order in which they are tried */
    size_t n, cap;
    enum xds_attempt attempt;
    struct xds_pick_first_slots slots; /* one per address while an attempt is made */
    struct xds_pick_first_slots spare; /* empty, for the next attempt */
    size_t at;                         /* the address whose turn it is */
    struct xds_subchannel *selected;   /* connected, or kept after that; or NULL */
    bool failing;          /* TRANSIENT_FAILURE was reported, and READY not since */
    struct xds_timer turn; /* set while the next address waits for its turn */
};

/* The first time *self must be all zero; of a policy that was destroyed the memory is
 * used again. */
void xds_pick_first_init(struct xds_pick_first *self, struct xds_machine *machine,
                         struct xds_policy *parent, struct xds_slice name,
                         const struct xds_subchannel_maker *maker);

/* How the list is to be read. */
struct xds_pick_first_config {
    bool shuffle;              /* gRFC A62 */
    bool by_weight;            /* ... gRFC A113: heavy endpoints tend to the front */
    struct xds_random *random; /* one number per place; the rest stays in its order */
};

/* New endpoints. The text of the addresses must last until the next update. */
void xds_pick_first_update(struct xds_pick_first *self,
                           const struct xds_endpoint *const *endpoints, size_t n,
                           const struct xds_pick_first_config *config);

#endif
