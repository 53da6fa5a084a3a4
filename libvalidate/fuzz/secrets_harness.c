/*
 * secrets_harness.c - a secret is put into any text, and nothing that is printed of that
 *                     text shows it.
 *
 * The input says in its first four bytes which syntax it has, how the secret is written,
 * and where; the rest is the text, whole or broken.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz/harness.h"
#include "fuzz/memory.h"

#define SECRET "zQ7hunterX9secretW4"
enum { PART = 8, HEAD = 4 }; /* bytes: that must not be seen; in front of the text */

/* What is put into the text: '^' is a line break and the indentation of the line. */
static const char *const json[] = {
    "\"private_key\":{\"inline_string\":\"" SECRET "\"},",
    "\"private_key\":{\"inline_bytes\":[\"" SECRET "\",1]},",
    "\"privateKey\":\n\"" SECRET "\",",
    "\"pass\\u0077ord\":{\"a\":{\"b\":\n\"a\\\"" SECRET "\"}},",
    "\"token\":" SECRET ",",
    "\"private_key\":{\"inline_string\"\n\"" SECRET "\"},",
    "\"private_key\":{\"inline_string\":\n\"" SECRET,
    "\"inline_string\":'" SECRET "',",
};
static const char *const yaml[] = {
    "private_key: {inline_string: " SECRET "}^",
    "private_key:^  inline_string: |^    a^    " SECRET "^",
    "password:^  " SECRET "^",
    "token: [a, {b: " SECRET "}]^",
    "private_key: {inline_string: \"" SECRET "^",
    "inline_string: \"a^  " SECRET "\" x^",
    "- private_key: {inline_string:^  " SECRET "^",
    "? inline_string^: " SECRET "^",
};
static const char *const text[] = {
    "private_key { inline_string: \"" SECRET "\" }",
    " password: 'a'^\"" SECRET "\" ",
    " token: [\"" SECRET "\"] ",
    " inline_string \"" SECRET "\" ",
    " private_key { " SECRET " } ",
    " private_key { inline_bytes:^'" SECRET,
    " token:^" SECRET " ",
    " private_key: < inline_string^: \"" SECRET "\" >",
};

static const struct syntax {
    const char *name;
    const char *const *shapes;
    size_t n;
} syntaxes[] = {
    {"input.json", json, XDS_ARRAY_LEN(json)},
    {"input.yaml", yaml, XDS_ARRAY_LEN(yaml)},
    {"input.textproto", text, XDS_ARRAY_LEN(text)},
};

/* ---- where the secret goes ---- */

/* Members of an object may begin there: after a brace or, of YAML, at a line's begin, and
 * not in a string, as far as this can be seen. */
static size_t find_places(const struct syntax *syntax, struct xds_slice in,
                          size_t *places, size_t most)
{
    const bool is_yaml = syntax->shapes == yaml, is_text = syntax->shapes == text;
    bool in_comment = false;
    char quote = '\0';
    size_t n = 0;

    if (is_yaml)
        places[n++] = 0;
    for (size_t i = 0; i < in.len && n < most; i++) {
        const char c = in.data[i];

        if (is_yaml)
            quote = '\0';
        if (c == '\n')
            in_comment = false;
        if (is_yaml ? c == '\n' : c == '{' && !quote && !in_comment)
            places[n++] = i + 1;
        if (is_text && c == '#' && !quote)
            in_comment = true;
        if (in_comment)
            continue;
        if (quote && c == '\\')
            i++;
        else if (quote ? c == quote : c == '"' || (is_text && c == '\''))
            quote = quote ? '\0' : c;
    }
    return n;
}

/* The blanks that the line begins with, up to `at`. */
static struct xds_slice indentation(struct xds_slice in, size_t at)
{
    size_t begin = at, end;

    while (begin > 0 && in.data[begin - 1] != '\n')
        begin--;
    for (end = begin; end < in.len && in.data[end] == ' ';)
        end++;
    return xds_slice_make(in.data + begin, end - begin);
}

static void put_shape(struct xds_memory *to, const struct syntax *syntax,
                      const char *shape, struct xds_slice blanks)
{
    if (syntax->shapes == yaml)
        (void)xds_memory_write(to, blanks.data, blanks.len);
    for (; *shape; shape++) {
        if (*shape != '^') {
            (void)xds_memory_write(to, shape, 1);
            continue;
        }
        (void)xds_memory_write(to, "\n", 1);
        if (shape[1])
            (void)xds_memory_write(to, blanks.data, blanks.len);
    }
}

