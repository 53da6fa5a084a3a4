/*
 * nack.c - why a client rejects a resource, and error_detail of a NACK.
 *
 * C-core's text is its own, byte by byte (print/findings/nack.c). That of the others has
 * their shape around our words: what they say has parts of the resource in it, as their
 * own libraries print them.
 *
 * Source: runs of core 1.85.1, go 1.85.0, java 1.85.1 and node 1.14.1, see requests.py
 * and testdata/releases.
 */
#include "ads/inner.h"
#include "clients/clients.h"
#include "print/findings/nack.h"

/* Of one type. */
static const struct words {
    const char *go, *abbreviation, *name;
} words[] = {
    [XDS_TYPE_LISTENER] = {"ListenerResource", "LDS", "Listener"},
    [XDS_TYPE_ROUTE] = {"RouteConfigResource", "RDS", "RouteConfiguration"},
    [XDS_TYPE_CLUSTER] = {"ClusterResource", "CDS", "Cluster"},
    [XDS_TYPE_ENDPOINT] = {"EndpointsResource", "EDS", "ClusterLoadAssignment"},
};

/* ---- one resource ---- */

static struct xds_slice written(struct xds_ads *ads,
                                void (*write)(struct xds_out *out, const void *arg),
                                const void *arg)
{
    struct xds_text text = {.arena = &ads->scratch};
    const struct xds_printer to = xds_text_printer(&text);
    struct xds_out out;

    xds_out_init(&out, &to);
    write(&out, arg);
    if (xds_out_finish(&out) != XDS_OK)
        xds_arena_give_up(&ads->scratch);
    return xds_slice_make(text.data ? text.data : "", text.len);
}

struct core_text {
    struct xds_nack nack;
    bool in_response;
};

static void write_core(struct xds_out *out, const void *arg)
{
    const struct core_text *text = arg;

    xds_out_nack_part(out, text->nack, text->in_response);
}

struct plain_text {
    const struct xds_report *report;
    enum xds_client client;
};

/* What this client rejects, or dies of while it reads it, in the order of the report. */
static void write_plain(struct xds_out *out, const void *arg)
{
    const struct plain_text *text = arg;
    size_t n = 0;

    for (size_t i = 0; i < text->report->n_findings; i++) {
        const struct xds_finding *f = &text->report->findings[i];
        const enum xds_verdict verdict = (enum xds_verdict)f->verdict[text->client];

        if (verdict != XDS_NACK && (verdict != XDS_CRASH || f->rule->crash_in_use))
            continue;
        xds_out_text(out, n++ > 0 ? "; " : "");
        if (verdict == XDS_CRASH)
            xds_out_format(out, "%s dies of it: ", xds_client_name(text->client));
        if (f->path.len > 0) {
            xds_out_raw(out, f->path);
            xds_out_text(out, ": ");
        }
        xds_out_raw(out, f->message);
    }
    if (n == 0)
        xds_out_text(out, "it cannot be read");
}

/* error_detail is text. */
static struct xds_slice as_text(struct xds_ads *ads, struct xds_slice bytes)
{
    char *copy = xds_arena_alloc(&ads->scratch, bytes.len + 1);

    if (xds_utf8_valid(bytes))
        return bytes;
    for (size_t i = 0; i < bytes.len; i++)
        copy[i] = (unsigned char)bytes.data[i] < 0x80 ? bytes.data[i] : '?';
    return xds_slice_make(copy, bytes.len);
}

bool xds_ads_rejects(const struct xds_ads *ads)
{
    const struct xds_report *report = ads->report;
    const struct xds_resource_result *result = &report->resources[0];
    const enum xds_client client = ads->settings.as.client;

    return !ads->settings.always_ack &&
           ((result->nacked_by & XDS_CLIENT_BIT(client)) ||
            (result->crashing & report->readers.of_client[client]));
}

bool xds_ads_is_top(const struct xds_ads *ads, enum xds_resource_type type, bool is_named)
{
    const struct xds_resource_result *result = &ads->report->resources[0];

    /* Of bytes that are no message a client has not even the name. */
    return result->name.len == 0 || xds_resource_type_from_name(result->type) != type ||
           (!is_named && result->undecodable);
}

