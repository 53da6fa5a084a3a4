/*
 * fix.c - edits of an input where its findings say what is meant.
 *
 * The resources are read once more for their tokens, which tell where a member of an
 * object begins and ends. What is edited is the text itself, so that layout and comments
 * stay. An edit that the text at its place does not bear out is left out.
 */
#include <stdlib.h>

#include "base/ascii.h"
#include "catalogue/rule.h"
#include "decode/decode.h"
#include "model/tree.h"
#include "source/source.h"

/* Points of the text that an edit needs. */
enum point {
    OBJECT, /* that the member is in */
    BEFORE, /* where the member before it ends */
    KEY,
    KEY_END,
    VALUE,
    VALUE_END,
    TWIN, /* the value of an earlier member of this name */
    TWIN_END,
    POINTS
};

struct position {
    uint32_t line, column; /* line 0: there is none */
    size_t offset;         /* once it is known */
};

/* A finding that an edit is wanted for. */
struct want {
    const struct xds_rule *rule;
    struct xds_slice instead;
    struct position at;     /* of the finding */
    struct xds_slice name;  /* of the member */
    bool is_value;          /* it is that of a value, not of a key */
    bool refused;           /* another member has the name already */
    enum xds_format format; /* of the resource */
    struct position points[POINTS];
};

/* What becomes of [begin, end). */
struct change {
    size_t begin, end;
    struct xds_slice text;
};

struct member {
    struct xds_slice name;
    struct position points[POINTS];
};

struct xds_fix {
    struct xds_arena arena, scratch;
    struct xds_slice old, text;
    struct want *wants;
    size_t n_wants;
    struct change *changes;
    size_t n_changes, cap_changes, n_edits;
    /* the resource in work */
    const struct xds_resource *in;
    struct xds_tokens tokens;
    struct xds_place_cursor cursor;
    struct member *members; /* of the objects that are open */
    size_t n_members, cap_members;
};

/* ---- what is wanted ---- */

static int cmp_positions(const struct position *a, const struct position *b)
{
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return (a->column > b->column) - (a->column < b->column);
}

static int cmp_wants(const void *left, const void *right)
{
    return cmp_positions(&((const struct want *)left)->at,
                         &((const struct want *)right)->at);
}

static struct want *find_want(const struct xds_fix *fix, const struct position *at)
{
    const struct want key = {.at = *at};

    return fix->n_wants > 0
               ? bsearch(&key, fix->wants, fix->n_wants, sizeof key, cmp_wants)
               : NULL;
}

struct call {
    const struct xds_report *report;
    uint32_t file;
    bool (*wanted)(const struct xds_rule *rule, void *user);
    void *user;
    struct xds_fix *fix;
    struct xds_resource in; /* the one in work */
};

static void list_wants(void *arg)
{
    const struct call *call = arg;
    struct xds_fix *fix = call->fix;
    const size_t n = xds_report_findings(call->report);
    size_t kept = 0;

    fix->wants = XDS_NEW_ARRAY(&fix->arena, struct want, n + 1);
    for (size_t i = 0; i < n; i++) {
        const struct xds_finding *finding = xds_report_finding(call->report, i);
        const struct xds_rule *rule = finding->rule;

        if (rule->edit == XDS_EDIT_NONE || finding->at.file != call->file ||
            finding->at.line == 0 ||
            (rule->edit == XDS_EDIT_RENAME && finding->instead.len == 0) ||
            !call->wanted(rule, call->user))
            continue;
        fix->wants[fix->n_wants++] =
            (struct want){.rule = rule,
                          .instead = finding->instead,
                          .at = {finding->at.line, finding->at.column, 0}};
    }
    qsort(fix->wants, fix->n_wants, sizeof *fix->wants, cmp_wants);
    for (size_t i = 0; i < fix->n_wants; i++)
        if (i == 0 || cmp_wants(&fix->wants[kept - 1], &fix->wants[i]) != 0)
            fix->wants[kept++] = fix->wants[i];
    fix->n_wants = kept;
}

/* ---- where members are ---- */

static void positions_of(struct xds_fix *fix, const struct xds_token *token,
                         struct position *begin, struct position *end)
{
    const struct xds_place at = xds_place_of_token(&fix->cursor, token);

    *begin = (struct position){at.line, at.column, 0};
    *end = (struct position){at.end_line, at.end_column, 0};
}

