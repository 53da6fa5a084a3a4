/* inner.h - what the files of this room share. */
#ifndef XDS_PRINT_INNER_H
#define XDS_PRINT_INNER_H

#include <math.h>

#include "base/arena.h"
#include "report/report.h"
#include "base/slice.h"
#include "catalogue/rule.h"
#include "catalogue/spec.h"
#include "generate/config.h"
#include "diff/diff.h"
#include "explain/decision.h"
#include "print/decision/decision.h"
#include "scenario/scenario.h"

/* ---- JSON ---- */

/* The object with the "version" of our own formats; and its end, with a line break. */
void xds_json_begin_document(struct xds_out *out);
void xds_json_end_document(struct xds_out *out);

/* The key, and the value as xds_json_string() and its like write it. */
#define XDS_JSON_KEY(name, type)                                                         \
    XDS_UNROLLED void xds_json_key_##name(struct xds_out *out, const char *key,          \
                                          type value)                                    \
    {                                                                                    \
        xds_json_key(out, key);                                                          \
        xds_json_##name(out, value);                                                     \
    }

XDS_JSON_KEY(string, struct xds_slice)
XDS_JSON_KEY(string_or_null, struct xds_slice)
XDS_JSON_KEY(text, const char *)
XDS_JSON_KEY(u64, uint64_t)
XDS_JSON_KEY(bool, bool)
XDS_JSON_KEY(double, double)

/* The key, and the begin of its object or array. */
XDS_UNROLLED void xds_json_key_object(struct xds_out *out, const char *key)
{
    xds_json_key(out, key);
    xds_json_begin_object(out);
}

XDS_UNROLLED void xds_json_key_array(struct xds_out *out, const char *key)
{
    xds_json_key(out, key);
    xds_json_begin_array(out);
}

/* The same, or null: false when there is nothing to begin. */
XDS_UNROLLED bool xds_json_object_or_null(struct xds_out *out, const char *key,
                                          bool exists)
{
    xds_json_key(out, key);
    if (exists)
        xds_json_begin_object(out);
    else
        xds_json_null(out);
    return exists;
}

XDS_UNROLLED bool xds_json_array_or_null(struct xds_out *out, const char *key,
                                         bool exists)
{
    xds_json_key(out, key);
    if (exists)
        xds_json_begin_array(out);
    else
        xds_json_null(out);
    return exists;
}

XDS_UNROLLED void xds_json_key_u64_or_null(struct xds_out *out, const char *key,
                                           bool exists, uint64_t value)
{
    xds_json_key(out, key);
    if (exists)
        xds_json_u64(out, value);
    else
        xds_json_null(out);
}

XDS_UNROLLED void xds_json_key_bool_or_null(struct xds_out *out, const char *key,
                                            bool exists, bool value)
{
    xds_json_key(out, key);
    if (exists)
        xds_json_bool(out, value);
    else
        xds_json_null(out);
}

/* Members of an object: xds_json_members(out, "name: %.*s, weight: %u", ...), checked by
 * the compiler. A %s is text, null for NULL; a %.*s is text from XDS_FMT() or, if its
 * absence is null, from XDS_FMT_OR_NULL(); %d is false or true; %g is a number, null if
 * it is not finite; %u, %zu and PRIu64 are numbers. */
void xds_json_members(struct xds_out *out, const char *format, ...) XDS_PRINTF(2, 3);
/* The whole object; the same on a line of its own. */
void xds_json_object(struct xds_out *out, const char *format, ...) XDS_PRINTF(2, 3);
void xds_json_row(struct xds_out *out, const char *format, ...) XDS_PRINTF(2, 3);
static inline void xds_json_begin_row(struct xds_out *out)
{
    xds_json_line(out);
    xds_json_begin_object(out);
}
/* Parts of a string; in the format JSON's escapes are its own: "\\n". */
void xds_json_parts(struct xds_out *out, const char *format, ...) XDS_PRINTF(2, 3);
/* A member that is such a string. */
void xds_json_key_parts(struct xds_out *out, const char *key, const char *format, ...)
    XDS_PRINTF(3, 4);
/* The member "held": what a dump says of a resource. */
void xds_json_held(struct xds_out *out, const struct xds_held *held,
                   struct xds_slice scope);
