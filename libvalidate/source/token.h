/*
 * token.h - the one shape in which JSON, YAML and text proto reach the message builder.
 *
 * A source of tokens is either a scanner over JSON text or an array that was recorded
 * from libyaml's events or from a text proto. The builder asks for one token at a time;
 * it can mark a place and come back to it, to look for "@type" ahead.
 */
#ifndef XDS_SOURCE_TOKEN_H
#define XDS_SOURCE_TOKEN_H

#include "base/arena.h"
#include "base/limits.h"
#include "base/slice.h"
#include "catalogue/rule.h"

enum xds_escape {
    XDS_ESCAPE_OK,
    XDS_ESCAPE_UNKNOWN,        /* no escape of JSON */
    XDS_ESCAPE_LONE_SURROGATE, /* half of a pair */
};

/* The escape (a surrogate pair is one) that s, a text with a backslash first, begins
 * with: its code point and its length. */
enum xds_escape xds_json_escape(struct xds_slice s, uint32_t *code, size_t *len);

enum xds_token_kind {
    XDS_TOKEN_OBJECT,     /* { */
    XDS_TOKEN_OBJECT_END, /* } */
    XDS_TOKEN_ARRAY,      /* [ */
    XDS_TOKEN_ARRAY_END,  /* ] */
    XDS_TOKEN_KEY,        /* a member's name; its value's tokens follow */
    XDS_TOKEN_STRING,
    XDS_TOKEN_NUMBER, /* text is the number as written */
    XDS_TOKEN_TRUE,   /* text is the word as written, here and for the next two */
    XDS_TOKEN_FALSE,
    XDS_TOKEN_NULL,
    XDS_TOKEN_WORD,  /* text proto: a name without quotes, such as true, inf or STATIC */
    XDS_TOKEN_END,   /* after the last token */
    XDS_TOKEN_ERROR, /* text is what is wrong; the source stays here */
};

struct xds_token {
    enum xds_token_kind kind;
    bool escaped;          /* JSON string or key: text still holds backslash escapes */
    struct xds_slice text; /* STRING, KEY: without quotes; borrowed from the input */
    /* JSON: offsets into the resource's bytes. YAML: offsets in the input, begin of an
     * object and end of what closes one. Text proto: begin of a number is how many digits
     * it has, if they are hexadecimal. Else not used. */
    size_t begin, end;
    /* YAML, text proto: position in the file, from 1; JSON: 0. */
    uint32_t line, column, end_line, end_column;
};

/* What may be at the scanner's place in JSON text. */
enum xds_token_due {
    XDS_DUE_VALUE,
    XDS_DUE_FIRST_ITEM,   /* a value or ] */
    XDS_DUE_FIRST_MEMBER, /* a key or } */
    XDS_DUE_MORE_ITEMS,   /* a comma, or the end of the list */
    XDS_DUE_MORE_MEMBERS, /* a comma, or the end of the object */
    XDS_DUE_END,          /* nothing */
};

/* Tokens that are not kept: text lives until the next one. After the value, or an
 * XDS_TOKEN_ERROR, none may be asked for. */
struct xds_token_stream {
    void (*next)(struct xds_token_stream *, struct xds_token *out);
    bool broke; /* one came */
};

struct xds_tokens {
    enum xds_format format; /* any but binary */
    enum xds_rule_id fault; /* the row that an XDS_TOKEN_ERROR breaks */
    uint32_t depth;         /* open objects and lists */
    /* JSON */
    enum xds_token_due due;
    const char *text;
    size_t len, pos;
    unsigned char behind[XDS_MAX_NESTING + 1]; /* what is due after a value, by depth */
    /* YAML, text proto */
    const struct xds_token *recorded; /* the next one */
    struct xds_token_stream *stream;  /* or NULL: where they come from instead */
};

/* The fault of JSON where a comment begins with these two bytes; NULL: none does. */
const char *xds_json_comment(char first, char second);

/* Tokens of JSON text that holds exactly one value. */
void xds_tokens_json(struct xds_tokens *tokens, struct xds_slice text);
/* Tokens recorded from YAML or text proto: the last one is XDS_TOKEN_END. */
void xds_tokens_recorded(struct xds_tokens *tokens, enum xds_format format,
                         const struct xds_token *recorded);
/* Tokens of YAML that come one by one: no mark can be made of them. */
void xds_tokens_streamed(struct xds_tokens *tokens, struct xds_token_stream *stream);
/* The next token. JSON is checked as RFC 8259 asks: UTF-8, no control characters in
 * strings, no lone surrogates, no trailing commas, nothing after the value. For both:
 * nesting <= XDS_MAX_NESTING. */
void xds_tokens_next(struct xds_tokens *tokens, struct xds_token *out);
/* Skip the value whose first token is `first` (for an object: up to its end). False on a
 * syntax error, *out is then the error token. */
bool xds_tokens_skip(struct xds_tokens *tokens, const struct xds_token *first,
                     struct xds_token *out);

/* The same for a value that was read before, so that its faults are known
 * in it: brackets and strings of JSON are all that is looked at. */
bool xds_tokens_skip_valid(struct xds_tokens *tokens, const struct xds_token *first);

/* A mark is a copy of the whole struct: `struct xds_tokens mark = *tokens;` and back. */

/* The text of a string or key token without escapes, NUL-terminated, in arena. U+0000 in
 * it is XDS_NUL. */
struct xds_slice xds_token_unescape(const struct xds_token *token,
                                    struct xds_arena *arena);
/* The text of a string token, in an arena; what is no text is left for decode/ to judge
 * and gives "". */
struct xds_slice xds_plain_text(const struct xds_token *token, struct xds_arena *arena);
/* True when the (unescaped) text of a key or string token is `text`. */
bool xds_token_is(const struct xds_token *token, const char *text);

/* n = 0 makes room for new ones. */
struct xds_token_list {
    struct xds_arena *arena;
    struct xds_token *items;
    size_t n, cap;
};

/* Twice as much room, or the first. */
void xds_token_list_grow(struct xds_token_list *list);

/* Where the next token goes, once n counts it. */
static inline struct xds_token *xds_token_list_room(struct xds_token_list *list)
{
    if (list->n == list->cap)
        xds_token_list_grow(list);
    return &list->items[list->n];
}

static inline void xds_token_list_add(struct xds_token_list *list,
                                      const struct xds_token *token)
{
    *xds_token_list_room(list) = *token;
    list->n++;
}

#endif
