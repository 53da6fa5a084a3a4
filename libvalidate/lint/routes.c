/*
 * routes.c - routes whose paths, headers, weights, retries or hashes do not do what they
 * seem to.
 *
 * Source: gRFC A6, A28, A31, A41, A42, A44, A76; spec routing 2.3 to 2.6, 3.2, 3.4;
 *         spec listener SC4 to SC8.
 */
#include "base/ascii.h"
#include "base/limits.h"
#include "lint/checks.h"
#include "model/names.h"

/* ---- regexes ---- */

/* What says the same without a regex; NULL: nothing does. */
static const char *plain_field(const struct xds_regex_text *text,
                               enum xds_regex_place place)
{
    static const char *const fields[][2][2] = {
        /* [place][any_before][any_after] */
        [XDS_REGEX_OF_PATH] = {{"path", "prefix"}, {NULL, NULL}},
        [XDS_REGEX_OF_HEADER] = {{"string_match.exact", "string_match.prefix"},
                                 {"string_match.suffix", "string_match.contains"}},
    };

    if (!text->is_plain || (text->text.len == 0 && place == XDS_REGEX_OF_HEADER))
        return NULL;
    if (text->any_before && text->text.len == 0)
        return "prefix";
    return fields[place][text->any_before][text->any_after];
}

/* In a path a dot is between the names of packages and services. */
static void report_dot(const struct xds_inspection *in, const struct xds_path *at,
                       const struct xds_regex_text *text)
{
    const char *field = plain_field(text, XDS_REGEX_OF_PATH);
    struct xds_slice instead = XDS_S("");

    if (field)
        instead = xds_arena_printf(in->scratch, ", or use %s: \"%.*s\"", field,
                                   XDS_FMT(text->text));
    xds_lint_fire(in, at, XDS_R_LINT_REGEX_DOT,
                  "the dot in \"%.*s\" matches any character, so other services "
                  "may match too: write \\.%.*s",
                  XDS_FMT(text->text), XDS_FMT(instead));
}

/* pattern compiles; at is its path. */
static void check_regex(const struct xds_inspection *in, const struct xds_path *at,
                        struct xds_slice pattern, enum xds_regex_place place)
{
    const struct xds_regex_text text = xds_regex_text_read(in->scratch, pattern);
    const char *field = plain_field(&text, place);

    if (text.lone_dots && place == XDS_REGEX_OF_PATH)
        report_dot(in, at, &text);
    else if (field && !text.dots)
        xds_lint_fire(in, at, XDS_R_LINT_REGEX_PLAIN,
                      "the regex is plain text; use %s: \"%.*s\"", field,
                      XDS_FMT(text.text));
    else if ((text.anchored_start || text.anchored_end) &&
             xds_report_is_first(in->report, XDS_S("regex-anchored")))
        xds_lint_fire(in, at, XDS_R_LINT_REGEX_ANCHORED,
                      "\"%s\" has no effect: a regex must match the whole %s",
                      !text.anchored_end    ? "^"
                      : text.anchored_start ? "^...$"
                                            : "$",
                      place == XDS_REGEX_OF_PATH ? "path" : "value");
}

/* ---- prefixes ---- */

/* "/pkg.Svc": one part, the last name in it begins like that of a service. A package that
 * is meant as a prefix ends in a dot or is not written so. */
static bool names_a_service(struct xds_slice prefix)
{
    size_t last = 1;

    if (prefix.len < 2 || prefix.data[0] != '/')
        return false;
    for (size_t i = 1; i < prefix.len; i++) {
        if (prefix.data[i] == '/')
            return false;
        if (prefix.data[i] == '.')
            last = i + 1;
    }
    return last < prefix.len && prefix.data[last] >= 'A' && prefix.data[last] <= 'Z';
}

/* ---- case ---- */

static bool has_letters(struct xds_slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if (xds_ascii_alpha(text.data[i]))
            return true;
    return false;
}

