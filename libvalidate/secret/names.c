/*
 * names.c - names of fields and headers whose values are secrets, and where a text may
 * have them.
 */
#include "secret/secret.h"

#include "base/ascii.h"

struct word {
    struct xds_slice text;
    bool is_leaf;
};

#define WORD(text)                                                                       \
    {                                                                                    \
        {"" text, sizeof(text) - 1}, false                                               \
    }
static const struct word ends[] = {
#define XDS_SECRET(name) WORD(name),
#include "secret/fields.def"
};
static const struct word wholes[] = {
#define XDS_SECRET_WHOLE(name) WORD(name),
#include "secret/fields.def"
};
static const struct word roots[] = {
#define XDS_SECRET_ROOT(text) WORD(text),
#define XDS_SECRET_MARK(text) WORD(text),
#include "secret/fields.def"
};
static const struct word marks[] = {
#define XDS_SECRET_MARK(text) WORD(text),
#include "secret/fields.def"
};
static const struct word shown[] = {
#define XDS_SECRET_SHOWN(name, is_leaf) {{"" name, sizeof(name) - 1}, (is_leaf)},
#include "secret/fields.def"
};
static const struct word namers[] = {
#define XDS_SECRET_NAMER(name) WORD(name),
#include "secret/fields.def"
};
static const struct word values[] = {
#define XDS_SECRET_VALUE(name) WORD(name),
#include "secret/fields.def"
};
#undef WORD

static bool parts_words(char c)
{
    return c == '_' || c == '-';
}

/* Compared from the end, where most names differ. left: what of the name is more. */
static bool ends_as(struct xds_slice name, struct xds_slice word, size_t *left)
{
    while (word.len > 0 && name.len > 0) {
        const char c = name.data[--name.len];

        if (!parts_words(c) && xds_ascii_lower(c) != word.data[--word.len])
            return false;
    }
    while (name.len > 0 && parts_words(name.data[name.len - 1]))
        name.len--;
    *left = name.len;
    return word.len == 0;
}

static const struct word *find_whole(const struct word *words, size_t n,
                                     struct xds_slice name)
{
    size_t left;

    for (size_t i = 0; i < n; i++)
        if (ends_as(name, words[i].text, &left) && left == 0)
            return &words[i];
    return NULL;
}

/* By the last letter of the names above: those that are in front of it. */
static const char *const lasts[26] = {
    ['a' - 'a'] = "t", ['d' - 'a'] = "rw", ['e' - 'a'] = "cms", ['g' - 'a'] = "n",
    ['l' - 'a'] = "a", ['n' - 'a'] = "eo", ['r' - 'a'] = "e",   ['s' - 'a'] = "delnry",
    ['t' - 'a'] = "e", ['y' - 'a'] = "e",
};

/* False of nearly all names. */
static bool may_end(char before, char last)
{
    const char small = xds_ascii_lower(last);

    if (parts_words(before) || parts_words(last) || last == '2')
        return true;
    return small >= 'a' && small <= 'z' && lasts[small - 'a'] &&
           strchr(lasts[small - 'a'], xds_ascii_lower(before));
}

bool xds_secret_name(struct xds_slice name)
{
    size_t left;

    if (name.len < 2 || !may_end(name.data[name.len - 2], name.data[name.len - 1]))
        return false;

    for (size_t i = 0; i < XDS_ARRAY_LEN(ends); i++)
        if (ends_as(name, ends[i].text, &left))
            return true;
    return find_whole(wholes, XDS_ARRAY_LEN(wholes), name) != NULL;
}

bool xds_secret_shows(struct xds_slice name, bool *is_leaf)
{
    const struct word *word = find_whole(shown, XDS_ARRAY_LEN(shown), name);

    *is_leaf = word && word->is_leaf;
    return word != NULL;
}

bool xds_secret_is_namer(struct xds_slice name)
{
    return find_whole(namers, XDS_ARRAY_LEN(namers), name) != NULL;
}

bool xds_secret_is_value(struct xds_slice name)
{
    return find_whole(values, XDS_ARRAY_LEN(values), name) != NULL;
}

bool xds_secret_has_credentials(struct xds_slice value)
{
    static const struct xds_slice schemes[] = {{"basic ", 6}, {"bearer ", 7}};

    for (size_t i = 0; i < XDS_ARRAY_LEN(schemes); i++)
        if (value.len > schemes[i].len &&
            xds_slice_eq_fold(xds_slice_make(value.data, schemes[i].len), schemes[i]))
            return true;
    return false;
}

struct xds_slice xds_header_shown(const struct xds_header *header)
{
    return xds_secret_name(header->name) || xds_secret_has_credentials(header->value)
               ? XDS_S(XDS_SECRET_HIDDEN)
               : header->value;
}

/* ---- where a text may have them ---- */

/* A text is looked at two bytes at a time, four bytes each time: those that a root begins
 * with, or its next ones. Letters are folded, and with them what differs in the same bit,
 * which costs a closer look at most. */

