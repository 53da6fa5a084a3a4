/*
 * shadow.c - routes that can never match, because an earlier one takes all their RPCs.
 *
 * Source: gRFC A28, spec routing 2.2.
 *
 * Only single routes are held against a later one, not several together. A route hides
 * another one if each client that uses the other uses it too and finds the other's paths
 * and headers within its own.
 */
#include "base/ascii.h"
#include "base/limits.h"
#include "lint/checks.h"

static struct xds_slice stem_of(struct xds_arena *arena,
                                const struct xds_path_matcher *path)
{
    struct xds_slice stem = path->text;

    if (path->kind == XDS_MATCH_REGEX)
        stem = xds_regex_stem(arena, path->text);
    if (stem.len > XDS_COVER_STEM)
        stem.len = XDS_COVER_STEM;
    return stem;
}

/* FNV-1a. */
static uint64_t step(uint64_t hash, char c)
{
    return (hash ^ (unsigned char)xds_ascii_lower(c)) * UINT64_C(0x100000001b3);
}

#define BASIS UINT64_C(0xcbf29ce484222325)

/* As it is in hashes; of any text. */
static uint64_t cover_hash(struct xds_slice text)
{
    uint64_t hash = BASIS;

    for (size_t i = 0; i < text.len; i++)
        hash = step(hash, text.data[i]);
    return hash;
}

/* Fills *out; scratch: as long as that is used. */
static void cover_path_init(struct xds_cover_path *out, struct xds_arena *scratch,
                            const struct xds_route *route, size_t position)
{
    static const enum xds_cover_kind kinds[] = {
        [XDS_MATCH_PREFIX] = XDS_COVERS_PREFIX,
        [XDS_MATCH_EXACT] = XDS_COVERS_EXACT,
        [XDS_MATCH_REGEX] = XDS_COVERS_REGEX,
    };
    const struct xds_path_matcher *path = &route->match.path;
    const bool takes_all = xds_path_takes_all(path);

    out->route = route;
    out->position = (uint32_t)position;
    out->kind = takes_all ? XDS_COVERS_PREFIX : kinds[path->kind];
    out->stem = takes_all ? XDS_S("") : stem_of(scratch, path);
    out->regex = out->kind == XDS_COVERS_REGEX ? cover_hash(path->text) : 0;
    out->hashes[0] = BASIS;
    for (size_t i = 0; i < out->stem.len; i++)
        out->hashes[i + 1] = step(out->hashes[i], out->stem.data[i]);
}

/* How:    the path comes with a hash of each beginning; at each length that some earlier
 * path has, it is the key of those that begin so. Different keys may meet in one hash:
 * then more routes are found than need be. */

#define SPREAD UINT64_C(0x9e3779b97f4a7c15)

/* What a hash of a path is the key of. */
enum key_kind { OF_PREFIX, OF_EXACT_PATH, OF_REGEX_STEM, OF_REGEX };

/* Never 0, and spread over all bits. */
static uint64_t key_of(uint64_t path, uint64_t header)
{
    uint64_t key = path ^ header * SPREAD;

    key = (key ^ key >> 32) * SPREAD;
    return (key ^ key >> 29) | 1;
}

static size_t power_of_two(size_t at_least)
{
    size_t n = 4;

    while (n < at_least)
        n *= 2;
    return n;
}

/* Eight bits per slot. */
static bool bit_of(const struct xds_cover_index *index, uint64_t key, bool set)
{
    const size_t bit = (size_t)(key >> 3) & (index->n_slots * 8 - 1);
    unsigned char *byte = &index->known[bit / 8];

    if (set)
        *byte |= (unsigned char)(1u << bit % 8);
    return *byte >> bit % 8 & 1;
}

/* The slot of the key, or the free one where it would be. */
static struct xds_cover_slot *slot_of(const struct xds_cover_index *index, uint64_t key)
{
    size_t i = (size_t)(key >> 1) & (index->n_slots - 1);

