/* excerpt_test.c - the window around a column, and bytes that must not be printed. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "print/findings/findings.h"

#define TEN "0123456789"
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN
#define BLANKS20 "                    "
#define BLANKS40 BLANKS20 BLANKS20
#define BAD "\xef\xbf\xbd"

struct fixture {
    struct xds_slice line;
    uint32_t asked; /* the column from which on the line was wanted */
    char text[4096];
    size_t len;
};

static bool collect(void *user, const char *data, size_t len)
{
    struct fixture *f = user;

    cr_assert_lt(f->len + len, sizeof f->text);
    memcpy(f->text + f->len, data, len);
    f->len += len;
    f->text[f->len] = '\0';
    return true;
}

/* Lines of the tests that begin after column 1 are ASCII. */
static bool give_line(void *user, struct xds_slice file, uint32_t line, uint32_t column,
                      struct xds_slice *out)
{
    struct fixture *f = user;

    (void)line;
    f->asked = column;
    *out = xds_slice_from(f->line, column - 1);
    return xds_slice_is(file, "in.json");
}

/* File 0 can be read, any other cannot. */
static void excerpt(struct fixture *f, struct xds_place at, bool color)
{
    const struct xds_printer to = {
        .write = collect, .user = f, .color = color, .line = give_line, .line_user = f};
    struct xds_out out;

    f->len = 0;
    f->text[0] = '\0';
    xds_out_init(&out, &to);
    xds_out_excerpt(&out, at.file == 0 ? XDS_S("in.json") : XDS_S("gone"), at);
    cr_assert_eq(xds_out_finish(&out), XDS_OK);
}

static void make(struct fixture *f, const char *line)
{
    *f = (struct fixture){.line = xds_slice_of(line)};
}

static const struct row {
    const char *name, *line;
    uint32_t column, end_column;
    const char *text, *marks;
} rows[] = {
    {"a key", "  weight: 0", 3, 9, "  weight: 0", "  ^~~~~~"},
    {"no end", "abc", 2, 2, "abc", " ^"},
    {"an end before", "abc", 3, 1, "abc", "  ^"},
    {"an end behind the line", "abc", 2, UINT32_MAX, "abc", " ^~"},
    {"behind the line", "abc", 4, 9, "abc", "   ^"},
    {"tabs", "\t\ta\tb", 5, 6, "  a b", "    ^"},
    {"two bytes", "\xc3\xa4\xc3\xb6x", 3, 4, "\xc3\xa4\xc3\xb6x", "  ^"},
    {"wide", "\xe6\x97\xa5\xe6\x9c\xac!", 2, 4, "\xe6\x97\xa5\xe6\x9c\xac!", "  ^~~"},
    {"combining", "a\xcc\x88:x", 4, 5, "a\xcc\x88:x", "  ^"},
    {"on a combining mark", "a\xcc\x88", 2, 3, "a\xcc\x88", " ^"},
    {"escape", "a\033[31mb", 7, 8, "a" BAD "[31mb", "      ^"},
    {"C1 control", "\xc2\x9b", 1, 2, BAD, "^"},
    {"right to left", "\xe2\x80\xaex", 2, 3, BAD "x", " ^"},
    {"surrogate", "\xed\xa0\x80x", 2, 3, BAD "x", " ^"},
    {"overlong", "\xc0\xafx", 2, 3, BAD "x", " ^"},
    {"cut character", "\xe6\x97x", 2, 3, BAD "x", " ^"},
    {"lead bytes alone", "\xff\xfe\xc3x", 4, 5, BAD BAD BAD "x", "   ^"},
    {"continuation has no column", "\x80\x80x\x80\x80y", 2, 3, BAD "y", " ^"},
    {"carriage return", "a\rb", 1, 2, "a" BAD "b", "^"},
    {"100 columns", HUNDRED, 100, 101, HUNDRED, BLANKS40 BLANKS40 "                   ^"},
};

static void expect(struct fixture *f, const char *name, const char *want)
{
    cr_expect_str_eq(f->text, want, "%s: want\n%sgot\n%s", name, want, f->text);
}

static void expect_rows(const struct row *table, size_t n)
{
    for (const struct row *r = table; r < table + n; r++) {
        struct fixture f;
        char want[512];

        make(&f, r->line);
        excerpt(&f, (struct xds_place){0, 7, r->column, 7, r->end_column}, false);
        snprintf(want, sizeof want, "    7 | %s\n      | %s\n", r->text, r->marks);
        expect(&f, r->name, want);
    }
}

Test(excerpt, each_column_of_the_input_is_one_character)
{
    expect_rows(rows, XDS_ARRAY_LEN(rows));
}