/* What it says in java's words. */
static struct xds_slice java_words(struct xds_ads *ads, enum xds_resource_type type,
                                   size_t index, const struct xds_ads_reason *reason)
{
    if (reason->is_top)
        return xds_arena_printf(
            &ads->scratch, "%s response Resource index %zu - can't decode %s: %.*s",
            words[type].abbreviation, index, words[type].name, XDS_FMT(reason->alone));
    return xds_arena_printf(&ads->scratch, "%s response %s '%.*s' validation error: %.*s",
                            words[type].abbreviation, words[type].name,
                            XDS_FMT(ads->report->resources[0].name),
                            XDS_FMT(reason->alone));
}

struct xds_ads_reason xds_ads_reason(struct xds_ads *ads, enum xds_resource_type type,
                                     size_t index, bool is_top)
{
    const struct xds_report *report = ads->report;
    const enum xds_client client = ads->settings.as.client;
    struct xds_ads_reason reason;
    struct xds_nacks nacks;
    struct core_text core = {.in_response = true};

    const struct xds_slice plain =
        as_text(ads, written(ads, write_plain, &(struct plain_text){report, client}));

    reason = (struct xds_ads_reason){plain, plain, is_top};
    switch (ads->client.words) {
    case XDS_ADS_WORDS_CORE:
        xds_nacks_init(&nacks, &ads->scratch, report);
        core.nack = xds_nack_of(&nacks, 0);
        if (core.nack.n == 0)
            break;
        reason.in_nack = as_text(ads, written(ads, write_core, &core));
        core.in_response = false;
        reason.alone = as_text(ads, written(ads, write_core, &core));
        break;
    case XDS_ADS_WORDS_GO:
        if (!reason.is_top)
            reason.in_nack = xds_arena_printf(&ads->scratch, "resource \"%.*s\": %.*s",
                                              XDS_FMT(report->resources[0].name),
                                              XDS_FMT(reason.alone));
        break;
    case XDS_ADS_WORDS_JAVA:
        reason.in_nack = java_words(ads, type, index, &reason);
        break;
    case XDS_ADS_WORDS_PLAIN:
        reason.in_nack = xds_arena_printf(&ads->scratch, "resource index %zu: %.*s",
                                          index, XDS_FMT(reason.alone));
        break;
    }
    return reason;
}

/* ---- the response ---- */

void xds_ads_nack_begin(const struct xds_ads *ads, enum xds_resource_type type,
                        struct xds_text *text)
{
    switch (ads->client.words) {
    case XDS_ADS_WORDS_GO:
        xds_text_printf(text, "error parsing \"%s\" response: ", words[type].go);
        break;
    case XDS_ADS_WORDS_JAVA:
        break;
    case XDS_ADS_WORDS_PLAIN:
    case XDS_ADS_WORDS_CORE:
        xds_text_add(text, XDS_S("xDS response validation errors: ["));
        break;
    }
}

void xds_ads_nack_add(const struct xds_ads *ads, struct xds_text *text, size_t n,
                      const struct xds_ads_reason *reason)
{
    switch (ads->client.words) {
    case XDS_ADS_WORDS_GO:
        xds_text_add(text, n > 0 ? XDS_S(";\n") : XDS_S(""));
        xds_text_add(text, reason->is_top ? XDS_S("top level errors: ") : XDS_S(""));
        break;
    case XDS_ADS_WORDS_JAVA:
        xds_text_add(text, n > 0 ? XDS_S("\n") : XDS_S(""));
        break;
    case XDS_ADS_WORDS_PLAIN:
    case XDS_ADS_WORDS_CORE:
        xds_text_add(text, n > 0 ? XDS_S("; ") : XDS_S(""));
        break;
    }
    xds_text_add(text, reason->in_nack);
}

void xds_ads_nack_end(const struct xds_ads *ads, struct xds_text *text)
{
    const enum xds_ads_words style = ads->client.words;

    if (style == XDS_ADS_WORDS_PLAIN || style == XDS_ADS_WORDS_CORE)
        xds_text_add(text, XDS_S("]"));
}