#define XDS_FMT_OR_NULL(s) (s).data ? (int)(s).len : -1, xds_slice_text(s)

/* ---- text in sections ---- */

/* Text for people in lines of at most 100 columns.
 * Takes:  the printer of the caller.
 * Gives:  a printer that breaks long lines at blanks. The rest of a line goes below the
 *         text of its section: a heading and lines without one have it in column 15, a
 *         numbered line after its number. */

enum { XDS_PAGE_COLUMNS = 100, XDS_PAGE_TEXT = 14 };

struct xds_page {
    struct xds_printer printer; /* to write with */
    const struct xds_printer *to;
    size_t column, indent;
    bool begun, escape; /* the line has a word; inside of a colour */
    size_t blanks;      /* before the word */
    size_t width;       /* of the word, in columns */
    size_t n;           /* of its bytes */
    char word[512];
};

void xds_page_init(struct xds_page *page, const struct xds_printer *to);

/* ---- documents ---- */

/* An answer as text and as HTML, by one printer.
 * Both are written as lines. In HTML a line's indentation is its depth in an outline, and
 * an empty line ends the outline. What else a line or a part of it is, the functions
 * xds_doc_...() say before it; text gets from them what it has instead, mostly nothing.
 */

struct xds_column {
    const char *title;
    const char *kind; /* class of its cells, or NULL; "name": headings of the rows */
};

struct xds_table {
    const char *caption;
    const struct xds_column *columns;
    size_t n;
    const char *data; /* for filters: rows are items, data-NAME has their words */
};

/* The HTML of what is written to the printer. */
struct xds_doc {
    struct xds_printer printer;
    const char *begin, *end; /* tags of the next or open line; NULL: one of the outline */
    bool in_line, in_row, in_block, in_topics, has_base, is_heading;
    size_t blanks, base, depth;    /* of the line, of the outline */
    size_t indents[32];            /* of its lists */
    const struct xds_table *table; /* that is open */
    size_t cell;
    const char *topic;
    struct xds_out page;
};

/* The document whose text this is; NULL: plain text, or JSON. */
struct xds_doc *xds_doc_of(const struct xds_out *out);
/* A whole page; or a part of one, between xds_print_page_begin() and _end(). The status
 * is that of what was printed, and is handed on if it is not XDS_OK. */
void xds_doc_begin(struct xds_doc *doc, const struct xds_printer *to, const char *name);
enum xds_status xds_doc_end(struct xds_doc *doc, enum xds_status status);
void xds_doc_init(struct xds_doc *doc, const struct xds_printer *to);
enum xds_status xds_doc_finish(struct xds_doc *doc, enum xds_status status);

/* Where to write markup with the functions for HTML below; NULL in text. After all that
 * is open; or in the line. */
struct xds_out *xds_doc_markup(struct xds_out *out);
struct xds_out *xds_doc_inline(struct xds_out *out);

/* A heading that text does not have. */
void xds_doc_section(struct xds_out *out, const char *id, const char *heading);
/* The next line is a heading; it is the answer in short, which a page has above all. */
void xds_doc_heading(struct xds_out *out);
void xds_doc_verdict(struct xds_out *out, bool good);
/* The same for an answer that is neither good nor bad. */
void xds_doc_summary(struct xds_out *out);
/* The next line stands for more, which is written after it where this is true. */
bool xds_doc_fold(struct xds_out *out);
void xds_doc_fold_end(struct xds_out *out);
/* The heading of a topic, or a time, before the line; NULL: the blanks of a further line.
 */
void xds_page_title(struct xds_out *out, const char *title);
void xds_doc_time(struct xds_out *out, struct xds_slice time);
/* The same and the text of the line, as xds_out_line() writes it. */
void xds_page_line(struct xds_out *out, const char *title, const char *format, ...)
    XDS_PRINTF(3, 4);
