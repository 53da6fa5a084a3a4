/*
 * from_log.c - turn lines of a client's log into errors, each with the rules after it.
 *
 * Fails:  XDS_ERR_USAGE for a text that is too long.
 * Source: spec listener 0.3, spec cluster 0.3: the forms in which clients report NACKs.
 *
 * Lines are cut into statements about one resource each: "resource index 2: NAME: ..."
 * (C-core, node), "resource \"NAME\": ..." (go), "... 'NAME' validation error: ..."
 * (java). C-core's field lists and grpc-node's lists are taken apart; what else a
 * statement says is compared with the wordings of all clients.
 */
#include "catalogue/log.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "catalogue/status.h"

struct xds_log_list xds_log_list_of(struct xds_slice line)
{
    const struct xds_slice head = XDS_S(" message validation failed: [");
    const size_t at = xds_slice_search(line, head);

    if (at > line.len)
        return (struct xds_log_list){.rest = line};
    return (struct xds_log_list){.rest = xds_slice_from(line, at + head.len),
                                 .open = true};
}

static bool opens(char c)
{
    return c == '[' || c == '{';
}

static bool closes(char c)
{
    return c == ']' || c == '}';
}

/* The character after s.data[i]; '\0' at the end. */
static char next_char(struct xds_slice s, size_t i)
{
    return i + 1 < s.len ? s.data[i + 1] : '\0';
}

/* A bracket that no bracket opened ends the list, unless it is of a text, such as that of
 * a domain: something else follows it then. */
static bool ends_list(struct xds_slice s, size_t i)
{
    const char next = next_char(s, i);

    return s.data[i] == ']' &&
           (next == '\0' || xds_slice_find(XDS_S("]; ,)\"'\\}"), next) < 9);
}

/* Where the error that begins s ends: at a comma, at the end of the list or of s. */
static size_t error_len(struct xds_slice s)
{
    size_t depth = 0, i = 0;

    for (; i < s.len; i++) {
        if (opens(s.data[i]))
            depth++;
        else if (depth > 0 && closes(s.data[i]))
            depth--;
        else if (depth == 0 &&
                 (ends_list(s, i) || (s.data[i] == ',' && next_char(s, i) != ' ')))
            break;
    }
    return i;
}

/* The length of a path that begins s and has ": " after it; 0 when there is none. */
static size_t path_len(struct xds_slice s)
{
    size_t depth = 0;

    for (size_t i = 0; i + 1 < s.len; i++) {
        const char c = s.data[i];

        if (opens(c))
            depth++;
        else if (depth > 0 && closes(c))
            depth--;
        else if (depth == 0 && c == ':')
            return s.data[i + 1] == ' ' ? i : 0;
        else if (depth == 0 && !xds_ascii_word(c) && c != '.')
            return 0;
    }
    return 0;
}

/* "filter_chains[]: filters[0].typed_config: x filter validation failed" has two paths,
 * each inside of the one before. */
static struct xds_slice all_paths(struct xds_slice error)
{
    size_t len = 0, from = 0, n;

    while ((n = path_len(xds_slice_from(error, from))) > 0) {
        len = from + n;
        from = len + 2;
    }
    return xds_slice_make(error.data, len);
}

bool xds_log_list_next(struct xds_log_list *list, struct xds_slice *path,
                       struct xds_slice *message)
{
    while (list->open) {
        const struct xds_slice error =
            xds_slice_make(list->rest.data, error_len(list->rest));

        list->rest = xds_slice_from(list->rest, error.len);
        list->open = list->rest.len > 0 && list->rest.data[0] == ',';
        list->rest = xds_slice_from(list->rest, 1);
        if (error.len == 0)
            continue;
        *path = all_paths(error);
        *message = path->len > 0 ? xds_slice_from(error, path->len + 2) : error;
        return true;
    }
    return false;
}

#define NEAREST_MAX 20 /* unknown errors for which a near rule is looked for */
#define SHORTEST 8     /* characters of a statement that could be an error */

/* What a statement is about. */
struct subject {
    const char *type;
    struct xds_slice name;
    bool known; /* the log says that what follows is an error of a resource */
};

/* Where the lines of a text are in a copy of it without quoting. */
struct copied_lines {
    const char **from;
    size_t n;
};

