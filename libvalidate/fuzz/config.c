/* config.c - fuzz target: a config for --check, and what --previous names. */
#include "fuzz/harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    xds_fuzz_config(data, size);
    return 0;
}