static void check_case(const struct xds_inspection *in, const struct xds_path *at,
                       const struct xds_path_matcher *path)
{
    const bool regex = path->kind == XDS_MATCH_REGEX;

    if (!path->case_set || path->case_sensitive || !has_letters(path->text))
        return;
    (regex ? xds_lint_fire : xds_lint_fire_note)(
        in, XDS_AT(at, "case_sensitive"), XDS_R_LINT_PATH_ANY_CASE, "%s",
        regex ? "case_sensitive is ignored with safe_regex: begin the regex with (?i) "
                "instead"
              : "case_sensitive is false, but paths of gRPC have one spelling: with "
                "another one a client reaches this route and then a server that does not "
                "know the method");
}

void xds_check_route_path(const struct xds_inspection *in, const struct xds_path *at,
                          const struct xds_virtual_host *host,
                          const struct xds_route *route)
{
    const struct xds_path_matcher *path = &route->match.path;
    const struct xds_path *match = XDS_AT(at, "match");

    (void)host;
    if (path->kind == XDS_MATCH_PREFIX && names_a_service(path->text))
        xds_lint_fire(in, XDS_AT(match, "prefix"), XDS_R_LINT_PREFIX_OPEN,
                      "prefix also matches the RPCs of a service \"%.*s2\": end it "
                      "in \"/\" to match this service only",
                      XDS_FMT(xds_slice_from(path->text, 1)));
    check_case(in, match, path);
    if (path->regex)
        check_regex(in, XDS_AT(match, "safe_regex.regex"), path->text, XDS_REGEX_OF_PATH);
}

/* ---- fractions ---- */

void xds_check_route_fraction(const struct xds_inspection *in, const struct xds_path *at,
                              const struct xds_virtual_host *host,
                              const struct xds_route *route)
{
    const struct xds_fraction f = route->match.fraction;
    const struct xds_path *here = XDS_AT(XDS_AT(at, "match"), "runtime_fraction");

    (void)host;
    if (!route->match.fraction_is_set || (f.numerator > 0 && f.numerator < f.denominator))
        return;
    if (f.numerator == 0)
        xds_lint_fire(in, XDS_AT(here, "default_value"), XDS_R_LINT_FRACTION_ZERO,
                      "runtime_fraction is 0%%: the route matches no RPC, as gRPC "
                      "does not read runtime_key");
    else
        xds_lint_fire(in, XDS_AT(here, "default_value"), XDS_R_LINT_FRACTION_WHOLE,
                      "runtime_fraction is %u of %u: it has no effect", f.numerator,
                      f.denominator);
}

/* What gRPC sends itself, below the place where a route is chosen. */
static bool is_of_transport(struct xds_slice name)
{
    static const char *const names[] = {
        "user-agent", "te", "host", "connection", "transfer-encoding", "content-length"};

    for (size_t i = 0; i < XDS_ARRAY_LEN(names); i++)
        if (xds_slice_is(name, names[i]))
            return true;
    return xds_slice_starts(name, XDS_S("grpc-")) && !xds_slice_ends(name, XDS_S("-bin"));
}

static const char *why_unseen(struct xds_slice name)
{
    if (is_of_transport(name))
        return "gRPC sets it after the route is chosen";
    if (name.len > 0 && name.data[0] == ':')
        return "routes ignore pseudo headers";
    if (xds_slice_ends(name, XDS_S("-bin")))
        return "routes ignore binary headers";
    return "RPCs have names in lower case, and this one is compared as written";
}

/* ---- what is never seen ---- */

static enum xds_visibility visibility(const struct xds_within *w, struct xds_slice name,
                                      struct xds_slice *constant)
{
    if (xds_slice_is(name, "grpc-timeout") &&
        XDS_DIFFERS(&w->rpc, XDS_DIFF_HEADER_TIMEOUT))
        return XDS_SEES_VALUE;
    return is_of_transport(name) ? XDS_SEES_NOTHING
                                 : xds_header_visibility(w, name, constant);
}

