/* mutate.h - mutate a message in wire form so that it mostly stays one. */
#ifndef XDS_FUZZ_MUTATE_H
#define XDS_FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

/* libFuzzer calls it instead of its own mutations. Returns the new size. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned seed);
/* What it is for messages. */
size_t xds_fuzz_mutate_message(uint8_t *data, size_t size, size_t max_size,
                               unsigned seed);
/* libFuzzer's own mutations of any bytes. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

#endif
