/*
 * report.h - the inside of struct xds_report: collecting resources and findings.
 *
 * Findings come in visit order, with copied paths. A report outlives all resources; its
 * memory grows with names and findings only, never with the input.
 */
#ifndef XDS_REPORT_REPORT_H
#define XDS_REPORT_REPORT_H

#include "base/path.h"
#include "base/strmap.h"
#include "clients/readers.h"

/* The verdicts of a struct xds_rule: so many bits for each client, of which the highest
 * one that is set, an enum xds_verdict, counts; a client without any does as the
 * documents. */
enum { XDS_VERDICT_BITS = XDS_CRASH + 1 };

enum { XDS_HELD_STATUSES = XDS_HELD_TIMEOUT + 1 };

/* A finding, or what it is related to, that has no place yet, and the way to it. */
struct xds_unplaced {
    struct xds_steps steps;
    struct xds_related *related; /* NULL: the finding itself */
    uint32_t finding;            /* that one */
    uint32_t resource;           /* that the place is in; or XDS_NO_RESOURCE */
};

/* A comment of the input that speaks to xdscope. */
struct xds_comment {
    struct xds_place at;         /* from the '#' on */
    uint32_t text_column;        /* where text begins */
    struct xds_slice text;       /* what is after "xdscope:" */
    uint32_t line;               /* the line it is about; 0: none follows */
    bool on_top;                 /* nothing but comments is in front of it */
    struct xds_comment *next;    /* in the order of the input */
    struct xds_comment *waiting; /* the one before, while both have no line yet */
};

/* What is reported once in a run, and which finding tells it. */
struct xds_telling {
    struct xds_slice key;
    uint32_t others[8]; /* further resources that have it: the first ones, and the last */
    uint32_t n_others;
    bool has_finding;
    size_t finding; /* until the report is sorted */
    size_t repeat;  /* of a part: the latest one of this key */
};

/* What a resource of a part has that was reported before, by that part. */
struct xds_repeat {
    struct xds_slice key;
    uint32_t times;
};

enum xds_foreign_kind {
    XDS_FOREIGN_KUBERNETES,
    XDS_FOREIGN_XDSCOPE,
    XDS_FOREIGN_BOOTSTRAP,
    XDS_FOREIGN_EXCERPT, /* of a bootstrap, see XDS_BOOTSTRAP_KEY */
    XDS_FOREIGN_UNKNOWN
};

static inline bool xds_foreign_is_bootstrap(enum xds_foreign_kind kind)
{
    return kind == XDS_FOREIGN_BOOTSTRAP || kind == XDS_FOREIGN_EXCERPT;
}

/* The type of a gRPC bootstrap, which is judged like a resource and counted apart. */
#define XDS_BOOTSTRAP_TYPE "grpc.Bootstrap"

static inline bool xds_result_is_bootstrap(const struct xds_resource_result *result)
{
    return xds_slice_is(result->type, XDS_BOOTSTRAP_TYPE);
}

/* A file of a folder with a document that is not xDS. */
struct xds_foreign {
    enum xds_foreign_kind kind;
    struct xds_place at;   /* of the first such document */
    struct xds_slice what; /* "a Kubernetes object (Service)" */
};

/* What the report lacks. */
struct xds_input_error {
    struct xds_slice file;
    uint32_t line; /* 0: it is about the file */
    struct xds_slice message;
};

enum xds_file_mark {
    XDS_FILE_ANSWER = 1, /* no file, see xds_source_add_answer() */
    XDS_FILE_NAMED = 2,  /* by the user: it was not found in a folder */
    XDS_FILE_FOLDER = 4, /* a folder without any snapshot file */
    XDS_FILE_SAYS = 8,   /* it has a resource, or a fault that says why it has none */
};

/* Whose verdicts are asked for: see xds_report_set_readers(). */
struct xds_report_readers {
    size_t n;
    struct xds_client_release at[XDS_MAX_READERS];
    xds_readers of_client[XDS_CLIENTS]; /* the readers of each client */
    const struct xds_verdict_sets *of_rule;
    const struct xds_verdict_sets *last_sets; /* of a finding */
};

/* Findings without a place yet, in the order in which they were added. */
struct xds_report_unplaced {
    struct xds_unplaced *list;
    size_t n, cap;
    size_t n_waiting; /* the first of them wait for the end: of earlier snapshots */
};

/* Of a part: what is counted in the report that it is merged into. */
struct xds_report_repeats {
    struct xds_repeat *list;
    size_t n, cap;
    size_t of_resource; /* the first one of the resource in work */
};

struct xds_report_part {
    bool is_one;      /* what is found here is merged into another report */
    bool only_counts; /* ... that is full: but for what is reported once */
    struct xds_report_repeats repeats;
};

struct xds_report_comments {
    struct xds_comment *first, *last;
    size_t n;                  /* also of those that turned out to be text */
    struct xds_place too_many; /* where the limit of comments was reached; or line 0 */
};

