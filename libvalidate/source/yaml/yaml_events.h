/*
 * yaml_events.h - YAML as tokens: of libyaml's events, or of lines that need none.
 */
#ifndef XDS_SOURCE_YAML_YAML_EVENTS_H
#define XDS_SOURCE_YAML_YAML_EVENTS_H

#include <yaml.h>

#include "base/strmap.h"
#include "source/reader.h"
#include "source/token_list.h"
#include "source/yaml/yaml_chunk.h"
#include "source/yaml/yaml_lines.h"
#include "source/yaml/yaml_scalar.h"

#define XDS_YAML_LEVELS 512  /* nesting that is followed; decode/ allows less */
#define XDS_YAML_REPLAYS 100 /* aliases inside of anchors inside of aliases ... */
#define XDS_YAML_NO_INDENT UINT32_MAX

struct xds_yaml_anchor;

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
    /* anchors of the document, and their tokens in one list */
    struct xds_arena *document;
    struct xds_strmap anchors;
    struct xds_token_list anchored;
    size_t n_anchors, anchored_text;   /* their number, and the bytes kept for them */
    bool anchors_full;                 /* some could not be kept */
    size_t expanded;                   /* tokens in `anchored`, aliases expanded */
    struct xds_yaml_anchor *recording; /* innermost anchor whose node is open */
    struct {
        size_t at, end;
    } replay[XDS_YAML_REPLAYS]; /* parts of `anchored` that aliases stand for */
    unsigned replays;
    size_t alias_budget; /* tokens that aliases may still add to this resource */
    size_t alias_total;  /* tokens that aliases added to the input */
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

#endif
