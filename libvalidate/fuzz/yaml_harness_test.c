/*
 * yaml_harness_test.c - YAML that is read line by line means what libyaml says: all that
 * is in testdata, documents made by chance, and both of them with faults in them.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/dev/test/case.h"
#include "cli/dev/test/sample.h"
#include "fuzz/yaml_harness.h"

/* ---- chance ---- */

static uint64_t state;

/* xorshift64 */
static unsigned draw(unsigned bound)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)((state >> 11) % bound);
}

static const char *choose(const char *const *from, size_t n)
{
    return from[draw((unsigned)n)];
}

#define CHOOSE(array) choose(array, XDS_ARRAY_LEN(array))

/* ---- documents ---- */

static const char *const keys[] = {"name",      "\"@type\"",  "'@type'",  ":path",
                                   "a b",       "1.2.3.4:80", "0x1F",     "~",
                                   "x.y/z_w-1", "\"\"",       "\"a: b\"", "'it is, [so]'",
                                   "null",      "-1",         "$ref"};

static const char *const values[] = {"text",
                                     "two words",
                                     "a:b",
                                     "\"quoted: [{,\"",
                                     "'single'",
                                     "\"\\\\.x\\n\\\"\"",
                                     "'it''s'",
                                     "[]",
                                     "{}",
                                     "12",
                                     "-0.50",
                                     "0x1F",
                                     "~",
                                     "null",
                                     "True",
                                     ".inf",
                                     "1e5",
                                     "/a/b?c&d*e!f|g>h%i@j`k",
                                     "don't",
                                     "a - b",
                                     "\"\"",
                                     "''",
                                     "x::y",
                                     ":x",
                                     "a\"b",
                                     "x:y:z",
                                     "(a|b)+",
                                     "\"tab\\t\"",
                                     "[ ]",
                                     "{a: 1, b: [2]}",
                                     "[a, {b: c}]",
                                     "{ \"x\": 'y' , n: [-1, a b, x:y,~] }",
                                     "\"route #0\"",
                                     "{path: \"/a#b\", ok: true}"};

static const char folded[] = ">-\n                    folded # text\n\n"
                             "                    more";

/* What programs do not write. */
static const char *const others[] = {"|\n                    literal",
                                     folded,
                                     "text\n                    goes on",
                                     "\"over\n                    lines\"",
                                     "{a: 1,\n                    b: [2]}",
                                     "{a, b: }",
                                     "{a: b, }",
                                     "[a: b]",
                                     "[+1, .5, 1_0]",
                                     "{a: :b}",
                                     "{a: b?c, d: e:}",
                                     "{\"a\":1}",
                                     "{a: \"\\n\"}",
                                     "{a: &in x, b: *in}",
                                     "[[[[[[[[[[a]]]]]]]]]]",
                                     "[a, b",
                                     "&anchor text",
                                     "*anchor",
                                     "!!str 1",
                                     "&list [1, 2]",
                                     "*list",
                                     "\"\\u00e9\"",
                                     "\"é\"",
                                     "text # comment",
                                     "text # xdscope: ignore some-rule",
                                     "'over\n\n                    lines'",
                                     "? a",
                                     "a: b",
                                     "- a",
                                     "",
                                     "\ttext",
                                     "text ",
                                     "\"# xdscope: ignore a-rule\""};

struct text {
    char data[1 << 16];
    size_t len;
    unsigned oddities; /* one value in so many is of the others; 0: none */
};

static void put(struct text *t, const char *text)
{
    const size_t n = strlen(text);

    if (n >= sizeof t->data - t->len)
        return;
    memcpy(t->data + t->len, text, n);
    t->len += n;
}

static void put_blanks(struct text *t, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        put(t, " ");
}

static void put_scalar(struct text *t)
{
    put(t, " ");
    put(t, t->oddities && draw(t->oddities) == 0 ? CHOOSE(others) : CHOOSE(values));
    put(t, "\n");
}

static void put_between(struct text *t)
{
    static const char *const between[] = {"\n", "\n\n", "# xdscope: ignore some-rule\n",
                                          "   # comment\n", "  \n"};

    if (t->oddities && draw(3 * t->oddities) == 0)
        put(t, CHOOSE(between));
}

static void put_node(struct text *t, unsigned column, unsigned depth, bool in_key);

/* The first item or member is where the line is already, those after it below it. */
static void put_list(struct text *t, unsigned column, unsigned depth)
{
    const unsigned n = 1 + draw(4);

    for (unsigned i = 0; i < n; i++) {
        if (i > 0)
            put_blanks(t, column);
        put(t, "-");
        put_node(t, column, depth, false);
        put_between(t);
    }
}

static void put_mapping(struct text *t, unsigned column, unsigned depth)
{
    const unsigned n = 1 + draw(4);

    for (unsigned i = 0; i < n; i++) {
        if (i > 0)
            put_blanks(t, column);
        put(t, CHOOSE(keys));
        put(t, ":");
        put_node(t, column, depth, true);
        put_between(t);
    }
}

