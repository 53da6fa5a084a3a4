/* ads.c - fuzz target: what a control plane sends to a client, and when. */
#include "fuzz/harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    xds_fuzz_ads(data, size);
    return 0;
}
