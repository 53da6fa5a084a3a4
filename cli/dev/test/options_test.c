/* options_test.c - what a command line means, and what it says when it means nothing. */
#include <criterion/criterion.h>

#include "cli/options/common.h"
#include "cli/options/options.h"

#include <string.h>

struct settings {
    bool partial, quiet, verbose;
    const char *type;
    unsigned format;
    struct text_list clients;
};

static const char *const formats[] = {"text", "gcc", "json", NULL};

static const struct option first[] = {
    {.name = "client",
     .kind = OPTION_LIST,
     .argument_name = "LIST",
     .offset = offsetof(struct settings, clients)},
    {.name = "format",
     .letter = 'f',
     .kind = OPTION_WORD,
     .argument_name = "NAME",
     .words = formats,
     .offset = offsetof(struct settings, format)},
    {.name = "type",
     .letter = 't',
     .kind = OPTION_TEXT,
     .argument_name = "TYPE",
     .offset = offsetof(struct settings, type)},
    {.name = "secret", .offset = offsetof(struct settings, verbose), .hidden = true},
};

static const struct option second[] = {
    {.name = "partial", .offset = offsetof(struct settings, partial)},
    {.name = "quiet", .letter = 'q', .offset = offsetof(struct settings, quiet)},
    {.name = "verbose", .letter = 'v', .offset = offsetof(struct settings, verbose)},
};

static const struct option_group first_group = {.options = first, .n = ARRAY_LEN(first)};
static const struct option_group second_group = {.options = second,
                                                 .n = ARRAY_LEN(second)};

static const struct command command = {
    .name = "lint",
    .groups = (const struct option_group *const[]){&first_group, &second_group, NULL},
    .settings_size = sizeof(struct settings),
};

enum { MOST = 12 };

/* A command line in one text, its words parted by blanks. */
struct line {
    char text[128];
    char *words[MOST];
    int n;
    struct settings settings;
    struct operands operands;
    char error[OPTIONS_ERROR_SIZE];
    bool ok;
};

static void parse(struct line *line, const char *text)
{
    *line = (struct line){.n = 0};
    cr_assert_lt(strlen(text), sizeof line->text);
    memcpy(line->text, text, strlen(text) + 1);
    for (char *at = line->text; *at != '\0' && line->n < MOST;) {
        line->words[line->n++] = at;
        at += strcspn(at, " ");
        if (*at == ' ')
            *at++ = '\0';
    }
    line->ok = options_parse(&command, line->n, line->words, &line->settings,
                             &line->operands, line->error);
}

/* "a b c" of the operands. */
static const char *operands_of(const struct line *line)
{
    static char text[128];

    text[0] = '\0';
    for (size_t i = 0; i < line->operands.n; i++) {
        if (i > 0)
            strncat(text, " ", sizeof text - strlen(text) - 1);
        strncat(text, line->operands.items[i], sizeof text - strlen(text) - 1);
    }
    return text;
}

static const struct {
    const char *line, *operands, *type;
    unsigned format;
    bool partial, quiet, verbose;
} meanings[] = {
    {"", "", NULL, 0, false, false, false},
    {"a b", "a b", NULL, 0, false, false, false},
    {"--type route a", "a", "route", 0, false, false, false},
    {"--type=route a", "a", "route", 0, false, false, false},
    {"--type= a", "a", "", 0, false, false, false},
    {"--type=a=b", "", "a=b", 0, false, false, false},
    {"-t route a", "a", "route", 0, false, false, false},
    {"-troute a", "a", "route", 0, false, false, false},
    {"-t=route", "", "=route", 0, false, false, false},
    {"--type a --type b", "", "b", 0, false, false, false},
    {"--type --quiet", "", "--quiet", 0, false, false, false},
    {"a -q b --partial c", "a b c", NULL, 0, true, true, false},
    {"-qvfjson a", "a", NULL, 2, false, true, true},
    {"-f gcc -qv", "", NULL, 1, false, true, true},
    {"--partial --no-partial", "", NULL, 0, false, false, false},
    {"--no-partial --partial", "", NULL, 0, true, false, false},
    {"--partial -- --no-partial -q", "--no-partial -q", NULL, 0, true, false, false},
    {"- -q -", "- -", NULL, 0, false, true, false},
    {"-- --", "--", NULL, 0, false, false, false},
    {"--secret", "", NULL, 0, false, false, true},
};

Test(options, a_line_means_what_getopt_would_make_of_it)
{
    for (size_t i = 0; i < ARRAY_LEN(meanings); i++) {
        struct line line;

        parse(&line, meanings[i].line);
        cr_expect(line.ok, "%s: %s", meanings[i].line, line.error);
        cr_expect_str_eq(operands_of(&line), meanings[i].operands, "%s",
                         meanings[i].line);
        cr_expect_eq(line.settings.format, meanings[i].format, "%s", meanings[i].line);
        cr_expect_eq(line.settings.partial, meanings[i].partial, "%s", meanings[i].line);
        cr_expect_eq(line.settings.quiet, meanings[i].quiet, "%s", meanings[i].line);
        cr_expect_eq(line.settings.verbose, meanings[i].verbose, "%s", meanings[i].line);
        if (meanings[i].type)
            cr_expect_str_eq(line.settings.type, meanings[i].type, "%s",
                             meanings[i].line);
        else
            cr_expect_null(line.settings.type, "%s", meanings[i].line);
        options_release(&line.operands);
    }
}