static const struct row windows[] = {
    {"one too long", HUNDRED "#", 1, 2, HUNDRED "...", "^"},
    {"at its begin", HUNDRED HUNDRED, 41, 42, HUNDRED "...", BLANKS40 "^"},
    {"inside", HUNDRED HUNDRED HUNDRED, 151, 153, "..." HUNDRED "...",
     "   " BLANKS40 "^~"},
    {"the mark is cut", HUNDRED HUNDRED HUNDRED, 151, 252, "..." HUNDRED "...",
     "   " BLANKS40 "^"
     "~~~~~~~~~"
     "~~~~~~~~~~"
     "~~~~~~~~~~"
     "~~~~~~~~~~"
     "~~~~~~~~~~"
     "~~~~~~~~~~"},
    {"at its end", HUNDRED HUNDRED HUNDRED, 300, 301, "..." HUNDRED,
     "   " BLANKS40 BLANKS40 "                   ^"},
    {"behind its end", HUNDRED HUNDRED HUNDRED, 301, 302, "..." HUNDRED,
     "   " BLANKS40 BLANKS40 BLANKS20 "^"},
    {"one too long, behind its end", HUNDRED "#", 102, 103,
     "...123456789" TEN TEN TEN TEN TEN TEN TEN TEN TEN "#",
     "   " BLANKS40 BLANKS40 BLANKS20 "^"},
};

Test(excerpt, a_long_line_is_shown_around_the_column)
{
    expect_rows(windows, XDS_ARRAY_LEN(windows));
}

/* What makes it a key is after all that is shown. */
Test(excerpt, a_secret_is_one_up_to_its_last_character)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"
                                  "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz";
    struct fixture f;
    char line[500];

    (void)snprintf(line, sizeof line, HUNDRED TEN TEN ":%sX1\"", letters);
    make(&f, line);
    excerpt(&f, (struct xds_place){0, 1, 101, 1, 102}, false);
    expect(&f, "a long key",
           "    1 | ..." TEN TEN TEN TEN TEN TEN
           ":***************************************"
           "...\n      |    " BLANKS40 "^\n");
}

Test(excerpt, only_columns_near_the_place_are_asked_for)
{
    struct fixture f;

    make(&f, HUNDRED HUNDRED HUNDRED);
    excerpt(&f, (struct xds_place){0, 1, 40, 1, 41}, false);
    cr_expect_eq(f.asked, 1);
    excerpt(&f, (struct xds_place){0, 1, 300, 1, 301}, false);
    cr_expect_eq(f.asked, 200);
}

Test(excerpt, a_line_without_end_is_cut)
{
    static char line[1 << 20];
    struct fixture f;

    memset(line, '\x80', sizeof line - 1);
    line[0] = 'a';
    make(&f, line);
    excerpt(&f, (struct xds_place){0, 1, 1, 1, 2}, false);
    expect(&f, "one column of a megabyte", "    1 | " BAD "...\n      | ^\n");
}

Test(excerpt, the_number_of_a_late_line_widens_both_lines)
{
    struct fixture f;

    make(&f, "abc");
    excerpt(&f, (struct xds_place){0, UINT32_MAX, 2, UINT32_MAX, 3}, false);
    expect(&f, "late", "4294967295 | abc\n           |  ^\n");
}

Test(excerpt, what_goes_on_in_the_next_line_has_a_caret_only)
{
    struct fixture f;

    make(&f, "abc");
    excerpt(&f, (struct xds_place){0, 1, 2, 2, 3}, false);
    expect(&f, "two lines", "    1 | abc\n      |  ^\n");
}

Test(excerpt, only_the_mark_has_a_colour)
{
    struct fixture f;

    make(&f, "abc");
    excerpt(&f, (struct xds_place){0, 1, 2, 1, 4}, true);
    expect(&f, "colour", "    1 | abc\n      |  \033[32m^~\033[0m\n");
}

Test(excerpt, what_is_not_there_is_not_shown)
{
    static const struct xds_place places[] = {
        {0, 0, 0, 0, 0},                        /* no place is known */
        {0, 1, 0, 1, 1},       {0, 1, 5, 1, 6}, /* the line is shorter now */
        {0, 1, 4000, 1, 4001}, {1, 1, 1, 1, 2}, /* a file that cannot be read */
    };
    struct fixture f;

    make(&f, "abc");
    for (size_t i = 0; i < XDS_ARRAY_LEN(places); i++) {
        excerpt(&f, places[i], false);
        cr_expect_str_empty(f.text, "%zu: %s", i, f.text);
    }
    make(&f, "");
    excerpt(&f, (struct xds_place){0, 1, 1, 1, 2}, false);
    cr_expect_str_empty(f.text, "an empty line");
}
