/* format.h - the formats that resources are written in, as options and files name them.
 */
#ifndef XDS_CLI_FORMAT_H
#define XDS_CLI_FORMAT_H

#include "cli/options/common.h"

/* "json" and the like, by enum xds_format; up to NULL. */
extern const char *const format_words[];

/* False after a message. */
bool format_of_name(const struct command *command, const char *name,
                    enum xds_format *format);
/* Of a path, which may be NULL. False: the ending says nothing. */
bool format_of_ending(const char *path, enum xds_format *format);

#endif
