/*
 * case_mutator.c - mutate a case so that it mostly stays one: its command line by the
 * options that its command has, its files by lines, blocks, words and documents, binary
 * ones by fields, and sessions of the language server by messages and edits.
 */
#include "cli/dev/fuzz/case_mutator.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/common.h"
#include "fuzz/memory.h"
#include "fuzz/mutate.h"
#include "fuzz/sections.h"

/* What a value may be, in any of the syntaxes. */
static const char *const literals[] = {
    "0",
    "-1",
    "1",
    "1.5",
    "4294967295",
    "4294967296",
    "65536",
    "1e308",
    "-0",
    "0x10",
    "NaN",
    "18446744073709551615",
    "true",
    "null",
    "~",
    "{}",
    "[]",
    "[{}]",
    "\"\"",
    "''",
    "\"*\"",
    "&a",
    "*a",
    "<<: *a",
    "!!binary",
    "|",
    ">-",
    "\"a\\u0000b\"",
    "\"\\ud800\"",
    "\"315576000001s\"",
    "\"0.000000001s\"",
    "\"-1s\"",
    "\"(a*)*b\"",
    "\"[\"",
    "\"::1\"",
    "\"10.0.0.1\"",
    "\"10.0.0.1:80\"",
    "xds:///a",
    "\xef\xbb\xbf",
    "\xf0\x9f\xa6\x8a",
    "\xff",
    "\x1b[31m",
    "# xdscope: ignore",
    "---",
    "...",
    "%YAML 1.2",
    "\r\n",
    "\t",
    "core",
    "go@1.60..1.72",
    "xdstp://a/envoy.config.cluster.v3.Cluster/b",
    "{\"@type\": \"type.googleapis.com/xds.type.v3.TypedStruct\"}",
};

static const char *const endings[] = {".yaml", ".json",      ".txtpb", ".binpb",
                                      ".conf", ".textproto", "",       ".gz"};

static const char *const operands[] = {"in.yaml", ".",      "-",    "a.yaml b.yaml",
                                       "decode",  "encode", "csds", "no-such-file"};

/* ---- chance ---- */

/* xorshift32 */
static size_t draw(uint32_t *state, size_t bound)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return bound ? *state % bound : 0;
}

static struct xds_slice draw_text(uint32_t *state, const char *const *items, size_t n)
{
    return xds_slice_of(items[draw(state, n)]);
}

#define DRAW_TEXT(state, items) draw_text(state, items, ARRAY_LEN(items))

/* ---- pieces of a text ---- */

static bool is_of_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '.' || c == '@' ||
           (unsigned char)c >= 0x80;
}

/* The end of the word, the quoted text or the character at a place. */
static size_t end_of_word(struct xds_slice text, size_t at)
{
    const char c = text.data[at];
    size_t end = at + 1;

    if (c == '"') {
        while (end < text.len && text.data[end] != '"' && text.data[end] != '\n')
            end += text.data[end] == '\\' && end + 1 < text.len ? 2 : 1;
        return end < text.len ? end + 1 : text.len;
    }
    while (is_of_word(c) && end < text.len && is_of_word(text.data[end]))
        end++;
    return end;
}

/* Each with the same chance; absent when there is none. */
static struct xds_slice draw_word(struct xds_slice text, uint32_t *state)
{
    struct xds_slice drawn = {NULL, 0};
    size_t seen = 0;

    for (size_t at = 0, end; at < text.len; at = end) {
        end = end_of_word(text, at);
        if (!isspace((unsigned char)text.data[at]) && draw(state, ++seen) == 0)
            drawn = xds_slice_make(text.data + at, end - at);
    }
    return drawn;
}

static size_t end_of_line(struct xds_slice text, size_t at)
{
    const size_t end = at + xds_slice_find(xds_slice_from(text, at), '\n');

    return end < text.len ? end + 1 : text.len;
}

static size_t indent_at(struct xds_slice text, size_t at)
{
    size_t n = 0;

    while (at + n < text.len && text.data[at + n] == ' ')
        n++;
    return n;
}

static struct xds_slice draw_line(struct xds_slice text, uint32_t *state)
{
    struct xds_slice drawn = {NULL, 0};
    size_t seen = 0;

