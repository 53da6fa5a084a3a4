/*
 * text_diff.c - the lines in which two texts differ, in the unified format.
 *
 * Secrets are asterisks, and so is a line of which it is not known whether it has one:
 * what is printed goes into logs. Lines are compared as they are.
 *
 * Source: POSIX, diff -u. Made for a text and its edited copy: of lines that differ, the
 * nearest that are equal again are looked for.
 */
#include "cli/files/output.h"

#include <stdlib.h>
#include <string.h>

#define CONTEXT ((size_t)3)
#define REACH 256 /* lines that are looked through for the next equal ones */

struct lines {
    struct xds_slice *items; /* with what ends them */
    size_t n;
    struct xds_secrets *secrets;
    char *shown; /* room for the longest line */
};

static bool find_secrets(const char *name, struct xds_slice text, struct lines *out)
{
    size_t most = 1;

    for (size_t i = 0; i < out->n; i++)
        if (most < out->items[i].len)
            most = out->items[i].len;
    out->shown = malloc(most);
    return out->shown && xds_secrets_of_text(name, text, &out->secrets) == XDS_OK;
}

static void release(struct lines *lines)
{
    xds_secrets_free(lines->secrets);
    free(lines->shown);
    free(lines->items);
}

static bool cut(const char *name, struct xds_slice text, struct lines *out)
{
    size_t n = 1, begin = 0;

    for (size_t i = 0; i < text.len; i++)
        n += text.data[i] == '\n';
    *out = (struct lines){.items = malloc(n * sizeof *out->items)};
    if (!out->items)
        return false;
    while (begin < text.len) {
        const char *end = memchr(text.data + begin, '\n', text.len - begin);
        const size_t next = end ? (size_t)(end + 1 - text.data) : text.len;

        out->items[out->n++] = (struct xds_slice){text.data + begin, next - begin};
        begin = next;
    }
    return find_secrets(name, text, out);
}

static bool is_same(const struct lines *a, size_t i, const struct lines *b, size_t j)
{
    if (i >= a->n || j >= b->n)
        return i >= a->n && j >= b->n;
    return a->items[i].len == b->items[j].len &&
           memcmp(a->items[i].data, b->items[j].data, a->items[i].len) == 0;
}

/* How many lines of each differ from (i, j) on. Then two equal ones, or the ends, are
 * next, or one, after as many lines of each. */
static void differing(const struct lines *a, size_t i, const struct lines *b, size_t j,
                      size_t *in_a, size_t *in_b)
{
    for (size_t sum = 1; sum <= REACH; sum++)
        for (size_t k = 0; k <= sum; k++) {
            const size_t to_a = i + sum - k, to_b = j + k;

            if (to_a > a->n || to_b > b->n || !is_same(a, to_a, b, to_b) ||
                (to_a < a->n && 2 * k != sum && !is_same(a, to_a + 1, b, to_b + 1)))
                continue;
            *in_a = sum - k;
            *in_b = k;
            return;
        }
    *in_a = a->n - i;
    *in_b = b->n - j;
}

/* Lines that differ, and equal ones around them. */
struct hunk {
    size_t a, n_a, b, n_b;
};

static void put_line(FILE *out, char mark, const struct lines *lines, size_t i)
{
    const struct xds_slice line = lines->items[i];
    const bool has_end = line.len > 0 && line.data[line.len - 1] == '\n';
    const struct xds_slice text = {line.data, line.len - has_end};
    /* A byte order mark is in front of the first column. */
    const bool has_mark =
        i == 0 && text.len >= 3 && memcmp(text.data, "\xEF\xBB\xBF", 3) == 0;
    size_t len;

    (void)fputc(mark, out);
    if (xds_secrets_hide(lines->secrets, (uint32_t)i + 1, !has_mark, text, lines->shown,
                         &len))
        (void)fwrite(lines->shown, 1, len, out);
    else
        (void)fputs("***", out);
    (void)fputs(has_end ? "\n" : "\n\\ No newline at end of file\n", out);
}

static void put_range(FILE *out, char mark, size_t begin, size_t n)
{
    (void)fprintf(out, "%c%zu", mark, n > 0 ? begin + 1 : begin);
    if (n != 1)
        (void)fprintf(out, ",%zu", n);
}

/* The hunks from the first of `list` on are less than two contexts apart. */
static void put_hunks(FILE *out, const struct lines *a, const struct lines *b,
                      const struct hunk *list, size_t n)
{
    const struct hunk *last = &list[n - 1];
    const size_t before = list[0].a < CONTEXT ? list[0].a : CONTEXT;
    const size_t left = a->n - last->a - last->n_a;
    const size_t after = left < CONTEXT ? left : CONTEXT;
    size_t at = list[0].a - before;

    (void)fputs("@@ ", out);
    put_range(out, '-', at, last->a + last->n_a + after - at);
    (void)fputc(' ', out);
    put_range(out, '+', list[0].b - before,
              last->b + last->n_b + after - (list[0].b - before));
    (void)fputs(" @@\n", out);
    for (size_t i = 0; i < n; i++) {
        while (at < list[i].a)
            put_line(out, ' ', a, at++);
        while (at < list[i].a + list[i].n_a)
            put_line(out, '-', a, at++);
        for (size_t k = 0; k < list[i].n_b; k++)
            put_line(out, '+', b, list[i].b + k);
    }
    for (size_t k = 0; k < after; k++)
        put_line(out, ' ', a, at++);
}

static void put_all(FILE *out, const struct lines *a, const struct lines *b,
                    struct hunk *room)
{
    size_t n = 0, i = 0, j = 0;

    while (i < a->n || j < b->n) {
        if (is_same(a, i, b, j)) {
            i++;
            j++;
            continue;
        }
        struct hunk hunk = {.a = i, .b = j};

        differing(a, i, b, j, &hunk.n_a, &hunk.n_b);
        if (n > 0 && i - room[n - 1].a - room[n - 1].n_a > 2 * CONTEXT) {
            put_hunks(out, a, b, room, n);
            n = 0;
        }
        room[n++] = hunk;
        i += hunk.n_a;
        j += hunk.n_b;
    }
    if (n > 0)
        put_hunks(out, a, b, room, n);
}

bool print_text_diff(FILE *out, const char *name, struct xds_slice old,
                     struct xds_slice new)
{
    struct lines a = {.n = 0}, b = {.n = 0};
    const bool good = cut(name, old, &a) && cut(name, new, &b);
    /* Two hunks have an equal line between them. */
    struct hunk *room = good ? malloc((a.n + b.n + 1) * sizeof *room) : NULL;

    if (room) {
        (void)fprintf(out, "--- %s\n+++ %s\n", name, name);
        put_all(out, &a, &b, room);
    }
    free(room);
    release(&b);
    release(&a);
    return room != NULL && !ferror(out);
}
