/* unpack.h - the bytes of gzip and zstd. */
#ifndef XDS_SOURCE_UNPACK_H
#define XDS_SOURCE_UNPACK_H

#include <sys/types.h>

#include "base/slice.h"

struct xds_unpack;

/* Bytes that are enough to tell whether it is packed. */
#define XDS_UNPACK_MAGIC ((size_t)4)

/* Do these bytes begin a file of gzip or zstd? */
bool xds_unpack_is_packed(struct xds_slice begin);
/* begin: what was read of fd, copied; or, with fd -1, all there is, borrowed. NULL when
 * there is no memory. */
struct xds_unpack *xds_unpack_new(int fd, struct xds_slice begin);
void xds_unpack_free(struct xds_unpack *unpack);
/* As read(): 0 at the end, -1 with errno. *fault says what is wrong with the data, which
 * ends there; it is static. */
ssize_t xds_unpack_read(struct xds_unpack *unpack, char *out, size_t size,
                        const char **fault);

#endif
