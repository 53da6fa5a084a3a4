/* forms.c - fuzz target: an Any with one resource, or a text, in every format. */
#include "fuzz/harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    xds_fuzz_forms(data, size);
    return 0;
}
