/* decision_config_json.c - the keys of `explain -f json` about the matched route. */
#include "model/names.h"
#include "print/decision_parts.h"
#include "print/json_member.h"

static void begin_key(struct xds_out *out, const char *key)
{
    xds_json_line(out);
    xds_json_key(out, key);
}

/* Null unless it exists. */
static bool begin_object(struct xds_out *out, const char *key, bool exists)
{
    xds_json_key(out, key);
    if (exists)
        xds_json_begin_object(out);
    else
        xds_json_null(out);
    return exists;
}

static void key_seconds(struct xds_out *out, const char *key, int64_t ns)
{
    xds_json_key(out, key);
    xds_json_double(out, (double)ns / 1e9);
}

/* ---- filters ---- */

static void write_filter(struct xds_out *out, const struct xds_filter_use *use)
{
    xds_json_line(out);
    xds_json_begin_object(out);
    xds_json_key_string_or_null(out, "name", use->filter->name);
    xds_json_key_string_or_null(out, "type", use->filter->type);
    xds_json_key_string_or_null(out, "config_from",
                                xds_slice_of(xds_config_level_name(use->from)));
    xds_json_key_bool(out, "disabled", use->disabled);
    xds_json_key_bool(out, "dropped", use->dropped);
    xds_json_key_string_or_null(out, "reason", use->reason);
    xds_json_end_object(out);
}

static void write_filters(struct xds_out *out, const struct xds_decision_config *c)
{
    begin_key(out, "filters");
    if (!c) {
        xds_json_null(out);
        return;
    }
    xds_json_begin_array(out);
    for (size_t i = 0; i < c->n_filters; i++)
        write_filter(out, &c->filters[i]);
    xds_json_end_array(out);
}

/* ---- hash policies ---- */

static const char *kind_name(const struct xds_hash_policy *policy)
{
    static const char *const names[] = {
        [XDS_HASH_HEADER] = "header",
        [XDS_HASH_CHANNEL_ID] = "channel_id",
        [XDS_HASH_UNSUPPORTED] = "unsupported",
    };
    return names[policy->kind];
}

/* As text: JSON numbers lose digits in many readers. */
static void key_hash(struct xds_out *out, const struct xds_hash_step *step)
{
    xds_json_key(out, "hash");
    if (!step->has_hash) {
        xds_json_null(out);
        return;
    }
    xds_json_begin_string(out);
    xds_out_u64(out, step->hash);
    xds_json_end_string(out);
}

static void write_hash_policy(struct xds_out *out, size_t index,
                              const struct xds_hash_step *step)
{
    xds_json_line(out);
    xds_json_begin_object(out);
    xds_json_key_u64(out, "index", index);
    xds_json_key_string_or_null(out, "kind", xds_slice_of(kind_name(step->policy)));
    xds_json_key_string_or_null(out, "header", step->policy->header_name);
    xds_json_key_string_or_null(out, "value", step->value);
    key_hash(out, step);
    xds_json_key_bool(out, "terminal", step->policy->terminal);
    xds_json_key_string_or_null(out, "reason", step->reason);
    xds_json_end_object(out);
}

static void write_hash_policies(struct xds_out *out, const struct xds_decision_config *c)
{
    begin_key(out, "hash_policies");
    if (!c) {
        xds_json_null(out);
        return;
    }
    xds_json_begin_array(out);
    for (size_t i = 0; i < c->n_hashes; i++)
        write_hash_policy(out, i, &c->hashes[i]);
    xds_json_end_array(out);
}

/* ---- timeout and retries ---- */

static void write_timeout(struct xds_out *out, const struct xds_decision *d)
{
    const struct xds_method_config *m = &d->method_config;

    xds_json_line(out);
    if (!begin_object(out, "timeout", d->config && m->timeout_from))
        return;
    key_seconds(out, "seconds", m->has_timeout ? m->timeout_ns : 0);
    xds_json_key_string_or_null(out, "from", xds_slice_of(m->timeout_from));
    xds_json_end_object(out);
}

void xds_json_retry_codes(struct xds_out *out, unsigned codes)
{
    xds_json_key(out, "retryableStatusCodes");
    xds_json_begin_array(out);
    for (size_t i = 0; i < XDS_RETRY_CODES; i++)
        if (codes & xds_retry_names[i].bit)
            xds_json_text(out, xds_retry_names[i].name);
    xds_json_end_array(out);
}

