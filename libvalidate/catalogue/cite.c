/* cite.c - what the source of a rule or of a reading cites, one after the other. */
#include "catalogue/cite.h"

#include <stdio.h>

#include "base/ascii.h"

struct xds_citations xds_citations_of(const char *source)
{
    return (struct xds_citations){.rest = xds_slice_of(source)};
}

static bool drop_front(struct xds_slice *text, const char *word)
{
    const struct xds_slice front = xds_slice_of(word);

    if (!xds_slice_starts(*text, front))
        return false;
    *text = xds_slice_from(*text, front.len);
    return true;
}

static unsigned take_number(struct xds_slice *text)
{
    unsigned number = 0;

    while (text->len > 0 && xds_ascii_digit(text->data[0]) && number < 100000) {
        number = number * 10 + (unsigned)(text->data[0] - '0');
        *text = xds_slice_from(*text, 1);
    }
    return number;
}

/* "A27", "A92 draft", "draft A92"; 0 for other words. */
static unsigned grfc_number(struct xds_slice item)
{
    (void)drop_front(&item, "draft ");
    return drop_front(&item, "A") ? take_number(&item) : 0;
}

static void drop_document(struct xds_citations *of, struct xds_slice *item)
{
    static const char *const documents[] = {"listener ", "cluster ", "routing "};

    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++)
        if (drop_front(item, documents[i]))
            of->document = xds_slice_of(documents[i]);
}

static bool give_row(struct xds_citations *of, struct xds_citation *out)
{
    (void)snprintf(out->spec, sizeof out->spec, "%.*s%.*s/%u", XDS_FMT(of->document),
                   XDS_FMT(of->section), of->row++);
    return true;
}

/* "1.4", "1.4/5" or "1.7/8-17" of the document. */
static bool read_section(struct xds_citations *of, struct xds_slice item,
                         struct xds_citation *out)
{
    if (!of->document.data)
        of->document = XDS_S("listener ");
    item = xds_slice_cut(item, '/', &of->section);
    if (!item.data) {
        (void)snprintf(out->spec, sizeof out->spec, "%.*s%.*s", XDS_FMT(of->document),
                       XDS_FMT(of->section));
        return true;
    }
    of->row = of->last = take_number(&item);
    if (drop_front(&item, "-"))
        of->last = take_number(&item);
    return give_row(of, out);
}

static bool read_item(struct xds_citations *of, struct xds_slice item,
                      struct xds_citation *out)
{
    if (drop_front(&item, "gRFC "))
        of->in_spec = false;
    if (drop_front(&item, "spec ")) {
        of->in_spec = true;
        of->document = (struct xds_slice){NULL, 0};
    }
    if (!of->in_spec)
        return (out->grfc = grfc_number(item)) != 0;
    drop_document(of, &item);
    if (item.len > 0 && xds_ascii_digit(*xds_slice_text(item)))
        return read_section(of, item, out);
    (void)snprintf(out->spec, sizeof out->spec, "%.*s", XDS_FMT(item));
    return item.len > 0;
}

bool xds_citations_next(struct xds_citations *of, struct xds_citation *out)
{
    struct xds_slice item;

    *out = (struct xds_citation){0};
    if (of->row <= of->last && of->last > 0)
        return give_row(of, out);
    while (of->rest.data) {
        of->rest = xds_slice_cut(of->rest, ',', &item);
        if (read_item(of, xds_slice_trim(item), out))
            return true;
    }
    return false;
}

/* "cluster 1.4" is of "cluster 1.4/5". */
static bool is_of(const char *section, const char *row)
{
    const size_t len = strlen(section);

    return strncmp(section, row, len) == 0 && (row[len] == '\0' || row[len] == '/');
}

bool xds_citations_meet(const char *a, const char *b)
{
    struct xds_citations all_of_a = xds_citations_of(a);
    struct xds_citation one, other;

    while (xds_citations_next(&all_of_a, &one)) {
        struct xds_citations all_of_b = xds_citations_of(b);

        while (one.grfc == 0 && xds_citations_next(&all_of_b, &other))
            if (other.grfc == 0 &&
                (is_of(one.spec, other.spec) || is_of(other.spec, one.spec)))
                return true;
    }
    return false;
}
