/* textproto.c - fuzz target: a file that ends in .textproto. */
#include "fuzz/harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    xds_fuzz_file("input.textproto", data, size);
    return 0;
}
