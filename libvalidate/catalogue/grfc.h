/* grfc.h - the gRFCs that rules cite. */
#ifndef XDS_CATALOGUE_GRFC_H
#define XDS_CATALOGUE_GRFC_H

#define XDS_GRFC_REPOSITORY "https://github.com/grpc/proposal"

struct xds_grfc {
    unsigned number;
    const char *title;
    const char *url;
};

/* NULL when the table does not have it. */
const struct xds_grfc *xds_grfc_find(unsigned number);
/* The first one that a source cites; NULL when it cites none. */
const struct xds_grfc *xds_grfc_of(const char *source);

#endif