/* ---- what is printed ---- */

struct printing {
    struct xds_memory page;
    struct xds_slice text;
    struct xds_secrets *secrets;
    char *line; /* room for one */
    const char *what;
};

/* How much of the secret is in the page around a byte of it, in this direction. */
static size_t run_at(struct xds_slice page, size_t at, size_t of, bool is_reversed)
{
    const size_t last = sizeof SECRET - 2;
    size_t before = 0, after = 0;

    while (before < of && before < (is_reversed ? page.len - 1 - at : at) &&
           page.data[is_reversed ? at + before + 1 : at - before - 1] ==
               SECRET[of - before - 1])
        before++;
    while (of + after < last && after < (is_reversed ? at : page.len - 1 - at) &&
           page.data[is_reversed ? at - after - 1 : at + after + 1] ==
               SECRET[of + after + 1])
        after++;
    return before + 1 + after;
}

/* Each part of the secret has one of these bytes, which are rare elsewhere. */
static bool has_part(struct xds_slice page)
{
    static const char rare[] = "7XW";

    for (const char *c = rare; *c; c++) {
        const size_t of = xds_slice_find(XDS_S(SECRET), *c);

        for (size_t at = 0; at < page.len; at++) {
            at += xds_slice_find(xds_slice_from(page, at), *c);
            if (at < page.len && (run_at(page, at, of, false) >= PART ||
                                  run_at(page, at, of, true) >= PART))
                return true;
        }
    }
    return false;
}

/* The printer has written something of this kind. */
static void look(struct printing *p, const char *what, enum xds_status status)
{
    const struct xds_slice page = xds_memory_text(&p->page);

    (void)status;
    if (has_part(page))
        xds_fuzz_fail("%s shows the secret: %.*s\nof: %.*s", what, XDS_FMT(page),
                      XDS_FMT(p->text));
    p->page.len = 0;
}

static struct xds_slice line_of(struct xds_slice in, uint32_t number)
{
    struct xds_slice line;

    do
        in = xds_slice_cut(in, '\n', &line);
    while (--number > 0 && in.data);
    return number > 0 ? xds_slice_make(NULL, 0) : line;
}

/* An xds_line_fn, which gives lines as cli/files/excerpt.c does. */
static bool give_line(void *user, struct xds_slice file, uint32_t line, uint32_t column,
                      struct xds_slice *out)
{
    struct printing *p = user;
    struct xds_slice rest = line_of(p->text, line);

    (void)file;
    for (uint32_t i = 1; i < column && rest.len > 0; i++)
        do
            rest = xds_slice_from(rest, 1);
        while (rest.len > 0 && ((unsigned char)*rest.data & 0xc0) == 0x80);
    out->data = p->line;
    return rest.data &&
           xds_secrets_hide(p->secrets, line, column, rest, p->line, &out->len);
}

static struct xds_printer printer_of(struct printing *p)
{
    return (struct xds_printer){.write = xds_memory_write,
                                .user = &p->page,
                                .verbose = true,
                                .line = give_line,
                                .line_user = p};
}

static void print_report(struct printing *p, struct xds_report *report)
{
    const struct xds_printer to = printer_of(p);

    xds_report_sort(report);
#define FORMAT_LINT(word, print, ...) look(p, "lint -f " word, print(&to, report));
#include "cli/formats.def"
    look(p, "baseline", xds_print_baseline(&to, report));
}

static void print_decision(struct printing *p, struct xds_check *check,
                           enum xds_client client)
{
    static const struct xds_header headers[] = {
        {{"authorization", 13}, {SECRET, sizeof SECRET - 1}},
        {{"x-env", 5}, {"prod", 4}}};
    const struct xds_request request = {
        .path = XDS_S("/pkg.Svc/Get"), .headers = headers, .n_headers = 2};
    const struct xds_printer to = printer_of(p);
    struct xds_explainer *explainer = xds_explainer_new(check, client);
    const struct xds_decision *decision;

    if (explainer && xds_explain(explainer, &request, &decision) == XDS_OK) {
#define FORMAT_EXPLAIN(word, print, ...)                                                 \
    look(p, "explain -f " word, print(&to, decision));
#include "cli/formats.def"
    }
    xds_explainer_free(explainer);
}

