/* binary.c - fuzz target: a DiscoveryResponse in binary. */
#include "fuzz/harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    xds_fuzz_file("input.binpb", data, size);
    return 0;
}
