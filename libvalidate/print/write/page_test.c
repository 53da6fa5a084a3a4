/* page_test.c - lines of a page end at blanks, and their rest is below their text. */
#include <criterion/criterion.h>

#include "print/write/document.h"

struct paper {
    char text[4096];
    size_t len;
    size_t room; /* writing fails beyond */
};

static bool write_paper(void *user, const char *data, size_t len)
{
    struct paper *paper = user;

    if (paper->len + len > paper->room)
        return false;
    memcpy(paper->text + paper->len, data, len);
    paper->len += len;
    paper->text[paper->len] = '\0';
    return true;
}

/* The text in pieces of `piece` bytes. */
static bool print_on(struct paper *paper, const char *text, size_t piece)
{
    const struct xds_printer to = {.write = write_paper, .user = paper};
    struct xds_page page;
    bool ok = true;

    xds_page_init(&page, &to);
    for (size_t at = 0, len = strlen(text); at < len && ok; at += piece)
        ok = page.printer.write(page.printer.user, text + at,
                                len - at < piece ? len - at : piece);
    return ok;
}

#define TEN "123456789 "
#define FIFTY TEN TEN TEN TEN TEN
#define LONG "1234567890123456789012345678901234567890123456789012345"

static const struct row {
    const char *text, *wanted;
} rows[] = {
    {"", ""},
    {"\n", "\n"},
    {"short\n", "short\n"},
    {"a  b\n", "a  b\n"},
    {"   \n", "\n"},
    {"ends  \n", "ends\n"},
    /* exactly 100 columns, and one more */
    {FIFTY FIFTY "x\n", FIFTY "123456789 123456789 123456789 123456789 123456789"
                              "\n              x\n"},
    {FIFTY "123456789 123456789 123456789 123456789 1234567890\n",
     FIFTY "123456789 123456789 123456789 123456789 1234567890\n"},
    /* a line without heading keeps its indent */
    {"    " FIFTY "123456789 123456789 123456789 123456789 1234567890\n",
     "    " FIFTY "123456789 123456789 123456789 123456789\n    1234567890\n"},
    /* after a number */
    {"  12. " FIFTY "123456789 123456789 123456789 123456789 1234567890\n",
     "  12. " FIFTY "123456789 123456789 123456789 123456789\n      1234567890\n"},
    /* a long word goes to a line of its own, and stays whole */
    {"a " LONG LONG " b\n", "a\n              " LONG LONG "\n              b\n"},
    {LONG LONG " b\n", LONG LONG "\n              b\n"},
    /* colours and the bytes of one character take no columns of their own */
    {"\033[1mnote\033[0m " FIFTY "123456789 123456789 123456789 123456789 12345\n",
     "\033[1mnote\033[0m " FIFTY "123456789 123456789 123456789 123456789 12345\n"},
    {FIFTY "123456789 123456789 123456789 123456789 12345678\xc3\xa9\xc3\xa9\n",
     FIFTY "123456789 123456789 123456789 123456789 12345678\xc3\xa9\xc3\xa9\n"},
};

Test(page, a_word_that_crosses_the_last_column_begins_a_line)
{
    for (const struct row *r = rows; r < rows + XDS_ARRAY_LEN(rows); r++)
        for (size_t piece = 1; piece < 300; piece += 7) {
            struct paper paper = {.room = sizeof(paper.text) - 1};

            cr_expect(print_on(&paper, r->text, piece));
            cr_expect_str_eq(paper.text, r->wanted, "%s", r->text);
        }
}

/* 2000 bytes do not fit into the page's memory. */
Test(page, a_word_of_any_length_stays_whole)
{
    struct paper paper = {.room = sizeof(paper.text) - 1};
    char text[2048] = "a ";
    const char *begin = "a\n              x", *end = "x\n              b\n";

    memset(text + 2, 'x', 2000);
    memcpy(text + 2002, " b\n", 4);
    cr_expect(print_on(&paper, text, sizeof(text)));
    cr_expect_eq(paper.len, 2000 + 2 * 14 + 5);
    cr_expect_arr_eq(paper.text, begin, strlen(begin));
    cr_expect_str_eq(paper.text + paper.len - strlen(end), end);
}

Test(page, what_cannot_be_written_is_told)
{
    for (size_t room = 0; room < 116; room++) {
        struct paper paper = {.room = room};

        cr_expect_not(print_on(&paper, FIFTY FIFTY "x\n", 1000), "%zu", room);
    }
}

/* ---- on a terminal ---- */

static const struct fold_row {
    size_t columns;
    const char *text, *wanted;
} fold_rows[] = {
    {20, "123456789 123456789 x\n", "123456789 123456789\n    x\n"},
    {20, "  123456789 123456789 x\n", "  123456789\n    123456789 x\n"},
    /* what is left of a line without an end */
    {20, "123456789 123456789 x", "123456789 123456789\n    x"},
    /* to paste */
    {20, "try this: xdscope rule some-name-of-it\nand so on, and so on\n",
     "try this: xdscope rule some-name-of-it\nand so on, and so on\n"},
    {20, "and so on: then with xdscope rule some-name-of-it\n",
     "and so on: then with\n    xdscope rule some-name-of-it\n"},
    {20, "try this: xdscope -f json some-name-of-it\n",
     "try this: xdscope -f json some-name-of-it\n"},
    /* a sentence, and one after it */
    {20, "and so on: xdscope was given none of it\nxdscope\nrule of it that goes on\n",
     "and so on: xdscope\n    was given none\n    of it\nxdscope\n"
     "rule of it that goes\n    on\n"},
    {0, FIFTY FIFTY FIFTY "x\n", FIFTY FIFTY FIFTY "x\n"},
};

Test(page, a_fold_breaks_lines_at_the_width_of_a_terminal)
{
    for (const struct fold_row *r = fold_rows; r < fold_rows + XDS_ARRAY_LEN(fold_rows);
         r++) {
        struct paper paper = {.room = sizeof(paper.text) - 1};
        const struct xds_printer to = {
            .write = write_paper, .user = &paper, .columns = r->columns};
        struct xds_fold *fold = xds_fold_new(&to);
        const struct xds_printer on = xds_fold_printer(fold);

        cr_expect(on.write(on.user, r->text, strlen(r->text)));
        cr_expect_eq(xds_fold_free(fold), XDS_OK);
        cr_expect_str_eq(paper.text, r->wanted, "%s", r->text);
    }
}

Test(page, a_last_word_that_cannot_be_written_is_an_error)
{
    struct paper paper = {.room = 3};
    const struct xds_printer to = {.write = write_paper, .user = &paper, .columns = 20};
    struct xds_fold *fold = xds_fold_new(&to);
    const struct xds_printer on = xds_fold_printer(fold);

    cr_expect(on.write(on.user, "lost", 4));
    cr_expect_eq(xds_fold_free(fold), XDS_ERR_IO);
    cr_expect_eq(xds_fold_free(NULL), XDS_OK);
}
