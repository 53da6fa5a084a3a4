/*
 * format.h - vsnprintf() for formats that mostly put texts together.
 *
 * Messages and reasons are made by the hundred thousand, and of a printf() most of the
 * time goes into its stream and its locale.
 */
#ifndef XDS_BASE_FORMAT_H
#define XDS_BASE_FORMAT_H

#include <stdarg.h>
#include <stddef.h>

/* What vsnprintf() writes and gives, for every format. size: at least 1. */
__attribute__((format(printf, 3, 0))) int xds_vformat(char *out, size_t size,
                                                      const char *format, va_list args);

#endif