/* The line is a row of the table; words: for filters, or NULL. */
void xds_doc_row(struct xds_out *out, const struct xds_table *table, const char *words);
/* The next cell of it, and what text has before it. */
void xds_doc_cell(struct xds_out *out, const char *before);
/* Lines that are shown as they are. */
void xds_doc_block(struct xds_out *out, bool begins);
/* A name, in quotes or not; text of a class; a command to copy; a bar. */
void xds_doc_quoted(struct xds_out *out, struct xds_slice text);
void xds_doc_code(struct xds_out *out, struct xds_slice text);
void xds_doc_span(struct xds_out *out, const char *kind, const char *text);
void xds_doc_command(struct xds_out *out, bool begins);
void xds_doc_meter(struct xds_out *out, double share);
enum xds_style {
    XDS_STYLE_NONE,
    XDS_STYLE_BOLD,
    XDS_STYLE_DIM,
    XDS_STYLE_RED,
    XDS_STYLE_YELLOW,
    XDS_STYLE_CYAN,
    XDS_STYLE_GREEN
};

/* Text in a style when the printer has colours or it is a page; plain text else. */
void xds_out_styled(struct xds_out *out, enum xds_style style, const char *text);
/* A word as a shell reads it; what is in its single quotes. */
void xds_out_shell_word(struct xds_out *out, struct xds_slice word);
void xds_out_shell_part(struct xds_out *out, struct xds_slice text);
/* The variables that are set, as options of a command. */
void xds_out_env(struct xds_out *out, const struct xds_options *options);

/* ---- findings ---- */

/* Where the finding is; 1:1 when no place is known, so that it can be clicked. */
struct xds_place xds_place_or_start(struct xds_place place);
/* A file name without "./" in front, as tools that know the root of a tree want it. */
struct xds_slice xds_file_from_root(struct xds_slice file);
/* The last part of a full type name: "RouteConfiguration". */
struct xds_slice xds_type_short(struct xds_slice type);
/* The resource that the finding is about; NULL when there is none. */
const struct xds_resource_result *xds_finding_resource(const struct xds_report *report,
                                                       const struct xds_finding *finding);
/* Of what it is that something was found. */
struct xds_where {
    struct xds_place at;
    uint32_t resource; /* or XDS_NO_RESOURCE */
    struct xds_slice path;
};

struct xds_where xds_where_of(const struct xds_finding *finding);
struct xds_where xds_where_related(const struct xds_related *related);
/* The version that the control plane gave it, as far as a dump says so; may be empty. */
struct xds_slice xds_version_of(const struct xds_resource_result *resource);
/* "Cluster "a" (version 3), lb_policy": where something is that has no lines; nothing of
 * no resource. */
void xds_out_in_answer(struct xds_out *out, const struct xds_report *report,
                       struct xds_where where);
/* "file:line:column: level: message [slug]" and a line break; what a server has sent has
 * xds_out_in_answer() in place of line and column. */
void xds_out_finding_line(struct xds_out *out, const struct xds_report *report,
                          const struct xds_finding *finding);

/* "file:line:column: note: message" of the other place that a finding speaks of, and a
 * line break; nothing when there is none. */
void xds_out_related_line(struct xds_out *out, const struct xds_report *report,
                          const struct xds_finding *finding);

/* The member that says what was found, and of which resource by which clients. */
void xds_json_key_message(struct xds_out *out, const char *key,
                          const struct xds_report *report,
                          const struct xds_finding *finding);
/* Of rule, resource and path: the same before and after lines are added above. given:
 * those of the findings before, by their bytes. */
struct xds_short_text xds_fingerprint(struct xds_strmap *given,
                                      const struct xds_report *report,
                                      const struct xds_finding *finding);

/* "core, go": the clients of a mask. */
void xds_out_clients(struct xds_out *out, unsigned clients);
/* The same for people: "all clients", "the documents only". */
void xds_out_people(struct xds_out *out, unsigned clients);
/* "NACK by grfc, core; accepted by node": of a rule, by the newest releases; of a
 * finding, by the releases that were asked for. */
void xds_out_rule_verdicts(struct xds_out *out, const struct xds_rule *rule);
/* Clients at releases, in the order of xds_options_asked(), and those of them that
 * something is said of. */
struct xds_reader_list {
    size_t n;
    bool all; /* it is said of each */
    struct xds_client_release who[XDS_RELEASES + XDS_CLIENTS];
    bool in[XDS_RELEASES + XDS_CLIENTS];
};

struct xds_reader_name {
    char text[64]; /* "go@1.60.1..1.68.1" of releases without a known one between them */
};

