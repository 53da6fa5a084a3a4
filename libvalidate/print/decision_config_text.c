/* decision_config_text.c - the sections of the page about the matched route. */
#include "print/decision_parts.h"

/* "2.5 s", "25 ms"; in integers, so that no locale can touch it. */
static void duration(struct xds_out *out, int64_t ns)
{
    const bool small = ns < 1000000000 && ns % 1000 == 0;
    const int64_t whole = small ? 1000000 : 1000000000;
    int64_t rest = ns % whole;

    xds_out_i64(out, ns / whole);
    if (rest)
        xds_out_char(out, '.');
    for (int64_t unit = whole / 10; rest; rest %= unit, unit /= 10)
        xds_out_char(out, (char)('0' + rest / unit));
    xds_out_text(out, small ? " ms" : " s");
}

static void print_reason(struct xds_out *out, const char *before, struct xds_slice reason)
{
    if (!reason.data)
        return;
    xds_out_text(out, before);
    xds_out_clean(out, reason);
}

/* One heading for all lines of a section. */
static void line_of(struct xds_out *out, const char *title, size_t i)
{
    if (i == 0)
        heading(out, title);
    else
        indent(out);
}

/* ---- timeout and retries ---- */

static void print_timeout(struct xds_out *out, const struct xds_method_config *m)
{
    if (!m->timeout_from)
        return;
    heading(out, "timeout");
    if (m->has_timeout)
        duration(out, m->timeout_ns);
    else
        xds_out_text(out, "no limit");
    xds_out_text(out, ", by ");
    xds_out_text(out, m->timeout_from);
    xds_out_text(out, m->timeout_of_route ? " of the route\n" : " of the listener\n");
}

static void print_retry(struct xds_out *out, const struct xds_decision *d)
{
    const struct xds_method_config *m = &d->method_config;
    const struct xds_retries *r = &d->config->retries;

    if (!m->retry)
        return;
    heading(out, "retry");
    xds_out_text(out, "up to ");
    xds_out_count(out, r->attempts, "attempt");
    if (r->capped)
        xds_out_text(out, " (more are configured, gRPC makes no more)");
    xds_out_text(out, " on ");
    xds_text_retry_codes(out, m->codes);
    xds_out_text(out, ", waiting ");
    duration(out, r->initial_backoff_ns);
    xds_out_text(out, " to ");
    duration(out, r->max_backoff_ns);
    xds_out_text(out, "; policy of the ");
    xds_out_text(out, m->retry_of_route ? "route\n" : "virtual host\n");
}

/* ---- hash policies ---- */

static void print_hash_policy(struct xds_out *out, size_t index,
                              const struct xds_hash_step *step)
{
    const struct xds_hash_policy *policy = step->policy;

    xds_out_char(out, '#');
    xds_out_u64(out, index);
    xds_out_char(out, ' ');
    xds_out_text(out, policy->field ? policy->field : "without specifier");
    if (policy->kind == XDS_HASH_HEADER) {
        xds_out_char(out, ' ');
        xds_out_clean(out, policy->header_name);
    }
    if (step->has_hash) {
        xds_out_char(out, ' ');
        quoted(out, step->value);
        xds_out_text(out, ": hash ");
        xds_out_u64(out, step->hash);
    }
    print_reason(out, ": ", step->reason);
    xds_out_char(out, '\n');
}

static void print_hash_policies(struct xds_out *out, const struct xds_decision_config *c)
{
    for (size_t i = 0; i < c->n_hashes; i++) {
        line_of(out, "hash policies", i);
        print_hash_policy(out, i, &c->hashes[i]);
    }
}

/* ---- filters ---- */

static bool is_plain(const struct xds_filter_use *use)
{
    return use->from == XDS_CONFIG_LISTENER && !use->reason.data;
}

/* Filters that just are in the listener are worth no line. */
static bool worth_telling(const struct xds_out *out, const struct xds_decision_config *c)
{
    for (size_t i = 0; i < c->n_filters; i++)
        if (out->to->verbose || !is_plain(&c->filters[i]))
            return true;
    return false;
}

