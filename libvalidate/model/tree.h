/*
 * tree.h - a JSON value as a tree: configs that are judged, and configs that are made.
 *
 * An object is OBJECT with its members as items, each with its key, in the order in which
 * they were put; of a key that appears twice the last member counts. An array is ARRAY
 * with its items, a number is NUMBER with the nearest double, a string is STRING with its
 * text unescaped. Texts are borrowed. A value is built from the inside out: it is
 * complete when it is put into another one.
 */
#ifndef XDS_MODEL_TREE_H
#define XDS_MODEL_TREE_H

#include "base/arena.h"

/* The member of an object, or NULL; null itself is a member. */
const struct xds_tree *xds_tree_member(const struct xds_tree *object, const char *key);
const struct xds_tree *xds_tree_find(const struct xds_tree *object, struct xds_slice key);
/* The same under the lowerCamelCase or the snake_case spelling of the name. */
const struct xds_tree *xds_tree_field(const struct xds_tree *object, const char *name);
/* A member whose key is there twice, or NULL; in n log n. */
const struct xds_tree *xds_tree_twice(struct xds_arena *arena,
                                      const struct xds_tree *object);
/* The two spellings of one name are equal here. */
bool xds_tree_same_field(struct xds_slice a, struct xds_slice b);
/* "blackoutPeriod" as "blackout_period". */
struct xds_slice xds_tree_snake_case(struct xds_arena *arena, struct xds_slice key);

static inline struct xds_tree xds_tree_object(void)
{
    return (struct xds_tree){.kind = XDS_TREE_OBJECT};
}

static inline struct xds_tree xds_tree_array(void)
{
    return (struct xds_tree){.kind = XDS_TREE_ARRAY};
}

static inline struct xds_tree xds_tree_string(struct xds_slice text)
{
    return (struct xds_tree){.kind = XDS_TREE_STRING, .text = text};
}

static inline struct xds_tree xds_tree_text(const char *text)
{
    return xds_tree_string(xds_slice_of(text));
}

static inline struct xds_tree xds_tree_number(double number)
{
    return (struct xds_tree){.kind = XDS_TREE_NUMBER, .number = number};
}

static inline struct xds_tree xds_tree_bool(bool truth)
{
    return (struct xds_tree){.kind = XDS_TREE_BOOL, .truth = truth};
}

/* A number, or where a double would lose digits its text, as proto3 JSON does. */
struct xds_tree xds_tree_i64(struct xds_arena *arena, int64_t number);
/* "2.500000000s", as C-core writes durations; parts of whatever sign are added up. */
struct xds_tree xds_tree_duration(struct xds_arena *arena, int64_t seconds,
                                  int32_t nanos);
struct xds_tree xds_tree_ns(struct xds_arena *arena, int64_t ns);

/* Append an item to an array. */
void xds_tree_add(struct xds_arena *arena, struct xds_tree *array, struct xds_tree item);
/* Append a member to an object; the key is borrowed. */
void xds_tree_put(struct xds_arena *arena, struct xds_tree *object, const char *key,
                  struct xds_tree value);
void xds_tree_put_key(struct xds_arena *arena, struct xds_tree *object,
                      struct xds_slice key, struct xds_tree value);
/* {KEY: VALUE}: how a config names its policy. */
struct xds_tree xds_tree_pair(struct xds_arena *arena, const char *key,
                              struct xds_tree value);
/* [VALUE]. */
struct xds_tree xds_tree_list(struct xds_arena *arena, struct xds_tree value);
/* A copy with all of its texts in the arena. */
struct xds_tree xds_tree_copy(struct xds_arena *arena, const struct xds_tree *tree);

#endif
