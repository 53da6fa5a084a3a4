/*
 * out.c - a buffered writer: plain text, text safe for a terminal, and JSON.
 *
 * Fails:  stays silent after the first write that failed; xds_out_finish() says so.
 */
#include "print/write/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "base/format.h"

enum { SHORT = 256 }; /* a piece that is copied at once */

void xds_out_init(struct xds_out *out, const struct xds_printer *to)
{
    out->to = to;
    out->failed = false;
    out->comma = false;
    out->one_line = to->one_line;
    out->in_yaml = false;
    out->n = 0;
    out->flushes = 0;
    out->number_len = 0;
}

static bool write_text(void *user, const char *data, size_t len)
{
    xds_text_add(user, xds_slice_make(data, len));
    return true;
}

struct xds_printer xds_text_printer(struct xds_text *text)
{
    return (struct xds_printer){.write = write_text, .user = text, .one_line = true};
}

void xds_out_flush(struct xds_out *out)
{
    if (out->n > 0 && !out->failed)
        out->failed = !out->to->write(out->to->user, out->buffer, out->n);
    out->n = 0;
    out->flushes++;
}

enum xds_status xds_out_finish(struct xds_out *out)
{
    xds_out_flush(out);
    return out->failed ? XDS_ERR_IO : XDS_OK;
}

enum xds_status xds_out_run(struct xds_out *out, struct xds_arena *arena,
                            const struct xds_printer *to, void (*body)(void *), void *arg)
{
    struct xds_arena *const arenas[] = {arena};

    xds_arena_init(arena, 0);
    xds_out_init(out, to);
    enum xds_status status = xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), body, arg);
    if (status == XDS_OK)
        status = xds_out_finish(out);
    xds_arena_release(arena);
    return status;
}

void xds_out_raw(struct xds_out *out, struct xds_slice s)
{
    if (s.len > 0 && s.len < sizeof(out->buffer) - out->n) { /* nearly always */
        memcpy(out->buffer + out->n, s.data, s.len);
        out->n += s.len;
        return;
    }
    while (s.len > 0) {
        const size_t room = sizeof(out->buffer) - out->n;
        const size_t whole = xds_slice_clip(s, room).len; /* no character is split */
        const size_t part = whole > 0 || out->n > 0 ? whole : room;

        memcpy(out->buffer + out->n, s.data, part);
        out->n += part;
        s = xds_slice_from(s, part);
        if (s.len > 0 || out->n == sizeof(out->buffer))
            xds_out_flush(out);
    }
}

/* ---- plain ASCII ---- */

/* Eight bytes at a time, since most text is plain. */
enum { WORD = sizeof(uint64_t) };
#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Bit 7 of each byte that is 0 is set in the result, and of no byte before the first. */
static uint64_t zeros(uint64_t word)
{
    return (word - EACH(1)) & ~word & EACH(0x80);
}

/* No byte needs care in text. */
static bool is_clean_word(uint64_t word)
{
    const uint64_t below_blank = (word - EACH(0x20)) & ~word;

    return ((below_blank | zeros(word ^ EACH(0x7f)) | word) & EACH(0x80)) == 0;
}

/* ... nor in JSON. */
static bool is_plain_word(uint64_t word)
{
    return is_clean_word(word) &&
           (zeros(word ^ EACH('"')) | zeros(word ^ EACH('\\'))) == 0;
}

static bool is_plain(char c)
{
    return (unsigned char)(c - 0x20) < 0x7f - 0x20 && c != '"' && c != '\\';
}

static uint64_t word_at(const char *text)
{
    uint64_t word;

    memcpy(&word, text, WORD);
    return word;
}

/* What is asked of all bytes of a word; known where texts are copied, and unrolled there.
 */
typedef bool word_test(uint64_t word);

XDS_UNROLLED bool copy_word(char *to, const char *from, word_test *test)
{
    const uint64_t word = word_at(from);

    memcpy(to, &word, WORD);
    return test(word);
}

