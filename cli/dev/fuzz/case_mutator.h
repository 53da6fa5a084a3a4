/* case_mutator.h - mutate a case so that it mostly stays one. */
#ifndef CLI_DEV_FUZZ_CASE_MUTATOR_H
#define CLI_DEV_FUZZ_CASE_MUTATOR_H

#include <stddef.h>
#include <stdint.h>

/* libFuzzer calls them instead of its own. They return the new size. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t size, const uint8_t *two,
                                 size_t size_of_two, uint8_t *data, size_t max_size,
                                 unsigned seed);

#endif
