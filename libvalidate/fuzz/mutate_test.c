/* mutate_test.c - lengths stay right around what is mutated. */
#include <criterion/criterion.h>
#include <string.h>

#include "fuzz/mutate.h"
#include "source/wire/wire_field.h"

/* Stands for libFuzzer's: a byte that begins no field is put in front, or a bit flipped
 * where there is no room. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
    if (size >= max_size) {
        if (size > 0)
            data[0] ^= 1;
        return size;
    }
    memmove(data + 1, data, size);
    data[0] = 0x07;
    return size + 1;
}

/* 1: {1: {1: "ab"}, 2: 300, 5: a fixed32}, 2: "c" */
static const uint8_t message[] = {0x0a, 0x0e, 0x0a, 0x04, 0x0a, 0x02, 'a',
                                  'b',  0x10, 0xac, 0x02, 0x2d, 1,    2,
                                  3,    4,    0x12, 0x01, 'c'};

static bool is_message(struct xds_slice s)
{
    struct xds_wire_field field;
    struct xds_slice value;

    while (s.len > 0)
        if (!xds_wire_next(&s, &field, &value))
            return false;
    return true;
}

Test(mutate, most_mutations_leave_a_message)
{
    unsigned messages = 0, same = 0;

    for (unsigned seed = 1; seed <= 1000; seed++) {
        uint8_t data[64];

        memcpy(data, message, sizeof message);
        const size_t n =
            xds_fuzz_mutate_message(data, sizeof message, sizeof data, seed * 7919);
        cr_assert_leq(n, sizeof data);
        messages += is_message(xds_slice_make((const char *)data, n));
        same += n == sizeof message && memcmp(data, message, n) == 0;
    }
    cr_expect_gt(messages, 600);
    cr_expect_lt(same, 50);
}

Test(mutate, what_outgrows_the_room_is_left_to_libfuzzer)
{
    for (unsigned seed = 1; seed <= 1000; seed++) {
        uint8_t data[sizeof message];

        memcpy(data, message, sizeof message);
        cr_assert_leq(xds_fuzz_mutate_message(data, sizeof message, sizeof data, seed),
                      sizeof data);
    }
}

Test(mutate, any_bytes_will_do)
{
    uint8_t data[8] = {0xff, 0xff, 0xff};

    for (unsigned seed = 0; seed < 100; seed++) {
        cr_assert_leq(xds_fuzz_mutate_message(data, 3, sizeof data, seed), sizeof data);
        cr_assert_leq(xds_fuzz_mutate_message(data, 0, sizeof data, seed), sizeof data);
    }
}
