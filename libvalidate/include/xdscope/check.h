/* check.h - read resources from files and judge them. */
#ifndef XDSCOPE_CHECK_H
#define XDSCOPE_CHECK_H

#include "report.h"

enum xds_resource_type {
    XDS_TYPE_UNKNOWN,
    XDS_TYPE_LISTENER,
    XDS_TYPE_ROUTE,
    XDS_TYPE_CLUSTER,
    XDS_TYPE_ENDPOINT,
};

/* "listener", "route", "cluster", "endpoint"; also the full message names and type
 * URLs. XDS_TYPE_UNKNOWN when it is none. */
XDS_API enum xds_resource_type xds_resource_type_from_name(struct xds_slice name);

enum xds_format {
    XDS_FORMAT_JSON,
    XDS_FORMAT_YAML,
    XDS_FORMAT_BINARY,     /* protobuf's wire form */
    XDS_FORMAT_TEXT_PROTO, /* protobuf's text format */
};

/* The envoy.service.discovery.v3.Resource wrapper around a resource, where there is one.
 */
enum xds_wrapper {
    XDS_WRAPPER_NONE,
    XDS_WRAPPER_OK,          /* bytes are those of the inner resource */
    XDS_WRAPPER_UNDECODABLE, /* bytes are those of the wrapper */
    XDS_WRAPPER_EMPTY,       /* it holds no resource; bytes are those of the wrapper */
};

/* One resource as it is in the input. Valid until the next call on the source. */
struct xds_resource {
    enum xds_format format;
    enum xds_resource_type type; /* XDS_TYPE_UNKNOWN: only type_url knows */
    struct xds_slice type_url;   /* as written; empty if only the place tells the type */
    struct xds_slice
        expected;          /* type_url of the response, as written; empty if unknown */
    struct xds_slice name; /* from a wrapper or {name, resource}, if it has one */
    enum xds_wrapper wrapper;
    bool is_static;         /* of a bootstrap, or of those in a dump: needs no name */
    bool is_untyped;        /* binary: nothing but its bytes tells the type */
    bool is_bootstrap;      /* it is a gRPC bootstrap; see struct xds_options */
    struct xds_slice bytes; /* the text or the wire bytes of this resource alone */
    struct xds_place at;    /* where bytes begin */
    const void *tokens;     /* YAML, text proto: what was recorded of it, private to the
                             * library */
    const struct xds_held *held; /* of a dump: what the client says of it; or NULL */
};

struct xds_source;

/* A source reports what it cannot read as syntax findings to report. type: of resources
 * that do not say their own, or XDS_TYPE_UNKNOWN. NULL when there is no memory. */
XDS_API struct xds_source *xds_source_new(struct xds_report *report,
                                          enum xds_resource_type type);
XDS_API void xds_source_free(struct xds_source *source);
/* A file, a folder (read recursively, in byte order of the names) or "-". The path is
 * copied. XDS_ERR_IO when it does not exist or cannot be read; nothing is added then. */
XDS_API XDS_MUST_USE enum xds_status xds_source_add(struct xds_source *source,
                                                    const char *path);
/* Bytes in memory under a name; the bytes must outlive the source. */
XDS_API XDS_MUST_USE enum xds_status
xds_source_add_bytes(struct xds_source *source, const char *name, struct xds_slice bytes);
struct xds_found_file {
    const char *name;
    struct xds_slice bytes; /* must outlive the source */
};
/* A folder that the caller has read, as xds_source_add() reads one: a file in it
 * that holds no xDS and files of other extensions are skipped; no file at all is a
 * finding. The names have that of the folder before them, and are in byte order. */
XDS_API XDS_MUST_USE enum xds_status
xds_source_add_folder(struct xds_source *source, const char *name,
                      const struct xds_found_file *files, size_t n);
/* The source reads these bytes, such as the text in an editor, instead of a file that was
 * added or found in a folder. They must outlive the source; the path is as reports have
 * it. False when no file with this path is still to be read. */
XDS_API bool xds_source_replace(struct xds_source *source, struct xds_slice path,
                                struct xds_slice bytes);
/* As xds_source_add_bytes(), of what a server has sent: printers name resources and
 * fields in it by the name, such as "ads://host:443", and no line, since there is no
 * file. */
XDS_API XDS_MUST_USE enum xds_status xds_source_add_answer(struct xds_source *source,
                                                           const char *name,
                                                           struct xds_slice bytes);
