/*
 * diff.c - the calls that compare two snapshots.
 *
 * Fails:  XDS_ERR_NO_MEMORY, XDS_ERR_IO when an input cannot be read again, XDS_ERR_USAGE
 *         for an RPC that names no listener where there are several.
 */
#include "diff/diff.h"

#include <stdlib.h>

#include "base/text.h"

struct xds_diff *xds_diff_new(const struct xds_diff_side *old,
                              const struct xds_diff_side *now)
{
    struct xds_diff *diff = calloc(1, sizeof *diff);

    if (!diff)
        return NULL;
    diff->side[XDS_SIDE_OLD] = *old;
    diff->side[XDS_SIDE_NEW] = *now;
    for (unsigned side = 0; side < XDS_SIDES; side++)
        diff->as[side] = xds_asked_label(&diff->side[side].check->report->options,
                                         diff->side[side].client);
    xds_arena_init(&diff->arena, 0);
    xds_arena_init(&diff->scratch, 0);
    xds_arena_init(&diff->cookies, 0);
    xds_arena_init(&diff->derive, 0);
    xds_strmap_init(&diff->requests.seen, &diff->arena);
    xds_strmap_init(&diff->requests.by_change, &diff->arena);
    xds_strmap_init(&diff->served.seen, &diff->arena);
    xds_strmap_init(&diff->served.by_change, &diff->arena);
    xds_strmap_init(&diff->sessions.routes, &diff->arena);
    xds_strmap_init(&diff->sessions.by_session, &diff->arena);
    xds_strmap_init(&diff->sessions.by_break, &diff->arena);
    bool made = true;

    for (unsigned side = 0; side < XDS_SIDES; side++) {
        diff->explainer[side] =
            xds_explainer_new(diff->side[side].check, diff->side[side].client);
        diff->served.server[side] =
            xds_server_new(diff->side[side].check, diff->side[side].client);
        made = made && diff->explainer[side] && diff->served.server[side];
        if (diff->explainer[side])
            xds_explainer_be_brief(diff->explainer[side]);
        if (diff->served.server[side])
            xds_server_be_brief(diff->served.server[side]);
    }
    if (made)
        return diff;
    xds_diff_free(diff);
    return NULL;
}

void xds_diff_free(struct xds_diff *diff)
{
    if (!diff)
        return;
    for (unsigned side = 0; side < XDS_SIDES; side++) {
        xds_explainer_free(diff->explainer[side]);
        xds_server_free(diff->served.server[side]);
    }
    xds_arena_release(&diff->derive);
    xds_arena_release(&diff->cookies);
    xds_arena_release(&diff->scratch);
    xds_arena_release(&diff->arena);
    free(diff);
}

struct call {
    struct xds_diff *diff;
    const struct xds_request *request;
    enum xds_side side;
    enum xds_status status;
};

static enum xds_status guarded(struct call *call, void (*body)(void *))
{
    struct xds_diff *diff = call->diff;
    struct xds_arena *const arenas[] = {&diff->arena, &diff->scratch, &diff->cookies,
                                        &diff->derive};
    const enum xds_status status =
        xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), body, call);

    /* What a regex could not tell makes no difference of the two sides. */
    for (unsigned side = 0; side < XDS_SIDES; side++)
        if (xds_check_status(diff->side[side].check, status) != XDS_OK)
            return XDS_ERR_NO_MEMORY;
    return status == XDS_OK ? call->status : status;
}

static void answer(void *arg)
{
    struct call *call = arg;

    call->status = xds_diff_answers(call->diff, call->request);
}

enum xds_status xds_diff_request(struct xds_diff *diff, const struct xds_request *request)
{
    return guarded(&(struct call){.diff = diff, .request = request}, answer);
}

static struct xds_slice spell(struct xds_arena *arena, const struct xds_request *request)
{
    struct xds_text text = {.arena = arena};

    xds_text_printf(&text, "%.*s\n%.*s\n%.*s", XDS_FMT(xds_diff_start(request)),
                    XDS_FMT(request->authority), XDS_FMT(request->path));
    for (size_t i = 0; i < request->n_headers; i++)
        xds_text_printf(&text, "\n%.*s\n%.*s", XDS_FMT(request->headers[i].name),
                        XDS_FMT(request->headers[i].value));
    return xds_slice_make(text.data, text.len);
}

/* Most routes are on both sides. */
static void use(void *user, const struct xds_derived *derived)
{
    struct call *call = user;
    struct xds_diff *diff = call->diff;
    void **slot =
        xds_strmap_at(&diff->requests.seen, spell(&diff->derive, &derived->request));

    if (*slot || call->status != XDS_OK)
        return;
    *slot = diff;
    const size_t n = call->side == XDS_SIDE_OLD ? xds_unchanged(diff, derived) : 0;

    diff->requests.n += n;
    if (n == 0)
        call->status = xds_diff_answers(diff, &derived->request);
}

static void derive(void *arg)
{
    struct call *call = arg;
    struct xds_diff *diff = call->diff;
    struct xds_check *check = diff->side[call->side].check;

    if (call->side == XDS_SIDE_OLD)
        xds_unchanged_init(diff);
    xds_derive_requests(&check->snapshot, diff->side[call->side].client,
                        &check->report->options, diff->requests.route_config,
                        &diff->derive, use, call, &diff->requests.counts[call->side]);
}

static void find_servers(void *arg)
{
    struct call *call = arg;

    xds_diff_servers(call->diff);
    xds_diff_updates(call->diff);
    for (unsigned side = 0; side < XDS_SIDES && call->status == XDS_OK; side++)
        call->status = xds_diff_served(call->diff, (enum xds_side)side);
}

enum xds_status xds_diff_derive(struct xds_diff *diff, struct xds_slice route_config)
{
    enum xds_status status = XDS_OK;

    diff->requests.route_config = route_config;
    if (!diff->of_readers && diff->n_resources == 0 && !diff->reordered)
        return XDS_OK; /* nothing can differ */
    for (unsigned side = 0; side < XDS_SIDES && status == XDS_OK; side++)
        status =
            guarded(&(struct call){.diff = diff, .side = (enum xds_side)side}, derive);
    if (status == XDS_OK)
        status = guarded(&(struct call){.diff = diff}, find_servers);
    return status;
}

void xds_diff_again(struct xds_diff *diff)
{
    diff->again = true;
}

bool xds_diff_found(const struct xds_diff *diff)
{
    return diff->n_resources > 0 || diff->n_verdicts > 0 || diff->requests.n_kinds > 0 ||
           diff->sessions.n_broken > 0 || diff->n_trees > 0 || diff->n_servers > 0 ||
           diff->warnings.n > 0 || diff->served.n_kinds > 0;
}
