/* rules.h - the catalogue of rules, and the way from a log back to it. */
#ifndef XDSCOPE_RULES_H
#define XDSCOPE_RULES_H

#include "common.h"

/* What kind of fault a rule names. */
enum xds_effect {
    XDS_EFFECT_CRASH,   /* the worst that any client does is: die of it */
    XDS_EFFECT_NACK,    /* ... reject */
    XDS_EFFECT_SKIP,    /* ... drop the entry */
    XDS_EFFECT_IGNORE,  /* ... not look at the field */
    XDS_EFFECT_HYGIENE, /* every client accepts; it is a slip all the same */
    XDS_EFFECT_SYNTAX,  /* the input is not xDS: no client ever sees a resource */
};

/* What corrects a finding in the text where it is. */
enum xds_edit {
    XDS_EDIT_NONE,   /* it takes somebody who knows what is meant */
    XDS_EDIT_RENAME, /* the name or value there becomes the one that is meant */
    XDS_EDIT_REMOVE, /* the member there goes, as it repeats another one */
    XDS_EDIT_WRAP, /* the member there gets another name, and its value is a field of that
                      name in it: for who asks for it, as clients do something else then
                    */
};

/* What C-core says in its NACK where the message that a fault is in has others inside. */
enum xds_core_says {
    XDS_CORE_SAYS_ALL,
    XDS_CORE_SAYS_OUTER, /* it reads no more of the message */
    XDS_CORE_SAYS_INNER,
};

/* One row of a .def file. All text is static. */
struct xds_rule {
    const char *id;      /* "STRM_ABSENT" */
    const char *slug;    /* "string-matcher-absent": what users see; stable */
    const char *source;  /* "gRFC A63, spec G31" */
    const char *text;    /* one sentence: what must hold */
    const char *fix;     /* one sentence: what to change */
    const char *message; /* of a finding; {field} and {1} to {4} are filled in */
    const char *core;    /* how C-core says it in its NACK, or NULL */
    const char *field;   /* the field that it is about, or NULL: where it is found */
    const char *crash;   /* what dies of it and when, or NULL: "every process that ..." */
    enum xds_edit edit;
    const char *edit_name; /* of XDS_EDIT_WRAP */
    bool crash_in_use;     /* of what it accepts; false: of reading it */
    bool optional;         /* reported only if asked for, see struct xds_options */
    bool panics;           /* go rejects it by recovery from a panic */
    bool security;         /* of hygiene rows: it lets through what should be stopped */
    enum xds_effect effect;
    enum xds_level level; /* of hygiene and syntax rows */
    uint64_t verdicts;    /* for xds_rule_verdict() */
    enum xds_core_says core_says;
};

/* What the newest release of a client does about a rule. */
XDS_API enum xds_verdict xds_rule_verdict(const struct xds_rule *rule,
                                          enum xds_client client);

/* All rules: an array of *count rows, in the order of the catalogue. */
XDS_API const struct xds_rule *xds_rules(size_t *count);
/* By slug or id; NULL when there is none, *hint is then the nearest slug or NULL. */
XDS_API const struct xds_rule *xds_rule_find(struct xds_slice name, const char **hint);

/* Words that all have to be in what is looked for, in any case of ASCII letters. */
struct xds_words {
    const char *const *items;
    size_t n;
};

/* Whether they are in the name, the text, the source or the correction of a rule. */
XDS_API bool xds_rule_has(const struct xds_rule *rule, struct xds_words words);

/* The site with the pages of rules and the manual, which mk/home.def names; or empty. */
XDS_API const char *xds_site_url(void);

/* A page about a rule: of that site, or else the first gRFC that its source cites; empty
 * where there is none. */
struct xds_rule_url {
    char text[384];
};

XDS_API struct xds_rule_url xds_rule_url(const struct xds_rule *rule);

/* What is known of gRPC's clients, as pages with sections and rows: what the sources of
 * rules cite as "spec G31". They are static, and also the manual pages
 * xdscope-spec-common(7) and so on.
 */
struct xds_spec;

/* A row ("G31", "cluster 1.4/5"), a section ("routing 2.4") or a page ("cluster") by its
 * id, with or without the word spec before it. NULL when there is none; *hint is then the
 * nearest id or NULL. */
XDS_API const struct xds_spec *xds_spec_find(struct xds_slice id, const char **hint);

/* A gRFC whose statements are known one by one, each with the case that holds it. They
 * are static. */
struct xds_grfc;

/* By its number: "A75", "75", "gRFC A75"; NULL when it is not known statement by
 * statement, *hint is then the nearest name or NULL. */
XDS_API const struct xds_grfc *xds_document_find(struct xds_slice name,
                                                 const char **hint);
/* The one after this, in the order of their numbers; the first one after NULL. NULL after
 * the last one. */
XDS_API const struct xds_grfc *xds_document_next(const struct xds_grfc *document);
/* "A75". */
XDS_API const char *xds_document_name(const struct xds_grfc *document);

/* A place of a snapshot that is the cause of what a log says. */
struct xds_log_place {
    const struct xds_rule *rule; /* of a finding; NULL: it is what the log names */
    const char *type;            /* "Cluster", of the resource; or "" */
    struct xds_slice name;       /* of the resource */
    struct xds_slice file;       /* as it was given */
    uint32_t line, column;       /* from 1; line 0: what a server has sent has none */
    struct xds_slice path;       /* of the field, "" for the resource */
    struct xds_slice message; /* of the finding; else the value of the field, or absent */
};

