/*
 * xdscope.h - what gRPC clients make of an xDS snapshot: the public API.
 *
 * The calls of a lint, in order (cli/lint/cmd_lint.c makes the same ones):
 *
 *   xds_report_new, xds_source_new, xds_source_add ... then for each resource of
 *   xds_source_next: xds_check_resource (decode, rules, lint) ... then xds_report_sort
 *   and one of the xds_print_* functions.
 *
 * The declarations are in xdscope/, by what they are for; a program includes them all
 * with this file.
 *
 * The library never prints, exits, aborts or keeps global state. Sizes are bytes,
 * times are milliseconds, text is UTF-8 in slices that need no NUL. What a function
 * returns belongs to the object it came from unless its comment says otherwise.
 */
#ifndef XDSCOPE_H
#define XDSCOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "xdscope/ads.h"
#include "xdscope/bootstrap.h"
#include "xdscope/check.h"
#include "xdscope/common.h"
#include "xdscope/config.h"
#include "xdscope/convert.h"
#include "xdscope/diff.h"
#include "xdscope/document.h"
#include "xdscope/explain.h"
#include "xdscope/fix.h"
#include "xdscope/options.h"
#include "xdscope/print.h"
#include "xdscope/report.h"
#include "xdscope/rules.h"
#include "xdscope/secret.h"
#include "xdscope/server.h"
#include "xdscope/simulate.h"
#include "xdscope/spot.h"
#include "xdscope/suite.h"

#ifdef __cplusplus
}
#endif
#endif
