/* questions.c - what was asked of releases. */
#include "clients/questions.h"

static _Thread_local struct xds_questions *noted;

void xds_note_questions(struct xds_questions *to)
{
    noted = to;
}

void xds_question_asked(unsigned question)
{
    if (noted)
        xds_question_add(noted, question);
}
