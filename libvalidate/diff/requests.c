/*
 * requests.c - where RPCs go before and after: requests that tell the two snapshots
 * apart, sessions, shares of hosts.
 *
 * Source: gRFC A55, A60; spec routing 5.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <xxhash.h>

#include "base/text.h"
#include "diff/diff.h"
#include "model/names.h"

/* Shares that differ by less are the same, computed in another order. */
#define TOLERANCE 1e-9

static uint64_t hash_of(struct xds_slice a, struct xds_slice b, double share)
{
    /* The offset keeps the fractions that are common away from the edge between two
     * steps. */
    const uint64_t seed =
        XXH64(xds_slice_text(a), a.len, (uint64_t)((share + 2) / TOLERANCE + 0.3));

    return XXH64(xds_slice_text(b), b.len, seed);
}

/* Most decisions have the same shares: sums of hashes tell that without a table. */
static uint64_t hash_decision(const struct xds_decision *d)
{
    uint64_t sum = d->n_clusters;

    for (size_t i = 0; i < d->n_clusters; i++)
        sum += hash_of(d->clusters[i].name, XDS_S(""), d->clusters[i].probability);
    for (size_t i = 0; i < d->pick.n_hosts; i++)
        sum +=
            hash_of(d->pick.hosts[i].cluster, xds_host_address_of(d->pick.hosts[i].host),
                    d->pick.hosts[i].probability);
    return sum;
}

/* ---- tables ---- */

struct table {
    struct xds_arena *arena;
    struct xds_strmap rows; /* struct xds_share_change by cluster and address */
    struct xds_share_change *list;
    size_t n;
};

static void table_init(struct table *table, struct xds_arena *arena, size_t cap)
{
    table->arena = arena;
    xds_strmap_init(&table->rows, arena);
    table->list = XDS_NEW_ARRAY(arena, struct xds_share_change, cap + 1);
    table->n = 0;
}

static void put(struct table *table, enum xds_side side, struct xds_slice cluster,
                struct xds_slice address, double share)
{
    const struct xds_slice key =
        address.data ? xds_arena_printf(table->arena, "%.*s %.*s", XDS_FMT(address),
                                        XDS_FMT(cluster))
                     : cluster;
    void **slot = xds_strmap_at(&table->rows, key);
    struct xds_share_change *row = *slot;

    if (!row) {
        *slot = row = &table->list[table->n++];
        row->cluster = cluster;
        row->address = address;
    }
    if (share == XDS_NOT_COMPUTABLE || row->share[side] == XDS_NOT_COMPUTABLE)
        row->share[side] = XDS_NOT_COMPUTABLE;
    else
        row->share[side] += share;
}

static int cmp_rows(const void *left, const void *right)
{
    const struct xds_share_change *a = left, *b = right;
    const int c = xds_slice_cmp(a->cluster, b->cluster);

    return c ? c : xds_slice_cmp(a->address, b->address);
}

static void take(struct table *table, struct xds_share_changes *out)
{
    size_t n = 0;

    for (size_t i = 0; i < table->n; i++) {
        const struct xds_share_change *row = &table->list[i];
        const double by = row->share[XDS_SIDE_OLD] - row->share[XDS_SIDE_NEW];

        if (by > TOLERANCE || by < -TOLERANCE)
            table->list[n++] = *row;
    }
    qsort(table->list, n, sizeof *table->list, cmp_rows);
    out->list = table->list;
    out->n = n < XDS_MAX_DIFF_SHARES ? n : XDS_MAX_DIFF_SHARES;
    out->n_more = n - out->n;
}

/* A cluster that one side does not have tells enough itself. */
static bool is_on_both_sides(const struct table *clusters, struct xds_slice name)
{
    const struct xds_share_change *row = xds_strmap_get(&clusters->rows, name);

    return row && row->share[XDS_SIDE_OLD] > 0 && row->share[XDS_SIDE_NEW] > 0;
}

/* Of the whole RPC, by cluster; and of each cluster that both sides have, by host. In
 * arena, sorted. */
static void shares_compare(struct xds_arena *arena, const struct xds_decision *old,
                           const struct xds_decision *now,
                           struct xds_share_changes *clusters,
                           struct xds_share_changes *hosts)
{
    const struct xds_decision *const d[XDS_SIDES] = {old, now};
    struct table by_cluster, by_host;