    while (index->slots[i].first != 0 &&
           index->covers[index->slots[i].first - 1].key != key)
        i = (i + 1) & (index->n_slots - 1);
    return &index->slots[i];
}

static uint64_t as(uint64_t path, enum key_kind kind)
{
    return path ^ (uint64_t)kind * SPREAD;
}

/* ---- paths ---- */

static unsigned char last_of(struct xds_slice stem, size_t len)
{
    return len == 0 ? 0 : (unsigned char)xds_ascii_lower(stem.data[len - 1]);
}

static void note_stem(struct xds_cover_stems *stems, struct xds_slice stem)
{
    const unsigned last = last_of(stem, stem.len);

    stems->bits[stem.len][last / 64] |= (uint64_t)1 << last % 64;
}

static bool may_be_stem(const struct xds_cover_stems *stems, struct xds_slice text,
                        size_t len)
{
    const unsigned last = last_of(text, len);

    return stems->bits[len][last / 64] >> last % 64 & 1;
}

/* ---- headers ---- */

static uint64_t name_key(const struct xds_header_matcher *m)
{
    return key_of(cover_hash(m->name), 0);
}

static uint64_t value_key(const struct xds_header_matcher *m)
{
    return key_of(cover_hash(m->name), cover_hash(m->string.text));
}

/* By what a route that asks for the header is found: only an exact value is within an
 * exact value, and something of that name within anything else. */
static uint64_t header_key(const struct xds_header_matcher *m)
{
    return (m->kind == XDS_HEADER_STRING && m->string.kind == XDS_MATCH_EXACT &&
            !m->invert && !m->string.fold_case)
               ? value_key(m)
               : name_key(m);
}

static uint32_t *asking_for(const struct xds_cover_index *index, uint64_t key)
{
    return &index->asking[(size_t)(key >> 1) & (index->n_asking - 1)];
}

/* Must the other route ask for it? Not if the header is a constant for some client, nor
 * if the matcher may hold for every value and without one. */
static bool must_be_asked_for(const struct xds_cover_index *index,
                              const struct xds_header_matcher *m)
{
    struct xds_slice constant;

    if (m->invert && (m->kind == XDS_HEADER_RANGE || m->kind == XDS_HEADER_NEVER))
        return false;
    for (unsigned c = 0; c < XDS_CLIENTS; c++)
        if ((index->clients & XDS_CLIENT_BIT(c)) &&
            xds_header_visibility(&index->readers[c], m->name, &constant) !=
                XDS_SEES_VALUE)
            return false;
    return true;
}

/* ---- the index ---- */

/* Room for the routes of one virtual host, none of which is in it yet. index is zero but
 * for arena, readers and clients. */
static void cover_index_init(struct xds_cover_index *index,
                             const struct xds_virtual_host *host)
{
    size_t keys = host->n_routes;

    for (size_t i = 0; i < host->n_routes; i++)
        keys += host->routes[i].match.path.kind == XDS_MATCH_REGEX;

    index->covers = XDS_NEW_ARRAY(index->arena, struct xds_cover, keys);
    index->n_slots = power_of_two(keys * 5 / 4);
    index->slots = XDS_NEW_ARRAY(index->arena, struct xds_cover_slot, index->n_slots);
    index->known = XDS_NEW_ARRAY(index->arena, unsigned char, index->n_slots);
    index->n_asking = power_of_two(host->n_routes);
    index->asking = XDS_NEW_ARRAY(index->arena, uint32_t, index->n_asking);
    for (size_t i = 0; i < host->n_routes; i++)
        for (size_t j = 0; j < host->routes[i].match.n_headers; j++)
            ++*asking_for(index, header_key(&host->routes[i].match.headers[j]));
}