/* Less than a word: of its bytes a word is made, some of them twice. */
XDS_UNROLLED bool copy_bytes(char *to, struct xds_slice s, word_test *test)
{
    uint32_t ends[2];
    uint64_t word = EACH('a');

    if (s.len >= sizeof(*ends)) {
        memcpy(&ends[0], s.data, sizeof(*ends));
        memcpy(&ends[1], s.data + s.len - sizeof(*ends), sizeof(*ends));
        memcpy(to, &ends[0], sizeof(*ends));
        memcpy(to + s.len - sizeof(*ends), &ends[1], sizeof(*ends));
        return test((uint64_t)ends[0] << 32 | ends[1]);
    }
    for (size_t i = 0; i < s.len; i++) {
        to[i] = s.data[i];
        word = word << 8 | (unsigned char)s.data[i];
    }
    return test(word);
}

/* Copy a text while it is looked at; false when it needs care. The last word of a text
 * overlaps the one before, so that no bytes are left over. */
XDS_UNROLLED bool copy_if(char *to, struct xds_slice s, word_test *test)
{
    bool good = true;

    if (s.len < WORD)
        return copy_bytes(to, s, test);
    for (size_t n = 0; n + WORD < s.len; n += WORD)
        good &= copy_word(to + n, s.data + n, test);
    return copy_word(to + s.len - WORD, s.data + s.len - WORD, test) && good;
}

size_t xds_plain_run(struct xds_slice s)
{
    size_t n = 0;

    while (n + WORD <= s.len && is_plain_word(word_at(s.data + n)))
        n += WORD;
    while (n < s.len && is_plain(s.data[n]))
        n++;
    return n;
}

static void hex(struct xds_out *out, const char *prefix, unsigned char byte)
{
    static const char digits[] = "0123456789abcdef";

    xds_out_text(out, prefix);
    xds_out_char(out, digits[byte >> 4]);
    xds_out_char(out, digits[byte & 15]);
}

/* The first character of s when it is one that text must not hold as it is. */
static bool is_unsafe(struct xds_slice s, uint32_t *rune)
{
    return xds_utf8_next(&s, rune) && xds_rune_is_unsafe(*rune);
}

static void put_unit(struct xds_out *out, uint32_t unit)
{
    hex(out, "\\u", (unsigned char)(unit >> 8));
    hex(out, "", (unsigned char)unit);
}

static void clean_rune(struct xds_out *out, uint32_t rune)
{
    if (rune == '\n')
        xds_out_text(out, "\\n");
    else if (rune == '\t')
        xds_out_text(out, "\\t");
    else if (rune < 0x80)
        hex(out, "\\x", (unsigned char)rune);
    else
        xds_out_rune(out, rune);
}

void xds_out_rune(struct xds_out *out, uint32_t rune)
{
    if (rune > 0xffff) {
        hex(out, "\\U00", (unsigned char)(rune >> 16));
        hex(out, "", (unsigned char)(rune >> 8));
        hex(out, "", (unsigned char)rune);
    } else {
        put_unit(out, rune);
    }
}

void xds_out_clean(struct xds_out *out, struct xds_slice s)
{
    if (s.len <= SHORT && copy_if(xds_out_room(out, SHORT), s, is_clean_word)) {
        out->n += s.len; /* nearly always */
        return;
    }
    while (s.len > 0) {
        const size_t run = xds_plain_run(s);
        const size_t len = run > 0 ? run : xds_utf8_first(s);
        const struct xds_slice piece = xds_slice_make(s.data, len > 0 ? len : 1);
        uint32_t rune;

        if (len == 0 && xds_slice_starts(s, XDS_NUL)) {
            hex(out, "\\x", 0);
            s = xds_slice_from(s, XDS_NUL.len);
            continue;
        }
        if (len == 0)
            hex(out, "\\x", (unsigned char)*s.data);
        else if (run == 0 && is_unsafe(piece, &rune))
            clean_rune(out, rune);
        else
            xds_out_raw(out, piece);
        s = xds_slice_from(s, piece.len);
    }
}

enum xds_status xds_print_clean(const struct xds_printer *to, struct xds_slice text)
{
    struct xds_out out;

    xds_out_init(&out, to);
    xds_out_clean(&out, text);
    return xds_out_finish(&out);
}

