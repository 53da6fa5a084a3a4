/* fault.h - what is wrong with a file of tests, as findings of the suite's report. */
#ifndef XDS_SUITE_FAULT_H
#define XDS_SUITE_FAULT_H

#include "suite/suite.h"

/* At a value of the file in work, or at its key. Always false. */
bool xds_suite_fault(struct xds_suite *suite, enum xds_rule_id rule,
                     const struct xds_tree *at, const char *format, ...) XDS_PRINTF(4, 5);
bool xds_suite_key_fault(struct xds_suite *suite, enum xds_rule_id rule,
                         const struct xds_tree *member, const char *format, ...)
    XDS_PRINTF(4, 5);
/* A value that is not what its key asks for. */
bool xds_suite_wrong_value(struct xds_suite *suite, const struct xds_tree *at,
                           const char *format, ...) XDS_PRINTF(3, 4);
/* What is no file of tests. */
bool xds_suite_no_tests(struct xds_suite *suite, const struct xds_tree *at,
                        const char *format, ...) XDS_PRINTF(3, 4);
/* What is wrong with the case whose value this is. */
bool xds_suite_wrong_case(struct xds_suite *suite, const struct xds_tree *at,
                          const char *format, ...) XDS_PRINTF(3, 4);
/* False after a fault: the object has a key that is not among these. */
bool xds_suite_check_keys(struct xds_suite *suite, const struct xds_tree *object,
                          const char *what, const char *const *keys);

#endif