/* The clients for which it is reported that the route never matches. */
static unsigned check_visibility(const struct xds_inspection *in,
                                 const struct xds_path *at,
                                 const struct xds_header_matcher *m, unsigned users)
{
    unsigned blind = 0;
    bool holds = false;

    for (unsigned c = 0; c < XDS_CLIENTS; c++) {
        struct xds_slice constant;

        if (!(users & XDS_CLIENT_BIT(c)))
            continue;
        const struct xds_within w =
            xds_within_of((enum xds_client)c, &in->report->options, in->scratch);

        if (visibility(&w, m->name, &constant) != XDS_SEES_NOTHING)
            continue;
        blind |= XDS_CLIENT_BIT(c);
        holds = xds_header_takes(&w.rpc, m, NULL) == XDS_MATCH;
    }
    if (!blind)
        return 0;
    const struct xds_slice who = xds_lint_who(in, blind);

    xds_lint_fire(in, XDS_AT(at, "name"), XDS_R_LINT_HEADER_UNSEEN,
                  "header \"%.*s\" is always absent for %.*s: %s; so %s",
                  XDS_FMT(m->name), XDS_FMT(who), why_unseen(m->name),
                  holds ? "this matcher always matches" : "the route never matches");
    return holds ? 0 : blind;
}

/* ---- absent headers ---- */

static bool asks_for_presence(const struct xds_route_match *match,
                              const struct xds_header_matcher *m)
{
    for (size_t i = 0; i < match->n_headers && i < XDS_MAX_COMPARED_HEADERS; i++)
        if (match->headers[i].kind == XDS_HEADER_PRESENT &&
            xds_slice_eq(match->headers[i].name, m->name))
            return true;
    return false;
}

static void check_invert(const struct xds_inspection *in, const struct xds_path *at,
                         const struct xds_route_match *match,
                         const struct xds_header_matcher *m, unsigned users)
{
    unsigned minding = 0;

    if (!m->invert || m->kind == XDS_HEADER_PRESENT || m->kind == XDS_HEADER_NEVER ||
        asks_for_presence(match, m))
        return;
    for (unsigned c = 0; c < XDS_CLIENTS; c++) {
        const struct xds_within w =
            xds_within_of((enum xds_client)c, &in->report->options, in->scratch);

        if ((users & XDS_CLIENT_BIT(c)) &&
            xds_header_takes(&w.rpc, m, NULL) == XDS_NO_MATCH)
            minding |= XDS_CLIENT_BIT(c);
    }
    if (minding && xds_report_is_first(in->report, XDS_S("header-inverted")))
        xds_lint_fire(
            in, XDS_AT(at, "invert_match"), XDS_R_LINT_HEADER_INVERTED,
            "for %.*s an RPC without the header \"%.*s\" does not match either; to match "
            "those too, add a route with present_match and invert_match",
            XDS_FMT(xds_lint_who(in, minding)), XDS_FMT(m->name));
}

/* ---- contradictions ---- */

/* The clients of a set for which there is such a pair: that of the first one. */
static unsigned contradicts(const struct xds_inspection *in,
                            const struct xds_route *route, unsigned users,
                            struct xds_header_pair *pair)
{
    struct xds_header_pair own;
    unsigned found = 0;

    for (unsigned c = 0; c < XDS_CLIENTS; c++) {
        if (!(users & XDS_CLIENT_BIT(c)))
            continue;
        struct xds_within w =
            xds_within_of((enum xds_client)c, &in->report->options, in->scratch);

        if (!xds_headers_contradict(&w, &route->match, &own))
            continue;
        if (!found)
            *pair = own;
        found |= XDS_CLIENT_BIT(c);
    }
    return found;
}

/* By header-matcher-no-specifier and header-matcher-range-reversed. */
static bool is_told_elsewhere(const struct xds_header_matcher *m)
{
    return m->kind == XDS_HEADER_NEVER ||
           (m->kind == XDS_HEADER_RANGE && m->start > m->end);
}

/* Some releases take total_weight, and 100 where it is not set, for the sum. */
static void check_total(const struct xds_inspection *in, const struct xds_path *here,
                        const struct xds_route *route)
{
    const uint64_t sum = xds_weight_sum(route), total = route->total_weight;

    if (sum == total)
        return;
    const struct xds_client_label who =
        xds_lint_last(in, XDS_DIFF_WEIGHTS_DRAWN_OF_TOTAL);

    if (!who.text[0])
        return;
    const struct xds_slice end =
        sum > total ? XDS_S("the last clusters get fewer RPCs than their share, or none")
                    : xds_arena_printf(in->scratch,
                                       "%.15g %% of the RPCs pick no cluster, and fail",
                                       100.0 * (double)(total - sum) / (double)total);

    xds_lint_fire(in, here, XDS_R_LINT_WEIGHT_OF_TOTAL,
                  "the weights of weighted_clusters sum to %u, but %s draws a number "
                  "below %u: %.*s",
                  (unsigned)sum, who.text, (unsigned)total, XDS_FMT(end));
}

