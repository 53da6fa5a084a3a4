/*
 * request_json.c - one RPC from a JSON object, as on a line of --requests.
 *
 * Takes:  members named as the options of `explain`, with underscores: "path",
 *         "headers", "cookie_host"; a list may be given as one text.
 * Gives:  the same struct xds_request as the options.
 * Fails:  with one sentence for a member that is unknown or of the wrong type.
 */
#include "cli/request_json.h"

#include "cli/cookie.h"
#include "cli/state.h"

#include <cjson/cJSON.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* False: the member is not what it should be. */
typedef bool read_fn(struct request *request, const cJSON *value, size_t offset);

static bool read_text(struct request *request, const cJSON *value, size_t offset)
{
    if (!cJSON_IsString(value))
        return false;
    const struct xds_slice text = slice_of(value->valuestring);
    memcpy((char *)&request->rpc + offset, &text, sizeof text);
    return true;
}

/* ---- headers -------------------------------------------------------------------- */

static bool read_pair(struct request *request, const cJSON *pair)
{
    const cJSON *name = cJSON_GetArrayItem(pair, 0);
    const cJSON *value = cJSON_GetArrayItem(pair, 1);

    if (cJSON_GetArraySize(pair) != 2 || !cJSON_IsString(name) || !cJSON_IsString(value))
        return false;
    return request_add_header(request, slice_of(name->valuestring),
                              slice_of(value->valuestring));
}

/* [["k", "v"], ...] keeps an order and may repeat a name; {"k": "v"} is shorter. */
static bool read_headers(struct request *request, const cJSON *value, size_t offset)
{
    const cJSON *item;

    (void)offset;
    if (!cJSON_IsArray(value) && !cJSON_IsObject(value))
        return false;
    cJSON_ArrayForEach(item, value)
    {
        if (cJSON_IsArray(value) && !read_pair(request, item))
            return false;
        if (cJSON_IsObject(value) &&
            (!cJSON_IsString(item) || !request_add_header(request, slice_of(item->string),
                                                          slice_of(item->valuestring))))
            return false;
    }
    return true;
}

/* ---- lists of text -------------------------------------------------------------- */

typedef bool item_fn(struct request *request, const char *text, size_t offset);

static bool each_text(struct request *request, const cJSON *value, item_fn *item,
                      size_t offset)
{
    const cJSON *element;

    if (cJSON_IsString(value))
        return item(request, value->valuestring, offset);
    if (!cJSON_IsArray(value))
        return false;
    cJSON_ArrayForEach(element, value)
    {
        if (!cJSON_IsString(element) || !item(request, element->valuestring, offset))
            return false;
    }
    return true;
}

static bool add_cookie(struct request *request, const char *text, size_t offset)
{
    const size_t len = strcspn(text, "=");

    (void)offset;
    return len > 0 && text[len] == '=' &&
           request_add_cookie(request, (struct xds_slice){text, len},
                              slice_of(text + len + 1));
}

static bool read_cookies(struct request *request, const cJSON *value, size_t offset)
{
    return each_text(request, value, add_cookie, offset);
}

static bool assume(struct request *request, const char *text, size_t state)
{
    return request_assume(request, slice_of(text), (enum xds_connectivity)state);
}

static bool read_states(struct request *request, const cJSON *value, size_t state)
{
    return each_text(request, value, assume, state);
}

/* ---- numbers -------------------------------------------------------------------- */

/* As text, since JSON numbers lose digits; a small whole number will do as well. */
static bool read_u64(const cJSON *value, uint64_t *number)
{
    const double exact = 9007199254740992.0; /* 2^53 */

    if (cJSON_IsNumber(value)) {
        *number = value->valuedouble >= 0 && value->valuedouble <= exact
                      ? (uint64_t)value->valuedouble
                      : 0;
        return (double)*number == value->valuedouble;
    }
    return cJSON_IsString(value) && request_read_u64(value->valuestring, number);
}

static bool read_channel_id(struct request *request, const cJSON *value, size_t offset)
{
    (void)offset;
    return request->rpc.has_channel_id = read_u64(value, &request->rpc.channel_id);
}

static bool read_hash(struct request *request, const cJSON *value, size_t offset)
{
    (void)offset;
    return request->rpc.has_hash = read_u64(value, &request->rpc.hash);
}

static bool read_random(struct request *request, const cJSON *value, size_t offset)
{
    const cJSON *item;

    (void)offset;
    if (!cJSON_IsArray(value))
        return false;
    request->rpc.n_random = 0;
    cJSON_ArrayForEach(item, value)
    {
        if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0 && item->valuedouble < 1) ||
            !request_add_random(request, item->valuedouble))
            return false;
    }
    return true;
}

/* ---- the session cookie ---------------------------------------------------------- */

/* cookie_host and cookie_cluster make one value; see encode_cookie(). */
static bool is_cookie_part(struct request *request, const cJSON *value, size_t offset)
{
    (void)request, (void)offset;
    return cJSON_IsString(value) || cJSON_IsArray(value);
}