    *clusters = *hosts = (struct xds_share_changes){.n = 0};
    if (hash_decision(old) == hash_decision(now))
        return;
    table_init(&by_cluster, arena, old->n_clusters + now->n_clusters);
    table_init(&by_host, arena, old->pick.n_hosts + now->pick.n_hosts);
    for (unsigned side = 0; side < XDS_SIDES; side++)
        for (size_t i = 0; i < d[side]->n_clusters; i++)
            put(&by_cluster, (enum xds_side)side, d[side]->clusters[i].name,
                xds_slice_make(NULL, 0), d[side]->clusters[i].probability);
    for (unsigned side = 0; side < XDS_SIDES; side++)
        for (size_t i = 0; i < d[side]->pick.n_hosts; i++) {
            const struct xds_decision_host *host = &d[side]->pick.hosts[i];

            if (is_on_both_sides(&by_cluster, host->cluster))
                put(&by_host, (enum xds_side)side, host->cluster,
                    xds_host_address_of(host->host), host->probability);
        }
    take(&by_cluster, clusters);
    take(&by_host, hosts);
}

enum { BILLION = 1000000000 };

static struct xds_slice seconds(struct xds_arena *arena, int64_t ns)
{
    return xds_arena_printf(
        arena, "%s%s", ns < 0 ? "-" : "",
        xds_decimal(ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns, BILLION, "s").text);
}

static struct xds_slice percent(struct xds_arena *arena, double share)
{
    const uint64_t millionths = (uint64_t)(share * 1e8 + 0.5); /* of a percent */

    return xds_arena_printf(arena, "%s", xds_decimal(millionths, 1000000, "%").text);
}

static struct xds_slice outcome(struct xds_arena *arena, const struct xds_decision *d)
{
    const struct xds_slice code =
        d->status.code.data ? d->status.code : XDS_S("UNAVAILABLE");

    switch (d->outcome) {
    case XDS_OUTCOME_ROUTED:
        return XDS_S("routed");
    case XDS_OUTCOME_GAP:
        return XDS_S("routed with gaps");
    case XDS_OUTCOME_UNDECIDED:
        return xds_arena_printf(arena, "no answer: %.*s", XDS_FMT(d->status.error));
    case XDS_OUTCOME_CRASH:
        return xds_arena_printf(arena, "CRASH: %.*s", XDS_FMT(d->status.error));
    case XDS_OUTCOME_NO_LISTENER:
    case XDS_OUTCOME_NO_VIRTUAL_HOST:
    case XDS_OUTCOME_NO_ROUTE:
    case XDS_OUTCOME_UNAVAILABLE:
    case XDS_OUTCOME_DROPPED:
    case XDS_OUTCOME_FAULT:
        break;
    }
    return xds_arena_printf(arena, "fails with %.*s%s%.*s", XDS_FMT(code),
                            d->status.error.len ? ": " : "", XDS_FMT(d->status.error));
}

/* ---- balancing ---- */

static struct xds_slice priority(struct xds_arena *arena, const struct xds_decision *d)
{
    return d->pick.has_priority ? xds_arena_printf(arena, "%" PRIu32, d->pick.priority)
                                : xds_slice_make(NULL, 0);
}

static struct xds_slice locality(struct xds_arena *arena, const struct xds_decision *d)
{
    const struct xds_locality *l = d->pick.locality;

    if (!l)
        return xds_slice_make(NULL, 0);
    return xds_arena_printf(arena, "%.*s/%.*s%s%.*s", XDS_FMT(l->region),
                            XDS_FMT(l->zone), l->sub_zone.len ? "/" : "",
                            XDS_FMT(l->sub_zone));
}

static struct xds_slice policy(struct xds_arena *arena, const struct xds_decision *d)
{
    if (!d->pick.policy)
        return xds_slice_make(NULL, 0);
    if (d->pick.policy->name.len > 0 || !d->pick.policy->wrr_locality)
        return xds_lb_title(d->pick.policy);
    return xds_arena_concat(arena, xds_lb_title(d->pick.policy),
                            XDS_S(" below wrr_locality"));
}

