/* case.h - one case of a file of tests: its RPCs, and what comes of them. */
#ifndef XDS_SUITE_CASE_H
#define XDS_SUITE_CASE_H

#include "suite/suite.h"

/* Run it and add what came of it to suite->file. What is wrong with the case itself goes
 * to the report, and it is not run. */
void xds_suite_run_case(struct xds_suite *suite, const struct xds_tree *test);

#endif