static void print_snapshot(struct printing *p, struct xds_check *check,
                           enum xds_client client)
{
    const struct xds_snapshot_view view = {.client = client};
    const struct xds_printer to = printer_of(p);
    static const char *const paths[] = {"input"};
    size_t n;

#define FORMAT_SHOW(word, print, ...) look(p, "show -f " word, print(&to, check, &view));
#include "cli/formats.def"
    look(p, "test --init", xds_suite_write_first(&to, check, client, paths, 1, &n));
}

static void print_all(struct printing *p, const char *name, size_t number)
{
    const enum xds_client client = (enum xds_client)(number % XDS_CLIENTS);
    struct xds_options options;
    struct xds_resource resource;

    xds_options_init(&options);
    options.clients = XDS_ALL_CLIENTS;
    struct xds_report *report = xds_report_new(&options);
    struct xds_check *check = report ? xds_check_new(report, true) : NULL;
    struct xds_source *source = report ? xds_source_new(report, XDS_TYPE_UNKNOWN) : NULL;

    if (check && source && xds_source_add_bytes(source, name, p->text) == XDS_OK) {
        while (xds_source_next(source, &resource) == XDS_OK)
            (void)!xds_check_resource(check, &resource);
        print_decision(p, check, client);
        print_snapshot(p, check, client);
        print_report(p, report);
    }
    xds_source_free(source);
    xds_check_free(check);
    xds_report_free(report);
}

/* Does the search above find each part of the secret, in both directions? */
static void check_search(void)
{
    char part[PART];

    for (size_t i = 0; i + PART < sizeof SECRET; i++) {
        for (size_t k = 0; k < PART; k++)
            part[k] = SECRET[i + PART - 1 - k];
        if (!has_part(xds_slice_make(SECRET + i, PART)) ||
            !has_part(xds_slice_make(part, PART)) ||
            has_part(xds_slice_make(SECRET + i, PART - 1)))
            xds_fuzz_fail("the search does not find part %zu", i);
    }
}

/* ---- a text ---- */

/* A secret in a YAML text may be a part of a longer one there, which has no name of a
 * secret in front of it: this is seen by what is hidden. */
static bool is_hidden(struct printing *p)
{
    const size_t at = xds_slice_search(p->text, XDS_S(SECRET));
    uint32_t line = 1;
    struct xds_slice shown = {p->line, 0};

    for (size_t i = 0; i < at; i++)
        line += p->text.data[i] == '\n';
    return !xds_secrets_hide(p->secrets, line, 1, line_of(p->text, line), p->line,
                             &shown.len) ||
           !has_part(shown);
}

static void print_with(const struct syntax *syntax, const struct xds_memory *with,
                       size_t number)
{
    struct printing p = {.text = xds_memory_text(with), .line = malloc(with->len + 1)};

    if (!p.line || xds_secrets_of_text(syntax->name, p.text, &p.secrets) != XDS_OK)
        xds_fuzz_fail("no memory");
    if (is_hidden(&p))
        print_all(&p, syntax->name, number);
    else if (syntax->shapes != yaml)
        xds_fuzz_fail("the secret is not hidden: %.*s", XDS_FMT(p.text));
    xds_secrets_free(p.secrets);
    free(p.line);
    free(p.page.data);
}

void xds_fuzz_secrets(const uint8_t *data, size_t size)
{
    enum { MOST = 1000 };
    size_t places[MOST];
    struct xds_memory with = {NULL, 0, 0};

    static bool is_checked;

    if (!is_checked)
        check_search();
    is_checked = true;
    if (size < HEAD)
        return;
    const struct syntax *syntax = &syntaxes[data[0] % XDS_ARRAY_LEN(syntaxes)];
    const struct xds_slice in = xds_slice_make((const char *)data + HEAD, size - HEAD);
    const size_t n = find_places(syntax, in, places, MOST);

    if (n == 0 || memchr(in.data, '\0', in.len))
        return;
    const size_t at = places[(data[2] | (size_t)data[3] << 8) % n];

    (void)xds_memory_write(&with, in.data, at);
    put_shape(&with, syntax, syntax->shapes[data[1] % syntax->n], indentation(in, at));
    (void)xds_memory_write(&with, in.data + at, in.len - at);
    print_with(syntax, &with, data[1]);
    free(with.data);
}
