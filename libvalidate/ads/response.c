/*
 * response.c - a message that came: each resource judged, used or not, and what the
 * answer says.
 *
 * A resource is judged as in a lint, by the one client that asks. One that is good is
 * used, whatever else is in the response; one that is not leaves the version before in
 * use.
 *
 * Source: gRFC A27, A30, A53, A88; runs of clients, see clients.def.
 */
#include <stdio.h>
#include <stdlib.h>

#include "ads/inner.h"
#include "base/limits.h"
#include "source/held.h"
#include "source/wire/wire_field.h"

/* DiscoveryResponse and DeltaDiscoveryResponse. */
enum { VERSION = 1, RESOURCES = 2, TYPE = 4, NONCE = 5, REMOVED = 6 };
/* Resource */
enum { RESOURCE_VERSION = 1, RESOURCE_ANY = 2, RESOURCE_NAME = 3 };

struct reading {
    struct xds_ads *ads;
    struct xds_ads_stream *stream;
    size_t number; /* of the stream */
    struct xds_ads_message *message;
    struct xds_slice bytes;
    struct xds_slice type_url;
    enum xds_resource_type type;
    size_t n;             /* resources */
    size_t index;         /* of the one that is read */
    size_t removed;       /* names that are removed */
    size_t good, n_error; /* resources that were asked for; that are rejected */
    struct xds_text error;
    bool is_taken, is_stopped, is_too_many;
};

/* ---- the message ---- */

static bool is_bytes(const struct xds_wire_field *field, uint32_t number)
{
    return field->number == number && field->type == XDS_WIRE_BYTES;
}

/* Names and the like, which hold resources together; false when it is no message. */
static bool read_head(struct reading *r)
{
    struct xds_slice rest = r->bytes, value;
    struct xds_wire_field field;

    r->message->version = r->message->nonce = r->type_url = XDS_S("");
    while (rest.len > 0) {
        if (!xds_wire_next(&rest, &field, &value))
            return false;
        r->n += is_bytes(&field, RESOURCES);
        if (field.type != XDS_WIRE_BYTES || field.number == RESOURCES)
            continue;
        if ((field.number == VERSION || field.number == TYPE || field.number == NONCE ||
             (field.number == REMOVED && r->ads->settings.delta)) &&
            !xds_utf8_valid(value))
            return false;
        if (field.number == VERSION)
            r->message->version = value;
        else if (field.number == TYPE)
            r->type_url = value;
        else if (field.number == NONCE)
            r->message->nonce = value;
    }
    return true;
}

static bool read_delta_resource(struct xds_slice rest, struct xds_slice *any,
                                struct xds_slice *name, struct xds_slice *version)
{
    struct xds_wire_field field;
    struct xds_slice value;

    *any = *name = *version = XDS_S("");
    while (rest.len > 0) {
        if (!xds_wire_next(&rest, &field, &value))
            return false;
        if (is_bytes(&field, RESOURCE_VERSION))
            *version = value;
        else if (is_bytes(&field, RESOURCE_ANY))
            *any = value;
        else if (is_bytes(&field, RESOURCE_NAME))
            *name = value;
    }
    return xds_utf8_valid(*name) && xds_utf8_valid(*version);
}

/* ---- what becomes of an entry ---- */

static void set_error(struct xds_ads *ads, struct xds_ads_entry *entry,
                      struct xds_slice text)
{
    char *copy = NULL;

    text = xds_slice_clip(text, XDS_MAX_HELD_ERROR);
    if (text.len > 0) {
        copy = xds_arena_realloc(&ads->scratch, NULL, text.len + 1, 1);
        memcpy(copy, text.data, text.len);
        copy[text.len] = '\0';
    }
    free(entry->error);
    entry->error = copy;
}

static bool handles_data_errors(const struct xds_ads *ads)
{
    return xds_env_on(&ads->options, XDS_ENV_DATA_ERROR_HANDLING,
                      ads->settings.as.client);
}

static void accept(struct reading *r, struct xds_ads_entry *entry, struct xds_slice bytes,
                   struct xds_slice version, const void *model)
{
    xds_ads_hold(&entry->used, r->message, bytes, version);
    xds_ads_let_go(&entry->rejected);
    set_error(r->ads, entry, XDS_S(""));
    entry->status = XDS_HELD_ACKED;
    entry->is_late = false;
    xds_ads_lead(r->ads, entry, model);
}