/* What lines of one kind dial: an address, or several. */
struct dialled {
    struct xds_slice address;
    bool several;
};

struct reader {
    struct xds_log *log;
    struct xds_slice text;
    struct xds_log_prose *prose;
    struct copied_lines lines;
    uint32_t line; /* of status texts: in work */
    size_t cap, n_unknown, statuses_cap;
    const char **status_texts; /* of the row of each */
    size_t texts_cap;
    struct xds_status_hit parts[XDS_STATUS_HITS]; /* of the line in work */
    size_t n_parts;
    struct xds_slice target; /* of the channel that was named last, or else is first */
    struct dialled endpoint, control_plane;
};

/* ---- collecting ---- */

static struct xds_log_error *add_error(struct reader *r, const struct subject *subject)
{
    struct xds_log *log = r->log;

    log->errors =
        xds_arena_room(&log->arena, log->errors, log->n, &r->cap, sizeof *log->errors);
    log->errors[log->n] =
        (struct xds_log_error){.type = subject->type, .resource = subject->name};
    return &log->errors[log->n++];
}

static bool is_full(const struct reader *r)
{
    return r->log->n >= XDS_LOG_ERRORS_MAX;
}

static void set_matches(struct reader *r, struct xds_log_error *error,
                        const struct xds_log_hits *hits)
{
    struct xds_log_match *matches =
        XDS_NEW_ARRAY(&r->log->arena, struct xds_log_match, hits->n);

    for (size_t i = 0; i < hits->n; i++)
        matches[i] = (struct xds_log_match){hits->hit[i].rule, hits->hit[i].clients};
    error->matches = matches;
    error->n_matches = hits->n;
    if (hits->n == 0 && r->n_unknown++ < NEAREST_MAX)
        error->nearest = xds_log_nearest(error->message);
}

/* ---- the kind of resource ---- */

static const struct headline {
    const char *text, *root, *type;
} headlines[] = {
    {"errors validating ApiListener", "ApiListener", "Listener"},
    {"errors validating server Listener", "Listener", "Listener"},
    {"errors validating RouteConfiguration resource", "RouteConfiguration",
     "RouteConfiguration"},
    {"errors validating Cluster resource", "Cluster", "Cluster"},
    {"errors parsing EDS resource", "ClusterLoadAssignment", "ClusterLoadAssignment"},
    {"Cluster message validation failed", "Cluster", "Cluster"},
    {"ClusterLoadAssignment message validation failed", "ClusterLoadAssignment",
     "ClusterLoadAssignment"},
    {"Listener message validation failed", "Listener", "Listener"},
    {"RouteConfiguration message validation failed", "RouteConfiguration",
     "RouteConfiguration"},
};

static bool holds(struct xds_slice s, const char *text)
{
    return xds_slice_search(s, xds_slice_of(text)) <= s.len;
}

static const struct headline *find_headline(struct xds_slice statement)
{
    static const struct headline none = {"", "", ""};

    for (size_t i = 0; i < XDS_ARRAY_LEN(headlines); i++)
        if (holds(statement, headlines[i].text))
            return &headlines[i];
    return &none;
}

/* ---- statements ---- */

static void add_field(struct reader *r, const struct subject *subject, unsigned clients,
                      const char *root, struct xds_slice path, struct xds_slice message)
{
    struct xds_log_error *error = add_error(r, subject);
    struct xds_log_hits hits;
    struct xds_log_path steps;

    xds_log_path_read(&steps, root, path);
    xds_log_hits_of_field(&steps, message, clients, &hits);
    error->path = path;
    error->message = message;
    set_matches(r, error, &hits);
}

/* C-core's field list, or grpc-node's list; false when there is none. *rest is what is
 * after it. */
static bool read_lists(struct reader *r, struct subject *subject,
                       struct xds_slice statement, struct xds_slice *rest)
{
    const size_t first = r->log->n;
    const struct headline *headline = find_headline(statement);
    struct xds_log_fields fields = {.rest = statement};
    struct xds_slice path, message;

    if (*headline->type != '\0')
        subject->type = headline->type;
    while (!is_full(r) && xds_log_fields_next(&fields, &path, &message))
        add_field(r, subject, XDS_CLIENT_BIT(XDS_CLIENT_CORE), headline->root, path,
                  message);

