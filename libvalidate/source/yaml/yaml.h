/* yaml.h - YAML as tokens, by libyaml or line by line. */
#ifndef XDS_SOURCE_YAML_YAML_H
#define XDS_SOURCE_YAML_YAML_H

#include <stdint.h>
#include <yaml.h>

#include "base/slice.h"
#include "base/strmap.h"
#include "source/reader.h"
#include "source/token.h"

#define XDS_YAML_NUMBER 64 /* a longer number is passed on as it was written */

/* Set kind and text of a token from a plain scalar; a number that JSON writes in another
 * way is rewritten into `number`. */
void xds_yaml_resolve(struct xds_slice text, char number[XDS_YAML_NUMBER],
                      struct xds_token *out);

/* A longer line, or a longer key, is one of the other lines. libyaml looks for the colon
 * after a key in 1024 characters. */
#define XDS_YAML_LINE_MOST ((size_t)16 << 10)
#define XDS_YAML_KEY_MOST 1000
#define XDS_YAML_ESCAPED_MOST 1024 /* a longer scalar with escapes is, too */
#define XDS_YAML_DASHES 8

enum xds_yaml_line_kind {
    XDS_YAML_LINE_ENTRY, /* of a block mapping or sequence, in the grammar below */
    XDS_YAML_LINE_OTHER, /* anything else */
    XDS_YAML_LINE_NONE,  /* the document ends here */
};

enum xds_yaml_part_kind {
    XDS_YAML_ABSENT,
    XDS_YAML_PLAIN,
    XDS_YAML_QUOTED,
    XDS_YAML_ESCAPED, /* quoted, with escapes in it */
    XDS_YAML_FLOW,    /* a list in brackets or a mapping in braces */
};

/* Columns from 0, with the quotes. */
struct xds_yaml_part {
    enum xds_yaml_part_kind kind;
    uint32_t begin, end;
};

/* entry  := " "* ( "-" " "+ )* ( key ":" ( " "+ value )? | value )? " "* "\n"
 * with a dash or a key in it. Scalars and flow end on their line; values in quotes may
 * hold escapes of one character, but not in flow. All characters are of ASCII, none is a
 * control character and none a '#' out of quotes. */
struct xds_yaml_line {
    enum xds_yaml_line_kind kind;
    uint32_t number; /* lines in front of it */
    size_t at;       /* where it begins in the input */
    uint32_t size;   /* with what ends it */
    uint32_t dashes;
    uint32_t dash[XDS_YAML_DASHES]; /* columns */
    struct xds_yaml_part key, value;
};

/* The column of the first dash, or of the key. */
static inline uint32_t xds_yaml_line_indent(const struct xds_yaml_line *line)
{
    return line->dashes > 0 ? line->dash[0] : line->key.begin;
}

/* The column of the last collection that the line is in. */
static inline uint32_t xds_yaml_line_innermost(const struct xds_yaml_line *line)
{
    return line->key.kind != XDS_YAML_ABSENT ? line->key.begin
                                             : line->dash[line->dashes - 1];
}

/* libyaml knows what YAML means, but takes long. Lines that every serializer writes are
 * read without it, into the same tokens. Where another line comes, libyaml takes over
 * from the line before it, after a text that opens the same collections; when it comes
 * to a key that is alone in front of its line, reading by lines may continue. */

/* Deeper nesting and larger columns are left to libyaml. */
#define XDS_YAML_LINES_DEPTH 64
#define XDS_YAML_LINES_COLUMN 122

/* Longer or deeper flow is left to it, too. */
#define XDS_YAML_FLOW_TOKENS 64
#define XDS_YAML_FLOW_DEPTH 8

/* A line closes all collections, or it opens some and has a key, a value and, after it,
 * what the next line tells to be absent. */
#define XDS_YAML_LINES_TOKENS                                                            \
    (XDS_YAML_LINES_DEPTH + XDS_YAML_DASHES + XDS_YAML_FLOW_TOKENS + 5)

struct xds_yaml_events;

