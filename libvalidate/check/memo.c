/*
 * memo.c - what was judged, for runs that come later.
 *
 * A resource is known by a hash of all that its verdict depends on. The hash is of 128
 * bits and starts from a number that no input knows, so that none can be made to look
 * like another one.
 *
 * Called by all.c for each resource of a check that remembers.
 */
#include "check/memo.h"

#include <stdlib.h>
#include <time.h>
#include <xxhash.h>

#include "rules/ctx.h"
#include "source/token.h"

struct xds_store {
    size_t holders; /* the memo, and reports */
    XXH3_state_t *state;
    uint64_t seed;
    XXH128_hash_t options;
    bool keep;
    struct xds_check *workers;
    struct xds_batch *batches;
    struct xds_arena arena;
    struct xds_strmap items; /* struct xds_batch_item, by low and high of its key */
    size_t first_bytes;      /* that the first run has left */
};

struct xds_memo {
    struct xds_store *store;
    size_t largest; /* text of a resource that is kept */
};

/* ---- hashes ---- */

static void add_text(XXH3_state_t *state, struct xds_slice text)
{
    (void)XXH3_128bits_update(state, &text.len, sizeof text.len);
    if (text.len > 0)
        (void)XXH3_128bits_update(state, text.data, text.len);
}

static void add_numbers(XXH3_state_t *state, const uint64_t *numbers, size_t n)
{
    (void)XXH3_128bits_update(state, numbers, n * sizeof *numbers);
}

/* What is recorded of YAML and text proto: lines count from that of the resource, columns
 * are those of the file, which a resource that is moved down keeps. */
static void add_tokens(XXH3_state_t *state, const struct xds_resource *in)
{
    const struct xds_token *token = in->tokens;

    do {
        const uint64_t numbers[] = {token->kind,
                                    token->escaped,
                                    token->kind == XDS_TOKEN_NUMBER ? token->begin : 0,
                                    token->line - in->at.line,
                                    token->column,
                                    token->end_line - in->at.line,
                                    token->end_column};

        add_numbers(state, numbers, XDS_ARRAY_LEN(numbers));
        add_text(state, token->text);
    } while (token++->kind != XDS_TOKEN_END);
}

/* What it says of the resource, but for versions: those are in messages alone. */
static void add_held_kind(XXH3_state_t *state, const struct xds_held *held)
{
    const uint64_t numbers[] = {held != NULL,
                                held ? held->status : 0,
                                held ? held->used_by : 0,
                                held && held->has_rejected,
                                held && held->is_rejected,
                                held && held->is_absent,
                                held ? held->client : 0,
                                held ? held->config : 0};

    add_numbers(state, numbers, XDS_ARRAY_LEN(numbers));
}

static uint64_t hash_held(const struct xds_store *store, const struct xds_held *held)
{
    XXH3_state_t *state = store->state;

    if (!held)
        return 0;
    (void)XXH3_128bits_reset_withSeed(state, store->seed);
    add_text(state, held->node);
    add_text(state, held->version);
    add_text(state, held->updated);
    add_text(state, held->error);
    add_text(state, held->error_version);
    add_text(state, held->error_time);
    return XXH3_128bits_digest(state).low64;
}

struct xds_memo_key xds_memo_key(const struct xds_store *store,
                                 const struct xds_resource *in)
{
    const uint64_t numbers[] = {in->format,
                                in->type,
                                in->wrapper,
                                in->is_static,
                                in->is_untyped,
                                in->is_bootstrap,
                                in->tokens ? in->at.column : 0};
    XXH3_state_t *state = store->state;

    (void)XXH3_128bits_reset_withSeed(state, store->seed);
    add_numbers(state, numbers, XDS_ARRAY_LEN(numbers));
    add_text(state, in->type_url);
    add_text(state, in->expected);
    add_text(state, in->name);
    add_text(state, in->bytes);
    if (in->tokens)
        add_tokens(state, in);
    add_held_kind(state, in->held);
    const XXH128_hash_t hash = XXH3_128bits_digest(state);

    return (struct xds_memo_key){hash.low64, hash.high64, hash_held(store, in->held)};
}