    struct xds_log_list list = xds_log_list_of(fields.rest);

    while (!is_full(r) && xds_log_list_next(&list, &path, &message))
        add_field(r, subject, XDS_CLIENT_BIT(XDS_CLIENT_NODE), headline->root, path,
                  message);
    *rest = list.rest;
    return r->log->n > first;
}

/* Without the brackets and separators of lists around it. */
static struct xds_slice trim(struct xds_slice s)
{
    while (s.len > 0 && xds_slice_find(XDS_S(" \t\r[];,"), s.data[s.len - 1]) < 7)
        s.len--;
    while (s.len > 0 && xds_slice_find(XDS_S(" \t\r];,"), s.data[0]) < 6)
        s = xds_slice_from(s, 1);
    return s;
}

static int by_place(const void *left, const void *right)
{
    const struct xds_log_error *a = left, *b = right;

    return (a->message.data > b->message.data) - (a->message.data < b->message.data);
}

static bool read_prose(struct reader *r, const struct subject *subject,
                       struct xds_slice statement)
{
    const size_t first = r->log->n;
    struct xds_log_hits hits;
    struct xds_slice message;

    xds_log_prose_read(r->prose, statement);
    while (!is_full(r) && xds_log_prose_next(r->prose, &message, &hits)) {
        struct xds_log_error *error = add_error(r, subject);

        error->message = message;
        set_matches(r, error, &hits);
    }
    if (r->log->n == first)
        return false;
    /* In the order of the text; a message that continues to the end stops where the next
     * one begins. */
    struct xds_log_error *errors = r->log->errors + first;
    const size_t n = r->log->n - first;

    qsort(errors, n, sizeof *errors, by_place);
    for (size_t i = 0; i + 1 < n; i++) {
        const size_t len = (size_t)(errors[i + 1].message.data - errors[i].message.data);

        if (errors[i].message.len > len)
            errors[i].message = trim(xds_slice_make(errors[i].message.data, len));
    }
    return true;
}

static void add_unknown(struct reader *r, const struct subject *subject,
                        struct xds_slice message)
{
    const struct xds_log_hits none = {0};

    if (is_full(r))
        return;
    struct xds_log_error *error = add_error(r, subject);

    error->message = message;
    set_matches(r, error, &none);
}

static void read_statement(struct reader *r, struct subject *subject,
                           struct xds_slice statement)
{
    struct xds_slice rest = statement;
    const bool listed = read_lists(r, subject, statement, &rest);

    rest = trim(rest);
    if (rest.len < SHORTEST || read_prose(r, subject, rest))
        return;
    if (subject->known && !listed)
        add_unknown(r, subject, rest);
}

/* ---- who a statement is about ---- */

#define LONGEST_NAME 1024 /* nothing further away ends a name */

static struct xds_slice window(struct xds_slice s)
{
    return s.len > LONGEST_NAME ? xds_slice_make(s.data, LONGEST_NAME) : s;
}

/* "2: NAME: INVALID_ARGUMENT: ..." after "resource index ". The name is left out where
 * the client does not know it. */
static struct xds_slice after_index(struct xds_slice s, struct subject *subject)
{
    static const char *const ends[] = {
        " INVALID_ARGUMENT: ",
        " errors validating ",
        " errors parsing ",
        " incorrect resource type ",
        " Cannot parse xDS resource name",
        " resource index ", /* of the next one */
    };
    const struct xds_slice from = xds_slice_from(s, xds_slice_find(s, ' '));
    struct xds_slice name = window(from);

    for (size_t i = 0; i < XDS_ARRAY_LEN(ends); i++) {
        const size_t at = xds_slice_search(name, xds_slice_of(ends[i]));

        if (at <= name.len)
            name.len = at;
    }
    if (name.len < 3 || !xds_slice_ends(name, XDS_S(":")) || name.len == window(from).len)
        return xds_slice_from(from, 1);
    subject->name = xds_slice_make(name.data + 1, name.len - 2);
    return xds_slice_from(from, name.len + 1);
}

