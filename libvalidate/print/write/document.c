/*
 * document.c - answers as sections, lines and tables: what text and HTML have instead of
 * each other, and the writer that makes HTML of lines.
 */
#include "base/ascii.h"
#include "clients/environment.h"
#include "print/write/document.h"
#include "print/write/markup.h"
#include "secret/secret.h"

/* ---- what is open ---- */

static void end_lists(struct xds_doc *doc)
{
    for (; doc->depth > 0; doc->depth--)
        xds_out_text(&doc->page, "</li></ul>\n");
    doc->has_base = false;
}

static void end_row(struct xds_doc *doc)
{
    if (doc->cell > 0)
        xds_out_text(&doc->page, doc->is_heading ? "</th>" : "</td>");
    if (doc->in_row)
        xds_out_text(&doc->page, "</tr>\n");
    doc->in_row = false;
    doc->cell = 0;
}

static void end_table(struct xds_doc *doc)
{
    end_row(doc);
    if (doc->table)
        xds_out_text(&doc->page, "</tbody>\n</table>\n</div>\n");
    doc->table = NULL;
}

static void end_line(struct xds_doc *doc)
{
    if (doc->in_row) {
        end_row(doc);
    } else if (!doc->in_line) {
        end_table(doc);
        end_lists(doc);
    } else {
        xds_out_text(&doc->page, doc->begin ? doc->end : doc->depth == 0 ? "</p>\n" : "");
        doc->begin = NULL;
    }
    doc->in_line = false;
    doc->blanks = 0;
}

/* What is in a topic, or in a section. */
static void end_inner(struct xds_doc *doc)
{
    if (doc->in_line)
        end_line(doc);
    end_table(doc);
    end_lists(doc);
}

static void end_topics(struct xds_doc *doc)
{
    end_inner(doc);
    if (doc->in_topics)
        xds_out_text(&doc->page, "</dd></div>\n</dl>\n");
    doc->in_topics = false;
    doc->topic = NULL;
}

/* ---- lines ---- */

/* Deeper lines are in a list below the one that is less deep, as blanks say. */
static void begin_in_outline(struct xds_doc *doc)
{
    const size_t blanks = doc->blanks;

    if (!doc->has_base || blanks <= doc->base) {
        end_lists(doc);
        doc->has_base = true;
        doc->base = blanks;
        xds_out_text(&doc->page, "<p>");
        return;
    }
    while (doc->depth > 0 && blanks < doc->indents[doc->depth - 1]) {
        xds_out_text(&doc->page, "</li></ul>\n");
        doc->depth--;
    }
    if (doc->depth == XDS_ARRAY_LEN(doc->indents) ||
        (doc->depth > 0 && blanks == doc->indents[doc->depth - 1])) {
        xds_out_text(&doc->page, "</li>\n<li>");
        return;
    }
    doc->indents[doc->depth++] = blanks;
    xds_out_text(&doc->page, "\n<ul class=\"lines\"><li>");
}

static void begin_line(struct xds_doc *doc)
{
    if (doc->begin) {
        xds_out_text(&doc->page, doc->begin);
    } else {
        end_table(doc);
        if (doc->in_topics && doc->blanks == 0)
            end_topics(doc);
        begin_in_outline(doc);
    }
    doc->in_line = true;
}

static bool write_text(void *user, const char *data, size_t len)
{
    struct xds_doc *doc = user;
    size_t i = 0;

    if (doc->in_block) {
        xds_html_escape(&doc->page, xds_slice_make(data, len));
        i = len;
    }
    while (i < len) {
        const bool begun = doc->in_line || doc->in_row;
        const struct xds_slice rest = xds_slice_make(data + i, len - i);

        if (data[i] == '\n') {
            end_line(doc);
            i++;
        } else if (!begun && data[i] == ' ') {
            doc->blanks++;
            i++;
        } else {
            const size_t n = xds_slice_find(rest, '\n');

            if (!begun)
                begin_line(doc);
            xds_html_escape(&doc->page, xds_slice_make(rest.data, n));
            i += n;
        }
    }
    return !doc->page.failed;
}

static bool is_document(const struct xds_printer *to)
{
    return to->write == write_text;
}

struct xds_doc *xds_doc_of(const struct xds_out *out)
{
    return is_document(out->to) ? out->to->user : NULL;
}

/* The document of the writer, if it is one, with all that was written to it. */
static struct xds_doc *doc_at(struct xds_out *out)
{
    struct xds_doc *doc = xds_doc_of(out);

    if (doc)
        xds_out_flush(out);
    return doc;
}

/* ---- whole documents ---- */

void xds_doc_init(struct xds_doc *doc, const struct xds_printer *to)
{
    memset(doc, 0, offsetof(struct xds_doc, page));
    doc->printer = *to;
    doc->printer.write = write_text;
    doc->printer.user = doc;
    doc->printer.color = false;
    doc->printer.columns = 0;
    xds_out_init(&doc->page, to);
}