struct xds_yaml_lines {
    bool active;               /* tokens come from here */
    struct xds_yaml_line line; /* none of its tokens was given yet */
    unsigned level;            /* so many collections stay open in front of it */
    bool nested;               /* it is in a new one: the value of what was opened last */
    struct xds_token tokens[XDS_YAML_LINES_TOKENS]; /* given from `next` on */
    unsigned n, next;
    char number[XDS_YAML_NUMBER];     /* a key's; a value's is that of the events */
    char text[XDS_YAML_ESCAPED_MOST]; /* of a value that had escapes */
    uint32_t end_line, end_column;    /* of the last token given */
    unsigned given;                   /* lines since libyaml was in charge */
    unsigned patience, kept; /* keys that are left to it, and those that it had */
};

/* At the begin of a chunk: read it by lines if its first lines allow it. */
bool xds_yaml_lines_begin(struct xds_yaml_events *e);
/* Tokens of lines to come: from `next` on. False when libyaml is to be asked for them. */
bool xds_yaml_lines_fill(struct xds_yaml_events *e);

/* ---- for a change to or from libyaml ---- */

/* The line at an offset, or the next one that is not empty. */
void xds_yaml_lines_read(struct xds_yaml_events *e, size_t at, uint32_t number,
                         struct xds_yaml_line *out);
/* The tokens of the line in work. False when it may continue in the next one, which is
 * not known here or must not be there, or when it is the end: then only what it closes is
 * given. */
bool xds_yaml_lines_give(struct xds_yaml_events *e);

/* libyaml cannot continue after an error, so each document gets a parser of its own. A
 * line that begins with "---" is a document marker wherever it is (YAML 1.2.2, 9.1.2). */

#define XDS_YAML_BLOCKS 4 /* libyaml reads ahead by less than so many of them */
#define XDS_YAML_NOWHERE SIZE_MAX
#define XDS_YAML_PREFIX 8192

/* Where a read of the parser began: a byte of the input, and a character of the chunk. */
struct xds_yaml_block {
    size_t offset, index;
};

struct xds_yaml_chunk {
    struct xds_buffer *in;
    size_t begin;      /* of the chunk in the input */
    size_t pos;        /* what was handed out */
    uint32_t lines;    /* complete lines in front of pos */
    size_t first_line; /* lines in front of what the parser reads; may be "negative" */
    size_t fed;        /* where its first byte is: before the input, maybe */
    uint32_t looked;   /* the last line that was looked at for a comment */
    bool in_line;      /* pos is not the begin of a line */
    bool directive;    /* the last line was a directive: its "---" belongs to it */
    bool ended;
    size_t unanswered; /* bytes handed out since the parser last gave an event */
    bool too_large;    /* ... were too many */
    size_t characters; /* handed out */
    size_t most;       /* that may be handed out at once: more and more */
    size_t prefix_len; /* handed out before anything else */
    char prefix[XDS_YAML_PREFIX];
    struct xds_yaml_block block[XDS_YAML_BLOCKS]; /* the latest first */
    struct xds_comments comments;
};

void xds_yaml_chunk_open(struct xds_yaml_chunk *chunk, struct xds_buffer *in);
/* A yaml_read_handler_t; data is the chunk. */
int xds_yaml_chunk_read(void *data, unsigned char *buffer, size_t size, size_t *length);
/* The byte of the input at which a character of the chunk is that was handed out
 * lately; else XDS_YAML_NOWHERE. */
size_t xds_yaml_chunk_offset(struct xds_yaml_chunk *chunk, size_t index);

/* ---- for a reader that does without the parser ---- */

/* The text from an offset of the chunk on: so many bytes of it, or up to the end of the
 * input. */
struct xds_slice xds_yaml_chunk_from(struct xds_yaml_chunk *chunk, size_t at, size_t n);
/* At the begin of a line: does the next chunk begin there? */
bool xds_yaml_chunk_ends_at(const struct xds_yaml_chunk *chunk, size_t at);
/* Lines in front of an offset that was handed out. */
uint32_t xds_yaml_chunk_line_at(const struct xds_yaml_chunk *chunk, size_t at);
/* A line of content was read; what is handed out next begins after `lines` lines. */
void xds_yaml_chunk_pass(struct xds_yaml_chunk *chunk, uint32_t line, size_t to,
                         uint32_t lines);
