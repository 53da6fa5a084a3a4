/* routes.c - fuzz target: a RouteConfiguration and a request. */
#include "fuzz/harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    xds_fuzz_routes(data, size);
    return 0;
}
