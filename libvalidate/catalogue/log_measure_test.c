/*
 * log_measure_test.c - texts of all clients as logs have them, and lines that are none:
 * what is named is right in nine of ten, and what is not known is silent.
 *
 * Every text of the catalogue is put into every frame below, with other names and other
 * text in its holes. testdata/logs/ordinary.log has 300 lines of programs that use gRPC.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "catalogue/log.h"
#include "catalogue/status.h"

static const struct status_row {
    enum xds_failure failure;
    const char *text;
} statuses[] = {
#define XDS_STATUS_TEXT(id, code, a, b, c, d, how, text) {XDS_FAILURE_##id, text},
#define XDS_STATUS_LINE(id, client, text) {XDS_FAILURE_##id, text},
#include "catalogue/status_rows.def"
};

static const struct rule_row {
    const char *id, *text;
} rules[] = {
#define XDS_LOG(id, clients, path, message) {#id, message},
#include "catalogue/log_rows.def"
};

/* quotes: how often the text is quoted as in a string of JSON; wraps: a line is as long
 * as that, 0 for no end. */
static const struct frame {
    const char *before, *after;
    unsigned quotes;
    size_t wraps;
} frames[] = {
    {"", "", 0, 0},
    {"2026/11/28 10:00:00 call /shop.Cart/Add: rpc error: code = Unavailable desc = ", "",
     0, 0},
    {"rpc error: code = Unavailable desc = [xDS node id: sidecar~10.0.0.1]: ", "", 0, 0},
    {"rpc error: code = Unavailable desc = name resolver error: ", "", 0, 0},
    {"E1128 10:00:00.000000   41 call.cc:1182] ", " (node ID:n1)", 0, 0},
    {"Nov 28, 2026 10:00:02 AM com.example.App main\nWARNING: RPC failed: "
     "Status{code=UNAVAILABLE, description=",
     ", cause=null}", 0, 0},
    {"io.grpc.StatusRuntimeException: UNAVAILABLE: ",
     "\n\tat io.grpc.stub.ClientCalls.call(ClientCalls.java:271)\nCaused by: "
     "java.io.IOException: closed",
     0, 0},
    {"Error: 14 UNAVAILABLE: ",
     ". Resolution note: \n    at callErrorFromStatus "
     "(/app/call.js:31:19)",
     0, 0},
    {"\tdetails = \"", "\"\n\tdebug_error_string = \"UNKNOWN:Error received\"", 0, 0},
    {"{\"level\":\"error\",\"msg\":\"", "\",\"code\":14}", 1, 0},
    {"{\"log\":\"{\\\"msg\\\":\\\"", "\\\"}\",\"stream\":\"stderr\"}", 2, 0},
    {"2026-11-28T10:00:00.000Z app-7c9 shop: calling the cart of a customer failed: ", "",
     0, 100},
};

static const char *const names[] = {"app.example.com:443", "xdstp://a.example/b/c?x=1",
                                    "outbound|80||cart.shop.svc.cluster.local", "c_1"};

struct sum {
    size_t asked, named, right;
};

static void put(char *out, size_t size, size_t *n, char c)
{
    if (*n + 1 < size)
        out[(*n)++] = c;
}

/* A text with its holes filled, in a frame. */
static void fill(const struct frame *frame, const char *text, size_t variant, char *out,
                 size_t size)
{
    size_t n = (size_t)snprintf(out, size, "%s", frame->before);
    const char *const more[] = {"7", "some of it", "\"x\" (y)", "dns:///a"};

    while (*text != '\0') {
        const bool name = strncmp(text, "{1}", 3) == 0;
        char one[] = {*text, '\0'};
        const char *piece = name           ? names[variant % XDS_ARRAY_LEN(names)]
                            : *text == '*' ? more[variant % XDS_ARRAY_LEN(more)]
                                           : one;

        for (; *piece != '\0'; piece++) {
            for (unsigned i = 0;
                 (*piece == '"' || *piece == '\\') && i < (1u << frame->quotes) - 1; i++)
                put(out, size, &n, '\\');
            if (frame->wraps > 0 && n == frame->wraps)
                put(out, size, &n, '\n');
            put(out, size, &n, *piece);
        }
        text += name ? 3 : 1;
    }
    (void)snprintf(out + n, size - n, "%s", frame->after);
}

/* The same words may be those of two reasons: node has one text for both. */
static bool is_worded(enum xds_failure failure, const char *text)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(statuses); i++)
        if (statuses[i].failure == failure && strcmp(statuses[i].text, text) == 0)
            return true;
    return false;
}

