/* text_sets.h - compare the sets of texts that two matchers take. See within.h. */
#ifndef XDS_LINT_TEXT_SETS_H
#define XDS_LINT_TEXT_SETS_H

#include "lint/within.h"

bool xds_text_same(const struct xds_string_matcher *a,
                   const struct xds_string_matcher *b);
/* Does outer take all that inner takes? */
bool xds_text_within(struct xds_within *w, const struct xds_string_matcher *inner,
                     const struct xds_string_matcher *outer);
/* Is there nothing that both take? */
bool xds_texts_exclude(struct xds_within *w, struct xds_string_matcher a,
                       struct xds_string_matcher b);

#endif
