/* fix.h - findings that can be corrected in the text where they are. */
#ifndef XDSCOPE_FIX_H
#define XDSCOPE_FIX_H

#include "check.h"

/* A text with edits. */
struct xds_fix;

/* Correct one input of the sorted report, as the findings of the wanted rules say. text
 * is all of that input, in JSON, YAML or text proto, and not packed.
 * All bytes that no edit is about stay. The report was made with the option each_time;
 * type: as that of its source. *out is NULL unless XDS_OK. */
XDS_API XDS_MUST_USE enum xds_status
xds_fix_new(const struct xds_report *report, uint32_t file, struct xds_slice text,
            enum xds_resource_type type,
            bool (*wanted)(const struct xds_rule *rule, void *user), void *user,
            struct xds_fix **out);
/* A value of a text in JSON or YAML that becomes another one. */
struct xds_value_edit {
    uint32_t line, column; /* of the value, as in xds_tree */
    uint32_t end_line, end_column;
    struct xds_slice text; /* on one line */
    bool made;             /* set: there is a way to write it */
};

/* Put these in their places. */
XDS_API XDS_MUST_USE enum xds_status xds_fix_values(struct xds_slice text,
                                                    struct xds_value_edit *edits,
                                                    size_t n, struct xds_fix **out);
XDS_API void xds_fix_free(struct xds_fix *fix);
XDS_API size_t xds_fix_edits(const struct xds_fix *fix);
/* With the edits; lives as long as fix. */
XDS_API struct xds_slice xds_fix_text(const struct xds_fix *fix);

#endif