    for (size_t at = 0, end; at < text.len; at = end) {
        end = end_of_line(text, at);
        if (draw(state, ++seen) == 0)
            drawn = xds_slice_make(text.data + at, end - at);
    }
    return drawn;
}

/* A line with those below it that are indented more: a field with all that is in it. */
static struct xds_slice draw_block(struct xds_slice text, uint32_t *state)
{
    const struct xds_slice line = draw_line(text, state);
    const size_t from = line.data ? (size_t)(line.data - text.data) : 0;
    const size_t indent = indent_at(text, from);
    size_t end = from + line.len;

    while (end < text.len && indent_at(text, end) > indent)
        end = end_of_line(text, end);
    return line.data ? xds_slice_make(text.data + from, end - from) : line;
}

/* From a brace up to its own end. */
static struct xds_slice draw_braces(struct xds_slice text, uint32_t *state)
{
    struct xds_slice drawn = {NULL, 0};
    size_t seen = 0, depth = 0, end;

    for (size_t at = 0; at < text.len; at++)
        if ((text.data[at] == '{' || text.data[at] == '[') && draw(state, ++seen) == 0)
            drawn = xds_slice_from(text, at);
    for (end = 0; end < drawn.len; end++) {
        depth += drawn.data[end] == '{' || drawn.data[end] == '[';
        depth -= drawn.data[end] == '}' || drawn.data[end] == ']';
        if (depth == 0)
            break;
    }
    return xds_slice_make(drawn.data, end < drawn.len ? end + 1 : drawn.len);
}

static struct xds_slice draw_piece(struct xds_slice text, uint32_t *state)
{
    switch (draw(state, 5)) {
    case 0:
        return draw_line(text, state);
    case 1:
        return draw_block(text, state);
    case 2:
        return draw_braces(text, state);
    default:
        return draw_word(text, state);
    }
}

/* ---- changes of a text ---- */

static void put(struct xds_memory *out, struct xds_slice text)
{
    (void)xds_memory_write(out, text.data ? text.data : "", text.len);
}

/* The text with one thing in the place of a piece of it. */
static void put_with(struct xds_memory *out, struct xds_slice text,
                     struct xds_slice piece, struct xds_slice new)
{
    const size_t before = piece.data ? (size_t)(piece.data - text.data) : text.len;

    put(out, xds_slice_make(text.data, before));
    put(out, new);
    put(out, xds_slice_from(text, before + piece.len));
}

static void put_moved(struct xds_memory *out, struct xds_slice text, uint32_t *state)
{
    const struct xds_slice piece = draw_block(text, state);
    const struct xds_slice to = draw_line(text, state);

    put_with(out, text, xds_slice_make(to.data, 0), piece);
}

/* One space more or less in front of a line. */
static void put_indented(struct xds_memory *out, struct xds_slice text, uint32_t *state)
{
    const struct xds_slice line = draw_line(text, state);
    const bool is_less = line.len > 0 && *line.data == ' ' && draw(state, 2) == 0;

    put_with(out, text, xds_slice_make(line.data, is_less ? 1 : 0),
             is_less ? XDS_S("") : XDS_S(" "));
}

static void put_mutated(struct xds_memory *out, struct xds_slice text, bool is_message,
                        uint32_t *state)
{
    const size_t room = text.len + 64;
    uint8_t *data = malloc(room);

    if (!data)
        return;
    if (text.len > 0)
        memcpy(data, text.data, text.len);
    const size_t len = is_message
                           ? xds_fuzz_mutate_message(data, text.len, room,
                                                     (unsigned)draw(state, 1u << 30))
                           : LLVMFuzzerMutate(data, text.len, room);
    put(out, xds_slice_make((char *)data, len));
    free(data);
}

static void put_changed_text(struct xds_memory *out, struct xds_slice text,
                             struct xds_slice other, uint32_t *state)
{
    const struct xds_slice piece = draw_piece(text, state);

