/* status_test.c - what a client says of what it holds, from hostile bytes. */
#define _GNU_SOURCE /* memmem() */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/memory.h"
#include "include/xdscope.h"

static enum xds_status convert(struct xds_slice bytes, enum xds_format format,
                               struct xds_memory *out, size_t *lost)
{
    const struct xds_convert_options options = {.format = format};
    const struct xds_printer to = {.write = xds_memory_write, .user = out};

    *out = (struct xds_memory){NULL, 0, 0};
    return xds_convert_status(bytes, &options, &to, lost);
}

/* A ClientConfig of a node "n" with one entry, a listener "a" of version 1. */
static const char good[] = "\x0a\x0f"
                           "\x0a\x03\x0a\x01n"
                           "\x1a\x08\x12\x01"
                           "a\x1a\x01"
                           "1"
                           "\x30\x01";

static const struct xds_slice whole = {good, sizeof good - 1};

Test(status, an_entry_of_a_client_is_written_with_its_version)
{
    struct xds_memory out;
    size_t lost;

    cr_assert_eq(convert(whole, XDS_FORMAT_JSON, &out, &lost), XDS_OK);
    cr_expect_eq(lost, 0);
    cr_expect(memmem(out.data, out.len, "\"version_info\": \"1\"", 19), "%.*s",
              (int)out.len, out.data);
    free(out.data);
}

Test(status, nothing_at_all_is_an_empty_object)
{
    struct xds_memory out;
    size_t lost;

    cr_assert_eq(convert((struct xds_slice){"", 0}, XDS_FORMAT_JSON, &out, &lost),
                 XDS_OK);
    cr_expect_eq(out.len, 3);
    cr_expect_eq(memcmp(out.data, "{}\n", 3), 0);
    free(out.data);
}

Test(status, every_prefix_and_every_bit_that_is_flipped_ends_well)
{
    char bytes[sizeof good];
    struct xds_memory out;
    size_t lost;

    for (unsigned format = 0; format <= XDS_FORMAT_TEXT_PROTO; format++)
        for (size_t len = 0; len <= whole.len; len++)
            for (unsigned bit = 0; bit < 8 * whole.len; bit++) {
                memcpy(bytes, good, sizeof good);
                bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
                const enum xds_status status =
                    convert((struct xds_slice){bytes, len}, format, &out, &lost);

                cr_expect(status == XDS_OK || status == XDS_ERR_USAGE);
                free(out.data);
            }
}

Test(status, binary_is_what_it_is_in)
{
    struct xds_memory out;
    size_t lost;

    cr_expect_eq(convert(whole, XDS_FORMAT_BINARY, &out, &lost), XDS_ERR_USAGE);
    cr_expect_eq(out.len, 0);
}