static struct xds_slice after_text(struct xds_slice s, struct xds_slice text)
{
    return xds_slice_starts(s, text) ? xds_slice_from(s, text.len) : s;
}

/* "NAME\": ..." after "resource \"". */
static struct xds_slice after_quoted(struct xds_slice s, struct subject *subject)
{
    return after_text(xds_slice_cut(s, '"', &subject->name), XDS_S(": "));
}

/* "Cluster 'NAME' validation error: ..." after " response ". */
static struct xds_slice after_response(struct xds_slice s, struct subject *subject)
{
    struct xds_slice type;
    const struct xds_slice rest = xds_slice_cut(s, '\'', &type);

    for (size_t i = 0; i < XDS_ARRAY_LEN(headlines); i++)
        if (xds_slice_starts(type, xds_slice_of(headlines[i].type)))
            subject->type = headlines[i].type;
    return after_text(xds_slice_cut(rest, '\'', &subject->name),
                      XDS_S(" validation error: "));
}

enum { MARKS = 3 };

static const struct mark {
    const char *text;
    const char *behind; /* what must follow soon */
    struct xds_slice (*read)(struct xds_slice s, struct subject *subject);
} marks[MARKS] = {
    {"resource index ", ": ", after_index},
    {"resource \"", "\": ", after_quoted},
    {" response ", "' validation error: ", after_response},
};

/* Where the marks are in what is left of a line: each is looked for only once it has
 * been passed, so that all of a line takes one pass per kind. */
struct marks {
    struct xds_slice next[MARKS]; /* from the mark to the end of the line, or empty */
};

static struct xds_slice find_mark(struct xds_slice s, const struct mark *mark)
{
    const struct xds_slice text = xds_slice_of(mark->text);
    size_t at;

    while ((at = xds_slice_search(s, text)) <= s.len) {
        s = xds_slice_from(s, at);
        if (holds(window(s), mark->behind))
            return s;
        s = xds_slice_from(s, text.len);
    }
    return xds_slice_from(s, s.len);
}

/* The first mark of line; NULL when there is none. *at is where it begins. */
static const struct mark *next_mark(struct marks *ahead, struct xds_slice line,
                                    size_t *at)
{
    const struct mark *first = NULL;

    *at = line.len;
    for (size_t i = 0; i < MARKS; i++) {
        if (ahead->next[i].len > line.len)
            ahead->next[i] = find_mark(line, &marks[i]);
        if (ahead->next[i].len == 0 || line.len - ahead->next[i].len >= *at)
            continue;
        *at = line.len - ahead->next[i].len;
        first = &marks[i];
    }
    return first;
}

static void read_line(struct reader *r, struct xds_slice line)
{
    struct subject subject = {.type = ""};
    struct marks ahead;
    size_t at;

    for (size_t i = 0; i < MARKS; i++)
        ahead.next[i] = find_mark(line, &marks[i]);
    for (;;) {
        const struct mark *mark = next_mark(&ahead, line, &at);

        read_statement(r, &subject, xds_slice_make(line.data, at));
        if (!mark || is_full(r))
            return;
        subject = (struct subject){.type = "", .known = true};
        line = mark->read(xds_slice_from(line, at + strlen(mark->text)), &subject);
    }
}

/* ---- the text ---- */

static size_t count_breaks(struct xds_slice text)
{
    size_t n = 0;

    for (size_t i = 0; i < text.len; i++)
        n += text.data[i] == '\n';
    return n;
}

static void begin_lines(struct reader *r, const char *copy)
{
    r->lines.from =
        XDS_NEW_ARRAY(&r->log->arena, const char *, count_breaks(r->text) + 1);
    r->lines.from[0] = copy;
    r->lines.n = 1;
}

