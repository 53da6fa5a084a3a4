/*
 * ads.c - the client as a whole: made, freed, asked what it holds.
 */
#include <stdio.h>
#include <stdlib.h>

#include "ads/inner.h"
#include "clients/readers.h"

enum { RESOURCE_MS = 15000 }; /* gRFC A27 */

struct xds_slice xds_ads_type_url(enum xds_resource_type type)
{
#define PREFIX "type.googleapis.com/envoy.config."
    switch (type) {
    case XDS_TYPE_LISTENER:
        return XDS_S(PREFIX "listener.v3.Listener");
    case XDS_TYPE_ROUTE:
        return XDS_S(PREFIX "route.v3.RouteConfiguration");
    case XDS_TYPE_CLUSTER:
        return XDS_S(PREFIX "cluster.v3.Cluster");
    case XDS_TYPE_ENDPOINT:
        return XDS_S(PREFIX "endpoint.v3.ClusterLoadAssignment");
    case XDS_TYPE_UNKNOWN:
        break;
    }
    return XDS_S("");
}

/* ---- making one ---- */

enum xds_status xds_ads_guard(struct xds_ads *ads, void (*body)(void *), void *arg)
{
    struct xds_arena *const arenas[] = {&ads->arena, &ads->scratch, &ads->sending};

    if (ads->failed)
        return XDS_ERR_NO_MEMORY;
    xds_arena_reset(&ads->scratch);
    xds_arena_reset(&ads->sending);
    ads->message = XDS_S("");
    const enum xds_status status =
        xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), body, arg);

    ads->failed = status != XDS_OK;
    return status;
}

struct making {
    struct xds_ads *ads;
    bool good;
};

/* One client at one release decides. */
static void set_options(struct xds_ads *ads, const struct xds_options *options)
{
    struct xds_ask_note note;
    enum xds_client client;
    const struct xds_client_label label = xds_client_label(ads->settings.as);

    ads->options = *options;
    ads->options.clients = XDS_CLIENT_BIT(ads->settings.as.client);
    ads->options.each_time = true;
    (void)!xds_options_ask_one(&ads->options, xds_slice_of(label.text), &client, &note);
}

static void make(void *arg)
{
    struct making *m = arg;

    m->good = xds_ads_read_settings(m->ads);
    m->ads->walk.stale = m->good;
    xds_ads_walk(m->ads);
}

static enum xds_status apply_bootstrap(struct xds_ads *ads)
{
    const char *fault = NULL;

    if (!ads->settings.bootstrap)
        return XDS_OK;
    const enum xds_status status =
        xds_options_set_bootstrap(&ads->options, ads->settings.bootstrap, &fault);

    if (status == XDS_ERR_USAGE)
        (void)snprintf(ads->fault.text, sizeof ads->fault.text, "bootstrap: %s", fault);
    return status;
}

static enum xds_status fill(struct xds_ads *ads, const struct xds_options *options)
{
    struct making m = {.ads = ads};

    set_options(ads, options);
    enum xds_status status = apply_bootstrap(ads);

    if (status == XDS_OK)
        status = xds_ads_guard(ads, make, &m);
    if (status != XDS_OK || !m.good)
        return status == XDS_OK ? XDS_ERR_USAGE : status;
    ads->report = xds_report_new(&ads->options);
    ads->check = ads->report ? xds_check_new(ads->report, true) : NULL;
    if (!ads->check)
        return XDS_ERR_NO_MEMORY;
    ads->check->model.limit = XDS_MAX_DECODED_BYTES;
    return XDS_OK;
}

enum xds_status xds_ads_new(const struct xds_ads_settings *settings,
                            const struct xds_options *options, struct xds_ads **out,
                            struct xds_ads_note *note)
{
    struct xds_ads *ads = calloc(1, sizeof *ads);

    *out = NULL;
    note->text[0] = '\0';
    if (!ads)
        return XDS_ERR_NO_MEMORY;
    ads->settings = *settings;
    if (ads->settings.resource_ms == 0)
        ads->settings.resource_ms = RESOURCE_MS;
    const enum xds_status status = fill(ads, options);

    if (status == XDS_OK) {
        *out = ads;
        ads->closes_at_end = xds_differs(&ads->options, settings->as.client,
                                         XDS_DIFF_STREAM_CLOSED_AT_END);
        return status;
    }
    *note = ads->fault;
    xds_ads_free(ads);
    return status;
}

static bool all(const struct xds_ads *ads, const struct xds_ads_entry *entry)
{
    (void)ads;
    (void)entry;
    return true;
}

