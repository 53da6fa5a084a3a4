/*
 * document.h - the scenarios of one file, one step after the other.
 *
 * Of a scenario everything but its steps is read first, then one step at a time, so that
 * memory does not grow with their number. Keys after the steps are read ahead where the
 * rest of the file is short (XDS_LOOK_AHEAD); else they are a fault.
 */
#ifndef XDS_SCENARIO_DOCUMENT_H
#define XDS_SCENARIO_DOCUMENT_H

#include "config/tree_read.h"
#include "scenario/subject.h"

struct xds_document {
    struct xds_tree_file file;
    bool ahead;   /* keys after the steps were read already */
    bool looking; /* ... are being read */
    bool in_steps;
    bool over;              /* there is no other scenario */
    size_t n;               /* scenarios that were begun */
    struct xds_token first; /* of the one in work */
};

/* The first time, all zero. False with errno set when it cannot be opened. Its file is
 * closed and released as any other. */
bool xds_document_open(struct xds_document *document, const char *path);
void xds_document_open_bytes(struct xds_document *document, const char *name,
                             struct xds_slice bytes);

/* All of these run under a guard of the report's arena, of `arena` and of those of the
 * file. Faults are the play's. */
/* To the next scenario; false at the end of the file. A file without any is a fault. */
bool xds_document_next(struct xds_document *document, struct xds_play *play);
/* The members of the scenario but its steps; false after a fault. */
bool xds_document_head(struct xds_document *document, struct xds_play *play,
                       struct xds_arena *arena, struct xds_tree *head);
/* The next step; false after the last one and after a fault. */
bool xds_document_step(struct xds_document *document, struct xds_play *play,
                       struct xds_arena *arena, struct xds_tree *step);

#endif