void xds_out_u64(struct xds_out *out, uint64_t value)
{
    char room[XDS_DIGITS];

    if (value < 10) /* most numbers */
        xds_out_char(out, (char)('0' + value));
    else
        xds_out_raw(out, xds_digits(value, room));
}

void xds_out_u128(struct xds_out *out, xds_u128 value)
{
    if (value <= UINT64_MAX)
        xds_out_u64(out, (uint64_t)value);
    else
        xds_out_text(out, xds_u128_text(value).text);
}

void xds_out_i64(struct xds_out *out, int64_t value)
{
    char room[XDS_DIGITS];

    xds_out_raw(out, xds_signed_digits(value, room));
}

/* "0." and the decimals of m / 10^n without zeros at the end. */
static size_t format_decimals(char *text, uint64_t m, size_t n)
{
    while (m % 10 == 0) {
        m /= 10;
        n--;
    }
    text[0] = '0';
    text[1] = '.';
    for (size_t i = n; i > 0; i--, m /= 10)
        text[1 + i] = (char)('0' + m % 10);
    return n + 2;
}

/* Most probabilities: m and the power of ten are exact, so that one division says whether
 * m / 10^n reads back as value. 0 when it does not. */
static size_t format_fraction(char *text, double value)
{
    static const double powers[] = {1e15, 1e16};

    if (!(value > 1e-3 && value < 0.9))
        return 0;
    for (size_t i = 0; i < XDS_ARRAY_LEN(powers); i++) {
        const long double product = (long double)value * (long double)powers[i];
        const uint64_t m = (uint64_t)(product + 0.5L);
        const long double off = (long double)m - product;

        if (off > 0.499L || off < -0.499L)
            return 0; /* too near the middle to say which neighbour is the nearest */
        if ((double)m / powers[i] == value)
            return format_decimals(text, m, 15 + i);
    }
    return 0;
}

static size_t print_double(char *text, size_t size, double value)
{
    int precision = 15, len;

    do
        len = snprintf(text, size, "%.*g", precision, value);
    while (strtod(text, NULL) != value && ++precision <= 17 && !isnan(value));
    return (size_t)len;
}

/* The program around us may have set a locale: whatever is between the digits is its
 * decimal point, possibly of several bytes. */
static size_t format_double(char *out, double value)
{
    char text[40];
    const size_t len = print_double(text, sizeof(text), value);
    size_t n = 0;

    text[len] = '\0';
    for (size_t i = 0; i < len; i++)
        if (strchr("0123456789+-einfa", text[i]))
            out[n++] = text[i];
        else if (text[i + 1] >= '0' && text[i + 1] <= '9')
            out[n++] = '.';
    return n;
}

void xds_out_double(struct xds_out *out, double value)
{
    /* Whole numbers of this size are exact, and need no search for the fewest digits. */
    if (value >= 0 && value < 1e15 && value == (double)(uint64_t)value &&
        !signbit(value)) {
        xds_out_u64(out, (uint64_t)value);
        return;
    }
    if (out->number_len == 0 || out->number != value) {
        /* Keep the last number and its text: probabilities repeat from host to host. */
        out->number = value;
        out->number_len = format_fraction(out->number_text, value);
        if (out->number_len == 0)
            out->number_len = format_double(out->number_text, value);
    }
    xds_out_raw(out, xds_slice_make(out->number_text, out->number_len));
}

struct xds_short_text xds_percent(double share)
{
    const uint64_t thousandths = (uint64_t)(share * 100000 + 0.5);

    if (thousandths == 0 && share > 0)
        return (struct xds_short_text){"less than 0.001%"};
    return xds_decimal(thousandths, 1000, "%");
}

/* ---- formats ---- */

static const char *read_number(const char *at, va_list *args, size_t *number)
{
    if (*at == '*') {
        *number = (size_t)va_arg(*args, int);
        return at + 1;
    }
    for (*number = 0; xds_ascii_digit(*at); at++)
        *number = *number * 10 + (size_t)(*at - '0');
    return at;
}

void xds_out_blanks(struct xds_out *out, size_t n)
{
    while (n > 0) {
        const size_t part = n < SHORT ? n : SHORT;

        memset(xds_out_room(out, SHORT), ' ', part);
        out->n += part;
        n -= part;
    }
}