void xds_ads_free(struct xds_ads *ads)
{
    if (!ads)
        return;
    for (unsigned type = XDS_TYPE_LISTENER; type <= XDS_TYPE_ENDPOINT; type++) {
        xds_ads_purge(ads, (enum xds_resource_type)type, all);
        free(ads->list[type].items);
        free(ads->list[type].slots);
        free(ads->list[type].sorted);
        for (size_t i = 0; i < ads->n_streams; i++) {
            free(ads->streams[i].line[type].version.data);
            free(ads->streams[i].line[type].nonce.data);
            free(ads->streams[i].line[type].came.data);
            free(ads->streams[i].line[type].error.data);
        }
    }
    free(ads->walk.grown);
    xds_check_free(ads->check);
    xds_report_free(ads->report);
    xds_arena_release(&ads->sending);
    xds_arena_release(&ads->scratch);
    xds_arena_release(&ads->arena);
    free(ads);
}

/* ---- streams ---- */

size_t xds_ads_streams(const struct xds_ads *ads)
{
    return ads->n_streams;
}

bool xds_ads_is_needed(const struct xds_ads *ads, size_t stream)
{
    for (size_t type = 0; type < XDS_ARRAY_LEN(ads->list); type++)
        for (size_t i = 0; i < ads->list[type].n; i++)
            if (ads->list[type].items[i]->stream == stream &&
                ads->list[type].items[i]->wanted == ads->walk.number)
                return true;
    return false;
}

const char *xds_ads_method(const struct xds_ads *ads)
{
    return ads->settings.delta ? "/envoy.service.discovery.v3.AggregatedDiscoveryService/"
                                 "DeltaAggregatedResources"
                               : "/envoy.service.discovery.v3.AggregatedDiscoveryService/"
                                 "StreamAggregatedResources";
}

void xds_ads_stop_waiting(struct xds_ads *ads, struct xds_ads_entry *entry)
{
    if (entry->deadline != INT64_MAX)
        ads->n_waiting--;
    entry->deadline = INT64_MAX;
}

int64_t xds_ads_deadline(const struct xds_ads *ads)
{
    int64_t first = INT64_MAX;

    for (size_t type = 0; ads->n_waiting > 0 && type < XDS_ARRAY_LEN(ads->list); type++)
        for (size_t i = 0; i < ads->list[type].n; i++)
            if (ads->list[type].items[i]->deadline < first)
                first = ads->list[type].items[i]->deadline;
    return first;
}

static bool has_request(const struct xds_ads_stream *stream)
{
    for (unsigned type = XDS_TYPE_LISTENER; type <= XDS_TYPE_ENDPOINT; type++)
        if (stream->line[type].answers || stream->line[type].changed)
            return true;
    return false;
}

bool xds_ads_is_complete(const struct xds_ads *ads)
{
    if (ads->walk.stale || ads->walk.n_grown > 0 || ads->failed)
        return false;
    for (size_t i = 0; i < ads->n_streams; i++)
        if (ads->streams[i].is_open && has_request(&ads->streams[i]))
            return false;
    for (size_t type = 0; type < XDS_ARRAY_LEN(ads->list); type++)
        for (size_t i = 0; i < ads->list[type].n; i++)
            if (ads->list[type].items[i]->status == XDS_HELD_REQUESTED)
                return false;
    return true;
}

/* ---- what is held ---- */

static struct xds_slice version_of(const struct xds_ads_content *content)
{
    if (!content->message)
        return XDS_S("");
    return content->version.data ? content->version : content->message->version;
}

static void describe(const struct xds_ads_entry *entry, struct xds_ads_resource *out)
{
    const struct xds_ads_content *used = &entry->used, *rejected = &entry->rejected;

    *out = (struct xds_ads_resource){
        .type = entry->type,
        .type_url = xds_ads_type_url(entry->type),
        .name = entry->name,
        .stream = entry->stream,
        .status = entry->status,
        .bytes = used->bytes,
        .version = version_of(used),
        .nonce = used->message ? used->message->nonce : XDS_S(""),
        .updated = used->message ? used->message->came : 0,
        .rejected = rejected->bytes,
        .rejected_version = version_of(rejected),
        .rejected_at = rejected->message ? rejected->message->came : 0,
        .error = xds_slice_of(entry->error ? entry->error : ""),
        .is_late = entry->is_late,
        .deadline = entry->deadline,
    };
}

bool xds_ads_resource_at(const struct xds_ads *ads, size_t i,
                         struct xds_ads_resource *out)
{
    for (size_t type = 0; type < XDS_ARRAY_LEN(ads->list); type++) {
        if (i < ads->list[type].n) {
            describe(ads->list[type].items[i], out);
            return true;
        }
        i -= ads->list[type].n;
    }
    return false;
}
