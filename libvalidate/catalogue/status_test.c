/* status_test.c - every status text is found in a log, and belongs to one reason. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "catalogue/log.h"
#include "catalogue/status.h"

static const struct row {
    enum xds_failure failure;
    const char *text;
} rows[] = {
#define XDS_STATUS_TEXT(id, code, a, b, c, d, how, text) {XDS_FAILURE_##id, text},
#define XDS_STATUS_OTHER(id, who, text) {XDS_FAILURE_##id, text},
#define XDS_STATUS_LINE(id, client, text) {XDS_FAILURE_##id, text},
#define XDS_STATUS_FAULT(client, a, b, c, d, text) {XDS_FAILURE_CLIENT_FAULT, text},
#include "catalogue/status_rows.def"
};

/* The text with "app" for the name and "some of it" for what else is not fixed. */
static void fill(const char *text, char *out, size_t size)
{
    size_t n = 0;

    while (*text != '\0' && n + 16 < size) {
        const bool name = strncmp(text, "{1}", 3) == 0;

        if (name || *text == '*') {
            n += (size_t)sprintf(out + n, "%s", name ? "app" : " some of it");
            text += name ? 3 : 1;
        } else {
            out[n++] = *text++;
        }
    }
    out[n] = '\0';
}

static const struct line {
    const char *before, *after;
} lines[] = {
    {"", ""},
    {"rpc error: code = Unavailable desc = [xDS node id: n1]: ", ""},
    {"2026/11/28 10:00:00 call failed: (", ")"},
    {"{\"level\":\"error\",\"msg\":\"", "\",\"code\":14}"},
};

static void check(const struct row *row, const struct line *line)
{
    char text[512], log[1024];
    struct xds_status_hit hits[XDS_STATUS_HITS];

    fill(row->text, text, sizeof text);
    (void)snprintf(log, sizeof log, "%s%s%s", line->before, text, line->after);
    const size_t n = xds_status_hits(xds_slice_of(log), hits);
    size_t i = 0;

    /* The same words may be those of two reasons: node has one text for both. */
    while (i < n && hits[i].failure != row->failure &&
           hits[i].weight != xds_glob_weight(row->text))
        i++;
    cr_expect(i<n, "%s: %s", log, n> 0 ? xds_failure_row(hits[0].failure)->slug
                                       : "not found");
    if (i < n && strstr(row->text, "{1}"))
        cr_expect(xds_slice_is(hits[i].name, "app"), "%s: names \"%.*s\"", log,
                  XDS_FMT(hits[i].name));
}

Test(rpc_status, each_text_is_found_in_a_line_of_a_log)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++)
        for (size_t k = 0; k < XDS_ARRAY_LEN(lines); k++)
            check(&rows[i], &lines[k]);
}

Test(rpc_status, each_reason_has_words)
{
    for (unsigned failure = 0; failure < XDS_FAILURES; failure++) {
        size_t i = 0;

        while (i < XDS_ARRAY_LEN(rows) && rows[i].failure != failure)
            i++;
        cr_expect_lt(i, XDS_ARRAY_LEN(rows), "%s", xds_failure_row(failure)->slug);
    }
}

Test(rpc_status, a_word_that_goes_on_is_another_text)
{
    static const char *const others[] = {
        "RPC is droppedX",
        "XRPC is dropped",
        "no matched route was foundation",
        "does not exist",
        "last night",
        "resource \"a b\" of type Listener not found in received response",
    };
    struct xds_status_hit hits[XDS_STATUS_HITS];

    for (size_t i = 0; i < XDS_ARRAY_LEN(others); i++)
        cr_expect_eq(xds_status_hits(xds_slice_of(others[i]), hits), 0, "%s", others[i]);
}

Test(rpc_status, a_release_has_its_own_words)
{
    static const struct {
        enum xds_client client;
        struct xds_release release;
        const char *words;
    } cases[] = {
        {XDS_CLIENT_GO, {1, 77, 0}, "no matching virtual host found for \"app\""},
        {XDS_CLIENT_GO, {1, 78, 0}, "could not find VirtualHost for \"app\""},
        {XDS_CLIENT_GO, {0, 0, 0}, "could not find VirtualHost for \"app\""},
        {XDS_CLIENT_JAVA,
         {0, 0, 0},
         "Failed to find virtual host matching hostname: app"},
    };
    struct xds_arena arena;

    xds_arena_init(&arena, 0);
    for (size_t i = 0; i < XDS_ARRAY_LEN(cases); i++) {
        const struct xds_client_release who = {cases[i].client, cases[i].release};
        const struct xds_slice words =
            xds_status_words(&arena, XDS_FAILURE_NO_VIRTUAL_HOST, who,
                             xds_slice_of("app"), (struct xds_slice){NULL, 0});

        cr_expect(xds_slice_is(words, cases[i].words), "%.*s", XDS_FMT(words));
    }
    xds_arena_release(&arena);
}