static void put_collection(struct text *t, unsigned column, unsigned depth, bool list)
{
    if (list)
        put_list(t, column, depth + 1);
    else
        put_mapping(t, column, depth + 1);
}

/* Behind a dash or a key in a column: a value, or nothing. */
static void put_node(struct text *t, unsigned column, unsigned depth, bool in_key)
{
    const unsigned kind = depth < 6 ? draw(6) : 0, more = 1 + draw(4);
    const bool list = draw(2) == 0;

    if (kind < 3) {
        put_scalar(t);
    } else if (kind == 3) {
        put(t, "\n");
    } else if (kind == 4 && !in_key) {
        put_blanks(t, more);
        put_collection(t, column + 1 + more, depth, list);
    } else {
        const unsigned inner = in_key && list ? column + draw(3) : column + more;

        put(t, "\n");
        put_blanks(t, inner);
        put_collection(t, inner, depth, list);
    }
}

static void put_documents(struct text *t)
{
    static const char *const markers[] = {"---\n", "--- # comment\n", "...\n---\n",
                                          "...\n%YAML 1.1\n---\n", "---\n\n"};
    const unsigned n = 1 + draw(3);

    for (unsigned i = 0; i < n; i++) {
        const unsigned column = draw(4) == 0 ? draw(5) : 0;

        if (i > 0 || draw(4) == 0)
            put(t, t->oddities ? CHOOSE(markers) : "---\n");
        put_blanks(t, column);
        put_collection(t, column, 0, draw(2) == 0);
    }
}

/* ---- faults ---- */

static const char *const junk[] = {"\n",
                                   "  ",
                                   "- ",
                                   ": ",
                                   "#",
                                   " # x",
                                   "\t",
                                   "\r\n",
                                   "'",
                                   "\"",
                                   "[",
                                   "]",
                                   "{}",
                                   "[]",
                                   "{",
                                   "&a ",
                                   "*a",
                                   "!!str ",
                                   "|\n",
                                   "> ",
                                   "---",
                                   "...",
                                   "%YAML",
                                   "\xc3\xa9",
                                   "\x01",
                                   "\xff",
                                   "? ",
                                   "<<: ",
                                   ":",
                                   "-",
                                   "\r",
                                   "~",
                                   "k:\n",
                                   "- - ",
                                   "a: b\n",
                                   "...x: y\n",
                                   "\\",
                                   "\xe2\x80\xa8",
                                   "\x7f",
                                   "\xc2\x85",
                                   "\xEF\xBB\xBF",
                                   "# xdscope: ignore x\n"};

static void replace(struct text *t, size_t at, size_t len, const char *with, size_t n)
{
    char copy[256];

    if (n > sizeof copy || n > sizeof t->data - t->len)
        return;
    memcpy(copy, with, n);
    memmove(t->data + at + n, t->data + at + len, t->len - at - len);
    memcpy(t->data + at, copy, n);
    t->len += n - len;
}

/* From the begin of a line on, and with its end. */
static struct xds_slice some_line(const struct text *t)
{
    size_t begin = draw((unsigned)t->len), end = begin;

    while (begin > 0 && t->data[begin - 1] != '\n')
        begin--;
    while (end < t->len && t->data[end] != '\n')
        end++;
    return xds_slice_make(t->data + begin, end - begin + (end < t->len));
}

static void break_line(struct text *t)
{
    const struct xds_slice line = some_line(t);
    const size_t at = (size_t)(line.data - t->data);
    const char *some = CHOOSE(junk);
    const unsigned blanks = draw(4);

    switch (draw(5)) {
    case 0:
        replace(t, at, line.len, "", 0);
        break;
    case 1:
        replace(t, at, 0, line.data, line.len);
        break;
    case 2:
        replace(t, at, 0, "    ", blanks);
        break;
    case 3:
        if (line.len > blanks)
            replace(t, at, blanks, "", 0);
        break;
    default:
        replace(t, at, 0, some, strlen(some));
    }
}

static void break_text(struct text *t)
{
    const char *some = CHOOSE(junk);
    const unsigned at = draw((unsigned)t->len);

    switch (draw(4)) {
    case 0:
        t->data[at] = (char)draw(256);
        break;
    case 1:
        replace(t, at, 0, some, strlen(some));
        break;
    default:
        break_line(t);
    }
}

static struct xds_slice slice_of(const struct text *t)
{
    return xds_slice_make(t->data, t->len);
}

/* How many tokens came without libyaml, of the text and of what faults make of it. */
static size_t compare_broken(struct text *t, unsigned times)
{
    static struct text broken;
    size_t tokens = xds_yaml_compare(slice_of(t), NULL);

    for (unsigned i = 0; i < times; i++) {
        broken = *t;
        for (unsigned n = 1 + draw(3); n > 0 && broken.len > 0; n--)
            break_text(&broken);
        tokens += xds_yaml_compare(slice_of(&broken), NULL);
    }
    return tokens;
}