static const struct {
    const char *line, *error;
} faults[] = {
    {"--cleint x", "unknown option '--cleint'; did you mean '--client'?"},
    {"--cli=x", "unknown option '--cli'; did you mean '--client'?"},
    {"--no-partail", "unknown option '--no-partail'; did you mean '--no-partial'?"},
    {"--no-type", "unknown option '--no-type'; did you mean '--type'?"},
    {"--no-", "unknown option '--no-'"},
    {"--frobnicate", "unknown option '--frobnicate'"},
    {"--secre", "unknown option '--secre'"},
    {"--=x", "unknown option '--'"},
    {"-x", "unknown option '-x'"},
    {"-qx", "unknown option '-x'"},
    {"--type", "option '--type' needs a value: TYPE"},
    {"-qt", "option '--type' needs a value: TYPE"},
    {"--quiet=yes", "option '--quiet' takes no value"},
    {"--no-quiet=yes", "option '--no-quiet' takes no value"},
    {"-f xml", "option '--format' must be one of text, gcc, json, not 'xml'"},
    {"--format=", "option '--format' must be one of text, gcc, json, not ''"},
    {"--format=tex", "option '--format' must be one of text, gcc, json, not 'tex'"},
};

Test(options, a_fault_is_told_in_one_line_with_a_hint)
{
    for (size_t i = 0; i < ARRAY_LEN(faults); i++) {
        struct line line;

        parse(&line, faults[i].line);
        cr_expect_not(line.ok, "%s", faults[i].line);
        cr_expect_str_eq(line.error, faults[i].error, "%s", faults[i].line);
        options_release(&line.operands);
    }
}

Test(options, a_list_keeps_every_value_in_order)
{
    struct line line;

    parse(&line, "--client a,b x --client= --client c");
    cr_assert(line.ok);
    cr_assert_eq(line.settings.clients.n, 3);
    cr_expect_str_eq(line.settings.clients.items[0], "a,b");
    cr_expect_str_eq(line.settings.clients.items[1], "");
    cr_expect_str_eq(line.settings.clients.items[2], "c");
    options_release(&line.operands);
}

Test(options, an_endless_argument_does_not_overflow_the_message)
{
    static char word[5000] = "--";
    char *argv[] = {word};
    char error[OPTIONS_ERROR_SIZE];
    struct settings settings = {.partial = false};
    struct operands operands;

    memset(word + 2, 'x', sizeof word - 3);
    cr_expect_not(options_parse(&command, 1, argv, &settings, &operands, error));
    cr_expect_eq(strlen(error), OPTIONS_ERROR_SIZE - 1);
    options_release(&operands);
}

static const struct {
    const char *word, *hint;
} hints[] = {
    {"client", "client"},  /* itself */
    {"clinet", "client"},  /* neighbours swapped */
    {"clien", "client"},   /* a beginning */
    {"c", "client"},       /* the first of two that begin so */
    {"clients", "client"}, /* one too many */
    {"kolor", "color"},    /* one replaced; a short word may have one fault */
    {"kolur", NULL},       /* two of five */
    {"", NULL},            /* nothing is near nothing */
    {"completely-else", NULL},
};

Test(hint, the_nearest_word_within_a_third_is_offered)
{
    for (size_t i = 0; i < ARRAY_LEN(hints); i++) {
        struct hint hint = hint_for(hints[i].word, strlen(hints[i].word));

        hint_offer(&hint, "client");
        hint_offer(&hint, "color");
        if (hints[i].hint)
            cr_expect_str_eq(hint.best, hints[i].hint, "%s", hints[i].word);
        else
            cr_expect_null(hint.best, "%s", hints[i].word);
    }
}

Test(hint, a_word_longer_than_every_option_has_none)
{
    char word[4096];

    memset(word, 'c', sizeof word);
    struct hint hint = hint_for(word, sizeof word);

    hint_offer(&hint, "client");
    cr_expect_null(hint.best);
}

/* ---- commands in what the library prints ---- */

struct paper {
    char text[128];
    size_t n;
};

static bool write_paper(void *user, const char *text, size_t n)
{
    struct paper *paper = user;

    cr_assert_lt(paper->n + n, sizeof(paper->text));
    memcpy(paper->text + paper->n, text, n);
    paper->n += n;
    return true;
}

Test(options, a_fold_breaks_no_line_of_a_command)
{
    for (const struct command *const *c = commands; *c; c++) {
        struct paper paper = {0};
        const struct xds_printer to = {
            .write = write_paper, .user = &paper, .columns = 12};
        struct xds_fold *fold = xds_fold_new(&to);
        const struct xds_printer on = xds_fold_printer(fold);

        cr_expect(on.write(on.user, "xdscope ", 8));
        cr_expect(on.write(on.user, (*c)->name, strlen((*c)->name)));
        cr_expect(on.write(on.user, " and so on", 10));
        cr_expect_eq(xds_fold_free(fold), XDS_OK);
        cr_expect_not(memchr(paper.text, '\n', paper.n), "%s", (*c)->name);
    }
}