/* The documents are no client: a text for people lists them where they were asked for by
 * name, or where it says all. */
bool xds_names_documents(const struct xds_out *out, const struct xds_report *report);
/* Those that were asked for, as such a text lists them; in[] is left to the caller. */
void xds_readers_asked(const struct xds_out *out, const struct xds_report *report,
                       struct xds_reader_list *list);
/* The next name from *at on; false after the last one. */
bool xds_readers_next(const struct xds_reader_list *list, size_t *at,
                      struct xds_reader_name *name);
/* "core@1.53.2, go and java"; last: what comes before the last of several. */
void xds_out_readers(struct xds_out *out, const struct xds_reader_list *list,
                     const char *last);
/* What goes before clients with this verdict: "NACK by ". */
const char *xds_verdict_words(enum xds_verdict verdict);
void xds_out_verdicts(struct xds_out *out, const struct xds_report *report,
                      const struct xds_finding *finding);

/* A finding, and where in the report the first one of its cause is. */
struct xds_caused {
    const struct xds_finding *finding;
    size_t first;
};

/* All findings of the report, errors first, those of one cause in a row. Must run under a
 * guard of arena. */
struct xds_caused *xds_by_cause(struct xds_arena *arena, const struct xds_report *report);
/* How many of the n from here on have the cause of the first one. */
size_t xds_cause_size(const struct xds_caused *list, size_t n);

/* All of them, as lines; what was written before is flushed. */
enum xds_status xds_out_findings(struct xds_out *out, const struct xds_report *report);

/* A folder of which each is a snapshot, and what is in it; n of them, in the order of the
 * input. */
struct xds_folder {
    struct xds_slice path;
    struct xds_summary sum;
};

struct xds_folder *xds_folders_of(struct xds_arena *arena,
                                  const struct xds_report *report, size_t *n);
/* How many resources are not judged, and why: a line for each reason. */
void xds_out_unjudged(struct xds_out *out, struct xds_arena *arena,
                      const struct xds_report *report);
/* What depends on a rejected resource, and on all of them: a line. */
void xds_out_impact(struct xds_out *out, const struct xds_report *report,
                    uint32_t resource);
void xds_out_impact_sum(struct xds_out *out, const struct xds_report *report);
void xds_out_folder(struct xds_out *out, struct xds_arena *arena,
                    const struct xds_report *report, const struct xds_folder *folder);
/* "1 of 2 resources would be rejected by go: 1 error, 0 warnings, 0 notes" and a line
 * break. Must run under a guard of arena. */
void xds_out_summary(struct xds_out *out, struct xds_arena *arena,
                     const struct xds_report *report);

/* A member of a JSON object: a list of the clients of a mask. */
void xds_json_clients(struct xds_out *out, const char *key, unsigned clients);
/* A member of a document: "summary". */
void xds_json_summary(struct xds_out *out, const struct xds_report *report);
/* A member: pairs of name and value. */
void xds_json_headers(struct xds_out *out, const struct xds_request *request);
/* An object with rule, place, path and message: of files of our own formats, on which all
 * clients agree. */
void xds_json_brief_finding(struct xds_out *out, const struct xds_report *report,
                            const struct xds_finding *finding);
/* Members of JSON objects: "tool" of a document; "clients": who was asked for, or with a
 * verdict for each, as above; of a resource also "verdict". */
void xds_json_tool(struct xds_out *out);
void xds_json_asked(struct xds_out *out, const struct xds_options *options);
void xds_json_rule_verdicts(struct xds_out *out, const struct xds_rule *rule);
void xds_json_verdicts(struct xds_out *out, const struct xds_report *report,
                       const struct xds_finding *finding);
void xds_json_resource_verdicts(struct xds_out *out, const struct xds_report *report,
                                const struct xds_resource_result *resource);

/* ---- lines of the input ---- */

/* Two lines: "   14 | TEXT" and a caret below the column, with '~' up to the end column
 * if that is on the same line. About 100 columns of a long line are shown. Nothing when
 * the printer has no lines, or not this one. Secrets are shown as asterisks. */
void xds_out_excerpt(struct xds_out *out, struct xds_slice file, struct xds_place at);

/* ---- what C-core logs ---- */

