/*
 * validation_errors.h - the errors that the parser of a config reports together, as one
 * message of the resource that holds the config.
 */
#ifndef XDS_RULES_VALIDATION_ERRORS_H
#define XDS_RULES_VALIDATION_ERRORS_H

#include "base/limits.h"
#include "rules/ctx.h"

/* C-core keeps so many of one field. */
#define XDS_ERRORS_PER_FIELD 20

struct xds_validation_error {
    struct xds_slice field, message;
};

struct xds_validation_errors {
    struct xds_arena *arena;
    struct xds_validation_error list[XDS_MAX_ERRORS_PER_MESSAGE];
    size_t n;           /* all of them, also those for which the list has no room */
    unsigned refuse_it; /* the clients that reject one of them */
};

void xds_validation_errors_init(struct xds_validation_errors *errors,
                                struct xds_arena *arena);
/* at: the path within the config, in names of its JSON form. A caller adds at most
 * XDS_ERRORS_PER_FIELD errors to one field. */
void xds_validation_error(struct xds_validation_errors *errors, unsigned clients,
                          const struct xds_path *at, const char *format, ...)
    XDS_PRINTF(4, 5);
/* "HEADLINE: [field:PATH error:MSG; field:PATH errors:[A; B]]" in byte order of paths and
 * messages, NUL-terminated. Puts the list into that order. */
struct xds_slice xds_validation_errors_text(struct xds_validation_errors *errors,
                                            const char *headline);

#endif
