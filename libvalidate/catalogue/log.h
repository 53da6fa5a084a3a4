/* log.h - logs of clients: their forms, their paths, and the words of their faults. */
#ifndef XDS_CATALOGUE_LOG_H
#define XDS_CATALOGUE_LOG_H

#include "base/arena.h"
#include "base/slice.h"
#include "catalogue/rule.h"

/* Texts with holes, which match any text, also none: "*", and those of the words of
 * rules, {field} and {1} to {4}. There is no other special character, so the leftmost
 * place of every piece is a right one and a match never backtracks. */

/* All of text is one match. */
bool xds_glob_matches(const char *pattern, struct xds_slice text);
/* Where in text the leftmost match is; a hole at its end is empty. */
bool xds_glob_search(const char *pattern, struct xds_slice text, struct xds_slice *out);
/* The length of the hole that the pattern begins with; 0 when it begins with none. */
size_t xds_glob_hole(const char *pattern);
/* How many characters of the pattern are outside of holes. */
size_t xds_glob_weight(const char *pattern);

/* Indexes and map keys differ from snapshot to snapshot, so a step only knows whether it
 * has one: "routes[2]" and "routes[]" are one step. Of the type in "value[...]" only the
 * last part counts, "value[*]" is any, and a TypedStruct around it is left out. */

/* The deepest path of C-core, 16 levels of LB policies, has about 70. */
#define XDS_LOG_STEPS 128

struct xds_log_step {
    struct xds_slice name;
    struct xds_slice type; /* of "value[TYPE]", without its package */
    bool subscript;
};

struct xds_log_path {
    size_t n;
    struct xds_log_step step[XDS_LOG_STEPS];
};

/* The steps of text after a first one, the kind of resource, which may be empty. A path
 * with more steps than there is room for has none. */
void xds_log_path_read(struct xds_log_path *out, const char *root, struct xds_slice text);
/* Compare from the end until one of the two is used up: the path of a log may be cut off,
 * and a pattern names what tells it apart. */
bool xds_log_path_ends(const struct xds_log_path *path, const char *pattern);

/* "[field:PATH error:MSG; field:PATH errors:[A; B]]" is somewhere in a line; messages
 * may hold brackets, quotes and field lists of their own. */

struct xds_log_fields {
    struct xds_slice rest; /* of the line, after the message that was given last */
    struct xds_slice path; /* of the messages in work */
    bool many;             /* inside "errors:[...]" */
};

/* The next message, and the path it is about; false after the last one. */
bool xds_log_fields_next(struct xds_log_fields *fields, struct xds_slice *path,
                         struct xds_slice *message);

/* "Cluster message validation failed: [A,PATH: B]" is somewhere in a line. Nothing is
 * quoted in it: a comma after which no space follows parts errors, outside of brackets.
 */

struct xds_log_list {
    struct xds_slice rest; /* after the error that was given last */
    bool open;             /* inside of the list */
};

struct xds_log_list xds_log_list_of(struct xds_slice line);
/* The next error, and the path in front of it, which is empty where there is none; false
 * after the last one, list->rest is then what is after the list. */
bool xds_log_list_next(struct xds_log_list *list, struct xds_slice *path,
                       struct xds_slice *message);

/* The first place in gRPC of a trace of java, whose lines the text begins with; empty
 * when it has none. */
struct xds_slice xds_log_frame(struct xds_slice text);
/* Leaves out lines of a trace of which another one says more. */
void xds_log_drop_crashes(struct xds_log *log);

/* What C-core says is in the row of the rule (.core, .field). The rows of log_core.def,
 * where that is not enough, log_go.def, log_java.def and log_node.def:
 *
 * XDS_LOG(RULE_ID, CLIENTS, path, message)
 *     CLIENTS: CORE, GO, JAVA, NODE or several of them with | between. path: the last
 *     steps of the path of C-core or node, as xds_log_path_ends() compares them; "" where
 * any will do or there is none. message: a text with "*" for what differs from log to
 * log. XDS_LOG_ROW("ROW", CLIENTS, message) the same for the rules whose source cites
 * this row of the catalogue of verdicts and which these clients reject. */

#define XDS_LOG_HITS 8 /* that one error is answered with */

/* A rule that an error may be of. */
struct xds_log_hit {
    const struct xds_rule *rule;
    unsigned clients; /* who words it so */
    size_t weight;    /* how many characters agree: the larger, the better */
};

/* The best ones, best first. */
struct xds_log_hits {
    size_t n;
    struct xds_log_hit hit[XDS_LOG_HITS];
};

/* Who words what: a row of the tables, for those who show them. */
struct xds_log_wording {
    unsigned clients;
    const char *path, *message;
};

/* What one of the clients says of a field. */
void xds_log_hits_of_field(const struct xds_log_path *path, struct xds_slice message,
                           unsigned clients, struct xds_log_hits *out);
/* Room for the matches of one line without fields, used for one line after the other. */
struct xds_log_prose;
struct xds_log_prose *xds_log_prose_new(struct xds_arena *arena);
void xds_log_prose_read(struct xds_log_prose *prose, struct xds_slice line);
/* The errors of the line, the clearest first. *message is the part of the line that says
 * it. */
bool xds_log_prose_next(struct xds_log_prose *prose, struct xds_slice *message,
                        struct xds_log_hits *out);
/* The rule of whose wording the message is the beginning, such as a text that a log has
 * cut off; NULL when there is none, or several. */
const struct xds_rule *xds_log_nearest(struct xds_slice message);
/* The next wording of a rule from *i on; *i moves past it. False after the last one. */
bool xds_log_wording_of(const struct xds_rule *rule, size_t *i,
                        struct xds_log_wording *out);

struct xds_log {
    struct xds_arena arena; /* of the text and all that was made from it */
    struct xds_log_error *errors;
    size_t n;
    struct xds_log_status *statuses;
    size_t n_statuses;
    uint32_t n_lines;
};

#endif