static void add_at(struct xds_cover_index *index, uint64_t key,
                   const struct xds_cover_path *path)
{
    struct xds_cover_slot *slot = slot_of(index, key);
    struct xds_cover *cover = &index->covers[index->n_covers++];

    *cover =
        (struct xds_cover){.route = path->route, .key = key, .position = path->position};
    if (slot->first)
        index->covers[slot->last - 1].next = index->n_covers;
    else
        slot->first = index->n_covers;
    slot->last = index->n_covers;
    (void)bit_of(index, key, true);
}

static void cover_index_add(struct xds_cover_index *index,
                            const struct xds_cover_path *path)
{
    const uint64_t hash = xds_cover_stem_hash(path);
    /* Of the headers that a route asks for the rarest one; 0: it asks for none. */
    uint64_t header = 0;

    for (size_t i = 0; i < path->route->match.n_headers; i++) {
        const struct xds_header_matcher *m = &path->route->match.headers[i];
        const uint64_t key = header_key(m);

        if ((header == 0 || *asking_for(index, key) < *asking_for(index, header)) &&
            must_be_asked_for(index, m))
            header = key;
    }

    switch (path->kind) {
    case XDS_COVERS_EXACT:
        add_at(index, key_of(as(hash, OF_EXACT_PATH), header), path);
        break;
    case XDS_COVERS_PREFIX:
        add_at(index, key_of(as(hash, OF_PREFIX), header), path);
        note_stem(&index->prefixes, path->stem);
        break;
    case XDS_COVERS_REGEX:
        add_at(index, key_of(as(path->regex, OF_REGEX), header), path);
        add_at(index, key_of(as(hash, OF_REGEX_STEM), header), path);
        note_stem(&index->regexes, path->stem);
        break;
    }
}

struct shadow {
    const struct xds_inspection *in;
    struct xds_within readers[XDS_CLIENTS];
    unsigned clients;
};

/* ---- does one route take all of another? ---- */

/* A matcher that could not be read stands for nothing. */
static bool can_be_compared(const struct xds_route *route)
{
    const struct xds_path_matcher *path = &route->match.path;

    if (route->match.n_headers > XDS_MAX_COMPARED_HEADERS)
        return false;
    return path->kind == XDS_MATCH_REGEX
               ? path->regex != NULL
               : path->kind != XDS_MATCH_EXACT || path->text.len;
}

static bool takes_always(const struct xds_within *w, const struct xds_route_match *match)
{
    struct xds_random nothing = {NULL, 0, 0};
    struct xds_rpc rpc = w->rpc;

    rpc.random = &nothing;
    return xds_fraction_test(&rpc, match).chance == XDS_CHANCE_YES;
}

/* A fraction lets some RPCs pass, so that such a route hides nothing. */
static bool takes_always_for_some(const struct shadow *s, const struct xds_route *route)
{
    if (!route->match.has_fraction)
        return true;
    for (unsigned c = 0; c < XDS_CLIENTS; c++)
        if ((s->clients & XDS_CLIENT_BIT(c)) &&
            takes_always(&s->readers[c], &route->match))
            return true;
    return false;
}

/* Does this client compare the path as it is written? What it finds of two such holds for
 * all clients that do. */
static bool compares_as_is(const struct xds_within *w,
                           const struct xds_path_matcher *path)
{
    if (path->kind == XDS_MATCH_REGEX)
        return !xds_reads(&w->rpc, XDS_READS_REGEX_SLASH_ESCAPED) &&
               !xds_reads(&w->rpc, XDS_READS_REGEX_UNGROUPED);
    return !xds_path_folds(path, w->rpc.options, w->rpc.client);
}

/* What is known of two paths that are compared as they are. */
enum as_is { AS_IS_UNKNOWN, AS_IS_WITHIN, AS_IS_OUTSIDE };

static bool path_hides(struct xds_within *w, const struct xds_path_matcher *earlier,
                       const struct xds_path_matcher *later, enum as_is *known)
{
    if (!compares_as_is(w, earlier) || !compares_as_is(w, later))
        return xds_path_within(w, later, earlier);
    if (*known == AS_IS_UNKNOWN)
        *known = xds_path_within(w, later, earlier) ? AS_IS_WITHIN : AS_IS_OUTSIDE;
    return *known == AS_IS_WITHIN;
}