static bool list_texts(const cJSON *value, struct text_list *list)
{
    const cJSON *item;

    list->items = calloc((size_t)cJSON_GetArraySize(value) + 1, sizeof *list->items);
    if (!list->items)
        return false;
    if (cJSON_IsString(value))
        list->items[list->n++] = value->valuestring;
    cJSON_ArrayForEach(item, value)
    {
        if (!cJSON_IsString(item))
            return false;
        list->items[list->n++] = item->valuestring;
    }
    return true;
}

/* The value of a session cookie, which the route will name. */
static bool encode_cookie(struct request *request, const cJSON *object)
{
    const cJSON *hosts = cJSON_GetObjectItemCaseSensitive(object, "cookie_host");
    const cJSON *cluster = cJSON_GetObjectItemCaseSensitive(object, "cookie_cluster");
    struct text_list list = {0};

    if (!hosts)
        return cluster == NULL;
    const bool ok = list_texts(hosts, &list) && (!cluster || cJSON_IsString(cluster));
    free(request->cookie_value);
    request->cookie_value =
        ok ? cookie_value(&list, cluster ? cluster->valuestring : NULL) : NULL;
    free(list.items);
    return request->cookie_value != NULL;
}

/* ---- the object ----------------------------------------------------------------- */

/* "state" is read before all others, see read_state(). */
static bool is_read_already(struct request *request, const cJSON *value, size_t offset)
{
    (void)request, (void)value, (void)offset;
    return true;
}

#define RPC(member) offsetof(struct xds_request, member)

static const struct member {
    const char *name;
    read_fn *read;
    size_t offset;
    const char *wanted;
} members[] = {
    {"target", read_text, RPC(target), "text"},
    {"listener", read_text, RPC(listener), "text"},
    {"authority", read_text, RPC(authority), "text"},
    {"path", read_text, RPC(path), "text"},
    {"headers", read_headers, 0, "a list of [\"name\", \"value\"] or an object of texts"},
    {"cookie", read_cookies, 0, "\"NAME=VALUE\" or a list of that"},
    {"cookie_host", is_cookie_part, 0, "an address or a list of them"},
    {"cookie_cluster", is_cookie_part, 0, "text"},
    {"channel_id", read_channel_id, 0, "an unsigned 64-bit number, as text"},
    {"hash", read_hash, 0, "an unsigned 64-bit number, as text"},
    {"random", read_random, 0, "a list of numbers in [0,1)"},
    {"down", read_states, XDS_STATE_TRANSIENT_FAILURE, "an address or a list of them"},
    {"idle", read_states, XDS_STATE_IDLE, "an address or a list of them"},
    {"connecting", read_states, XDS_STATE_CONNECTING, "an address or a list of them"},
    {"state", is_read_already, 0, "an object of addresses and states"},
    {"observed_host", read_text, RPC(observed_host), "text"},
    {"why_not", read_text, RPC(why_not), "text"},
};

static const struct member *find_member(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(members); i++)
        if (strcmp(members[i].name, name) == 0)
            return &members[i];
    return NULL;
}

/* "down" and its like count more than "state", wherever they stand. */
static bool read_state(struct request *request, const cJSON *object,
                       char error[OPTIONS_ERROR_SIZE])
{
    const cJSON *state = cJSON_GetObjectItemCaseSensitive(object, "state");
    char detail[OPTIONS_ERROR_SIZE];

    if (!state || state_from_json(request, state, detail))
        return true;
    return request_complain(error, "\"state\": %.300s", detail);
}

/* What the line names counts, not what the options name in its place. */
static bool settle_listener(struct request *request, const cJSON *object,
                            char error[OPTIONS_ERROR_SIZE])
{
    const bool target = cJSON_HasObjectItem(object, "target");
    const bool listener = cJSON_HasObjectItem(object, "listener");

    if (target && listener)
        return request_complain(error, "\"target\" or \"listener\", not both");
    if (target)
        request->rpc.listener = slice_of(NULL);
    if (listener)
        request->rpc.target = slice_of(NULL);
    return true;
}

/* Known members are few, so that the search for an earlier one is short. */
static bool read_member(struct request *request, const cJSON *object, const cJSON *item,
                        char error[OPTIONS_ERROR_SIZE])
{
    const struct member *member = find_member(item->string);

    if (!member)
        return request_complain(error, "no member \"%.60s\" in a request", item->string);
    if (cJSON_GetObjectItemCaseSensitive(object, item->string) != item)
        return request_complain(error, "\"%s\" stands there twice", member->name);
    if (!member->read(request, item, member->offset))
        return request_complain(error, "\"%s\" must be %s", member->name, member->wanted);
    return true;
}

bool request_from_json(struct request *request, const cJSON *object,
                       char error[OPTIONS_ERROR_SIZE])
{
    const cJSON *item;

    if (!cJSON_IsObject(object))
        return request_complain(error, "a request is a JSON object");
    if (!read_state(request, object, error))
        return false;
    cJSON_ArrayForEach(item, object)
    {
        if (!read_member(request, object, item, error))
            return false;
    }
    if (!encode_cookie(request, object))
        return request_complain(
            error, "\"cookie_cluster\" is a text beside \"cookie_host\", addresses");
    return settle_listener(request, object, error);
}
