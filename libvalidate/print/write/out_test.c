/* out_test.c - the writer: numbers, escapes, commas, and writes that fail. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "print/write/document.h"
#include "print/write/json.h"

struct sink {
    char text[65536];
    size_t n, calls, fail_at; /* the call that fails, counted from 1; 0: none */
};

static bool write_sink(void *user, const char *data, size_t len)
{
    struct sink *sink = user;

    if (++sink->calls == sink->fail_at)
        return false;
    cr_assert_leq(sink->n + len, sizeof sink->text - 1);
    memcpy(sink->text + sink->n, data, len);
    sink->n += len;
    sink->text[sink->n] = '\0';
    return true;
}

static struct sink sink;
static struct xds_printer printer = {.write = write_sink, .user = &sink};
static struct xds_out out;

static void start(void)
{
    memset(&sink, 0, sizeof sink);
    printer.color = false;
    xds_out_init(&out, &printer);
}

static const char *finish(void)
{
    cr_expect_eq(xds_out_finish(&out), XDS_OK);
    return sink.text;
}

static const struct {
    double value;
    const char *text;
} doubles[] = {
    {0.0, "0"},
    {0.1, "0.1"},
    {0.75, "0.75"},
    {1.0 / 3.0, "0.3333333333333333"},
    {0.1 + 0.2, "0.30000000000000004"},
    {1e300, "1e+300"},
    {5e-324, "4.94065645841247e-324"},
    {-2.5, "-2.5"},
    {INFINITY, "null"},
    {NAN, "null"},
};

Test(out, a_double_has_the_fewest_digits_that_read_back)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(doubles); i++) {
        start();
        xds_json_double(&out, doubles[i].value);
        cr_expect_str_eq(finish(), doubles[i].text);
        if (isfinite(doubles[i].value))
            cr_expect_eq(strtod(sink.text, NULL), doubles[i].value);
    }
}

/* What printf and strtod agree on, the plain way. */
static void write_shortest(char *text, size_t size, double value)
{
    int precision = 15;

    do
        (void)snprintf(text, size, "%.*g", precision, value);
    while (strtod(text, NULL) != value && ++precision <= 17);
}

Test(out, probabilities_are_written_as_printf_would_with_the_fewest_digits)
{
    char text[40];
    uint64_t state = 1;

    for (unsigned n = 1; n < 400; n++)
        for (unsigned k = 1; k < n; k++) {
            start();
            xds_json_double(&out, (double)k / n);
            write_shortest(text, sizeof(text), (double)k / n);
            cr_assert_str_eq(finish(), text);
        }
    for (unsigned i = 0; i < 20000; i++) {
        state = state * UINT64_C(6364136223846793005) + 1;
        const double value = (double)(state >> 11) / 9007199254740992.0;
        start();
        xds_json_double(&out, value);
        write_shortest(text, sizeof(text), value);
        cr_assert_str_eq(finish(), text);
    }
}

Test(out, integers_reach_both_ends)
{
    start();
    xds_out_u64(&out, UINT64_MAX);
    xds_out_char(&out, ' ');
    xds_out_i64(&out, INT64_MIN);
    xds_out_char(&out, ' ');
    xds_out_i64(&out, INT64_MAX);
    xds_out_char(&out, ' ');
    xds_out_u64(&out, 0);
    cr_expect_str_eq(finish(),
                     "18446744073709551615 -9223372036854775808 9223372036854775807 0");
}

