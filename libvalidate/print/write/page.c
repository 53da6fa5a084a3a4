/* page.c - text for people in lines of at most 100 columns. */
#include "print/write/document.h"

#include "base/ascii.h"

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
    const bool fits = page->column + page->blanks + page->width <= XDS_PAGE_COLUMNS;

    if (!page->begun) {
        /* The first word of a line says where the rest of it goes. */
        page->begun = true;
        page->indent = page->blanks ? page->blanks : XDS_PAGE_TEXT;
        if (page->blanks && is_number(page))
            page->indent += page->n + 1;
    } else if (!fits && page->blanks > 0 && !break_line(page))
        return false;
    const bool ok = put_blanks(page, page->blanks) && put(page, page->word, page->n);

    page->column += page->blanks + page->width;
    page->blanks = page->width = page->n = 0;
    return ok;
}

static bool end_line(struct xds_page *page)
{
    const bool ok = end_word(page) && put(page, "\n", 1);

    page->column = page->blanks = 0;
    page->begun = false;
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
    *page = (struct xds_page){.printer = *to, .to = to};
    page->printer.write = write_page;
    page->printer.user = page;
}
