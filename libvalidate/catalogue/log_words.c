/*
 * log_words.c - how clients word the faults that the rules name; C-core's field lists
 * taken apart.
 *
 * Source: the error columns of spec listener 1 to 9 and spec cluster 0.4 to 2.3; the
 * texts of grpc-go, grpc-java and grpc-node.
 */
#include "catalogue/log.h"
#include "catalogue/packed.h"

#include "base/ascii.h"

size_t xds_glob_hole(const char *pattern)
{
    if (*pattern == '*')
        return 1;
    if (strncmp(pattern, "{field}", 7) == 0)
        return 7;
    return *pattern == '{' && pattern[1] >= '1' && pattern[1] <= '4' && pattern[2] == '}'
               ? 3
               : 0;
}

/* The piece up to the next hole; *pattern moves to the hole or to the end. */
static struct xds_slice next_piece(const char **pattern)
{
    const char *from = *pattern;

    while (**pattern != '\0' && xds_glob_hole(*pattern) == 0)
        ++*pattern;
    return xds_slice_make(from, (size_t)(*pattern - from));
}

/* Does the text end with the piece but for its space, and nothing of the pattern follows?
 * Lines are trimmed. *piece is then without it. */
static bool has_lost_space(struct xds_slice text, struct xds_slice *piece,
                           const char *pattern)
{
    const size_t hole = xds_glob_hole(pattern);

    if (hole == 0 || pattern[hole] != '\0' || !xds_slice_ends(*piece, XDS_S(" ")))
        return false;
    piece->len--;
    return xds_slice_ends(text, *piece);
}

/* Where the piece begins in the text, or more than its length; pattern: after the piece.
 */
static size_t find_piece(struct xds_slice text, struct xds_slice *piece,
                         const char *pattern)
{
    const size_t at = xds_slice_search(text, *piece);

    return at > text.len && has_lost_space(text, piece, pattern) ? text.len - piece->len
                                                                 : at;
}

/* The pieces after a hole, each as far left as it can be. rest is what is left of the
 * text; anchored: the last piece must end it. */
static bool match_rest(const char *pattern, struct xds_slice *rest, bool anchored)
{
    while (*pattern != '\0') {
        pattern += xds_glob_hole(pattern);
        struct xds_slice piece = next_piece(&pattern);

        if (*pattern == '\0' && anchored)
            return xds_slice_ends(*rest, piece);
        const size_t at = find_piece(*rest, &piece, pattern);
        if (at > rest->len)
            return false;
        *rest = xds_slice_from(*rest, at + piece.len);
    }
    return !anchored || rest->len == 0;
}

bool xds_glob_matches(const char *pattern, struct xds_slice text)
{
    struct xds_slice piece = next_piece(&pattern);

    if (!xds_slice_starts(text, piece) &&
        !(has_lost_space(text, &piece, pattern) && text.len == piece.len))
        return false;
    text = xds_slice_from(text, piece.len);
    return match_rest(pattern, &text, true);
}

bool xds_glob_search(const char *pattern, struct xds_slice text, struct xds_slice *out)
{
    struct xds_slice piece = next_piece(&pattern);
    const size_t at = find_piece(text, &piece, pattern);

    if (at > text.len)
        return false;
    struct xds_slice rest = xds_slice_from(text, at + piece.len);
    if (!match_rest(pattern, &rest, false))
        return false;
    *out = xds_slice_make(text.data + at, (size_t)(rest.data - (text.data + at)));
    return true;
}

size_t xds_glob_weight(const char *pattern)
{
    size_t weight = 0;

    for (; *pattern != '\0'; pattern += xds_glob_hole(pattern))
        weight += next_piece(&pattern).len;
    return weight;
}

/* ---- paths ---- */

/* Where the subscript that begins s ends: at the bracket after which the path continues,
 * since a map key may hold brackets itself. */
static size_t subscript_len(struct xds_slice s)
{
    for (size_t i = 1; i < s.len; i++)
        if (s.data[i] == ']' &&
            (i + 1 == s.len || s.data[i + 1] == '.' || s.data[i + 1] == '['))
            return i + 1;
    return s.len;
}

/* The first step of *rest, which moves after it and after its dot. */
static struct xds_log_step take_step(struct xds_slice *rest)
{
    struct xds_log_step step = {.name = *rest};
    size_t len = 0;