static bool is_of(const char *text, const struct xds_rule *rule)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(rules); i++)
        if (strcmp(rules[i].text, text) == 0 && strcmp(rules[i].id, rule->id) == 0)
            return true;
    return false;
}

static struct xds_log *read_log(const char *text)
{
    struct xds_log *log;

    cr_assert_eq(xds_log_read(xds_slice_of(text), &log), XDS_OK);
    return log;
}

/* Everything that is named counts, so that a second, wrong answer is an error. */
static void count_status(const char *log_text, const struct status_row *row,
                         struct sum *sum)
{
    struct xds_log *log = read_log(log_text);
    bool right = false, named = false;

    for (size_t i = 0; i < log->n_statuses; i++) {
        const enum xds_failure failure =
            (enum xds_failure)(log->statuses[i].failure - xds_failure_row(0));

        named = true;
        right |= is_worded(failure, row->text);
    }
    for (size_t i = 0; i < log->n; i++)
        named |= log->errors[i].n_matches > 0 || log->errors[i].nearest;
    sum->asked++;
    sum->named += named;
    sum->right += right;
    if (named && !right && getenv("MEASURE"))
        fprintf(stderr, "wrong: %s\n", log_text);
    if (!named && getenv("MEASURE"))
        fprintf(stderr, "silent: %s\n", log_text);
    xds_log_free(log);
}

static void count_rule(const char *log_text, const char *text, struct sum *sum)
{
    struct xds_log *log = read_log(log_text);
    bool right = false, named = log->n_statuses > 0;

    for (size_t i = 0; i < log->n; i++) {
        named |= log->errors[i].n_matches > 0 || log->errors[i].nearest;
        for (size_t k = 0; k < log->errors[i].n_matches; k++)
            right |= is_of(text, log->errors[i].matches[k].rule);
        right |= log->errors[i].nearest && is_of(text, log->errors[i].nearest);
    }
    sum->asked++;
    sum->named += named;
    sum->right += right;
    xds_log_free(log);
}

Test(log_measure, status_texts_in_logs_are_named_right, .timeout = 300)
{
    struct sum sum = {0};
    char text[4096];

    for (size_t i = 0; i < XDS_ARRAY_LEN(statuses); i++)
        for (size_t k = 0; k < XDS_ARRAY_LEN(frames); k++) {
            fill(&frames[k], statuses[i].text, i + k, text, sizeof text);
            count_status(text, &statuses[i], &sum);
        }
    if (getenv("MEASURE"))
        fprintf(stderr, "statuses: %zu asked, %zu named, %zu right\n", sum.asked,
                sum.named, sum.right);
    cr_expect_geq(10 * sum.right, 9 * sum.named, "%zu of %zu", sum.right, sum.named);
    cr_expect_geq(10 * sum.right, 9 * sum.asked, "%zu of %zu", sum.right, sum.asked);
}

/* go, java and node word it in a line; C-core's fields have tests of their own. */
Test(log_measure, nack_texts_in_logs_are_named_right, .timeout = 300)
{
    struct sum sum = {0};
    char text[4096];

    for (size_t i = 0; i < XDS_ARRAY_LEN(rules); i++)
        for (size_t k = 0; k < XDS_ARRAY_LEN(frames); k++) {
            fill(&frames[k], rules[i].text, i + k, text, sizeof text);
            count_rule(text, rules[i].text, &sum);
        }
    if (getenv("MEASURE"))
        fprintf(stderr, "nacks: %zu asked, %zu named, %zu right\n", sum.asked, sum.named,
                sum.right);
    cr_expect_geq(10 * sum.right, 9 * sum.named, "%zu of %zu", sum.right, sum.named);
}

Test(log_measure, ordinary_lines_are_silent)
{
    FILE *file = fopen("testdata/logs/ordinary.log", "r");
    char line[2048];
    size_t n = 0, named = 0;

    cr_assert(file);
    for (; fgets(line, sizeof line, file); n++) {
        line[strcspn(line, "\n")] = '\0';
        struct xds_log *log = read_log(line);
        bool is_named = log->n_statuses > 0;

        for (size_t i = 0; i < log->n; i++)
            is_named |= log->errors[i].n_matches > 0 || log->errors[i].nearest;
        named += is_named;
        if (is_named && getenv("MEASURE"))
            fprintf(stderr, "named: %s\n", line);
        xds_log_free(log);
    }
    (void)fclose(file);
    cr_expect_eq(n, 300);
    cr_expect_eq(named, 0, "%zu of %zu", named, n);
}
