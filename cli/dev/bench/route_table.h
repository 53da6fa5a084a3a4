/*
 * route_table.h - the routes and RPCs by which bench-routes measures.
 *
 * Takes:  a number of routes.
 * Gives:  routes as gen_snapshot.py makes them: 45 % prefixes, 48 % exact paths, 7 %
 *         regexes; 4 % without case, 18 % with headers, 6 % with a fraction. The same
 *         ones at every run.
 */
#ifndef CLI_DEV_BENCH_ROUTE_TABLE_H
#define CLI_DEV_BENCH_ROUTE_TABLE_H

#include "check/check.h"

enum { REQUESTS = 4096, CALL_HEADERS = 5 };

struct call {
    struct xds_request rpc;
    struct xds_header headers[CALL_HEADERS];
    char path[2100], tenant[24], user[24], value[64];
};

struct text {
    char *data;
    size_t n, cap;
};

/* A table of routes that was read, and RPCs for it. */
struct table {
    size_t n;
    struct text json;
    struct made *made; /* a path for each route */
    struct call *calls;
    struct xds_report *report;
    struct xds_check *check;
    const struct xds_route_config *config;
    struct xds_arena lasting, moment; /* of the index, of one RPC */
    struct xds_options options;
};

_Noreturn void give_up(const char *why);
void *must(void *memory);
void make_table(struct table *t, size_t n);
void free_table(struct table *t);
/* A path that the route at this position matches. */
struct xds_slice path_of(const struct table *t, size_t position);
/* routes-N.json and calls-N.jsonl, whose lines are requests of explain --requests. */
void dump_table(const char *folder, size_t n);

#endif
