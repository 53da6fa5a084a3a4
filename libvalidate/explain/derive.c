/*
 * derive.c - for every route of a snapshot an RPC that is made to take it.
 *
 * How:    each text is a guess from what the matcher says, and is tried with the matcher
 *         itself: what does not match is not used.
 * Source: gRFC A27 (domains), A28 (routes); spec routing 1 and 2.
 */
#include "explain/derive.h"

#include "base/ascii.h"
#include "base/limits.h"
#include "explain/explain.h"

enum { MAX_GUESSES = 4 };

struct work {
    const struct xds_snapshot *snapshot;
    enum xds_client client;
    const struct xds_options *options;
    struct xds_slice route_config; /* only from there; or absent */
    struct xds_arena *arena;
    xds_derived_fn *use;
    void *user;
    struct xds_derive_counts *counts;
    struct xds_derived derived; /* in the making */
    struct xds_strmap starts;   /* that were used, by name */
};

struct guesses {
    struct xds_slice list[MAX_GUESSES];
    size_t n;
};

static void guess(struct guesses *guesses, struct xds_slice text)
{
    if (text.data && guesses->n < MAX_GUESSES)
        guesses->list[guesses->n++] = text;
}

/* The request in the making, as the matchers see it. */
static struct xds_rpc rpc_of(const struct work *w, struct xds_slice *undecided)
{
    *undecided = xds_slice_make(NULL, 0);
    return (struct xds_rpc){.client = w->client,
                            .options = w->options,
                            .request = &w->derived.request,
                            .arena = w->arena,
                            .undecided = undecided};
}

/* ---- path ---- */

static void guess_regex(const struct work *w, struct xds_slice pattern,
                        struct guesses *out)
{
    guess(out, xds_regex_sample(w->arena, pattern, true));
    guess(out, xds_regex_sample(w->arena, pattern, false));
}

/* After a prefix something that no other route is likely to name. */
static struct xds_slice after_prefix(struct xds_arena *arena, struct xds_slice prefix)
{
    if (prefix.len == 0 || xds_slice_is(prefix, "/"))
        return XDS_S("/any.Service/Method");
    return xds_arena_concat(arena, prefix,
                            prefix.data[prefix.len - 1] == '/' ? XDS_S("Method")
                                                               : XDS_S("/Method"));
}

static bool find_path(struct work *w)
{
    const struct xds_path_matcher *path = &w->derived.route->match.path;
    struct guesses guesses = {.n = 0};

    switch (path->kind) {
    case XDS_MATCH_PREFIX:
        guess(&guesses, after_prefix(w->arena, path->text));
        guess(&guesses, path->text);
        break;
    case XDS_MATCH_EXACT:
        guess(&guesses, path->text);
        break;
    case XDS_MATCH_REGEX:
        guess(&guesses, XDS_S("/any.Service/Method"));
        guess_regex(w, path->text, &guesses);
        break;
    case XDS_MATCH_SUFFIX:
    case XDS_MATCH_CONTAINS:
        break; /* no path is matched so */
    }

    for (size_t i = 0; i < guesses.n; i++) {
        struct xds_slice undecided, reason;
        const struct xds_rpc rpc = rpc_of(w, &undecided);

        w->derived.request.path = guesses.list[i];
        if (!xds_slice_starts(guesses.list[i], XDS_S("/")))
            continue; /* no RPC has such a path */
        if (xds_path_matches(&rpc, path, &reason) && !undecided.data)
            return true;
    }
    return false;
}

/* ---- headers ---- */

static struct guesses header_guesses(const struct work *w,
                                     const struct xds_header_matcher *matcher)
{
    struct guesses out = {.n = 0};

    switch (matcher->kind) {
    case XDS_HEADER_STRING:
        if (matcher->string.kind == XDS_MATCH_REGEX)
            guess_regex(w, matcher->string.text, &out);
        else
            guess(&out, matcher->string.text);
        break;
    case XDS_HEADER_RANGE:
        guess(&out, xds_arena_printf(w->arena, "%lld", (long long)matcher->start));
        guess(&out, xds_arena_printf(w->arena, "%lld", (long long)matcher->end));
        break;
    case XDS_HEADER_PRESENT:
    case XDS_HEADER_NEVER:
        break;
    }
    guess(&out, XDS_S("1"));
    guess(&out, XDS_S("other"));
    return out;
}

