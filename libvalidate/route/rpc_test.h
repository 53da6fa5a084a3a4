/* rpc_test.h - an RPC for tests: defaults that a test changes as it needs. */
#ifndef XDS_ROUTE_RPC_TEST_H
#define XDS_ROUTE_RPC_TEST_H

#include "route/route.h"

enum { TEST_HEADERS = 8 };

struct test_rpc {
    struct xds_rpc rpc;
    struct xds_options options;
    struct xds_request request;
    struct xds_header headers[TEST_HEADERS];
    struct xds_random random;
    struct xds_arena arena;
};

static inline void test_rpc_init(struct test_rpc *t, enum xds_client client)
{
    *t = (struct test_rpc){.request = {.path = XDS_S("/pkg.Svc/Get")}};
    xds_options_init(&t->options);
    xds_arena_init(&t->arena, 0);
    t->request.headers = t->headers;
    t->rpc = (struct xds_rpc){.client = client,
                              .options = &t->options,
                              .request = &t->request,
                              .random = &t->random,
                              .arena = &t->arena};
}

static inline void test_rpc_header(struct test_rpc *t, const char *name,
                                   const char *value)
{
    t->headers[t->request.n_headers++] =
        (struct xds_header){xds_slice_of(name), xds_slice_of(value)};
}

static inline void test_rpc_random(struct test_rpc *t, const double *values, size_t n)
{
    t->random = (struct xds_random){values, n, 0};
}

static inline void test_rpc_release(struct test_rpc *t)
{
    xds_arena_release(&t->arena);
}

#endif
