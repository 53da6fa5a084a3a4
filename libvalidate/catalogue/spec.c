/* spec.c - what rules cite: rows of the spec and gRFCs; and the examples of a rule. */
#define ZLIB_CONST /* what is read is const */
#include "catalogue/spec.h"

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "base/ascii.h"
#include "base/text.h"
#include "catalogue/texts.h"

/* ---- texts ---- */

static const unsigned char packed[] = {
#include "packed_texts.inc"
};

static struct xds_packed_texts unpacked;

/* What inflate() needs is known and small, so that unpacking cannot fail. */
static void *give_room(void *user, unsigned n, unsigned size)
{
    static _Alignas(max_align_t) unsigned char room[16 << 10];
    size_t *used = user;
    const size_t all = (size_t)n * size;

    if (all > sizeof room - *used)
        return NULL;
    void *given = room + *used;

    *used += (all + 63) / 64 * 64;
    return given;
}

static void take_room(void *user, void *room)
{
    (void)user;
    (void)room;
}

static void unpack(void)
{
    size_t used = 0;
    z_stream from = {
        .next_in = packed,
        .avail_in = sizeof packed,
        .next_out = (Bytef *)&unpacked,
        .avail_out = sizeof unpacked,
        .zalloc = give_room,
        .zfree = take_room,
        .opaque = &used,
    };

    if (inflateInit2(&from, 16 + MAX_WBITS) == Z_OK)
        (void)inflate(&from, Z_FINISH);
    (void)inflateEnd(&from);
}

/* Most runs print none of them. */
const struct xds_packed_texts *xds_packed_texts(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    (void)pthread_once(&once, unpack);
    return &unpacked;
}

/* ---- citations ---- */

struct xds_citations xds_citations_of(const char *source)
{
    return (struct xds_citations){.rest = xds_slice_of(source)};
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
    (void)xds_slice_take(&item, "draft ");
    return xds_slice_take(&item, "A") ? take_number(&item) : 0;
}

static bool give_row(struct xds_citations *of, struct xds_citation *out)
{
    (void)snprintf(out->spec, sizeof out->spec, "%.*s%.*s/%u", XDS_FMT(of->document),
                   XDS_FMT(of->section), of->row++);
    return true;
}

static bool read_item(struct xds_citations *of, struct xds_slice item,
                      struct xds_citation *out)
{
    if (xds_slice_take(&item, "gRFC "))
        of->in_spec = false;
    if (xds_slice_take(&item, "spec ")) {
        of->in_spec = true;
        of->document = (struct xds_slice){NULL, 0};
    }
    if (!of->in_spec)
        return (out->grfc = grfc_number(item)) != 0;

    static const char *const documents[] = {"listener ", "cluster ", "routing "};

    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++)
        if (xds_slice_take(&item, documents[i]))
            of->document = xds_slice_of(documents[i]);
    if (item.len > 0 && xds_ascii_digit(*xds_slice_text(item))) {
        /* "1.4", "1.4/5" or "1.7/8-17" of the document. */
        if (!of->document.data)
            of->document = XDS_S("listener ");
        item = xds_slice_cut(item, '/', &of->section);
        if (!item.data) {
            (void)snprintf(out->spec, sizeof out->spec, "%.*s%.*s", XDS_FMT(of->document),
                           XDS_FMT(of->section));
            return true;
        }
        of->row = of->last = take_number(&item);
        if (xds_slice_take(&item, "-"))
            of->last = take_number(&item);
        return give_row(of, out);
    }
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

#define URL(file)                                                                        \
    (sizeof(file) == 1 ? XDS_GRFC_REPOSITORY                                             \
                       : XDS_GRFC_REPOSITORY "/blob/master/" file ".md")

static const struct xds_grfc grfcs[] = {
#define XDS_GRFC(number, title, file) {number, "A" #number, title, URL(file)},
#include "catalogue/grfc.def"
#undef XDS_GRFC
};

const struct xds_grfc *xds_grfc_find(unsigned number)
{
    for (size_t i = 0; i < sizeof grfcs / sizeof *grfcs; i++)
        if (grfcs[i].number == number)
            return &grfcs[i];
    return NULL;
}

const struct xds_grfc *xds_grfc_next(const struct xds_grfc *grfc)
{
    grfc = grfc ? grfc + 1 : grfcs;
    return grfc < grfcs + XDS_ARRAY_LEN(grfcs) ? grfc : NULL;
}

const struct xds_grfc *xds_grfc_of(const char *source)
{
    struct xds_citations citations = xds_citations_of(source);
    struct xds_citation citation;

    while (xds_citations_next(&citations, &citation))
        if (citation.grfc > 0)
            return xds_grfc_find(citation.grfc);
    return NULL;
}

/* ---- examples ---- */

static const char *take(const char **rest)
{
    const char *text = *rest;

    *rest += strlen(text) + 1;
    return text;
}

static void take_example(const char **rest, struct xds_example *out)
{
    out->path = take(rest);
    out->input = take(rest);
}

bool xds_examples_of(const struct xds_rule *rule, struct xds_examples *out)
{
    const char *rest = (const char *)&xds_packed_texts()->examples;
    bool found = false;

    while (!found && *rest) {
        found = strcmp(take(&rest), rule->slug) == 0;
        take_example(&rest, &out->bad);
        take_example(&rest, &out->good);
    }
    return found;
}