static void reject(struct reading *r, struct xds_ads_entry *entry, struct xds_slice bytes,
                   struct xds_slice version, struct xds_slice error)
{
    xds_ads_hold(&entry->rejected, r->message, bytes, version);
    set_error(r->ads, entry, error);
    entry->status = XDS_HELD_NACKED;
    entry->is_late = false;
    if (handles_data_errors(r->ads) && r->stream->fails_on_data_errors) {
        xds_ads_let_go(&entry->used);
        xds_ads_lead(r->ads, entry, NULL);
    }
}

static void remove_entry(struct reading *r, struct xds_ads_entry *entry)
{
    const bool keeps = handles_data_errors(r->ads) ? !r->stream->fails_on_data_errors
                                                   : r->stream->ignores_deletion;

    if (entry->used.message && keeps)
        return;
    xds_ads_let_go(&entry->used);
    xds_ads_let_go(&entry->rejected);
    set_error(r->ads, entry, XDS_S(""));
    entry->status = XDS_HELD_DOES_NOT_EXIST;
    entry->is_late = false;
    xds_ads_stop_waiting(r->ads, entry);
    xds_ads_lead(r->ads, entry, NULL);
}

/* ---- one resource ---- */

static bool has_room(const struct reading *r)
{
    return r->error.len < XDS_MAX_NACK_BYTES;
}

static void add_error(struct reading *r, const struct xds_ads_reason *reason)
{
    if (has_room(r))
        xds_ads_nack_add(r->ads, &r->error, r->n_error, reason);
    r->n_error++;
    /* It becomes no resource's error. */
    if (reason->is_top && reason->alone.data)
        (void)snprintf(r->ads->fault.text, sizeof r->ads->fault.text,
                       "a resource whose name is not known is rejected (NACK): %.*s",
                       XDS_FMT(xds_slice_clip(reason->alone, 150)));
}

static bool judges_unasked(const struct reading *r)
{
    static const char letters[] = {[XDS_TYPE_LISTENER] = 'L',
                                   [XDS_TYPE_ROUTE] = 'R',
                                   [XDS_TYPE_CLUSTER] = 'C',
                                   [XDS_TYPE_ENDPOINT] = 'E'};

    return strchr(r->ads->client.unasked, letters[r->type]) != NULL;
}

/* The entry that a resource is for, if it was asked for here. */
static struct xds_ads_entry *entry_of(const struct reading *r, bool is_top)
{
    const struct xds_resource_result *result = &r->ads->report->resources[0];
    const bool is_typed = xds_resource_type_from_name(result->type) == r->type;
    struct xds_ads_entry *entry =
        is_typed ? xds_ads_find(&r->ads->list[r->type], result->name) : NULL;
    const bool is_asked =
        entry && entry->stream == r->number && entry->wanted == r->ads->walk.number;

    return is_asked && !(is_top && xds_ads_rejects(r->ads)) ? entry : NULL;
}

/* What a client says of a resource that it rejects, unless there is no place for it. */
static struct xds_ads_reason why(struct reading *r, const struct xds_ads_entry *entry,
                                 bool is_top)
{
    if (entry || has_room(r))
        return xds_ads_reason(r->ads, r->type, r->index, is_top);
    return (struct xds_ads_reason){.is_top = is_top};
}

/* It is in the report alone, and its model in the arena of the check. */
static void take_judged(struct reading *r, const struct xds_resource *in,
                        struct xds_slice version)
{
    struct xds_ads *ads = r->ads;
    const bool is_named = in->name.len > 0 || in->wrapper != XDS_WRAPPER_NONE;
    const bool is_rejected = xds_ads_rejects(ads);
    const bool is_top = xds_ads_is_top(ads, r->type, is_named);
    struct xds_ads_entry *entry = entry_of(r, is_top);
    struct xds_ads_reason reason = {.is_top = is_top};

