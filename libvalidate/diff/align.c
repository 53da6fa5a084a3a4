/*
 * align.c - which items of two lists are the same one.
 *
 * As nearly all items of a list differ from each other, the longest increasing
 * subsequence of the pairs is their longest common subsequence, in n log n steps and
 * without a table of n times n cells.
 */
#include "diff/align.h"

#include <stdlib.h>

struct handle {
    uint64_t value;
    size_t index;
};

static int cmp_handles(const void *left, const void *right)
{
    const struct handle *a = left, *b = right;

    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

/* key XDS_LIST_KEYS stands for the digest. */
static bool value_of(const struct xds_align_item *item, size_t key, uint64_t *value)
{
    *value = key == XDS_LIST_KEYS ? item->digest : item->key[key];
    return item->partner == XDS_NO_PARTNER &&
           (key == XDS_LIST_KEYS || item->has_key[key]);
}

static struct handle *sorted(struct xds_arena *scratch, struct xds_align_list list,
                             size_t key, size_t *n)
{
    struct handle *handles = XDS_NEW_ARRAY(scratch, struct handle, list.n + 1);

    *n = 0;
    for (size_t i = 0; i < list.n; i++)
        if (value_of(&list.items[i], key, &handles[*n].value))
            handles[(*n)++].index = i;
    qsort(handles, *n, sizeof *handles, cmp_handles);
    return handles;
}

static void pair(struct xds_align_list old, struct xds_align_list now, size_t i, size_t k)
{
    old.items[i].partner = k;
    now.items[k].partner = i;
}

static void pair_by(struct xds_arena *scratch, struct xds_align_list old,
                    struct xds_align_list now, size_t key)
{
    size_t n_old, n_now, i = 0, k = 0;
    const struct handle *a = sorted(scratch, old, key, &n_old);
    const struct handle *b = sorted(scratch, now, key, &n_now);

    while (i < n_old && k < n_now) {
        if (a[i].value == b[k].value) {
            pair(old, now, a[i++].index, b[k++].index);
            continue;
        }
        if (a[i].value < b[k].value)
            i++;
        else
            k++;
    }
}

/* ---- what stayed ---- */

struct run {
    size_t *tail;   /* by length - 1: the item of the new list that ends the best run */
    size_t *before; /* by item of the new list: the item before it in its run */
    size_t n;
};

/* The first tail whose old index is not smaller. */
static size_t place_in(const struct run *run, struct xds_align_list now, size_t old_index)
{
    size_t low = 0, high = run->n;

    while (low < high) {
        const size_t mid = low + (high - low) / 2;

        if (now.items[run->tail[mid]].partner < old_index)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static void mark_moved(struct xds_arena *scratch, struct xds_align_list now)
{
    struct run run = {XDS_NEW_ARRAY(scratch, size_t, now.n + 1),
                      XDS_NEW_ARRAY(scratch, size_t, now.n + 1), 0};

    for (size_t k = 0; k < now.n; k++) {
        if (now.items[k].partner == XDS_NO_PARTNER)
            continue;
        const size_t at = place_in(&run, now, now.items[k].partner);
        now.items[k].moved = true;
        run.before[k] = at > 0 ? run.tail[at - 1] : 0;
        run.tail[at] = k;
        if (at == run.n)
            run.n++;
    }
    for (size_t left = run.n, k = left ? run.tail[left - 1] : 0; left > 0; left--) {
        now.items[k].moved = false;
        k = run.before[k];
    }
}

/* ---- between neighbours that stayed ---- */

static bool may_pair(const struct xds_list_rule *rule, const struct xds_align_item *a,
                     const struct xds_align_item *b)
{
    if (!rule->keys[0])
        return true;
    if (!rule->loose || a->has_key[0] || b->has_key[0])
        return false;
    return a->has_loose && b->has_loose && a->loose == b->loose;
}

static size_t skip_paired(struct xds_align_list list, size_t i, size_t end)
{
    while (i < end && list.items[i].partner != XDS_NO_PARTNER)
        i++;
    return i;
}

static void pair_gap(const struct xds_list_rule *rule, struct xds_align_list old,
                     struct xds_align_list now, size_t i, size_t i_end, size_t k,
                     size_t k_end)
{
    for (;;) {
        i = skip_paired(old, i, i_end);
        k = skip_paired(now, k, k_end);
        if (i >= i_end || k >= k_end)
            return;
        if (may_pair(rule, &old.items[i], &now.items[k]))
            pair(old, now, i, k);
        i++;
        k++;
    }
}

static void pair_gaps(const struct xds_list_rule *rule, struct xds_align_list old,
                      struct xds_align_list now)
{
    size_t i = 0, k = 0;

    for (size_t end = 0; end < now.n; end++) {
        if (now.items[end].partner == XDS_NO_PARTNER || now.items[end].moved)
            continue;
        const size_t partner = now.items[end].partner;
        pair_gap(rule, old, now, i, partner, k, end);
        i = partner + 1;
        k = end + 1;
    }
    pair_gap(rule, old, now, i, old.n, k, now.n);
}

void xds_align(struct xds_arena *scratch, const struct xds_list_rule *rule,
               struct xds_align_list old, struct xds_align_list now)
{
    pair_by(scratch, old, now, XDS_LIST_KEYS);
    for (size_t key = 0; key < XDS_LIST_KEYS && rule->keys[key]; key++)
        pair_by(scratch, old, now, key);
    if (rule->order != XDS_LIST_ORDERED)
        return;
    mark_moved(scratch, now);
    pair_gaps(rule, old, now);
}
