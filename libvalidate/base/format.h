/*
 * format.h - formats as printf() has them: one conversion at a time, and vsnprintf() for
 * formats that mostly put texts together.
 *
 * Messages and reasons are made by the hundred thousand, and of a printf() most of the
 * time goes into its stream and its locale.
 */
#ifndef XDS_BASE_FORMAT_H
#define XDS_BASE_FORMAT_H

#include <stdarg.h>

#include "base/digits.h"

/* What a conversion stands for. */
struct xds_conversion {
    struct xds_slice text; /* the caller's or in `room`; absent: a text of NULL, or of
                              a negative precision */
    bool is_number;
    char room[XDS_DIGITS];
};

/* Read what is after a '%' and its width: s, .*s, c, d, u, zu, lu or llu. Gives what
 * follows it; NULL: it is another one, and no argument was taken. */
const char *xds_format_next(const char *at, va_list *args, struct xds_conversion *out);

/* What vsnprintf() writes and gives, for every format. size: at least 1. */
__attribute__((format(printf, 3, 0))) int xds_vformat(char *out, size_t size,
                                                      const char *format, va_list args);

#endif