/* All matchers of this name. */
static bool headers_match(struct work *w, const struct xds_route_match *match,
                          struct xds_slice name)
{
    struct xds_slice undecided, reason;
    const struct xds_rpc rpc = rpc_of(w, &undecided);

    for (size_t i = 0; i < match->n_headers; i++)
        if (xds_slice_eq_fold(match->headers[i].name, name) &&
            !xds_header_matches(&rpc, &match->headers[i], &reason))
            return false;
    return !undecided.data;
}

static bool was_settled(const struct xds_route_match *match, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (xds_slice_eq_fold(match->headers[k].name, match->headers[i].name))
            return true;
    return false;
}

/* Without the header, or with one value that all matchers of its name take. */
static bool settle_header(struct work *w, const struct xds_route_match *match, size_t i,
                          struct xds_header *next)
{
    const struct xds_slice name = match->headers[i].name;
    struct xds_request *request = &w->derived.request;

    if (was_settled(match, i) || headers_match(w, match, name))
        return true;
    request->n_headers++;
    next->name = name;
    for (size_t k = i; k < match->n_headers; k++) {
        const struct guesses guesses = header_guesses(w, &match->headers[k]);

        if (!xds_slice_eq_fold(match->headers[k].name, name))
            continue;
        for (size_t g = 0; g < guesses.n; g++) {
            next->value = guesses.list[g];
            if (headers_match(w, match, name))
                return true;
        }
    }
    return false;
}

static bool find_headers(struct work *w)
{
    const struct xds_route_match *match = &w->derived.route->match;
    struct xds_header *headers =
        XDS_NEW_ARRAY(w->arena, struct xds_header, match->n_headers + 1);

    w->derived.request.headers = headers;
    w->derived.request.n_headers = 0;
    for (size_t i = 0; i < match->n_headers; i++)
        if (!settle_header(w, match, i, &headers[w->derived.request.n_headers]))
            return false;
    return true;
}

/* ---- routes ---- */

static void use_request(struct work *w)
{
    if (w->counts->made == XDS_MAX_DERIVED_REQUESTS) {
        w->counts->cut = true;
        return;
    }
    w->counts->made++;
    w->use(w->user, &w->derived);
}

/* An RPC that the session filter applies to, where the path above is none. */
static void derive_session(struct work *w, const struct xds_session_config *session)
{
    const struct xds_path_matcher *path = &w->derived.route->match.path;

    if (!session || !session->enabled || path->kind != XDS_MATCH_PREFIX ||
        session->cookie_path.len == 0 ||
        !xds_slice_starts(session->cookie_path, path->text) || w->counts->cut)
        return;
    w->derived.request.path = after_prefix(w->arena, session->cookie_path);
    use_request(w);
}

static void derive_routes(struct work *w, bool first_domain)
{
    const struct xds_virtual_host *host = w->derived.host;

    for (size_t i = 0; i < host->n_routes && !w->counts->cut; i++) {
        w->derived.route = &host->routes[i];
        if (host->routes[i].skipped_by & XDS_CLIENT_BIT(w->client))
            continue;
        if (find_path(w) && find_headers(w)) {
            const struct xds_listener *listener = w->derived.listener;
            const struct xds_overrides *overrides = &w->derived.route->overrides;

            use_request(w);
            for (size_t k = 0; k < listener->n_filters; k++)
                derive_session(w, listener->filters[k].session);
            for (size_t k = 0; k < overrides->n; k++)
                derive_session(w, overrides->entries[k].session);
        } else if (first_domain && w->counts->impossible++ == 0) {
            w->counts->example =
                xds_arena_printf(w->arena, "route #%zu \"%.*s\" of virtual host \"%.*s\"",
                                 i, XDS_FMT(host->routes[i].name), XDS_FMT(host->name));
        }
    }
}

/* ---- domains ---- */

/* The name that a client asks for: in the target, or the listener's own. */
static struct xds_slice asked_name(const struct work *w)
{
    const struct xds_slice target = w->derived.request.target;
    size_t at = target.len;

    while (at > 0 && target.data[at - 1] != '/')
        at--;
    return target.data ? xds_slice_from(target, at) : w->derived.listener->name;
}

static bool find_authority(struct work *w, const struct xds_route_config *config,
                           struct xds_slice domain)
{
    struct guesses guesses = {.n = 0};