/* What is wrong with the input outside of resources. */
struct xds_report_input {
    struct xds_input_error *errors;
    size_t n_errors, cap_errors;
    size_t n_unread;         /* parts of it with a fault */
    struct xds_place unread; /* the first of them */
    struct xds_foreign *foreign;
    size_t n_foreign, cap_foreign;
    const struct xds_rule *counts_foreign; /* the finding of this rule counts them */
    const char *kind;                      /* of a document that is not xDS; or NULL */
};

struct xds_report_impact {
    struct xds_impact *list; /* by resource */
    size_t n, cap;
    struct xds_impact_sum sum;
};

struct xds_report_files {
    struct xds_slice *names;
    unsigned char *marks; /* of each, of enum xds_file_mark */
    size_t n, cap, cap_marks;
};

struct xds_report_scopes {
    struct xds_slice *list; /* of the ClientConfigs, by their number */
    size_t n, cap;
};

/* What is reported once. */
struct xds_report_once {
    struct xds_strmap keys;  /* struct xds_telling */
    struct xds_telling *now; /* the next finding is the one that tells it, or NULL */
};

/* What others share with the report, who lets go of it at its end. */
struct xds_report_share {
    void *of; /* NULL: nothing */
    void (*let_go)(void *of);
};

struct xds_report {
    struct xds_arena arena; /* what is below, but for arrays that grow */
    struct xds_pool texts;  /* paths, messages, types: what repeats */
    /* Steps of what has no place yet; of a part, also what others copy. Emptied when that
     * is over. */
    struct xds_arena passing;
    struct xds_pool steps; /* in there */
    struct xds_options options;
    struct xds_report_readers readers;
    struct xds_report_files files;
    struct xds_resource_result *resources;
    size_t n_resources, cap_resources;
    struct xds_finding *findings;
    size_t n_findings, cap_findings;
    size_t n_hidden;     /* findings after those, taken out by xds_report_keep() */
    size_t n_suppressed; /* findings after the hidden ones */
    struct xds_report_unplaced unplaced;
    size_t of_resource; /* findings of the resource in work */
    size_t read_before; /* 0, or those of an earlier reading of it */
    size_t dropped;     /* findings over a limit */
    struct xds_report_once once;
    bool of_older; /* checks are made again, for an older release: they count nothing */
    bool is_line;  /* it is about one line of a stream, not a snapshot */
    struct xds_report_part part;
    struct xds_report_comments comments;
    struct xds_report_input input;
    struct xds_report_impact impact;
    struct xds_report_scopes scopes;
    bool *has_target; /* which targets of the options have a listener; NULL: none asked */
    struct xds_report_share share;
};

/* All of these must run under a guard of report->arena. Arrays may move when something is
 * added to them; the texts in them never do. */

/* The client_scope of a ClientConfig, which may come after its resources; and what was
 * said of one, empty where nothing was. */
void xds_report_name_scope(struct xds_report *report, uint32_t config,
                           struct xds_slice scope);
struct xds_slice xds_report_scope(const struct xds_report *report, uint32_t config);

/* As new, with the same options; its memory stays for reuse. */
void xds_report_reset(struct xds_report *report);
uint32_t xds_report_add_file(struct xds_report *report, struct xds_slice name);
uint32_t xds_report_add_answer(struct xds_report *report, struct xds_slice name);
/* No line of it can be named: a server has sent it. */
bool xds_report_is_answer(const struct xds_report *report, uint32_t file);
/* type and name are copied. The new resource is the one in work. */
uint32_t xds_report_add_resource(struct xds_report *report, struct xds_slice type,
                                 struct xds_slice name, struct xds_place at);
/* Give the resource in work its name and type, once they are known. */
void xds_report_name_resource(struct xds_report *report, uint32_t resource,
                              struct xds_slice type, struct xds_slice name);

/* The resource in work is read once more, for other clients: what is found again adds its
 * verdicts to the finding that is there. */
void xds_report_read_again(struct xds_report *report);

/* verdict: who does what, NULL: the same for all, by the rule; a finding that all accept
 * is dropped unless its rule is of syntax or hygiene. place NULL: to be located from the
 * path later. False when nothing was added, then or because the report is full. */
bool xds_report_add(struct xds_report *report, const struct xds_rule *rule,
                    uint32_t resource, const struct xds_path *path,
                    const struct xds_place *place, const struct xds_verdict_sets *verdict,
                    struct xds_slice message);
/* These reject the resource before they come to what kills those that read all of it. */
void xds_report_survive(struct xds_report *report, uint32_t resource,
                        xds_readers readers);
/* How C-core says what was added last. */
void xds_report_add_core(struct xds_report *report, struct xds_slice words);
/* What is meant in place of what was added last. */
void xds_report_add_instead(struct xds_report *report, struct xds_slice text);
/* That it is about such a field, see struct xds_finding. */
void xds_report_add_unread(struct xds_report *report, struct xds_slice field);
/* A document that is not xDS, see struct xds_foreign; of a file the first one counts. */
void xds_report_add_foreign(struct xds_report *report, enum xds_foreign_kind kind,
                            struct xds_place at, struct xds_slice what);