/* The next resource; XDS_END after the last one; XDS_ERR_IO with errno set when a file
 * fails while it is read (xds_source_path() names it). Syntax faults are findings, and
 * reading continues after them where that is possible. */
XDS_API XDS_MUST_USE enum xds_status xds_source_next(struct xds_source *source,
                                                     struct xds_resource *out);
/* A key of node.metadata in a dump (CSDS): a string that is a gRPC bootstrap, with only
 * the names that decide verdicts. */
#define XDS_BOOTSTRAP_KEY "xdscope.bootstrap"
/* That of the first client, read like its name below; empty where there is none. Lives as
 * long as the source. */
XDS_API struct xds_slice xds_source_bootstrap(struct xds_source *source);
/* The client whose dump the input is: "go@1.64.1", in the words of xds_options_ask(). The
 * node of a ClientConfig (CSDS) before the first resource says so; empty when none does.
 * Call it before the first xds_source_next(), which then returns what was read for this.
 */
XDS_API struct xds_client_label xds_source_client(struct xds_source *source);
/* What a file, or a folder, is by its first document: "xDS", or such as "a scenario for
 * xdscope simulate"; NULL where that is not known. For messages on a file that was taken
 * for something else. */
XDS_API const char *xds_source_kind(const char *path);
/* No client of a dump has had the node id of the options, as far as was read. False when
 * none is asked for. */
XDS_API bool xds_source_lacks_node(const struct xds_source *source);
/* What was read of the input. Who answers from resources asks first whether that was all:
 * what is missing changes where RPCs go, and what differs. */
struct xds_read_sum {
    size_t resources;  /* of the types that gRPC reads, with those that dumps only name */
    size_t others;     /* of other types */
    size_t unread;     /* parts of the input, outside of resources, that cannot be read */
    size_t unreadable; /* resources whose text is not valid xDS, and that would be used */
    size_t empty;      /* files that were named and have no resource of any type, nor a
                          fault that says why; without dumps */
    uint32_t clients;  /* of dumps: what these do not name, they do not hold */
    bool is_named;     /* an input is not a folder, nor was it found in one */
    struct xds_place first; /* of the unread parts; line 0: they have no place */
};

/* After the last resource was checked. */
XDS_API struct xds_read_sum xds_source_sum(const struct xds_source *source);
/* Something was read, also that clients hold nothing, and nothing is missing. */
static inline bool xds_read_is_whole(const struct xds_read_sum *reading)
{
    return reading->resources + reading->clients > 0 && reading->unread == 0 &&
           reading->unreadable == 0 && reading->empty == 0;
}
/* One file of a source that was read, from its start once more, to look closer at some of
 * its resources. file: as in xds_place. report: another one, for what it finds again.
 * NULL when it cannot be read twice (standard input), or there is no memory: errno is
 * ENOMEM then, and 0 else. The first source must outlive it. */
XDS_API struct xds_source *xds_source_again(const struct xds_source *source,
                                            uint32_t file, struct xds_report *report);
/* The file in work, for error messages. */
XDS_API const char *xds_source_path(const struct xds_source *source);

struct xds_check;

/* Decodes and judges resources one by one. keep: keep their models, for explain, and do
 * without the checks beyond NACK. report is borrowed. NULL when there is no memory. */
XDS_API struct xds_check *xds_check_new(struct xds_report *report, bool keep);
XDS_API void xds_check_free(struct xds_check *check);
/* What runs have judged, for those that come later: there a resource that is as it was is
 * not judged again. What is found, and its order, is the same as without a memo. */
struct xds_memo;

/* A resource of more bytes of text than `largest` is always judged again: what is kept of
 * one may be hundreds of times as large. 1 MB suits snapshots, 64 KB a text in an editor.
 * NULL when there is no memory. */
XDS_API struct xds_memo *xds_memo_new(size_t largest);
/* Reports that were made with it may live longer. */
XDS_API void xds_memo_free(struct xds_memo *memo);
/* For all that xds_check_all() will read; before the first resource. A memo serves one
 * thread. It forgets what was judged with other options, or with or without keep, and
 * all of it once that takes more than twice what the first run left, and 4 MB. Without
 * effect where the files of each folder are a snapshot of their own. */
XDS_API XDS_MUST_USE enum xds_status xds_check_remember(struct xds_check *check,
                                                        struct xds_memo *memo);
/* Resources with the type and the name of an earlier one, in what one client reads: how
 * many, the index of the first one and that of the earlier one, for
 * xds_report_resource(). The check keeps models. */
