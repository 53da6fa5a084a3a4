/*
 * tree.c - build and search JSON values as trees.
 *
 * Source: RFC 8259; proto3 JSON mapping (names, int64, Duration).
 */
#include "model/tree.h"

#include "base/ascii.h"

#include <inttypes.h>
#include <stdlib.h>

/* The largest whole number up to which every one has a double. */
#define EXACT_IN_DOUBLE (INT64_C(1) << 53)
#define NANOS_PER_SECOND 1000000000

const struct xds_tree *xds_tree_find(const struct xds_tree *object, struct xds_slice key)
{
    for (size_t i = object->n; i > 0; i--)
        if (xds_slice_eq(object->items[i - 1].key, key))
            return &object->items[i - 1];
    return NULL;
}

const struct xds_tree *xds_tree_member(const struct xds_tree *object, const char *key)
{
    return xds_tree_find(object, xds_slice_of(key));
}

static int by_key(const void *left, const void *right)
{
    const struct xds_tree *a = *(const struct xds_tree *const *)left;
    const struct xds_tree *b = *(const struct xds_tree *const *)right;
    const int order = xds_slice_cmp(a->key, b->key);

    return order ? order : (a > b) - (a < b);
}

const struct xds_tree *xds_tree_twice(struct xds_arena *arena,
                                      const struct xds_tree *object)
{
    const struct xds_tree **members =
        XDS_NEW_ARRAY(arena, const struct xds_tree *, object->n + 1);

    for (size_t i = 0; i < object->n; i++)
        members[i] = &object->items[i];
    qsort(members, object->n, sizeof *members, by_key);
    for (size_t i = 1; i < object->n; i++)
        if (xds_slice_eq(members[i - 1]->key, members[i]->key))
            return members[i];
    return NULL;
}

/* The next character of a name in snake_case: an upper-case letter gives two. */
static char next_snake(struct xds_slice name, size_t *at, bool *split)
{
    const char c = name.data[*at];
    const char low = xds_ascii_lower(c);

    if (low != c && !*split) {
        *split = true;
        return '_';
    }
    *split = false;
    (*at)++;
    return low;
}

bool xds_tree_same_field(struct xds_slice a, struct xds_slice b)
{
    size_t i = 0, k = 0;
    bool split_a = false, split_b = false;

    while (i < a.len && k < b.len)
        if (next_snake(a, &i, &split_a) != next_snake(b, &k, &split_b))
            return false;
    return i == a.len && k == b.len;
}

const struct xds_tree *xds_tree_field(const struct xds_tree *object, const char *name)
{
    for (size_t i = object->n; i > 0; i--)
        if (xds_tree_same_field(object->items[i - 1].key, xds_slice_of(name)))
            return &object->items[i - 1];
    return NULL;
}

struct xds_tree xds_tree_i64(struct xds_arena *arena, int64_t number)
{
    if (number <= EXACT_IN_DOUBLE && number >= -EXACT_IN_DOUBLE)
        return xds_tree_number((double)number);
    return xds_tree_string(xds_arena_printf(arena, "%" PRId64, number));
}

struct xds_tree xds_tree_duration(struct xds_arena *arena, int64_t seconds, int32_t nanos)
{
    const int64_t most = INT64_MAX / 2; /* leaves room for what nanos carries over */
    int64_t whole = seconds > most ? most : seconds < -most ? -most : seconds;
    int32_t rest = nanos % NANOS_PER_SECOND;

    whole += nanos / NANOS_PER_SECOND;
    if (whole > 0 && rest < 0) {
        whole--;
        rest += NANOS_PER_SECOND;
    } else if (whole < 0 && rest > 0) {
        whole++;
        rest -= NANOS_PER_SECOND;
    }
    return xds_tree_string(xds_arena_printf(
        arena, "%s%" PRId64 ".%09" PRId32 "s", whole < 0 || rest < 0 ? "-" : "",
        whole < 0 ? -whole : whole, rest < 0 ? -rest : rest));
}

struct xds_tree xds_tree_ns(struct xds_arena *arena, int64_t ns)
{
    return xds_tree_duration(arena, ns / NANOS_PER_SECOND,
                             (int32_t)(ns % NANOS_PER_SECOND));
}

/* Lists grow by doubling: their room is the next power of two, at least four. */
static bool is_full(size_t n)
{
    return n == 0 || (n >= 4 && (n & (n - 1)) == 0);
}

void xds_tree_add(struct xds_arena *arena, struct xds_tree *array, struct xds_tree item)
{
    if (is_full(array->n)) {
        struct xds_tree *items =
            XDS_NEW_ARRAY(arena, struct xds_tree, array->n ? 2 * array->n : 4);

        if (array->n)
            memcpy(items, array->items, array->n * sizeof *items);
        array->items = items;
    }
    array->items[array->n++] = item;
}

void xds_tree_put_key(struct xds_arena *arena, struct xds_tree *object,
                      struct xds_slice key, struct xds_tree value)
{
    value.key = key;
    xds_tree_add(arena, object, value);
}

void xds_tree_put(struct xds_arena *arena, struct xds_tree *object, const char *key,
                  struct xds_tree value)
{
    xds_tree_put_key(arena, object, xds_slice_of(key), value);
}

struct xds_tree xds_tree_pair(struct xds_arena *arena, const char *key,
                              struct xds_tree value)
{
    struct xds_tree out = xds_tree_object();

    xds_tree_put(arena, &out, key, value);
    return out;
}

struct xds_tree xds_tree_list(struct xds_arena *arena, struct xds_tree value)
{
    struct xds_tree out = xds_tree_array();

    xds_tree_add(arena, &out, value);
    return out;
}

/* The depth of what is copied is bounded where it was read. */
struct xds_tree xds_tree_copy(struct xds_arena *arena, const struct xds_tree *tree)
{
    struct xds_tree out = *tree;

    out.text = xds_arena_dup(arena, tree->text);
    out.key = xds_arena_dup(arena, tree->key);
    out.items = XDS_NEW_ARRAY(arena, struct xds_tree, tree->n);
    for (size_t i = 0; i < tree->n; i++)
        out.items[i] = xds_tree_copy(arena, &tree->items[i]);
    return out;
}

struct xds_slice xds_tree_snake_case(struct xds_arena *arena, struct xds_slice key)
{
    char *out = xds_arena_alloc(arena, 2 * key.len + 1);
    size_t n = 0;

    for (size_t i = 0; i < key.len; i++) {
        const char low = xds_ascii_lower(key.data[i]);

        if (low != key.data[i])
            out[n++] = '_';
        out[n++] = low;
    }
    return xds_slice_make(out, n);
}
