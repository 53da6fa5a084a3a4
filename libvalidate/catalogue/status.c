/*
 * status.c - why RPCs fail: the rows, and a status text back to its row.
 *
 * Source: the sources of the packages; cli/dev/clients/status names releases and files.
 */
#include "catalogue/status.h"

#include "base/ascii.h"
#include "base/text.h"
#include "catalogue/log.h"
#include "catalogue/packed.h"

static const struct xds_rpc_failure failures[] = {
#define XDS_STATUS(id, slug, names, text, causes, show, rules, fields)                   \
    {#id, slug, text, causes, show, rules, fields, XDS_NAMED_##names},
#include "catalogue/status.def"
#undef XDS_STATUS
};

/* Control planes, proxies, and programs that read xDS by rules of their own. */
enum { NO_CLIENT = XDS_CLIENTS };

/* Few commands look at the texts: no pointers, which the start of each would relocate. */
static const struct texts {
#define XDS_STATUS_SPEAKER(name) char IN(speaker)[sizeof(name)];
#define XDS_STATUS_TEXT(id, code, a, b, c, d, how, text) XDS_PACKED_TEXT(IN(t), text)
#define XDS_STATUS_OTHER(id, speaker, text)                                              \
    XDS_PACKED_TEXT(IN(s), speaker) XDS_PACKED_TEXT(IN(t), text)
#define XDS_STATUS_LINE(id, client, text) XDS_PACKED_TEXT(IN(t), text)
#define XDS_STATUS_FAULT(client, a, b, c, d, text) XDS_PACKED_TEXT(IN(t), text)
#include "catalogue/status_rows.def"
} texts = {
#define XDS_STATUS_SPEAKER(name) name,
#define XDS_STATUS_TEXT(id, code, a, b, c, d, how, text) text,
#define XDS_STATUS_OTHER(id, speaker, text) speaker, text,
#define XDS_STATUS_LINE(id, client, text) text,
#define XDS_STATUS_FAULT(client, a, b, c, d, text) text,
#include "catalogue/status_rows.def"
};

struct words {
    enum xds_failure failure;
    unsigned client;        /* or NO_CLIENT */
    uint32_t speaker, text; /* where they are in texts; an empty speaker: the client */
    struct xds_release since, before;
    bool is_line; /* of a log, never a status */
};

#define SPEAKER (uint32_t) offsetof(struct texts, IN(speaker))
#define AT(letter) XDS_PACKED_AT(struct texts, IN(letter))
#define WORDED(id, by, who)                                                              \
    .failure = XDS_FAILURE_##id, .client = (by), .speaker = (who), .text = AT(t)
#define FROM_TO(a, b, c, d) .since = {(a), (b), 0}, .before = {(c), (d), 0}

static const struct words table[] = {
#define XDS_STATUS_TEXT(id, code, a, b, c, d, how, text)                                 \
    {WORDED(id, WHO, SPEAKER), FROM_TO(a, b, c, d)},
#define XDS_STATUS_OTHER(id, speaker, text) {WORDED(id, WHO, AT(s))},
#define XDS_STATUS_LINE(id, client, text)                                                \
    {WORDED(id, XDS_CLIENT_##client, SPEAKER), .is_line = true},
#define XDS_STATUS_FAULT(client, a, b, c, d, text)                                       \
    {WORDED(CLIENT_FAULT, XDS_CLIENT_##client, SPEAKER), FROM_TO(a, b, c, d),            \
     .is_line = true},
#include "catalogue/status_rows.def"
};

static const char *text_at(uint32_t at)
{
    return (const char *)&texts + at;
}

static const char *text_of(const struct words *words)
{
    return text_at(words->text);
}

const struct xds_rpc_failure *xds_failure_row(enum xds_failure failure)
{
    return failure < XDS_FAILURES ? &failures[failure] : NULL;
}

const struct xds_rpc_failure *xds_rpc_failure_find(struct xds_slice name,
                                                   const char **hint)
{
    struct xds_nearest nearest = xds_nearest_to(name);

    for (size_t i = 0; i < XDS_FAILURES; i++) {
        if (xds_slice_is(name, failures[i].slug) || xds_slice_is(name, failures[i].id))
            return &failures[i];
        xds_nearest_offer(&nearest, failures[i].slug);
    }
    *hint = nearest.best;
    return NULL;
}

/* Texts that a search looks at: its own, and those of clients. */
enum { MOST_TEXTS = 64 };

static bool has(enum xds_failure failure, struct xds_words wanted)
{
    const struct xds_rpc_failure *row = &failures[failure];
    const char *said[MOST_TEXTS] = {row->slug, row->text, row->causes};
    size_t n = 3;

    for (size_t i = 0; i < XDS_ARRAY_LEN(table) && n < MOST_TEXTS; i++)
        if (table[i].failure == failure)
            said[n++] = text_of(&table[i]);
    return xds_texts_have(said, n, wanted);
}

const struct xds_rpc_failure *xds_rpc_failure_next(const struct xds_rpc_failure *last,
                                                   struct xds_words wanted)
{
    for (size_t i = last ? (size_t)(last - failures) + 1 : 0; i < XDS_FAILURES; i++)
        if (has((enum xds_failure)i, wanted))
            return &failures[i];
    return NULL;
}

/* ---- the words of a client ---- */

static bool is_worded_by(const struct words *words, struct xds_client_release who)
{
    if (words->client != (unsigned)who.client || words->is_line ||
        (words->since.major > 0 && xds_release_is_before(who.release, words->since)))
        return false;
    return words->before.major == 0 || xds_release_is_before(who.release, words->before);
}

/* The text with value in the place of a hole, if it has that. */
static struct xds_slice fill(struct xds_arena *arena, struct xds_slice text,
                             const char *hole, struct xds_slice value)
{
    const size_t at = xds_slice_search(text, xds_slice_of(hole));

    if (at > text.len)
        return text;
    return xds_arena_printf(arena, "%.*s%.*s%.*s", (int)at, text.data, XDS_FMT(value),
                            XDS_FMT(xds_slice_from(text, at + strlen(hole))));
}

struct xds_slice xds_status_words(struct xds_arena *arena, enum xds_failure failure,
                                  struct xds_client_release who, struct xds_slice name,
                                  struct xds_slice any)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(table); i++) {
        const char *text = text_of(&table[i]);

        if (table[i].failure == failure && is_worded_by(&table[i], who) &&
            (any.data || !strchr(text, '*')))
            return fill(arena, fill(arena, xds_slice_of(text), "*", any), "{1}", name);
    }
    return (struct xds_slice){NULL, 0};
}

static struct xds_status_wording wording_of(const struct words *words)
{
    const char *speaker = text_at(words->speaker);

    return (struct xds_status_wording){
        .who =
            *speaker != '\0' ? speaker : xds_client_name((enum xds_client)words->client),
        .since = words->since,
        .before = words->before,
        .text = text_of(words)};
}

bool xds_status_wording_of(const struct xds_rpc_failure *failure, size_t *i,
                           struct xds_status_wording *out)
{
    while (*i < XDS_ARRAY_LEN(table)) {
        const struct words *words = &table[(*i)++];

        if (&failures[words->failure] != failure)
            continue;
        *out = wording_of(words);
        return true;
    }
    return false;
}

/* ---- a text in a line ---- */

enum hole { NO_HOLE, ANY, NAME };

static enum hole take_hole(const char **pattern)
{
    const enum hole hole = **pattern == '*'                   ? ANY
                           : strncmp(*pattern, "{1}", 3) == 0 ? NAME
                                                              : NO_HOLE;

    *pattern += hole == NAME ? 3 : hole == ANY ? 1 : 0;
    return hole;
}

/* Up to the next hole; *pattern moves to the hole or to the end. */
static struct xds_slice take_piece(const char **pattern)
{
    const char *from = *pattern;

    while (**pattern != '\0' && **pattern != '*' && strncmp(*pattern, "{1}", 3) != 0)
        ++*pattern;
    return xds_slice_make(from, (size_t)(*pattern - from));
}

static bool is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c);
}

