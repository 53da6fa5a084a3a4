/* decision_json.c - one decision as the JSON document of `explain -f json`. */
#include "model/names.h"
#include "print/decision/decision.h"
#include "print/findings/findings.h"
#include "print/write/json.h"
#include "secret/secret.h"

void xds_json_headers(struct xds_out *out, const struct xds_request *request)
{
    xds_json_key_array(out, "headers");
    for (size_t i = 0; i < request->n_headers; i++) {
        xds_json_begin_array(out);
        xds_json_string(out, request->headers[i].name);
        xds_json_string(out, xds_header_shown(&request->headers[i]));
        xds_json_end_array(out);
    }
    xds_json_end_array(out);
}

/* An object with nothing but a name, or null. */
static void key_named(struct xds_out *out, const char *key, bool exists,
                      struct xds_slice name)
{
    if (!xds_json_object_or_null(xds_json_line(out), key, exists))
        return;
    xds_json_key_string_or_null(out, "name", name);
    xds_json_end_object(out);
}

static void write_outcome(struct xds_out *out, const struct xds_decision *d)
{
    xds_json_key_text(xds_json_line(out), "client", d->as.text);
    xds_json_key_text(xds_json_line(out), "outcome", xds_outcome_name(d->outcome));
    xds_json_key(xds_json_line(out), "status");
    if (xds_decision_routed(d) || d->outcome == XDS_OUTCOME_UNDECIDED ||
        d->outcome == XDS_OUTCOME_CRASH) {
        xds_json_null(out);
        if (d->outcome == XDS_OUTCOME_GAP)
            xds_json_key_string(xds_json_line(out), "gap", d->status.error);
        if (d->outcome == XDS_OUTCOME_CRASH) {
            /* What dies, which no other outcome has. */
            xds_json_key(xds_json_line(out), "crash");
            xds_json_object(out, "rule: %s, kills: %.*s, failure: %s",
                            d->status.killed_by ? d->status.killed_by->slug : NULL,
                            XDS_FMT(xds_slice_from(d->status.error, strlen("kills "))),
                            d->status.reason ? d->status.reason->slug : NULL);
        }
        if (d->outcome == XDS_OUTCOME_UNDECIDED)
            xds_json_key_string(xds_json_line(out), "undecided", d->status.error);
        return;
    }
    xds_json_begin_object(out);
    xds_json_key_string(out, "code",
                        d->status.code.data ? d->status.code : XDS_S("UNAVAILABLE"));
    xds_json_key_string_or_null(out, "message", d->status.error);
    xds_json_key_text(out, "failure", d->status.reason ? d->status.reason->slug : NULL);
    xds_json_end_object(out);
}

void xds_json_routes(struct xds_out *out, const struct xds_decision *d)
{
    xds_json_key_array(xds_json_line(out), "routes");
    for (size_t i = 0; i < d->walk.n_tries; i++) {
        const struct xds_route_try *try = &d->walk.tries[i];

        xds_json_begin_row(out);
        xds_json_key_u64(out, "index", try->index);
        xds_json_key_string_or_null(out, "name", try->route->name);
        xds_json_key_bool_or_null(out, "matched", try->matched != XDS_CHANCE_OPEN,
                                  try->matched == XDS_CHANCE_YES);
        xds_json_key_double(out, "probability", xds_json_probability(try->probability));
        xds_json_key_string_or_null(out, "reason", try->reason);
        xds_json_end_object(out);
    }
    xds_json_end_array(out);

    if (!xds_json_object_or_null(xds_json_line(out), "route", d->route))
        return;
    xds_json_key_u64(out, "index", d->route->index);
    xds_json_key_string_or_null(out, "name", d->route->route->name);
    xds_json_end_object(out);
}

/* ---- clusters ---- */

