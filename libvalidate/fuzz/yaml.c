/* yaml.c - fuzz target: a file that ends in .yaml. */
#include "fuzz/harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    xds_fuzz_yaml(data, size);
    xds_fuzz_file("input.yaml", data, size);
    return 0;
}