enum xds_status xds_doc_finish(struct xds_doc *doc, enum xds_status status)
{
    end_topics(doc);
    const enum xds_status written = xds_out_finish(&doc->page);

    return status == XDS_OK ? written : status;
}

/* The next line is in these tags. */
static void next_line(struct xds_doc *doc, const char *begin, const char *end)
{
    doc->begin = begin;
    doc->end = end;
}

/* Credentials in it are shown as asterisks, as everywhere. */
static void print_word(struct xds_out *out, struct xds_slice word)
{
    char safe[4096];

    if (word.len > sizeof(safe))
        xds_out_text(out, "...");
    else
        xds_out_shell_word(out, xds_slice_make(safe, xds_redact(word, safe)));
}

/* How many of the words, from the first of them on, set the option; 0: it is another. */
static size_t words_of_option(const char *const *words, struct xds_slice option)
{
    const struct xds_slice word = xds_slice_of(words[0]);

    if (xds_slice_eq(word, option))
        return words[1] ? 2 : 1;
    return xds_slice_starts(word, option) && word.data[option.len] == '=';
}

enum xds_status xds_print_command_with(const struct xds_printer *to, const char *option,
                                       struct xds_slice value)
{
    const struct xds_slice name = xds_slice_of(option);
    struct xds_out out;

    xds_out_init(&out, to);
    for (size_t i = 0, n; to->command && to->command[i]; i += n ? n : 1) {
        n = words_of_option(&to->command[i], name);
        if (n > 0)
            continue;
        xds_out_text(&out, i > 0 ? " " : "");
        print_word(&out, xds_slice_of(to->command[i]));
        if (i != 1) /* the name of the command */
            continue;
        xds_out_format(&out, " %s ", option);
        xds_out_shell_word(&out, value);
    }
    xds_out_char(&out, '\n');
    return xds_out_finish(&out);
}

void xds_doc_begin(struct xds_doc *doc, const struct xds_printer *to, const char *name)
{
    struct xds_out out;

    xds_doc_init(doc, to);
    xds_html_begin(&doc->page, name);
    xds_out_init(&out, &doc->printer);
    next_line(doc, "<p class=\"tool\">", "</p>\n");
    if (to->command) {
        xds_doc_command(&out, true);
        for (size_t i = 0; to->command[i]; i++) {
            xds_out_text(&out, i > 0 ? " " : "");
            print_word(&out, xds_slice_of(to->command[i]));
        }
        xds_doc_command(&out, false);
    } else
        xds_out_format(&out, "xdscope %s", name);
    xds_out_char(&out, '\n');
    doc->page.failed |= xds_out_finish(&out) != XDS_OK;
}

enum xds_status xds_doc_end(struct xds_doc *doc, enum xds_status status)
{
    end_topics(doc);
    xds_html_end(&doc->page);
    return xds_doc_finish(doc, status);
}

enum xds_status xds_answer_print(const struct xds_printer *to, void (*print)(void *),
                                 const void *of)
{
    struct xds_page page;

    xds_page_init(&page, to);
    return xds_answer_write(is_document(to) ? to : &page.printer, print, of);
}

enum xds_status xds_print_page_begin(const struct xds_printer *to, const char *name,
                                     const char *heading)
{
    struct xds_doc doc;

    xds_doc_begin(&doc, to, name);
    xds_html_format(&doc.page, "<h1><span>%s</span></h1>\n", heading);
    return xds_doc_finish(&doc, XDS_OK);
}

enum xds_status xds_print_page_end(const struct xds_printer *to)
{
    struct xds_doc doc;

    xds_doc_init(&doc, to);
    return xds_doc_end(&doc, XDS_OK);
}

/* ---- markup in between ---- */

/* The same, after all that is open. */
static struct xds_doc *doc_after(struct xds_out *out)
{
    struct xds_doc *doc = doc_at(out);

    if (doc)
        end_topics(doc);
    return doc;
}

struct xds_out *xds_doc_markup(struct xds_out *out)
{
    struct xds_doc *doc = doc_after(out);

    return doc ? &doc->page : NULL;
}

struct xds_out *xds_doc_inline(struct xds_out *out)
{
    struct xds_doc *doc = doc_at(out);

    if (!doc)
        return NULL;
    if (!doc->in_line && !doc->in_row && !doc->in_block)
        begin_line(doc);
    return &doc->page;
}

void xds_doc_section(struct xds_out *out, const char *id, const char *heading)
{
    struct xds_out *page = xds_doc_markup(out);

    if (page)
        xds_html_format(page, "<h2 id=\"%s\">%s</h2>\n", id, heading);
}