static void check_contradiction(const struct xds_inspection *in,
                                const struct xds_path *at, const struct xds_route *route,
                                unsigned users)
{
    struct xds_header_pair pair;
    const unsigned clients = contradicts(in, route, users, &pair);
    const bool for_all = xds_lint_named(in, clients) == xds_lint_named(in, users);

    if (!clients || is_told_elsewhere(&route->match.headers[pair.second]))
        return;
    const struct xds_slice name = route->match.headers[pair.second].name;
    const bool alone = pair.first == pair.second;
    if (xds_lint_fire(
            in, XDS_AT_I(at, "headers", pair.second), XDS_R_LINT_HEADER_CONTRADICTION,
            "no value of header \"%.*s\" satisfies %s: the route never matches%s%.*s",
            XDS_FMT(name), alone ? "this matcher" : "both matchers of it",
            for_all ? "" : " for ",
            XDS_FMT(for_all ? XDS_S("") : xds_lint_who(in, clients))) &&
        !alone)
        xds_lint_relate(in, XDS_AT_I(at, "headers", pair.first), "the other matcher");
}

void xds_check_route_headers(const struct xds_inspection *in, const struct xds_path *at,
                             const struct xds_virtual_host *host,
                             const struct xds_route *route)
{
    const unsigned users = in->report->options.clients & (unsigned)~route->skipped_by;
    const struct xds_path *match = XDS_AT(at, "match");
    unsigned without = 0; /* for whom it never matches anyway */

    (void)host;
    for (size_t i = 0; i < route->match.n_headers; i++) {
        const struct xds_header_matcher *m = &route->match.headers[i];
        const struct xds_path *here = XDS_AT_I(match, "headers", i);

        without |= check_visibility(in, here, m, users);
        check_invert(in, here, &route->match, m, users);
        if (m->kind == XDS_HEADER_STRING && m->string.regex)
            check_regex(in, XDS_AT(here, m->specifier), m->string.text,
                        XDS_REGEX_OF_HEADER);
    }
    if (route->match.n_headers > 0)
        check_contradiction(in, match, route, users & ~without);
}

enum { SEEMS_PERCENT = 10 }; /* so near to 100 that percents are meant */

/* The same cluster with other filter configs may be meant. */
static bool is_plain(const struct xds_weighted_cluster *entry)
{
    return entry->weight > 0 && entry->overrides.n == 0;
}

/* The first entry that names the same cluster, or the entry itself. */
static size_t first_of_name(const struct xds_route *route, size_t position)
{
    size_t i = 0;

    while (i < position &&
           !(is_plain(&route->weighted[i]) &&
             xds_slice_eq(route->weighted[i].name, route->weighted[position].name)))
        i++;
    return i;
}

