/*
 * yaml_lines.h - documents of YAML as programs write it, line by line.
 *
 * libyaml knows what YAML means, but takes long. Lines that every serializer writes are
 * read without it, into the same tokens. Where another line comes, libyaml takes over
 * from the line before it, after a text that opens the same collections; when it comes
 * to a key that is alone in front of its line, reading by lines may continue.
 */
#ifndef XDS_SOURCE_YAML_YAML_LINES_H
#define XDS_SOURCE_YAML_YAML_LINES_H

#include "source/token.h"
#include "source/yaml/yaml_line.h"
#include "source/yaml/yaml_scalar.h"

/* Deeper nesting and larger columns are left to libyaml. */
#define XDS_YAML_LINES_DEPTH 64
#define XDS_YAML_LINES_COLUMN 122

/* A line closes all collections, or it opens some and has a key, a value and, after it,
 * what the next line tells to be absent. */
#define XDS_YAML_LINES_TOKENS (XDS_YAML_LINES_DEPTH + XDS_YAML_DASHES + 5)

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

/* ---- for yaml_handover.c ---- */

/* The line at an offset, or the next one that is not empty. */
void xds_yaml_lines_read(struct xds_yaml_events *e, size_t at, uint32_t number,
                         struct xds_yaml_line *out);
/* The tokens of the line in work. False when it may continue in the next one, which is
 * not known here or must not be there, or when it is the end: then only what it closes is
 * given. */
bool xds_yaml_lines_give(struct xds_yaml_events *e);

#endif