/* The line that a place of the copy comes from, from 1. */
static uint32_t line_of(const struct reader *r, const char *at)
{
    size_t low = 0, high = r->lines.n;

    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;

        if (r->lines.from[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)(low + 1);
}

/* Logs quote: \" and \n stand for what they mean, but not in the strings of a resource
 * that they dump. */
static struct xds_slice unquoted(struct reader *r)
{
    const struct xds_slice text = r->text;
    char *copy = xds_arena_alloc(&r->log->arena, text.len + 1);
    bool string = false;
    size_t n = 0;

    begin_lines(r, copy);

    for (size_t i = 0; i < text.len; i++) {
        const char c = text.data[i], next = i + 1 < text.len ? text.data[i + 1] : '\0';

        if (c == '\n' || (c == '"' && string))
            string = false;
        else if (c == '"')
            /* Does the quote at text.data[i] begin a string of a text proto, such as
             * value:"\n\x01"? A key of JSON is quoted itself. */
            string =
                i > 1 && text.data[i - 1] == ':' &&
                (xds_ascii_alpha(text.data[i - 2]) || xds_ascii_digit(text.data[i - 2]));
        if (c == '\\' && string) {
            copy[n++] = c;
            if (next != '\0' && next != '\n')
                copy[n++] = text.data[++i];
            continue;
        }
        const bool quotes = c == '\\' && (next == '"' || next == 'n' || next == '\\');

        i += quotes;
        copy[n++] = quotes && next == 'n' ? '\n' : quotes ? next : c;
        if (c == '\n')
            r->lines.from[r->lines.n++] = copy + n;
    }
    copy[n] = '\0';
    return xds_slice_make(copy, n);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* A JSON document of several lines is part of the line that quotes it: a line ends at a
 * break that is neither after what such a document continues after, nor before a bracket
 * that closes one. */
static bool ends_line(struct xds_slice text, size_t at)
{
    size_t before = at, after = at + 1;

    while (before > 0 && is_blank(text.data[before - 1]))
        before--;
    while (after < text.len && is_blank(text.data[after]))
        after++;
    return !(before > 0 && xds_slice_find(XDS_S("[{,"), text.data[before - 1]) < 3) &&
           !(after < text.len && xds_slice_find(XDS_S("]}"), text.data[after]) < 2);
}

/* The first line of *rest, which moves after it. */
static struct xds_slice take_line(struct xds_slice *rest)
{
    const struct xds_slice text = *rest;
    size_t len = xds_slice_find(text, '\n');

    while (len < text.len && !ends_line(text, len))
        len += 1 + xds_slice_find(xds_slice_from(text, len + 1), '\n');
    *rest = xds_slice_from(text, len + 1);
    return xds_slice_make(text.data, len);
}

/* The first line that says something; empty when none does. */
static struct xds_slice first_line(struct xds_slice text)
{
    struct xds_slice line = {NULL, 0};

    while (text.len > 0 && line.len == 0)
        line = trim(take_line(&text));
    return line;
}

/* ---- status texts of RPCs ---- */

#define DEEPEST 4 /* logs of logs: JSON in a string in JSON, and so on */

/* One level of quoting less, in place; false when there was none. */
static bool unquote(struct xds_slice *text, char *out)
{
    size_t n = 0;

    for (size_t i = 0; i < text->len; i++) {
        const char *at = text->data + i;
        const size_t left = text->len - i;

        if (*at != '\\' || left < 2) {
            out[n++] = *at;
        } else if (at[1] && strchr("\"\\/'", at[1])) {
            out[n++] = at[1];
            i++;
        } else if (at[1] == 'n' || at[1] == 'r' || at[1] == 't') {
            out[n++] = at[1] == 't' ? ' ' : '\n';
            i++;
        } else if (left >= 6 && strncmp(at, "\\u00", 4) == 0 &&
                   xds_ascii_hex(at[4]) >= 0 && xds_ascii_hex(at[4]) < 8 &&
                   xds_ascii_hex(at[5]) >= 0) {
            /* Go's JSON writes \u0022 for a quote. */
            out[n++] = (char)(xds_ascii_hex(at[4]) * 16 + xds_ascii_hex(at[5]));
            i += 5;
        } else {
            out[n++] = *at;
        }
    }
    const bool changed = n < text->len;

    *text = xds_slice_make(out, n);
    return changed;
}

/* Does an error say the text, within what is looked at of a long one? */
static bool says(const struct xds_log_error *error, struct xds_slice text)
{
    const struct xds_slice message = window(error->message);

    return xds_slice_search(message, text) <= message.len;
}

/* Is the text part of an error of a resource that is known? That names more. */
static bool is_of_rule(const struct xds_log *log, struct xds_slice text)
{
    for (size_t i = 0; i < log->n; i++)
        if (log->errors[i].n_matches > 0 && says(&log->errors[i], text))
            return true;
    return false;
}

/* Does a line have an error of a resource that is known? */
static bool has_rule(const struct xds_log *log, struct xds_slice line)
{
    for (size_t i = 0; i < log->n; i++)
        if (log->errors[i].n_matches > 0 &&
            xds_slice_search(line, log->errors[i].message) <= line.len)
            return true;
    return false;
}

/* What counts only where nothing clearer of its line is known. */
enum clarity { PART, OUTER, WHOLE };

static enum clarity clarity_of(const struct xds_status_hit *hit)
{
    const enum xds_named names = xds_failure_row(hit->failure)->names;

    return names == XDS_NAMED_PART ? PART : names == XDS_NAMED_OUTER ? OUTER : WHOLE;
}

static bool is_part(const struct xds_status_hit *hit)
{
    return clarity_of(hit) == PART;
}

/* The listener that a channel asks for, where the log names the target. */
static void read_target(struct reader *r, struct xds_slice line)
{
    static const char ends[] = " \t\r\n\"'`,;)]}>";
    const struct xds_slice scheme = XDS_S("xds:///");
    const size_t at = xds_slice_search(line, scheme);
    size_t len = 0;

    if (at > line.len)
        return;
    line = xds_slice_from(line, at + scheme.len);
    while (len < line.len && !strchr(ends, line.data[len]) && line.data[len] != '\0')
        len++;
    while (len > 0 && strchr(":.", line.data[len - 1]))
        len--;
    if (len > 0 && len <= LONGEST_NAME)
        r->target = xds_slice_make(line.data, len);
}

static void add_status(struct reader *r, const struct xds_status_hit *hit)
{
    struct xds_log *log = r->log;
    const struct xds_rpc_failure *failure = xds_failure_row(hit->failure);
    const bool is_of_target = hit->name.len == 0 && failure->names == XDS_NAMED_LISTENER;
    const struct xds_slice name = is_of_target ? r->target : hit->name;

    for (size_t i = 0; i < log->n_statuses; i++) {
        struct xds_log_status *status = &log->statuses[i];

        if (status->failure != failure || r->status_texts[i] != hit->text ||
            !xds_slice_eq(status->name, name))
            continue;
        status->clients &= hit->clients;
        status->count++;
        return;
    }
    if (log->n_statuses >= XDS_LOG_ERRORS_MAX)
        return;
    log->statuses = xds_arena_room(&log->arena, log->statuses, log->n_statuses,
                                   &r->statuses_cap, sizeof *log->statuses);
    r->status_texts = xds_arena_room(&log->arena, r->status_texts, log->n_statuses,
                                     &r->texts_cap, sizeof *r->status_texts);
    r->status_texts[log->n_statuses] = hit->text;
    log->statuses[log->n_statuses++] = (struct xds_log_status){.failure = failure,
                                                               .message = hit->message,
                                                               .name = name,
                                                               .clients = hit->clients,
                                                               .count = 1,
                                                               .line = r->line};
}

static void read_dialled(struct dialled *dialled, struct xds_slice line)
{
    const struct xds_slice dial = XDS_S("dial tcp ");
    const size_t at = xds_slice_search(line, dial);

    line = xds_slice_from(line, at + dial.len);
    const size_t len = xds_slice_search(line, XDS_S(": "));
    if (len > line.len || line.len == 0)
        dialled->several = true;
    else if (!dialled->address.data)
        dialled->address = xds_slice_make(line.data, len);
    else if (!xds_slice_eq(dialled->address, xds_slice_make(line.data, len)))
        dialled->several = true;
}

/* Does it only say more of one that is before it in the line? After what says where it
 * failed comes the error of that place: that of a stream is no endpoint's. */
static bool is_detail(const struct xds_status_hit *hits, size_t n, size_t of)
{
    const struct xds_status_hit *hit = &hits[of];

    for (size_t i = 0; i < n; i++)
        if (hits[i].message.data < hit->message.data &&
            clarity_of(&hits[i]) == clarity_of(hit) &&
            (clarity_of(hit) == OUTER ||
             (hits[i].failure == hit->failure && hit->name.len == 0)))
            return true;
    return false;
}

/* Gives whether the line says more than parts of a text, which wait in r->parts. */
static bool read_status_line(struct reader *r, struct xds_slice line)
{
    struct xds_status_hit hits[XDS_STATUS_HITS];
    const size_t n = xds_status_hits(line, hits);
    const bool of_rule = n > 0 && has_rule(r->log, line);
    enum clarity best = PART;

    for (size_t i = 0; i < n; i++)
        if (clarity_of(&hits[i]) > best)
            best = clarity_of(&hits[i]);
    for (size_t i = 0; i < n; i++) {
        const enum clarity clarity = clarity_of(&hits[i]);

        if (is_of_rule(r->log, hits[i].message) || clarity < best ||
            (of_rule && clarity < WHOLE) || is_detail(hits, n, i))
            continue;
        if (hits[i].failure == XDS_FAILURE_NOT_CONNECTED)
            read_dialled(&r->endpoint, line);
        else if (hits[i].failure == XDS_FAILURE_CONTROL_PLANE)
            read_dialled(&r->control_plane, line);
        if (clarity > PART)
            add_status(r, &hits[i]);
        else if (r->n_parts < XDS_STATUS_HITS)
            r->parts[r->n_parts++] = hits[i];
    }
    return best > PART || of_rule;
}

/* go logs a failing connection before it says whose it was. */
static void drop_dials(const struct reader *r)
{
    const struct xds_rpc_failure *dial = xds_failure_row(XDS_FAILURE_NOT_CONNECTED);
    struct xds_log *log = r->log;
    size_t n = 0;

    if (r->endpoint.several || r->control_plane.several || !r->endpoint.address.data ||
        !r->control_plane.address.data ||
        !xds_slice_eq(r->endpoint.address, r->control_plane.address))
        return;
    for (size_t i = 0; i < log->n_statuses; i++)
        if (log->statuses[i].failure != dial)
            log->statuses[n++] = log->statuses[i];
    log->n_statuses = n;
}

/* What is not known as an error of a resource may be known as the status of an RPC. */
static void drop_unknown(struct xds_log *log)
{
    size_t n = 0;

    for (size_t i = 0; i < log->n; i++) {
        const struct xds_log_error *error = &log->errors[i];
        bool known = false;

        for (size_t k = 0; k < log->n_statuses && !known && error->n_matches == 0; k++)
            known = says(error, log->statuses[k].message);
        if (!known)
            log->errors[n++] = *error;
    }
    log->n = n;
}

#define WRAPPED 60 /* characters that a line has at least where it is wrapped */

/* A text that begins in one line and ends in another one, with or without a blank for the
 * break. */
static bool read_joined(struct reader *r, struct xds_slice line, struct xds_slice next)
{
    const struct xds_slice a = trim(line), b = trim(next);

    if (a.len == 0 || b.len == 0)
        return false;
    for (unsigned blank = 0; blank < 2; blank++) {
        struct xds_status_hit hits[XDS_STATUS_HITS];
        const struct xds_slice both =
            xds_arena_printf(&r->log->arena, "%.*s%s%.*s", XDS_FMT(a), blank ? " " : "",
                             XDS_FMT(xds_slice_clip(b, LONGEST_NAME)));
        const size_t n = xds_status_hits(both, hits);

        for (size_t i = 0; i < n; i++) {
            const char *from = hits[i].message.data, *to = from + hits[i].message.len;

            if (is_part(&hits[i]) || from >= both.data + a.len ||
                to <= both.data + a.len + blank)
                continue;
            add_status(r, &hits[i]);
            return true;
        }
    }
    return false;
}

/* The lines of one line of the log, in which line breaks may be quoted. */
static bool read_quoted(struct reader *r, struct xds_slice text)
{
    char *copy = xds_arena_alloc(&r->log->arena, text.len + 1);
    struct xds_slice line;
    bool found = false;

    for (unsigned depth = 0; depth < DEEPEST && unquote(&text, copy);)
        depth++;
    while (text.len > 0) {
        text = xds_slice_cut(text, '\n', &line);
        if (line.len >= SHORTEST)
            found |=
                read_status_line(r, line) || read_joined(r, line, xds_log_frame(text));
    }
    return found;
}

/* Is a status text known in the line, or in it and the next one, to which a terminal or a
 * ticket has wrapped it, or in it and the trace below it? */
static bool read_wrapped(struct reader *r, struct xds_slice line, struct xds_slice rest,
                         bool *joined)
{
    struct xds_slice next;

    r->n_parts = 0;
    if (read_quoted(r, line))
        return true;
    (void)xds_slice_cut(rest, '\n', &next);
    *joined = (trim(line).len >= WRAPPED && read_joined(r, line, next)) ||
              read_joined(r, line, xds_log_frame(rest));
    return *joined;
}

static void read_statuses(struct reader *r)
{
    struct xds_slice rest = r->text, line;
    bool joined = false;

    read_target(r, r->text);
    for (; rest.len > 0; r->line++) {
        const bool was_joined = joined;

        rest = xds_slice_cut(rest, '\n', &line);
        read_target(r, line);
        joined = false;
        /* What ends the text of the line before says nothing by itself. */
        if (read_wrapped(r, line, rest, &joined) || was_joined)
            continue;
        for (size_t i = 0; i < r->n_parts; i++)
            add_status(r, &r->parts[i]);
    }
    r->log->n_lines = r->line - 1;
    drop_unknown(r->log);
    xds_log_drop_crashes(r->log);
    drop_dials(r);
}

/* ---- all of it ---- */

static bool is_same(const struct xds_log_error *a, const struct xds_log_error *b)
{
    return xds_slice_eq(a->message, b->message) && xds_slice_eq(a->path, b->path) &&
           xds_slice_eq(a->resource, b->resource) && strcmp(a->type, b->type) == 0;
}

/* A client says the same once more each time it gets the same resource. */
static void drop_repeated(struct xds_log *log)
{
    size_t n = 0;

    for (size_t i = 0; i < log->n; i++) {
        size_t k = 0;

        while (k < n && !is_same(&log->errors[k], &log->errors[i]))
            k++;
        if (k == n)
            log->errors[n++] = log->errors[i];
        log->errors[k].count++;
    }
    log->n = n;
}

static void read_text(void *arg)
{
    struct reader *r = arg;
    const struct subject nobody = {.type = ""};
    struct xds_slice rest = unquoted(r);
    const struct xds_slice line = first_line(rest);

    r->prose = xds_log_prose_new(&r->log->arena);
    while (rest.len > 0 && !is_full(r))
        read_line(r, take_line(&rest));
    drop_repeated(r->log);
    read_statuses(r);
    if (r->log->n == 0 && r->log->n_statuses == 0 && line.len > 0) {
        add_unknown(r, &nobody, line);
        r->log->errors[0].count = 1;
    }
    for (size_t i = 0; i < r->log->n; i++)
        r->log->errors[i].line = line_of(r, r->log->errors[i].message.data);
}

enum xds_status xds_log_read(struct xds_slice text, struct xds_log **out)
{
    *out = NULL;
    if (text.len > XDS_LOG_TEXT_MAX)
        return XDS_ERR_USAGE;
    struct xds_log *log = calloc(1, sizeof *log);

    if (!log)
        return XDS_ERR_NO_MEMORY;
    xds_arena_init(&log->arena, 0);
    struct reader r = {.log = log, .text = text, .line = 1};
    struct xds_arena *const arenas[] = {&log->arena};
    const enum xds_status status = xds_arena_guard(arenas, 1, read_text, &r);

    if (status != XDS_OK) {
        xds_log_free(log);
        return status;
    }
    *out = log;
    return XDS_OK;
}

void xds_log_free(struct xds_log *log)
{
    if (log)
        xds_arena_release(&log->arena);
    free(log);
}

size_t xds_log_errors(const struct xds_log *log)
{
    return log->n;
}

const struct xds_log_error *xds_log_error(const struct xds_log *log, size_t i)
{
    return i < log->n ? &log->errors[i] : NULL;
}

size_t xds_log_statuses(const struct xds_log *log)
{
    return log->n_statuses;
}

const struct xds_log_status *xds_log_status(const struct xds_log *log, size_t i)
{
    return i < log->n_statuses ? &log->statuses[i] : NULL;
}
