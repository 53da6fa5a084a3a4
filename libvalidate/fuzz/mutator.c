/* mutator.c - how libFuzzer mutates the messages of a target. */
#include "fuzz/mutate.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    return xds_fuzz_mutate_message(data, size, max_size, seed);
}