    while (len < rest->len && rest->data[len] != '.' && rest->data[len] != '[')
        len++;
    step.name.len = len;
    *rest = xds_slice_from(*rest, len);
    if (rest->len > 0 && rest->data[0] == '[') {
        const size_t n = subscript_len(*rest);

        step.subscript = true;
        if (xds_slice_is(step.name, "value") && n > 2) {
            const struct xds_slice type = xds_slice_make(rest->data + 1, n - 2);
            size_t from = type.len;

            while (from > 0 && type.data[from - 1] != '.' && type.data[from - 1] != '/')
                from--;
            step.type = xds_slice_from(type, from);
        }
        *rest = xds_slice_from(*rest, n);
    }
    if (rest->len > 0 && rest->data[0] == '.')
        *rest = xds_slice_from(*rest, 1);
    return step;
}

void xds_log_path_read(struct xds_log_path *out, const char *root, struct xds_slice text)
{
    out->n = 0;
    if (*root != '\0')
        out->step[out->n++] = (struct xds_log_step){.name = xds_slice_of(root)};
    while (text.len > 0 && out->n < XDS_LOG_STEPS) {
        /* "value[TypedStruct].value[T]" is where T came as JSON: the same place as
         * "value[T]". */
        const struct xds_log_step step = take_step(&text);

        if (step.type.data && out->n > 0 &&
            xds_slice_is(out->step[out->n - 1].type, "TypedStruct"))
            out->n--;
        out->step[out->n++] = step;
    }
    if (text.len > 0)
        out->n = 0;
}

bool xds_log_path_ends(const struct xds_log_path *path, const char *pattern)
{
    struct xds_log_path wanted;

    xds_log_path_read(&wanted, "", xds_slice_of(pattern));
    for (size_t i = 1; i <= wanted.n && i <= path->n; i++) {
        const struct xds_log_step *step = &path->step[path->n - i];
        const struct xds_log_step *like = &wanted.step[wanted.n - i];

        if (!xds_slice_eq(step->name, like->name) || step->subscript != like->subscript ||
            !(xds_slice_is(like->type, "*") || xds_slice_eq(step->type, like->type)))
            return false;
    }
    return wanted.n == 0 || path->n > 0;
}

static bool at_text(struct xds_slice s, size_t i, struct xds_slice text)
{
    return xds_slice_starts(xds_slice_from(s, i), text);
}

/* ---- where a message ends ---- */

/* Inside a message. */
struct scan {
    struct xds_slice text;
    size_t at;
    size_t depth; /* of brackets */
    size_t list;  /* depth of the field list that the message holds, 0 for none */
};

/* Behind a quoted text. A quote without its other half is a character like others. */
static void skip_quoted(struct scan *scan)
{
    struct xds_slice quoted = xds_slice_from(scan->text, scan->at + 1);
    const size_t len = xds_slice_find(quoted, '"');

    if (len == quoted.len)
        return;
    quoted.len = len;
    if (xds_slice_search(quoted, XDS_S("; field:")) > len)
        scan->at += len + 1;
}

/* False at the bracket that ends the list around the message. One that no bracket opened
 * may be part of a text, such as that of a regex: something else follows it then. */
static bool close_bracket(struct scan *scan)
{
    const struct xds_slice behind = xds_slice_from(scan->text, scan->at + 1);

    if (scan->depth == 0)
        return behind.len > 0 &&
               xds_slice_find(XDS_S("]; ,)\"'\\}"), behind.data[0]) == 9;
    if (scan->list == scan->depth)
        scan->list = 0;
    scan->depth--;
    return true;
}

/* A semicolon parts messages, unless it is in a field list of this one. */
static bool parts_messages(const struct scan *scan, bool many)
{
    if (scan->list > 0 || !at_text(scan->text, scan->at, XDS_S("; ")))
        return false;
    return (many && scan->depth == 0) || at_text(scan->text, scan->at, XDS_S("; field:"));
}

static size_t message_len(struct xds_slice text, bool many)
{
    struct scan scan = {.text = text};

    for (; scan.at < text.len; scan.at++) {
        const char c = text.data[scan.at];

        if (c == '"')
            skip_quoted(&scan);
        else if (c == '[') {
            scan.depth++;
            if (scan.list == 0 && at_text(scan.text, scan.at, XDS_S("[field:")))
                scan.list = scan.depth;
        } else if (c == ']' && !close_bracket(&scan))
            break;
        else if (c == ';' && parts_messages(&scan, many))
            break;
    }
    return scan.at;
}