/* One conversion, after its '%' and width; gives what follows. */
static const char *convert(struct xds_out *out, xds_put_fn *put, const char *at,
                           va_list *args, bool left, size_t width)
{
    struct xds_conversion got;
    const char *next = xds_format_next(at, args, &got);

    if (!next) { /* "%%" */
        xds_out_char(out, *at);
        return at + 1;
    }
    const size_t padding = width > got.text.len ? width - got.text.len : 0;

    xds_out_blanks(out, left ? 0 : padding);
    if (got.is_number)
        xds_out_raw(out, got.text);
    else
        put(out, got.text);
    xds_out_blanks(out, left ? padding : 0);
    return next;
}

/* Up to the next '%' or the end. */
static const char *put_literal(struct xds_out *out, const char *format)
{
    while (*format != '\0' && *format != '%') {
        char *to = xds_out_room(out, SHORT), *const end = to + SHORT;

        while (*format != '\0' && *format != '%' && to < end)
            *to++ = *format++;
        out->n = (size_t)(to - out->buffer);
    }
    return format;
}

void xds_out_vformat(struct xds_out *out, xds_put_fn *put, const char *format,
                     va_list args)
{
    va_list copy;

    va_copy(copy, args);
    while (*(format = put_literal(out, format)) != '\0') {
        const char *at = format + 1;
        const bool left = *at == '-';
        size_t width;

        at = read_number(at + left, &copy, &width);
        format = convert(out, put, at, &copy, left, width);
    }
    va_end(copy);
}

void xds_out_format(struct xds_out *out, const char *format, ...)
{
    XDS_OUT_ARGS(out, xds_out_clean, format);
}

void xds_out_line(struct xds_out *out, const char *format, ...)
{
    XDS_OUT_ARGS(out, xds_out_clean, format);
    xds_out_char(out, '\n');
}

/* ---- JSON ---- */

static void before_value(struct xds_out *out)
{
    if (out->comma)
        xds_out_char(out, ',');
    out->comma = true;
}

static void escape(struct xds_out *out, uint32_t c)
{
    static const char plain[] = "\"\\\b\f\n\r\t", letter[] = "\"\\bfnrt";
    const char *known = c < 0x80 ? memchr(plain, (int)c, sizeof(plain) - 1) : NULL;

    if (c > 0xffff && out->in_yaml) {
        xds_out_rune(out, c);
        return;
    }
    if (c > 0xffff) {
        put_unit(out, 0xd7c0 + (c >> 10));
        put_unit(out, 0xdc00 + (c & 0x3ff));
        return;
    }
    if (!known) {
        put_unit(out, c);
        return;
    }
    xds_out_char(out, '\\');
    xds_out_char(out, letter[known - plain]);
}

void xds_json_part(struct xds_out *out, struct xds_slice s)
{
    while (s.len > 0) {
        const size_t run = xds_plain_run(s);
        const size_t len = run > 0 ? run : xds_utf8_first(s);
        uint32_t rune;

        if (len == 0 && xds_slice_starts(s, XDS_NUL)) {
            escape(out, '\0');
            s = xds_slice_from(s, XDS_NUL.len);
            continue;
        }
        if (len == 0)
            xds_out_text(out, "\xef\xbf\xbd");
        else if (run == 0 && (len == 1 || is_unsafe(s, &rune)))
            escape(out, len == 1 ? (unsigned char)s.data[0] : rune);
        else
            xds_out_raw(out, xds_slice_make(s.data, len));
        s = xds_slice_from(s, len > 0 ? len : 1);
    }
}

/* In pieces, some of them with an escape. */
static void write_string(struct xds_out *out, struct xds_slice s)
{
    xds_json_begin_string(out);
    xds_json_part(out, s);
    xds_json_end_string(out);
}

void xds_json_string(struct xds_out *out, struct xds_slice s)
{
    if (s.len > SHORT) {
        write_string(out, s);
        return;
    }
    char *to = xds_json_separate(out, s.len + 2);

    *to++ = '"';
    if (!copy_if(to, s, is_plain_word)) {
        write_string(out, s);
        return;
    }
    to[s.len] = '"';
    out->n = (size_t)(to + s.len + 1 - out->buffer);
    out->comma = true;
}

