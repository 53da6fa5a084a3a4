/*
 * validation_errors.c - the errors of a config as the one text of C-core's parser.
 *
 * Source: spec listener 0.3.
 */
#include "rules/validation_errors.h"

#include <stdlib.h>

#include "base/text.h"

void xds_validation_errors_init(struct xds_validation_errors *errors,
                                struct xds_arena *arena)
{
    *errors = (struct xds_validation_errors){.arena = arena};
}

void xds_validation_error(struct xds_validation_errors *errors, unsigned clients,
                          const struct xds_path *at, const char *format, ...)
{
    va_list args;

    errors->refuse_it |= clients;
    if (errors->n++ >= XDS_MAX_ERRORS_PER_MESSAGE)
        return;
    va_start(args, format);
    errors->list[errors->n - 1] = (struct xds_validation_error){
        .field = xds_path_render(errors->arena, at),
        .message = xds_arena_vprintf(errors->arena, format, args),
    };
    va_end(args);
}

/* A run of errors. */
struct run {
    const struct xds_validation_error *at;
    size_t n;
};

static void append_field(struct xds_text *text, struct run field)
{
    const bool many = !xds_slice_eq(field.at[0].message, field.at[field.n - 1].message);

    xds_text_printf(text, "field:%.*s %s%.*s", XDS_FMT(field.at[0].field),
                    many ? "errors:[" : "error:", XDS_FMT(field.at[0].message));
    /* Each message once: they are sorted, so repetitions are adjacent. */
    for (size_t i = 1; i < field.n; i++)
        if (!xds_slice_eq(field.at[i].message, field.at[i - 1].message))
            xds_text_printf(text, "; %.*s", XDS_FMT(field.at[i].message));
    if (many)
        xds_text_add(text, XDS_S("]"));
}

static int by_field_and_message(const void *left, const void *right)
{
    const struct xds_validation_error *a = left, *b = right;
    const int c = xds_slice_cmp(a->field, b->field);

    return c ? c : xds_slice_cmp(a->message, b->message);
}

struct xds_slice xds_validation_errors_text(struct xds_validation_errors *errors,
                                            const char *headline)
{
    struct xds_text text = {.arena = errors->arena};
    const size_t kept =
        errors->n < XDS_MAX_ERRORS_PER_MESSAGE ? errors->n : XDS_MAX_ERRORS_PER_MESSAGE;
    struct run rest = {errors->list, kept};

    qsort(errors->list, kept, sizeof errors->list[0], by_field_and_message);
    xds_text_add(&text, xds_slice_of(headline));
    for (const char *before = ": ["; rest.n > 0; before = "; ") {
        size_t n = 1;

        while (n < rest.n && xds_slice_eq(rest.at[n].field, rest.at[0].field))
            n++;

        const struct run field = {rest.at, n};

        xds_text_add(&text, xds_slice_of(before));
        append_field(&text, field);
        rest = (struct run){rest.at + field.n, rest.n - field.n};
    }
    if (errors->n > kept)
        xds_text_printf(&text, "; and %zu more", errors->n - kept);
    xds_text_add(&text, XDS_S("]"));
    return xds_slice_make(text.data, text.len);
}
