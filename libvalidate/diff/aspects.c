/* aspects.c - what becomes of an RPC, as texts that can be compared. */
#include "diff/aspects.h"

#include <inttypes.h>

#include "base/text.h"
#include "model/names.h"

enum { BILLION = 1000000000 };

struct xds_slice xds_billionths_text(struct xds_arena *arena, uint64_t billionths)
{
    struct xds_slice text = xds_arena_printf(arena, "%" PRIu64 ".%09" PRIu64,
                                             billionths / BILLION, billionths % BILLION);

    while (text.len > 0 && text.data[text.len - 1] == '0')
        text.len--;
    if (text.len > 0 && text.data[text.len - 1] == '.')
        text.len--;
    return text;
}

static struct xds_slice seconds(struct xds_arena *arena, int64_t ns)
{
    const struct xds_slice text =
        xds_billionths_text(arena, ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns);

    return xds_arena_printf(arena, "%s%.*ss", ns < 0 ? "-" : "", XDS_FMT(text));
}

static struct xds_slice percent(struct xds_arena *arena, double share)
{
    const uint64_t millionths = (uint64_t)(share * 1e8 + 0.5); /* of a percent */

    return xds_arena_printf(arena, "%.*s%%",
                            XDS_FMT(xds_billionths_text(arena, millionths * 1000)));
}

/* ---- outcome ---- */

static struct xds_slice outcome(struct xds_arena *arena, const struct xds_decision *d)
{
    const struct xds_slice code = d->code.data ? d->code : XDS_S("UNAVAILABLE");

    switch (d->outcome) {
    case XDS_OUTCOME_ROUTED:
        return XDS_S("routed");
    case XDS_OUTCOME_UNDECIDED:
        return xds_arena_printf(arena, "no answer: %.*s", XDS_FMT(d->error));
    case XDS_OUTCOME_CRASH:
        return xds_arena_printf(arena, "CRASH: %.*s", XDS_FMT(d->error));
    case XDS_OUTCOME_NO_LISTENER:
    case XDS_OUTCOME_NO_VIRTUAL_HOST:
    case XDS_OUTCOME_NO_ROUTE:
    case XDS_OUTCOME_UNAVAILABLE:
    case XDS_OUTCOME_DROPPED:
    case XDS_OUTCOME_FAULT:
        break;
    }
    return xds_arena_printf(arena, "fails with %.*s%s%.*s", XDS_FMT(code),
                            d->error.len ? ": " : "", XDS_FMT(d->error));
}

/* ---- balancing ---- */

static struct xds_slice priority(struct xds_arena *arena, const struct xds_decision *d)
{
    return d->has_priority ? xds_arena_printf(arena, "%" PRIu32, d->priority)
                           : xds_slice_make(NULL, 0);
}

static struct xds_slice locality(struct xds_arena *arena, const struct xds_decision *d)
{
    const struct xds_locality *l = d->locality;

    if (!l)
        return xds_slice_make(NULL, 0);
    return xds_arena_printf(arena, "%.*s/%.*s%s%.*s", XDS_FMT(l->region),
                            XDS_FMT(l->zone), l->sub_zone.len ? "/" : "",
                            XDS_FMT(l->sub_zone));
}

static struct xds_slice policy(struct xds_arena *arena, const struct xds_decision *d)
{
    if (!d->policy)
        return xds_slice_make(NULL, 0);
    if (d->policy->name.len > 0 || !d->policy->wrr_locality)
        return xds_lb_title(d->policy);
    return xds_arena_concat(arena, xds_lb_title(d->policy), XDS_S(" below wrr_locality"));
}

static struct xds_slice drops(struct xds_arena *arena, const struct xds_decision *d)
{
    return d->endpoints && d->drop_probability > 0 ? percent(arena, d->drop_probability)
                                                   : XDS_S("none");
}

/* What the ring is asked with; other policies do not read it. */
static struct xds_slice hash(struct xds_arena *arena, const struct xds_decision *d)
{
    struct xds_text text = {.arena = arena};

    if (!d->policy || d->policy->kind != XDS_LB_RING_HASH || !d->route)
        return xds_slice_make(NULL, 0);
    xds_text_add(&text, XDS_S(""));
    for (size_t i = 0; i < d->route->route->n_hash_policies; i++) {
        const struct xds_hash_policy *p = &d->route->route->hash_policies[i];

        if (p->kind == XDS_HASH_UNSUPPORTED)
            continue;
        xds_text_add(&text, text.len ? XDS_S(", ") : XDS_S(""));
        xds_text_add(&text,
                     p->kind == XDS_HASH_HEADER ? XDS_S("header ") : XDS_S("channel id"));
        xds_text_add(&text, p->kind == XDS_HASH_HEADER ? p->header_name : XDS_S(""));
        xds_text_add(&text, p->rewrite ? XDS_S(" rewritten") : XDS_S(""));
        xds_text_add(&text, p->terminal ? XDS_S(" (terminal)") : XDS_S(""));
    }
    return text.len ? xds_slice_make(text.data, text.len) : XDS_S("at random");
}