/* ---- the list ---- */

/* Where " error:" or " errors:[" begins; after the end when neither does. */
static size_t find_error(struct xds_slice s, bool *many)
{
    const struct xds_slice word = XDS_S(" error");
    size_t at = 0;

    for (;;) {
        at += xds_slice_search(xds_slice_from(s, at), word);
        if (at > s.len)
            return at;
        *many = at_text(s, at + word.len, XDS_S("s:["));
        if (*many || at_text(s, at + word.len, XDS_S(":")))
            return at;
        at += word.len;
    }
}

/* Behind the next "field:PATH error:" or "field:PATH errors:[". */
static bool next_field(struct xds_log_fields *fields)
{
    const size_t field = xds_slice_search(fields->rest, XDS_S("field:"));
    struct xds_slice rest = xds_slice_from(fields->rest, field + XDS_S("field:").len);
    const size_t len = find_error(rest, &fields->many);

    if (field > fields->rest.len || len > rest.len)
        return false;
    fields->path = xds_slice_make(rest.data, len);
    fields->rest = xds_slice_from(
        rest, len + (fields->many ? XDS_S(" errors:[").len : XDS_S(" error:").len));
    return true;
}

bool xds_log_fields_next(struct xds_log_fields *fields, struct xds_slice *path,
                         struct xds_slice *message)
{
    const bool more = fields->many && at_text(fields->rest, 0, XDS_S("; ")) &&
                      !at_text(fields->rest, 0, XDS_S("; field:"));

    if (more)
        fields->rest = xds_slice_from(fields->rest, 2);
    else if (!next_field(fields))
        return false;
    *path = fields->path;
    *message = xds_slice_make(fields->rest.data, message_len(fields->rest, fields->many));
    fields->rest = xds_slice_from(fields->rest, message->len);
    return true;
}

enum {
    CORE = XDS_CLIENT_BIT(XDS_CLIENT_CORE),
    GO = XDS_CLIENT_BIT(XDS_CLIENT_GO),
    JAVA = XDS_CLIENT_BIT(XDS_CLIENT_JAVA),
    NODE = XDS_CLIENT_BIT(XDS_CLIENT_NODE),
};

struct words {
    struct xds_log_wording wording;
    enum xds_rule_id rule; /* where row is empty */
    const char *row;
};

/* Few commands look at the texts: no pointers, which the start of each would relocate. */
static const struct texts {
#define XDS_LOG(id, clients, path, message)                                              \
    XDS_PACKED_TEXT(IN(r), "")                                                           \
    XDS_PACKED_TEXT(IN(p), path) XDS_PACKED_TEXT(IN(m), message)
#define XDS_LOG_ROW(row, clients, message)                                               \
    XDS_PACKED_TEXT(IN(r), row)                                                          \
    XDS_PACKED_TEXT(IN(p), "") XDS_PACKED_TEXT(IN(m), message)
#include "catalogue/log_rows.def"
} texts = {
#define XDS_LOG(id, clients, path, message) "", path, message,
#define XDS_LOG_ROW(row, clients, message) row, "", message,
#include "catalogue/log_rows.def"
};

#define AT(letter) XDS_PACKED_AT(struct texts, IN(letter))

static const struct row {
    unsigned clients;
    enum xds_rule_id rule;
    uint32_t row, path, message; /* where they are in texts */
} table[] = {
#define XDS_LOG(id, clients, path, message) {clients, XDS_R_##id, AT(r), AT(p), AT(m)},
#define XDS_LOG_ROW(row, clients, message) {clients, XDS_RULES, AT(r), AT(p), AT(m)},
#include "catalogue/log_rows.def"
};

/* What C-core says by the row of the rule itself counts too, unless it is too short to
 * tell without the field where it is said. */
enum { TABLE = XDS_ARRAY_LEN(table), ALL_WORDS = TABLE + XDS_RULES, TELLING = 20 };

/* Words i of the table, or of rule i - TABLE; false when that has none. */
static bool words_at(size_t i, struct words *out)
{
    if (i < TABLE) {
        const struct row *row = &table[i];
        const char *first = (const char *)&texts;

        *out = (struct words){
            {row->clients, first + row->path, first + row->message},
            row->rule,
            first + row->row,
        };
        return true;
    }
    const struct xds_rule *row = xds_rule_row((enum xds_rule_id)(i - TABLE));

    if (!row->core || xds_glob_weight(row->core) < (row->field ? 1 : TELLING))
        return false;
    *out = (struct words){{CORE, row->field ? row->field : "", row->core},
                          (enum xds_rule_id)(i - TABLE),
                          ""};
    return true;
}