/* The categories by which a cluster drops RPCs; endpoints: NULL if they are not known. */
static void write_drops(struct xds_out *out, const struct xds_endpoints *endpoints,
                        struct xds_share share)
{
    xds_json_key(out, "drops");
    if (!endpoints) {
        xds_json_null(out);
        xds_json_key(out, "drop_probability");
        xds_json_null(out);
        xds_json_key(out, "drop_share");
        xds_json_null(out);
        return;
    }
    xds_json_begin_array(out);
    for (size_t i = 0; i < endpoints->n_drops; i++) {
        const struct xds_drop *drop = &endpoints->drops[i];

        xds_json_object(out, "category: %.*s, probability: %g",
                        XDS_FMT_OR_NULL(drop->category), drop->per_million / 1e6);
    }
    xds_json_end_array(out);
    xds_json_key_double(out, "drop_probability", share.value);
    xds_json_key(out, "drop_share");
    xds_json_share(out, share);
}

static void write_clusters(struct xds_out *out, const struct xds_decision *d)
{
    xds_json_key_array(xds_json_line(out), "clusters");
    for (size_t i = 0; i < d->n_clusters; i++) {
        const struct xds_decision_cluster *c = &d->clusters[i];

        xds_json_begin_row(out);
        xds_json_key_string_or_null(out, "name", c->name);
        xds_json_key_u64_or_null(out, "weight", c->has_weight, c->weight);
        xds_json_key_double(out, "probability", xds_json_probability(c->probability));
        write_drops(out, c->endpoints, c->drops);
        xds_json_end_object(out);
    }
    xds_json_end_array(out);

    if (!xds_json_object_or_null(xds_json_line(out), "cluster", d->cluster))
        return;
    xds_json_key_string_or_null(out, "name", d->cluster->name);
    xds_json_key_string_or_null(out, "key", d->cluster->key);
    xds_json_key_text(out, "why", xds_cluster_why_name(d->cluster->why));
    xds_json_key_string_or_null(out, "leaf", d->leaf);
    xds_json_end_object(out);
}

static void write_session(struct xds_out *out, const struct xds_decision *d)
{
    const struct xds_session *s = d->session;
    const struct xds_slice none = {NULL, 0};

    if (!xds_json_object_or_null(xds_json_line(out), "session", s))
        return;
    xds_json_key_bool(out, "filter", s->filter);
    xds_json_key_string_or_null(out, "filter_name", s->filter_name);
    xds_json_key_string_or_null(out, "cookie_name",
                                s->config ? s->config->cookie_name : none);
    xds_json_key_bool_or_null(out, "path_matches", s->config, s->path_matches);
    xds_json_key_array(out, "addresses");
    for (size_t i = 0; i < s->cookie.n_addresses; i++)
        xds_json_string(out, s->cookie.addresses[i]);
    xds_json_end_array(out);
    xds_json_key_string_or_null(out, "cluster", s->cookie.cluster);
    xds_json_key_bool(out, "applies", d->session_applies);
    xds_json_key(out, "reason");
    xds_json_begin_string(out);
    xds_json_part(out, xds_slice_of(xds_session_code_name(s->code)));
    if (s->reason.len) {
        xds_json_part(out, XDS_S(": "));
        xds_json_part(out, s->reason);
    }
    xds_json_end_string(out);
    xds_json_end_object(out);
}

/* ---- method config ---- */

/* "2.500000000s", as C-core writes durations. */
static void key_duration(struct xds_out *out, const char *key, int64_t ns)
{
    char fraction[10] = {'.'};
    int64_t rest = ns % 1000000000;

    for (size_t i = sizeof(fraction) - 1; i > 0; i--, rest /= 10)
        fraction[i] = (char)('0' + rest % 10);

    xds_json_key(out, key);
    xds_json_begin_string(out);
    xds_out_i64(out, ns / 1000000000);
    xds_json_part(out, xds_slice_make(fraction, sizeof(fraction)));
    xds_json_part(out, XDS_S("s"));
    xds_json_end_string(out);
}

