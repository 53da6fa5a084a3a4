/* grfc.c - the gRFCs that rules cite. */
#include "catalogue/grfc.h"

#include "catalogue/cite.h"

#define URL(file)                                                                        \
    (sizeof(file) == 1 ? XDS_GRFC_REPOSITORY                                             \
                       : XDS_GRFC_REPOSITORY "/blob/master/" file ".md")

static const struct xds_grfc grfcs[] = {
#define XDS_GRFC(number, title, file) {number, title, URL(file)},
#include "catalogue/grfc.def"
#undef XDS_GRFC
};

const struct xds_grfc *xds_grfc_find(unsigned number)
{
    for (size_t i = 0; i < sizeof grfcs / sizeof *grfcs; i++)
        if (grfcs[i].number == number)
            return &grfcs[i];
    return NULL;
}

const struct xds_grfc *xds_grfc_of(const char *source)
{
    struct xds_citations citations = xds_citations_of(source);
    struct xds_citation citation;

    while (xds_citations_next(&citations, &citation))
        if (citation.grfc > 0)
            return xds_grfc_find(citation.grfc);
    return NULL;
}