static bool hides_for(struct xds_within *w, const struct xds_route *earlier,
                      const struct xds_route *later, enum as_is *known)
{
    return !(earlier->skipped_by & XDS_CLIENT_BIT(w->rpc.client)) &&
           path_hides(w, &earlier->match.path, &later->match.path, known) &&
           xds_headers_within(w, &later->match, &earlier->match) &&
           takes_always(w, &earlier->match);
}

static unsigned users_of(const struct shadow *s, const struct xds_route *route)
{
    return s->clients & (unsigned)~route->skipped_by;
}

/* The clients of a set for which it does. */
static unsigned hides(struct shadow *s, const struct xds_route *earlier,
                      const struct xds_route *later, unsigned users)
{
    enum as_is known = AS_IS_UNKNOWN;
    unsigned found = 0;

    for (unsigned c = 0; c < XDS_CLIENTS; c++)
        if ((users & XDS_CLIENT_BIT(c)) &&
            hides_for(&s->readers[c], earlier, later, &known))
            found |= XDS_CLIENT_BIT(c);
    return found;
}

struct search {
    struct shadow *shadow;
    const struct xds_route *later;
    unsigned users;                /* the clients that use it */
    const struct xds_cover *first; /* hides it from most clients, and of several such
                                      routes is the first; or NULL */
    unsigned hidden;               /* those clients */
    unsigned compared;
};

static unsigned count_clients(unsigned clients)
{
    unsigned n = 0;

    for (; clients; clients &= clients - 1)
        n++;
    return n;
}

/* Look at an earlier route that may take all of the later one; false ends the search. */
static bool compare(struct search *s, const struct xds_cover *earlier)
{
    if (s->compared++ == XDS_MAX_COVERING_ROUTES)
        return false;
    if (s->first && s->hidden == s->users && s->first->position <= earlier->position)
        return true;
    const unsigned hidden = hides(s->shadow, earlier->route, s->later, s->users);
    const unsigned n = count_clients(hidden), most = count_clients(s->hidden);

    if (n > most || (s->first && n == most && earlier->position < s->first->position)) {
        s->first = earlier;
        s->hidden = hidden;
    }
    return true;
}

/* ---- search ---- */

static bool visit_slot(const struct xds_cover_index *index, uint64_t key,
                       struct search *search)
{
    if (!bit_of(index, key, false))
        return true;
    for (uint32_t i = slot_of(index, key)->first; i; i = index->covers[i - 1].next)
        if (!compare(search, &index->covers[i - 1]))
            return false;
    return true;
}

/* Those with this path that ask for no header, or for one of the route's. One that
 * appears twice in the route finds them twice. */
static bool visit_path(const struct xds_cover_index *index, uint64_t path,
                       struct search *search)
{
    const struct xds_route *route = search->later;

    if (!visit_slot(index, key_of(path, 0), search))
        return false;
    for (size_t i = 0; i < route->match.n_headers; i++) {
        const struct xds_header_matcher *m = &route->match.headers[i];

        if (!visit_slot(index, key_of(path, name_key(m)), search))
            return false;
        if (m->kind == XDS_HEADER_STRING && m->string.kind == XDS_MATCH_EXACT &&
            !visit_slot(index, key_of(path, value_key(m)), search))
            return false;
    }
    return true;
}

/* May regexes be run at all? */
static bool runs_regexes(const struct xds_cover_index *index)
{
    for (unsigned c = 0; c < XDS_CLIENTS; c++)
        if ((index->clients & XDS_CLIENT_BIT(c)) && index->readers[c].regex_runs > 0)
            return true;
    return false;
}