void xds_check_route_weights(const struct xds_inspection *in, const struct xds_path *at,
                             const struct xds_virtual_host *host,
                             const struct xds_route *route)
{
    const struct xds_path *here = XDS_AT(at, "route.weighted_clusters");

    (void)host;
    if (route->action != XDS_ACTION_WEIGHTED)
        return;
    if (route->n_weighted == 1) {
        const struct xds_weighted_cluster *only = &route->weighted[0];

        if (only->weight > 1 && only->weight != 100)
            xds_lint_fire(in, XDS_AT(XDS_AT_I(here, "clusters", 0), "weight"),
                          XDS_R_LINT_WEIGHT_ALONE,
                          "\"%.*s\" is the only cluster: it gets all RPCs, "
                          "whatever its weight of %u",
                          XDS_FMT(only->name), only->weight);
    } else {
        const uint64_t sum = xds_weight_sum(route);

        if (sum != 100 && sum + SEEMS_PERCENT >= 100 && sum <= 100 + SEEMS_PERCENT &&
            xds_report_is_first(in->report, XDS_S("weight-sum")))
            xds_lint_fire(in, XDS_AT(here, "clusters"), XDS_R_LINT_WEIGHT_SUM,
                          "the weights of weighted_clusters sum to %u: each is a share "
                          "of that, not of 100",
                          (unsigned)sum);
    }
    check_total(in, here, route);
    for (size_t i = 1; i < route->n_weighted && i < XDS_MAX_COMPARED_CLUSTERS; i++) {
        const struct xds_weighted_cluster *entry = &route->weighted[i];
        const size_t first = is_plain(entry) ? first_of_name(route, i) : i;

        if (first < i &&
            xds_lint_fire(in, XDS_AT(XDS_AT_I(here, "clusters", i), "name"),
                          XDS_R_LINT_WEIGHT_REPEATED,
                          "duplicate cluster \"%.*s\": it gets both shares, %u and %u",
                          XDS_FMT(entry->name), route->weighted[first].weight,
                          entry->weight))
            xds_lint_relate(in, XDS_AT_I(here, "clusters", first), "the other share");
    }
}

/* ---- retry_on ---- */

/* The codes that somebody reads, and who does not. */
static void check_words(const struct xds_inspection *in, const struct xds_path *at,
                        const struct xds_retry_policy *policy, bool hides)
{
    const unsigned meant = policy->codes | policy->go_codes | policy->java_codes;
    /* The selected clients that read fewer codes than the most tolerant one. */
    unsigned missing = 0;

    for (unsigned c = 0; c < XDS_CLIENTS; c++)
        if ((in->report->options.clients & XDS_CLIENT_BIT(c)) &&
            meant & ~xds_retry_codes(policy, &in->report->options, (enum xds_client)c))
            missing |= XDS_CLIENT_BIT(c);
    const unsigned named = xds_lint_named(in, missing);

    if (meant == 0) {
        struct xds_slice key =
            xds_arena_printf(in->scratch, "retry-on %.*s", XDS_FMT(policy->retry_on));

        if (xds_report_is_first(in->report, key))
            xds_lint_fire(in, XDS_AT(at, "retry_on"), XDS_R_LINT_RETRY_NO_CODES,
                          "retry_on %s none of cancelled, deadline-exceeded, internal, "
                          "resource-exhausted and unavailable: there are no retries%s",
                          policy->retry_on.len == 0 ? "is not set and so has" : "has",
                          hides ? ", not even those of the virtual host" : "");
    } else if (missing)
        xds_lint_fire(in, XDS_AT(at, "retry_on"), XDS_R_LINT_RETRY_SPELLING,
                      "%.*s do%s not read every code of \"%.*s\": write codes in "
                      "lower case with dashes, separated by commas without spaces",
                      XDS_FMT(xds_lint_who(in, missing)), named & (named - 1) ? "" : "es",
                      XDS_FMT(policy->retry_on));
}

/* Who reads the policies of routes, and of virtual hosts? */
static unsigned readers(const struct xds_inspection *in, bool of_host)
{
    const struct xds_options *options = &in->report->options;
    const unsigned clients =
        options->clients & xds_env_mask(options, XDS_ENV_ENABLE_RETRY);

    return of_host ? clients & ~xds_clients_differing(options, XDS_DIFF_RETRY_OF_HOST)
                   : clients;
}

/* ---- numbers ---- */

static void check_policy(const struct xds_inspection *in, const struct xds_path *at,
                         const struct xds_retry_policy *policy, bool hides)
{
    const struct xds_retries retries =
        xds_retries_of(&in->report->options, XDS_CLIENT_GRFC, policy);
    const unsigned repeating = XDS_RETRY_INTERNAL | XDS_RETRY_DEADLINE_EXCEEDED;

    check_words(in, at, policy, hides);
    if (!policy->codes)
        return;
    if (retries.capped)
        xds_lint_fire(in, XDS_AT(at, "num_retries"), XDS_R_LINT_RETRY_CAPPED,
                      "num_retries is %u, but gRPC makes at most %u attempts: "
                      "there are %u retries",
                      policy->num_retries, retries.attempts, retries.attempts - 1);
    if ((policy->codes & repeating) &&
        xds_report_is_first(in->report, XDS_S("retry-repeats")))
        xds_lint_fire(in, XDS_AT(at, "retry_on"), XDS_R_LINT_RETRY_REPEATS,
                      "retry_on has %s, after which the server may have done its "
                      "work: a retry may do it again",
                      policy->codes & XDS_RETRY_INTERNAL ? "internal"
                                                         : "deadline-exceeded");
}