void xds_text_retry_codes(struct xds_out *out, unsigned codes)
{
    const char *separator = "";

    for (size_t i = 0; i < XDS_RETRY_CODES; i++) {
        if (!(codes & xds_retry_names[i].bit))
            continue;
        xds_out_text(out, separator);
        xds_out_text(out, xds_retry_names[i].name);
        separator = ", ";
    }
}

static void write_retry(struct xds_out *out, const struct xds_decision *d)
{
    const struct xds_method_config *m = &d->method_config;

    xds_json_line(out);
    if (!begin_object(out, "retry", d->config && m->retry))
        return;
    const struct xds_retries *r = &d->config->retries;
    xds_json_key_string_or_null(
        out, "from", m->retry_of_route ? XDS_S("route") : XDS_S("virtual_host"));
    xds_json_retry_codes(out, m->codes);
    xds_json_key_u64(out, "attempts", r->attempts);
    xds_json_key_bool(out, "capped", r->capped);
    key_seconds(out, "initial_backoff", r->initial_backoff_ns);
    key_seconds(out, "max_backoff", r->max_backoff_ns);
    xds_json_key_u64(out, "backoff_multiplier", 2);
    xds_json_end_object(out);
}

/* ---- authority, faults ---- */

static void write_host_rewrite(struct xds_out *out, const struct xds_decision_config *c)
{
    xds_json_line(out);
    if (!begin_object(out, "auto_host_rewrite", c != NULL))
        return;
    xds_json_key_bool(out, "enabled", c->host_rewrite);
    xds_json_key_string_or_null(out, "authority", c->sent_authority);
    xds_json_key_string_or_null(out, "reason", c->host_rewrite_reason);
    xds_json_end_object(out);
}

static void write_abort(struct xds_out *out, const struct xds_decision_faults *f)
{
    const struct xds_slice none = {NULL, 0};

    if (!begin_object(out, "abort", f->abort > 0))
        return;
    xds_json_key_string_or_null(out, "code", f->several_aborts ? none : f->code);
    xds_json_key_string_or_null(out, "message", f->several_aborts ? none : f->text);
    write_probability(out, f->abort);
    xds_json_end_object(out);
}

static void write_delay(struct xds_out *out, const struct xds_decision_faults *f)
{
    if (!begin_object(out, "delay", f->delay > 0))
        return;
    if (f->several_delays) {
        xds_json_key(out, "seconds");
        xds_json_null(out);
    } else {
        key_seconds(out, "seconds", f->delay_ns);
    }
    write_probability(out, f->delay);
    xds_json_end_object(out);
}

static void write_faults(struct xds_out *out, const struct xds_decision *d)
{
    xds_json_line(out);
    if (!begin_object(out, "faults", d->faults != NULL))
        return;
    write_abort(out, d->faults);
    write_delay(out, d->faults);
    xds_json_end_object(out);
}

void xds_json_config(struct xds_out *out, const struct xds_decision *d)
{
    write_filters(out, d->config);
    write_hash_policies(out, d->config);
    write_timeout(out, d);
    write_retry(out, d);
    write_host_rewrite(out, d->config);
    write_faults(out, d);
}

/* ---- near misses ---- */

static void write_near_route(struct xds_out *out, const struct xds_near_route *near)
{
    xds_json_line(out);
    xds_json_begin_object(out);
    xds_json_key_u64(out, "index", near->index);
    xds_json_key_string_or_null(out, "name", near->route->name);
    xds_json_key_string_or_null(out, "failed", near->failed);
    xds_json_key_string_or_null(out, "reason", near->reason);
    xds_json_end_object(out);
}

void xds_json_nearest(struct xds_out *out, const struct xds_decision *d)
{
    const struct xds_near_domain *domain = &d->nearest_domain;

    begin_key(out, "nearest");
    if (d->nearest) {
        xds_json_begin_array(out);
        for (size_t i = 0; i < d->n_nearest; i++)
            write_near_route(out, &d->nearest[i]);
        xds_json_end_array(out);
    } else {
        xds_json_null(out);
    }
    xds_json_line(out);
    if (!begin_object(out, "nearest_domain", domain->host != NULL))
        return;
    xds_json_key_u64(out, "index", domain->index);
    xds_json_key_string_or_null(out, "name", domain->host->name);
    xds_json_key_string_or_null(out, "domain", domain->domain);
    xds_json_key_string_or_null(out, "reason", domain->reason);
    xds_json_end_object(out);
}
