/*
 * index.c - group the routes of a virtual host by what an RPC must carry to match them.
 *
 * Takes:  a virtual host of the model, a client; then a request.
 * Gives:  the positions of all routes that may match, in order, in time that grows with
 *         their number and not with that of all routes.
 * How:    each route stands in one bucket: of its exact path, its prefix, or one exact
 *         header value; the smallest of these. What has none of them is always named.
 */
#include "route/index.h"

#include <stdlib.h>

#include "base/strmap.h"
#include "route/match.h"
#include "route/metadata.h"

/* Names of headers that buckets are made for; routes by others are always named. */
enum { MAX_HEADER_NAMES = 16 };

struct bucket {
    struct xds_route_list list;
    uint32_t *fill;    /* where the next position goes */
    uint32_t eligible; /* routes that could stand here */
    uint32_t n;        /* that do */
};

struct group {
    struct xds_slice name; /* of the header */
    struct xds_strmap buckets;
};

struct xds_route_index {
    struct xds_strmap paths, prefixes;
    struct group headers[MAX_HEADER_NAMES];
    size_t n_headers;
    size_t *lengths; /* of the prefixes, each once */
    size_t n_lengths;
    struct bucket rest;
};

struct build {
    struct xds_arena *arena;
    enum xds_client client;
    struct xds_route_index *index;
    struct bucket **chosen; /* by position; NULL: the client skips the route */
};

/* ---- keys ------------------------------------------------------------------------- */

static struct bucket *bucket_at(struct build *b, struct xds_strmap *map,
                                struct xds_slice key)
{
    void **slot = xds_strmap_at(map, key);

    if (!*slot)
        *slot = XDS_NEW(b->arena, struct bucket);
    return *slot;
}

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

static bool is_exact_header(const struct xds_header_matcher *m)
{
    return m->kind == XDS_HEADER_STRING && m->string.kind == XDS_MATCH_EXACT &&
           !m->invert && !m->string.fold_case;
}

static bool is_regex_header(const struct xds_header_matcher *m)
{
    return m->kind == XDS_HEADER_STRING && m->string.kind == XDS_MATCH_REGEX;
}

/* What a route can be found by; the visitor sees each possible bucket. Nothing behind a
 * regex counts: the plain walk asks the regex first, and its answer may be "undecided".
 */
typedef void visit_fn(struct build *b, struct bucket *bucket, void *user);

static void visit_path(struct build *b, const struct xds_path_matcher *path,
                       visit_fn *visit, void *user)
{
    if (xds_path_folds(path, b->client))
        return;
    if (path->kind == XDS_MATCH_EXACT)
        visit(b, bucket_at(b, &b->index->paths, path->text), user);
    else if (path->kind == XDS_MATCH_PREFIX && path->text.len > 0)
        visit(b, bucket_at(b, &b->index->prefixes, path->text), user);
}

static void visit_headers(struct build *b, const struct xds_route_match *match,
                          visit_fn *visit, void *user)
{
    for (size_t i = 0; i < match->n_headers; i++) {
        const struct xds_header_matcher *m = &match->headers[i];
        struct group *group;

        if (is_regex_header(m))
            return;
        if (is_exact_header(m) && (group = group_of(b, m->name)) != NULL)
            visit(b, bucket_at(b, &group->buckets, m->string.text), user);
    }
}

static void visit_buckets(struct build *b, const struct xds_route *route, visit_fn *visit,
                          void *user)
{
    if (route->match.path.kind == XDS_MATCH_REGEX)
        return;
    visit_path(b, &route->match.path, visit, user);
    visit_headers(b, &route->match, visit, user);
}

/* ---- building --------------------------------------------------------------------- */

static void count(struct build *b, struct bucket *bucket, void *user)
{
    (void)b, (void)user;
    bucket->eligible++;
}

static void choose(struct build *b, struct bucket *bucket, void *user)
{
    struct bucket **best = user;

    if (*best == &b->index->rest || bucket->eligible < (*best)->eligible)
        *best = bucket;
}

