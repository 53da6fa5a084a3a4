/* cli.c - fuzz target: the program, with a case as command line and files. */
#include "fuzz/harness.h"
#include "cli/dev/fuzz/program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    xds_fuzz_cli(data, size);
    return 0;
}
