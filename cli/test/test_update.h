/* test_update.h - xdscope test --update and --diff. */
#ifndef XDS_CLI_TEST_UPDATE_H
#define XDS_CLI_TEST_UPDATE_H

#include "cli/options/common.h"

struct test_update {
    const struct command *self;
    const struct common *common;
    const struct xds_suite_settings *wanted; /* of the run, with update */
    bool diff;                               /* print, and write nothing */
    FILE *out;                               /* what there is to say, or the diff */
};

/* Write what the run has found into its files. An exit code. */
int test_update(const struct test_update *call, const struct xds_suite_results *results);

#endif