static void cover_index_find(const struct xds_cover_index *index,
                             const struct xds_cover_path *path, struct search *search)
{
    const struct xds_slice stem = path->stem;
    const bool exact = path->kind == XDS_COVERS_EXACT;
    const bool regexes = exact && runs_regexes(index);

    for (size_t len = 0; len <= stem.len; len++) {
        if (may_be_stem(&index->prefixes, stem, len) &&
            !visit_path(index, as(path->hashes[len], OF_PREFIX), search))
            return;
        if (regexes && may_be_stem(&index->regexes, stem, len) &&
            !visit_path(index, as(path->hashes[len], OF_REGEX_STEM), search))
            return;
    }
    if (exact)
        (void)visit_path(index, as(path->hashes[stem.len], OF_EXACT_PATH), search);
    else if (path->kind == XDS_COVERS_REGEX)
        (void)visit_path(index, as(path->regex, OF_REGEX), search);
}

static bool may_cover(const struct xds_cover_item *item,
                      const struct xds_cover_path *path)
{
    const bool begins =
        item->stem_len <= path->stem.len && item->stem == path->hashes[item->stem_len];

    switch (item->kind) {
    case XDS_COVERS_PREFIX:
        return begins;
    case XDS_COVERS_EXACT:
        return begins && path->kind == XDS_COVERS_EXACT &&
               item->stem_len == path->stem.len;
    case XDS_COVERS_REGEX:
        return path->kind == XDS_COVERS_REGEX ? item->regex == path->regex
                                              : begins && path->kind == XDS_COVERS_EXACT;
    }
    return false;
}

/* As cover_index_find(), in the order of their positions. */
static void cover_list_find(const struct xds_cover_list *list,
                            const struct xds_cover_path *path, struct search *search)
{
    for (size_t i = 0; i < list->n; i++)
        if (may_cover(&list->items[i], path) && !compare(search, &list->items[i].cover))
            return;
}

/* ---- report ---- */

static bool same_action(const struct xds_route *a, const struct xds_route *b)
{
    return a->action == XDS_ACTION_CLUSTER && b->action == XDS_ACTION_CLUSTER &&
           xds_slice_eq(a->cluster, b->cluster) && !a->retry_policy && !b->retry_policy &&
           a->has_timeout == b->has_timeout && a->timeout_ns == b->timeout_ns &&
           a->n_hash_policies + b->n_hash_policies == 0 &&
           a->auto_host_rewrite == b->auto_host_rewrite &&
           a->overrides.n + b->overrides.n == 0;
}

static const char *path_field(const struct xds_path_matcher *path)
{
    static const char *const fields[] = {
        [XDS_MATCH_EXACT] = "path",
        [XDS_MATCH_PREFIX] = "prefix",
        [XDS_MATCH_REGEX] = "safe_regex",
    };

    return fields[path->kind];
}

/* ", and its prefix "/a/" takes every RPC that this route would" */
static struct xds_slice what_it_takes(struct shadow *s, const struct xds_route *earlier,
                                      const struct xds_route *later, unsigned clients)
{
    struct xds_arena *arena = s->in->scratch;
    const unsigned users = clients & users_of(s, earlier);

    if (xds_report_is_full(s->in->report))
        return XDS_S("");
    if (users && hides(s, later, earlier, users) == users)
        return XDS_S(" and matches the same RPCs");
    const struct xds_slice text = xds_excerpt(arena, earlier->match.path.text);
    return xds_arena_printf(arena, ", and its %s %.*s%s every RPC that this route would",
                            path_field(&earlier->match.path), XDS_FMT(text),
                            earlier->match.n_headers == 0 ? " matches"
                                                          : " and its headers match");
}

