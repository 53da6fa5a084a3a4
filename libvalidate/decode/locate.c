/*
 * locate.c - give findings their line and column.
 *
 * One walk over the tokens serves all findings of the resource: they are sorted by path,
 * so those that continue below a node are a range. The walk skips what no path enters
 * and ends with the last place.
 */
#include <stdlib.h>

#include "base/ascii.h"
#include "decode/decode.h"

/* ---- paths as they are written ---- */

static bool is_written(const struct xds_path *step)
{
    return step->kind != XDS_STEP_VALUE && step->seen != XDS_STEP_SAID;
}

struct atoms {
    struct xds_arena *arena;
    struct xds_atom *items;
    size_t n, cap;
};

static void add_atom(struct atoms *atoms, struct xds_atom atom)
{
    enum { MOST = 12 }; /* that nearly all paths have */

    if (atoms->n == atoms->cap) {
        const size_t cap = atoms->cap ? atoms->cap * 2 : MOST;
        struct xds_atom *items = XDS_NEW_ARRAY(atoms->arena, struct xds_atom, cap);

        if (atoms->n > 0)
            memcpy(items, atoms->items, atoms->n * sizeof *items);
        atoms->items = items;
        atoms->cap = cap;
    }
    atoms->items[atoms->n++] = atom;
}

/* An item of the outermost list has no field. */
static void add_field(struct atoms *atoms, const char *field)
{
    while (*field != '\0') {
        const char *dot = strchr(field, '.');
        const size_t len = dot ? (size_t)(dot - field) : strlen(field);

        add_atom(atoms, (struct xds_atom){.name = xds_slice_make(field, len)});
        field += dot ? len + 1 : len;
    }
}

/* The steps of a path, in arena; map keys are borrowed from it. */
static struct atoms atoms_of(struct xds_arena *arena, struct xds_steps steps)
{
    struct atoms atoms = {.arena = arena};
    struct xds_path step;

    while (xds_steps_next(&steps, &step)) {
        if (!is_written(&step))
            continue;
        add_field(&atoms, step.field);
        if (step.kind == XDS_STEP_INDEX)
            add_atom(&atoms, (struct xds_atom){.index = step.index});
        else if (step.kind == XDS_STEP_KEY)
            add_atom(&atoms, (struct xds_atom){.name = step.key, .is_key = true});
    }
    return atoms;
}

/* Items of lists come before names; negative, 0 or positive. */
static int cmp_atoms(const struct xds_atom *a, const struct xds_atom *b)
{
    if (!a->name.data != !b->name.data)
        return a->name.data ? 1 : -1;
    if (!a->name.data)
        return (a->index > b->index) - (a->index < b->index);
    if (a->name.data == b->name.data && a->name.len == b->name.len)
        return 0; /* mostly, of paths: both are of one literal */
    return xds_slice_cmp(a->name, b->name);
}

/* One walk over the tokens serves all findings of the resource: they are sorted by path,
 * so those that continue below a node are a range. The walk skips what no path enters
 * and ends with the last place. */

enum { FEW = 8 }; /* wants that are looked through, not searched */

struct want {
    struct xds_atom *atoms;
    size_t n;
    struct xds_place *at; /* of the finding or of what it speaks of */
    size_t order;
    size_t begin, end; /* JSON: offsets of the best place so far */
    bool found;        /* the path was followed to its end */
};

struct walk {
    struct xds_tokens tokens;
    const struct xds_resource *in;
    struct xds_token_stream *stream; /* or NULL: the resource has them */
    struct xds_arena *scratch;
    struct want *wants;
    size_t n;
    size_t missing; /* wants that were not found */
};

/* The wants [from, to) are those whose first `depth` atoms lead to the present node. */
struct range {
    size_t from, to, depth;
};

static int cmp_wants(const void *left, const void *right)
{
    const struct want *a = left, *b = right;
    const size_t n = a->n < b->n ? a->n : b->n;

    for (size_t i = 0; i < n; i++) {
        const int c = cmp_atoms(&a->atoms[i], &b->atoms[i]);
        if (c)
            return c;
    }
    return a->n != b->n ? (a->n < b->n ? -1 : 1)
                        : (a->order > b->order) - (a->order < b->order);
}

static bool goes_on_with(const struct want *w, size_t depth, const struct xds_atom *atom)
{
    if (w->n <= depth)
        return false;
    const struct xds_atom *next = &w->atoms[depth];

    return !next->name.data == !atom->name.data &&
           (next->name.data ? xds_slice_eq(next->name, atom->name)
                            : next->index == atom->index);
}