static void write_retry_codes(struct xds_out *out, unsigned codes)
{
    xds_json_key_array(out, "retryableStatusCodes");
    for (size_t i = 0; i < XDS_RETRY_CODES; i++)
        if (codes & xds_retry_names[i].bit)
            xds_json_text(out, xds_retry_names[i].name);
    xds_json_end_array(out);
}

void xds_json_method_config(struct xds_out *out, const struct xds_decision *d)
{
    if (!d->has_method_config) {
        xds_json_null(out);
        return;
    }
    xds_json_begin_object(out);
    xds_json_key_array(out, "name");
    xds_json_begin_object(out);
    xds_json_end_object(out);
    xds_json_end_array(out);
    if (d->method_config.has_timeout)
        key_duration(out, "timeout", d->method_config.timeout_ns);
    if (d->method_config.retry) {
        const struct xds_method_config *config = &d->method_config;
        const struct xds_retry_policy *retry = config->retry;

        xds_json_key_object(out, "retryPolicy");
        xds_json_key_u64(out, "maxAttempts", (uint64_t)retry->num_retries + 1);
        key_duration(out, "initialBackoff", config->retries.initial_backoff_ns);
        key_duration(out, "maxBackoff", config->retries.max_backoff_ns);
        xds_json_key_u64(out, "backoffMultiplier", 2);
        write_retry_codes(out, config->codes);
        xds_json_end_object(out);
    }
    xds_json_end_object(out);
}

static double seconds(int64_t ns)
{
    return (double)ns / 1e9;
}

static void write_filters(struct xds_out *out, const struct xds_decision_config *c)
{
    if (!xds_json_array_or_null(xds_json_line(out), "filters", c))
        return;
    for (size_t i = 0; i < c->n_filters; i++) {
        const struct xds_filter_use *use = &c->filters[i];

        xds_json_row(out,
                     "name: %.*s, type: %.*s, config_from: %s, disabled: %d, "
                     "dropped: %d, reason: %.*s",
                     XDS_FMT_OR_NULL(use->filter->name),
                     XDS_FMT_OR_NULL(use->filter->type), xds_config_level_name(use->from),
                     use->disabled, use->dropped, XDS_FMT_OR_NULL(use->reason));
    }
    xds_json_end_array(out);
}

/* ---- hash policies ---- */

static void write_hash_policies(struct xds_out *out, const struct xds_decision_config *c)
{
    static const char *const kinds[] = {
        [XDS_HASH_HEADER] = "header",
        [XDS_HASH_CHANNEL_ID] = "channel_id",
        [XDS_HASH_UNSUPPORTED] = "unsupported",
    };

    if (!xds_json_array_or_null(xds_json_line(out), "hash_policies", c))
        return;
    for (size_t i = 0; i < c->n_hashes; i++) {
        /* The hash as text: JSON numbers lose digits in many readers. */
        const struct xds_hash_step *step = &c->hashes[i];

        xds_json_row(out,
                     "index: %zu, kind: %s, header: %.*s, value: %.*s, hash: %s, "
                     "terminal: %d, reason: %.*s",
                     i, kinds[step->policy->kind],
                     XDS_FMT_OR_NULL(step->policy->header_name),
                     XDS_FMT_OR_NULL(step->value),
                     step->has_hash ? xds_u128_text(step->hash).text : NULL,
                     step->policy->terminal, XDS_FMT_OR_NULL(step->reason));
    }
    xds_json_end_array(out);
}

/* ---- timeout and retries ---- */

static void write_retry(struct xds_out *out, const struct xds_decision *d)
{
    const struct xds_method_config *m = &d->method_config;

    if (!xds_json_object_or_null(xds_json_line(out), "retry",
                                 d->asked.config && m->retry))
        return;
    const struct xds_retries *r = &d->asked.config->retries;
    xds_json_key_text(out, "from", m->retry_of_route ? "route" : "virtual_host");
    write_retry_codes(out, m->codes);
    xds_json_members(out,
                     "attempts: %u, capped: %d, initial_backoff: %g, max_backoff: %g, "
                     "backoff_multiplier: %u",
                     r->attempts, r->capped, seconds(r->initial_backoff_ns),
                     seconds(r->max_backoff_ns), 2u);
    xds_json_end_object(out);
}