static void print_filter(struct xds_out *out, const struct xds_filter_use *use)
{
    static const char *const levels[] = {
        [XDS_CONFIG_WEIGHTED_CLUSTER] = "weighted cluster",
        [XDS_CONFIG_ROUTE] = "route",
        [XDS_CONFIG_VIRTUAL_HOST] = "virtual host",
        [XDS_CONFIG_LISTENER] = "listener",
    };

    quoted(out, use->filter->name);
    if (use->dropped || use->disabled) {
        xds_out_text(out, " is not used");
    } else {
        xds_out_text(out, " with the config of the ");
        xds_out_text(out, levels[use->from]);
    }
    print_reason(out, ": ", use->reason);
    xds_out_char(out, '\n');
}

static void print_filters(struct xds_out *out, const struct xds_decision_config *c)
{
    if (!worth_telling(out, c))
        return;
    for (size_t i = 0; i < c->n_filters; i++) {
        line_of(out, "filters", i);
        print_filter(out, &c->filters[i]);
    }
}

/* ---- authority, faults ---- */

static void print_host_rewrite(struct xds_out *out, const struct xds_decision *d)
{
    const struct xds_decision_config *c = d->config;

    if (!d->route->route->auto_host_rewrite)
        return;
    heading(out, "authority");
    if (c->sent_authority.data)
        quoted(out, c->sent_authority);
    else
        xds_out_text(out, "the hostname of the endpoint");
    xds_out_text(out, c->host_rewrite ? " is sent: "
                                      : " is sent, auto_host_rewrite is ignored: ");
    xds_out_clean(out, c->host_rewrite_reason);
    xds_out_char(out, '\n');
}

static void print_abort(struct xds_out *out, const struct xds_decision_faults *f)
{
    heading(out, "faults");
    xds_out_percent(out, f->abort);
    xds_out_text(out, " of the RPCs are aborted with ");
    if (f->several_aborts) {
        xds_out_text(out, "different statuses\n");
        return;
    }
    xds_out_clean(out, f->code);
    xds_out_text(out, f->text.len ? ", " : "");
    xds_out_clean(out, f->text);
    xds_out_char(out, '\n');
}

static void print_delay(struct xds_out *out, const struct xds_decision_faults *f)
{
    line_of(out, "faults", f->abort > 0);
    xds_out_percent(out, f->delay);
    xds_out_text(out, " of the RPCs are delayed by ");
    if (f->several_delays)
        xds_out_text(out, "different times");
    else
        duration(out, f->delay_ns);
    xds_out_char(out, '\n');
}

static void print_faults(struct xds_out *out, const struct xds_decision_faults *f)
{
    if (f && f->abort > 0)
        print_abort(out, f);
    if (f && f->delay > 0)
        print_delay(out, f);
}

void xds_text_config(struct xds_out *out, const struct xds_decision *d)
{
    if (d->config) {
        print_timeout(out, &d->method_config);
        print_retry(out, d);
        print_hash_policies(out, d->config);
        print_filters(out, d->config);
        print_host_rewrite(out, d);
    }
    print_faults(out, d->faults);
}

/* ---- near misses ---- */

static void print_near_domain(struct xds_out *out, const struct xds_near_domain *near)
{
    if (!near->host)
        return;
    heading(out, "nearest");
    xds_out_text(out, "domain ");
    xds_out_clean(out, near->domain);
    xds_out_text(out, " of virtual host ");
    quoted(out, near->host->name);
    print_reason(out, ": ", near->reason);
    xds_out_char(out, '\n');
}

void xds_text_nearest(struct xds_out *out, const struct xds_decision *d)
{
    for (size_t i = 0; i < d->n_nearest; i++) {
        const struct xds_near_route *near = &d->nearest[i];
        const struct xds_route_try title = {.index = near->index, .route = near->route};

        line_of(out, "nearest", i);
        route_title(out, &title);
        print_reason(out, " matches except for this: ", near->reason);
        xds_out_char(out, '\n');
    }
    print_near_domain(out, &d->nearest_domain);
}
