/* reader.c - the fault that every format can have: a resource over a limit. */
#include "source/reader.h"

struct xds_source_fault xds_fault_too_large(struct xds_place at, const char *text)
{
    return (struct xds_source_fault){XDS_R_SRC_TOO_LARGE, at, text};
}
