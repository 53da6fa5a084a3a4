/*
 * reader.h - what the walk over container shapes needs from JSON, YAML and text proto.
 *
 * Documents come one after the other; within one, tokens do. An object or list that is
 * of no interest is skipped, one that is a resource is taken whole. Text of tokens lives
 * until the next call, unless a mark is set.
 */
#ifndef XDS_SOURCE_READER_H
#define XDS_SOURCE_READER_H

#include "catalogue/rule.h"
#include "source/token.h"

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

#endif