/* The members of the object are known: which of them is one that is wanted? */
static void settle(struct xds_fix *fix, size_t first, const struct position *object)
{
    for (size_t i = first; i < fix->n_members; i++) {
        const struct member *member = &fix->members[i];
        struct want *want = find_want(fix, &member->points[KEY]);

        if (!want || want->points[KEY].line > 0 || want->is_value)
            continue;
        memcpy(want->points, member->points, sizeof want->points);
        want->format = fix->in->format;
        want->name = xds_arena_dup(&fix->arena, member->name);
        want->points[OBJECT] = *object;
        if (i > first)
            want->points[BEFORE] = fix->members[i - 1].points[VALUE_END];
        const struct xds_slice name = want->rule->edit == XDS_EDIT_REMOVE ? member->name
                                      : want->rule->edit == XDS_EDIT_RENAME
                                          ? want->instead
                                          : xds_slice_of(want->rule->edit_name);

        for (size_t k = first; k < fix->n_members; k++) {
            const struct member *other = &fix->members[k];

            if (k == i || !xds_tree_same_field(other->name, name))
                continue;
            want->refused = want->rule->edit != XDS_EDIT_REMOVE;
            if (k > i)
                break;
            want->points[TWIN] = other->points[VALUE];
            want->points[TWIN_END] = other->points[VALUE_END];
        }
    }
}

/* The value that begins with the token; false where the tokens end or break. end: of what
 * is written of it: what closes a block of YAML is not. */
static bool walk(struct xds_fix *fix, const struct xds_token *first,
                 struct position *begin, struct position *end)
{
    const bool is_object = first->kind == XDS_TOKEN_OBJECT;
    const size_t n_before = fix->n_members;
    struct xds_token token;
    struct position at, past;

    positions_of(fix, first, begin, end);
    if (!is_object && first->kind != XDS_TOKEN_ARRAY) {
        struct want *want = find_want(fix, begin);

        if (want && want->rule->edit == XDS_EDIT_RENAME && want->points[KEY].line == 0) {
            want->is_value = true;
            want->format = fix->in->format;
            want->points[KEY] = *begin;
            want->points[KEY_END] = *end;
        }
        return first->kind != XDS_TOKEN_ERROR && first->kind != XDS_TOKEN_END;
    }
    for (;;) {
        struct member member = {.name = {NULL, 0}};

        xds_tokens_next(&fix->tokens, &token);
        if (token.kind == XDS_TOKEN_OBJECT_END || token.kind == XDS_TOKEN_ARRAY_END)
            break;
        if (is_object) {
            if (token.kind != XDS_TOKEN_KEY)
                return false;
            member.name = xds_token_unescape(&token, &fix->scratch);
            positions_of(fix, &token, &member.points[KEY], &member.points[KEY_END]);
            xds_tokens_next(&fix->tokens, &token);
        }
        if (!walk(fix, &token, &member.points[VALUE], &member.points[VALUE_END]))
            return false;
        *end = member.points[VALUE_END];
        if (!is_object)
            continue;
        fix->members = xds_arena_room(&fix->scratch, fix->members, fix->n_members,
                                      &fix->cap_members, sizeof *fix->members);
        fix->members[fix->n_members++] = member;
    }
    positions_of(fix, &token, &at, &past);
    if (at.line == past.line && at.column + 1 == past.column)
        *end = past;
    if (is_object)
        settle(fix, n_before, begin);
    fix->n_members = n_before;
    return true;
}

static void walk_resource(void *arg)
{
    const struct call *call = arg;
    struct xds_fix *fix = call->fix;
    struct xds_token first;
    struct position begin, end;

    fix->in = &call->in;
    fix->members = NULL;
    fix->n_members = fix->cap_members = 0;
    xds_place_cursor_init(&fix->cursor, &call->in);
    if (!xds_tokens_of(&fix->tokens, &call->in))
        return;
    xds_tokens_next(&fix->tokens, &first);
    (void)walk(fix, &first, &begin, &end);
}

static enum xds_status walk_all(struct call *call, const char *name,
                                enum xds_resource_type type)
{
    struct xds_fix *fix = call->fix;
    struct xds_arena *const arenas[] = {&fix->scratch, &fix->arena};
    struct xds_report *report = xds_report_new(xds_report_options(call->report));
    struct xds_source *source = report ? xds_source_new(report, type) : NULL;
    enum xds_status status =
        source ? xds_source_add_bytes(source, name, fix->old) : XDS_ERR_NO_MEMORY;

    while (status == XDS_OK) {
        status = xds_source_next(source, &call->in);
        if (status != XDS_OK)
            break;
        xds_arena_reset(&fix->scratch);
        status = xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), walk_resource, call);
    }
    xds_source_free(source);
    xds_report_free(report);
    return status == XDS_END ? XDS_OK : status;
}