void xds_doc_steps(struct xds_out *out, const char *id, const char *heading)
{
    struct xds_doc *doc = xds_doc_of(out);

    xds_doc_section(out, id, heading);
    if (doc)
        doc->steps = id;
}

/* ---- what a line is ---- */

void xds_doc_heading(struct xds_out *out)
{
    struct xds_doc *doc = doc_after(out);

    if (doc)
        next_line(doc, "<h2>", "</h2>\n");
}

void xds_doc_verdict(struct xds_out *out, bool good)
{
    struct xds_doc *doc = doc_after(out);

    if (doc)
        next_line(doc, good ? "<h1 class=\"good\"><span>" : "<h1 class=\"bad\"><span>",
                  "</span></h1>\n");
}

void xds_doc_summary(struct xds_out *out)
{
    struct xds_doc *doc = doc_after(out);

    if (doc)
        next_line(doc, "<h1><span>", "</span></h1>\n");
}

bool xds_doc_fold(struct xds_out *out)
{
    struct xds_doc *doc = doc_at(out);

    if (!doc)
        return false;
    end_inner(doc);
    next_line(doc, "<details><summary>", "</summary>\n");
    return true;
}

void xds_doc_fold_end(struct xds_out *out)
{
    struct xds_doc *doc = doc_at(out);

    if (!doc)
        return;
    end_inner(doc);
    xds_out_text(&doc->page, "</details>\n");
}

/* ---- topics ---- */

/* The text of the line goes below it. */
static void begin_topic(struct xds_doc *doc, struct xds_slice topic, bool has_id)
{
    end_inner(doc);
    xds_out_text(&doc->page, doc->in_topics ? "</dd></div>\n" : "<dl class=\"steps\">\n");
    xds_out_text(&doc->page, "<div");
    if (has_id) {
        xds_html_format(&doc->page, " id=\"%s-", doc->steps ? doc->steps : "step");
        for (size_t i = 0; i < topic.len; i++)
            xds_out_char(&doc->page, topic.data[i] == ' ' ? '-' : topic.data[i]);
        xds_out_char(&doc->page, '"');
    }
    xds_html_format(&doc->page, "><dt>%.*s</dt><dd>\n", XDS_FMT(topic));
    doc->in_topics = true;
}

void xds_page_title(struct xds_out *out, const char *title)
{
    struct xds_doc *doc = doc_at(out);
    const int len = title ? (int)strlen(title) : 0;

    if (doc) {
        if (title && (!doc->topic || strcmp(title, doc->topic) != 0))
            begin_topic(doc, xds_slice_of(title), true);
        doc->topic = title ? title : doc->topic;
        doc->blanks = XDS_PAGE_TEXT;
        return;
    }
    if (title)
        xds_out_styled(out, XDS_STYLE_BOLD, title);
    xds_out_format(out, "%*s", len < XDS_PAGE_TEXT ? XDS_PAGE_TEXT - len : 1, "");
}

void xds_page_line(struct xds_out *out, const char *title, const char *format, ...)
{
    xds_page_title(out, title);
    XDS_OUT_ARGS(out, xds_out_clean, format);
    xds_out_char(out, '\n');
}

void xds_doc_time(struct xds_out *out, struct xds_slice time)
{
    enum { WIDTH = 8 };
    struct xds_doc *doc = doc_at(out);

    if (!doc) {
        xds_out_format(out, "%*.*s  ", WIDTH, XDS_FMT(time));
        return;
    }
    begin_topic(doc, time, false);
    doc->blanks = WIDTH + 2;
}

/* ---- tables ---- */

static bool is_name(const char *kind)
{
    return kind && strcmp(kind, "name") == 0;
}

static void write_class(struct xds_out *page, const char *kind)
{
    if (kind && !is_name(kind))
        xds_html_attribute(page, "class", xds_slice_of(kind));
}

void xds_doc_row(struct xds_out *out, const struct xds_table *table, const char *words)
{
    struct xds_doc *doc = doc_at(out);

    if (!doc)
        return;
    end_row(doc);
    if (doc->table != table) {
        end_table(doc);
        end_inner(doc);
        doc->table = table;
        xds_html_format(
            &doc->page,
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">\n"
            "<table>\n"
            "<thead><tr>",
            table->caption);
        for (size_t i = 0; i < table->n; i++) {
            xds_out_text(&doc->page, "<th scope=\"col\"");
            write_class(&doc->page, table->columns[i].kind);
            xds_html_format(&doc->page, ">%s</th>", table->columns[i].title);
        }
        xds_out_text(&doc->page, "</tr></thead>\n<tbody>\n");
    }
    xds_out_text(&doc->page, "<tr");
    if (words)
        xds_html_format(&doc->page, " data-item=\"\" data-%s=\"%s\"", table->data, words);
    xds_out_char(&doc->page, '>');
    doc->in_row = true;
    doc->blanks = 0;
}