/* ---- authority, faults ---- */

static void write_faults(struct xds_out *out, const struct xds_decision_faults *f)
{
    const struct xds_slice none = {NULL, 0};

    if (!xds_json_object_or_null(xds_json_line(out), "faults", f))
        return;
    if (xds_json_object_or_null(out, "abort", f->abort > 0)) {
        xds_json_members(out, "code: %.*s, message: %.*s, probability: %g",
                         XDS_FMT_OR_NULL(f->several_aborts ? none : f->code),
                         XDS_FMT_OR_NULL(f->several_aborts ? none : f->text),
                         xds_json_probability(f->abort));
        xds_json_end_object(out);
    }
    if (xds_json_object_or_null(out, "delay", f->delay > 0)) {
        xds_json_members(out, "seconds: %g, probability: %g",
                         f->several_delays ? (double)NAN : seconds(f->delay_ns),
                         xds_json_probability(f->delay));
        xds_json_end_object(out);
    }
    xds_json_end_object(out);
}

static void write_nearest(struct xds_out *out, const struct xds_decision *d)
{
    const struct xds_near_domain *domain = &d->asked.nearest_domain;

    if (xds_json_array_or_null(xds_json_line(out), "nearest", d->asked.nearest)) {
        for (size_t i = 0; i < d->asked.n_nearest; i++) {
            const struct xds_near_route *near = &d->asked.nearest[i];

            xds_json_row(out, "index: %zu, name: %.*s, failed: %.*s, reason: %.*s",
                         near->index, XDS_FMT_OR_NULL(near->route->name),
                         XDS_FMT_OR_NULL(near->failed), XDS_FMT_OR_NULL(near->reason));
        }
        xds_json_end_array(out);
    }
    if (!xds_json_object_or_null(xds_json_line(out), "nearest_domain",
                                 domain->host != NULL))
        return;
    xds_json_members(out, "index: %zu, name: %.*s, domain: %.*s, reason: %.*s",
                     domain->index, XDS_FMT_OR_NULL(domain->host->name),
                     XDS_FMT_OR_NULL(domain->domain), XDS_FMT_OR_NULL(domain->reason));
    xds_json_end_object(out);
}

/* ---- JSON that decisions share is made once ---- */

struct copying {
    struct xds_arena *arena;
    struct xds_slice text, copy;
};

static void copy_text(void *arg)
{
    struct copying *c = arg;

    c->copy = xds_arena_dup(c->arena, c->text);
}

/* Absent without memory. */
static struct xds_slice keep(struct xds_arena *arena, struct xds_slice text)
{
    struct copying c = {arena, text, {NULL, 0}};

    if (xds_arena_guard(&arena, 1, copy_text, &c) != XDS_OK)
        return (struct xds_slice){NULL, 0};
    return c.copy;
}

static void write_kept(struct xds_out *out, const struct xds_decision *d,
                       xds_section_fn write, struct xds_kept_json *kept)
{
    if (!kept || !out->one_line)
        write(out, d);
    else if (kept->text.data)
        xds_out_raw(out, kept->text);
    else {
        /* What still is in the buffer as a whole can be kept. */
        const size_t from = out->n, flushes = out->flushes;

        write(out, d);
        if (out->flushes == flushes)
            kept->text =
                keep(kept->arena, xds_slice_make(out->buffer + from, out->n - from));
    }
}

/* ---- the whole ---- */

