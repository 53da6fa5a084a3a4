/* spec.c - what is known of gRPC's clients, as rows with ids. */
#include "catalogue/spec.h"

#include "base/text.h"
#include "catalogue/packed.h"

struct texts {
#define XDS_SPEC_ENTRY(kind, id, title, text)                                            \
    XDS_PACKED_TEXT(i, id) XDS_PACKED_TEXT(t, title) XDS_PACKED_TEXT(x, text)
#include "spec_rows.inc"
#undef XDS_SPEC_ENTRY
};

static const struct texts texts = {
#define XDS_SPEC_ENTRY(kind, id, title, text) id, title, text,
#include "spec_rows.inc"
#undef XDS_SPEC_ENTRY
};

struct xds_spec {
    enum xds_spec_kind kind;
    uint32_t id, title, text; /* where in the texts */
};

static const struct xds_spec entries[] = {
#define XDS_SPEC_ENTRY(kind, id, title, text)                                            \
    {kind, XDS_PACKED_AT(struct texts, i), XDS_PACKED_AT(struct texts, t),               \
     XDS_PACKED_AT(struct texts, x)},
#include "spec_rows.inc"
#undef XDS_SPEC_ENTRY
};

enum xds_spec_kind xds_spec_kind(const struct xds_spec *spec)
{
    return spec->kind;
}

static const char *text_at(uint32_t at)
{
    return (const char *)&texts + at;
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
