/* pack_texts.c - the texts of catalogue/texts.h on standard output, for the Makefile to
 * pack. */
#include <stdio.h>

#include "catalogue/texts.h"

static const struct xds_packed_texts texts = {
    {
#define XDS_EXAMPLE(slug, bad, bad_input, good, good_input)                              \
    slug, bad, bad_input, good, good_input,
#include "examples.inc"
#undef XDS_EXAMPLE
        "",
    },
    {
#define XDS_SPEC_ENTRY(kind, id, title, text) id, title, text,
#include "spec_rows.inc"
#undef XDS_SPEC_ENTRY
    },
    {
#define XDS_STATEMENT(grfc, line, section, text, held, facts) section, text, held, facts,
#include "statement_rows.inc"
#undef XDS_STATEMENT
    },
};

int main(void)
{
    return fwrite(&texts, sizeof texts, 1, stdout) == 1 ? 0 : 1;
}