static struct xds_slice drops(struct xds_arena *arena, const struct xds_decision *d)
{
    return d->pick.endpoints && d->pick.drop_probability > 0
               ? percent(arena, d->pick.drop_probability)
               : XDS_S("none");
}

/* What the ring is asked with; other policies do not read it. */
static struct xds_slice hash(struct xds_arena *arena, const struct xds_decision *d)
{
    struct xds_text text = {.arena = arena};

    if (!d->pick.policy || !xds_lb_traits(d->pick.policy)->hashes || !d->route)
        return xds_slice_make(NULL, 0);
    for (size_t i = 0; i < d->route->route->n_hash_policies; i++) {
        const struct xds_hash_policy *p = &d->route->route->hash_policies[i];
        const bool is_header = p->kind == XDS_HASH_HEADER;

        if (p->kind != XDS_HASH_UNSUPPORTED)
            xds_text_printf(&text, "%s%s%.*s%s%s", text.len ? ", " : "",
                            is_header ? "header " : "channel id",
                            XDS_FMT(is_header ? p->header_name : XDS_S("")),
                            p->rewrite ? " rewritten" : "",
                            p->terminal ? " (terminal)" : "");
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

static struct xds_slice retry(struct xds_arena *arena, const struct xds_decision *d)
{
    const struct xds_retry_policy *policy = d->method_config.retry;
    struct xds_text text = {.arena = arena};

    if (!d->route)
        return xds_slice_make(NULL, 0);
    if (!d->has_method_config || !policy)
        return XDS_S("none");
    const struct xds_retries retries = d->method_config.retries;

    const char *separator = "";

    xds_text_printf(&text, "%u attempts on ", retries.attempts);
    for (size_t i = 0; i < XDS_RETRY_CODES; i++) {
        if (!(d->method_config.codes & xds_retry_names[i].bit))
            continue;
        xds_text_printf(&text, "%s%s", separator, xds_retry_names[i].name);
        separator = ", ";
    }
    xds_text_printf(&text, ", backoff %.*s to %.*s",
                    XDS_FMT(seconds(arena, retries.initial_backoff_ns)),
                    XDS_FMT(seconds(arena, retries.max_backoff_ns)));
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
    xds_text_printf(&text, "cookie \"%.*s\"", XDS_FMT(config->cookie_name));
    if (config->cookie_path.len > 0)
        xds_text_printf(&text, ", path %.*s", XDS_FMT(config->cookie_path));
    if (config->has_ttl)
        xds_text_printf(&text, ", ttl %llds", (long long)config->ttl_seconds);
    return xds_slice_make(text.data, text.len);
}

static struct xds_slice faults(struct xds_arena *arena, const struct xds_decision *d)
{
    const struct xds_decision_faults *f = d->faults;
    struct xds_text text = {.arena = arena};

    if (!f || (f->abort <= 0 && f->delay <= 0))
        return XDS_S("none");
    if (f->abort > 0)
        xds_text_printf(&text, "%.*s aborted with %.*s",
                        XDS_FMT(percent(arena, f->abort)), XDS_FMT(f->code));
    if (f->delay > 0)
        xds_text_printf(
            &text, "%s%.*s delayed%s%.*s", text.len ? ", " : "",
            XDS_FMT(percent(arena, f->delay)), f->several_delays ? "" : " by ",
            XDS_FMT(f->several_delays ? XDS_S("") : seconds(arena, f->delay_ns)));
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

/* ---- sessions ---- */

/* What stays the same for all cookies of one RPC. */
struct jar {
    struct xds_diff *diff;
    struct xds_arena *arena;
    struct xds_request request; /* with room for one header more */
    struct xds_header *cookie;
    struct xds_slice name, path;
};

/* ---- causes ---- */

const char *xds_break_name(enum xds_break cause)
{
    static const char *const names[XDS_BREAKS] = {
        [XDS_BREAK_HOST] = "host-gone",
        [XDS_BREAK_PRIORITY] = "host-out-of-reach",
        [XDS_BREAK_CLUSTER] = "cluster-not-in-route",
        [XDS_BREAK_STATUS] = "status",
        [XDS_BREAK_OFF] = "filter-off",
        [XDS_BREAK_NAME] = "cookie-name",
        [XDS_BREAK_PATH] = "cookie-path",
        [XDS_BREAK_FAILS] = "rpc-fails",
        [XDS_BREAK_OTHER] = "other",
    };

    return names[cause];
}

static enum xds_break cause_of_code(enum xds_session_code code)
{
    switch (code) {
    case XDS_SESSION_OFF:
        return XDS_BREAK_OFF;
    case XDS_SESSION_PATH:
        return XDS_BREAK_PATH;
    case XDS_SESSION_CLUSTER_NOT_IN_ROUTE:
        return XDS_BREAK_CLUSTER;
    case XDS_SESSION_UNKNOWN_HOST:
        return XDS_BREAK_HOST;
    case XDS_SESSION_STATUS:
        return XDS_BREAK_STATUS;
    case XDS_SESSION_NO_COOKIE:
    case XDS_SESSION_BAD_BASE64:
    case XDS_SESSION_BAD_ADDRESS:
    case XDS_SESSION_NO_CLUSTER:
    case XDS_SESSION_TRANSIENT_FAILURE:
    case XDS_SESSION_OVERRIDE:
        break;
    }
    return XDS_BREAK_OTHER;
}

/* Why it breaks, and more of it than the cause says. */
struct reason {
    enum xds_break cause;
    struct xds_slice text;
};

static struct reason reason_of(const struct jar *jar, const struct xds_decision *now)
{
    const struct xds_session *session = now->session;
    const struct xds_session_config *config = session ? session->config : NULL;

    if (!session && !xds_decision_routed(now))
        return (struct reason){XDS_BREAK_FAILS, now->status.error};
    if (!config)
        return (struct reason){XDS_BREAK_OFF, {NULL, 0}};
    if (!xds_slice_eq(config->cookie_name, jar->name))
        return (struct reason){XDS_BREAK_NAME, config->cookie_name};
    const bool elsewhere = session->asked && !session->in_route;
    const enum xds_break cause = elsewhere               ? XDS_BREAK_CLUSTER
                                 : session->out_of_reach ? XDS_BREAK_PRIORITY
                                                         : cause_of_code(session->code);
    return (struct reason){cause, cause == XDS_BREAK_PATH ? config->cookie_path
                                                          : session->reason};
}

/* ---- one cookie ---- */

static bool honours(const struct xds_decision *d, struct xds_slice cluster)
{
    return d->session_applies && d->cluster && xds_slice_eq(d->cluster->name, cluster);
}

static struct xds_rpc rpc_of(const struct jar *jar)
{
    const struct xds_diff *diff = jar->diff;

    return (struct xds_rpc){
        .client = diff->side[XDS_SIDE_OLD].client,
        .options = &diff->side[XDS_SIDE_OLD].check->report->options,
        .arena = jar->arena,
    };
}

static struct xds_slice in_cookie(const struct jar *jar, struct xds_slice cluster)
{
    const struct xds_rpc rpc = rpc_of(jar);

    return xds_cookie_cluster(&rpc, cluster);
}

static struct xds_slice encode(const struct jar *jar, struct xds_slice addresses,
                               struct xds_slice cluster)
{
    const struct xds_rpc rpc = rpc_of(jar);

    return xds_arena_printf(jar->arena, "%.*s=%.*s", XDS_FMT(jar->name),
                            XDS_FMT(xds_cookie_value(&rpc, addresses, cluster)));
}

static struct xds_session_change *
session_of(const struct jar *jar, struct xds_slice addresses, struct xds_slice cluster)
{
    struct xds_diff *diff = jar->diff;
    const struct xds_slice key =
        xds_arena_printf(jar->arena, "%.*s\n%.*s\n%.*s\n%.*s\n%.*s",
                         XDS_FMT(xds_diff_start(&jar->request)), XDS_FMT(jar->name),
                         XDS_FMT(jar->path), XDS_FMT(cluster), XDS_FMT(addresses));
    void **slot = xds_strmap_at(&diff->sessions.by_session, key);

    if (!*slot) {
        struct xds_session_change *session =
            XDS_NEW(&diff->arena, struct xds_session_change);
        session->addresses = xds_arena_dup(&diff->arena, addresses);
        diff->sessions.n++;
        *slot = session;
    }
    return *slot;
}

struct xds_request xds_diff_keep(struct xds_arena *arena,
                                 const struct xds_request *request)
{
    struct xds_request out = *request;
    struct xds_header *headers =
        XDS_NEW_ARRAY(arena, struct xds_header, request->n_headers + 1);
    double *random = XDS_NEW_ARRAY(arena, double, request->n_random + 1);

    out.target = xds_arena_dup(arena, request->target);
    out.listener = xds_arena_dup(arena, request->listener);
    out.route_config = xds_arena_dup(arena, request->route_config);
    out.authority = xds_arena_dup(arena, request->authority);
    out.path = xds_arena_dup(arena, request->path);
    for (size_t i = 0; i < request->n_headers; i++) {
        headers[i].name = xds_arena_dup(arena, request->headers[i].name);
        headers[i].value = xds_arena_dup(arena, request->headers[i].value);
    }
    for (size_t i = 0; i < request->n_random; i++)
        random[i] = request->random[i];
    out.headers = headers;
    out.random = random;
    return out;
}

/* NULL when enough are listed. */
static struct xds_session_kind *add_kind(const struct jar *jar, struct xds_slice cluster,
                                         const struct reason *reason)
{
    struct xds_diff *diff = jar->diff;
    struct xds_arena *arena = &diff->arena;

    if (!diff->sessions.breaks)
        diff->sessions.breaks =
            XDS_NEW_ARRAY(arena, struct xds_session_kind *, XDS_MAX_DIFF_KINDS);
    if (diff->sessions.n_breaks == XDS_MAX_DIFF_KINDS)
        return NULL;
    struct xds_session_kind *kind = XDS_NEW(arena, struct xds_session_kind);
    struct xds_request example = jar->request;

    example.n_headers--; /* the cookie's */
    *kind = (struct xds_session_kind){
        .cause = reason->cause,
        .cookie_name = xds_arena_dup(arena, jar->name),
        .cookie_path = xds_arena_dup(arena, jar->path),
        .cluster = xds_arena_dup(arena, cluster),
        .in_cookie = xds_arena_dup(arena, in_cookie(jar, cluster)),
        .reason = xds_arena_dup(arena, reason->text),
        .example = xds_diff_keep(arena, &example),
    };
    diff->sessions.breaks[diff->sessions.n_breaks++] = kind;
    return kind;
}

static void note_break(const struct jar *jar, struct xds_session_change *session,
                       struct xds_slice cluster, const struct xds_decision *now)
{
    struct xds_diff *diff = jar->diff;
    const struct reason reason = reason_of(jar, now);
    const struct xds_slice key = xds_arena_printf(
        jar->arena, "%s\n%.*s\n%.*s\n%.*s\n%.*s", xds_break_name(reason.cause),
        XDS_FMT(jar->name), XDS_FMT(jar->path), XDS_FMT(cluster),
        XDS_FMT(xds_diff_start(&jar->request)));
    struct xds_session_kind *kind = xds_strmap_get(&diff->sessions.by_break, key);

    session->breaks = true;
    diff->sessions.n_broken++;
    if (!kind)
        kind = add_kind(jar, cluster, &reason);
    if (!kind) {
        diff->sessions.n_more_breaks++;
        return;
    }
    *xds_strmap_at(&diff->sessions.by_break, key) = kind;
    if (kind->last)
        kind->last->next = session;
    else
        kind->first = session;
    kind->last = session;
    kind->n++;
}

static bool answer(const struct jar *jar, enum xds_side side,
                   const struct xds_decision **d)
{
    const enum xds_status status =
        xds_explain(jar->diff->explainer[side], &jar->request, d);

    if (status == XDS_ERR_NO_MEMORY)
        xds_arena_give_up(jar->arena);
    return status == XDS_OK;
}

static void try_cookie(const struct jar *jar, struct xds_slice cluster,
                       const struct xds_endpoint *endpoint)
{
    struct xds_diff *diff = jar->diff;
    const struct xds_slice addresses = xds_address_list(jar->arena, endpoint, 0);
    const struct xds_decision *d;

    if (diff->sessions.n_cookies++ >= XDS_MAX_DIFF_COOKIES) {
        diff->sessions.cut = true;
        return;
    }
    *jar->cookie = (struct xds_header){XDS_S("cookie"), encode(jar, addresses, cluster)};
    if (!answer(jar, XDS_SIDE_OLD, &d) || !honours(d, cluster))
        return;
    struct xds_session_change *session = session_of(jar, addresses, cluster);
    session->health = endpoint->health;
    if (!answer(jar, XDS_SIDE_NEW, &d) || honours(d, cluster))
        return;
    if (!session->breaks)
        note_break(jar, session, cluster, d);
}

/* ---- the hosts of a route ---- */

static void try_hosts(const struct jar *jar, struct xds_slice cluster,
                      const struct xds_endpoints *endpoints)
{
    for (size_t i = 0; endpoints && i < endpoints->n_localities; i++) {
        const struct xds_locality *locality = &endpoints->localities[i];

        for (size_t k = 0; k < locality->n_endpoints && !jar->diff->sessions.cut; k++)
            try_cookie(jar, cluster, &locality->endpoints[k]);
    }
}

static struct jar open_jar(struct xds_diff *diff, const struct xds_request *request,
                           const struct xds_session_config *config)
{
    struct jar jar = {.diff = diff, .arena = &diff->cookies, .request = *request};
    struct xds_header *headers =
        XDS_NEW_ARRAY(jar.arena, struct xds_header, request->n_headers + 1);

    for (size_t i = 0; i < request->n_headers; i++)
        headers[i] = request->headers[i];
    jar.cookie = &headers[request->n_headers];
    jar.request.headers = headers;
    jar.request.n_headers++;
    jar.name = xds_arena_dup(jar.arena, config->cookie_name);
    jar.path = xds_arena_dup(jar.arena, config->cookie_path);
    return jar;
}

/* Routes that are reached from several domains are looked at once. */
static bool is_new_pair(struct xds_diff *diff, const struct xds_decision *old,
                        const struct xds_decision *now)
{
    const void *const pair[] = {old->route->route, old->virtual_host.host,
                                now->route ? now->route->route : NULL,
                                now->virtual_host.host};
    void **slot =
        xds_strmap_at(&diff->sessions.routes,
                      xds_slice_make((const char *)(const void *)pair, sizeof pair));

    if (*slot)
        return false;
    *slot = diff;
    return true;
}

/* d: the answer of the old side, until the explainer is asked again. */
static void compare_sessions(struct xds_diff *diff, const struct xds_request *request,
                             const struct xds_decision *old,
                             const struct xds_decision *now)
{
    if (!old->route || !old->session || !old->session->acts || diff->sessions.cut ||
        !is_new_pair(diff, old, now))
        return;
    xds_unchanged_note_sessions(diff, old);
    xds_arena_reset(&diff->cookies);
    const size_t n = old->n_clusters;
    struct xds_slice *clusters = XDS_NEW_ARRAY(&diff->cookies, struct xds_slice, n + 1);

    /* The explainer's answer is gone once it is asked again. */
    for (size_t i = 0; i < n; i++)
        clusters[i] = xds_arena_dup(&diff->cookies, old->clusters[i].name);
    const struct jar jar = open_jar(diff, request, old->session->config);

    struct xds_check *check = jar.diff->side[XDS_SIDE_OLD].check;
    struct xds_random none = {NULL, 0, 0};
    const struct xds_rpc rpc = {.client = jar.diff->side[XDS_SIDE_OLD].client,
                                .options = &check->report->options,
                                .request = &jar.request,
                                .random = &none,
                                .arena = jar.arena};
    struct xds_lb lb;

    xds_lb_init(&lb, &rpc, &check->snapshot);
    for (size_t i = 0; i < n; i++) {
        const struct xds_leaves leaves = xds_aggregate_leaves(&lb, clusters[i]);

        for (size_t k = 0; k < leaves.n; k++) {
            struct xds_slice why;

            if (leaves.list[k].cluster)
                try_hosts(&jar, clusters[i],
                          xds_leaf_endpoints(&lb, &leaves.list[k], &why));
        }
    }
}

/* An RPC with open fractions is compared as a whole, and then once for each way through
 * the fractions, if both sides evaluate as many of them. */

/* Numbers that no open fraction takes, and that each takes. */
#define FAILING 0.999999
#define TAKING 0.0

struct answers {
    const struct xds_decision *d[XDS_SIDES];
};

/* ---- what differs ---- */

static struct xds_slice part(struct xds_slice s, size_t begin, size_t end)
{
    return xds_slice_make(s.data + begin, end - begin);
}

/* "cluster a is rejected by go@1.60.1 (NACK)" of go@1.60.1 itself: that two releases do
 * the same is no difference. */
static struct xds_slice without_own_name(struct xds_arena *arena,
                                         const struct xds_decision *d,
                                         struct xds_slice text)
{
    const struct xds_slice name = xds_slice_of(d->as.text);
    struct xds_text out = {.arena = arena};

    for (;;) {
        const size_t at = name.len ? xds_slice_search(text, name) : text.len;

        if (at >= text.len)
            break;
        xds_text_printf(&out, "%.*sitself", XDS_FMT(part(text, 0, at)));
        text = xds_slice_from(text, at + name.len);
    }
    xds_text_printf(&out, "%.*s", XDS_FMT(text));
    return xds_slice_make(out.data, out.len);
}

static bool same_text(struct xds_arena *arena, const struct answers *answers,
                      const struct xds_slice text[XDS_SIDES])
{
    return xds_slice_eq(text[0], text[1]) ||
           xds_slice_eq(without_own_name(arena, answers->d[0], text[0]),
                        without_own_name(arena, answers->d[1], text[1]));
}

static void compare_aspect(struct xds_arena *arena, const struct answers *answers,
                           enum xds_aspect aspect, struct xds_answer_change *out)
{
    struct xds_slice text[XDS_SIDES];

    for (unsigned side = 0; side < XDS_SIDES; side++)
        text[side] = aspects[aspect].text(arena, answers->d[side]);
    /* Absent: random numbers decide, or there is nothing to compare. */
    if (!text[0].data || !text[1].data || same_text(arena, answers, text))
        return;
    out->aspects |= 1u << aspect;
    for (unsigned side = 0; side < XDS_SIDES; side++)
        out->text[side][aspect] = text[side];
}

/* Of an RPC that ends before a host there is only its end to compare. */
static struct xds_answer_change compare(struct xds_arena *arena,
                                        const struct answers *answers)
{
    struct xds_answer_change out = {.aspects = 0};

    compare_aspect(arena, answers, XDS_ASPECT_OUTCOME, &out);
    shares_compare(arena, answers->d[0], answers->d[1], &out.clusters, &out.hosts);
    for (unsigned a = XDS_ASPECT_OUTCOME + 1;
         (xds_decision_routed(answers->d[0]) && xds_decision_routed(answers->d[1])) &&
         a < XDS_ASPECTS;
         a++)
        compare_aspect(arena, answers, (enum xds_aspect)a, &out);
    return out;
}

/* ---- kinds ---- */

static void spell_shares(struct xds_text *text, const struct xds_share_changes *shares)
{
    for (size_t i = 0; i < shares->n; i++) {
        const struct xds_share_change *s = &shares->list[i];

        xds_text_printf(text, "%.*s\n%.*s", XDS_FMT(s->cluster), XDS_FMT(s->address));
        for (unsigned side = 0; side < XDS_SIDES; side++)
            xds_text_printf(text, "\n%" PRIu64,
                            (uint64_t)((s->share[side] + 1) * 1e6 + 0.3));
    }
    xds_text_add_number(text, shares->n_more);
}

/* Equal for changes that are equal. */
static struct xds_slice spell(struct xds_arena *arena,
                              const struct xds_answer_change *change)
{
    struct xds_text text = {.arena = arena};

    for (unsigned a = 0; a < XDS_ASPECTS; a++)
        for (unsigned side = 0; side < XDS_SIDES; side++)
            xds_text_printf(&text, "%.*s\n", XDS_FMT(change->text[side][a]));
    spell_shares(&text, &change->clusters);
    spell_shares(&text, &change->hosts);
    return xds_slice_make(text.data, text.len);
}

static struct xds_share_changes keep_shares(struct xds_arena *arena,
                                            struct xds_share_changes shares)
{
    struct xds_share_change *list =
        XDS_NEW_ARRAY(arena, struct xds_share_change, shares.n + 1);

    for (size_t i = 0; i < shares.n; i++) {
        list[i] = shares.list[i];
        list[i].cluster = xds_arena_dup(arena, list[i].cluster);
        list[i].address = xds_arena_dup(arena, list[i].address);
    }
    shares.list = list;
    return shares;
}

static struct xds_request_kind *add_request_kind(struct xds_diff *diff,
                                                 const struct xds_answer_change *change,
                                                 const struct xds_request *request)
{
    if (!diff->requests.kinds)
        diff->requests.kinds =
            XDS_NEW_ARRAY(&diff->arena, struct xds_request_kind *, XDS_MAX_DIFF_KINDS);
    if (diff->requests.n_kinds == XDS_MAX_DIFF_KINDS)
        return NULL;
    struct xds_request_kind *kind = XDS_NEW(&diff->arena, struct xds_request_kind);

    kind->change = *change;
    for (unsigned side = 0; side < XDS_SIDES; side++)
        for (unsigned a = 0; a < XDS_ASPECTS; a++)
            kind->change.text[side][a] =
                xds_arena_dup(&diff->arena, change->text[side][a]);
    kind->change.clusters = keep_shares(&diff->arena, change->clusters);
    kind->change.hosts = keep_shares(&diff->arena, change->hosts);
    kind->example = xds_diff_keep(&diff->arena, request);
    diff->requests.kinds[diff->requests.n_kinds++] = kind;
    return kind;
}

static void count_change(struct xds_diff *diff, const struct xds_answer_change *change,
                         const struct xds_request *request)
{
    const struct xds_slice key = spell(&diff->scratch, change);
    struct xds_request_kind *kind = xds_strmap_get(&diff->requests.by_change, key);

    diff->requests.n_differ++;
    if (!kind) {
        kind = add_request_kind(diff, change, request);
        if (!kind) {
            diff->requests.n_more_kinds++;
            return;
        }
        *xds_strmap_at(&diff->requests.by_change, key) = kind;
    }
    kind->n++;
}

/* ---- one RPC ---- */

/* Fractions that the RPC meets before a route certainly takes it. */
static size_t open_fractions(const struct xds_decision *d)
{
    size_t n = 0;

    for (size_t i = 0; i < d->walk.n_tries; i++)
        n += d->walk.tries[i].matched == XDS_CHANCE_OPEN;
    return n;
}

/* *open: the fractions that both sides leave open; 0 when they are not as many. */
static enum xds_status answer_both(struct xds_diff *diff,
                                   const struct xds_request *request, size_t *open)
{
    struct answers answers;
    enum xds_status status = XDS_OK;

    for (unsigned side = 0; side < XDS_SIDES && status == XDS_OK; side++)
        status = xds_explain(diff->explainer[side], request, &answers.d[side]);

    if (status != XDS_OK)
        return status;
    *open = open_fractions(answers.d[XDS_SIDE_OLD]);
    if (*open != open_fractions(answers.d[XDS_SIDE_NEW]))
        *open = 0;
    xds_arena_reset(&diff->scratch);

    const struct xds_answer_change change = compare(&diff->scratch, &answers);

    diff->requests.n++;
    if (!(change.aspects == 0 && change.clusters.n == 0 && change.hosts.n == 0))
        count_change(diff, &change, request);
    compare_sessions(diff, request, answers.d[XDS_SIDE_OLD], answers.d[XDS_SIDE_NEW]);
    return XDS_OK;
}

/* The RPC that fraction `taking` takes; with as many as there are, that none takes. */
static enum xds_status answer_pinned(struct xds_diff *diff,
                                     const struct xds_request *request, size_t taking,
                                     size_t n)
{
    double random[XDS_MAX_PINNED];
    size_t open;
    struct xds_request pinned = *request;

    for (size_t i = 0; i < n; i++)
        random[i] = i == taking ? TAKING : FAILING;
    pinned.random = random;
    pinned.n_random = taking < n ? taking + 1 : n;
    return answer_both(diff, &pinned, &open);
}

enum xds_status xds_diff_answers(struct xds_diff *diff, const struct xds_request *request)
{
    size_t n = 0;
    enum xds_status status = answer_both(diff, request, &n);

    if (request->n_random > 0)
        return status;
    for (size_t i = 0; i < xds_diff_pinned(n) && status == XDS_OK; i++)
        status = answer_pinned(diff, request, i, n);
    return status;
}
