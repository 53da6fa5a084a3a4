/*
 * whole_test.c - every input file of every case, and the seeds of the fuzz targets for
 * texts, as a whole, in all formats.
 *
 * A file is either refused whatever the format, or written in each: then nothing is
 * missing, or the parts are named. What was written whole is read back by all formats as
 * what it was, and the same is said of it. convert_test.c has single resources, and
 * mutated texts.
 */
#include <criterion/criterion.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "report/report.h"
#include "cli/dev/test/case.h"
#include "cli/dev/test/case_input.h"
#include "cli/dev/test/sample.h"
#include "fuzz/forms_harness.h"

/* Files of this size only take time. */
#define MOST_BYTES ((size_t)100000)

enum outcome { REFUSED, LOSSY, WHOLE };

struct form {
    enum outcome outcome;
    struct xds_memory text;
};

/* Where a text comes from. */
struct origin {
    const char *path, *name;
    enum xds_resource_type type;
};

static void expect_named(const struct origin *of, const struct xds_convert *convert)
{
    struct xds_slice words;
    struct xds_place at;
    const size_t lost = xds_convert_lost(convert, &at);

    for (size_t i = 0; i < lost && i < XDS_MAX_LOST_NAMED; i++)
        cr_expect(xds_convert_lost_part(convert, i, &at, &words) && words.len > 0,
                  "%s: %s: part %zu has no name", of->path, of->name, i);
}

static enum outcome outcome_of(const struct origin *of, struct xds_report *report,
                               struct xds_convert *convert)
{
    struct xds_place at;

    if (xds_report_summary(report).errors > 0 || report->n_resources == 0)
        return REFUSED;
    cr_assert_eq(xds_convert_finish(convert), XDS_OK);
    expect_named(of, convert);
    return xds_convert_lost(convert, &at) > 0 ? LOSSY : WHOLE;
}

static struct form convert(const struct origin *of, struct xds_slice text,
                           enum xds_format format)
{
    struct form form = {REFUSED, {NULL, 0, 0}};
    const struct xds_convert_options how = {.format = format};
    const struct xds_printer to = {.write = xds_memory_write, .user = &form.text};
    const struct xds_options all = {.clients = XDS_ALL_CLIENTS};
    struct xds_report *report = xds_report_new(&all);
    struct xds_source *source = xds_source_new(report, of->type);
    struct xds_convert *convert = xds_convert_new(report, &how, &to);
    struct xds_resource in;

    cr_assert_eq(xds_source_add_bytes(source, of->name, text), XDS_OK);
    while (xds_source_next(source, &in) == XDS_OK)
        cr_assert_eq(xds_convert_resource(convert, &in), XDS_OK, "%s", of->path);
    form.outcome = outcome_of(of, report, convert);
    xds_convert_free(convert);
    xds_source_free(source);
    xds_report_free(report);
    return form;
}

static struct xds_slice text_of(const struct form *form)
{
    return xds_memory_text(&form->text);
}

/* From one format to another: as the file itself is in that one. Binary is compared with
 * what the first format gave, as bytes that come as bytes are not written anew. */
static void expect_back(const struct origin *of, const struct form *from,
                        enum xds_format format, const struct form *direct,
                        struct form *first)
{
    struct form again = convert(of, text_of(from), format);

    cr_expect_eq(again.outcome, direct->outcome, "%s: %s: outcome %d, not %d in %s",
                 of->path, of->name, again.outcome, direct->outcome,
                 xds_forms_names[format]);
    if (again.outcome == WHOLE && format == XDS_FORMAT_BINARY && !first->text.data) {
        *first = again;
        return;
    }
    if (again.outcome == WHOLE)
        cr_expect(
            xds_slice_eq(text_of(&again), text_of(first->text.data ? first : direct)),
            "%s: from %s in %s:\n%.*s", of->path, of->name, xds_forms_names[format],
            XDS_FMT(text_of(&again)));
    free(again.text.data);
}

static void expect_whole(const char *path, const struct form forms[XDS_FORMATS])
{
    struct form binary = {REFUSED, {NULL, 0, 0}}, none = binary;
    struct xds_memory said[XDS_FORMATS] = {{NULL, 0, 0}};
    const struct xds_memory *expected = NULL;

    for (unsigned from = 0; from < XDS_FORMATS; from++) {
        const struct origin of = {path, xds_forms_names[from], XDS_TYPE_UNKNOWN};

        if (forms[from].outcome != WHOLE)
            continue;
        for (unsigned to = 0; to < XDS_FORMATS; to++)
            if (from != XDS_FORMAT_BINARY || to != XDS_FORMAT_BINARY)
                expect_back(&of, &forms[from], (enum xds_format)to, &forms[to],
                            to == XDS_FORMAT_BINARY ? &binary : &none);
        said[from] = xds_forms_judge(of.name, text_of(&forms[from]));
        expected = expected ? expected : &said[from];
        cr_expect(xds_slice_eq(xds_memory_text(&said[from]), xds_memory_text(expected)),
                  "%s: of %s is said:\n%.*snot\n%.*s", path, of.name,
                  XDS_FMT(xds_memory_text(&said[from])),
                  XDS_FMT(xds_memory_text(expected)));
    }
    for (unsigned from = 0; from < XDS_FORMATS; from++)
        free(said[from].data);
    free(binary.text.data);
}

