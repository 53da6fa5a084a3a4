/*
 * request_json.c - one RPC after the other from texts of JSON, as on lines of --requests.
 *
 * Fails:  with a sentence for what is no JSON or no request; XDS_ERR_NO_MEMORY.
 * Source: xdscope-explain(1).
 */
#include "explain/inbound_read.h"
#include "explain/request_read.h"

#include "source/tree_read.h"

#include <stdlib.h>

struct xds_json_requests {
    const struct xds_request *base;
    struct xds_slice cookies;               /* of base */
    struct xds_arena arena;                 /* of one request */
    const struct xds_inbound *inbound_base; /* NULL: the RPCs are those of clients */
    struct xds_inbound inbound;
    struct xds_request_reader reader;
};

struct xds_json_requests *xds_json_requests_new(const struct xds_request *base,
                                                struct xds_slice cookies)
{
    struct xds_json_requests *requests = calloc(1, sizeof *requests);

    if (!requests)
        return NULL;
    requests->base = base;
    requests->cookies = cookies;
    xds_arena_init(&requests->arena, 0);
    return requests;
}

struct xds_json_requests *xds_json_inbounds_new(const struct xds_inbound *base,
                                                struct xds_slice cookies)
{
    struct xds_json_requests *requests = xds_json_requests_new(&base->rpc, cookies);

    if (requests)
        requests->inbound_base = base;
    return requests;
}

const struct xds_inbound *
xds_json_requests_inbound(const struct xds_json_requests *requests)
{
    return &requests->inbound;
}

void xds_json_requests_free(struct xds_json_requests *requests)
{
    if (!requests)
        return;
    xds_arena_release(&requests->arena);
    free(requests);
}

struct job {
    struct xds_json_requests *requests;
    struct xds_slice json, fault;    /* fault: absent when all is well */
    struct xds_explainer *explainer; /* to ask */
    const struct xds_decision *decision;
    enum xds_status status;
};

/* As a byte, or as the escape \u0000 of a text, where no request needs one. */
static bool has_nul(struct xds_slice json)
{
    for (size_t i = xds_slice_find(json, '\\'); i < json.len; i += 2) {
        if (xds_slice_starts(xds_slice_from(json, i), XDS_S("\\u0000")))
            return true;
        i += xds_slice_find(xds_slice_from(json, i + 2), '\\');
    }
    return xds_slice_find(json, '\0') < json.len;
}

static struct xds_slice read_request(struct xds_json_requests *requests,
                                     struct xds_slice json)
{
    struct xds_request_reader *reader = &requests->reader;
    struct xds_request *rpc = &reader->rpc;
    struct xds_json_fault wrong;
    struct xds_tree object;

    if (has_nul(json))
        return XDS_S("the request contains a NUL character");
    if (!xds_tree_read(&requests->arena, json, &object, &wrong))
        return xds_arena_printf(&requests->arena, "%s, at column %zu", wrong.what,
                                wrong.begin + 1);
    if (requests->inbound_base) {
        requests->inbound = *requests->inbound_base;
        const struct xds_tree *at;
        const struct xds_slice fault =
            xds_inbound_read(&requests->arena, &object, &requests->inbound, &at);

        if (fault.data)
            return fault;
    }
    if (!xds_request_read(reader, &object))
        return reader->fault;
    requests->inbound.rpc = *rpc;
    /* The start is said by the object, or by base. */
    if (!rpc->target.data && !rpc->listener.data && !rpc->route_config.data) {
        rpc->target = requests->base->target;
        rpc->listener = requests->base->listener;
        rpc->route_config = requests->base->route_config;
    }
    return (struct xds_slice){NULL, 0};
}

static void read_body(void *arg)
{
    struct job *job = arg;
    struct xds_json_requests *requests = job->requests;

    requests->reader = (struct xds_request_reader){
        .arena = &requests->arena, .rpc = *requests->base, .cookies = requests->cookies};
    requests->reader.rpc.target = requests->reader.rpc.listener =
        requests->reader.rpc.route_config = (struct xds_slice){NULL, 0};
    job->fault = read_request(requests, job->json);
}

enum xds_status xds_json_requests_read(struct xds_json_requests *requests,
                                       struct xds_slice json,
                                       const struct xds_request **out,
                                       struct xds_slice *fault)
{
    struct xds_arena *const arenas[] = {&requests->arena};
    struct job job = {.requests = requests, .json = json};

    xds_arena_reset(&requests->arena);
    const enum xds_status status =
        xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), read_body, &job);

    *fault = job.fault;
    *out = status == XDS_OK && !job.fault.data ? &requests->reader.rpc : NULL;
    return status == XDS_OK && job.fault.data ? XDS_ERR_USAGE : status;
}

bool xds_json_requests_name_host(const struct xds_json_requests *requests)
{
    return requests->reader.session_cookie.data != NULL;
}

static void ask(void *arg)
{
    struct job *job = arg;

    job->status = xds_request_ask(job->explainer, &job->requests->reader, &job->decision);
}

enum xds_status xds_json_requests_explain(struct xds_json_requests *requests,
                                          struct xds_explainer *explainer,
                                          const struct xds_decision **out)
{
    struct xds_arena *const arenas[] = {&requests->arena};
    struct job job = {.requests = requests, .explainer = explainer};
    const enum xds_status status =
        xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), ask, &job);

    *out = job.decision;
    return status == XDS_OK ? job.status : status;
}