/* ---- from places to offsets ---- */

static int cmp_pointers(const void *left, const void *right)
{
    return cmp_positions(*(struct position *const *)left,
                         *(struct position *const *)right);
}

/* One pass over the text. A position that it does not have is at its end. */
static void find_offsets(struct xds_fix *fix)
{
    struct position **list =
        XDS_NEW_ARRAY(&fix->arena, struct position *, fix->n_wants * POINTS + 1);
    const struct xds_slice text = fix->old;
    struct xds_slice rest = text;
    struct position at = {1, 1, xds_slice_take(&rest, "\xEF\xBB\xBF") ? 3 : 0};
    size_t n = 0;

    for (size_t i = 0; i < fix->n_wants; i++)
        for (size_t k = 0; k < POINTS; k++)
            if (fix->wants[i].points[k].line > 0)
                list[n++] = &fix->wants[i].points[k];
    qsort(list, n, sizeof(struct position *), cmp_pointers);
    for (size_t i = 0; i < n; i++) {
        while (at.offset < text.len && cmp_positions(&at, list[i]) < 0) {
            at.column++;
            if (text.data[at.offset] == '\n')
                at = (struct position){at.line + 1, 1, at.offset};
            do
                at.offset++;
            while (at.offset < text.len &&
                   ((unsigned char)text.data[at.offset] & 0xC0) == 0x80);
        }
        list[i]->offset = at.offset;
    }
}

/* ---- edits ---- */

static void change(struct xds_fix *fix, size_t begin, size_t end, struct xds_slice text)
{
    fix->changes = xds_arena_room(&fix->arena, fix->changes, fix->n_changes,
                                  &fix->cap_changes, sizeof *fix->changes);
    fix->changes[fix->n_changes++] = (struct change){begin, end, text};
}

static struct xds_slice between(const struct xds_fix *fix, const struct want *want,
                                enum point begin, enum point end)
{
    const size_t from = want->points[begin].offset, to = want->points[end].offset;

    return from <= to ? xds_slice_make(fix->old.data + from, to - from) : XDS_S("");
}

/* Without quotes. */
static struct xds_slice inner(struct xds_slice text)
{
    const bool quoted = text.len >= 2 && strchr("\"'", text.data[0]) && text.data[0] &&
                        text.data[text.len - 1] == text.data[0];

    return quoted ? xds_slice_make(text.data + 1, text.len - 2) : text;
}

/* Is there what was found? Of a value: in another case. */
static bool is_there(const struct xds_fix *fix, const struct want *want)
{
    const struct xds_slice text = inner(between(fix, want, KEY, KEY_END));

    if (!want->is_value)
        return text.len > 0 && xds_slice_eq(text, want->name);
    for (size_t i = 0; i < text.len && text.len == want->instead.len; i++)
        if ((text.data[i] == '-' ? '_' : xds_ascii_upper(text.data[i])) !=
            want->instead.data[i])
            return false;
    return text.len == want->instead.len;
}

/* The name that is there, or the value, becomes another one. */
static void rename_it(struct xds_fix *fix, const struct want *want, struct xds_slice to)
{
    const struct xds_slice name = inner(between(fix, want, KEY, KEY_END));
    const size_t begin = (size_t)(name.data - fix->old.data);

    change(fix, begin, begin + name.len, to);
}

static bool is_blank(struct xds_slice text)
{
    return xds_slice_trim(text).len == 0;
}

/* From the begin of the line that holds this offset on. */
static size_t line_begin(struct xds_slice text, size_t at)
{
    while (at > 0 && text.data[at - 1] != '\n')
        at--;
    return at;
}

/* After the line break. */
static size_t line_end(struct xds_slice text, size_t at)
{
    while (at < text.len && text.data[at] != '\n')
        at++;
    return at + (at < text.len);
}

/* What is around [begin, end) on its lines is blank, or a comment after it: the lines go.
 */
static bool remove_lines(struct xds_fix *fix, size_t begin, size_t end)
{
    const size_t first = line_begin(fix->old, begin);
    const bool ended = end > first && fix->old.data[end - 1] == '\n';
    const size_t last = ended ? end : line_end(fix->old, end);
    const struct xds_slice before = {fix->old.data + first, begin - first};
    const struct xds_slice after =
        xds_slice_trim(xds_slice_make(fix->old.data + end, last - end));

    if (!is_blank(before) || (after.len > 0 && after.data[0] != '#'))
        return false;
    change(fix, first, last, XDS_S(""));
    return true;
}

