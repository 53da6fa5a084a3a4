/*
 * entries.c - the resources that are asked for, by name; the messages that hold them.
 *
 * Everything runs under a guard of ads->scratch. Names come and go for months: they are
 * in a table of their own, as a strmap keeps what it ever had in its arena.
 */
#include <stdlib.h>
#include <xxhash.h>

#include "ads/inner.h"

/* ---- messages ---- */

static size_t size_of(const struct xds_ads_content *content)
{
    return content->bytes.len + content->version.len;
}

/* Room that is not worth a copy. */
enum { FEW_BYTES = 4096 };

bool xds_ads_is_thin(const struct xds_ads_message *message)
{
    return message->size > FEW_BYTES &&
           message->held + message->version.len + message->nonce.len < message->size / 2;
}

void xds_ads_message_done(struct xds_ads_message *message)
{
    if (--message->holders > 0)
        return;
    free(message->fresh);
    free(message->data);
    free(message);
}

void xds_ads_let_go(struct xds_ads_content *content)
{
    struct xds_ads_message *message = content->message;

    if (message) {
        message->held -= size_of(content);
        *message->is_thin |= xds_ads_is_thin(message);
        xds_ads_message_done(message);
    }
    *content = (struct xds_ads_content){.message = NULL};
}

void xds_ads_hold(struct xds_ads_content *content, struct xds_ads_message *message,
                  struct xds_slice bytes, struct xds_slice version)
{
    const struct xds_ads_content held = {message, bytes, version};

    message->holders++;
    message->held += size_of(&held);
    xds_ads_let_go(content);
    *content = held;
}

static struct xds_slice move(struct xds_ads_message *message, struct xds_slice text)
{
    char *to = message->fresh + message->n_fresh;

    if (text.len > 0)
        memcpy(to, text.data, text.len);
    message->n_fresh += text.len;
    return xds_slice_make(to, text.len);
}

static void compact_content(struct xds_ads *ads, struct xds_ads_content *content)
{
    struct xds_ads_message *message = content->message;

    if (!message || (!message->fresh && !xds_ads_is_thin(message)))
        return;
    if (!message->fresh)
        message->fresh = xds_arena_realloc(
            &ads->scratch, NULL,
            message->held + message->version.len + message->nonce.len + 1, 1);
    content->bytes = move(message, content->bytes);
    if (content->version.data)
        content->version = move(message, content->version);
}

/* The second look, once all parts are copied. */
static void settle_content(struct xds_ads_content *content)
{
    struct xds_ads_message *message = content->message;

    if (message && message->fresh) {
        message->version = move(message, message->version);
        message->nonce = move(message, message->nonce);
        free(message->data);
        message->data = message->fresh;
        message->size = message->n_fresh;
        message->fresh = NULL;
        message->n_fresh = 0;
    }
}

void xds_ads_compact(struct xds_ads *ads)
{
    const size_t types = XDS_ARRAY_LEN(ads->list);

    if (!ads->has_thin)
        return;
    ads->has_thin = false;
    for (size_t type = 0; type < types; type++)
        for (size_t i = 0; i < ads->list[type].n; i++) {
            struct xds_ads_entry *entry = ads->list[type].items[i];

            compact_content(ads, &entry->used);
            compact_content(ads, &entry->rejected);
        }
    for (size_t type = 0; type < types; type++)
        for (size_t i = 0; i < ads->list[type].n; i++) {
            struct xds_ads_entry *entry = ads->list[type].items[i];

            settle_content(&entry->used);
            settle_content(&entry->rejected);
        }
}

/* ---- entries ---- */

static uint64_t hash_of(struct xds_slice name)
{
    return XXH3_64bits(xds_slice_text(name), name.len);
}

static struct xds_ads_entry **slot_of(const struct xds_ads_list *list, uint64_t hash,
                                      struct xds_slice name)
{
    size_t i = (size_t)hash & (list->n_slots - 1);

    while (list->slots[i] &&
           !(list->slots[i]->hash == hash && xds_slice_eq(list->slots[i]->name, name)))
        i = (i + 1) & (list->n_slots - 1);
    return &list->slots[i];
}

struct xds_ads_entry *xds_ads_find(const struct xds_ads_list *list, struct xds_slice name)
{
    return list->n_slots ? *slot_of(list, hash_of(name), name) : NULL;
}

