/* fault.h - what the fault injection filters do to an RPC. */
#ifndef XDS_ROUTE_FAULT_H
#define XDS_ROUTE_FAULT_H

#include "model/listener.h"
#include "route/overrides.h"

/* One fault injection filter that may act on the RPC. */
struct xds_fault_chance {
    const struct xds_filter *filter;
    double abort;          /* probability, for an RPC that reaches the filter */
    uint32_t code;         /* of the abort: a gRPC status code */
    struct xds_slice text; /* its message */
    double delay;          /* probability */
    int64_t delay_ns;      /* how long */
    const struct xds_fault *config;
};

/* In the order of the listener's filters. */
struct xds_faults {
    const struct xds_fault_chance *list;
    size_t n;
    bool aborts;    /* the last one certainly does: no filter after it sees the RPC */
    size_t ends_at; /* aborts: position of that filter in the listener */
};

/* Nothing is drawn: what chance decides is left open. */
struct xds_faults xds_faults_of(const struct xds_rpc *rpc,
                                const struct xds_listener *listener,
                                const struct xds_override_scope *scope);
/* "UNAVAILABLE"; digits for a code that gRPC does not have. */
struct xds_slice xds_status_code_text(struct xds_arena *arena, uint32_t code);

#endif