/* The text that C-core puts into its NACK.
 * Takes:  a report; hidden findings count, as C-core rejects whether we report or not.
 * Gives:  the text of a resource, and the message of the response that holds it.
 * Source: spec listener 0.3, G1 to G8; spec cluster 0.3, 0.4. */

/* What C-core rejects, by resource and path, in order of discovery. Syntax is not among
 * it: what is no xDS never gets to a client. */
struct xds_nacks {
    const struct xds_report *report;
    const struct xds_finding **list;
    size_t n;
};

/* The part of the list that is about one resource. */
struct xds_nack {
    const struct xds_resource_result *resource;
    const struct xds_finding *const *at;
    size_t n; /* 0: C-core accepts */
};

/* Must run under a guard of arena. */
void xds_nacks_init(struct xds_nacks *nacks, struct xds_arena *arena,
                    const struct xds_report *report);
struct xds_nack xds_nack_of(const struct xds_nacks *nacks, uint32_t resource);

/* The text of the resource as a JSON string, null when C-core accepts. */
void xds_json_nack(struct xds_out *out, struct xds_nack nack);
/* "xDS response validation errors: [resource index 0: NAME: INVALID_ARGUMENT: ...]", of
 * a response in which nothing else is wrong. Not for an empty nack. */
void xds_out_nack(struct xds_out *out, struct xds_nack nack);
/* What is between the brackets, byte by byte as C-core sends it; or the text of the
 * resource alone. */
void xds_out_nack_part(struct xds_out *out, struct xds_nack nack, bool in_response);

/* ---- rules ---- */

/* All rules by slug. */
void xds_rules_by_slug(const struct xds_rule *list[XDS_RULES]);
/* Who does what: "NACK by grfc, core; accepted by node", or a sentence where no client
 * decides. */
void xds_out_rule_effect(struct xds_out *out, const struct xds_rule *rule);
/* The worst that it may be reported as. */
enum xds_level xds_rule_worst_level(const struct xds_rule *rule);
/* What its verdicts mean for an application: the next sentence from *i on, then NULL. */
const char *xds_rule_consequence(const struct xds_rule *rule, size_t *i);
/* "nack", "skip", "ignore", "hygiene", "syntax". */
const char *xds_effect_name(enum xds_effect effect);
/* Members of a JSON object that is a rule: "rule", "id", "text", "effect", "clients" with
 * the row's verdicts, "source". */
void xds_json_rule(struct xds_out *out, const struct xds_rule *rule);

/* What a row is about, when, and what clients do; of a section its title. Below a rule,
 * so in column 4. */
void xds_out_spec_short(struct xds_out *out, const struct xds_spec *spec);
/* An object: a row, or of a section its id and title. */
void xds_json_spec_short(struct xds_out *out, const struct xds_spec *spec);
/* "history: NACK by go before 1.72; run of ...": what older releases did about a rule. */
void xds_out_rule_history(struct xds_out *out, const struct xds_rule *rule);
void xds_json_rule_history(struct xds_out *out, const struct xds_rule *rule);
/* The variables that guard a rule, who reads them and since when. */
void xds_out_guards(struct xds_out *out, const struct xds_rule *rule);
void xds_json_guard_history(struct xds_out *out, const struct xds_rule *rule);
/* "difference: go reads ... (spec H3)" from a column on, and what older releases did. */
void xds_out_difference(struct xds_out *out, int column, enum xds_difference difference);
/* The same as an object. */
void xds_json_difference(struct xds_out *out, enum xds_difference difference);
/* The statements of documents that are about a row: lines in column 4, and a member. */
void xds_out_statements_of(struct xds_out *out, const struct xds_spec *row);
void xds_json_statements_of(struct xds_out *out, const struct xds_spec *row);

/* ---- suites ---- */

/* "and 3 more values that differ", a line. */
void xds_out_more_mismatches(struct xds_out *out, const struct xds_suite_case *c);
/* "71.4": one decimal, rounded down, so that 100 means all. */
struct xds_short_text xds_tenths(double percent);
/* "routes 4/5, weighted targets 1/2: 71.4%". */
void xds_out_covered(struct xds_out *out, const struct xds_suite_results *results);
/* Coverage is wanted and below its limit. */
bool xds_suite_under_limit(const struct xds_suite_results *results,
                           const struct xds_suite_view *view);

