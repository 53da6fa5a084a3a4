/* config_test.h - small worlds for tests of generated configs: snapshots as text. */
#ifndef XDS_CONFIG_CONFIG_TEST_H
#define XDS_CONFIG_CONFIG_TEST_H

#include <criterion/criterion.h>

#include "check/check.h"
#include "generate/config.h"

struct test_config {
    struct xds_options options;
    struct xds_report *report;
    struct xds_source *source;
    struct xds_check *check;
    struct xds_generator *generator;
};

/* text stays where it is. */
static inline void test_config_open(struct test_config *t, enum xds_client client,
                                    const char *name, struct xds_slice text)
{
    struct xds_resource resource;

    xds_options_init(&t->options);
    t->options.clients = XDS_CLIENT_BIT(client);
    t->report = xds_report_new(&t->options);
    t->source = xds_source_new(t->report, XDS_TYPE_UNKNOWN);
    t->check = xds_check_new(t->report, true);
    cr_assert(t->report && t->source && t->check);
    cr_assert_eq(xds_source_add_bytes(t->source, name, text), XDS_OK);
    while (xds_source_next(t->source, &resource) == XDS_OK)
        cr_assert_eq(xds_check_resource(t->check, &resource), XDS_OK);
    t->generator = xds_generator_new(t->check, client);
    cr_assert_not_null(t->generator);
}

static inline void test_config_close(struct test_config *t)
{
    xds_generator_free(t->generator);
    xds_check_free(t->check);
    xds_source_free(t->source);
    xds_report_free(t->report);
}

/* Where printed text goes. */
struct test_text {
    char data[1 << 20];
    size_t len;
};

static inline bool test_text_write(void *user, const char *data, size_t len)
{
    struct test_text *text = user;

    if (len > sizeof text->data - text->len)
        return false;
    memcpy(text->data + text->len, data, len);
    text->len += len;
    return true;
}

/* The findings of --check on what -f json prints of the config. */
static inline size_t test_config_faults(const struct xds_config *config,
                                        enum xds_client client, struct test_text *text)
{
    const struct xds_printer to = {.write = test_text_write, .user = text};
    struct xds_options options;
    struct xds_report *report;
    size_t n;

    text->len = 0;
    cr_assert_eq(xds_print_config_json(&to, config), XDS_OK);
    xds_options_init(&options);
    report = xds_report_new(&options);
    cr_assert_not_null(report);
    cr_assert_eq(
        xds_check_config(report, client, "c", xds_slice_make(text->data, text->len)),
        XDS_OK);
    n = xds_report_findings(report);
    for (size_t i = 0; i < n; i++)
        cr_log_error("%.*s: %.*s", XDS_FMT(xds_report_finding(report, i)->path),
                     XDS_FMT(xds_report_finding(report, i)->message));
    xds_report_free(report);
    return n;
}

#endif
