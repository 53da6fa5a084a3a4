/* examples.c - for each rule an input that breaks it, and one that only looks so. */
#include "catalogue/examples.h"

#include <string.h>

#include "catalogue/packed.h"

/* Without pointers, as packed.h says. */
struct texts {
#define XDS_EXAMPLE(slug, bad, bad_input, good, good_input)                              \
    XDS_PACKED_TEXT(s, slug)                                                             \
    XDS_PACKED_TEXT(b, bad)                                                              \
    XDS_PACKED_TEXT(c, bad_input) XDS_PACKED_TEXT(g, good) XDS_PACKED_TEXT(h, good_input)
#include "examples.inc"
#undef XDS_EXAMPLE
    char end[1]; /* the slug of no rule */
};

static const struct texts texts = {
#define XDS_EXAMPLE(slug, bad, bad_input, good, good_input)                              \
    slug, bad, bad_input, good, good_input,
#include "examples.inc"
#undef XDS_EXAMPLE
    "",
};

static const char *take(const char **rest)
{
    const char *text = *rest;

    *rest += strlen(text) + 1;
    return text;
}

static void take_example(const char **rest, struct xds_example *out)
{
    out->path = take(rest);
    out->input = take(rest);
}

bool xds_examples_of(const struct xds_rule *rule, struct xds_examples *out)
{
    const char *rest = (const char *)&texts;
    bool found = false;

    while (!found && *rest) {
        found = strcmp(take(&rest), rule->slug) == 0;
        take_example(&rest, &out->bad);
        take_example(&rest, &out->good);
    }
    return found;
}
