/* common.c - what every command shares: options, exit codes, messages. */
#include "cli/options/common.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const color_words[] = {
    [COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always", [COLOR_NEVER] = "never", NULL};

static const struct option rows[] = {
    {VALUE_ROW(TEXT, common, output, "output", "FILE"), .letter = 'o',
     .argument = ARGUMENT_FILE, .reach = COMMAND_LINE_ONLY,
     .help = "write results to FILE, whole or not at all; - is standard output"},
    {VALUE_ROW(WORD, common, color, "color", "WHEN"), .words = color_words,
     .help = "colour text: auto, always, never"},
    {FLAG_ROW(common, quiet, "quiet"), .letter = 'q',
     .help = "print no summary and no remarks"},
    {FLAG_ROW(common, verbose, "verbose"), .letter = 'v', .help = "print more"},
    {FLAG_ROW(common, help, "help"), .letter = 'h', .reach = COMMAND_LINE_ONLY,
     .help = "print this help"},
    {FLAG_ROW(common, version, "version"), .letter = 'V', .reach = COMMAND_LINE_ONLY,
     .help = "print the version and the clients it knows"},
};

const struct option_group common_options = {
    .options = rows, .n = ARRAY_LEN(rows), .title = "Output"};

static bool put(void *user, const char *data, size_t len)
{
    return fwrite(data, 1, len, user) == len;
}

void put_safely(FILE *file, const char *text, size_t len)
{
    const struct xds_printer printer = {.write = put, .user = file};

    (void)!xds_print_clean(&printer, (struct xds_slice){text, len});
}

static FILE *messages; /* NULL: standard error */

FILE *messages_to(FILE *file)
{
    FILE *before = messages;

    messages = file;
    return before;
}

/* What is longer is cut: names of resources stand in some messages. */
static void complain(const struct command *command, const char *format, va_list args)
{
    char text[4096] = "";

    (void)vsnprintf(text, sizeof text, format, args);
    FILE *to = messages ? messages : stderr;

    (void)fputs("xdscope: ", to);
    if (command)
        (void)fprintf(to, "%s: ", command->name);
    put_safely(to, text, strlen(text));
    (void)fputc('\n', to);
}

int usage_error(const struct command *command, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    complain(command, format, args);
    va_end(args);
    return EXIT_USAGE;
}

int unknown_error(const struct command *command, const char *what, struct xds_slice word,
                  const char *hint, const char *otherwise)
{
    if (hint)
        return usage_error(command, "unknown %s '%.*s'; did you mean '%s'?", what,
                           (int)word.len, word.data, hint);
    return usage_error(command, "unknown %s '%.*s'; %s", what, (int)word.len, word.data,
                       otherwise);
}

void put_remark(FILE *to, const char *format, ...)
{
    char text[4096] = "";
    va_list args;

    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    put_safely(to, text, strlen(text));
    (void)fputc('\n', to);
}

int trouble(const struct command *command, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    complain(command, format, args);
    va_end(args);
    return EXIT_TROUBLE;
}

void warning(const struct command *command, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    complain(command, format, args);
    va_end(args);
}

/* A lack of memory is reported in the same words everywhere. */
int trouble_errno(const struct command *command, const char *name)
{
    return trouble(command, "%s: %s", name,
                   errno == ENOMEM ? "out of memory" : strerror(errno));
}

struct xds_slice slice_of(const char *text)
{
    return (struct xds_slice){text, text ? strlen(text) : 0};
}

bool is_text(struct xds_slice slice, const char *text)
{
    return strlen(text) == slice.len &&
           (slice.len == 0 || memcmp(text, slice.data, slice.len) == 0);
}

bool next_piece(const char **rest, struct xds_slice *piece)
{
    if (!*rest)
        return false;
    const size_t len = strcspn(*rest, ",");

    *piece = (struct xds_slice){*rest, len};
    *rest = (*rest)[len] == ',' ? *rest + len + 1 : NULL;
    return true;
}