/* A new parser is to read on, after a prefix of so many bytes and lines. */
void xds_yaml_chunk_restart(struct xds_yaml_chunk *chunk, size_t prefix_len,
                            size_t lines);

/* Drop what is left of the chunk and begin the next one; false at the end. */
bool xds_yaml_chunk_next(struct xds_yaml_chunk *chunk);

#define XDS_YAML_LEVELS 512  /* nesting that is followed; decode/ allows less */
#define XDS_YAML_REPLAYS 100 /* aliases inside of anchors inside of aliases ... */
#define XDS_YAML_NO_INDENT UINT32_MAX

struct xds_yaml_anchor;

/* The anchors of a document, and their tokens in one list. */
struct xds_yaml_anchors {
    struct xds_arena *document;
    struct xds_strmap by_name;
    struct xds_token_list tokens;
    size_t n, text;                    /* their number, and the bytes kept for them */
    bool full;                         /* some could not be kept */
    size_t expanded;                   /* tokens in the list, aliases expanded */
    struct xds_yaml_anchor *recording; /* innermost anchor whose node is open */
    struct {
        size_t at, end;
    } replay[XDS_YAML_REPLAYS]; /* parts of the list that aliases stand for */
    unsigned replays;
    size_t budget; /* tokens that aliases may still add to this resource */
    size_t total;  /* tokens that aliases added to the input */
};

struct xds_yaml_events {
    struct xds_yaml_chunk chunk;
    yaml_parser_t parser;
    yaml_event_t event; /* the one in work: text of the last token points into it */
    yaml_mark_t behind; /* the last event */
    bool has_parser, has_event, ended;
    bool failed; /* an error ended the document; the same token comes again */
    struct xds_token error;
    char number[XDS_YAML_NUMBER];
    struct xds_yaml_lines lines; /* what is read without libyaml */
    bool directive;              /* the chunk has one: libyaml must remember it */
    bool libyaml_only;           /* for tests: nothing is */
    /* where the next event is */
    unsigned depth;
    bool is_mapping[XDS_YAML_LEVELS], key_due[XDS_YAML_LEVELS];
    uint32_t indent[XDS_YAML_LEVELS]; /* column of a block collection, if it is known */
    enum xds_rule_id refused;         /* the rule that the key just given breaks */
    const char *refusal;              /* set: its value is replaced by this error */
    struct xds_yaml_anchors anchors;
};

/* Lines and columns are given from 1 on. */
static inline uint32_t xds_yaml_from_one(size_t n)
{
    return n < UINT32_MAX ? (uint32_t)n + 1 : UINT32_MAX;
}

/* document: an arena for the anchors of one document, reset for each. */
void xds_yaml_events_open(struct xds_yaml_events *events, struct xds_buffer *in,
                          struct xds_arena *document);
/* Gives libyaml's memory back. */
void xds_yaml_events_close(struct xds_yaml_events *events);
/* To the next document; false when there is none. */
bool xds_yaml_events_begin(struct xds_yaml_events *events);
/* The next token; XDS_TOKEN_END after the document's value. An XDS_TOKEN_ERROR stands
 * for one value, unless `dead` is set; its `begin` is the enum xds_rule_id. Text lives
 * until the next call. */
void xds_yaml_events_next(struct xds_yaml_events *events, struct xds_token *out);

/* A node with an anchor. A scalar has its token here, others a part of the list. */
struct xds_yaml_anchor {
    bool is_scalar, lost;
    bool open; /* its end was not seen yet */
    struct xds_token scalar;
    size_t begin, end;
    size_t size; /* tokens, aliases expanded; at most XDS_MAX_ALIAS_TOKENS + 1 */
    unsigned depth;
    struct xds_yaml_anchor *outer; /* the one that was recorded when this began */
};

/* In `anchored`, a token of this kind stands for those from .begin to .end. */
#define XDS_YAML_ALIAS_MARK XDS_TOKEN_END

struct xds_yaml {
    struct xds_recorder recorder; /* first member */
    struct xds_yaml_events events;
    struct xds_arena document;
};

/* The first time, all zero. */
void xds_yaml_open(struct xds_yaml *yaml, struct xds_buffer *in,
                   struct xds_arena *scratch);
void xds_yaml_release(struct xds_yaml *yaml);

#endif