/* ---- configs ---- */

/* config_words.c: what a policy does, in one sentence without a full stop, and what a
 * field is for, or NULL. */
const char *xds_policy_sentence(const struct xds_tree *policy);
const char *xds_field_sentence(const struct xds_tree *member);
/* Is the member a list of policies, or a map from names to what they stand for? */
bool xds_is_policy_list(const struct xds_tree *member);
bool xds_is_named_map(const struct xds_tree *member);
/* Do its children stand in for each other? */
bool xds_is_priority_policy(const struct xds_tree *policy);
/* Does it stand for the policies of a cluster? */
bool xds_is_cluster_policy(const struct xds_tree *policy);
/* "service config of "shop", virtual host "all", as client core" */
void xds_out_config_title(struct xds_out *out, const struct xds_config *config);

/* ---- comparisons ---- */

/* "added", "removed", "changed", "moved". */
const char *xds_change_name(enum xds_change_kind kind);
/* How many resources were added, removed or changed. */
size_t xds_diff_count(const struct xds_diff *diff, enum xds_change_kind kind);

/* ---- scenarios ---- */

/* A duration as a scenario writes it: "10s", "1500ms". */
struct xds_short_text xds_span(int64_t ms);

/* ---- pictures ---- */

/* A node's name: a kind and a number, "route3". Kinds are plain words. */
struct xds_dot_node {
    const char *kind;
    size_t number;
};

/* How a node or an edge is drawn; each look differs in line and colour. */
enum xds_dot_look {
    XDS_DOT_PLAIN,
    XDS_DOT_TAKEN,    /* bold: the way of the RPC */
    XDS_DOT_LOST,     /* dashed: not its way */
    XDS_DOT_OVERRIDE, /* bold and dotted: what a cookie decides */
    XDS_DOT_FAILED,   /* bold: where the RPC ends in failure */
};

/* LIST is a box whose successors are in the order of their edges. */
enum xds_dot_shape { XDS_DOT_BOX, XDS_DOT_LIST, XDS_DOT_NOTE, XDS_DOT_TEXT };

/* Boxes and arrows: what a picture shows, before a format draws it.
 * Takes:  nodes and edges in the order in which they are to be drawn. A label is written
 *         in pieces into picture->label, between begin and end.
 * Gives:  labels as plain text, safe for a terminal, of lines that end in '\n' but for
 * the last. Each format escapes them in its own way. */

/* A node, or an edge where to.kind is not NULL. */
struct xds_picture_item {
    struct xds_dot_node from, to;
    struct xds_slice label; /* data NULL: none */
    enum xds_dot_shape shape;
    enum xds_dot_look look;
};

struct xds_picture {
    struct xds_arena *arena;
    struct xds_slice title;
    struct xds_picture_item *items;
    size_t n, cap;
    struct xds_out label;
    struct xds_printer to; /* of the label, into text */
    struct xds_text text;
};

/* Everything here must run under a guard of the arena. The picture does not move. */
void xds_picture_init(struct xds_picture *picture, struct xds_arena *arena);
/* What was written into picture->label since then is the title, which is broken into
 * lines of about this many columns. */
void xds_picture_title_end(struct xds_picture *picture, size_t columns);
void xds_picture_node_begin(struct xds_picture *picture, struct xds_dot_node node);
void xds_picture_node_end(struct xds_picture *picture, enum xds_dot_shape shape,
                          enum xds_dot_look look);
/* Begin, text and end in one. */
void xds_picture_node(struct xds_picture *picture, struct xds_dot_node node,
                      enum xds_dot_shape shape, enum xds_dot_look look,
                      const char *format, ...) XDS_PRINTF(5, 6);
void xds_picture_edge_text(struct xds_picture *picture, struct xds_dot_node from,
                           struct xds_dot_node to, enum xds_dot_look look,
                           const char *format, ...) XDS_PRINTF(5, 6);
/* An edge without a label. */
void xds_picture_edge(struct xds_picture *picture, struct xds_dot_node from,
                      struct xds_dot_node to, enum xds_dot_look look);

