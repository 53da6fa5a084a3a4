/*
 * dump.c - what is held as a dump of a client, and as responses.
 *
 * Messages are written as they are made, and counted before: what is held is not copied.
 *
 * Source: envoy.service.status.v3 (csds.proto), envoy.admin.v3
 * (config_dump_shared.proto).
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "ads/inner.h"
#include "print/write/json.h"

enum { CONFIG = 1 };                    /* ClientStatusResponse */
enum { NODE = 1, GENERIC_CONFIGS = 3 }; /* ClientConfig */
enum {
    TYPE_URL = 1,
    NAME,
    VERSION,
    RESOURCE,
    UPDATED,
    STATUS = 7,
    ERROR
};                                                     /* its entry */
enum { FAILED = 1, ATTEMPT, DETAILS, FAILED_VERSION }; /* UpdateFailureState */
enum { ANY_TYPE = 1, ANY_VALUE };
enum { SECONDS = 1, NANOS };

static void put_time(struct xds_ads_out *out, const void *arg)
{
    const int64_t *at = arg;

    if (*at / 1000)
        xds_ads_put_uint(out, SECONDS, (uint64_t)(*at / 1000));
    if (*at % 1000)
        xds_ads_put_uint(out, NANOS, (uint64_t)(*at % 1000) * 1000000);
}

struct any {
    struct xds_slice type_url, value;
};

static void put_any(struct xds_ads_out *out, const void *arg)
{
    const struct any *any = arg;

    xds_ads_put_text(out, ANY_TYPE, any->type_url);
    if (any->value.len > 0)
        xds_ads_put_bytes(out, ANY_VALUE, any->value);
}

static void put_error(struct xds_ads_out *out, const void *arg)
{
    const struct xds_ads_resource *r = arg;

    if (r->rejected.data) {
        xds_ads_put_message(out, FAILED, put_any,
                            &(struct any){r->type_url, r->rejected});
        xds_ads_put_message(out, ATTEMPT, put_time, &r->rejected_at);
    }
    xds_ads_put_text(out, DETAILS, r->error);
    xds_ads_put_text(out, FAILED_VERSION, r->rejected_version);
}

static void put_resource(struct xds_ads_out *out, const void *arg)
{
    const struct xds_ads_resource *r = arg;

    xds_ads_put_text(out, TYPE_URL, r->type_url);
    xds_ads_put_text(out, NAME, r->name);
    xds_ads_put_text(out, VERSION, r->version);
    if (r->bytes.data) {
        xds_ads_put_message(out, RESOURCE, put_any, &(struct any){r->type_url, r->bytes});
        xds_ads_put_message(out, UPDATED, put_time, &r->updated);
    }
    xds_ads_put_uint(out, STATUS, r->status);
    if (r->error.len > 0)
        xds_ads_put_message(out, ERROR, put_error, r);
}

static void put_config(struct xds_ads_out *out, const void *arg)
{
    const struct xds_ads *ads = arg;
    struct xds_ads_resource r;

    xds_ads_put_bytes(out, NODE, ads->dump_node);
    for (size_t i = 0; xds_ads_resource_at(ads, i, &r); i++)
        xds_ads_put_message(out, GENERIC_CONFIGS, put_resource, &r);
}

enum xds_status xds_ads_write_dump(const struct xds_ads *ads,
                                   const struct xds_printer *to)
{
    struct xds_ads_out out = {.to = to};

    xds_ads_put_message(&out, CONFIG, put_config, ads);
    return out.failed ? XDS_ERR_IO : XDS_OK;
}

enum { RESPONSE_VERSION = 1, RESPONSE_RESOURCES, RESPONSE_TYPE = 4, RESPONSE_NONCE };

enum xds_status xds_ads_write_response(const struct xds_ads *ads, size_t stream,
                                       enum xds_resource_type type,
                                       const struct xds_printer *to)
{
    struct xds_ads_out out = {.to = to};
    const struct xds_slice type_url = xds_ads_type_url(type);
    const struct xds_ads_line *line = &ads->streams[stream].line[type];
    struct xds_ads_resource r;
    size_t n = 0;

    for (size_t i = 0; xds_ads_resource_at(ads, i, &r); i++) {
        if (r.type != type || r.stream != stream || !r.bytes.data)
            continue;
        if (n++ == 0)
            xds_ads_put_text(&out, RESPONSE_VERSION, xds_ads_text(&line->version));
        xds_ads_put_message(&out, RESPONSE_RESOURCES, put_any,
                            &(struct any){type_url, r.bytes});
    }
    if (n == 0)
        return XDS_END;
    xds_ads_put_text(&out, RESPONSE_TYPE, type_url);
    xds_ads_put_text(&out, RESPONSE_NONCE, xds_ads_text(&line->nonce));
    return out.failed ? XDS_ERR_IO : XDS_OK;
}

/* ---- versions ---- */

struct time_text {
    char text[40];
};

static struct time_text time_text(int64_t ms)
{
    const time_t seconds = (time_t)(ms / 1000);
    struct time_text out = {""};
    struct tm parts;
    size_t n = 0;

    if (gmtime_r(&seconds, &parts))
        n = strftime(out.text, sizeof out.text, "%FT%T", &parts);
    (void)snprintf(out.text + n, sizeof out.text - n, ".%03dZ", (int)(ms % 1000));
    return out;
}

static void put_version(struct xds_out *out, const struct xds_ads_resource *r)
{
    xds_json_begin_object(xds_json_line(out));
    xds_json_key_string(out, "type_url", r->type_url);
    xds_json_key_string(out, "name", r->name);
    if (r->version.len > 0)
        xds_json_key_string(out, "version_info", r->version);
    if (r->nonce.len > 0)
        xds_json_key_string(out, "nonce", r->nonce);
    if (r->updated > 0)
        xds_json_key_string(out, "last_updated",
                            xds_slice_of(time_text(r->updated).text));
    xds_json_key_string(out, "client_status",
                        xds_slice_of(xds_held_status_name(r->status)));
    if (r->error.len > 0) {
        xds_json_key_object(out, "error_state");
        if (r->rejected_at > 0)
            xds_json_key_string(out, "last_update_attempt",
                                xds_slice_of(time_text(r->rejected_at).text));
        xds_json_key_string(out, "details", r->error);
        if (r->rejected_version.len > 0)
            xds_json_key_string(out, "version_info", r->rejected_version);
        xds_json_end_object(out);
    }
    xds_json_end_object(out);
}

enum xds_status xds_ads_write_versions(const struct xds_ads *ads,
                                       const struct xds_printer *to)
{
    struct xds_ads_resource r;
    struct xds_out out;

    xds_out_init(&out, to);
    xds_json_begin_object(&out);
    xds_json_key_array(&out, "config");
    xds_json_begin_object(&out);
    xds_json_key_array(&out, "generic_xds_configs");
    for (size_t i = 0; xds_ads_resource_at(ads, i, &r); i++)
        put_version(&out, &r);
    xds_json_end_array(&out);
    xds_json_end_object(&out);
    xds_json_end_array(&out);
    xds_json_end_object(&out);
    xds_out_char(&out, '\n');
    return xds_out_finish(&out);
}
