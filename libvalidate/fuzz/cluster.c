/* cluster.c - fuzz target: a Cluster in protobuf's wire form. */
#include "fuzz/harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    xds_fuzz_resource(XDS_TYPE_CLUSTER, data, size);
    return 0;
}
