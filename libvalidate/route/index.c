/*
 * index.c - group the routes of a virtual host by what an RPC must carry to match them.
 *
 * How:    each route is in one bucket: of its path, of its prefix or what its regex
 *         begins with, or of one exact header value; the smallest of these. What has none
 *         of them is always named. One walk down a tree of paths finds the buckets.
 */
#include "route/route.h"

#include "base/ascii.h"
#include "base/radix.h"

/* Names of headers that buckets are made for; routes by others are always named. */
enum { MAX_HEADER_NAMES = 16 };

struct bucket {
    uint32_t *at;      /* positions of routes, ascending */
    uint32_t n;        /* of them */
    uint32_t room;     /* for so many */
    uint32_t eligible; /* routes that could be here */
};

/* A text in a tree of paths that is being made: routes of this path, of this prefix, and
 * of a regex whose matches begin so. */
struct site {
    struct bucket exact, prefix, head;
};

/* The same once all routes have their place. */
struct stop {
    uint32_t n, n_on_way; /* lists; the first of them count for longer paths, too */
    struct xds_route_list lists[]; /* none is empty */
};

struct group {
    struct xds_slice name; /* of the header */
    struct xds_strmap buckets;
};

struct xds_route_index {
    /* struct stop; folded: of routes that compare without case, in lower case */
    struct xds_radix paths, folded;
    bool folds, folds_unicode;
    struct group headers[MAX_HEADER_NAMES];
    size_t n_headers;
    struct bucket rest;
};

struct build {
    struct xds_arena *arena;
    const struct xds_options *options;
    enum xds_client client;
    const struct xds_virtual_host *host;
    struct xds_route_index *index;
    struct xds_radix_maker paths, folded; /* struct site */
    /* By position; NULL: none, as also of routes that the client skips. */
    struct bucket **by_path, **chosen;
};

/* ---- paths ---- */

static struct site *site_at(struct build *b, struct xds_radix_maker *tree,
                            struct xds_slice text)
{
    void **slot = xds_radix_at(tree, text);

    if (!*slot)
        *slot = XDS_NEW(b->arena, struct site);
    return *slot;
}

/* As the matcher folds its text and the path before it compares them. */
static struct xds_slice fold(const struct build *b, struct xds_slice text)
{
    if (b->index->folds_unicode)
        text = xds_fold_case(b->arena, text);

    char *lower = xds_arena_alloc(b->arena, text.len);

    for (size_t i = 0; i < text.len; i++)
        lower[i] = xds_ascii_lower(text.data[i]);
    return xds_slice_make(lower, text.len);
}

static struct site *site_of(struct build *b, const struct xds_path_matcher *path)
{
    if (!xds_path_folds(path, b->options, b->client))
        return site_at(b, &b->paths, path->text);
    b->index->folds = true;
    return site_at(b, &b->folded, fold(b, path->text));
}

/* NULL: nothing about the path says where to look. */
static struct bucket *path_bucket(struct build *b, const struct xds_path_matcher *path)
{
    switch (path->kind) {
    case XDS_MATCH_EXACT:
        return &site_of(b, path)->exact;
    case XDS_MATCH_PREFIX:
        return path->text.len ? &site_of(b, path)->prefix : NULL;
    case XDS_MATCH_REGEX:
        return path->regex && path->regex->head.len
                   ? &site_at(b, &b->paths, path->regex->head)->head
                   : NULL;
    case XDS_MATCH_SUFFIX:
    case XDS_MATCH_CONTAINS:
        break; /* no path is matched so */
    }
    return NULL;
}

/* ---- headers ---- */

static struct group *group_of(struct build *b, struct xds_slice name)
{
    struct xds_route_index *index = b->index;

    for (size_t i = 0; i < index->n_headers; i++)
        if (xds_slice_eq(index->headers[i].name, name))
            return &index->headers[i];
    if (index->n_headers == MAX_HEADER_NAMES)
        return NULL;
    struct group *group = &index->headers[index->n_headers++];
    group->name = name;
    xds_strmap_init(&group->buckets, b->arena);
    return group;
}

static bool is_regex_header(const struct xds_header_matcher *m)
{
    return m->kind == XDS_HEADER_STRING && m->string.kind == XDS_MATCH_REGEX;
}