/* ---- tests ---- */

Test(yaml_ways, documents_of_programs_are_the_same_and_libyaml_is_not_needed)
{
    static struct text t;

    state = 20261;
    for (unsigned i = 0; i < 300; i++) {
        t = (struct text){.len = 0};
        put_documents(&t);
        const size_t tokens = compare_broken(&t, 10);

        cr_expect_gt(tokens, 0);
    }
}

Test(yaml_ways, so_are_those_of_people)
{
    static struct text t;

    state = 20262;
    for (unsigned i = 0; i < 300; i++) {
        t = (struct text){.oddities = 2 + draw(20)};
        put_documents(&t);
        (void)compare_broken(&t, 10);
    }
}

static bool is_yaml(const char *name)
{
    const struct xds_slice s = xds_slice_of(name);

    return xds_slice_ends(s, XDS_S(".yaml")) || xds_slice_ends(s, XDS_S(".yml"));
}

Test(yaml_ways, so_is_the_yaml_of_all_cases)
{
    static struct text t;
    char **paths = case_list("testdata");
    struct case_file c;
    size_t seen = 0;

    state = 20263;
    for (size_t i = 0; paths[i]; i++) {
        cr_assert(case_read(paths[i], &c), "%s", paths[i]);
        for (size_t s = 0; s < c.n; s++) {
            if (!is_yaml(c.section[s].name) || c.section[s].len > sizeof t.data)
                continue;
            t = (struct text){.len = c.section[s].len};
            memcpy(t.data, c.section[s].text, t.len);
            (void)compare_broken(&t, 1);
            seen++;
        }
        case_release(&c);
        free(paths[i]);
    }
    free(paths);
    cr_expect_gt(seen, 1000);
}

/* The window of the input rolls over it, both ways read in pieces. */
Test(yaml_ways, so_is_what_does_not_fit_into_the_window)
{
    char path[] = "/tmp/xdscope-yaml-XXXXXX";
    static struct text t;
    const int fd = mkstemp(path);
    FILE *file = fd >= 0 ? fdopen(fd, "wb") : NULL;

    cr_assert_not_null(file);
    state = 20264;
    for (unsigned i = 0; i < 9000; i++) {
        t = (struct text){.oddities = 30};
        put(&t, "---\n");
        put_collection(&t, 0, 0, draw(2) == 0);
        fwrite(t.data, 1, t.len, file);
    }
    cr_assert_gt(ftell(file), 1 << 20);
    fclose(file);
    cr_expect_gt(xds_yaml_compare(XDS_S("a large text"), path), 10000);
    unlink(path);
}

/* libyaml reads what a mapping in a line holds far ahead of where it begins. */
Test(yaml_ways, so_is_a_line_that_does_not_fit_into_the_window)
{
    static struct text t;
    struct case_file c;

    state = 777;
    cr_assert(case_read(
        "testdata/rules/grpc-service-header-value-length/one-too-long.case", &c));
    for (size_t s = 0; s < c.n; s++)
        for (unsigned i = 0; is_yaml(c.section[s].name) && i < 3000 / SAMPLE_ONE_IN;
             i++) {
            t = (struct text){.len = c.section[s].len};
            memcpy(t.data, c.section[s].text, t.len);
            (void)compare_broken(&t, 1);
        }
    case_release(&c);
}

/* ---- who reads ---- */

static size_t by_lines(const char *text)
{
    return xds_yaml_compare(xds_slice_of(text), NULL);
}

/* Tokens: {, a key, a number, }, and the end. */
Test(yaml_ways, a_document_of_plain_lines_needs_no_libyaml)
{
    cr_expect_eq(by_lines("a: 1\n"), 5);
    cr_expect_eq(by_lines("a: 1"), 5);
    cr_expect_eq(by_lines("---\na: 1\n\n---\nb: 2\n"), 10);
    cr_expect_eq(by_lines("\xEF\xBB\xBF"
                          "a: 1\n"),
                 5);
    cr_expect_eq(by_lines("a:\n- 1\n- - b: {}\n    c: []\n"), 17);
}

Test(yaml_ways, libyaml_reads_what_programs_do_not_write)
{
    cr_expect_eq(by_lines("a: 1\r\n"), 0);
    cr_expect_eq(by_lines("%YAML 1.2\n---\na: 1\nb: 2\n"), 0);
    cr_expect_eq(by_lines("{a: 1}\n"), 0);
    cr_expect_eq(by_lines("a:\t1\n"), 0);
    cr_expect_eq(by_lines("a: 1\n b\n"), 0);
    cr_expect_eq(by_lines("<<: 1\n"), 0);
}
