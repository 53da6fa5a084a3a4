/* base64_test.c - what C-core's decoder takes and refuses. */
#include <criterion/criterion.h>

#include "base/base64.h"

static const struct row {
    const char *text;
    const char *clear; /* NULL: refused */
} rows[] = {
    {"", ""},
    {"TQ==", "M"},
    {"TQ", "M"},
    {"TQ=", NULL},
    {"TQ===", NULL},
    {"T", NULL},
    {"TQ==TQ==", NULL},
    {"TWE=", "Ma"},
    {"TWE", "Ma"},
    {"TWFu", "Man"},
    {"TWFu=", NULL},
    {"TQ..", "M"},
    {"TQ=.", "M"},
    {" T\tQ\n= = ", "M"},
    {"=", NULL},
    {"MTAuMC4wLjI6ODA7Y34_fj5B", NULL},
    {"MTAuMC4wLjI6ODA7Y34/fj5B", "10.0.0.2:80;c~?~>A"},
    {"TR==", "M"}, /* the bits after the last byte do not count */
    {"T*Fu", NULL},
    {"TWF\xc3\xa9", NULL},
};

Test(base64, decodes_exactly_what_core_decodes)
{
    for (const struct row *r = rows; r < rows + XDS_ARRAY_LEN(rows); r++) {
        char out[64];
        size_t len = 0;
        const bool ok = xds_base64_decode(xds_slice_of(r->text), XDS_BASE64_COOKIE, out,
                                          sizeof(out), &len);

        cr_expect_eq(ok, r->clear != NULL, "%s", r->text);
        if (ok && r->clear)
            cr_expect(xds_slice_is(xds_slice_make(out, len), r->clear), "%s", r->text);
    }
}

Test(base64, a_buffer_that_is_too_small_refuses)
{
    char out[2];
    size_t len;

    cr_expect_not(
        xds_base64_decode(XDS_S("TWFu"), XDS_BASE64_COOKIE, out, sizeof(out), &len));
}

Test(base64, encoding_pads_and_reports_the_length_it_needs)
{
    char out[9] = "........";

    cr_expect_eq(xds_base64_encode(XDS_S("Man"), out, sizeof(out)), 4);
    cr_expect_arr_eq(out, "TWFu....", 8);
    cr_expect_eq(xds_base64_encode(XDS_S("Manu"), out, sizeof(out)), 8);
    cr_expect_arr_eq(out, "TWFudQ==", 8);
    cr_expect_eq(xds_base64_encode(XDS_S("Manual"), out, 3), 8);
    cr_expect_arr_eq(out, "TWFudQ==", 8, "nothing is written behind the size given");
    cr_expect_eq(xds_base64_encode(XDS_S("M"), NULL, 0), 4);
}

Test(base64, decoding_undoes_encoding_for_every_byte)
{
    for (unsigned byte = 0; byte < 256; byte++) {
        const char in[2] = {(char)byte, (char)(255 - byte)};
        char text[8], back[8];
        size_t len;
        const size_t n = xds_base64_encode(xds_slice_make(in, 2), text, sizeof(text));

        cr_assert(xds_base64_decode(xds_slice_make(text, n), XDS_BASE64_JSON, back,
                                    sizeof(back), &len));
        cr_assert_eq(len, 2);
        cr_expect_arr_eq(back, in, 2);
    }
}