struct xds_replaced {
    size_t n;
    uint32_t resource, earlier;
};
XDS_API struct xds_replaced xds_check_replaced(const struct xds_check *check);
/* The i-th name that an RPC may ask for, NULL after the last one: a listener for clients
 * or, in a dump with several xDS clients of a process, a target. *option is that of the
 * command line. Valid as long as the check, which keeps models. */
XDS_API struct xds_slice xds_check_choice(const struct xds_check *check, size_t i,
                                          const char **option);
/* Decode, rules, lint. All memory of the resource is reused for the next one, except
 * what findings and names need, and the model when keep is set. XDS_END when
 * the run has two million resources already: this one was not read. XDS_ERR_NO_MEMORY:
 * and for all that is asked of the check from now on. */
XDS_API XDS_MUST_USE enum xds_status xds_check_resource(struct xds_check *check,
                                                        const struct xds_resource *in);
/* What kept a resource, or the rest of a file, from being judged. */
struct xds_check_trouble {
    /* XDS_ERR_IO: the file cannot be read on; XDS_ERR_NO_MEMORY: for the resource, or,
     * with line 0, to read on; XDS_END: the run has two million resources already. After
     * the latter two nothing more is read. */
    enum xds_status status;
    struct xds_slice path; /* of the file, as it was given */
    uint32_t line;         /* of the resource, from 1; 0: it is about the file */
    int error;             /* XDS_ERR_IO: the errno */
};

typedef void (*xds_check_tell)(void *user, const struct xds_check_trouble *trouble);

/* More threads are never started. */
#define XDS_MAX_JOBS 256

/* Every resource of the source: xds_source_next() and xds_check_resource() in turn, until
 * the end. jobs: threads that judge while this one reads, if there is enough to do; with
 * 0 or 1 this one does all. The check, and the report, come out the same, byte for byte,
 * for any number. Where threads or memory for them are short there are fewer. Memory
 * grows by about 2 MB with each job, and by what the largest resources take. tell, which
 * may be NULL, is called in this thread and in input order; the path is valid for the
 * call. XDS_OK when every resource was judged, else the status reported last. The report
 * must be the one of the source and of the check; neither may be used by another thread
 * during the call. */
XDS_API XDS_MUST_USE enum xds_status xds_check_all(struct xds_check *check,
                                                   struct xds_source *source,
                                                   unsigned jobs, xds_check_tell tell,
                                                   void *user);
/* More bytes in a line of a stream are not read. */
#define XDS_MAX_LINE ((size_t)64 << 20)

/* One line of a stream of JSON documents, such as NDJSON. */
struct xds_line {
    const char *file; /* as places name it */
    uint64_t number;  /* in the file, from 1 */
    struct xds_slice text;
    bool too_long; /* it has more than XDS_MAX_LINE bytes: that is a finding, and text has
                      no say */
};

/* Judge one line as if it were all there is: whatever the check, its report and the
 * source held before is forgotten, and their memory used again. Calls xds_check_finish()
 * and xds_report_sort() too. The check was made without keep. For tell and the status see
 * xds_check_all(); the report can be printed unless that is XDS_ERR_NO_MEMORY. */
XDS_API XDS_MUST_USE enum xds_status xds_check_line(struct xds_check *check,
                                                    struct xds_source *source,
                                                    const struct xds_line *line,
                                                    xds_check_tell tell, void *user);
/* Look for what goes wrong on the way from an older snapshot to this one: resources that
 * are gone and still named, priorities whose child policies are built anew. Both reports
 * were made with the option compare, and old is finished; it must outlive the call of
 * xds_check_finish() for this one, before which to call this. */
XDS_API void xds_check_against(struct xds_check *check, const struct xds_check *old);
/* After the last resource: the checks across resources. source: where they came from;
 * the files in which something is found are read once more to tell its line. Call it
 * once, before xds_report_sort. */
XDS_API XDS_MUST_USE enum xds_status xds_check_finish(struct xds_check *check,
                                                      const struct xds_source *source);

/* Look in the snapshot for the cause of what a log says: sets the places of its first 100
 * errors and of its first 100 status texts. After xds_check_finish() and
 * xds_report_sort(), of a check without keep. The report must outlive the places. Each
 * file is read once more where a text is about fields that no finding names. */
XDS_API XDS_MUST_USE enum xds_status xds_check_place_log(const struct xds_check *check,
                                                         const struct xds_source *source,
                                                         struct xds_log *log);

#endif