/* As xds_out_format(); "\n" ends a line. A long argument is cut and ends in "...". */
void xds_picture_text(struct xds_picture *picture, const char *format, ...)
    XDS_PRINTF(2, 3);
void xds_picture_locality(struct xds_picture *picture, const struct xds_locality *l);
/* A sentence, broken into short lines. */
void xds_picture_sentence(struct xds_picture *picture, struct xds_slice text);

/* The title, if there is one, nodes and edges as a Graphviz digraph of this name. */
void xds_dot_picture(struct xds_out *out, const char *graph,
                     const struct xds_picture *picture);
/* Several pictures in one digraph, without titles: begin, parts with numbers of their own
 * from 1 on, end. */
void xds_dot_begin(struct xds_out *out, const char *graph);
void xds_dot_part(struct xds_out *out, const struct xds_picture *picture, size_t part);
void xds_dot_end(struct xds_out *out);

/* Where the boxes are in a picture that reads from left to right.
 * Takes:  a picture whose edges go from a column to one further right, mostly.
 * Gives:  boxes in columns, in pixels. A box belongs to the first one that points to it;
 *         those that belong to one are below each other, and it is in their middle.
 *         So no two boxes overlap. Text is measured by counting its characters. */

enum {
    XDS_BOX_LINE = 16,    /* height of a line of text */
    XDS_BOX_PAD = 9,      /* around the text */
    XDS_BOX_COLUMNS = 36, /* characters of a line; what is longer is cut */
    XDS_BOX_LINES = 6,
    XDS_PICTURE_COLUMNS = 16,
};

/* Which column nodes of a kind are in, and what they link to. */
struct xds_picture_kind {
    const char *kind;
    unsigned column;
    const char *link; /* "#id", or NULL */
};

/* Kinds that the list does not have are right of what points to them. */
struct xds_picture_form {
    const struct xds_picture_kind *kinds;
    size_t n;
};

#define XDS_NO_BOX SIZE_MAX

struct xds_box {
    const struct xds_picture_item *item;
    const struct xds_picture_kind *kind; /* NULL: not in the list */
    struct xds_slice lines[XDS_BOX_LINES];
    size_t n_lines;
    size_t up; /* the box that it belongs to, or XDS_NO_BOX */
    unsigned column;
    uint32_t x, y, width, height;
};

static inline uint32_t xds_box_middle(const struct xds_box *box)
{
    return box->y + box->height / 2;
}

struct xds_layout {
    struct xds_box *boxes;
    size_t n;
    uint32_t width, height;
};

/* Must run under a guard of the arena. */
void xds_picture_layout(struct xds_layout *out, struct xds_arena *arena,
                        const struct xds_picture *picture,
                        const struct xds_picture_form *form);
/* The number of the box, or XDS_NO_BOX. */
size_t xds_layout_find(const struct xds_layout *layout, struct xds_dot_node node);
/* The first line of *label, without it; false at its end. */
bool xds_picture_next_line(struct xds_slice *label, struct xds_slice *line);

/* Looks are classes that html.css draws. Must run under a guard of the arena. */
void xds_svg_picture(struct xds_out *out, struct xds_arena *arena,
                     const struct xds_picture *picture,
                     const struct xds_picture_form *form);

/* ---- decisions ---- */

/* "1/3 (33.3%)" where people can read the fraction, else "33.333%" of its value. */
struct xds_short_text xds_share_text(struct xds_share share, double value);
/* The text in quotes as a JSON value, or null. */
void xds_json_share(struct xds_out *out, struct xds_share share);

/* The section "priorities", where there is anything to tell, and the JSON list. */
void xds_print_priorities_text(struct xds_out *out, const struct xds_decision *d);
void xds_print_priorities_json(struct xds_out *out, const struct xds_decision *d);
/* The sections "ring" of the page; every endpoint when `all` is set. */
void xds_print_rings_text(struct xds_out *out, const struct xds_decision *d, bool all);
/* The value of "rings": a list, or null when it was not requested. */
void xds_print_rings_json(struct xds_out *out, const struct xds_decision *d);

/* Sections after the page; nothing when nothing was asked. */
void xds_print_observed_text(struct xds_out *out, const struct xds_decision *d);
/* The keys "observed" and "why_not". */
void xds_print_observed_json(struct xds_out *out, const struct xds_decision *d);