    if (is_rejected && (entry || is_top || judges_unasked(r))) {
        reason = why(r, entry, is_top);
        add_error(r, &reason);
    }
    if (!entry)
        return;
    entry->seen = ads->response;
    xds_ads_stop_waiting(ads, entry);
    if (is_rejected) {
        reject(r, entry, in->bytes, version, reason.alone);
        return;
    }
    r->good++;
    accept(r, entry, in->bytes, version,
           ads->result.entry.type == r->type ? ads->result.entry.model : NULL);
}

static bool judge(struct reading *r, struct xds_resource *in)
{
    struct xds_ads *ads = r->ads;
    struct xds_check *check = ads->check;

    xds_check_forget(check);
    xds_arena_reset(&check->model);
    ads->result = (struct xds_check_result){.entry = {.type = XDS_TYPE_UNKNOWN}};
    check->result = &ads->result;
    check->n_of_type[in->expected.len > 0 ? r->type : in->type] = (uint32_t)r->index;
    in->at = (struct xds_place){0, 1, 1, 1, 1};
    return xds_check_resource(check, in) == XDS_OK;
}

static void take_resource(struct reading *r, struct xds_slice value)
{
    struct xds_slice any = value, name = {NULL, 0}, version = {NULL, 0};
    struct xds_resource in;

    if (r->ads->settings.delta && !read_delta_resource(value, &any, &name, &version))
        return;
    if (!xds_binary_of_any(any, r->type_url, &in))
        return;
    if (name.len > 0 && in.wrapper == XDS_WRAPPER_NONE)
        in.name = xds_arena_keep_nul(&r->ads->scratch, name);
    if (!judge(r, &in))
        xds_arena_give_up(&r->ads->scratch);
    take_judged(r, &in, version);
    r->index++;
}

static void take_removed(struct reading *r, struct xds_slice name)
{
    struct xds_ads_entry *entry = xds_ads_find(&r->ads->list[r->type], name);

    if (entry && entry->stream == r->number && entry->wanted == r->ads->walk.number &&
        entry->seen != r->ads->response)
        remove_entry(r, entry);
}

static bool is_stopped(struct reading *r)
{
    r->is_stopped = r->ads->stop.asked && r->ads->stop.asked(r->ads->stop.user);
    return r->is_stopped;
}

/* What one resource needs is given back before the next. */
static void take_all(struct reading *r)
{
    struct xds_slice rest = r->bytes, value;
    struct xds_wire_field field;

    while (rest.len > 0 && !is_stopped(r) && xds_wire_next(&rest, &field, &value)) {
        xds_arena_reset(&r->ads->scratch);
        if (is_bytes(&field, RESOURCES))
            take_resource(r, value);
        else if (is_bytes(&field, REMOVED) && r->ads->settings.delta) {
            take_removed(r, xds_arena_keep_nul(&r->ads->scratch, value));
            r->removed++;
        }
    }
}

/* A listener or cluster that was there and is not in the response is gone; one that has
 * never come may be in the next one. */
static void remove_absent(struct reading *r)
{
    const struct xds_ads_list *list = &r->ads->list[r->type];

    if (r->ads->settings.delta ||
        (r->type != XDS_TYPE_LISTENER && r->type != XDS_TYPE_CLUSTER))
        return;
    for (size_t i = 0; i < list->n; i++)
        if (list->items[i]->stream == r->number && list->items[i]->used.message &&
            list->items[i]->seen != r->ads->response)
            remove_entry(r, list->items[i]);
}

/* ---- the answer ---- */

static void answer(struct reading *r)
{
    struct xds_ads *ads = r->ads;
    struct xds_ads_line *line = &r->stream->line[r->type];

    line->answers = ++ads->answer;
    xds_ads_set_text(ads, &line->nonce, r->message->nonce);
    line->has_error = r->n_error > 0;
    if (r->n_error > 0) {
        xds_ads_nack_end(ads, &r->error);
        xds_ads_set_text(ads, &line->error, xds_slice_make(r->error.data, r->error.len));
    }
    if (!ads->settings.delta && (r->n_error == 0 || (ads->client.moves && r->good > 0)))
        xds_ads_set_text(ads, &line->version, r->message->version);
    xds_ads_set_text(ads, &line->came, r->message->version);
    ads->verdict = (struct xds_ads_verdict){
        .type_url = xds_ads_type_url(r->type),
        .version = xds_ads_text(&line->came),
        .nonce = xds_ads_text(&line->nonce),
        .resources = r->index,
        .removed = r->removed,
        .rejected = r->n_error,
        .error = r->n_error > 0 ? xds_ads_text(&line->error) : XDS_S(""),
    };
}