/* A name has no blank, and what ends a sentence or a list after it is not part of it. */
static size_t name_len(struct xds_slice s)
{
    size_t len = 0;

    while (s.data && len < s.len && !is_one_of(s.data[len], " \t\r\",;()[]{}"))
        len++;
    while (len > 0 && (s.data[len - 1] == ':' || s.data[len - 1] == '.'))
        len--;
    return len;
}

static bool is_name(struct xds_slice s)
{
    return s.len > 0 && xds_slice_find(s, ' ') == s.len &&
           xds_slice_find(s, '"') == s.len;
}

#define LONGEST_NAME 1024 /* nothing further away ends a name */
#define MOST_TRIES 64     /* places of a line that may begin one text */
#define MOST_IN_HOLES 16  /* characters of a pattern that are holes */

/* Where the piece after a hole is; after the end of s when it is nowhere. */
static size_t hole_len(enum hole hole, struct xds_slice s, struct xds_slice piece)
{
    const struct xds_slice near = xds_slice_clip(s, LONGEST_NAME + piece.len);
    const size_t len = xds_slice_search(hole == NAME ? near : s, piece);

    return hole == NAME && len > near.len ? s.len + 1 : len;
}

/* The rest of a pattern, from a hole on, in s; *end is where it ends. */
static bool match_rest(const char *pattern, struct xds_slice s, struct xds_slice *name,
                       const char **end)
{
    while (*pattern != '\0') {
        const enum hole hole = take_hole(&pattern);
        const struct xds_slice piece = take_piece(&pattern);
        const size_t len = piece.len > 0 ? hole_len(hole, s, piece) : name_len(s);

        if (hole == ANY && piece.len == 0)
            break;
        if (len > s.len || (hole == NAME && !is_name(xds_slice_make(s.data, len))))
            return false;
        if (hole == NAME)
            *name = xds_slice_make(s.data, len);
        s = xds_slice_from(s, len + piece.len);
    }
    *end = s.data;
    return true;
}