void xds_doc_cell(struct xds_out *out, const char *before)
{
    struct xds_doc *doc = doc_at(out);

    if (!doc || !doc->in_row) {
        xds_out_text(out, before);
        return;
    }
    const char *kind = doc->table->columns[doc->cell].kind;

    if (doc->cell > 0)
        xds_out_text(&doc->page, doc->is_heading ? "</th>" : "</td>");
    doc->is_heading = is_name(kind);
    xds_out_text(&doc->page, doc->is_heading ? "<th scope=\"row\"" : "<td");
    write_class(&doc->page, kind);
    xds_out_char(&doc->page, '>');
    doc->cell++;
}

/* ---- in a line ---- */

void xds_doc_quoted(struct xds_out *out, struct xds_slice text)
{
    struct xds_out *page = xds_doc_inline(out);

    if (page)
        xds_html_code(page, text);
    else
        xds_out_format(out, "\"%.*s\"", XDS_FMT(text));
}

void xds_doc_code(struct xds_out *out, struct xds_slice text)
{
    struct xds_out *page = xds_doc_inline(out);

    if (page)
        xds_html_code(page, text);
    else
        xds_out_clean(out, text);
}

void xds_doc_span(struct xds_out *out, const char *kind, const char *text)
{
    struct xds_out *page = xds_doc_inline(out);

    if (page)
        xds_html_format(page, "<span class=\"%s\">%s</span>", kind, text);
    else
        xds_out_text(out, text);
}

void xds_out_styled(struct xds_out *out, enum xds_style style, const char *text)
{
    static const struct {
        const char *kind, *code; /* of a page, of a terminal */
    } styles[] = {
        [XDS_STYLE_NONE] = {"plain", NULL},    [XDS_STYLE_BOLD] = {"bold", "1"},
        [XDS_STYLE_DIM] = {"quiet", "2"},      [XDS_STYLE_RED] = {"bad", "1;31"},
        [XDS_STYLE_YELLOW] = {"warn", "1;33"}, [XDS_STYLE_CYAN] = {"info", "1;36"},
        [XDS_STYLE_GREEN] = {"good", "32"},
    };
    const char *code = out->to->color ? styles[style].code : NULL;

    if (xds_doc_of(out)) {
        xds_doc_span(out, styles[style].kind, text);
        return;
    }
    if (code) {
        xds_out_text(out, "\033[");
        xds_out_text(out, code);
        xds_out_char(out, 'm');
    }
    xds_out_text(out, text);
    if (code)
        xds_out_text(out, "\033[0m");
}

void xds_doc_command(struct xds_out *out, bool begins)
{
    struct xds_out *page = xds_doc_inline(out);

    if (page)
        xds_out_text(page, begins ? "<code class=\"command\">" : "</code>");
}

void xds_doc_meter(struct xds_out *out, double share)
{
    struct xds_out *page = xds_doc_inline(out);

    if (!page)
        return;
    xds_out_text(page, "<meter min=\"0\" max=\"1\" value=\"");
    xds_out_double(page, share);
    xds_out_text(page, "\"></meter>");
}

void xds_doc_block(struct xds_out *out, bool begins)
{
    struct xds_doc *doc = doc_at(out);

    if (!doc)
        return;
    end_table(doc);
    doc->in_block = begins;
    xds_out_text(&doc->page, begins ? "<pre tabindex=\"0\">" : "</pre>\n");
}

/* ---- commands ---- */

void xds_out_shell_part(struct xds_out *out, struct xds_slice text)
{
    while (text.data) {
        struct xds_slice part;

        text = xds_slice_cut(text, '\'', &part);
        xds_out_clean(out, part);
        if (text.data)
            xds_out_text(out, "'\\''");
    }
}

void xds_out_env(struct xds_out *out, const struct xds_options *options)
{
    for (unsigned i = 0; i < XDS_ENVS; i++) {
        const uint64_t set = options->env_set[i];
        const char *word = xds_env_word(set);

        if (word)
            xds_out_format(out, " --env %s=%s", xds_env_name(i), word);
        else if (set >= XDS_ENV_FIRST_NUMBER)
            xds_out_format(out, " --env %s=%zu", xds_env_name(i),
                           (size_t)(set - XDS_ENV_FIRST_NUMBER));
    }
}

void xds_out_shell_word(struct xds_out *out, struct xds_slice word)
{
    size_t n = 0;

    while (n < word.len &&
           (xds_ascii_alpha(word.data[n]) || xds_ascii_digit(word.data[n]) ||
            (word.data[n] && strchr("-._:/,+@%=", word.data[n]))))
        n++;
    if (n == word.len && n > 0) {
        xds_out_clean(out, word);
        return;
    }
    xds_out_char(out, '\'');
    xds_out_shell_part(out, word);
    xds_out_char(out, '\'');
}