/* A search for an escape and one for a root take turns in pieces of so many bytes. */
#define PIECE ((size_t)1024)

static uint32_t four_bytes(const char *text)
{
    uint32_t word;

    memcpy(&word, text, sizeof word);
    return word | 0x20202020u;
}

static uint32_t hash_of(uint32_t word)
{
    return word * 2654435761u >> 19; /* 13 bits */
}

void xds_secret_search_init(struct xds_secret_search *search)
{
    memset(search, 0, sizeof *search);
    for (size_t i = XDS_ARRAY_LEN(roots); i > 0; i--)
        for (size_t k = 0; k < 2; k++)
            search->first[hash_of(four_bytes(roots[i - 1].text.data + k))] = (uint8_t)i;
}

static bool starts_with(struct xds_slice text, struct xds_slice root)
{
    return text.len >= root.len && xds_ascii_lower(*text.data) == *root.data &&
           xds_slice_eq_fold(xds_slice_make(text.data, root.len), root);
}

/* first: the first root that can be there, counted from 1. */
static bool begins_root(struct xds_slice text, unsigned first)
{
    for (size_t i = first - 1; i < XDS_ARRAY_LEN(roots); i++)
        if (starts_with(text, roots[i].text))
            return true;
    return false;
}

/* Letters of a name may be written as escapes: \u0070 of JSON and YAML, \x70 and
 * \U00000070 of YAML, where a line may also end in the middle of a name, \160 of text
 * protos. */
static bool begins_escape(struct xds_slice text)
{
    return (text.data && text.len > 1 && xds_ascii_digit(text.data[1])) ||
           xds_slice_starts(text, XDS_S("\\u00")) ||
           xds_slice_starts(text, XDS_S("\\x")) ||
           xds_slice_starts(text, XDS_S("\\U0000")) ||
           xds_slice_starts(text, XDS_S("\\\n")) || xds_slice_starts(text, XDS_S("\\\r"));
}

static size_t find_escape(struct xds_slice text, size_t at, size_t end)
{
    while (at < end) {
        at += xds_slice_find(xds_slice_make(text.data + at, end - at), '\\');
        if (at < end && begins_escape(xds_slice_from(text, at)))
            return at;
        at += 2; /* what is escaped may be a backslash, too */
    }
    return end;
}

/* The first root that can have these four bytes, counted from 1; or 0. */
static unsigned first_root(const struct xds_secret_search *search, const char *text)
{
    return search->first[hash_of(four_bytes(text))];
}

/* The first root that begins in front of `end`, or end. */
static size_t find_root(const struct xds_secret_search *search, struct xds_slice text,
                        size_t at, size_t end)
{
    enum { STEP = 8 }; /* bytes that are looked at together */
    const size_t last = text.len < sizeof(uint32_t) ? 0 : text.len - sizeof(uint32_t) + 1;
    const size_t stop = end + 1 < last ? end + 1 : last;

    for (size_t i = at; i < stop; i += 2) {
        const char *here = text.data + i;

        while (i + STEP <= stop &&
               !(first_root(search, here) | first_root(search, here + 2) |
                 first_root(search, here + 4) | first_root(search, here + 6))) {
            i += STEP;
            here += STEP;
        }
        const unsigned first = i < stop ? first_root(search, here) : 0;

        if (first == 0)
            continue;
        if (i > at && begins_root(xds_slice_from(text, i - 1), first))
            return i - 1;
        if (i < end && begins_root(xds_slice_from(text, i), first))
            return i;
    }
    return end;
}

size_t xds_secret_root(const struct xds_secret_search *search, struct xds_slice text,
                       size_t at)
{
    while (at < text.len) {
        const size_t end = text.len - at < PIECE ? text.len : at + PIECE;
        const size_t root = find_root(search, text, at, find_escape(text, at, end));

        if (root < end)
            return root;
        at = end;
    }
    return text.len;
}

/* ---- whether it is one ---- */

static bool is_name(char c)
{
    return xds_ascii_word(c) || c == '-';
}

/* A string may go on in the next one (text protos); a comment may be between them. */
static bool goes_on(struct xds_slice text, size_t at)
{
    if (text.data[at] != '"' && text.data[at] != '\'')
        return text.data[at] == '\\'; /* in an escape */
    do
        at++;
    while (at < text.len && strchr(" \t\r\n", text.data[at]));
    return at == text.len || strchr("\"'#", text.data[at]);
}

static bool begins_mark(struct xds_slice text)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(marks); i++)
        if (starts_with(text, marks[i].text))
            return true;
    return false;
}

size_t xds_secret_other(struct xds_slice text)
{
    size_t n = 0;

    if (text.data[0] == '\\' || begins_mark(text))
        return 0;
    while (n < text.len && is_name(text.data[n]))
        n++;
    const bool may_be = n == text.len ? n >= XDS_SECRET_OVERLAP : goes_on(text, n);

    return may_be || xds_secret_name(xds_slice_make(text.data, n)) ? 0 : n;
}