static void fill_slots(struct xds_ads_list *list)
{
    if (list->n_slots)
        memset(list->slots, 0, list->n_slots * sizeof(struct xds_ads_entry *));
    for (size_t i = 0; i < list->n; i++)
        *slot_of(list, list->items[i]->hash, list->items[i]->name) = list->items[i];
}

static void make_room(struct xds_ads *ads, struct xds_ads_list *list)
{
    if (list->n == list->cap) {
        const size_t cap = list->cap ? list->cap * 2 : 8;

        list->items =
            xds_arena_realloc(&ads->scratch, list->items, cap, sizeof *list->items);
        list->cap = cap;
    }
    if (list->n * 2 >= list->n_slots) {
        const size_t n = list->n_slots ? list->n_slots * 2 : 16;

        list->slots =
            xds_arena_realloc(&ads->scratch, list->slots, n, sizeof *list->slots);
        list->n_slots = n;
        fill_slots(list);
    }
}

static int by_name(const void *left, const void *right)
{
    const struct xds_ads_entry *const *a = left, *const *b = right;

    return xds_slice_cmp((*a)->name, (*b)->name);
}

/* What has come since is sorted alone, and merged from the end. */
struct xds_ads_entry **xds_ads_sorted(struct xds_ads *ads, struct xds_ads_list *list)
{
    const size_t more = list->n - list->n_sorted;
    size_t left = list->n_sorted, right = more;

    if (more == 0)
        return list->sorted;
    struct xds_ads_entry **tail =
        xds_arena_alloc(&ads->scratch, more * sizeof(struct xds_ads_entry *));

    memcpy(tail, list->items + left, more * sizeof(struct xds_ads_entry *));
    qsort(tail, more, sizeof *tail, by_name);
    list->sorted =
        xds_arena_realloc(&ads->scratch, list->sorted, list->n, sizeof *list->sorted);
    for (size_t i = list->n; right > 0; i--)
        list->sorted[i - 1] =
            left > 0 && by_name(&list->sorted[left - 1], &tail[right - 1]) > 0
                ? list->sorted[--left]
                : tail[--right];
    list->n_sorted = list->n;
    return list->sorted;
}

struct xds_ads_entry *xds_ads_add(struct xds_ads *ads, enum xds_resource_type type,
                                  struct xds_slice name)
{
    struct xds_ads_list *list = &ads->list[type];

    make_room(ads, list);
    struct xds_ads_entry *entry =
        xds_arena_realloc(&ads->scratch, NULL, sizeof *entry + name.len + 1, 1);
    char *text = (char *)(entry + 1);

    if (name.len > 0)
        memcpy(text, name.data, name.len);
    text[name.len] = '\0';
    *entry = (struct xds_ads_entry){
        .type = type,
        .status = XDS_HELD_REQUESTED,
        .deadline = INT64_MAX,
        .hash = hash_of(name),
        .name = xds_slice_make(text, name.len),
    };
    list->items[list->n++] = entry;
    *slot_of(list, entry->hash, entry->name) = entry;
    return entry;
}

void xds_ads_forget_next(struct xds_ads_entry *entry)
{
    if (entry->routes)
        xds_arena_release(&entry->routes->arena);
    free(entry->routes);
    free(entry->next);
    entry->routes = NULL;
    entry->next = NULL;
}

static void free_entry(struct xds_ads_entry *entry)
{
    xds_ads_let_go(&entry->used);
    xds_ads_let_go(&entry->rejected);
    xds_ads_forget_next(entry);
    free(entry->error);
    free(entry);
}

void xds_ads_purge(struct xds_ads *ads, enum xds_resource_type type,
                   bool (*gone)(const struct xds_ads *ads, const struct xds_ads_entry *))
{
    struct xds_ads_list *list = &ads->list[type];
    size_t kept = 0;

    for (size_t i = 0; i < list->n; i++) {
        struct xds_ads_entry *entry = list->items[i];

        if (!gone(ads, entry)) {
            list->items[kept++] = entry;
            continue;
        }
        if (entry->deadline != INT64_MAX)
            ads->n_waiting--;
        free_entry(entry);
    }
    if (kept == list->n)
        return;
    list->n = kept;
    list->n_sorted = 0;
    fill_slots(list);
}

void xds_ads_set_text(struct xds_ads *ads, struct xds_ads_line_text *text,
                      struct xds_slice value)
{
    if (value.len > 0) {
        text->data = xds_arena_realloc(&ads->scratch, text->data, value.len, 1);
        memcpy(text->data, value.data, value.len);
    }
    text->len = value.len;
}