/* In braces a comma goes, too: the one before it, as another member is there. */
static void remove_in_braces(struct xds_fix *fix, const struct want *want)
{
    const struct xds_slice gap = between(fix, want, BEFORE, KEY);

    if (want->points[BEFORE].line > 0 && xds_slice_is(xds_slice_trim(gap), ","))
        change(fix, want->points[BEFORE].offset, want->points[VALUE_END].offset,
               XDS_S(""));
}

static void remove_in_text(struct xds_fix *fix, const struct want *want)
{
    size_t begin = want->points[KEY].offset, end = want->points[VALUE_END].offset;

    if (end < fix->old.len && strchr(",;", fix->old.data[end]))
        end++;
    if (remove_lines(fix, begin, end))
        return;
    while (begin > 0 &&
           (fix->old.data[begin - 1] == ' ' || fix->old.data[begin - 1] == '\t'))
        begin--;
    change(fix, begin, end, XDS_S(""));
}

static void remove_it(struct xds_fix *fix, const struct want *want)
{
    const struct xds_slice value = xds_slice_trim(between(fix, want, VALUE, VALUE_END));
    const struct xds_slice twin = xds_slice_trim(between(fix, want, TWIN, TWIN_END));

    if (want->points[TWIN].line == 0 || value.len == 0 || !xds_slice_eq(value, twin))
        return;
    if (want->format == XDS_FORMAT_TEXT_PROTO)
        remove_in_text(fix, want);
    else if (want->points[OBJECT].offset < fix->old.len &&
             fix->old.data[want->points[OBJECT].offset] == '{')
        remove_in_braces(fix, want);
    else
        (void)remove_lines(fix, want->points[KEY].offset, want->points[VALUE_END].offset);
}

static void wrap_it(struct xds_fix *fix, const struct want *want)
{
    const struct xds_slice key = between(fix, want, KEY, KEY_END);
    const struct xds_slice value = between(fix, want, VALUE, VALUE_END);
    const char *quote = inner(key).len < key.len ? "\"" : "";

    /* Of YAML a plain scalar, or one in quotes, on one line. */
    if (is_blank(value) || strchr("&*!|>", value.data[0]) ||
        (want->format == XDS_FORMAT_YAML && memchr(value.data, '\n', value.len)))
        return;
    rename_it(fix, want, xds_slice_of(want->rule->edit_name));
    change(fix, want->points[VALUE].offset, want->points[VALUE_END].offset,
           xds_arena_printf(&fix->arena, "{%s%s%s: %.*s}", quote, want->rule->edit_name,
                            quote, XDS_FMT(value)));
}

static int cmp_changes(const void *left, const void *right)
{
    const struct change *a = left, *b = right;

    return (a->begin > b->begin) - (a->begin < b->begin);
}

/* Of two that meet the first one is made. */
static void write_text(struct xds_fix *fix)
{
    size_t size = fix->old.len, kept = 0, from = 0;

    if (fix->n_changes > 0)
        qsort(fix->changes, fix->n_changes, sizeof *fix->changes, cmp_changes);
    for (size_t i = 0; i < fix->n_changes; i++) {
        if (kept > 0 && fix->changes[i].begin < fix->changes[kept - 1].end)
            continue;
        fix->changes[kept++] = fix->changes[i];
        size += fix->changes[i].text.len;
    }
    fix->n_changes = kept;
    char *out = xds_arena_alloc(&fix->arena, size + 1), *to = out;

    for (size_t i = 0; i <= kept; i++) {
        const struct change last = {fix->old.len, fix->old.len, {"", 0}};
        const struct change *c = i < kept ? &fix->changes[i] : &last;

        memcpy(to, fix->old.data + from, c->begin - from);
        to += c->begin - from;
        memcpy(to, c->text.data, c->text.len);
        to += c->text.len;
        from = c->end;
    }
    fix->text = xds_slice_make(out, (size_t)(to - out));
}

static void edit(void *arg)
{
    struct xds_fix *fix = ((const struct call *)arg)->fix;

    find_offsets(fix);
    for (size_t i = 0; i < fix->n_wants; i++) {
        const struct want *want = &fix->wants[i];
        const size_t before = fix->n_changes;

        if (want->points[KEY].line == 0 || want->refused || !is_there(fix, want))
            continue;
        switch (want->rule->edit) {
        case XDS_EDIT_RENAME:
            rename_it(fix, want, want->instead);
            break;
        case XDS_EDIT_REMOVE:
            remove_it(fix, want);
            break;
        case XDS_EDIT_WRAP:
            wrap_it(fix, want);
            break;
        case XDS_EDIT_NONE:
            break;
        }
        fix->n_edits += fix->n_changes > before;
    }
    write_text(fix);
}

