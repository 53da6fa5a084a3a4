/*
 * text_source.h - a text proto as tokens, in the form in which JSON has them.
 *
 * The message of the file is an object, and each member that a field has is one too: a
 * repeated field comes as often as it is written. An Any that is written out,
 * "[URL] { ... }", is the object {"@type": URL, ...}; several of them on top are a list.
 * Words without quotes are XDS_TOKEN_WORD.
 */
#ifndef XDS_SOURCE_TEXT_TEXT_SOURCE_H
#define XDS_SOURCE_TEXT_TEXT_SOURCE_H

#include "base/arena.h"
#include "source/reader.h"

/* The bytes that are between the quotes of a literal, without escapes, into out, which
 * needs room for text.len. Returns their number; *fault is the offset of an escape that
 * is none, or text.len. */
size_t xds_text_unescape(struct xds_slice text, char *out, size_t *fault);
/* A number without its sign in the form that decode/ reads: hexadecimal and octal ones as
 * decimal, an "f" after it dropped. Text in arena or in the literal; false when it is no
 * number of the text format. */
bool xds_text_number(struct xds_slice literal, struct xds_arena *arena,
                     struct xds_slice *out);

#define XDS_TEXT_LEVELS 512 /* nesting that is followed; decode/ allows less */

enum xds_text_due {
    XDS_TEXT_DUE_FIELD, /* a name, or the end of the message */
    XDS_TEXT_DUE_COLON, /* after a name: a colon, or what begins a message or list */
    XDS_TEXT_DUE_FIRST, /* an item, or the end of the list */
    XDS_TEXT_DUE_COMMA, /* a comma, or the end of the list */
    XDS_TEXT_DUE_END,   /* nothing */
};

enum xds_text_open {
    XDS_TEXT_MESSAGE,
    XDS_TEXT_ANY,  /* the message after the [URL] of an Any, in the message of the Any */
    XDS_TEXT_ANYS, /* the file, when it holds nothing but Anys */
    XDS_TEXT_LIST,
    XDS_TEXT_MESSAGES, /* a list that is without a colon before it */
};

struct xds_text {
    struct xds_recorder recorder; /* first member */
    struct xds_arena texts;       /* of the last token */
    struct xds_arena document;    /* of the header and of faults */
    size_t pos;
    bool begun;
    enum xds_text_due due;
    bool may_separate; /* a comma or semicolon may be before the next name */
    bool fresh;        /* nothing is in the innermost message yet */
    unsigned depth;
    struct xds_text_level {
        enum xds_text_open kind;
        char end; /* '\0': of the file */
    } level[XDS_TEXT_LEVELS];
    struct xds_token pending[3]; /* tokens that are not written as such, and come next */
    unsigned n_pending;
    struct xds_token error;
    struct xds_comments comments;
    size_t token;       /* where the last one begins */
    uint32_t last_line; /* on which it ended; 0: none has */
};

/* The first time, all zero. */
void xds_text_open(struct xds_text *text, struct xds_buffer *in,
                   struct xds_arena *scratch);
void xds_text_release(struct xds_text *text);
/* Does a header in the comments that a text begins with name a message? */
bool xds_text_has_header(struct xds_slice begin);
/* Is it text proto without that comment, and not YAML? */
bool xds_text_looks(struct xds_slice begin);

#define XDS_TEXT_NO_CHAR (-1)

#endif
