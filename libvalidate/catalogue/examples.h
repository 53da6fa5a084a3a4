/*
 * examples.h - for each rule an input that breaks it, and one that only looks so.
 *
 * They are taken from testdata/rules by mk/examples.awk when the program is built.
 */
#ifndef XDS_CATALOGUE_EXAMPLES_H
#define XDS_CATALOGUE_EXAMPLES_H

#include "include/xdscope.h"

struct xds_example {
    const char *path;  /* of the case, from the root of the repository; empty: none */
    const char *input; /* lines; empty: too long to show, or not text */
};

struct xds_examples {
    struct xds_example bad, good;
};

/* False when the rule has no cases. */
bool xds_examples_of(const struct xds_rule *rule, struct xds_examples *out);

#endif