void xds_check_route_retries(const struct xds_inspection *in, const struct xds_path *at,
                             const struct xds_virtual_host *host,
                             const struct xds_route *route)
{
    const struct xds_path *here = XDS_AT(at, "route.retry_policy");

    if (!route->retry_policy || !readers(in, false))
        return;
    check_policy(in, here, route->retry_policy, host->retry_policy != NULL);
    if (host->retry_policy && readers(in, true) &&
        xds_report_is_first(in->report, XDS_S("retry-hides-host")))
        xds_lint_fire(in, here, XDS_R_LINT_RETRY_HIDES_HOST,
                      "retry_policy replaces that of the virtual host as a whole: "
                      "nothing of that one applies to this route");
}

void xds_check_host_retries(const struct xds_inspection *in, const struct xds_path *at,
                            const struct xds_virtual_host *host)
{
    if (host->retry_policy && readers(in, true))
        check_policy(in, XDS_AT(at, "retry_policy"), host->retry_policy, false);
}

/* ---- time-outs ---- */

static double seconds(int64_t ns)
{
    return (double)ns / 1e9;
}

void xds_check_route_timeout(const struct xds_inspection *in, const struct xds_path *at,
                             const struct xds_virtual_host *host,
                             const struct xds_route *route)
{
    const struct xds_path *here =
        XDS_AT(XDS_AT(at, "route.max_stream_duration"), route->timeout_field);

    if (!route->has_timeout)
        return;
    if (route->timeout_ns == 0)
        xds_lint_fire(in, here, XDS_R_LINT_TIMEOUT_NONE,
                      "max_stream_duration is 0, which means no limit, and also "
                      "cancels that of the listener");

    const struct xds_retry_policy *policy =
        route->retry_policy ? route->retry_policy : host->retry_policy;

    if (policy && policy->codes && route->timeout_ns > 0 &&
        route->timeout_ns < policy->base_interval_ns)
        xds_lint_fire(in, here, XDS_R_LINT_RETRY_TOO_LATE,
                      "the timeout of the route is %.10g s, and a retry waits up "
                      "to base_interval, %.10g s: most retries never happen",
                      seconds(route->timeout_ns), seconds(policy->base_interval_ns));
}

/* ---- time-outs that are not read ---- */

static int64_t limit_of(const struct xds_inspection *in, enum xds_client client,
                        const struct xds_limits *limits)
{
    const struct xds_options *options = &in->report->options;

    if (!xds_env_on(options, XDS_ENV_ENABLE_TIMEOUT, client))
        return 0;
    return xds_differs(options, client, XDS_DIFF_IDLE_TIMEOUT_FOR_RPCS)
               ? limits->idle_timeout_ns
               : limits->max_stream_duration_ns;
}

/* The clients asked about that have no limit then. */
static unsigned without_limit(const struct xds_inspection *in,
                              const struct xds_limits *limits)
{
    const unsigned asked = in->report->options.clients;
    unsigned clients = 0;

    for (enum xds_client c = 0; c < XDS_CLIENTS; c++)
        if ((asked & XDS_CLIENT_BIT(c)) && (!limits || limit_of(in, c, limits) <= 0))
            clients |= XDS_CLIENT_BIT(c);
    return clients;
}

/* What the listeners give to the route configurations that they name: API listeners, or
 * others where there is none. */