/* What becomes of the RPC. */
void xds_text_answer(struct xds_out *out, const struct xds_decision *d);

/* Writes something about a decision. */
typedef void (*xds_section_fn)(struct xds_out *out, const struct xds_decision *d);

/* The method config as one JSON value; null when there is none. */
void xds_json_method_config(struct xds_out *out, const struct xds_decision *d);

/* "weighted cluster", "route" ... */
const char *xds_config_level_words(enum xds_config_level level);
/* region/zone/sub_zone without what is not set; false when nothing is. */
bool xds_out_locality(struct xds_out *out, xds_put_fn *put, const struct xds_locality *l);
/* The key "locality"; null without one. */
void xds_json_locality(struct xds_out *out, const struct xds_locality *l);

/* As a section of a page. */
void xds_decision_svg(struct xds_out *page, struct xds_arena *arena,
                      const struct xds_decision *d);

/* What cannot be computed is null in JSON. */
static inline double xds_json_probability(double probability)
{
    return probability == XDS_NOT_COMPUTABLE ? (double)NAN : probability;
}

/* ---- HTML ---- */

/* What the HTML reports are made of: the page around them, text,
 * filters.
 * A page is one file that needs nothing else. Its style and its script are html.css and
 * html.js, the same on every page, so that a Content-Security-Policy can name their
 * hashes and forbid all else, the network first. No text of the input ever is in a
 * script: the script reads the document.
 * Markup is written with xds_out_text() and xds_html_format(); whatever is not a literal
 * goes through the functions below, or is text of a document. */

/* Up to <main>, for "xdscope NAME"; from </main> on, with the version of the tool. */
void xds_html_begin(struct xds_out *out, const char *name);
void xds_html_end(struct xds_out *out);

/* Text from the input, between tags or in an attribute's quotes, as xds_out_clean() has
 * it. */
void xds_html_text(struct xds_out *out, struct xds_slice s);
/* Markup and text: as xds_out_format(), the arguments escaped as above. */
void xds_html_format(struct xds_out *out, const char *format, ...) XDS_PRINTF(2, 3);
/* ' name="value"' */
void xds_html_attribute(struct xds_out *out, const char *name, struct xds_slice value);
/* Text in <code>. */
void xds_html_code(struct xds_out *out, struct xds_slice s);

/* Text that is clean already. */
void xds_html_escape(struct xds_out *out, struct xds_slice s);

/* html.js filters what has data-item. A control named N shows the items whose data-N, a
 * list of words, has its value; "q" searches their text. What has data-group is hidden
 * with the last of its items, and its data-count tells how many are left. */

struct xds_html_option {
    const char *value, *label;
};

/* Up to the first control; the page needs the script. */
void xds_html_filters_begin(struct xds_out *out, const char *what);
/* Check boxes, all of them checked at first. */
void xds_html_filter_boxes(struct xds_out *out, const char *name, const char *label,
                           const struct xds_html_option *options, size_t n);
/* A list with "any" in front; without options the values that the items have. */
void xds_html_filter_list(struct xds_out *out, const char *name, const char *label,
                          const struct xds_html_option *options, size_t n);
/* A check box that shows only the items with this value. */
void xds_html_filter_only(struct xds_out *out, const char *name,
                          struct xds_html_option option);
/* Search, reset, and how many items are shown. */
void xds_html_filters_end(struct xds_out *out);

/* ---- XML ---- */

/* What stands for a character that is markup in XML and in HTML; NULL for any other. */
const char *xds_xml_entity(char c);
/* Any bytes as the text of an element: markup is escaped, and what XML cannot hold, such
 * as control characters and bytes that are not UTF-8, becomes U+FFFD. */
void xds_xml_text(struct xds_out *out, struct xds_slice text);
/* Markup and text: as xds_out_format(), the arguments escaped as above. */
void xds_xml_format(struct xds_out *out, const char *format, ...) XDS_PRINTF(2, 3);
/* The same between the quotes of an attribute. */
void xds_xml_in_attribute(struct xds_out *out, const char *format, ...) XDS_PRINTF(2, 3);
/* A blank, then name="value". */
void xds_xml_attribute(struct xds_out *out, const char *name, struct xds_slice value);

#endif