/* What a snapshot says of an error or a status text of a log. */
struct xds_log_places {
    bool looked;                      /* false: no snapshot was looked at */
    size_t n, more;                   /* more: places beyond those of the list */
    const struct xds_log_place *list; /* the likeliest first */
    const char *missing;              /* "Cluster": no resource of this type has the name
                                         that the log has; or NULL */
    struct xds_slice missing_name;
    const struct xds_log_place *nearest; /* to the missing one, or NULL */
    const struct xds_log_place *other;   /* the resource is there and does not break the
                                            rule: the log is of another version; or NULL */
};

/* A rule that an error in a log is probably of. */
struct xds_log_match {
    const struct xds_rule *rule;
    unsigned clients; /* mask: who words the error so */
};

/* One error that was found in a log. An absent text is one that the log does not tell. */
struct xds_log_error {
    const char *type;          /* "Cluster": the kind of the resource, or "" */
    struct xds_slice resource; /* its name */
    struct xds_slice path;     /* "virtual_hosts[0].domains", in C-core's grammar */
    struct xds_slice message;  /* as it is in the log */
    size_t n_matches;          /* 0: no client is known to say so */
    const struct xds_log_match *matches; /* best first */
    const struct xds_rule *nearest;      /* for an unknown message, or NULL */
    size_t count;                        /* how often the log has it */
    uint32_t line;                       /* of the first time, from 1 */
    struct xds_log_places places;        /* see xds_check_place_log() */
};

/* What a status text names, where it names something. */
enum xds_named {
    XDS_NAMED_NOTHING,
    XDS_NAMED_PART, /* nothing, and it is only a part of a longer text */
    XDS_NAMED_LISTENER,
    XDS_NAMED_ROUTE,
    XDS_NAMED_CLUSTER,
    XDS_NAMED_ENDPOINT,
    XDS_NAMED_AUTHORITY,
    XDS_NAMED_METHOD,
    XDS_NAMED_CATEGORY,
    XDS_NAMED_NAME,  /* of something else */
    XDS_NAMED_OUTER, /* nothing; around a text that says why, or by itself */
};

/* Why an RPC fails, or a control plane does not answer. All text is static. */
struct xds_rpc_failure {
    const char *id;     /* "NO_ROUTE" */
    const char *slug;   /* "rpc-no-route": what users see; stable */
    const char *text;   /* one sentence: what has happened */
    const char *causes; /* what in the configuration does it, the usual one first */
    const char *show; /* the command that shows it; C, NAME, METHOD are to be filled in */
    const char *rules;  /* slugs, with a blank between: whose findings are causes; "NACK":
                           all that a client rejects, "CRASH": all that it dies of */
    const char *fields; /* fields that are causes, as in status.def */
    enum xds_named names;
};

/* By slug or id; NULL when there is none, *hint is then the nearest slug or NULL. */
XDS_API const struct xds_rpc_failure *xds_rpc_failure_find(struct xds_slice name,
                                                           const char **hint);
/* Whether the words are in the name, the text, the causes or what clients say; after
 * `last`, or the first one (NULL). NULL: no further one has them. */
XDS_API const struct xds_rpc_failure *
xds_rpc_failure_next(const struct xds_rpc_failure *last, struct xds_words words);

/* A status text that was found in a log. */
struct xds_log_status {
    const struct xds_rpc_failure *failure;
    struct xds_slice message; /* as it is in the log, without the quoting of the log */
    struct xds_slice name;    /* what it names, or absent */
    unsigned clients;         /* mask: who words it so; 0: control planes */
    size_t count;             /* how often the log has it */
    uint32_t line;            /* of the first time, from 1 */
    struct xds_log_places places; /* see xds_check_place_log() */
};

/* The longest text that xds_log_read() takes, in bytes, and how many errors it tells. */
#define XDS_LOG_TEXT_MAX ((size_t)256 << 10)
#define XDS_LOG_ERRORS_MAX 1000

struct xds_log;

/* Find the errors in any text that holds NACK messages of gRPC clients: the bare message,
 * one log line or many, of one client or several. Errors that a text of C-core names by
 * field are all reported, known or not; of other lines only those that are known, unless
 * none is. The text is copied. Time is linear in its length. *out is NULL unless XDS_OK;
 * XDS_ERR_USAGE when the text is longer than XDS_LOG_TEXT_MAX. */
XDS_API XDS_MUST_USE enum xds_status xds_log_read(struct xds_slice text,
                                                  struct xds_log **out);
XDS_API void xds_log_free(struct xds_log *log);
XDS_API size_t xds_log_errors(const struct xds_log *log);
/* NULL after the last one. It and its texts live as long as the log. */
XDS_API const struct xds_log_error *xds_log_error(const struct xds_log *log, size_t i);

/* The status texts of RPCs in the same log, each once, in the order of the log, at most
 * XDS_LOG_ERRORS_MAX. Texts of one row and of one name are the same, also where numbers
 * in them differ. */
XDS_API size_t xds_log_statuses(const struct xds_log *log);
/* NULL after the last one. It and its texts live as long as the log. */
XDS_API const struct xds_log_status *xds_log_status(const struct xds_log *log, size_t i);

#endif
