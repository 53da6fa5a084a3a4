/* json.c - fuzz target: a file that ends in .json. */
#include "fuzz/harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    xds_fuzz_file("input.json", data, size);
    return 0;
}
