/*
 * shapes_test.c - no line of any shape of testdata/secrets/shapes.txt shows the secret,
 *                 whatever an excerpt is about. cli/dev/test/check_secrets.py runs the
 *                 program on them.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "include/xdscope.h"
#include "base/slice.h"

#define SECRET "zQ7hunterX9secretW4"
enum { PART = 8, MOST_FRAMES = 32 };

/* A growing text, NUL-terminated. */
struct text {
    char data[16384];
    size_t len;
};

static void add(struct text *to, struct xds_slice piece)
{
    cr_assert_lt(to->len + piece.len, sizeof to->data);
    if (piece.len)
        memcpy(to->data + to->len, piece.data, piece.len);
    to->len += piece.len;
    to->data[to->len] = '\0';
}

/* The text with each `word` as `with`. */
static void replace(struct text *text, struct xds_slice word, struct xds_slice with)
{
    static struct text out;
    struct xds_slice rest = xds_slice_make(text->data, text->len);
    size_t at;

    out.len = 0;
    while ((at = xds_slice_search(rest, word)) < rest.len) {
        add(&out, xds_slice_make(rest.data, at));
        add(&out, with);
        rest = xds_slice_from(rest, at + word.len);
    }
    add(&out, rest);
    *text = out;
}

static bool has_part(struct xds_slice shown)
{
    for (size_t i = 0; i + PART < sizeof SECRET; i++)
        if (xds_slice_search(shown, xds_slice_make(SECRET + i, PART)) < shown.len)
            return true;
    return false;
}

static void expect_hidden(const char *file, struct xds_slice shape, struct xds_slice text)
{
    static char shown[16384];
    struct xds_secrets *secrets;
    struct xds_slice line;
    size_t len;

    cr_assert_eq(xds_secrets_of_text(file, text, &secrets), XDS_OK);
    for (uint32_t number = 1; text.data; number++) {
        text = xds_slice_cut(text, '\n', &line);
        if (xds_secrets_hide(secrets, number, 1, line, shown, &len))
            cr_expect(!has_part(xds_slice_make(shown, len)), "%s %.*s, line %u: %.*s",
                      file, XDS_FMT(shape), number, (int)len, shown);
    }
    xds_secrets_free(secrets);
}

/* "-- NAME.EXT --" or "-- NAME.EXT SHAPE --". */
static bool is_head(struct xds_slice line, struct xds_slice *file,
                    struct xds_slice *shape)
{
    if (!xds_slice_starts(line, XDS_S("-- ")) || !xds_slice_ends(line, XDS_S(" --")))
        return false;
    *shape = xds_slice_cut(xds_slice_make(line.data + 3, line.len - 6), ' ', file);
    return memchr(file->data, '.', file->len) != NULL;
}

static void take_shape(struct xds_slice file, struct xds_slice shape,
                       struct xds_slice frame, struct xds_slice body)
{
    static struct text text;
    char name[64];

    if (body.len > 0)
        body.len--; /* its last line break */
    text.len = 0;
    add(&text, frame);
    replace(&text, XDS_S("<HERE>"), body);
    replace(&text, XDS_S("HUNTER"), XDS_S(SECRET));
    replace(&text, XDS_S("<01>"), XDS_S("\x01"));
    replace(&text, XDS_S("<CR>"), XDS_S("\r"));
    (void)snprintf(name, sizeof name, "%.*s", XDS_FMT(file));
    expect_hidden(name, shape, xds_slice_make(text.data, text.len));
}

static size_t take_all(struct xds_slice rest)
{
    struct xds_slice file, shape, line, frame = XDS_S(""), next_file, next_shape;
    size_t n = 0;

    do
        rest = xds_slice_cut(rest, '\n', &line);
    while (rest.data && !is_head(line, &file, &shape));
    while (rest.data) {
        const char *begin = rest.data, *end = begin;
        bool is_next = false;

        while (rest.data && !is_next) {
            end = rest.data;
            rest = xds_slice_cut(rest, '\n', &line);
            is_next = is_head(line, &next_file, &next_shape);
        }
        const struct xds_slice body = xds_slice_make(begin, (size_t)(end - begin));
        if (!shape.data)
            frame = body;
        else {
            take_shape(file, shape, frame, body);
            n++;
        }
        file = next_file;
        shape = next_shape;
    }
    return n;
}

Test(secrets, no_line_of_a_shape_shows_its_secret)
{
    static char page[65536];
    FILE *in = fopen("testdata/secrets/shapes.txt", "r");

    cr_assert_not_null(in);
    const size_t len = fread(page, 1, sizeof page - 1, in);
    (void)fclose(in);
    cr_expect_geq(take_all(xds_slice_make(page, len)), 120);
}