/* ---- what cannot be taken ---- */

static void refuse(struct reading *r, enum xds_ads_odd odd, const char *what,
                   struct xds_slice name)
{
    static const char *const deeds[] = {
        [XDS_ADS_IGNORES] = "ignores it",
        [XDS_ADS_STALLS] = "keeps the stream and reads no more of it",
        [XDS_ADS_RESTARTS] = "ends the stream and begins another one",
    };

    r->is_taken = false;
    (void)snprintf(r->ads->fault.text, sizeof r->ads->fault.text, "%s%.*s%s: %s %s", what,
                   XDS_FMT(xds_slice_clip(name, 100)), name.data ? "\"" : "",
                   xds_client_name(r->ads->settings.as.client), deeds[odd]);
}

static bool can_be_taken(struct reading *r)
{
    const struct xds_ads_client *client = &r->ads->client;

    r->is_taken = true;
    if (!read_head(r)) {
        refuse(r, client->on_garbage, "the message is no discovery response",
               xds_slice_make(NULL, 0));
        return false;
    }
    r->type = xds_resource_type_from_name(r->type_url);
    if (r->n > XDS_MAX_RESOURCES) {
        r->is_taken = false;
        r->is_too_many = true;
        (void)snprintf(r->ads->fault.text, sizeof r->ads->fault.text,
                       "a response of %zu resources is not read: more than %d", r->n,
                       XDS_MAX_RESOURCES);
    } else if (!r->type || !xds_slice_eq(r->type_url, xds_ads_type_url(r->type)))
        refuse(r, client->on_unknown, "a response of a type that gRPC does not know, \"",
               r->type_url);
    else if (!r->stream->line[r->type].asked)
        refuse(r, client->on_type, "a response of a type that was not asked for, \"",
               r->type_url);
    return r->is_taken;
}

static void read_response(void *arg)
{
    struct reading *r = arg;
    struct xds_ads *ads = r->ads;

    if (!can_be_taken(r))
        return;
    r->error.arena = &ads->sending;
    xds_ads_nack_begin(ads, r->type, &r->error);
    ads->response++;
    if (ads->settings.delta)
        r->message->version = XDS_S("");
    take_all(r);
    if (r->is_stopped)
        return;
    remove_absent(r);
    answer(r);
    ads->has_thin |= xds_ads_is_thin(r->message);
    xds_ads_compact(ads);
}

enum xds_status xds_ads_response(struct xds_ads *ads, size_t stream, int64_t now,
                                 char *data, size_t size)
{
    struct xds_ads_message *message = calloc(1, sizeof *message);
    struct reading r = {.ads = ads,
                        .stream = &ads->streams[stream],
                        .number = stream,
                        .message = message,
                        .bytes = xds_slice_make(data, size)};

    if (!message) {
        free(data);
        ads->failed = true;
        return XDS_ERR_NO_MEMORY;
    }
    *message = (struct xds_ads_message){.data = data,
                                        .size = size,
                                        .holders = 1,
                                        .is_thin = &ads->has_thin,
                                        .came = xds_ads_now(ads, now)};
    const enum xds_status status = xds_ads_guard(ads, read_response, &r);

    xds_ads_message_done(message);
    if (status != XDS_OK)
        return status;
    if (!r.is_taken)
        return r.is_too_many ? XDS_ERR_IO : XDS_ERR_USAGE;
    return r.is_stopped ? XDS_END : XDS_OK;
}

void xds_ads_stop_when(struct xds_ads *ads, bool (*stop)(void *user), void *user)
{
    ads->stop.asked = stop;
    ads->stop.user = user;
}

struct xds_ads_verdict xds_ads_verdict(const struct xds_ads *ads)
{
    return ads->verdict;
}

const char *xds_ads_fault(const struct xds_ads *ads)
{
    return ads->fault.text;
}