static void report(const struct search *found, const struct xds_path *at, size_t position)
{
    struct shadow *s = found->shadow;
    const struct xds_cover *earlier = found->first;
    const struct xds_route *later = found->later;
    const struct xds_path *here = XDS_AT_I(at, "routes", position);
    const struct xds_path *there = XDS_AT_I(at, "routes", earlier->position);
    const bool same = same_action(earlier->route, later);
    const struct xds_slice taking =
        what_it_takes(s, earlier->route, later, found->hidden);
    const bool for_all =
        xds_lint_named(s->in, found->hidden) == xds_lint_named(s->in, found->users);

    if ((same ? xds_lint_fire_note : xds_lint_fire)(
            s->in, XDS_AT(here, "match"), XDS_R_LINT_ROUTE_SHADOWED,
            "the route never matches%s%.*s: routes[%u] comes before it%.*s; %s",
            for_all ? "" : " for ",
            XDS_FMT(for_all ? XDS_S("") : xds_lint_who(s->in, found->hidden)),
            earlier->position, XDS_FMT(taking),
            same ? "both do the same, so this route can be removed"
                 : "remove it, or move it first if its RPCs should go elsewhere"))
        xds_lint_relate(s->in, XDS_AT(there, "match"), "the route that matches its RPCs");
}

/* ---- check ---- */

/* Can two of the headers that it asks for not hold together? That is reported elsewhere.
 */
static bool contradicts_itself(struct shadow *s, const struct xds_route *route)
{
    struct xds_header_pair pair;

    for (unsigned c = 0; c < XDS_CLIENTS; c++)
        if ((s->clients & XDS_CLIENT_BIT(c)) &&
            xds_headers_contradict(&s->readers[c], &route->match, &pair))
            return true;
    return false;
}

/* The earlier routes of one virtual host that may hide later ones. */
struct earlier {
    struct xds_cover_list few;
    struct xds_cover_index *index; /* NULL: they are few */
};

static void keep(struct earlier *earlier, const struct xds_cover_path *path)
{
    if (earlier->index)
        cover_index_add(earlier->index, path);
    else {
        earlier->few.items[earlier->few.n++] = (struct xds_cover_item){
            .cover = {.route = path->route, .position = path->position},
            .stem = xds_cover_stem_hash(path),
            .regex = path->regex,
            .stem_len = path->stem.len,
            .kind = path->kind,
        };
    }
}

static void check_routes(struct shadow *s, const struct xds_path *at,
                         const struct xds_virtual_host *host, struct earlier *earlier)
{
    struct xds_cover_path path;

    for (size_t i = 0; i < host->n_routes; i++) {
        const struct xds_route *route = &host->routes[i];
        struct search search = {.shadow = s, .later = route, .users = users_of(s, route)};

        if (!can_be_compared(route) || contradicts_itself(s, route))
            continue;
        cover_path_init(&path, s->in->scratch, route, i);
        if (earlier->index)
            cover_index_find(earlier->index, &path, &search);
        else
            cover_list_find(&earlier->few, &path, &search);
        if (search.first)
            report(&search, at, i);
        if ((!search.first || search.hidden != search.users) &&
            takes_always_for_some(s, route))
            keep(earlier, &path);
    }
}

void xds_check_shadowed_routes(const struct xds_inspection *in, const struct xds_path *at,
                               const struct xds_route_config *config)
{
    struct shadow s = {.in = in, .clients = in->report->options.clients};

    for (unsigned c = 0; c < XDS_CLIENTS; c++)
        s.readers[c] =
            xds_within_of((enum xds_client)c, &in->report->options, in->scratch);
    for (size_t i = 0; i < config->n_virtual_hosts; i++) {
        const struct xds_virtual_host *host = &config->virtual_hosts[i];
        struct earlier earlier;

        earlier.few.n = 0;
        earlier.index = NULL;
        if (host->n_routes > XDS_COVER_FEW) {
            earlier.index = XDS_NEW(s.in->scratch, struct xds_cover_index);
            earlier.index->arena = s.in->scratch;
            earlier.index->readers = s.readers;
            earlier.index->clients = s.clients;
            cover_index_init(earlier.index, host);
        }
        check_routes(&s, XDS_AT_I(at, "virtual_hosts", i), host, &earlier);
    }
}
