/* xml_test.c - what XML documents can hold. */
#include <criterion/criterion.h>

#include "print/write/markup.h"

struct sink {
    char text[256];
    size_t len;
};

static bool keep(void *user, const char *data, size_t len)
{
    struct sink *sink = user;

    memcpy(sink->text + sink->len, data, len);
    sink->len += len;
    sink->text[sink->len] = '\0';
    return true;
}

static const struct row {
    const char *in, *text, *attribute;
} rows[] = {
    {"a<b>&\"c'", "a&lt;b&gt;&amp;\"c'", " n=\"a&lt;b&gt;&amp;&quot;c'\""},
    {"\t\n\r", "\t\n&#13;", " n=\"&#9;&#10;&#13;\""},
    {"\x01\x7f", "\xef\xbf\xbd&#127;", " n=\"\xef\xbf\xbd&#127;\""},
    {"\xc3\xa9\xff", "\xc3\xa9\xef\xbf\xbd", " n=\"\xc3\xa9\xef\xbf\xbd\""},
    {"\xef\xbf\xbf", "\xef\xbf\xbd", " n=\"\xef\xbf\xbd\""},
    {"\xf0\x9f\x98\x80\xf0", "\xf0\x9f\x98\x80\xef\xbf\xbd",
     " n=\"\xf0\x9f\x98\x80\xef\xbf\xbd\""},
    {"", "", " n=\"\""},
};

Test(xml, markup_is_escaped_and_what_cannot_be_is_replaced)
{
    for (const struct row *r = rows; r < rows + XDS_ARRAY_LEN(rows); r++) {
        struct sink text = {.len = 0}, attribute = {.len = 0};
        const struct xds_printer to = {.write = keep, .user = &text};
        const struct xds_printer and_to = {.write = keep, .user = &attribute};
        struct xds_out out;

        xds_out_init(&out, &to);
        xds_xml_text(&out, xds_slice_of(r->in));
        cr_assert_eq(xds_out_finish(&out), XDS_OK);
        xds_out_init(&out, &and_to);
        xds_xml_attribute(&out, "n", xds_slice_of(r->in));
        cr_assert_eq(xds_out_finish(&out), XDS_OK);
        cr_expect_str_eq(text.text, r->text);
        cr_expect_str_eq(attribute.text, r->attribute);
    }
}