/* ---- the rules of a wording ---- */

/* "gRFC A28, spec G42, G55" cites G42: as a word that ends its part. */
static bool cites(const char *source, const char *row)
{
    const size_t len = strlen(row);

    for (const char *at = strstr(source, row); at; at = strstr(at + 1, row))
        if ((at == source || at[-1] == ' ') && (at[len] == '\0' || at[len] == ','))
            return true;
    return false;
}

static bool rejects(const struct xds_rule *rule, unsigned clients)
{
    for (unsigned c = 0; c < XDS_CLIENTS; c++)
        if (clients & XDS_CLIENT_BIT(c) && xds_rule_verdict(rule, c) == XDS_NACK)
            return true;
    return false;
}

static bool words_are_of(const struct words *words, const struct xds_rule *rule)
{
    if (*words->row == '\0')
        return rule == xds_rule_row(words->rule);
    return cites(rule->source, words->row) && rejects(rule, words->wording.clients);
}

/* The weightiest stay, in order of weight; a rule is once. */
static void add_hit(struct xds_log_hits *hits, struct xds_log_hit hit)
{
    size_t i = 0;

    while (i < hits->n && hits->hit[i].rule != hit.rule)
        i++;
    if (i < hits->n && hits->hit[i].weight >= hit.weight) {
        hits->hit[i].clients |= hit.clients;
        return;
    }
    if (i == hits->n && hits->n < XDS_LOG_HITS)
        hits->n++;
    else if (i == hits->n && hits->hit[--i].weight >= hit.weight)
        return;
    for (; i > 0 && hits->hit[i - 1].weight < hit.weight; i--)
        hits->hit[i] = hits->hit[i - 1];
    hits->hit[i] = hit;
}

static void add_rules(struct xds_log_hits *hits, const struct words *words, size_t weight)
{
    struct xds_log_hit hit = {.clients = words->wording.clients, .weight = weight};

    if (*words->row == '\0') {
        hit.rule = xds_rule_row(words->rule);
        add_hit(hits, hit);
        return;
    }
    for (unsigned id = 0; id < XDS_RULES; id++) {
        hit.rule = xds_rule_row((enum xds_rule_id)id);
        if (words_are_of(words, hit.rule))
            add_hit(hits, hit);
    }
}

void xds_log_hits_of_field(const struct xds_log_path *path, struct xds_slice message,
                           unsigned clients, struct xds_log_hits *out)
{
    struct words words;
    const struct xds_log_wording *w = &words.wording;

    out->n = 0;
    for (size_t i = 0; i < ALL_WORDS; i++)
        if (words_at(i, &words) && w->clients & clients &&
            xds_glob_matches(w->message, message) && xds_log_path_ends(path, w->path))
            add_rules(out, &words, xds_glob_weight(w->message) + strlen(w->path));
}

/* ---- an error in a line of text ---- */

#define PARTS 16 /* of a line, between its colons, that may be a message */

struct match {
    struct xds_slice at; /* empty: none, or given out already */
    size_t weight;
};

struct xds_log_prose {
    struct xds_slice line;
    size_t n;
    struct words words[ALL_WORDS];
    struct match match[ALL_WORDS]; /* of words[i] */
};

/* Does what is before the place say that an error follows? node: "failed with error X".
 */
static bool is_after(struct xds_slice line, size_t i, struct xds_slice before)
{
    return i >= before.len &&
           memcmp(line.data + i - before.len, before.data, before.len) == 0;
}

/* The ends of the line that may be an error of their own, and the line itself. */
static size_t find_parts(struct xds_slice line, struct xds_slice parts[PARTS])
{
    size_t n = 0;

    for (size_t i = line.len; i-- > 2 && n < PARTS - 1;)
        if (is_after(line, i, XDS_S(": ")) || is_after(line, i, XDS_S(" with error ")))
            parts[n++] = xds_slice_from(line, i);
    parts[n++] = line;
    return n;
}

/* The messages of C-core and node are short and could be in many a text: one must end the
 * line. */
