/* scenario.c - fuzz target: scenarios, as JSON or YAML. */
#include "fuzz/harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    xds_fuzz_scenario(data, size);
    return 0;
}