    switch (draw(state, 9)) {
    case 0:
    case 1:
        put_with(out, text, draw_word(text, state), DRAW_TEXT(state, literals));
        break;
    case 2:
        put_with(out, text, draw_word(text, state), draw_word(other, state));
        break;
    case 3:
        put_with(out, text, piece, draw_piece(other, state));
        break;
    case 4:
        put_with(out, text, piece, XDS_S(""));
        break;
    case 5: /* twice */
        put_with(out, text, xds_slice_make(piece.data, 0), piece);
        break;
    case 6:
        put_moved(out, text, state);
        break;
    case 7:
        put_indented(out, text, state);
        break;
    default:
        put_mutated(out, text, false, state);
    }
}

/* ---- the command line ---- */

static const struct command *command_of(struct xds_slice args)
{
    const struct xds_slice word = xds_slice_make(args.data, xds_slice_find(args, ' '));

    for (const struct command *const *c = commands; *c; c++)
        if (xds_slice_is(xds_slice_trim(word), (*c)->name))
            return *c;
    return NULL;
}

static const struct command *draw_command(uint32_t *state)
{
    size_t n = 0;

    while (commands[n])
        n++;
    return commands[draw(state, n)];
}

static struct xds_slice draw_value(const struct option *option,
                                   const struct xds_sections *parts, uint32_t *state)
{
    const struct xds_section *part = &parts->items[draw(state, parts->n)];
    size_t n = 0;

    while (option->words && option->words[n])
        n++;
    if (n > 0 && draw(state, 8) > 0)
        return xds_slice_of(option->words[draw(state, n)]);
    switch (draw(state, 3)) {
    case 0:
        return DRAW_TEXT(state, literals);
    case 1:
        return part->name;
    default:
        return draw_word(part->text, state);
    }
}

static void put_option(struct xds_memory *out, const struct command *command,
                       const struct xds_sections *parts, uint32_t *state)
{
    size_t n = 0;

    while (command_option(command, n))
        n++;
    const struct option *option = command_option(command, draw(state, n));
    const bool is_off = option->kind == OPTION_FLAG || option->undo;

    xds_memory_print(out, " --%s%s", is_off && draw(state, 4) == 0 ? "no-" : "",
                     option->name);
    if (option->kind == OPTION_FLAG)
        return;
    xds_memory_print(out, "=");
    put(out, draw_value(option, parts, state));
}

static void put_changed_args(struct xds_memory *out, const struct xds_sections *parts,
                             struct xds_slice args, uint32_t *state)
{
    const struct command *command = command_of(args);
    const struct xds_slice line = xds_slice_trim(args);

    switch (command ? draw(state, 8) : 0) {
    case 0: /* another command with the same arguments */
        xds_memory_print(out, "%s", draw_command(state)->name);
        put(out, xds_slice_from(line, xds_slice_find(line, ' ')));
        break;
    case 1:
        put_with(out, line, draw_word(line, state), XDS_S(""));
        break;
    case 2:
        put_with(out, line, draw_word(line, state),
                 parts->items[draw(state, parts->n)].name);
        break;
    case 3:
        put(out, line);
        xds_memory_print(out, " ");
        put(out, DRAW_TEXT(state, operands));
        break;
    default:
        put(out, xds_slice_make(line.data, xds_slice_find(line, ' ')));
        put_option(out, command, parts, state);
        put(out, xds_slice_from(line, xds_slice_find(line, ' ')));
    }
    xds_memory_print(out, "\n");
}

/* ---- sessions ---- */

/* One of the documents that the messages speak of. */
static struct xds_slice draw_uri(struct xds_slice text, uint32_t *state)
{
    static const char key[] = "\"uri\":\"";
    struct xds_slice drawn = XDS_S("file:///in.yaml");
    size_t seen = 0;

    for (size_t at; (at = xds_slice_search(text, xds_slice_of(key))) < text.len;) {
        text = xds_slice_from(text, at + sizeof key - 1);
        if (draw(state, ++seen) == 0)
            drawn = xds_slice_make(text.data, xds_slice_find(text, '"'));
    }
    return drawn;
}

/* Near the front, where the text is; now and then anywhere. */
static long draw_number(uint32_t *state)
{
    static const long odd[] = {-1, 99, 4294967295, 2147483648, 1000000};

    return draw(state, 10) == 0 ? odd[draw(state, ARRAY_LEN(odd))]
                                : (long)draw(state, 24);
}

