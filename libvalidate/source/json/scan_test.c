/* scan_test.c - the bit tricks against the plain way to say the same, at every border. */
#include <criterion/criterion.h>

#include "source/json/scan.h"

#define SIZE ((size_t)20000)

/* Text of the letters in `from`, the same for the same seed. */
static void fill(char *text, size_t size, const char *from, unsigned seed)
{
    const size_t n = strlen(from);

    for (size_t i = 0; i < size; i++) {
        seed = seed * 1103515245u + 12345u;
        text[i] = from[(seed >> 16) % n];
    }
}

static struct xds_scan_lines plain_lines(struct xds_slice text)
{
    struct xds_scan_lines n = {0, 0};

    for (size_t i = 0; i < text.len; i++) {
        n.newlines += text.data[i] == '\n';
        if (text.data[i] == '\n')
            n.code_points = 0;
        else if (((unsigned char)text.data[i] & 0xC0) != 0x80)
            n.code_points++;
    }
    return n;
}

Test(scan, lines_and_code_points_are_those_of_a_plain_count)
{
    static const char *const letters[] = {"a", "a\n", "\n", "aaaa\xC3\xA9\xE2\x82\xAC",
                                          "ab\xC3\xA9\xF0\x9F\x98\x80\x7F\n"};
    static char text[SIZE];

    for (unsigned i = 0; i < XDS_ARRAY_LEN(letters); i++) {
        fill(text, SIZE, letters[i], i);
        for (size_t len = 0; len <= SIZE; len += len < 100 ? 1 : 997) {
            const struct xds_slice part =
                xds_slice_make(text + i, len - (len > i ? i : 0));
            const struct xds_scan_lines want = plain_lines(part);
            const struct xds_scan_lines got = xds_scan_lines(part);

            cr_expect_eq(got.newlines, want.newlines, "%u, %zu bytes", i, len);
            cr_expect_eq(got.code_points, want.code_points, "%u, %zu bytes", i, len);
        }
    }
}

Test(scan, a_newline_in_the_last_of_many_blocks_sets_the_column)
{
    static char text[SIZE];

    memset(text, 'x', SIZE);
    for (size_t at = 0; at < SIZE; at += 499) {
        text[at] = '\n';
        cr_expect_eq(xds_scan_lines(xds_slice_make(text, SIZE)).code_points,
                     SIZE - at - 1);
    }
}

struct end {
    enum xds_scan_result result;
    size_t at;
};

/* Byte by byte; the text begins with a bracket. */
static struct end plain_end(struct xds_slice text)
{
    char open[64];
    size_t depth = 0;
    bool in_string = false;

    for (size_t i = 0; i < text.len; i++) {
        const char c = text.data[i];

        if (in_string && c == '\\') {
            i++;
        } else if (c == '"') {
            in_string = !in_string;
        } else if (!in_string && (c == '{' || c == '[')) {
            open[depth++ % sizeof open] = c;
        } else if (!in_string && (c == '}' || c == ']')) {
            if (open[--depth % sizeof open] != c - 2)
                return (struct end){XDS_SCAN_MISMATCH, i};
            if (depth == 0)
                return (struct end){XDS_SCAN_DONE, i + 1};
        }
    }
    return (struct end){XDS_SCAN_MORE, text.len};
}

/* In two pieces; what the first one leaves comes again. */
static struct end scan_in_pieces(struct xds_slice text, size_t cut)
{
    struct xds_scan scan = {0};
    size_t at, used;
    enum xds_scan_result result =
        xds_scan_step(&scan, xds_slice_make(text.data, cut), false, &at);

    if (result == XDS_SCAN_MORE) {
        result = xds_scan_step(&scan, xds_slice_from(text, at), true, &used);
        at += used;
    }
    return (struct end){result, at};
}

Test(scan, a_value_ends_where_a_reader_of_single_bytes_says)
{
    char text[300];

    /* A backslash outside of a string is no JSON: then only the end must be in the text.
     */
    for (unsigned seed = 0; seed < 3000; seed++) {
        fill(text, sizeof text, seed % 2 ? "{}[]\"\"\"xxxx" : "{}\"\\\\\\\"x", seed);
        text[0] = '{';
        text[1] = '"';
        const struct xds_slice all = xds_slice_make(text, sizeof text);
        const struct end want = plain_end(all);

        for (size_t cut = 0; cut <= all.len; cut += 50) {
            const struct end got = scan_in_pieces(all, cut);

            cr_assert_leq(got.at, all.len);
            if (seed % 2) {
                cr_assert_eq(got.result, want.result, "seed %u cut %zu", seed, cut);
                cr_assert_eq(got.at, want.at, "seed %u cut %zu", seed, cut);
            }
        }
    }
}

Test(scan, runs_of_backslashes_escape_by_their_parity_across_every_border)
{
    char text[400];

    for (size_t run = 0; run < 140; run++) {
        for (size_t before = 0; before < 70; before++) {
            const size_t quote = 2 + before + run;

            memset(text, 'x', sizeof text);
            memset(text + 2 + before, '\\', run);
            text[0] = '[';
            text[1] = text[quote] = text[350] = '"';
            text[quote + 1] = text[351] = ']';
            const struct end got = scan_in_pieces(xds_slice_make(text, 352), quote);

            cr_assert_eq(got.result, XDS_SCAN_DONE);
            cr_assert_eq(got.at, run % 2 ? 352 : quote + 2, "%zu %zu", run, before);
        }
    }
}

Test(scan, nesting_is_followed_to_its_last_level)
{
    char text[XDS_SCAN_LEVELS + 1];
    struct xds_scan scan = {0};
    size_t used;

    memset(text, '[', sizeof text);
    cr_expect_eq(xds_scan_step(&scan, xds_slice_make(text, XDS_SCAN_LEVELS), true, &used),
                 XDS_SCAN_MORE);
    scan = (struct xds_scan){0};
    cr_expect_eq(xds_scan_step(&scan, xds_slice_make(text, sizeof text), true, &used),
                 XDS_SCAN_DEEP);
    cr_expect_eq(used, XDS_SCAN_LEVELS);
}