/* ---- the spec ---- */

struct xds_spec {
    enum xds_spec_kind kind;
    uint32_t id, title, text; /* where in the texts */
};

static const struct xds_spec entries[] = {
#define XDS_SPEC_ENTRY(kind, id, title, text)                                            \
    {kind, XDS_PACKED_AT(struct xds_spec_texts, i),                                      \
     XDS_PACKED_AT(struct xds_spec_texts, t), XDS_PACKED_AT(struct xds_spec_texts, x)},
#include "spec_rows.inc"
#undef XDS_SPEC_ENTRY
};

enum xds_spec_kind xds_spec_kind(const struct xds_spec *spec)
{
    return spec->kind;
}

static const char *text_at(uint32_t at)
{
    return (const char *)&xds_packed_texts()->spec + at;
}

const char *xds_spec_id(const struct xds_spec *spec)
{
    return text_at(spec->id);
}

const char *xds_spec_title(const struct xds_spec *spec)
{
    return text_at(spec->title);
}

const char *xds_spec_text(const struct xds_spec *spec)
{
    return text_at(spec->text);
}

const struct xds_spec *xds_spec_next(const struct xds_spec *spec)
{
    spec = spec ? spec + 1 : entries;
    return spec < entries + XDS_ARRAY_LEN(entries) ? spec : NULL;
}

const struct xds_spec *xds_spec_in(const struct xds_spec *spec, enum xds_spec_kind kind)
{
    while (spec->kind != kind)
        spec--; /* the first entry is a page, and its sections follow */
    return spec;
}

/* What follows the document: "1.4/5" of "cluster 1.4/5". */
static struct xds_slice number_of(const char *id)
{
    const struct xds_slice all = xds_slice_of(id);

    return xds_slice_from(all, xds_slice_find(all, ' ') + 1);
}

static const struct xds_spec *find(struct xds_slice id)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(entries); i++)
        if (id.len > 0 && xds_slice_is(id, xds_spec_id(&entries[i])))
            return &entries[i];
    return NULL;
}

/* An id without its document means that document. */
static const char *nearest_to(struct xds_slice id)
{
    struct xds_nearest nearest = xds_nearest_to(id);

    for (size_t i = 0; i < XDS_ARRAY_LEN(entries); i++) {
        const char *entry = xds_spec_id(&entries[i]);

        if (*entry == '\0')
            continue;
        if (id.len > 0 && xds_slice_eq(id, number_of(entry)))
            return entry;
        xds_nearest_offer(&nearest, entry);
    }
    return nearest.best;
}

const struct xds_spec *xds_spec_find(struct xds_slice id, const char **hint)
{
    if (xds_slice_starts(id, XDS_S("spec ")))
        id = xds_slice_from(id, 5);
    const struct xds_spec *found = find(id);

    *hint = found ? NULL : nearest_to(id);
    return found;
}

bool xds_cited_next(struct xds_citations *of, struct xds_cited *out)
{
    struct xds_citation citation;

    while (xds_citations_next(of, &citation)) {
        *out = (struct xds_cited){.grfc = xds_grfc_find(citation.grfc)};
        if (citation.grfc == 0)
            out->spec = find(xds_slice_of(citation.spec));
        if (out->grfc || out->spec)
            return true;
    }
    return false;
}

/* "all", "core, go", "documents, others". */
static bool names_clients(struct xds_slice key)
{
    static const char *const words[] = {"all",  "documents", "core",  "go",
                                        "java", "node",      "others"};
    struct xds_slice word;

    (void)xds_slice_cut(key, ',', &word);
    for (size_t i = 0; i < XDS_ARRAY_LEN(words); i++)
        if (xds_slice_is(word, words[i]))
            return true;
    return false;
}

bool xds_spec_line_next(struct xds_slice *rest, struct xds_spec_line *out)
{
    struct xds_slice line;

    if (rest->len == 0)
        return false;
    *rest = xds_slice_cut(*rest, '\n', &line);
    out->value = xds_slice_trim(xds_slice_cut(line, ':', &out->key));
    out->is_verdict = names_clients(out->key);
    return true;
}

struct xds_slice xds_spec_value(const struct xds_spec *row, const char *key)
{
    struct xds_slice rest = xds_slice_of(xds_spec_text(row));
    struct xds_spec_line line;

    while (xds_spec_line_next(&rest, &line))
        if (xds_slice_is(line.key, key))
            return line.value;
    return (struct xds_slice){NULL, 0};
}

static bool has_word(struct xds_slice list, const char *word)
{
    struct xds_slice item;

    while (list.data) {
        list = xds_slice_cut(list, ',', &item);
        if (xds_slice_is(xds_slice_trim(item), word))
            return true;
    }
    return false;
}

struct xds_slice xds_spec_verdict(const struct xds_spec *row, const char *client)
{
    const bool is_client = strcmp(client, "documents") != 0;
    struct xds_slice rest = xds_slice_of(xds_spec_text(row)), others = {NULL, 0};
    struct xds_spec_line line;

    while (xds_spec_line_next(&rest, &line)) {
        if (line.is_verdict && has_word(line.key, client))
            return line.value;
        if (is_client && (has_word(line.key, "all") || has_word(line.key, "others")))
            others = line.value;
    }
    return others;
}