static void put_range(struct xds_memory *out, uint32_t *state)
{
    const long line = draw_number(state), from = draw_number(state);
    const bool is_near = draw(state, 4) > 0;

    xds_memory_print(out,
                     "\"range\":{\"start\":{\"line\":%ld,\"character\":%ld},"
                     "\"end\":{\"line\":%ld,\"character\":%ld}}",
                     line, from, is_near ? line : draw_number(state),
                     is_near ? from + (long)draw(state, 4) : draw_number(state));
}

static void put_edit(struct xds_memory *out, uint32_t *state)
{
    static const char *const texts[] = {"",        "x",          "\\n",
                                        "\\r",     "\\r\\n",     "- ",
                                        "\\\"",    "{",          "\\ud83d\\ude00",
                                        "\\ud83d", "\\u0000",    "  ",
                                        ": ",      "name: a\\n", "# xdscope: ignore\\n",
                                        "---\\n",  "\\u2028\\t", "null"};

    xds_memory_print(out, "{");
    if (draw(state, 12) > 0) {
        put_range(out, state);
        xds_memory_print(out, ",");
    }
    xds_memory_print(out, "\"text\":\"%s\"}", texts[draw(state, ARRAY_LEN(texts))]);
}

static void put_message(struct xds_memory *out, struct xds_slice uri, uint32_t *state)
{
    static const char *const requests[] = {"hover", "definition", "codeAction"};
    static const char *const notices[] = {"didClose", "didSave", "didOpen"};

    if (draw(state, 3) > 0) {
        xds_memory_print(out,
                         "{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/didChange\","
                         "\"params\":{\"textDocument\":{\"uri\":\"%.*s\","
                         "\"version\":%zu},\"contentChanges\":[",
                         XDS_FMT(uri), draw(state, 99));
        for (size_t n = draw(state, 3); n > 0; n--) {
            put_edit(out, state);
            xds_memory_print(out, ",");
        }
        put_edit(out, state);
        xds_memory_print(out, "]}}\n");
    } else if (draw(state, 4) > 0) {
        xds_memory_print(out,
                         "{\"jsonrpc\":\"2.0\",\"id\":%zu,\"method\":\"textDocument/%s\","
                         "\"params\":{\"textDocument\":{\"uri\":\"%.*s\"},"
                         "\"position\":{\"line\":%ld,\"character\":%ld},",
                         draw(state, 99), requests[draw(state, ARRAY_LEN(requests))],
                         XDS_FMT(uri), draw_number(state), draw_number(state));
        put_range(out, state);
        xds_memory_print(out, ",\"context\":{\"diagnostics\":[]}}}\n");
    } else {
        xds_memory_print(out,
                         "{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/%s\",\"params\":"
                         "{\"textDocument\":{\"uri\":\"%.*s\",\"languageId\":\"yaml\","
                         "\"version\":1,\"text\":\"a: 1\\n---\\nb: 1\\n\"}}}\n",
                         notices[draw(state, ARRAY_LEN(notices))], XDS_FMT(uri));
    }
}

static void put_changed_session(struct xds_memory *out, struct xds_slice text,
                                struct xds_slice other, uint32_t *state)
{
    struct xds_memory message = {.len = 0};

    if (draw(state, 2) == 0) {
        put_changed_text(out, text, other, state);
        return;
    }
    put_message(&message, draw_uri(text, state), state);
    put_with(out, text, xds_slice_make(draw_line(text, state).data, 0),
             xds_memory_text(&message));
    free(message.data);
}

/* ---- a case ---- */

static bool is_binary(const struct xds_section *part)
{
    return xds_slice_ends(part->name, XDS_S(".binpb")) ||
           xds_slice_ends(part->name, XDS_S(".pb"));
}

static void put_heading(struct xds_memory *out, struct xds_slice name)
{
    xds_memory_print(out, "-- ");
    put(out, name);
    xds_memory_print(out, " --\n");
}

