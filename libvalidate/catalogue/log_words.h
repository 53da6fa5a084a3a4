/*
 * log_words.h - how clients word the faults that the rules name.
 *
 * What C-core says is in the row of the rule (.core, .field). The rows of log_core.def,
 * where that is not enough, log_go.def, log_java.def and log_node.def:
 *
 * XDS_LOG(RULE_ID, CLIENTS, path, message)
 *     CLIENTS: CORE, GO, JAVA, NODE or several of them with | between. path: the last
 *     steps of the path of C-core or node, as log_path.h compares them; "" where any will
 *     do or there is none. message: a text with "*" for what differs from log to log.
 * XDS_LOG_ROW("ROW", CLIENTS, message)
 *     the same for the rules whose source cites this row of the catalogue of verdicts and
 *     which these clients reject.
 */
#ifndef XDS_CATALOGUE_LOG_WORDS_H
#define XDS_CATALOGUE_LOG_WORDS_H

#include "base/arena.h"
#include "catalogue/log_path.h"
#include "catalogue/rule.h"

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
/* The rule whose wording or text shares most words with an unknown message; NULL when
 * none shares any. */
const struct xds_rule *xds_log_nearest(struct xds_slice message);
/* The next wording of a rule from *i on; *i moves behind it. False after the last one. */
bool xds_log_wording_of(const struct xds_rule *rule, size_t *i,
                        struct xds_log_wording *out);

#endif