/* One finding that counts them, once all files are read. */
void xds_report_count_foreign(struct xds_report *report, const struct xds_rule *rule);
/* Is it the first time for this key in the run? Then the finding that is added next tells
 * it, and is known by the key and not by where it is. Otherwise the finding of the
 * first time counts one more repetition, and there is nothing to add. */
bool xds_report_is_first(struct xds_report *report, struct xds_slice key);
/* Tell of another place in the finding that was added last. place NULL: to be located
 * from the path, in the same resource. */
void xds_report_relate(struct xds_report *report, uint32_t resource,
                       const struct xds_path *path, const struct xds_place *place,
                       const char *format, ...) XDS_PRINTF(5, 6);
/* A finding with a known place whose verdict is that of its row; false as above. */
bool xds_report_at(struct xds_report *report, const struct xds_rule *rule,
                   uint32_t resource, struct xds_place place, const char *format, ...)
    XDS_PRINTF(5, 6);

/* It is not judged: forget who rejects it. What is found in it goes with
 * xds_report_drop_unjudged(). */
void xds_report_leave_out(struct xds_report *report, uint32_t resource,
                          enum xds_unjudged why);
/* Once no more is found: take out the findings of resources that are not judged. One that
 * stands for others goes to a resource that is judged and has the same. */
void xds_report_drop_unjudged(struct xds_report *report);
/* Resources in rising order. */
void xds_report_add_impact(struct xds_report *report, const struct xds_impact *impact);

/* The bit of the reader that stands for a release: of the oldest one that is not before
 * it. */
xds_readers xds_report_reader(const struct xds_report *report,
                              struct xds_client_release who);
/* Clients that are known to have accepted what a finding is about do not reject it, nor
 * die of reading it. True when it said that of one of them. */
bool xds_report_overrule(struct xds_report *report, size_t finding, unsigned clients);
/* The same of the verdict on a resource. */
void xds_report_overrule_resource(struct xds_report *report, uint32_t resource,
                                  unsigned clients);
/* A finding that no client is left for says something else at its place. */
void xds_report_restate(struct xds_report *report, size_t finding,
                        const struct xds_rule *rule, struct xds_slice message);

/* The readers that reject a resource, or die of it, by one of the findings from `first`
 * on. */
xds_readers xds_report_rejecting(const struct xds_report *report, size_t first);

/* The place, to be set; valid until the next finding is added. */
struct xds_place *xds_unplaced_at(const struct xds_report *report,
                                  const struct xds_unplaced *unplaced);
/* What still has no place is where its resource begins. */
void xds_report_place_rest(struct xds_report *report);

/* No room for one more finding of this resource, or of the run: messages need not be made
 * then; xds_report_add() still counts the verdict. */
bool xds_report_is_full(const struct xds_report *report);

/* Who reads, see struct xds_panel, and what they do about each rule: of_rule is borrowed
 * for as long as resources are checked, NULL when all do what the newest releases do.
 * Before, there are the releases asked for. */
void xds_report_set_readers(struct xds_report *report, size_t n,
                            const struct xds_client_release *readers,
                            const struct xds_verdict_sets *of_rule);

/* What the newest releases do, of readers that may be others. */
struct xds_verdict_sets xds_report_verdicts_of(const struct xds_report *report,
                                               const struct xds_rule *rule);

/* Make a part of a new report, and empty it for the next resources: what they left in its
 * arena stays there. */
void xds_report_begin_part(struct xds_report *part);
/* The next resource of a part will be taken without those before it. */
void xds_report_forget_told(struct xds_report *part);

/* Texts that outlive the parts they are in, so that what is in many of them is kept once.
 */
struct xds_texts {
    struct xds_arena arena;
    struct xds_pool pool;
};

void xds_texts_init(struct xds_texts *texts);
void xds_texts_release(struct xds_texts *texts);
/* Change them for those of the part: what is found from now on is kept there. Under no
 * guard. The same call takes them back. */
void xds_report_swap_texts(struct xds_report *part, struct xds_texts *texts);
/* The report owns them from now on. */
void xds_report_adopt_texts(struct xds_report *report, struct xds_texts *texts);

/* All of these must run under a guard of report->arena; texts are shared with the part.
 */

/* Its number in the report; it is the one in work. at: where it is now. */
uint32_t xds_report_take_resource(struct xds_report *report,
                                  const struct xds_resource_result *result,
                                  struct xds_place at);
/* A resource was there when it was judged, and is here now. */
struct xds_move {
    struct xds_place from, to;
};

/* A finding about this resource or about none. What is reported once is reported by the
 * first one in the report. move: NULL where the resource is where it was. */
void xds_report_take(struct xds_report *report, const struct xds_finding *finding,
                     uint32_t resource, const struct xds_move *move);
void xds_report_take_repeat(struct xds_report *report, const struct xds_repeat *repeat);

/* The end of a part: the report owns its texts from now on. */
void xds_report_end_part(struct xds_report *report, struct xds_report *part);

#endif