void xds_json_text(struct xds_out *out, const char *text)
{
    xds_json_string_or_null(out, xds_slice_of(text));
}

void xds_json_string_or_null(struct xds_out *out, struct xds_slice s)
{
    if (s.data)
        xds_json_string(out, s);
    else
        xds_json_null(out);
}

void xds_json_u64(struct xds_out *out, uint64_t value)
{
    before_value(out);
    xds_out_u64(out, value);
}

void xds_json_double(struct xds_out *out, double value)
{
    before_value(out);
    if (isfinite(value))
        xds_out_double(out, value);
    else
        xds_out_text(out, "null");
}

void xds_json_value(struct xds_out *out, struct xds_slice json)
{
    before_value(out);
    xds_out_raw(out, json);
}

/* ---- JSON: members ---- */

void xds_json_begin_document(struct xds_out *out)
{
    xds_json_begin_object(out);
    xds_json_key_u64(out, "version", 1);
}

void xds_json_end_document(struct xds_out *out)
{
    xds_json_end_object(out);
    xds_out_char(out, '\n');
}

enum { LONGEST_KEY = 64 };

static void put_text(struct xds_out *out, const char *text, int len)
{
    if (!text || len < 0)
        xds_json_null(out);
    else
        xds_json_string(out, xds_slice_make(text, (size_t)len));
}

/* The value of one conversion, after its '%'; gives what follows. */
static const char *put_value(struct xds_out *out, const char *at, va_list *args)
{
    const char *text;
    int len;

    switch (*at) { /* the letters that the header names */
    case 's':
        text = va_arg(*args, const char *);
        put_text(out, text, text ? (int)strlen(text) : -1);
        break;
    case '.':
        len = va_arg(*args, int);
        put_text(out, va_arg(*args, const char *), len);
        return at + strlen(".*s");
    case 'd':
        xds_json_bool(out, va_arg(*args, int));
        break;
    case 'g':
        xds_json_double(out, va_arg(*args, double));
        break;
    case 'u':
        xds_json_u64(out, va_arg(*args, unsigned));
        break;
    case 'z':
        xds_json_u64(out, va_arg(*args, size_t));
        return at + strlen("zu");
    default: /* PRIu64, which is "lu" or "llu" */
        xds_json_u64(out, va_arg(*args, uint64_t));
        return strchr(at, 'u') + 1;
    }
    return at + 1;
}

static void put_members(struct xds_out *out, const char *format, va_list list)
{
    va_list args;

    va_copy(args, list);
    while (*format != '\0') {
        char *to = xds_json_separate(out, LONGEST_KEY + 3);

        *to++ = '"';
        while (*format != ':')
            *to++ = *format++;
        *to++ = '"';
        *to++ = ':';
        out->n = (size_t)(to - out->buffer);
        out->comma = false;
        format = put_value(out, format + strlen(": %"), &args);
        format += *format == ',' ? strlen(", ") : 0;
    }
    va_end(args);
}

void xds_json_members(struct xds_out *out, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    put_members(out, format, args);
    va_end(args);
}

void xds_json_object(struct xds_out *out, const char *format, ...)
{
    va_list args;

    xds_json_begin_object(out);
    va_start(args, format);
    put_members(out, format, args);
    va_end(args);
    xds_json_end_object(out);
}

void xds_json_row(struct xds_out *out, const char *format, ...)
{
    va_list args;

    xds_json_begin_row(out);
    va_start(args, format);
    put_members(out, format, args);
    va_end(args);
    xds_json_end_object(out);
}

void xds_json_parts(struct xds_out *out, const char *format, ...)
{
    XDS_OUT_ARGS(out, xds_json_part, format);
}

void xds_json_key_parts(struct xds_out *out, const char *key, const char *format, ...)
{
    xds_json_key(out, key);
    xds_json_begin_string(out);
    XDS_OUT_ARGS(out, xds_json_part, format);
    xds_json_end_string(out);
}