static bool is_part(const char *message, const struct xds_slice *parts, size_t n,
                    struct xds_slice *at)
{
    for (size_t i = n; i-- > 0;) {
        if (!xds_glob_matches(message, parts[i]))
            continue;
        *at = parts[i];
        return true;
    }
    return false;
}

struct xds_log_prose *xds_log_prose_new(struct xds_arena *arena)
{
    struct xds_log_prose *prose = XDS_NEW(arena, struct xds_log_prose);

    for (size_t i = 0; i < ALL_WORDS; i++) {
        if (!words_at(i, &prose->words[prose->n]))
            continue;
        prose->match[prose->n].weight =
            xds_glob_weight(prose->words[prose->n].wording.message);
        prose->n++;
    }
    return prose;
}

void xds_log_prose_read(struct xds_log_prose *prose, struct xds_slice line)
{
    struct xds_slice parts[PARTS];
    const size_t n = find_parts(line, parts);

    prose->line = line;
    for (size_t i = 0; i < prose->n; i++) {
        const struct xds_log_wording *w = &prose->words[i].wording;
        struct match *match = &prose->match[i];

        if (line.len + 1 < match->weight ||
            ((w->clients & (GO | JAVA)) == 0
                 ? !is_part(w->message, parts, n, &match->at)
                 : !xds_glob_search(w->message, line, &match->at)))
            match->at.len = 0;
    }
}

/* What a message names last, such as a whole resource, may continue to the end of the
 * line.
 */
static struct xds_slice with_tail(const struct xds_log_prose *prose,
                                  const struct match *match)
{
    const size_t from = (size_t)(match->at.data - prose->line.data);
    const char *words = prose->words[match - prose->match].wording.message;
    const char last = words[strlen(words) - 1];

    return last == '*' || last == '}' ? xds_slice_from(prose->line, from) : match->at;
}

bool xds_log_prose_next(struct xds_log_prose *prose, struct xds_slice *message,
                        struct xds_log_hits *out)
{
    struct match *best = NULL;

    for (size_t i = 0; i < prose->n; i++) {
        struct match *match = &prose->match[i];

        if (match->at.len > 0 && (!best || match->weight > best->weight))
            best = match;
    }

    out->n = 0;
    if (!best)
        return false;
    const struct xds_slice at = best->at;
    *message = with_tail(prose, best);
    for (size_t i = 0; i < prose->n; i++) {
        struct match *match = &prose->match[i];

        if (match->at.len == 0 || !(match->at.data < at.data + at.len &&
                                    at.data < match->at.data + match->at.len))
            continue;
        add_rules(out, &prose->words[i], match->weight);
        match->at.len = 0;
    }
    return true;
}

/* ---- the nearest rule ---- */

#define TELLING_HEAD 20 /* characters of a wording from which on it may be cut off */

/* Does a text have the beginning of a wording, and nothing else after it? */
static bool is_cut_off_in(const char *pattern, struct xds_slice text)
{
    struct xds_slice piece = next_piece(&pattern);
    const struct xds_slice head = xds_slice_clip(piece, TELLING_HEAD);
    size_t at = xds_slice_search(text, head);

    if (head.len < TELLING_HEAD || at > text.len)
        return false;
    text = xds_slice_from(text, at);
    if (!xds_slice_starts(text, piece))
        return xds_slice_starts(piece, text);
    while (*pattern != '\0') {
        text = xds_slice_from(text, piece.len);
        pattern += xds_glob_hole(pattern);
        piece = next_piece(&pattern);
        at = xds_slice_search(text, piece);
        if (at > text.len) /* cut off in the hole or in the piece */
            return true;
        text = xds_slice_from(text, at);
    }
    return true;
}

const struct xds_rule *xds_log_nearest(struct xds_slice message)
{
    const struct xds_rule *only = NULL;
    struct words words;

    for (size_t i = 0; i < ALL_WORDS; i++) {
        if (!words_at(i, &words) || *words.row != '\0' ||
            !is_cut_off_in(words.wording.message, message))
            continue;
        if (only && only != xds_rule_row(words.rule))
            return NULL;
        only = xds_rule_row(words.rule);
    }
    return only;
}

bool xds_log_wording_of(const struct xds_rule *rule, size_t *i,
                        struct xds_log_wording *out)
{
    struct words words;

    while (*i < ALL_WORDS) {
        if (!words_at((*i)++, &words) || !words_are_of(&words, rule))
            continue;
        *out = words.wording;
        return true;
    }
    return false;
}