static void spread_limits(const struct xds_inspection *in, const struct xds_graph *graph,
                          bool of_servers)
{
    for (const struct xds_node *n = graph->first[XDS_TYPE_LISTENER]; n; n = n->next)
        for (const struct xds_ref *ref = n->refs; ref < xds_chain_refs_end(n); ref++) {
            struct xds_node *to = xds_ref_to(ref);

            if (n->listener->for_servers != of_servers || !to || !to->routes ||
                (of_servers && to->routes->used_by_client))
                continue;
            to->routes->without_limit |= without_limit(in, ref->limits);
            if (!to->routes->limits)
                to->routes->limits = ref->limits;
        }
}

/* The first of the time-outs with a limit, or of those without one, and how many. */
struct unread_timeouts {
    const struct xds_node *node;
    struct xds_site first;
    const struct xds_limits *limits;
    unsigned without; /* clients asked about */
    size_t n;
};

/* The limit of the first client that has it. */
static struct xds_slice limit_words(const struct xds_inspection *in,
                                    const struct unread_timeouts *found)
{
    const unsigned with = in->report->options.clients & ~found->without;
    enum xds_client client = 0;

    while (!(with & XDS_CLIENT_BIT(client)))
        client++;
    const bool idle =
        xds_differs(&in->report->options, client, XDS_DIFF_IDLE_TIMEOUT_FOR_RPCS);

    return xds_arena_printf(in->scratch, ": the listener's %s of %.10g s holds%.*s",
                            idle ? "idle_timeout" : "max_stream_duration",
                            seconds(limit_of(in, client, found->limits)),
                            XDS_FMT(xds_lint_for_some(in, with)));
}

static void report_timeouts(struct xds_inspection *in, const struct unread_timeouts *of)
{
    const bool limited = of->without != in->report->options.clients;
    struct xds_site_frames frames;

    if (!of->node)
        return;
    const struct xds_path *at = xds_site_path(of->first, XDS_S(""), &frames);
    const struct xds_slice more =
        of->n == 1 ? XDS_S("")
                   : xds_arena_printf(in->scratch, "; %zu more time%s in this input",
                                      of->n - 1, of->n == 2 ? "" : "s");
    const struct xds_slice what =
        limited ? limit_words(in, of)
                : XDS_S(", and max_stream_duration is not set: an RPC has no limit but "
                        "its own deadline");

    in->resource = of->node->resource;
    (limited ? xds_lint_fire_note : xds_lint_fire)(in, at, XDS_R_LINT_TIMEOUT_UNREAD,
                                                   "timeout is not read by gRPC%.*s%.*s",
                                                   XDS_FMT(what), XDS_FMT(more));
}

static void collect_timeouts(struct xds_inspection *in, const struct xds_node *node,
                             struct unread_timeouts found[2])
{
    for (; node; node = node->next) {
        const struct xds_unlimited *u = node->routes->unlimited;

        /* What a server makes of such a route is said by another check. */
        if (!xds_is_judged(in, node) || (node->listener && xds_is_grpc_server(in, node)))
            continue;
        for (; u; u = u->next) {
            const struct xds_limits *limits =
                u->limits ? u->limits : node->routes->limits;
            const unsigned without = u->limits || !limits ? without_limit(in, limits)
                                                          : node->routes->without_limit;
            struct unread_timeouts *of = &found[without != in->report->options.clients];

            of->n += u->n;
            if (in->report->options.each_time)
                report_timeouts(
                    in, &(struct unread_timeouts){node, u->first, limits, without, u->n});
            else if (!of->node || of->node->resource >= node->resource)
                *of = (struct unread_timeouts){node, u->first, limits, without, of->n};
        }
    }
}

void xds_check_timeouts(struct xds_inspection *in, const struct xds_graph *graph)
{
    struct unread_timeouts found[2] = {{.n = 0}};

    spread_limits(in, graph, false);
    spread_limits(in, graph, true);
    collect_timeouts(in, graph->first[XDS_TYPE_LISTENER], found);
    collect_timeouts(in, graph->first[XDS_TYPE_ROUTE], found);
    for (size_t i = 0; i < XDS_ARRAY_LEN(found); i++)
        report_timeouts(in, &found[i]);
}

/* The first route to a cluster that makes a hash, or that makes none; NULL: there is no
 * such route. */
static const struct xds_site *first_route(const struct xds_ref *ref, bool hashed)
{
    if (ref->name->type != XDS_TYPE_CLUSTER)
        return NULL;
    return ref->is_hashed == hashed ? &ref->site : ref->otherwise;
}

