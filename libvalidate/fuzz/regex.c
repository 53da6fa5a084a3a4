/* regex.c - fuzz target: a regular expression, a subject and a substitution. */
#include "fuzz/harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    xds_fuzz_regex(data, size);
    return 0;
}
