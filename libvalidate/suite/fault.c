/*
 * fault.c - what is wrong with a file of tests, as findings of the suite's report.
 *
 * its callers.
 */
#include "suite/fault.h"

#include "scenario/keys.h"

/* Bytes of a message: texts of the input in it may be long. */
#define LONGEST 400

static void tell(struct xds_suite *suite, enum xds_rule_id rule, uint32_t line,
                 uint32_t column, const char *format, va_list args)
{
    const struct xds_place at = {suite->number, line, column, line, column + 1};
    const struct xds_slice text =
        xds_slice_clip(xds_arena_vprintf(&suite->case_arena, format, args), LONGEST);

    xds_report_at(suite->report, xds_rule_row(rule), XDS_NO_RESOURCE, at, "%.*s",
                  XDS_FMT(text));
}

bool xds_suite_fault(struct xds_suite *suite, enum xds_rule_id rule,
                     const struct xds_tree *at, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    tell(suite, rule, at->line, at->column, format, args);
    va_end(args);
    return false;
}

bool xds_suite_key_fault(struct xds_suite *suite, enum xds_rule_id rule,
                         const struct xds_tree *member, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    tell(suite, rule, member->key_line, member->key_column, format, args);
    va_end(args);
    return false;
}

bool xds_suite_wrong_value(struct xds_suite *suite, const struct xds_tree *at,
                           const char *format, ...)
{
    va_list args;

    va_start(args, format);
    tell(suite, XDS_R_TEST_VALUE, at->line, at->column, format, args);
    va_end(args);
    return false;
}

bool xds_suite_no_tests(struct xds_suite *suite, const struct xds_tree *at,
                        const char *format, ...)
{
    va_list args;

    va_start(args, format);
    tell(suite, XDS_R_TEST_DOCUMENT, at->line, at->column, format, args);
    va_end(args);
    return false;
}

bool xds_suite_wrong_case(struct xds_suite *suite, const struct xds_tree *at,
                          const char *format, ...)
{
    va_list args;

    va_start(args, format);
    tell(suite, XDS_R_TEST_CASE, at->line, at->column, format, args);
    va_end(args);
    return false;
}

bool xds_suite_check_keys(struct xds_suite *suite, const struct xds_tree *object,
                          const char *what, const char *const *keys)
{
    const struct xds_known_keys known = {what, keys, NULL};
    struct xds_slice fault;
    const struct xds_tree *wrong =
        xds_keys_find_fault(&suite->case_arena, object, &known, "", &fault);

    return !wrong ||
           xds_suite_key_fault(suite, XDS_R_TEST_KEY, wrong, "%.*s", XDS_FMT(fault));
}
