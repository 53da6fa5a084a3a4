/*
 * rule.c - the rows of all rules as tables, found by id or slug; who does what about
 * them; the environment variables that switch one.
 */
#include "catalogue/rule.h"

#include <limits.h>

#include "base/ascii.h"
#include "base/text.h"
#include "clients/environment.h"

/* One bit for each verdict; of a set, the worst one is the highest. */
enum {
    A = 1 << XDS_ACCEPT,
    I = 1 << XDS_IGNORE,
    S = 1 << XDS_SKIP,
    N = 1 << XDS_NACK,
    C = 1 << XDS_CRASH,
};

/* The verdicts of a row: the documents' in the lowest bits, then a group for each client
 * that differs from them. */
enum { CLIENTS_MAX = 64 / XDS_VERDICT_BITS };
#define EXCEPT(client, verdict) ((uint64_t)(verdict) << XDS_VERDICT_BITS * (client))
#define CORE(verdict) EXCEPT(XDS_CLIENT_CORE, verdict)
#define GO(verdict) EXCEPT(XDS_CLIENT_GO, verdict)
#define JAVA(verdict) EXCEPT(XDS_CLIENT_JAVA, verdict)
#define NODE(verdict) EXCEPT(XDS_CLIENT_NODE, verdict)
#define EACH_GROUP UINT64_C(0x84210842108421)
#define ANY(verdicts, verdict) ((verdicts) & (verdict)*EACH_GROUP)
#define EFFECT(verdicts)                                                                 \
    (ANY(verdicts, C)   ? XDS_EFFECT_CRASH                                               \
     : ANY(verdicts, N) ? XDS_EFFECT_NACK                                                \
     : ANY(verdicts, S) ? XDS_EFFECT_SKIP                                                \
                        : XDS_EFFECT_IGNORE)

_Static_assert(XDS_CLIENTS <= (int)CLIENTS_MAX, "a group of verdict bits per client");

static const struct xds_rule rows[XDS_RULES] = {
#define XDS_RULE(row, name, verdict, ...)                                                \
    [XDS_R_##row] = {.id = #row,                                                         \
                     .slug = name,                                                       \
                     .effect = EFFECT((uint64_t)(verdict)),                              \
                     .level = XDS_LEVEL_ERROR,                                           \
                     .verdicts = (verdict),                                              \
                     __VA_ARGS__},
#define XDS_CHECK(row, name, loudness, ...)                                              \
    [XDS_R_##row] = {.id = #row,                                                         \
                     .slug = name,                                                       \
                     .effect = XDS_EFFECT_HYGIENE,                                       \
                     .level = XDS_LEVEL_##loudness,                                      \
                     .verdicts = A,                                                      \
                     __VA_ARGS__},
#define XDS_SYNTAX(row, name, ...)                                                       \
    [XDS_R_##row] = {.id = #row,                                                         \
                     .slug = name,                                                       \
                     .effect = XDS_EFFECT_SYNTAX,                                        \
                     .level = XDS_LEVEL_ERROR,                                           \
                     .verdicts = N,                                                      \
                     __VA_ARGS__},
#define XDS_BEFORE(...)
#include "catalogue/rule_list.def"
#undef XDS_RULE
#undef XDS_CHECK
#undef XDS_SYNTAX
#undef XDS_BEFORE
};

