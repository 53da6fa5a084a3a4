/* cookie.c - fuzz target: a session cookie. */
#include "fuzz/harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    xds_fuzz_cookie(data, size);
    return 0;
}
