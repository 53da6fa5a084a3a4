/*
 * out.h - a buffered writer: plain text, text safe for a terminal, and JSON.
 *
 * Takes:  the caller's struct xds_printer; the writer itself is on the C stack.
 * Gives:  bytes to its write function. The first failure is remembered and everything
 *         after it is dropped, so callers check once, in xds_out_finish().
 *
 * JSON is streamed: one flag knows whether a comma is due, so begin, key, value and end
 * are all there is, and no tree is ever held.
 */
#ifndef XDS_PRINT_OUT_H
#define XDS_PRINT_OUT_H

#include <inttypes.h>
#include <stdarg.h>

#include "base/arena.h"
#include "base/number.h"
#include "base/text.h"

/* Of functions whose text is known where they are called: its length is, too. */
#define XDS_UNROLLED static inline __attribute__((always_inline))

struct xds_out {
    const struct xds_printer *to;
    bool failed;
    bool comma;    /* JSON: the next key or element is not the first one */
    bool one_line; /* as the printer says */
    bool in_yaml;  /* JSON's strings are for YAML, which has no pairs of surrogates */
    size_t n;
    size_t flushes; /* of the buffer */
    double number;  /* written last, and its text; no text before the first */
    size_t number_len;
    char number_text[40];
    char buffer[8192];
};

void xds_out_init(struct xds_out *out, const struct xds_printer *to);
/* Write what is buffered; XDS_ERR_IO when any write failed. */
enum xds_status xds_out_finish(struct xds_out *out) XDS_MUST_USE;
/* Writes into a text, whose arena is set. */
struct xds_printer xds_text_printer(struct xds_text *text);
/* A whole print: body(arg) writes to out, with the arena for its time; both are made here
 * and finished. */
enum xds_status xds_out_run(struct xds_out *out, struct xds_arena *arena,
                            const struct xds_printer *to, void (*body)(void *),
                            void *arg) XDS_MUST_USE;

/* An answer that a function prints: it takes it as arg. */
struct xds_answer {
    const void *of;
    struct xds_arena arena; /* for as long as it is printed */
    struct xds_out out;
};

/* The same for an answer. */
static inline enum xds_status xds_answer_write(const struct xds_printer *to,
                                               void (*print)(void *answer),
                                               const void *of)
{
    struct xds_answer answer = {.of = of};

    return xds_out_run(&answer.out, &answer.arena, to, print, &answer);
}

/* ---- text ---- */

/* Write what is buffered, and continue with an empty buffer. */
void xds_out_flush(struct xds_out *out);

/* Where to put at most n bytes, few: what is written counts once it is added to out->n.
 */
static inline char *xds_out_room(struct xds_out *out, size_t n)
{
    if (sizeof(out->buffer) - out->n < n)
        xds_out_flush(out);
    return out->buffer + out->n;
}

/* The bytes as they are. */
void xds_out_raw(struct xds_out *out, struct xds_slice s);
static inline void xds_out_text(struct xds_out *out, const char *text)
{
    xds_out_raw(out,
                xds_slice_of(text)); /* mostly a literal, whose length is known here */
}

static inline void xds_out_char(struct xds_out *out, char c)
{
    *xds_out_room(out, 1) = c;
    out->n++;
}

void xds_out_blanks(struct xds_out *out, size_t n);

/* How many bytes in front of s are printable ASCII, without '"' and '\\'. */
size_t xds_plain_run(struct xds_slice s);

/* Text from the input, on one line: characters that xds_rune_is_unsafe() names and bytes
 * that are not UTF-8 become \n, \t, \xNN, \uNNNN or \UNNNNNNNN, so that no input can
 * break lines, drive a terminal or look like what it is not. */
void xds_out_clean(struct xds_out *out, struct xds_slice s);
/* A character as \uNNNN or \UNNNNNNNN. */
void xds_out_rune(struct xds_out *out, uint32_t rune);

/* Text and numbers in one call. The format is ours and is written as it is; every %s,
 * %.*s and %c is cleaned as above. These and numbers are what xds_format_next() knows,
 * with a width: "%-12s", "%*s", "%6zu", counted in bytes. XDS_FMT() makes the arguments
 * of a %.*s, whose text may hold U+0000. */
void xds_out_format(struct xds_out *out, const char *format, ...) XDS_PRINTF(2, 3);
/* The same and a line break. */
void xds_out_line(struct xds_out *out, const char *format, ...) XDS_PRINTF(2, 3);
/* "%zu error%s", n, xds_plural(n) */
static inline const char *xds_plural(size_t n)
{
    return n == 1 ? "" : "s";
}

/* The same for another kind of text: put() escapes what is not the format. */
typedef void xds_put_fn(struct xds_out *out, struct xds_slice text);
void xds_out_vformat(struct xds_out *out, xds_put_fn *put, const char *format,
                     va_list args) XDS_PRINTF(3, 0);

/* The same of all that follows the parameter `format`. */
#define XDS_OUT_ARGS(out, put, format)                                                   \
    do {                                                                                 \
        va_list args_;                                                                   \
        va_start(args_, format);                                                         \
        xds_out_vformat(out, put, format, args_);                                        \
        va_end(args_);                                                                   \
    } while (0)