static const struct {
    const char *in, *json, *clean;
} texts[] = {
    {"", "\"\"", ""},
    {"plain", "\"plain\"", "plain"},
    {"a\"b\\c", "\"a\\\"b\\\\c\"", "a\"b\\c"},
    {"\b\f\n\r\t\x01\x1f", "\"\\b\\f\\n\\r\\t\\u0001\\u001f\"",
     "\\x08\\x0c\\n\\x0d\\t\\x01\\x1f"},
    {"\x1b[31m", "\"\\u001b[31m\"", "\\x1b[31m"},
    {"\x7f", "\"\\u007f\"", "\\x7f"},
    {"h\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
     "\"h\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\"",
     "h\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"},
    {"\xc2\x85", "\"\\u0085\"", "\\u0085"},                     /* a C1 control */
    {"\xe2\x80\xae", "\"\\u202e\"", "\\u202e"},                 /* right to left */
    {"\xf3\xa0\x81\x81", "\"\\udb40\\udc41\"", "\\U000e0041"},  /* a tag */
    {"\xff", "\"\xef\xbf\xbd\"", "\\xff"},                      /* never UTF-8 */
    {"a\xc3", "\"a\xef\xbf\xbd\"", "a\\xc3"},                   /* cut short */
    {"\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\"", "\\xc0\\xaf"}, /* overlong */
    {"\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"", "\\xed\\xa0\\x80"},
    {"\xf4\x90\x80\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"",
     "\\xf4\\x90\\x80\\x80"},
};

/* Cleaned as a whole, and byte by byte. */
Test(out, a_byte_is_told_from_plain_text_wherever_it_stands)
{
    char text[17], want[64];
    const struct xds_slice whole = {text, sizeof text};

    for (unsigned i = 0; i < 256 * sizeof text; i++) {
        memset(text, 'a', sizeof text);
        text[i / 256] = (char)(i % 256);
        start();
        for (size_t k = 0; k < sizeof text; k++)
            xds_out_clean(&out, xds_slice_make(text + k, 1));
        (void)snprintf(want, sizeof want, "%s", finish());
        start();
        xds_out_clean(&out, whole);
        cr_expect_str_eq(finish(), want, "byte %u at %u", i % 256, i / 256);
    }
}

Test(out, no_input_can_leave_its_string_or_its_line)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(texts); i++) {
        start();
        xds_json_text(&out, texts[i].in);
        cr_expect_str_eq(finish(), texts[i].json, "json %zu: %s", i, sink.text);
        start();
        xds_out_clean(&out, xds_slice_of(texts[i].in));
        cr_expect_str_eq(finish(), texts[i].clean, "clean %zu: %s", i, sink.text);
    }
}

Test(out, every_byte_makes_valid_utf8)
{
    for (unsigned a = 0; a < 256; a++) {
        for (unsigned b = 0; b < 256; b++) {
            const char in[] = {(char)a, (char)b};

            start();
            xds_json_string(&out, xds_slice_make(in, sizeof in));
            cr_assert_eq(xds_out_finish(&out), XDS_OK);
            cr_assert(xds_utf8_valid(xds_slice_make(sink.text, sink.n)), "%x %x", a, b);
        }
    }
}

Test(out, commas_stand_between_and_nowhere_else)
{
    start();
    xds_json_begin_object(&out);
    xds_json_key(&out, "a");
    xds_json_begin_array(&out);
    xds_json_end_array(&out);
    xds_json_key(&out, "b");
    xds_json_begin_array(&out);
    xds_json_line(&out);
    xds_json_u64(&out, 1);
    xds_json_line(&out);
    xds_json_begin_object(&out);
    xds_json_end_object(&out);
    xds_json_bool(&out, true);
    xds_json_null(&out);
    xds_json_begin_string(&out);
    xds_json_part(&out, XDS_S("x,"));
    xds_json_part(&out, XDS_S("\"y"));
    xds_json_end_string(&out);
    xds_json_value(&out, XDS_S("[2]"));
    xds_json_string_or_null(&out, (struct xds_slice){NULL, 0});
    xds_json_end_array(&out);
    xds_json_key(&out, "c");
    xds_json_u64(&out, 1);
    xds_json_end_object(&out);
    cr_expect_str_eq(
        finish(), "{\"a\":[],\"b\":[\n1,\n{},true,null,\"x,\\\"y\",[2],null],\"c\":1}");
}

Test(out, text_longer_than_the_buffer_comes_out_whole)
{
    start();
    for (unsigned i = 0; i < 5000; i++)
        xds_out_text(&out, "0123456789");
    cr_expect_eq(strlen(finish()), 50000);
    for (size_t i = 0; i < 50000; i++)
        cr_assert_eq(sink.text[i], (char)('0' + i % 10));
}

Test(out, after_a_failed_write_nothing_more_is_written)
{
    start();
    sink.fail_at = 2;
    for (unsigned i = 0; i < 5000; i++)
        xds_out_text(&out, "0123456789");
    cr_expect(out.failed);
    cr_expect_eq(xds_out_finish(&out), XDS_ERR_IO);
    cr_expect_eq(sink.calls, 2);
}

