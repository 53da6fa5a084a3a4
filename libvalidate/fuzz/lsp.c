/* lsp.c - fuzz target: the language server, with a case as workspace and messages. */
#include "fuzz/harness.h"
#include "cli/dev/fuzz/program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    xds_fuzz_lsp(data, size);
    return 0;
}