void xds_out_u64(struct xds_out *out, uint64_t value);
void xds_out_u128(struct xds_out *out, xds_u128 value);
void xds_out_i64(struct xds_out *out, int64_t value);
/* The fewest digits that read back as value; always with a point as in C. */
void xds_out_double(struct xds_out *out, double value);
/* 0.125 as "12.5%", with at most three decimals. */
struct xds_short_text xds_percent(double share);

/* ---- JSON ---- */

/* What is before a value or a key. No branch: the comma is overwritten if none is
 * due.
 */
static inline char *xds_json_separate(struct xds_out *out, size_t n)
{
    char *to = xds_out_room(out, n + 1);

    *to = ',';
    to += out->comma;
    return to;
}

static inline void xds_json_begin(struct xds_out *out, char bracket)
{
    char *to = xds_json_separate(out, 1);

    *to++ = bracket;
    out->n = (size_t)(to - out->buffer);
    out->comma = false;
}

static inline void xds_json_end(struct xds_out *out, char bracket)
{
    xds_out_char(out, bracket);
    out->comma = true;
}

static inline void xds_json_begin_object(struct xds_out *out)
{
    xds_json_begin(out, '{');
}

static inline void xds_json_end_object(struct xds_out *out)
{
    xds_json_end(out, '}');
}

static inline void xds_json_begin_array(struct xds_out *out)
{
    xds_json_begin(out, '[');
}

static inline void xds_json_end_array(struct xds_out *out)
{
    xds_json_end(out, ']');
}

/* Before each member's value; name is plain ASCII without quotes, and short. Here so that
 * the compiler knows its length: half of all that is printed are keys. */
XDS_UNROLLED void xds_json_key(struct xds_out *out, const char *name)
{
    const size_t len = strlen(name);
    char *to = xds_json_separate(out, len + 3);

    *to++ = '"';
    memcpy(to, name, len);
    memcpy(to + len, "\":", 2);
    out->n = (size_t)(to + len + 2 - out->buffer);
    out->comma = false;
}

/* A string; what text must not hold is escaped; bytes that are not UTF-8 become U+FFFD.
 * Absent text (data NULL) is "". */
void xds_json_string(struct xds_out *out, struct xds_slice s);
void xds_json_text(struct xds_out *out, const char *text);
/* As xds_json_string, but absent text is null. */
void xds_json_string_or_null(struct xds_out *out, struct xds_slice s);
void xds_json_u64(struct xds_out *out, uint64_t value);
/* What JSON cannot say (infinite, not a number) is null. */
void xds_json_double(struct xds_out *out, double value);
/* A value that is JSON already, such as the output of cJSON. */
void xds_json_value(struct xds_out *out, struct xds_slice json);
/* The same, short. */
XDS_UNROLLED void xds_json_word(struct xds_out *out, const char *word)
{
    const size_t len = strlen(word);
    char *to = xds_json_separate(out, len);

    memcpy(to, word, len);
    out->n = (size_t)(to + len - out->buffer);
    out->comma = true;
}

XDS_UNROLLED void xds_json_null(struct xds_out *out)
{
    xds_json_word(out, "null");
}

static inline void xds_json_bool(struct xds_out *out, bool value)
{
    if (value)
        xds_json_word(out, "true");
    else
        xds_json_word(out, "false");
}

/* Before a key or an element: begin a new line, for eyes and for grep. Gives the writer,
 * for what follows: xds_json_key(xds_json_line(out), "name"). */
static inline struct xds_out *xds_json_line(struct xds_out *out)
{
    if (out->one_line)
        return out;
    if (out->comma)
        xds_out_char(out, ',');
    out->comma = false;
    xds_out_char(out, '\n');
    return out;
}

/* The characters of a string without its quotes, for strings written in pieces between
 * xds_json_begin_string() and xds_json_end_string(). A character must not be split. */
static inline void xds_json_begin_string(struct xds_out *out)
{
    xds_json_begin(out, '"');
}

void xds_json_part(struct xds_out *out, struct xds_slice s);

static inline void xds_json_end_string(struct xds_out *out)
{
    xds_json_end(out, '"');
}

/* ---- trees ---- */

struct xds_tree;

/* As one value within streamed JSON, without blanks. */
void xds_json_tree(struct xds_out *out, const struct xds_tree *tree);
/* For eyes: short values on one line, two blanks per level, no line break after. */
void xds_out_tree(struct xds_out *out, const struct xds_tree *tree);
/* The same on one line. */
void xds_out_tree_line(struct xds_out *out, const struct xds_tree *tree);
/* As in the flow style of YAML, where texts need no quotes: "{a: [b, 1]}". */
void xds_out_flow(struct xds_out *out, const struct xds_tree *tree);
/* The same of a list or an object, without its outermost brackets. */
void xds_out_flow_items(struct xds_out *out, const struct xds_tree *tree);
/* As a text of its own: JSON, JSON for YAML, or that flow style. */
struct xds_slice xds_tree_json(struct xds_arena *arena, const struct xds_tree *tree);
struct xds_slice xds_tree_yaml(struct xds_arena *arena, const struct xds_tree *tree);
struct xds_slice xds_tree_flow(struct xds_arena *arena, const struct xds_tree *tree);

#endif