static size_t bisect(const struct walk *walk, struct range r, const struct xds_atom *atom)
{
    size_t low = r.from, high = r.to;

    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        const struct want *w = &walk->wants[mid];

        if (w->n <= r.depth || cmp_atoms(&w->atoms[r.depth], atom) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* Few wants are each held against the atom: most of them are not even as long. */
static size_t first_with(const struct walk *walk, struct range r,
                         const struct xds_atom *atom)
{
    size_t i = r.from;

    if (r.to - r.from > FEW)
        return bisect(walk, r, atom);
    while (i < r.to && !goes_on_with(&walk->wants[i], r.depth, atom))
        i++;
    return i;
}

/* The part of `r` that continues with `atom`. */
static struct range enter(const struct walk *walk, struct range r,
                          const struct xds_atom *atom)
{
    const size_t first = first_with(walk, r, atom);
    size_t end = first;

    while (end < r.to && goes_on_with(&walk->wants[end], r.depth, atom))
        end++;
    return (struct range){first, end, r.depth + 1};
}

static void set_place(struct walk *walk, struct range r, const struct xds_token *token)
{
    for (size_t i = r.from; i < r.to; i++) {
        struct want *w = &walk->wants[i];

        walk->missing -= w->n == r.depth && !w->found;
        w->found = w->found || w->n == r.depth;
        w->begin = token->begin;
        w->end = token->end;
        *w->at = (struct xds_place){walk->in->at.file, token->line, token->column,
                                    token->end_line, token->end_column};
    }
}

/* camelCase to snake_case; what does not fit is no field of ours. */
static struct xds_slice snake(struct xds_slice key, bool part_numbers, char *buffer,
                              size_t size)
{
    size_t n = 0;

    for (size_t i = 0; i < key.len; i++) {
        const char low = xds_ascii_lower(key.data[i]);

        if (n + 2 > size)
            return key;
        if (low != key.data[i] ||
            (part_numbers && i > 0 && xds_ascii_digit(key.data[i]) &&
             !xds_ascii_digit(key.data[i - 1])))
            buffer[n++] = '_';
        buffer[n++] = low;
    }
    return xds_slice_make(buffer, n);
}

static struct range enter_snake(const struct walk *walk, struct range r,
                                struct xds_slice key, bool part_numbers)
{
    char buffer[128];
    const struct xds_slice name = snake(key, part_numbers, buffer, sizeof buffer);

    return name.len == key.len ? (struct range){0, 0, 0}
                               : enter(walk, r, &(struct xds_atom){.name = name});
}

/* Most keys are those of no want, and differ from theirs in the first letter; a capital
 * one could stand for two characters. */
static bool any_begins_with(const struct walk *walk, struct range r, struct xds_slice key)
{
    const char first = key.len > 0 ? key.data[0] : '\0';

    if (xds_ascii_lower(first) != first)
        return true;
    for (size_t i = r.from; i < r.to; i++) {
        const struct want *w = &walk->wants[i];

        if (w->n > r.depth &&
            (w->atoms[r.depth].name.len == 0 || w->atoms[r.depth].name.data[0] == first))
            return true;
    }
    return false;
}

/* A key does not tell whether the name has a '_' before a number: "http2Options" is
 * http2_options, "consecutive5xx" is consecutive_5xx. */
static struct range enter_member(const struct walk *walk, struct range r,
                                 const struct xds_token *token)
{
    /* Paths hold keys as they were meant, JSON may spell them with escapes. */
    const struct xds_slice key =
        token->escaped ? xds_token_unescape(token, walk->scratch) : token->text;
    if (r.to - r.from <= FEW && !any_begins_with(walk, r, key))
        return (struct range){0, 0, 0};
    struct range below = enter(walk, r, &(struct xds_atom){.name = key});

    if (below.from == below.to)
        below = enter_snake(walk, r, key, false);
    if (below.from == below.to)
        below = enter_snake(walk, r, key, true);
    return below;
}

static bool visit(struct walk *walk, struct range r, const struct xds_token *first);

static bool visit_or_skip(struct walk *walk, struct range r,
                          const struct xds_token *first)
{
    /* Of text proto more may follow: it can tell a map's entry twice, and the last one
     * counts.
     */
    if (walk->missing == 0 && walk->in->format != XDS_FORMAT_TEXT_PROTO)
        return false;
    /* Of the wants of a range, those that end there come first. */
    return (r.from < r.to && walk->wants[r.to - 1].n > r.depth)
               ? visit(walk, r, first)
               : xds_tokens_skip_valid(&walk->tokens, first);
}

/* ---- text proto: what a key holds of a list or map ---- */

/* How the wants of a range continue after the name of a field: as an item of a list, as
 * an entry of a map, or NULL: neither. */
static const struct xds_atom *item_of(const struct walk *walk, struct range r)
{
    for (size_t i = r.from; i < r.to; i++) {
        const struct want *w = &walk->wants[i];
        const struct xds_atom *next = w->n > r.depth ? &w->atoms[r.depth] : NULL;

        if (next)
            return next->is_key || !next->name.data ? next : NULL;
    }
    return NULL;
}

/* The key in an entry of a map, whose brace was read; the tokens stay there. */
static struct xds_slice entry_key(const struct walk *walk)
{
    struct xds_tokens ahead = walk->tokens;
    struct xds_token token;

    for (;;) {
        xds_tokens_next(&ahead, &token);
        if (token.kind != XDS_TOKEN_KEY)
            return XDS_S("");
        const bool is_key = xds_slice_is(token.text, "key");
        xds_tokens_next(&ahead, &token);
        if (is_key)
            return token.text;
        if (!xds_tokens_skip(&ahead, &token, &token))
            return XDS_S("");
    }
}

/* The entry of a map: what paths call its value is under "value". */
static bool visit_entry(struct walk *walk, struct range r, const struct xds_token *key)
{
    const struct range below =
        enter(walk, r, &(struct xds_atom){.name = entry_key(walk), .is_key = true});
    struct xds_token token, value;

    set_place(walk, below, key);
    for (;;) {
        xds_tokens_next(&walk->tokens, &token);
        if (token.kind != XDS_TOKEN_KEY)
            return token.kind == XDS_TOKEN_OBJECT_END;
        const bool is_value = xds_slice_is(token.text, "value");
        xds_tokens_next(&walk->tokens, &value);
        if (!visit_or_skip(walk, is_value ? below : (struct range){0, 0, 0}, &value))
            return false;
    }
}

/* One item of the list at `r`. Its key is its place, if it has one of its own. */
static bool visit_item(struct walk *walk, struct range r, size_t index,
                       const struct xds_token *at, const struct xds_token *value)
{
    const struct xds_atom *next = item_of(walk, r);

    if (!next)
        return visit_or_skip(walk, r, value);
    if (next->is_key && value->kind == XDS_TOKEN_OBJECT)
        return visit_entry(walk, r, at);
    const struct range below = enter(walk, r, &(struct xds_atom){.index = index});
    set_place(walk, below, at);
    return visit_or_skip(walk, below, value);
}

/* A key that holds the value of a field, one item of it, or several in brackets. How many
 * came before is counted in the name's atom of the first want: no other node has it. */
static bool visit_occurrence(struct walk *walk, struct range r,
                             const struct xds_token *key, const struct xds_token *value)
{
    size_t *met = &walk->wants[r.from].atoms[r.depth - 1].index;
    struct xds_token item;

    if (*met == 0)
        set_place(walk, r, key);
    if (value->kind != XDS_TOKEN_ARRAY)
        return visit_item(walk, r, (*met)++, key, value);
    for (;;) {
        xds_tokens_next(&walk->tokens, &item);
        if (item.kind == XDS_TOKEN_ARRAY_END)
            return true;
        if (!visit_item(walk, r, (*met)++, &item, &item))
            return false;
    }
}

static bool visit_member(struct walk *walk, struct range r, const struct xds_token *key,
                         const struct xds_token *value)
{
    if (walk->in->format == XDS_FORMAT_TEXT_PROTO && r.from < r.to)
        return visit_occurrence(walk, r, key, value);
    set_place(walk, r, key);
    return visit_or_skip(walk, r, value);
}

/* ---- all forms ---- */

static bool visit_object(struct walk *walk, struct range r)
{
    struct xds_token key, value;

    for (;;) {
        xds_tokens_next(&walk->tokens, &key);
        if (key.kind != XDS_TOKEN_KEY)
            return key.kind == XDS_TOKEN_OBJECT_END;
        const struct range below = enter_member(walk, r, &key);
        xds_tokens_next(&walk->tokens, &value);
        if (!visit_member(walk, below, &key, &value))
            return false;
    }
}

static bool visit_array(struct walk *walk, struct range r)
{
    struct xds_token item;

    for (size_t i = 0;; i++) {
        xds_tokens_next(&walk->tokens, &item);
        if (item.kind == XDS_TOKEN_ARRAY_END)
            return true;
        const struct range below = enter(walk, r, &(struct xds_atom){.index = i});
        set_place(walk, below, &item);
        if (!visit_or_skip(walk, below, &item))
            return false;
    }
}

/* The nesting of tokens is bounded, and so is this recursion. */
static bool visit(struct walk *walk, struct range r, const struct xds_token *first)
{
    switch (first->kind) {
    case XDS_TOKEN_OBJECT:
        return visit_object(walk, r);
    case XDS_TOKEN_ARRAY:
        return visit_array(walk, r);
    case XDS_TOKEN_STRING:
    case XDS_TOKEN_NUMBER:
    case XDS_TOKEN_TRUE:
    case XDS_TOKEN_FALSE:
    case XDS_TOKEN_NULL:
    case XDS_TOKEN_WORD:
        return true;
    case XDS_TOKEN_OBJECT_END:
    case XDS_TOKEN_ARRAY_END:
    case XDS_TOKEN_KEY:
    case XDS_TOKEN_END:
    case XDS_TOKEN_ERROR:
        break;
    }
    return false;
}

static int cmp_begin(const void *left, const void *right)
{
    const struct want *a = left, *b = right;

    return (a->begin > b->begin) - (a->begin < b->begin);
}

/* ---- all ---- */

static struct walk new_walk(const struct xds_resource *in, struct xds_arena *scratch,
                            size_t room)
{
    return (struct walk){
        .in = in, .scratch = scratch, .wants = XDS_NEW_ARRAY(scratch, struct want, room)};
}

/* Until a walk finds better, a place is where the resource begins. Bytes have no lines,
 * and of them no walk does. */
static void add_want(struct walk *walk, struct xds_steps steps, struct xds_place *at)
{
    const size_t n = walk->n;

    *at = walk->in->at;
    if (walk->in->format == XDS_FORMAT_BINARY)
        return;
    const struct atoms atoms = atoms_of(walk->scratch, steps);

    walk->n++;
    walk->wants[n].atoms = atoms.items;
    walk->wants[n].n = atoms.n;
    walk->wants[n].at = at;
    walk->wants[n].order = n;
}

/* Findings mostly come in the order of the text. */
static void sort_wants(struct walk *walk, int (*cmp)(const void *, const void *))
{
    size_t i = 1;

    while (i < walk->n && cmp(&walk->wants[i - 1], &walk->wants[i]) <= 0)
        i++;
    if (i < walk->n)
        qsort(walk->wants, walk->n, sizeof *walk->wants, cmp);
}

static bool open_tokens(struct walk *walk)
{
    if (!walk->stream)
        return xds_tokens_of(&walk->tokens, walk->in);
    xds_tokens_streamed(&walk->tokens, walk->stream);
    return true;
}

static void find_places(struct walk *walk)
{
    const struct range all = {0, walk->n, 0};
    struct xds_token first;

    if (walk->n == 0 || !open_tokens(walk))
        return;
    sort_wants(walk, cmp_wants);
    xds_tokens_next(&walk->tokens, &first);
    walk->missing = walk->n;
    set_place(walk, all, &first);
    visit_or_skip(walk, all, &first);
    if (walk->in->format == XDS_FORMAT_JSON) {
        struct xds_place_cursor cursor;

        xds_place_cursor_init(&cursor, walk->in);
        sort_wants(walk, cmp_begin);
        for (size_t i = 0; i < walk->n; i++) {
            const struct want *w = &walk->wants[i];

            *w->at = xds_place_next(&cursor, w->begin, w->end);
        }
    }
}

void xds_locate(const struct xds_resource *in, struct xds_report *report,
                struct xds_arena *scratch)
{
    struct walk walk = new_walk(in, scratch, report->unplaced.n);

    for (size_t i = report->unplaced.n_waiting; i < report->unplaced.n; i++)
        if (report->unplaced.list[i].resource != XDS_NO_RESOURCE)
            add_want(&walk, report->unplaced.list[i].steps,
                     xds_unplaced_at(report, &report->unplaced.list[i]));
    find_places(&walk);
    report->unplaced.n = report->unplaced.n_waiting;
}

void xds_locate_some(const struct xds_resource *in, struct xds_token_stream *stream,
                     struct xds_report *report, const struct xds_unplaced *some, size_t n,
                     struct xds_arena *scratch)
{
    struct walk walk = new_walk(in, scratch, n);

    walk.stream = stream;
    for (size_t i = 0; i < n; i++)
        add_want(&walk, some[i].steps, xds_unplaced_at(report, &some[i]));
    find_places(&walk);
}

void xds_locate_in_text(const struct xds_resource *in, struct xds_report *report,
                        struct xds_arena *scratch)
{
    xds_locate_some(in, NULL, report, report->unplaced.list, report->unplaced.n, scratch);
    report->unplaced.n = 0;
}

void xds_locate_paths(const struct xds_resource *in, struct xds_arena *scratch,
                      const struct xds_steps *paths, size_t n, struct xds_place *places)
{
    struct walk walk = new_walk(in, scratch, n);

    for (size_t i = 0; i < n; i++)
        add_want(&walk, paths[i], &places[i]);
    find_places(&walk);
}
