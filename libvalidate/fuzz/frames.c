/* frames.c - fuzz target: the bytes of a gRPC stream. */
#include "fuzz/harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    xds_fuzz_frames(data, size);
    return 0;
}