/* ---- a ring without hashes ---- */

static void check_hashless(const struct xds_inspection *in, const struct xds_ref *ref)
{
    const struct xds_site *hashless = first_route(ref, false);
    const bool mixed = first_route(ref, true) != NULL;
    struct xds_site_frames frames;

    if (!hashless || !(ref->name->ring_hash & in->report->options.clients))
        return;
    xds_lint_fire(in, xds_site_path(*hashless, XDS_S(""), &frames),
                  XDS_R_LINT_RING_HASH_WITHOUT_POLICY,
                  "cluster \"%.*s\" picks hosts by %s, but %s has no "
                  "hash_policy that gives a hash: each RPC gets a random one",
                  XDS_FMT(ref->name->text), xds_lb_hashing(),
                  mixed ? "this route, unlike others to it," : "the route");
}

/* ---- hashes without a ring ---- */

/* No client looks at the hash of these RPCs. */
static bool is_wasted(const struct xds_inspection *in, const struct xds_ref *ref)
{
    const struct xds_node *to = xds_ref_to(ref);

    return first_route(ref, true) && to &&
           !(to->cluster->may_hash & in->report->options.clients);
}

/* Of a split one cluster that hashes is reason enough. */
static bool splits_may_hash(const struct xds_inspection *in, const struct xds_node *node)
{
    for (const struct xds_ref *ref = node->refs; ref < xds_refs_end(node); ref++)
        if (first_route(ref, true) && !ref->hashed_alone && !is_wasted(in, ref))
            return true;
    return false;
}

static bool is_aggregate(const struct xds_ref *ref)
{
    return xds_ref_to(ref)->cluster->kind == XDS_CLUSTER_AGGREGATE;
}

static void check_hashed(const struct xds_inspection *in, const struct xds_node *node)
{
    const bool splits_hash = splits_may_hash(in, node);
    const struct xds_ref *first = NULL;
    const struct xds_site *route = NULL;
    size_t more = 0;

    for (const struct xds_ref *ref = node->refs; ref < xds_refs_end(node); ref++) {
        if (!is_wasted(in, ref) || (!ref->hashed_alone && splits_hash))
            continue;
        if (route) {
            more++;
            continue;
        }
        first = ref;
        route = first_route(ref, true);
    }
    if (route) {
        struct xds_site site = *route;
        struct xds_site_frames frames;
        const struct xds_slice others =
            more == 0 ? XDS_S("")
                      : xds_arena_printf(in->scratch,
                                         "; nor is that of %zu more cluster%s of routes "
                                         "like this",
                                         more, more == 1 ? "" : "s");

        site.kind = XDS_SITE_HASH_POLICY;
        xds_lint_fire(in, xds_site_path(site, XDS_S(""), &frames),
                      XDS_R_LINT_HASH_POLICY_UNUSED,
                      "hash_policy has no effect: the policy of %scluster \"%.*s\" "
                      "is not %s%.*s",
                      is_aggregate(first) ? "the leaves of " : "",
                      XDS_FMT(first->name->text), xds_lb_hashing(), XDS_FMT(others));
    }
}

void xds_check_hashing(struct xds_inspection *in, const struct xds_graph *graph)
{
    static const enum xds_resource_type types[] = {XDS_TYPE_LISTENER, XDS_TYPE_ROUTE};

    if (!graph->holds_hashes)
        return;
    /* There are many references, and few clusters. */
    for (const struct xds_node *n = graph->first[XDS_TYPE_CLUSTER]; n; n = n->next)
        if (n->name->node == n)
            n->name->ring_hash = n->cluster->ring_hash;
    for (size_t i = 0; i < XDS_ARRAY_LEN(types); i++)
        for (const struct xds_node *n = graph->first[types[i]]; n; n = n->next) {
            bool hashed = false;

            in->resource = n->resource;
            for (const struct xds_ref *ref = n->refs; ref < xds_refs_end(n); ref++) {
                check_hashless(in, ref);
                hashed = hashed || first_route(ref, true);
            }
            if (hashed)
                check_hashed(in, n);
        }
}