/* ---- the route ---- */

static struct xds_slice timeout(struct xds_arena *arena, const struct xds_decision *d)
{
    if (!d->route)
        return xds_slice_make(NULL, 0);
    return d->has_method_config && d->method_config.has_timeout
               ? seconds(arena, d->method_config.timeout_ns)
               : XDS_S("none");
}

static void add_codes(struct xds_text *text, unsigned codes)
{
    const char *separator = "";

    for (size_t i = 0; i < XDS_RETRY_CODES; i++) {
        if (!(codes & xds_retry_names[i].bit))
            continue;
        xds_text_add(text, xds_slice_of(separator));
        xds_text_add(text, xds_slice_of(xds_retry_names[i].name));
        separator = ", ";
    }
}

static struct xds_slice retry(struct xds_arena *arena, const struct xds_decision *d)
{
    const struct xds_retry_policy *policy = d->method_config.retry;
    struct xds_text text = {.arena = arena};

    if (!d->route)
        return xds_slice_make(NULL, 0);
    if (!d->has_method_config || !policy)
        return XDS_S("none");
    const struct xds_retries retries = d->method_config.retries;

    xds_text_add_number(&text, retries.attempts);
    xds_text_add(&text, XDS_S(" attempts on "));
    add_codes(&text, d->method_config.codes);
    xds_text_add(&text, XDS_S(", backoff "));
    xds_text_add(&text, seconds(arena, retries.initial_backoff_ns));
    xds_text_add(&text, XDS_S(" to "));
    xds_text_add(&text, seconds(arena, retries.max_backoff_ns));
    return xds_slice_make(text.data, text.len);
}

static struct xds_slice session(struct xds_arena *arena, const struct xds_decision *d)
{
    const struct xds_session_config *config = d->session ? d->session->config : NULL;
    struct xds_text text = {.arena = arena};

    if (!d->session)
        return xds_slice_make(NULL, 0);
    if (!config || !d->session->path_matches)
        return XDS_S("off");
    xds_text_add(
        &text, xds_arena_printf(arena, "cookie \"%.*s\"", XDS_FMT(config->cookie_name)));
    if (config->cookie_path.len > 0)
        xds_text_add(
            &text, xds_arena_printf(arena, ", path %.*s", XDS_FMT(config->cookie_path)));
    if (config->has_ttl)
        xds_text_add(&text, xds_arena_printf(arena, ", ttl %llds",
                                             (long long)config->ttl_seconds));
    return xds_slice_make(text.data, text.len);
}

static struct xds_slice faults(struct xds_arena *arena, const struct xds_decision *d)
{
    const struct xds_decision_faults *f = d->faults;
    struct xds_text text = {.arena = arena};

    if (!f || (f->abort <= 0 && f->delay <= 0))
        return XDS_S("none");
    if (f->abort > 0)
        xds_text_add(&text, xds_arena_printf(arena, "%.*s aborted with %.*s",
                                             XDS_FMT(percent(arena, f->abort)),
                                             XDS_FMT(f->code)));
    if (f->delay > 0)
        xds_text_add(
            &text,
            xds_arena_printf(
                arena, "%s%.*s delayed%s%.*s", text.len ? ", " : "",
                XDS_FMT(percent(arena, f->delay)), f->several_delays ? "" : " by ",
                XDS_FMT(f->several_delays ? XDS_S("") : seconds(arena, f->delay_ns))));
    return xds_slice_make(text.data, text.len);
}

/* ---- all ---- */

static const struct aspect {
    const char *name;
    struct xds_slice (*text)(struct xds_arena *arena, const struct xds_decision *d);
} aspects[XDS_ASPECTS] = {
    [XDS_ASPECT_OUTCOME] = {"outcome", outcome},
    [XDS_ASPECT_PRIORITY] = {"priority", priority},
    [XDS_ASPECT_LOCALITY] = {"locality", locality},
    [XDS_ASPECT_POLICY] = {"lb_policy", policy},
    [XDS_ASPECT_HASH] = {"hash", hash},
    [XDS_ASPECT_TIMEOUT] = {"timeout", timeout},
    [XDS_ASPECT_RETRY] = {"retry", retry},
    [XDS_ASPECT_SESSION] = {"session", session},
    [XDS_ASPECT_FAULTS] = {"faults", faults},
    [XDS_ASPECT_DROPS] = {"drops", drops},
};

const char *xds_aspect_name(enum xds_aspect aspect)
{
    return aspects[aspect].name;
}

struct xds_slice xds_aspect_text(struct xds_arena *arena, enum xds_aspect aspect,
                                 const struct xds_decision *d)
{
    return aspects[aspect].text(arena, d);
}