/* The line break before the next heading is the file's own, unless it has none. */
static void put_part(struct xds_memory *out, const struct xds_section *part)
{
    put_heading(out, part->name);
    put(out, part->text);
    if (part->text.len > 0 && part->text.data[part->text.len - 1] != '\n')
        xds_memory_print(out, "\n");
}

static void put_changed_part(struct xds_memory *out, const struct xds_sections *parts,
                             const struct xds_section *part,
                             const struct xds_sections *others, uint32_t *state)
{
    const struct xds_slice other = others->items[draw(state, others->n)].text;
    struct xds_memory text = {.len = 0};

    if (xds_slice_is(part->name, "args"))
        put_changed_args(&text, parts, part->text, state);
    else if (is_binary(part) && draw(state, 4) > 0)
        put_mutated(&text, part->text, true, state);
    else if (xds_slice_is(part->name, "stdin") &&
             xds_slice_starts(xds_sections_find(parts, "args"), XDS_S("lsp")))
        put_changed_session(&text, part->text, other, state);
    else
        put_changed_text(&text, part->text, other, state);
    put_part(out, &(struct xds_section){part->name, xds_memory_text(&text)});
    free(text.data);
}

/* The name of the file with another ending. */
static void put_renamed_part(struct xds_memory *out, const struct xds_section *part,
                             uint32_t *state)
{
    struct xds_memory name = {.len = 0};
    size_t stem = part->name.len;

    while (stem > 0 && part->name.data[stem - 1] != '.')
        stem--;
    put(&name, xds_slice_make(part->name.data, stem > 1 ? stem - 1 : part->name.len));
    put(&name, DRAW_TEXT(state, endings));
    put_part(out, &(struct xds_section){xds_memory_text(&name), part->text});
    free(name.data);
}

/* One part changed, the others as they were. */
static void put_case(struct xds_memory *out, const struct xds_sections *parts,
                     const struct xds_sections *others, uint32_t *state)
{
    const size_t chosen = draw(state, parts->n);
    const struct xds_section *other = &others->items[draw(state, others->n)];
    const size_t how = draw(state, 16);

    for (size_t i = 0; i < parts->n; i++) {
        const struct xds_section *part = &parts->items[i];
        const bool is_args = xds_slice_is(part->name, "args");

        if (i != chosen) {
            put_part(out, part);
        } else if (how == 0 && !is_args) {
            put_renamed_part(out, part, state);
        } else if (how == 1 && !is_args) { /* another document */
            put_part(out, part);
            xds_memory_print(out, "---\n");
            put(out, other->text);
        } else if (how == 2) { /* one more file, or its lines again */
            put_part(out, part);
            put_part(out, other);
        } else if (how > 3 || is_args) { /* 3: without it */
            put_changed_part(out, parts, part, others, state);
        }
    }
}

/* How a case begins that has none of its parts. */
static const struct xds_sections first = {
    .n = 2,
    .items = {{{"args", 4}, {"lint in.yaml\n", 13}}, {{"in.yaml", 7}, {"a: 1\n", 5}}}};

static size_t give_back(struct xds_memory *out, uint8_t *data, size_t max_size)
{
    const size_t len = out->len < max_size ? out->len : max_size;

    if (len > 0)
        memcpy(data, out->data, len);
    free(out->data);
    return len;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    struct xds_memory out = {.len = 0};
    uint32_t state = seed * 2654435761u | 1;
    struct xds_sections parts;

    xds_sections_read(&parts, xds_slice_make((const char *)data, size));
    put_case(&out, parts.n > 0 ? &parts : &first, parts.n > 0 ? &parts : &first, &state);
    return give_back(&out, data, max_size);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t size, const uint8_t *two,
                                 size_t size_of_two, uint8_t *data, size_t max_size,
                                 unsigned seed)
{
    struct xds_memory out = {.len = 0};
    uint32_t state = seed * 2654435761u | 1;
    struct xds_sections parts, others;

    xds_sections_read(&parts, xds_slice_make((const char *)one, size));
    xds_sections_read(&others, xds_slice_make((const char *)two, size_of_two));
    put_case(&out, parts.n > 0 ? &parts : &first, others.n > 0 ? &others : &first,
             &state);
    return give_back(&out, data, max_size);
}