static void add_texts(XXH3_state_t *state, const struct xds_slice *texts, size_t n)
{
    const uint64_t count = texts ? n : UINT64_MAX;

    add_numbers(state, &count, 1);
    for (size_t i = 0; texts && i < n; i++)
        add_text(state, texts[i]);
}

static void add_bootstrap(XXH3_state_t *state, const struct xds_bootstrap_options *b)
{
    const uint64_t numbers[] = {b->is_set, b->trusted_xds_server, b->n_authorities};

    add_numbers(state, numbers, XDS_ARRAY_LEN(numbers));
    add_texts(state, b->provider_instances, b->n_provider_instances);
    add_texts(state, b->provider_plugins, b->n_provider_instances);
    add_texts(state, b->allowed_grpc_services, b->n_allowed_grpc_services);
    add_text(state, b->client_listener_template);
    add_text(state, b->server_listener_template);
    for (size_t i = 0; i < b->n_authorities; i++) {
        add_text(state, b->authorities[i].name);
        add_text(state, b->authorities[i].listener_template);
    }
}

/* Those that the verdict on one resource depends on, or that what is kept of it does;
 * which resources are read and which count is up to each run. */
static XXH128_hash_t hash_options(XXH3_state_t *state, const struct xds_options *o)
{
    const uint64_t numbers[] = {o->clients,  o->documents, o->allow_unknown_fields,
                                o->partial,  o->cosmetic,  o->compare,
                                o->versions, o->linked,    o->each_time};

    (void)XXH3_128bits_reset(state);
    add_numbers(state, numbers, XDS_ARRAY_LEN(numbers));
    add_numbers(state, o->asked, XDS_ARRAY_LEN(o->asked));
    add_numbers(state, o->env_set, XDS_ARRAY_LEN(o->env_set));
    (void)XXH3_128bits_update(state, o->release, sizeof o->release);
    add_bootstrap(state, &o->bootstrap);
    return XXH3_128bits_digest(state);
}

/* ---- the store ---- */

static void let_go(void *of)
{
    struct xds_store *store = of;

    if (--store->holders > 0)
        return;
    for (struct xds_batch *batch = store->batches, *next; batch; batch = next) {
        next = batch->next;
        xds_batch_free(batch, NULL);
    }
    xds_check_free(store->workers);
    xds_arena_release(&store->arena);
    (void)XXH3_freeState(store->state);
    free(store);
}

static uint64_t secret_of(const void *address)
{
    struct timespec now = {0, 0};

    (void)timespec_get(&now, TIME_UTC);
    const uint64_t parts[] = {(uint64_t)now.tv_sec, (uint64_t)now.tv_nsec,
                              (uint64_t)(uintptr_t)address};

    return XXH3_64bits(parts, sizeof parts);
}

static struct xds_store *new_store(const struct xds_check *check)
{
    struct xds_store *store = calloc(1, sizeof *store);

    if (!store)
        return NULL;
    store->holders = 1;
    store->seed = secret_of(store);
    store->keep = check->keep;
    xds_arena_init(&store->arena, 0);
    xds_strmap_init(&store->items, &store->arena);
    store->state = XXH3_createState();
    if (store->state) {
        store->options = hash_options(store->state, &check->report->options);
        return store;
    }
    let_go(store);
    return NULL;
}

/* What is kept may be so many times what the first run has left, and this; then the store
 * begins anew, without what recent runs did not meet. */
#define MOST_TIMES 2
#define FEW_BYTES ((size_t)4 << 20)

static size_t bytes_of(const struct xds_store *store)
{
    size_t n = store->arena.used;

    for (const struct xds_check *w = store->workers; w; w = w->next)
        n += w->lint.arena.used + w->texts.arena.used + w->model.used + w->cached.used;
    for (const struct xds_batch *b = store->batches; b; b = b->next)
        n += b->names.used + sizeof *b + sizeof *b->part + b->most * sizeof *b->items +
             b->part->cap_findings * sizeof *b->part->findings;
    return n;
}