static bool run_file(const struct origin *of, struct xds_slice text)
{
    struct form forms[XDS_FORMATS];
    bool is_refused = false;

    for (unsigned format = 0; format < XDS_FORMATS; format++)
        forms[format] = convert(of, text, (enum xds_format)format);
    for (unsigned format = 0; format < XDS_FORMATS; format++) {
        is_refused |= forms[format].outcome == REFUSED;
        cr_expect_eq(forms[format].outcome == REFUSED, forms[0].outcome == REFUSED,
                     "%s: %s is refused in some formats", of->path, of->name);
    }
    if (!is_refused)
        expect_whole(of->path, forms);
    for (unsigned format = 0; format < XDS_FORMATS; format++)
        free(forms[format].text.data);
    return !is_refused;
}

/* The name of an input file; *is_hex: its section has the bytes as hex digits. */
static bool is_input(struct xds_slice name, bool *is_hex)
{
    static const char *const endings[] = {".yaml",  ".yml",       ".json",
                                          ".jsonl", ".pb",        ".binpb",
                                          ".txtpb", ".textproto", ".pbtxt"};

    *is_hex = xds_slice_ends(name, XDS_S(".hex"));
    if (*is_hex)
        name.len -= strlen(".hex");
    for (size_t i = 0; i < XDS_ARRAY_LEN(endings); i++)
        if (xds_slice_ends(name, xds_slice_of(endings[i])))
            return true;
    return false;
}

static unsigned digit_of(char c)
{
    return c <= '9' ? (unsigned)(c - '0') : (unsigned)(c - 'a') + 10;
}

static struct xds_memory bytes_of(struct xds_slice hex)
{
    struct xds_memory bytes = {NULL, 0, 0};
    unsigned n = 0, value = 0;

    for (size_t i = 0; i < hex.len; i++) {
        if (!strchr("0123456789abcdef", hex.data[i]))
            continue;
        value = value << 4 | digit_of(hex.data[i]);
        if (++n % 2 == 0)
            (void)xds_memory_write(&bytes, &(char){(char)value}, 1);
    }
    return bytes;
}

static enum xds_resource_type type_of_args(const struct case_file *c)
{
    const struct case_section *args = case_find(c, "args");
    const char *at = args ? strstr(args->text, "--type ") : NULL;

    return at ? xds_resource_type_from_name(
                    xds_slice_make(at + 7, strcspn(at + 7, " \n")))
              : XDS_TYPE_UNKNOWN;
}

/* Keys are looked for in the text of messages that no client reads, and what node makes
 * of a wrong wire type is only known of bytes: xdscope-convert(1). */
static bool depends_on_form(const char *path)
{
    return strstr(path, "/private-key-inline/") || strstr(path, "/wire-type-node.");
}

static bool run_section(const struct case_file *c, const struct case_section *section)
{
    const struct xds_slice text = xds_slice_make(section->text, section->len);
    struct xds_slice name = xds_slice_of(section->name);
    struct xds_memory bytes = {NULL, 0, 0};
    char file[256];
    bool is_hex;

    if (!is_input(name, &is_hex) || text.len > MOST_BYTES)
        return false;
    if (is_hex) {
        bytes = bytes_of(text);
        name.len -= strlen(".hex");
    }
    (void)snprintf(file, sizeof file, "%.*s", XDS_FMT(name));
    const bool is_read = run_file(&(struct origin){c->path, file, type_of_args(c)},
                                  is_hex ? xds_memory_text(&bytes) : text);

    free(bytes.data);
    return is_read;
}

Test(convert, a_whole_file_comes_back_from_each_format, .timeout = 300)
{
    char **paths = case_sample("testdata");
    size_t n = 0;

    for (size_t i = 0; paths[i]; i++) {
        struct case_file c;

        if (!depends_on_form(paths[i]) && case_read(paths[i], &c)) {
            for (size_t k = 0; k < c.n; k++)
                n += run_section(&c, &c.section[k]);
            case_release(&c);
        }
        free(paths[i]);
    }
    free(paths);
    cr_expect_gt(n, 1000 / SAMPLE_ONE_IN);
}

static bool run_plain(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    size_t len = 0;
    char *text = case_read_text(path, &len);
    const struct origin of = {path, name ? name : slash + 1, XDS_TYPE_UNKNOWN};
    bool is_hex;

    cr_assert_not_null(text, "%s", path);
    const bool is_read = len <= MOST_BYTES && is_input(xds_slice_of(of.name), &is_hex) &&
                         run_file(&of, xds_slice_make(text, len));

    free(text);
    return is_read;
}

Test(convert, files_and_seeds_come_back_from_each_format, .timeout = 300)
{
    static const struct {
        const char *pattern, *name; /* or NULL: that of the file */
    } places[] = {
        {"testdata/fixtures/*", NULL},        {"testdata/snapshots/*/*", NULL},
        {"testdata/formats/in/*", NULL},      {"testdata/fuzz/json/*", "x.json"},
        {"testdata/fuzz/yaml/*", "x.yaml"},   {"testdata/fuzz/textproto/*", "x.txtpb"},
        {"testdata/fuzz/binary/*", "x.binpb"}};
    size_t n = 0;

    for (size_t i = 0; i < XDS_ARRAY_LEN(places); i++) {
        glob_t found;

        cr_assert_eq(glob(places[i].pattern, 0, NULL, &found), 0, "%s",
                     places[i].pattern);
        for (size_t k = 0; k < found.gl_pathc; k++)
            n += run_plain(found.gl_pathv[k], places[i].name);
        globfree(&found);
    }
    cr_expect_gt(n, 100);
}