void xds_json_virtual_host(struct xds_out *out, const struct xds_decision *d)
{
    const struct xds_virtual_host_choice *v = &d->virtual_host;

    if (!xds_json_object_or_null(xds_json_line(out), "virtual_host", v->host))
        return;
    xds_json_members(out, "index: %zu, name: %.*s, domain: %.*s, match: %s", v->index,
                     XDS_FMT_OR_NULL(v->host->name), XDS_FMT_OR_NULL(v->domain),
                     xds_domain_class_name(v->match));
    xds_json_end_object(out);
}

static void write_approach(struct xds_out *out, const struct xds_decision *d)
{
    write_outcome(out, d);
    key_named(out, "listener", d->start.listener != NULL, d->start.listener_name);
    key_named(out, "route_config", d->start.route_config != NULL,
              d->start.route_config_name);
    xds_json_virtual_host(out, d);
}

static void write_ending(struct xds_out *out, const struct xds_decision *d)
{
    write_clusters(out, d);
    write_session(out, d);
    xds_json_key_text(xds_json_line(out), "hash",
                      d->pick.has_hash ? xds_u128_text(d->pick.hash).text : NULL);
    xds_json_key_bool(out, "hash_of_channel", d->pick.hash_of_channel);

    const struct xds_slice none = {NULL, 0};

    xds_json_key_u64_or_null(xds_json_line(out), "priority", d->pick.has_priority,
                             d->pick.priority);
    xds_json_locality(xds_json_line(out), d->pick.locality);
    xds_json_key_string_or_null(xds_json_line(out), "host",
                                d->pick.host ? xds_host_address(d->pick.host) : none);
    xds_json_key_text(xds_json_line(out), "host_why",
                      d->pick.host ? xds_host_why_name(d) : NULL);
    xds_json_key_array(xds_json_line(out), "hosts");
    for (size_t i = 0; i < d->pick.n_hosts; i++) {
        const struct xds_decision_host *h = &d->pick.hosts[i];

        xds_json_begin_row(out);
        xds_json_key_string_or_null(out, "address", xds_host_address(h->host));
        xds_json_key_string_or_null(out, "cluster", h->cluster);
        xds_json_key_u64(out, "priority", h->host->locality->priority);
        xds_json_locality(out, h->host->locality);
        xds_json_key_text(out, "health", xds_health_name(h->host->endpoint->health));
        xds_json_key_double(out, "probability", xds_json_probability(h->probability));
        xds_json_key(out, "share");
        xds_json_share(out, h->share);
        xds_json_key_double(out, "overall_probability",
                            xds_json_probability(h->probability == XDS_NOT_COMPUTABLE
                                                     ? XDS_NOT_COMPUTABLE
                                                     : h->overall.value));
        xds_json_end_object(out);
    }
    xds_json_end_array(out);
    write_drops(xds_json_line(out), d->pick.endpoints, d->pick.drop_share);
    xds_json_key(xds_json_line(out), "priorities");
    xds_print_priorities_json(out, d);
    xds_json_key(xds_json_line(out), "rings");
    xds_print_rings_json(out, d);
    xds_json_key_string_or_null(xds_json_line(out), "set_cookie", d->pick.set_cookie);
    xds_json_security(out, d);
}

static void write_held(struct xds_out *out, const struct xds_decision *d)
{
    static const char *const types[] = {[XDS_TYPE_UNKNOWN] = NULL,
                                        [XDS_TYPE_LISTENER] = "listener",
                                        [XDS_TYPE_ROUTE] = "route",
                                        [XDS_TYPE_CLUSTER] = "cluster",
                                        [XDS_TYPE_ENDPOINT] = "endpoint"};
    for (size_t i = 0; i < d->n_held; i++) {
        if (i == 0)
            xds_json_key_array(xds_json_line(out), "resources");
        xds_json_begin_row(out);
        xds_json_members(out, "type: %s, name: %.*s", types[d->held[i].type],
                         XDS_FMT(d->held[i].name));
        xds_json_held(out, d->held[i].held, d->held[i].scope);
        xds_json_end_object(out);
        if (i + 1 == d->n_held)
            xds_json_end_array(out);
    }
}

