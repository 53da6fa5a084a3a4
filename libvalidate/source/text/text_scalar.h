/* text_scalar.h - what is inside of text proto's strings and numbers. */
#ifndef XDS_SOURCE_TEXT_TEXT_SCALAR_H
#define XDS_SOURCE_TEXT_TEXT_SCALAR_H

#include "base/arena.h"

/* The bytes that are between the quotes of a literal, without escapes, into out, which
 * needs room for text.len. Returns their number; *fault is the offset of an escape that
 * is none, or text.len. */
size_t xds_text_unescape(struct xds_slice text, char *out, size_t *fault);
/* A number without its sign in the form that decode/ reads: hexadecimal and octal ones as
 * decimal, an "f" after it dropped. Text in arena or in the literal; false when it is no
 * number of the text format. */
bool xds_text_number(struct xds_slice literal, struct xds_arena *arena,
                     struct xds_slice *out);

#endif