static bool serves(const struct xds_store *store, const struct xds_check *check)
{
    const XXH128_hash_t options = hash_options(store->state, &check->report->options);

    /* Memory was short for a regex of it. */
    for (const struct xds_check *w = store->workers; w; w = w->next)
        if (xds_regex_cache_failed(w->regexes))
            return false;
    return XXH128_isEqual(store->options, options) && store->keep == check->keep &&
           bytes_of(store) <= FEW_BYTES + MOST_TIMES * store->first_bytes;
}

struct xds_memo *xds_memo_new(size_t largest)
{
    struct xds_memo *memo = calloc(1, sizeof *memo);

    if (memo)
        memo->largest = largest;
    return memo;
}

void xds_memo_free(struct xds_memo *memo)
{
    if (memo && memo->store)
        let_go(memo->store);
    free(memo);
}

enum xds_status xds_check_remember(struct xds_check *check, struct xds_memo *memo)
{
    if (check->report->options.each || check->report->share.of)
        return XDS_OK;
    if (memo->store && memo->store->first_bytes == 0)
        memo->store->first_bytes = bytes_of(memo->store);
    if (memo->store && !serves(memo->store, check)) {
        let_go(memo->store);
        memo->store = NULL;
    }
    if (!memo->store)
        memo->store = new_store(check);
    if (!memo->store)
        return XDS_ERR_NO_MEMORY;
    memo->store->holders++;
    check->report->share = (struct xds_report_share){memo->store, let_go};
    check->store = memo->store;
    check->largest = memo->largest;
    check->others = &memo->store->workers;
    return XDS_OK;
}

/* ---- what is in it ---- */

static struct xds_slice text_of(const struct xds_memo_key *key)
{
    return xds_slice_make((const char *)(const void *)key, 2 * sizeof key->low);
}

/* Nothing in it speaks of a version. */
static bool is_silent(const struct xds_batch_item *item, const struct xds_held *held)
{
    return item->of_resource == 0 &&
           (held->status == XDS_HELD_ACKED || held->status == XDS_HELD_UNKNOWN);
}

const struct xds_batch_item *xds_store_find(const struct xds_store *store,
                                            const struct xds_resource *in,
                                            struct xds_memo_key key)
{
    const struct xds_batch_item *item = xds_strmap_get(&store->items, text_of(&key));

    return item && (item->key.held == key.held || is_silent(item, in->held)) ? item
                                                                             : NULL;
}

/* No limit has cut what was found. */
static bool is_whole(const struct xds_batch_item *item)
{
    return !item->known && item->status == XDS_OK &&
           item->of_resource < XDS_MAX_FINDINGS_PER_RESOURCE &&
           item->of_resource == item->end_findings - item->findings;
}

struct keeping {
    struct xds_store *store;
    struct xds_batch *batch;
};

static void keep(void *arg)
{
    const struct keeping *k = arg;

    for (size_t i = 0; i < k->batch->n; i++) {
        struct xds_batch_item *item = &k->batch->items[i];

        if (is_whole(item))
            *xds_strmap_at(&k->store->items, text_of(&item->key)) = item;
    }
}

void xds_store_keep(struct xds_store *store, struct xds_batch *batch)
{
    struct xds_arena *const arenas[] = {&store->arena};

    xds_batch_strip(batch);
    batch->next = store->batches;
    store->batches = batch;
    /* Without memory some of them will be judged again. */
    (void)!xds_arena_guard(arenas, 1, keep, &(struct keeping){store, batch});
}

struct xds_check *xds_store_worker(struct xds_store *store, const struct xds_check *check)
{
    struct xds_check *worker = store->workers;

    if (worker)
        store->workers = worker->next;
    else
        worker = xds_check_new_worker(check);
    if (!worker)
        return NULL;
    worker->next = NULL;
    worker->store = store;
    worker->judges = check->judges;
    return worker;
}

void xds_store_give_back(struct xds_store *store, struct xds_check *worker)
{
    /* What it needed for one resource, which may have been large. */
    xds_arena_release(&worker->decode);
    if (!worker->keep)
        xds_arena_release(&worker->model);
    worker->judges = NULL;
    worker->report = worker->lint.report = NULL;
    worker->next = store->workers;
    store->workers = worker;
}
