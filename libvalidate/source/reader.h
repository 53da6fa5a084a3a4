/*
 * reader.h - what the walk over container shapes needs from JSON, YAML and text proto.
 *
 * Documents come one after the other; within one, tokens do. An object or list that is
 * of no interest is skipped, one that is a resource is taken whole. Text of tokens lives
 * until the next call, unless a mark is set.
 */
#ifndef XDS_SOURCE_READER_H
#define XDS_SOURCE_READER_H

#include "base/slice.h"
#include "catalogue/rule.h"
#include "report/report.h"
#include "source/token.h"

/* Places in the input are byte offsets from its begin; they stay true while the window
 * moves. What is before `keep` may be given up by any call that reads on; pointers
 * into the window do not outlive such a call. */

struct xds_buffer {
    int fd; /* -1: bytes in memory, which are all there from the first */
    const char *data;
    char *room; /* what data points to, unless the bytes are the caller's */
    size_t cap;
    size_t begin, end; /* offsets of the window */
    size_t keep;       /* begin <= keep <= end */
    bool eof;          /* nothing comes after end */
    bool full;         /* a read was refused: keep holds XDS_MAX_RESOURCE_BYTES back */
    int error;         /* errno of a failed read, or 0; eof is set then too */
    struct xds_unpack *unpack; /* of gzip or zstd; NULL: bytes are as they are read */
    const char *fault; /* what is wrong with packed data, or NULL; eof is set then too */
    uint32_t file;     /* of the places */
    bool has_lines;    /* false: no place will be asked for */
    size_t counted;    /* line and column are those of this offset */
    uint32_t line, column;
};

/* fd is borrowed. Room of an earlier input is used again: the first time, all zero. */
void xds_buffer_open(struct xds_buffer *in, int fd, uint32_t file);
void xds_buffer_open_bytes(struct xds_buffer *in, struct xds_slice bytes, uint32_t file);
void xds_buffer_release(struct xds_buffer *in);

/* If the input, of which the first bytes were read, is packed, continue with what is in
 * it. False when there is no memory. */
bool xds_buffer_unpack(struct xds_buffer *in);
/* What was to be read ends here for no reason of its own. */
static inline bool xds_buffer_failed(const struct xds_buffer *in)
{
    return in->error || in->fault;
}

/* Read on. False at the end of the input, after a failed read, or when full. */
bool xds_buffer_more(struct xds_buffer *in);
/* Read on until n bytes are after offset `at` or no more come; true when they do. */
bool xds_buffer_need(struct xds_buffer *in, size_t at, size_t n);
/* The size of a byte order mark at the begin of the input, or 0. It is no part of the
 * text: the first column is after it. */
size_t xds_buffer_skip_mark(struct xds_buffer *in);
/* The window from an offset on. */
struct xds_slice xds_buffer_from(const struct xds_buffer *in, size_t at);
/* The window between two offsets. */
struct xds_slice xds_buffer_part(const struct xds_buffer *in, size_t at, size_t end);
/* Line and column of an offset in the window. Offsets before one that was passed to
 * xds_buffer_count() are not known any longer. */
struct xds_place xds_buffer_place(const struct xds_buffer *in, size_t at);
/* The same, and begin the next count there. */
struct xds_place xds_buffer_count(struct xds_buffer *in, size_t at);

/* Lines are looked at as they pass; whether what looks like a comment is one, or a part
 * of a text, the reader of the format knows a little later and settles in the same order.
 */

/* So many bytes of a line are looked at. */
#define XDS_COMMENT_REACH ((size_t)4096)

struct xds_comments {
    struct xds_report *report;           /* NULL: not requested */
    struct xds_comment *first, **behind; /* not settled yet */
    struct xds_comment *waiting;         /* the last one whose line is still to come */
    bool in_content;                     /* something else than comments was seen */
};

/* text: the input from the begin of a line on. Runs under a guard of report->arena. */
void xds_comments_line(struct xds_comments *comments, uint32_t file, uint32_t line,
                       struct xds_slice text);