static void write_others(struct xds_out *out, const struct xds_decision *d)
{
    if (!xds_json_array_or_null(xds_json_line(out), "others", d->request.every_route))
        return; /* the request did not ask for them */
    for (size_t i = 0; i < d->asked.n_others; i++) {
        const struct xds_other *o = &d->asked.others[i];

        xds_json_begin_row(out);
        xds_json_members(out, "client: %s, outcome: %s", xds_client_name(o->client),
                         xds_outcome_name(o->outcome));
        xds_json_key_u64_or_null(out, "route", o->has_route, o->route);
        xds_json_key_string_or_null(out, "cluster", o->cluster);
        xds_json_key_array(out, "differs");
        for (unsigned k = 0; k < XDS_ANSWER_DIFFERENCES; k++)
            if (o->differs >> k & 1u)
                xds_json_text(out, xds_difference_name((enum xds_answer_difference)k));
        xds_json_end_array(out);
        xds_json_key_string_or_null(out, "note", o->note);
        xds_json_end_object(out);
    }
    xds_json_end_array(out);
}

static void write_rest(struct xds_out *out, const struct xds_decision *d)
{
    const struct xds_method_config *m = &d->method_config;
    const struct xds_decision_config *c = d->asked.config;

    xds_json_key(xds_json_line(out), "lb_policy");
    if (d->pick.tree)
        xds_json_tree(out, d->pick.tree);
    else
        xds_json_null(out);
    write_filters(out, c);
    write_hash_policies(out, c);
    if (xds_json_object_or_null(xds_json_line(out), "timeout", c && m->timeout_from)) {
        xds_json_members(out, "seconds: %g, from: %s",
                         m->has_timeout ? seconds(m->timeout_ns) : 0, m->timeout_from);
        xds_json_end_object(out);
    }
    write_retry(out, d);
    if (xds_json_object_or_null(xds_json_line(out), "auto_host_rewrite", c != NULL)) {
        xds_json_members(out, "enabled: %d, authority: %.*s, reason: %.*s",
                         c->host_rewrite, XDS_FMT_OR_NULL(c->sent_authority),
                         XDS_FMT_OR_NULL(c->host_rewrite_reason));
        xds_json_end_object(out);
    }
    write_faults(out, d->faults);
    write_nearest(out, d);
    xds_json_key_array(xds_json_line(out), "notes");
    for (size_t i = 0; i < d->n_notes; i++)
        xds_json_string(out, d->notes[i]);
    xds_json_end_array(out);
    write_held(out, d);
    xds_print_observed_json(out, d);
    write_others(out, d);
}

void xds_json_decision(struct xds_out *out, const struct xds_decision *decision)
{
    xds_json_begin_document(out);

    const bool routed = decision->outcome == XDS_OUTCOME_ROUTED;

    xds_json_key_object(xds_json_line(out), "request");
    xds_json_key_string_or_null(out, "target", decision->request.target);
    xds_json_key_string_or_null(out, "authority", decision->start.authority);
    xds_json_key_string_or_null(out, "path", decision->request.path);
    xds_json_headers(out, &decision->request);
    xds_json_end_object(out);
    write_kept(out, decision, write_approach, routed ? decision->kept_approach : NULL);
    xds_json_routes(out, decision);
    write_kept(out, decision, write_ending, decision->kept_ending);
    xds_json_key(xds_json_line(out), "method_config");
    xds_json_method_config(out, decision);
    write_kept(out, decision, write_rest, decision->kept_rest);
    xds_json_end_object(out);
}

enum xds_status xds_print_decision_json(const struct xds_printer *to,
                                        const struct xds_decision *decision)
{
    struct xds_out out;

    xds_out_init(&out, to);
    xds_json_decision(&out, decision);
    xds_out_char(&out, '\n');
    return xds_out_finish(&out);
}
