/* secrets.c - fuzz target: a text into which a secret is put. */
#include "fuzz/harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    xds_fuzz_secrets(data, size);
    return 0;
}