    if (xds_slice_is(domain, "*")) {
        if (!w->derived.request.route_config.data)
            guess(&guesses, asked_name(w)); /* as the target says it */
        guess(&guesses, XDS_S("any.example"));
    } else if (xds_slice_starts(domain, XDS_S("*"))) {
        guess(&guesses,
              xds_arena_concat(w->arena, XDS_S("any"), xds_slice_from(domain, 1)));
    } else if (xds_slice_ends(domain, XDS_S("*"))) {
        guess(&guesses,
              xds_arena_concat(w->arena, xds_slice_make(domain.data, domain.len - 1),
                               XDS_S("any")));
    } else {
        guess(&guesses, domain);
    }

    for (size_t i = 0; i < guesses.n; i++) {
        const struct xds_virtual_host_choice choice =
            xds_virtual_host_find(config, w->options, w->client, guesses.list[i]);

        w->derived.request.authority = guesses.list[i];
        if (choice.host == w->derived.host)
            return true;
    }
    return false;
}

/* ---- listeners ---- */

/* start: the name of what is asked for without an API listener, or absent. */
static void derive_listener(struct work *w, const struct xds_listener *listener,
                            struct xds_slice start)
{
    const struct xds_snapshot_entry *entry =
        xds_snapshot_used(w->snapshot, w->client, XDS_TYPE_ROUTE, listener->rds_name);
    const struct xds_route_config *config = listener->route_config;

    if (listener->rds_name.data && start.data)
        config = entry ? entry->model : NULL;
    else if (listener->rds_name.data)
        config = xds_accepted(w->snapshot, w->client, XDS_TYPE_ROUTE, listener->rds_name,
                              NULL);

    w->derived = (struct xds_derived){.listener = listener};
    if (start.data)
        w->derived.request.route_config = start;
    else
        w->derived.request.target = xds_target_of(w->arena, w->options, listener->name);
    if (!start.data && !w->derived.request.target.data)
        w->derived.request.listener = listener->name;
    for (size_t i = 0; config && i < config->n_virtual_hosts; i++) {
        const struct xds_virtual_host *host = &config->virtual_hosts[i];
        bool first = true;

        w->derived.host = host;
        for (size_t k = 0; k < host->n_domains && !w->counts->cut; k++) {
            if (!find_authority(w, config, host->domains[k]))
                continue;
            derive_routes(w, first);
            first = false;
        }
    }
}

/* Each name once: it is what identifies such requests. */
static bool derive_start(void *user, const struct xds_start *start)
{
    struct work *w = user;
    struct xds_listener *assumed = XDS_NEW(w->arena, struct xds_listener);
    void **seen = xds_strmap_at(&w->starts, start->name);

    if (w->route_config.data && !xds_slice_eq(w->route_config, start->name))
        return true;
    *assumed = (struct xds_listener){.is_api_listener = true, .rds_name = start->name};
    if (!*seen)
        derive_listener(w, start->by ? start->by : assumed, start->name);
    *seen = w;
    return !w->counts->cut;
}

void xds_derive_requests(const struct xds_snapshot *snapshot, enum xds_client client,
                         const struct xds_options *options, struct xds_slice route_config,
                         struct xds_arena *arena, xds_derived_fn *use, void *user,
                         struct xds_derive_counts *counts)
{
    struct work w = {.snapshot = snapshot,
                     .client = client,
                     .options = options,
                     .route_config = route_config,
                     .arena = arena,
                     .use = use,
                     .user = user,
                     .counts = counts};
    const struct xds_snapshot_entry *e = snapshot->first[XDS_TYPE_LISTENER];

    xds_strmap_init(&w.starts, arena);
    if (route_config.data || !xds_snapshot_has_api_listener(snapshot))
        xds_each_start(snapshot, derive_start, &w);
    for (; e && !counts->cut && !route_config.data; e = e->next) {
        const struct xds_listener *listener =
            xds_accepted(snapshot, client, XDS_TYPE_LISTENER, e->name, NULL);
        const bool hidden = xds_snapshot_find(snapshot, XDS_TYPE_LISTENER, e->name) != e;

        if (listener && listener->is_api_listener && !hidden)
            derive_listener(&w, listener, (struct xds_slice){NULL, 0});
    }
}

void xds_derive_chain(const struct xds_chain_routes *of, struct xds_arena *arena,
                      xds_derived_fn *use, void *user, struct xds_derive_counts *counts)
{
    struct work w = {.snapshot = of->snapshot,
                     .client = of->client,
                     .options = of->options,
                     .arena = arena,
                     .use = use,
                     .user = user,
                     .counts = counts};

    derive_listener(&w, of->manager, xds_start_name(of->manager));
}
