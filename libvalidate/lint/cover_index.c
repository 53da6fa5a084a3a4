/*
 * cover_index.c - find the routes whose paths begin a path, in time that grows with it.
 *
 * How:    the path comes with a hash of each beginning; at each length that some earlier
 * path has, it is the key of those that begin so. Different keys may meet in one hash:
 * then more routes are found than need be.
 */
#include "lint/cover_index.h"

#include "base/ascii.h"

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

static bool is_exact(const struct xds_header_matcher *m)
{
    return m->kind == XDS_HEADER_STRING && m->string.kind == XDS_MATCH_EXACT &&
           !m->invert && !m->string.fold_case;
}

static uint64_t name_key(const struct xds_header_matcher *m)
{
    return key_of(xds_cover_hash(m->name), 0);
}

static uint64_t value_key(const struct xds_header_matcher *m)
{
    return key_of(xds_cover_hash(m->name), xds_cover_hash(m->string.text));
}

/* By what a route that asks for the header is found: only an exact value is within an
 * exact value, and something of that name within anything else. */
static uint64_t header_key(const struct xds_header_matcher *m)
{
    return is_exact(m) ? value_key(m) : name_key(m);
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

static void count_headers(struct xds_cover_index *index,
                          const struct xds_virtual_host *host)
{
    index->n_asking = power_of_two(host->n_routes);
    index->asking = XDS_NEW_ARRAY(index->arena, uint32_t, index->n_asking);
    for (size_t i = 0; i < host->n_routes; i++)
        for (size_t j = 0; j < host->routes[i].match.n_headers; j++)
            ++*asking_for(index, header_key(&host->routes[i].match.headers[j]));
}

/* Of the headers that a route asks for the rarest one; 0: it asks for none. */
static uint64_t rarest_header(const struct xds_cover_index *index,
                              const struct xds_route *route)
{
    uint64_t best = 0;

    for (size_t i = 0; i < route->match.n_headers; i++) {
        const struct xds_header_matcher *m = &route->match.headers[i];
        const uint64_t key = header_key(m);

        if ((best == 0 || *asking_for(index, key) < *asking_for(index, best)) &&
            must_be_asked_for(index, m))
            best = key;
    }
    return best;
}

static size_t count_keys(const struct xds_virtual_host *host)
{
    size_t n = host->n_routes;

    for (size_t i = 0; i < host->n_routes; i++)
        n += host->routes[i].match.path.kind == XDS_MATCH_REGEX;
    return n;
}

/* ---- the index ---- */

void xds_cover_index_init(struct xds_cover_index *index,
                          const struct xds_virtual_host *host)
{
    const size_t keys = count_keys(host);

    index->covers = XDS_NEW_ARRAY(index->arena, struct xds_cover, keys);
    index->n_slots = power_of_two(keys * 5 / 4);
    index->slots = XDS_NEW_ARRAY(index->arena, struct xds_cover_slot, index->n_slots);
    index->known = XDS_NEW_ARRAY(index->arena, unsigned char, index->n_slots);
    count_headers(index, host);
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

void xds_cover_index_add(struct xds_cover_index *index, const struct xds_cover_path *path)
{
    const uint64_t hash = xds_cover_stem_hash(path);
    const uint64_t header = rarest_header(index, path->route);

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

static bool visit_slot(const struct xds_cover_index *index, uint64_t key,
                       xds_cover_visit *visit, void *user)
{
    if (!bit_of(index, key, false))
        return true;
    for (uint32_t i = slot_of(index, key)->first; i; i = index->covers[i - 1].next)
        if (!visit(user, &index->covers[i - 1]))
            return false;
    return true;
}

/* Those with this path that ask for no header, or for one of the route's. One that
 * appears twice in the route finds them twice. */
static bool visit_path(const struct xds_cover_index *index, uint64_t path,
                       const struct xds_route *route, xds_cover_visit *visit, void *user)
{
    if (!visit_slot(index, key_of(path, 0), visit, user))
        return false;
    for (size_t i = 0; i < route->match.n_headers; i++) {
        const struct xds_header_matcher *m = &route->match.headers[i];

        if (!visit_slot(index, key_of(path, name_key(m)), visit, user))
            return false;
        if (m->kind == XDS_HEADER_STRING && m->string.kind == XDS_MATCH_EXACT &&
            !visit_slot(index, key_of(path, value_key(m)), visit, user))
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

void xds_cover_index_find(const struct xds_cover_index *index,
                          const struct xds_cover_path *path, xds_cover_visit *visit,
                          void *user)
{
    const struct xds_route *route = path->route;
    const struct xds_slice stem = path->stem;
    const bool exact = path->kind == XDS_COVERS_EXACT;
    const bool regexes = exact && runs_regexes(index);

    for (size_t len = 0; len <= stem.len; len++) {
        if (may_be_stem(&index->prefixes, stem, len) &&
            !visit_path(index, as(path->hashes[len], OF_PREFIX), route, visit, user))
            return;
        if (regexes && may_be_stem(&index->regexes, stem, len) &&
            !visit_path(index, as(path->hashes[len], OF_REGEX_STEM), route, visit, user))
            return;
    }
    if (exact)
        (void)visit_path(index, as(path->hashes[stem.len], OF_EXACT_PATH), route, visit,
                         user);
    else if (path->kind == XDS_COVERS_REGEX)
        (void)visit_path(index, as(path->regex, OF_REGEX), route, visit, user);
}