static int compare_sizes(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;

    return (x > y) - (x < y);
}

static void collect_lengths(struct build *b)
{
    const struct xds_strmap *map = &b->index->prefixes;
    size_t *all = XDS_NEW_ARRAY(b->arena, size_t, map->n + 1), n = 0;

    for (size_t i = 0; i < map->cap; i++) {
        const struct bucket *bucket = map->slots[i].value;
        if (map->slots[i].key.data && bucket->n)
            all[n++] = map->slots[i].key.len;
    }
    if (n)
        qsort(all, n, sizeof(*all), compare_sizes);
    b->index->lengths = all;
    for (size_t i = 0; i < n; i++)
        if (b->index->n_lengths == 0 || all[b->index->n_lengths - 1] != all[i])
            all[b->index->n_lengths++] = all[i];
}

static void place(struct build *b, struct bucket *bucket, uint32_t position)
{
    if (!bucket->fill) {
        bucket->fill = XDS_NEW_ARRAY(b->arena, uint32_t, bucket->n);
        bucket->list.at = bucket->fill;
    }
    bucket->fill[bucket->list.n++] = position;
}

struct xds_route_index *xds_route_index_build(struct xds_arena *arena,
                                              enum xds_client client,
                                              const struct xds_virtual_host *host)
{
    struct xds_route_index *index = XDS_NEW(arena, struct xds_route_index);
    struct build b = {arena, client, index,
                      XDS_NEW_ARRAY(arena, struct bucket *, host->n_routes + 1)};

    xds_strmap_init(&index->paths, arena);
    xds_strmap_init(&index->prefixes, arena);
    for (size_t i = 0; i < host->n_routes; i++)
        visit_buckets(&b, &host->routes[i], count, NULL);
    for (size_t i = 0; i < host->n_routes; i++) {
        if (host->routes[i].skipped_by & XDS_CLIENT_BIT(client))
            continue;
        b.chosen[i] = &index->rest;
        visit_buckets(&b, &host->routes[i], choose, &b.chosen[i]);
        b.chosen[i]->n++;
    }
    for (size_t i = 0; i < host->n_routes; i++)
        if (b.chosen[i])
            place(&b, b.chosen[i], (uint32_t)i);
    collect_lengths(&b);
    return index;
}

/* ---- asking ----------------------------------------------------------------------- */

static void use(struct xds_route_cursor *cursor, const struct bucket *bucket)
{
    if (bucket && bucket->list.n)
        cursor->lists[cursor->n++] = bucket->list;
}

void xds_route_cursor_init(struct xds_route_cursor *cursor,
                           const struct xds_route_index *index, const struct xds_rpc *rpc)
{
    const struct xds_slice path = rpc->request->path;
    struct xds_slice value;

    cursor->n = 0;
    cursor->lists = XDS_NEW_ARRAY(rpc->arena, struct xds_route_list,
                                  2 + index->n_lengths + index->n_headers);
    use(cursor, &index->rest);
    use(cursor, xds_strmap_get(&index->paths, path));
    for (size_t i = 0; i < index->n_lengths && index->lengths[i] <= path.len; i++)
        use(cursor, xds_strmap_get(&index->prefixes,
                                   xds_slice_make(path.data, index->lengths[i])));
    for (size_t i = 0; i < index->n_headers; i++)
        if (xds_metadata_get(rpc, index->headers[i].name, &value))
            use(cursor, xds_strmap_get(&index->headers[i].buckets, value));
}

bool xds_route_cursor_next(struct xds_route_cursor *cursor, size_t *position)
{
    struct xds_route_list *first = NULL;

    for (size_t i = 0; i < cursor->n; i++) {
        struct xds_route_list *list = &cursor->lists[i];
        if (list->n && (!first || *list->at < *first->at))
            first = list;
    }
    if (!first)
        return false;
    *position = *first->at;
    first->at++;
    first->n--;
    return true;
}
