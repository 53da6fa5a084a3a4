/* show.h - what other commands ask of xdscope show. */
#ifndef XDS_CLI_SHOW_H
#define XDS_CLI_SHOW_H

#include "cli/options/common.h"

/* The names in a snapshot, one a line, of the types of a mask of 1 << XDS_TYPE_....
 * paths: files and folders, read as show does, with messages and exit status of it. */
int show_names(char **paths, size_t n, unsigned types, FILE *to);

#endif