Test(out, styles_show_only_where_there_are_colours)
{
    start();
    xds_out_styled(&out, XDS_STYLE_RED, "error");
    cr_expect_str_eq(finish(), "error");
    start();
    printer.color = true;
    xds_out_styled(&out, XDS_STYLE_RED, "error");
    xds_out_styled(&out, XDS_STYLE_NONE, "plain");
    cr_expect_str_eq(finish(), "\033[1;31merror\033[0mplain");
}

/* A text is copied by words, and what needs care may be anywhere in them. */
Test(out, a_string_is_written_alike_at_once_and_in_pieces)
{
    char text[20], at_once[200];

    for (size_t len = 0; len <= sizeof(text); len++)
        for (size_t at = 0; at < len; at++)
            for (unsigned byte = 0; byte < 256; byte++) {
                memset(text, 'x', sizeof(text));
                text[at] = (char)byte;
                start();
                xds_json_string(&out, xds_slice_make(text, len));
                snprintf(at_once, sizeof(at_once), "%s", finish());
                start();
                xds_json_begin_string(&out);
                for (size_t i = 0; i < len; i++)
                    xds_json_part(&out, xds_slice_make(text + i, 1));
                xds_json_end_string(&out);
                cr_assert_str_eq(finish(), at_once, "byte %u at %zu of %zu", byte, at,
                                 len);
            }
}

/* Whatever is written last, the buffer ends after it, before it or within it. */
Test(out, json_is_the_same_wherever_the_buffer_ends)
{
    for (size_t before = sizeof(out.buffer) - 40; before <= sizeof(out.buffer);
         before++) {
        start();
        xds_json_begin_array(&out);
        for (size_t i = 1; i < before; i++)
            xds_out_char(&out, ' ');
        xds_json_begin_object(&out);
        xds_json_key(&out, "key");
        xds_json_text(&out, "value");
        xds_json_key(&out, "none");
        xds_json_null(&out);
        xds_json_end_object(&out);
        xds_json_bool(&out, true);
        xds_json_end_array(&out);
        cr_assert_str_eq(finish() + before, "{\"key\":\"value\",\"none\":null},true]");
    }
}

/* ---- formats ---- */

Test(out, a_format_cleans_its_arguments_and_not_itself)
{
    start();
    xds_out_format(&out, "\"%s\"\n[%.*s] ", "a\x1b[31m\n\tb",
                   XDS_FMT(XDS_S("\xc2\x9bx")));
    xds_out_line(&out, "100%% of %c%c", '\x07', 'c');
    cr_expect_str_eq(finish(), "\"a\\x1b[31m\\n\\tb\"\n[\\u009bx] 100% of \\x07c\n");
}

Test(out, a_character_cut_between_two_arguments_does_not_become_a_control)
{
    start();
    xds_out_format(&out, "%s%s", "\xc2", "\x9b");
    cr_expect_str_eq(finish(), "\\xc2\\x9b");
}

Test(out, a_slice_may_be_absent_long_or_hold_zero)
{
    static char text[20000];
    const struct xds_slice absent = {NULL, 0};

    memset(text, 'x', sizeof text);
    text[1] = '\0';
    start();
    xds_out_line(&out, "%.*s|%.*s|%.*s|", XDS_FMT(absent), XDS_FMT(XDS_NUL),
                 XDS_FMT(xds_slice_make(text, sizeof text)));
    const char *got = finish();

    cr_expect_eq(strlen(got), sizeof text + strlen("|\\x00|\\x00|\n") - 1);
    cr_expect_eq(strncmp(got, "|\\x00|x\\x00xxx", strlen("|\\x00|x\\x00xxx")), 0);
}

Test(out, numbers_and_texts_have_a_width)
{
    start();
    xds_out_line(&out, "%u %zu %" PRIu64 " %4u|%-4zu|%*s|%-6s|%1s|%2s", 0u, (size_t)10,
                 UINT64_MAX, 7u, (size_t)42, 3, "", "ab", "abc", "c");
    cr_expect_str_eq(finish(), "0 10 18446744073709551615    7|42  |   |ab    |abc| c\n");
}

Test(out, a_percentage_has_at_most_three_decimals)
{
    cr_expect_str_eq(xds_percent(0.125).text, "12.5%");
    cr_expect_str_eq(xds_percent(1).text, "100%");
    cr_expect_str_eq(xds_percent(1e-9).text, "less than 0.001%");
    cr_expect_str_eq(xds_percent(0).text, "0%");
}