/* ---- values ---- */

struct value_call {
    struct xds_fix *fix;
    struct xds_value_edit *edits;
    size_t n;
};

/* What is in brackets or quotes, or on one line, gives its place to the new value. A
 * block of YAML does not, nor does nothing: then what is after the colon is the place, if
 * no comment would go. */
static bool replace_value(struct xds_fix *fix, const struct want *want)
{
    const size_t begin = want->points[VALUE].offset;
    size_t end = want->points[VALUE_END].offset, colon = begin;

    while (end > begin && xds_ascii_blank(fix->old.data[end - 1]))
        end--;
    const struct xds_slice old = {fix->old.data + begin, end - begin};
    const bool is_closed = old.len > 0 && strchr("[{\"'", old.data[0]);
    const bool is_plain = old.len > 0 && !memchr(old.data, '\n', old.len) &&
                          xds_slice_search(old, XDS_S("- ")) > 0 &&
                          xds_slice_search(old, XDS_S(": ")) > old.len;

    if (is_closed || is_plain) {
        change(fix, begin, end, want->instead);
        return true;
    }
    while (colon > 0 && xds_ascii_blank(fix->old.data[colon - 1]))
        colon--;
    if (colon == 0 || fix->old.data[colon - 1] != ':' ||
        (old.len > 0 && memchr(old.data, '#', old.len)))
        return false;
    change(fix, colon, old.len > 0 ? end : colon,
           xds_arena_printf(&fix->arena, " %.*s", XDS_FMT(want->instead)));
    return true;
}

static void edit_values(void *arg)
{
    const struct value_call *call = arg;
    struct xds_fix *fix = call->fix;

    fix->wants = XDS_NEW_ARRAY(&fix->arena, struct want, call->n + 1);
    fix->n_wants = call->n;
    for (size_t i = 0; i < call->n; i++) {
        const struct xds_value_edit *e = &call->edits[i];

        fix->wants[i].instead = e->text;
        fix->wants[i].points[VALUE] = (struct position){e->line, e->column, 0};
        fix->wants[i].points[VALUE_END] =
            (struct position){e->end_line, e->end_column, 0};
    }
    find_offsets(fix);
    for (size_t i = 0; i < call->n; i++) {
        call->edits[i].made = replace_value(fix, &fix->wants[i]);
        fix->n_edits += call->edits[i].made;
    }
    write_text(fix);
}

enum xds_status xds_fix_values(struct xds_slice text, struct xds_value_edit *edits,
                               size_t n, struct xds_fix **out)
{
    struct xds_fix *fix = calloc(1, sizeof *fix);
    struct value_call call = {fix, edits, n};

    *out = fix;
    if (!fix)
        return XDS_ERR_NO_MEMORY;
    struct xds_arena *const arenas[] = {&fix->arena};

    fix->old = text;
    const enum xds_status status =
        xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), edit_values, &call);

    if (status != XDS_OK) {
        *out = NULL;
        xds_fix_free(fix);
    }
    return status;
}

/* ---- all ---- */

enum xds_status xds_fix_new(const struct xds_report *report, uint32_t file,
                            struct xds_slice text, enum xds_resource_type type,
                            bool (*wanted)(const struct xds_rule *rule, void *user),
                            void *user, struct xds_fix **out)
{
    struct xds_fix *fix = calloc(1, sizeof *fix);
    struct call call = {
        .report = report, .file = file, .wanted = wanted, .user = user, .fix = fix};

    *out = NULL;
    if (!fix)
        return XDS_ERR_NO_MEMORY;
    struct xds_arena *const arenas[] = {&fix->arena};
    char *name = strndup(report->files.names[file].data, report->files.names[file].len);
    enum xds_status status = XDS_ERR_NO_MEMORY;

    fix->old = text;
    if (name)
        status = xds_arena_guard(arenas, 1, list_wants, &call);
    if (status == XDS_OK)
        status = walk_all(&call, name, type);
    if (status == XDS_OK)
        status = xds_arena_guard(arenas, 1, edit, &call);
    free(name);
    if (status == XDS_OK)
        *out = fix;
    else
        xds_fix_free(fix);
    return status;
}

void xds_fix_free(struct xds_fix *fix)
{
    if (!fix)
        return;
    xds_arena_release(&fix->scratch);
    xds_arena_release(&fix->arena);
    free(fix);
}

size_t xds_fix_edits(const struct xds_fix *fix)
{
    return fix->n_edits;
}

struct xds_slice xds_fix_text(const struct xds_fix *fix)
{
    return fix->text;
}
