/* case.c - fuzz target: a case file with its input files. */
#include "fuzz/harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    xds_fuzz_case(data, size);
    return 0;
}