/* Is the character before or after a match one that continues its word? */
static bool is_cut(struct xds_slice line, struct xds_slice match)
{
    const char *from = match.data, *end = match.data + match.len;

    return match.len > 0 &&
           ((from > line.data && xds_ascii_word(from[-1]) && xds_ascii_word(*from)) ||
            (end < line.data + line.len && xds_ascii_word(*end) &&
             xds_ascii_word(end[-1])));
}

static bool find_text(const char *pattern, struct xds_slice line,
                      struct xds_status_hit *out)
{
    if (strlen(pattern) > line.len + MOST_IN_HOLES)
        return false;

    const char *rest = pattern;
    const enum hole first = take_hole(&rest);
    const struct xds_slice piece = take_piece(&rest);
    struct xds_slice s = line;
    size_t at, tries = 0;

    for (; tries++ < MOST_TRIES && (at = xds_slice_search(s, piece)) <= s.len;
         s = xds_slice_from(s, at + 1)) {
        const char *from = s.data + at, *end;

        out->name = (struct xds_slice){NULL, 0};
        if (!match_rest(rest, xds_slice_from(s, at + piece.len), &out->name, &end))
            continue;
        while (first != NO_HOLE && from > line.data && !is_one_of(from[-1], " \t\"(["))
            from--;
        if (first == NAME)
            out->name = xds_slice_make(from, (size_t)(s.data + at - from));
        out->message = xds_slice_make(from, (size_t)(end - from));
        if (!is_cut(line, out->message) && (first != NAME || out->name.len > 0))
            return true;
    }
    return false;
}

static bool overlap(struct xds_slice a, struct xds_slice b)
{
    return a.data < b.data + b.len && b.data < a.data + a.len;
}

/* The clearest stay, in order of weight. A text that is part of a clearer one is that. */
static size_t add_hit(struct xds_status_hit *hits, size_t n, struct xds_status_hit hit)
{
    size_t i = 0;

    for (; i < n; i++) {
        if (!overlap(hits[i].message, hit.message))
            continue;
        if (hits[i].failure == hit.failure && hits[i].weight == hit.weight)
            hits[i].clients |= hit.clients;
        if (hits[i].weight > hit.weight ||
            (hits[i].weight == hit.weight && hits[i].is_line >= hit.is_line))
            return n;
        for (size_t k = i--; k + 1 < n; k++)
            hits[k] = hits[k + 1];
        n--;
    }
    if (n == XDS_STATUS_HITS)
        return n;
    for (i = n; i > 0 && hits[i - 1].weight < hit.weight; i--)
        hits[i] = hits[i - 1];
    hits[i] = hit;
    return n + 1;
}

size_t xds_status_hits(struct xds_slice line, struct xds_status_hit hits[XDS_STATUS_HITS])
{
    size_t n = 0;

    for (size_t i = 0; i < XDS_ARRAY_LEN(table); i++) {
        const struct words *words = &table[i];
        struct xds_status_hit hit = {
            .failure = words->failure,
            .text = text_of(words),
            .clients = words->client == NO_CLIENT ? 0 : 1u << words->client};

        if (!find_text(text_of(words), line, &hit))
            continue;
        hit.weight = xds_glob_weight(text_of(words));
        hit.is_line = words->is_line;
        n = add_hit(hits, n, hit);
    }
    return n;
}

static bool is_of(const struct words *words, const struct xds_log_status *status)
{
    return words->client == NO_CLIENT ? status->clients == 0
                                      : status->clients == 1u << words->client;
}

struct xds_status_wording xds_status_wording_in(const struct xds_log_status *status)
{
    struct xds_status_wording best = {.who = status->clients ? NULL : "control planes"};
    size_t weight = 0;

    for (size_t i = 0; i < XDS_ARRAY_LEN(table); i++) {
        struct xds_status_hit hit;

        if (&failures[table[i].failure] != status->failure || !is_of(&table[i], status) ||
            xds_glob_weight(text_of(&table[i])) <= weight ||
            !find_text(text_of(&table[i]), status->message, &hit))
            continue;
        weight = xds_glob_weight(text_of(&table[i]));
        best = wording_of(&table[i]);
    }
    return best;
}
