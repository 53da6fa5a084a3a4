/* examples.c - for each rule an input that breaks it, and one that only looks so. */
#include "catalogue/examples.h"

#include <string.h>

static const struct xds_examples examples[] = {
#define XDS_EXAMPLE(slug, bad, bad_input, good, good_input)                              \
    {slug, {bad, bad_input}, {good, good_input}},
#include "examples.inc"
    {0}, /* there are none where the tree is without its cases */
};

const struct xds_examples *xds_examples_of(const struct xds_rule *rule)
{
    for (const struct xds_examples *at = examples; at->slug; at++)
        if (strcmp(at->slug, rule->slug) == 0)
            return at;
    return NULL;
}
