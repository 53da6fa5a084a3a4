/*
 * page.c - text for people in lines of at most 100 columns, or those of a terminal.
 */
#include "print/write/document.h"

#include "base/ascii.h"

#include <stdlib.h>
#include <string.h>

static bool put(const struct xds_page *page, const char *text, size_t n)
{
    return page->to->write(page->to->user, text, n);
}

static bool put_blanks(const struct xds_page *page, size_t n)
{
    static const char blanks[] = "                        ";

    for (; n >= sizeof(blanks); n -= sizeof(blanks) - 1)
        if (!put(page, blanks, sizeof(blanks) - 1))
            return false;
    return n == 0 || put(page, blanks, n);
}

/* "1." to "99." */
static bool is_number(const struct xds_page *page)
{
    size_t digits = 0;

    while (digits < page->n && xds_ascii_digit(page->word[digits]))
        digits++;
    return digits > 0 && digits + 1 == page->n && page->word[digits] == '.';
}

static bool is_word(const struct xds_page *page, const char *word)
{
    return page->n == strlen(word) && memcmp(page->word, word, page->n) == 0;
}

/* What follows it is a command's options, which a shell wants on one line; a sentence
 * goes on with a verb. */
static bool begins_command(const struct xds_page *page)
{
    static const char *const names[] = {
        "completion", "convert", "cookie",         "diff", "explain",
        "fetch",      "help",    "lb-config",      "lint", "lsp",
        "rule",       "show",    "service-config", "test", "simulate"};

    if (!page->after_program)
        return false;
    for (size_t i = 0; i < XDS_ARRAY_LEN(names); i++)
        if (is_word(page, names[i]))
            return true;
    return page->word[0] == '-';
}

static bool break_line(struct xds_page *page)
{
    page->blanks = page->indent;
    page->column = 0;
    return put(page, "\n", 1);
}

/* Write what there is of the word. The rest of one that is too long for the buffer has no
 * blank before it, and so is never moved. */
static bool end_word(struct xds_page *page)
{
    if (page->n == 0)
        return true;
    const bool fits = page->column + page->blanks + page->width <= page->columns;

    page->in_command = page->in_command || begins_command(page);
    if (!page->begun) {
        /* The first word of a line says where the rest of it goes. */
        page->begun = true;
        page->indent = page->blanks ? page->blanks + page->hang : page->flush;
        if (page->blanks && is_number(page))
            page->indent += page->n + 1;
    } else if (!fits && page->blanks > 0 && !page->in_command && !break_line(page))
        return false;
    page->after_program = page->keeps_commands && is_word(page, "xdscope");
    const bool ok = put_blanks(page, page->blanks) && put(page, page->word, page->n);

    page->column += page->blanks + page->width;
    page->blanks = page->width = page->n = 0;
    return ok;
}

static bool end_line(struct xds_page *page)
{
    const bool ok = end_word(page) && put(page, "\n", 1);

    page->column = page->blanks = 0;
    page->begun = page->after_program = page->in_command = false;
    return ok;
}

/* Bytes of a colour and those that continue a UTF-8 character take no column. */
static bool takes_column(struct xds_page *page, char c)
{
    if (c == '\033')
        page->escape = true;
    if (page->escape) {
        page->escape = c != 'm';
        return false;
    }
    return ((unsigned char)c & 0xC0u) != 0x80u;
}

static bool add_byte(struct xds_page *page, char c)
{
    bool ok = true;

    if (page->n == sizeof(page->word))
        ok = end_word(page);
    page->width += takes_column(page, c);
    page->word[page->n++] = c;
    return ok;
}

static bool write_page(void *user, const char *text, size_t n)
{
    struct xds_page *page = user;
    bool ok = true;

    for (size_t i = 0; i < n && ok; i++) {
        if (text[i] == '\n') {
            ok = end_line(page);
        } else if (text[i] == ' ') {
            ok = end_word(page);
            page->blanks++;
        } else {
            ok = add_byte(page, text[i]);
        }
    }
    return ok;
}

void xds_page_init(struct xds_page *page, const struct xds_printer *to)
{
    const bool is_narrow = to->columns > 0 && to->columns < XDS_PAGE_COLUMNS;

    *page = (struct xds_page){.printer = *to,
                              .to = to,
                              .columns = is_narrow ? to->columns : XDS_PAGE_COLUMNS,
                              .flush = XDS_PAGE_TEXT};
    page->printer.write = write_page;
    page->printer.user = page;
}

struct xds_fold {
    struct xds_printer to;
    struct xds_page page;
};

enum { FLUSH = 4, HANG = 2 };

struct xds_fold *xds_fold_new(const struct xds_printer *to)
{
    struct xds_fold *fold = malloc(sizeof *fold);

    if (!fold)
        return NULL;
    fold->to = *to;
    xds_page_init(&fold->page, &fold->to);
    fold->page.columns = to->columns > 0 ? to->columns : SIZE_MAX;
    fold->page.flush = FLUSH;
    fold->page.hang = HANG;
    fold->page.keeps_commands = true;
    return fold;
}

struct xds_printer xds_fold_printer(struct xds_fold *fold)
{
    return fold->page.printer;
}

enum xds_status xds_fold_free(struct xds_fold *fold)
{
    const bool ok = !fold || end_word(&fold->page);

    free(fold);
    return ok ? XDS_OK : XDS_ERR_IO;
}
