/* memory.h - what is printed, in memory; and how a property that does not hold is
 * reported.
 */
#ifndef XDS_FUZZ_MEMORY_H
#define XDS_FUZZ_MEMORY_H

#include "base/slice.h"

struct xds_memory {
    char *data; /* to be freed */
    size_t len, cap;
};

/* For struct xds_printer; user is the struct xds_memory. */
bool xds_memory_write(void *user, const char *data, size_t len);
void xds_memory_print(struct xds_memory *memory, const char *format, ...)
    XDS_PRINTF(2, 3);
struct xds_slice xds_memory_text(const struct xds_memory *memory);

/* One line on standard error, and abort(): the fuzzer keeps the input. */
_Noreturn void xds_fuzz_fail(const char *format, ...) XDS_PRINTF(1, 2);

#endif
