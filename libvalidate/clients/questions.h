/*
 * questions.h - what was asked of releases: differences, then gRPC variables.
 *
 * Where two releases answer all of it alike, one of them need not be asked.
 */
#ifndef XDS_CLIENTS_QUESTIONS_H
#define XDS_CLIENTS_QUESTIONS_H

#include "include/xdscope.h"

enum xds_difference {
#define XDS_READING(id, clients, source, text) XDS_DIFF_##id,
#define XDS_DIFFERENCE(id, clients, source, text) XDS_DIFF_##id,
#include "clients/differences.def"
    XDS_DIFFERENCES
};

enum { XDS_QUESTION_WORDS = (XDS_DIFFERENCES + XDS_ENVS + 63) / 64 };

struct xds_questions {
    uint64_t set[XDS_QUESTION_WORDS];
};

static inline void xds_question_add(struct xds_questions *to, unsigned question)
{
    to->set[question / 64] |= UINT64_C(1) << question % 64;
}

/* Note what this thread asks from now on of releases that are not the newest; NULL: no
 * more. */
void xds_note_questions(struct xds_questions *to);
/* For who answers them. */
void xds_question_asked(unsigned question);

#endif