/* Does the next line matter even when there is no '#' in it? */
bool xds_comments_want_line(const struct xds_comments *comments);
/* As xds_comments_line(), for a reader that knows comments when it meets them: text is
 * what is from the '#' at `at` on; alone: nothing is before it on its line. Needs
 * no settling. */
void xds_comments_met(struct xds_comments *comments, struct xds_place at, bool alone,
                      struct xds_slice text);
/* Something else than a comment is on this line. */
void xds_comments_content(struct xds_comments *comments, uint32_t line);
/* The first one that is not settled goes into the report, or is dropped. */
void xds_comments_settle(struct xds_comments *comments, bool is_comment);

/* An input that is no larger than this is looked through for a response's type URL that
 * is after the resources. */
#define XDS_LOOK_AHEAD ((size_t)1 << 20)

/* What is wrong with the input, and where. */
struct xds_source_fault {
    enum xds_rule_id rule;
    struct xds_place at;
    const char *text; /* lives as long as the document */
};

#define XDS_TOO_MANY_BYTES "the input has a resource of more than 64 MiB"

/* The fault of a resource that is over a limit; text is static. */
struct xds_source_fault xds_fault_too_large(struct xds_place at, const char *text);

/* A resource as it was taken. */
struct xds_taken {
    struct xds_slice bytes;         /* JSON */
    const struct xds_token *tokens; /* the others, ended by XDS_TOKEN_END */
};

struct xds_reader {
    const struct xds_reader_ops *ops;
    struct xds_arena *scratch; /* reset before each resource */
    struct xds_source_fault
        fault;    /* after an XDS_TOKEN_ERROR and a false of skip, take */
    bool failed;  /* the fault ends the document, and comes again as a token */
    bool repeats; /* text proto: the items of a list may each have a key of their own */
};

struct xds_reader_ops {
    /* To the next document; false when there is none. */
    bool (*begin)(struct xds_reader *);
    /* The next token of the document; XDS_TOKEN_END after its value. */
    void (*next)(struct xds_reader *, struct xds_token *out);
    /* The rest of the value whose first token was `first`. */
    bool (*skip)(struct xds_reader *, const struct xds_token *first);
    bool (*take)(struct xds_reader *, const struct xds_token *first,
                 struct xds_taken *out);
    /* Remember this place, and come back to it; one mark at a time. What was too large to
     * be remembered whole can still be skipped after that: it is dead no longer. */
    void (*mark)(struct xds_reader *);
    void (*rewind)(struct xds_reader *);
    /* True when what follows is known to be smaller than XDS_LOOK_AHEAD. */
    bool (*near_end)(struct xds_reader *);
    /* Where the token is. Calls go forward in the document. */
    struct xds_place (*place)(struct xds_reader *, const struct xds_token *token);
};

/* Tokens that were seen after a mark come again, and those of a resource are kept
 * together, with their text. */

struct xds_recorder;

/* Where the tokens come from. */
struct xds_recorder_ops {
    /* To the next document; false when there is none. */
    bool (*begin)(struct xds_recorder *);
    /* The next token. An XDS_TOKEN_ERROR, whose `begin` is the enum xds_rule_id, stands
     * for one value, unless `over` is set with it. Text lives until the next call. */
    void (*next)(struct xds_recorder *, struct xds_token *out);
    /* What is read now is another resource: limits of one begin anew. */
    void (*renew)(struct xds_recorder *);
    /* The offset of what was not read yet. */
    size_t (*pos)(const struct xds_recorder *);
};

struct xds_recorder {
    struct xds_reader reader; /* first member */
    const struct xds_recorder_ops *ops;
    struct xds_buffer *in;
    bool over;     /* an error ended the document; the same token comes again */
    bool oversize; /* the error is that the value in work is too large */
    struct xds_arena queued, tokens;
    struct xds_token_list queue; /* seen ahead: from `next` on they come again */
    size_t queued_text;          /* bytes */
    size_t next, marked;
    bool recording;
    struct xds_token_list taken; /* of the resource taken last; the first has its end */
};

/* The first time, all zero. */
void xds_recorder_open(struct xds_recorder *recorder, const struct xds_recorder_ops *ops,
                       struct xds_buffer *in, struct xds_arena *scratch);
void xds_recorder_release(struct xds_recorder *recorder);

#endif
