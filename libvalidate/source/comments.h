/*
 * comments.h - comments of an input that speak to xdscope: "# xdscope: ...".
 *
 * Lines are looked at as they pass; whether what looks like a comment is one, or a part
 * of a text, the reader of the format knows a little later and settles in the same order.
 */
#ifndef XDS_SOURCE_COMMENTS_H
#define XDS_SOURCE_COMMENTS_H

#include "report/report.h"

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

#endif