/* The next bucket that the route could be in; NULL at the end. Nothing after a regex
 * counts: the plain walk asks the regex first, and its answer may be "undecided". */
static struct bucket *next_header_bucket(struct build *b,
                                         const struct xds_route_match *match, size_t *i)
{
    if (match->path.kind == XDS_MATCH_REGEX)
        return NULL;
    while (*i < match->n_headers && !is_regex_header(&match->headers[*i])) {
        const struct xds_header_matcher *m = &match->headers[(*i)++];
        struct group *group =
            (m->kind == XDS_HEADER_STRING && m->string.kind == XDS_MATCH_EXACT &&
             !m->invert && !m->string.fold_case)
                ? group_of(b, m->name)
                : NULL;

        if (group) {
            void **slot = xds_strmap_at(&group->buckets, m->string.text);

            if (!*slot)
                *slot = XDS_NEW(b->arena, struct bucket);
            return *slot;
        }
    }
    return NULL;
}

/* Groups in which no route is after all would only cost time. */
static bool is_used(const struct group *group)
{
    for (size_t i = 0; i < group->buckets.cap; i++) {
        const struct xds_strmap_entry *entry = &group->buckets.slots[i];

        if (entry->key.data && ((const struct bucket *)entry->value)->room)
            return true;
    }
    return false;
}

static void drop_unused_groups(struct xds_route_index *index)
{
    const size_t n = index->n_headers;

    index->n_headers = 0;
    for (size_t i = 0; i < n; i++)
        if (is_used(&index->headers[i]))
            index->headers[index->n_headers++] = index->headers[i];
}

/* ---- building ---- */

static void count(struct build *b, size_t position)
{
    const struct xds_route_match *match = &b->host->routes[position].match;
    struct bucket *bucket = path_bucket(b, &match->path);
    size_t i = 0;

    b->by_path[position] = bucket;
    for (; bucket; bucket = next_header_bucket(b, match, &i))
        bucket->eligible++;
}

static struct bucket *choose(struct build *b, size_t position)
{
    const struct xds_route_match *match = &b->host->routes[position].match;
    struct bucket *best = b->by_path[position], *bucket;
    size_t i = 0;

    while ((bucket = next_header_bucket(b, match, &i)) != NULL)
        if (!best || bucket->eligible < best->eligible)
            best = bucket;
    return best ? best : &b->index->rest;
}

/* positions: where those of the list go; after them is returned. */
static uint32_t *add_list(struct stop *stop, const struct bucket *bucket,
                          bool path_matches, uint32_t *positions)
{
    if (bucket->n == 0)
        return positions;
    memcpy(positions, bucket->at, bucket->n * sizeof(*positions));
    stop->lists[stop->n++] = (struct xds_route_list){positions, bucket->n, path_matches};
    return positions + bucket->n;
}

/* What is left of a site is small and in one piece, so that a walk down the tree misses
 * the cache less. */
static void *pack_site(void *value, void *arena)
{
    const struct site *site = value;
    const size_t lists = (site->prefix.n > 0 ? 1u : 0u) + (site->head.n > 0 ? 1u : 0u) +
                         (site->exact.n > 0 ? 1u : 0u);
    const size_t n = (size_t)site->prefix.n + site->head.n + site->exact.n;

    if (n == 0)
        return NULL;
    struct stop *stop = xds_arena_zero(arena, 1,
                                       sizeof(*stop) + lists * sizeof(*stop->lists) +
                                           n * sizeof(*site->exact.at));
    uint32_t *positions = (uint32_t *)(stop->lists + lists);

    positions = add_list(stop, &site->prefix, true, positions);
    positions = add_list(stop, &site->head, false, positions);
    stop->n_on_way = stop->n;
    add_list(stop, &site->exact, true, positions);
    return stop;
}

