/*
 * case.h - one text case: what to run, what must come out.
 *
 *   why this case exists, in a line or two
 *   -- args --            words of the command line, quoted as in a shell
 *   -- stdin --           optional
 *   -- env --             NAME=VALUE on each line; $PWD there is the folder of the case
 *   -- terminal --        standard output is one, of so many columns
 *   -- plays --           lines of args for `explain --server`, each with --client
 * NAME,NAME; a line that begins with # says why there is none
 *   -- NAME --            an input file; sections of one NAME are joined in their order
 *   -- NAME.hex --        the same, from hex digits
 *   -- NAME.repeat --     the same, as many times as the first line says; NAME.hex.repeat
 *   -- use NAME --        the file testdata/fixtures/NAME, what many cases have in common
 *   -- use FIXTURE as NAME --   the same under another name
 *   < LINE                in a use section: these lines of the fixture, found only once,
 *   > LINE                are replaced by those; several such pairs are allowed
 *   -- stdout --          compared whole, as are stderr (absent = empty) and exit
 *   -- stderr --
 *   -- exit --
 *   -- after --           input: names of files, one on each line; what is in them
 *                         after the run is shown below stdout
 *   -- findings --        instead of stdout, for a lint: it is run with -f json, and
 *                         compared are, for each finding,
 *                             FILE:LINE:COLUMN: LEVEL: MESSAGE [RULE]
 *                                 TYPE "NAME": PATH
 *                                 NACK: CLIENTS; IGNORE: CLIENTS
 *                                 FILE:LINE:COLUMN: RELATED
 *                         and the counts of the summary. A case in testdata/rules/SLUG
 *                         has the findings of that rule; others are in the counts alone
 *   -- played --          what becomes of the RPC of each line of plays:
 *                             CLIENTS: OUTCOME CODE by policy NAME, chain #N: WORDS
 *
 * The newest release of a client stands as {core}, {go}, {java} or {node} in what is
 * expected, unless the case asks for that release by its number: case_names.h.
 *
 * Left out of stdout is what is the same in each output of a format, and has tests of its
 * own: the style, the script and their hashes of an HTML page; the rules of a SARIF log
 * and their indexes.
 */
#ifndef CLI_DEV_TEST_CASE_H
#define CLI_DEV_TEST_CASE_H

#include <stdbool.h>
#include <stddef.h>

/* As the program finds it: fixtures are read, sections of one file are joined. */
struct case_section {
    char *name, *text;
    size_t len;
};

enum { CASE_SECTIONS = 32 };

struct case_file {
    char *path;
    char *given; /* the text of the case without what it expects */
    bool whole;  /* the findings of all rules are wanted */
    struct case_section section[CASE_SECTIONS];
    size_t n;
};

struct case_result {
    char *out, *err;
    char *played; /* NULL: the case has no plays */
    int status;   /* exit status, or 128 + signal */
};

/* Paths of all *.case files below folders, or named like them, sorted and each once;
 * blanks and newlines separate several. Ends with NULL. */
char **case_list(const char *places);
/* The same, or one in so many of them under a sanitizer, see sample.h. */
char **case_sample(const char *places);
/* False, with a reason on stderr, when it is not a case file or a fixture is missing. */
bool case_read(const char *path, struct case_file *out);
/* The input files, in the current folder; what stdin reads is .stdin. */
bool case_write_files(const struct case_file *c);
bool case_run(const struct case_file *c, const char *program, struct case_result *out);
/* The same; look(user) is called in the folder of the run before it goes. */
bool case_run_and_look(const struct case_file *c, const char *program,
                       void (*look)(void *user), void *user, struct case_result *out);
/* The same by a function, in a process of its own, which ends with what it returns. */
bool case_call(const struct case_file *c, int (*program)(int argc, char **argv),
               struct case_result *out);
/* The same by the main() of this program, in this process; by the file where a case needs
 * a process of its own. */
bool case_call_here(const struct case_file *c, const char *program,
                    int (*main)(int argc, char **argv), struct case_result *out);
/* "" when all is as expected, else a text that shows the difference. */
char *case_compare(const struct case_file *c, const struct case_result *got);
/* Write what came out into the case file. */
bool case_rewrite(const struct case_file *c, const struct case_result *got);
const struct case_section *case_find(const struct case_file *c, const char *name);
void case_release(struct case_file *c);
void case_release_result(struct case_result *got);

#endif