/* The last one ends the table. */
static const struct xds_rule_before history[] = {
#define XDS_RULE(...)
#define XDS_CHECK(...)
#define XDS_SYNTAX(...)
#define XDS_BEFORE(id, client, major, minor, verdict, source)                            \
    {XDS_R_##id, XDS_CLIENT_##client, {major, minor, 0}, XDS_##verdict, source},
#include "catalogue/rule_list.def"
#undef XDS_RULE
#undef XDS_CHECK
#undef XDS_SYNTAX
#undef XDS_BEFORE
    {XDS_RULES, XDS_CLIENTS, {0, 0, 0}, XDS_ACCEPT, NULL},
};

const struct xds_rule *xds_rule_row(enum xds_rule_id id)
{
    return &rows[id];
}

const struct xds_rule *xds_rules(size_t *count)
{
    *count = XDS_RULES;
    return rows;
}

const struct xds_rule_before *xds_rule_history(size_t *n)
{
    *n = XDS_ARRAY_LEN(history) - 1;
    return history;
}

/* The first gRFC that asks for a rule, as "gRFC A27, A37, spec ..." names them; 0: none.
 */
static unsigned first_document(const struct xds_rule *rule)
{
    struct xds_slice rest = xds_slice_of(rule->source), item;
    unsigned first = 0;

    if (!xds_slice_take(&rest, "gRFC "))
        return 0;
    while (rest.data) {
        unsigned number = 0;

        rest = xds_slice_cut(rest, ',', &item);
        (void)xds_slice_take(&item, " ");
        if (!xds_slice_take(&item, "A"))
            break;
        for (size_t i = 0; i < item.len && xds_ascii_digit(item.data[i]); i++)
            number = number * 10 + (unsigned)(item.data[i] - '0');
        if (first == 0 || number < first)
            first = number;
    }
    return first;
}

/* The last document whose rules a reader applies: A28 guards its own by a variable. */
static unsigned last_document(const struct xds_panel *panel, size_t r)
{
    const unsigned number = panel->reader[r].release.minor;

    return number == 28 && !(panel->guarded[XDS_ENV_ROUTING] >> r & 1) ? 27 : number;
}

/* To the documents before the first one it is nothing. The oldest row of history that is
 * above the release counts. */
enum xds_verdict xds_rule_verdict_at(enum xds_rule_id id,
                                     const struct xds_client_release *reader)
{
    for (const struct xds_rule_before *row = history; row->rule != XDS_RULES; row++)
        if (row->rule == id && row->client == reader->client &&
            xds_release_is_before(reader->release, row->release))
            return row->verdict;
    if (reader->client == XDS_CLIENT_GRFC &&
        first_document(&rows[id]) > reader->release.minor)
        return XDS_ACCEPT;
    return xds_rule_verdict(&rows[id], reader->client);
}

/* To the documents before that one it is nothing. */
static void apply_documents(const struct xds_panel *panel, struct xds_verdict_sets *sets)
{
    for (size_t r = 0; r < panel->n; r++) {
        const struct xds_client_release *reader = &panel->reader[r];

        if (reader->client != XDS_CLIENT_GRFC || reader->release.major == 0)
            continue;
        const unsigned last = last_document(panel, r);

        for (size_t i = 0; i < XDS_RULES; i++)
            for (unsigned v = XDS_IGNORE;
                 v <= XDS_CRASH && first_document(&rows[i]) > last; v++)
                sets[i].of[v] &= ~((xds_readers)1 << r);
    }
}

static void add_documents(const struct xds_options *options, xds_release_set changes)
{
    for (size_t i = 0; i < XDS_RULES && options->release[XDS_CLIENT_GRFC].major; i++) {
        const unsigned number = first_document(&rows[i]);

        if (number > 0)
            xds_release_set_add(changes, XDS_CLIENT_GRFC,
                                (struct xds_release){1, (unsigned short)number, 0});
    }
}

/* The readers that do something else than the newest release; of several rows for one
 * reader the first one counts. */
static void apply_history(const struct xds_panel *panel, struct xds_verdict_sets *sets)
{
    size_t n;

    for (const struct xds_rule_before *row = xds_rule_history(&n) + n; row-- > history;) {
        xds_readers older = 0;

        for (size_t r = 0; r < panel->n; r++)
            if (panel->reader[r].client == row->client &&
                xds_release_is_before(panel->reader[r].release, row->release))
                older |= (xds_readers)1 << r;
        for (unsigned v = XDS_IGNORE; v <= XDS_CRASH; v++)
            sets[row->rule].of[v] &= ~older;
        sets[row->rule].of[row->verdict] |= older;
    }
}

/* Those that die of reading a resource, by the rows or by a panic. */
static xds_readers find_mortal(const struct xds_judges *judges)
{
    const struct xds_panel *panel = &judges->panel;
    xds_readers mortal = panel->differing[XDS_DIFF_PANIC_RECOVERED] &
                         ~panel->guarded[XDS_ENV_PANIC_RECOVERY];

    for (size_t i = 0; i < XDS_RULES && judges->has_older; i++)
        if (!rows[i].crash_in_use)
            mortal |= judges->of_rule[i].of[XDS_CRASH];
    return mortal;
}

void xds_judges_attach(const struct xds_judges *judges, struct xds_report *report)
{
    xds_report_set_readers(report, judges->panel.n, judges->panel.reader,
                           judges->has_older ? judges->of_rule : NULL);
}

bool xds_judges_init(struct xds_judges *judges, struct xds_report *report)
{
    struct xds_panel *panel = &judges->panel;
    xds_release_set changes = {0};

    judges->has_older = xds_asks_releases(&report->options);
    if (xds_asks_older(&report->options)) {
        for (const struct xds_rule_before *row = history; row->rule != XDS_RULES; row++)
            xds_release_set_add(changes, row->client, row->release);
        add_documents(&report->options, changes);
    }
    const bool room = xds_panel_init(panel, &report->options, changes);

    if (judges->has_older) {
        /* ACCEPT is not looked at. */
        struct xds_verdict_sets *sets = judges->of_rule;
        xds_readers of_client[XDS_CLIENTS];

        for (enum xds_client c = 0; c < XDS_CLIENTS; c++)
            of_client[c] = xds_panel_of(panel, XDS_CLIENT_BIT(c));
        memset(sets, 0, XDS_RULES * sizeof *sets);
        for (size_t i = 0; i < XDS_RULES; i++)
            for (enum xds_client c = 0; c < XDS_CLIENTS; c++)
                sets[i].of[xds_rule_verdict(&rows[i], c)] |= of_client[c];
        apply_history(panel, judges->of_rule);
        apply_documents(panel, judges->of_rule);
    }
    judges->mortal = find_mortal(judges);
    xds_judges_attach(judges, report);
    return room;
}

const struct xds_rule *xds_rule_find(struct xds_slice name, const char **hint)
{
    /* Of a short word half must be right. */
    struct xds_nearest nearest = {.name = name,
                                  .distance = name.len < 10 ? name.len / 2 + 1 : 6};

    *hint = NULL;
    for (size_t i = 0; i < XDS_RULES; i++)
        if (xds_slice_is(name, rows[i].slug) || xds_slice_is(name, rows[i].id))
            return &rows[i];
    for (size_t i = 0; i < XDS_RULES; i++)
        xds_nearest_offer(&nearest, rows[i].slug);
    *hint = nearest.best;
    return NULL;
}

static bool has_word(const char *text, struct xds_slice word)
{
    const size_t len = text ? strlen(text) : 0;

    for (size_t i = 0; i + word.len <= len; i++)
        if (xds_slice_eq_fold(xds_slice_make(text + i, word.len), word))
            return true;
    return false;
}

bool xds_texts_have(const char *const *texts, size_t n, struct xds_words words)
{
    for (size_t w = 0; w < words.n; w++) {
        bool has = false;

        for (size_t i = 0; i < n; i++)
            has = has || has_word(texts[i], xds_slice_of(words.items[w]));
        if (!has)
            return false;
    }
    return true;
}

bool xds_rule_has(const struct xds_rule *rule, struct xds_words words)
{
    const char *const texts[] = {rule->slug, rule->text, rule->source, rule->fix};

    return xds_texts_have(texts, XDS_ARRAY_LEN(texts), words);
}

/* What fills the hole that `text` begins with; its length is *len. A brace that begins
 * no hole is a character like others. */
static struct xds_slice value_of(struct xds_slice text, struct xds_slice field,
                                 const struct xds_slice values[], size_t *len)
{
    const struct xds_slice name = XDS_S("{field}");

    *len = name.len;
    if (xds_slice_starts(text, name))
        return field;
    *len = 3; /* {1} */
    if (text.len >= *len && text.data[1] >= '1' && text.data[1] <= '4' &&
        text.data[2] == '}' && values)
        return values[text.data[1] - '1'];
    *len = 1;
    return xds_slice_make(text.data, *len);
}

struct xds_slice xds_rule_words(struct xds_arena *arena, const char *words,
                                struct xds_slice field, const struct xds_slice values[])
{
    struct xds_text text = {.arena = arena};
    struct xds_slice rest = xds_slice_of(words);
    size_t plain = xds_slice_find(rest, '{'), len;

    if (plain == rest.len)
        return rest;
    for (; plain < rest.len; plain = xds_slice_find(rest, '{')) {
        xds_text_add(&text, xds_slice_make(rest.data, plain));
        rest = xds_slice_from(rest, plain);
        xds_text_add(&text, value_of(rest, field, values, &len));
        rest = xds_slice_from(rest, len);
    }
    xds_text_add(&text, rest);
    return xds_slice_make(text.data, text.len);
}

/* ---- the environment variables that switch a rule ---- */

/* Rows from..to of a section: "RB" has RB1, RB2, ...; "1.9" has 1.9/1, 1.9/2, ... */
struct guard {
    struct xds_slice section;
    unsigned from, to;
};

/* The number that ends a row: "RB12", "1.9/3", "H4b". 0 when it has none. */
static unsigned number_of(struct xds_slice row)
{
    unsigned number = 0;

    for (size_t i = 0; i < row.len && xds_ascii_digit(row.data[i]) && i < 4; i++)
        number = number * 10 + (unsigned)(row.data[i] - '0');
    return number;
}

/* What is left of "1.14/4-7" or "G62" after its section: "4-7", "62"; all rows: "". */
static struct xds_slice numbers_of(struct xds_slice cited, struct xds_slice *section)
{
    size_t end = 0;

    if (cited.len > 0 && xds_ascii_digit(cited.data[0]))
        return xds_slice_cut(cited, '/', section);
    while (end < cited.len && !xds_ascii_digit(cited.data[end]))
        end++;
    *section = (struct xds_slice){cited.data, end};
    return xds_slice_from(cited, end);
}

static struct guard guard_of(struct xds_slice cited)
{
    struct guard guard = {.from = 1, .to = UINT_MAX};
    struct xds_slice first;
    const struct xds_slice numbers = numbers_of(cited, &guard.section);

    if (numbers.len == 0)
        return guard;
    const struct xds_slice last = xds_slice_cut(numbers, '-', &first);

    guard.from = number_of(first);
    guard.to = last.data ? number_of(last) : guard.from;
    return guard;
}

static bool is_row_of(struct xds_slice row, const struct guard *guard)
{
    if (!xds_slice_starts(row, guard->section))
        return false;
    row = xds_slice_from(row, guard->section.len);
    if (row.len > 0 && row.data[0] == '/')
        row = xds_slice_from(row, 1);
    else if (xds_ascii_digit(guard->section.data[0]))
        return false;
    const unsigned number = number_of(row);

    return number >= guard->from && number <= guard->to;
}

/* The rows are the last words of the parts of a source: "gRFC A50, spec cluster 1.9/2".
 */
static bool cites_row_of(const char *source, const struct guard *guard)
{
    struct xds_slice rest = xds_slice_of(source), part;

    while (rest.data) {
        rest = xds_slice_cut(rest, ',', &part);
        for (size_t i = part.len; i-- > 0;) {
            if (part.data[i] != ' ')
                continue;
            part = xds_slice_from(part, i + 1);
            break;
        }
        if (is_row_of(part, guard))
            return true;
    }
    return false;
}

static bool cites_row_guarded(const char *source, enum xds_env env)
{
    struct xds_slice rest = xds_slice_of(xds_env_row(env)->guards), cited;

    while (rest.len > 0) {
        rest = xds_slice_cut(rest, ',', &cited);
        const struct guard guard = guard_of(xds_slice_trim(cited));

        if (cites_row_of(source, &guard))
            return true;
    }
    return false;
}

bool xds_rule_guard(const struct xds_rule *rule, size_t *i, enum xds_env *env)
{
    while (*i < XDS_ENVS) {
        *env = (enum xds_env)(*i)++;
        if (cites_row_guarded(rule->source, *env))
            return true;
    }
    return false;
}