struct xds_route_index *xds_route_index_build(struct xds_arena *arena,
                                              const struct xds_options *options,
                                              enum xds_client client,
                                              const struct xds_virtual_host *host)
{
    struct build b = {.arena = arena,
                      .options = options,
                      .client = client,
                      .host = host,
                      .index = XDS_NEW(arena, struct xds_route_index),
                      .by_path = XDS_NEW_ARRAY(arena, struct bucket *, host->n_routes),
                      .chosen = XDS_NEW_ARRAY(arena, struct bucket *, host->n_routes)};

    b.index->folds_unicode = xds_reads_as(options, client, XDS_READS_UNICODE_CASE);
    xds_radix_init(&b.paths, arena);
    xds_radix_init(&b.folded, arena);

    const size_t n = b.host->n_routes;

    for (size_t i = 0; i < n; i++)
        if (!(b.host->routes[i].skipped_by & XDS_CLIENT_BIT(b.client)))
            count(&b, i);
    for (size_t i = 0; i < n; i++)
        if (!(b.host->routes[i].skipped_by & XDS_CLIENT_BIT(b.client))) {
            b.chosen[i] = choose(&b, i);
            b.chosen[i]->room++;
        }
    for (size_t i = 0; i < n; i++)
        if (b.chosen[i]) {
            struct bucket *bucket = b.chosen[i];

            if (!bucket->at)
                bucket->at = XDS_NEW_ARRAY(b.arena, uint32_t, bucket->room);
            bucket->at[bucket->n++] = (uint32_t)i;
        }
    drop_unused_groups(b.index);
    b.index->paths = xds_radix_pack(&b.paths, pack_site, arena);
    b.index->folded = xds_radix_pack(&b.folded, pack_site, arena);
    return b.index;
}

/* ---- asking ---- */

static void use_list(struct xds_route_cursor *cursor, const struct xds_rpc *rpc,
                     struct xds_route_list list)
{
    cursor->lists = xds_arena_room(rpc->arena, cursor->lists, cursor->n, &cursor->cap,
                                   sizeof(*cursor->lists));
    cursor->lists[cursor->n++] = list;
}

static void use(struct xds_route_cursor *cursor, const struct xds_rpc *rpc,
                const struct bucket *bucket)
{
    if (bucket && bucket->n)
        use_list(cursor, rpc, (struct xds_route_list){bucket->at, bucket->n, false});
}

/* Every stop on the way down is a prefix; where the path ends it is the path itself. */
static void use_path(struct xds_route_cursor *cursor, const struct xds_rpc *rpc,
                     const struct xds_radix *tree, struct xds_slice path, bool fold)
{
    const struct xds_radix_entry *entry = tree->entries;

    for (; entry; entry = xds_radix_step(tree, entry, &path, fold)) {
        const struct stop *stop = entry->value;
        const uint32_t n = !stop ? 0 : path.len == 0 ? stop->n : stop->n_on_way;

        for (uint32_t i = 0; i < n; i++)
            use_list(cursor, rpc, stop->lists[i]);
    }
}

/* The list that continues with the smallest position is the first: a heap. */
static void sift_down(struct xds_route_cursor *cursor, size_t i)
{
    struct xds_route_list *lists = cursor->lists;

    for (;;) {
        size_t least = i;

        for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < cursor->n; child++)
            if (*lists[child].at < *lists[least].at)
                least = child;
        if (least == i)
            return;
        const struct xds_route_list list = lists[i];
        lists[i] = lists[least];
        lists[least] = list;
        i = least;
    }
}

void xds_route_cursor_init(struct xds_route_cursor *cursor,
                           const struct xds_route_index *index, const struct xds_rpc *rpc)
{
    struct xds_slice value;

    *cursor = (struct xds_route_cursor){.n = 0};
    use(cursor, rpc, &index->rest);
    use_path(cursor, rpc, &index->paths, rpc->request->path, false);
    if (index->folds) {
        struct xds_slice path = rpc->request->path;

        if (index->folds_unicode)
            path = xds_fold_case(rpc->arena, path);
        use_path(cursor, rpc, &index->folded, path, true);
    }
    for (size_t i = 0; i < index->n_headers; i++)
        if (xds_metadata_get(rpc, index->headers[i].name, &value))
            use(cursor, rpc, xds_strmap_get(&index->headers[i].buckets, value));
    for (size_t i = cursor->n / 2; i-- > 0;)
        sift_down(cursor, i);
}

bool xds_route_cursor_next(struct xds_route_cursor *cursor, size_t *position,
                           bool *path_matches)
{
    struct xds_route_list *first = cursor->lists;

    if (cursor->n == 0)
        return false;
    *path_matches = first->path_matches;
    *position = *first->at++;
    if (--first->n == 0)
        *first = cursor->lists[--cursor->n];
    sift_down(cursor, 0);
    return true;
}
