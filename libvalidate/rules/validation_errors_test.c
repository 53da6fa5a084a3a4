/* validation_errors_test.c - the text that faults make together. */
#include <criterion/criterion.h>

#include "rules/validation_errors.h"

struct fixture {
    struct xds_arena arena;
    struct xds_validation_errors errors;
};

static void start(struct fixture *f)
{
    xds_arena_init(&f->arena, 0);
    xds_validation_errors_init(&f->errors, &f->arena);
}

static const char *text(struct fixture *f)
{
    return xds_validation_errors_text(&f->errors, "errors").data;
}

Test(validation_errors, fields_and_messages_come_in_byte_order_and_once)
{
    struct fixture f;

    start(&f);
    xds_validation_error(&f.errors, XDS_GO, XDS_AT(NULL, "b"), "2");
    xds_validation_error(&f.errors, XDS_GO, XDS_AT_I(NULL, "a", 10), "x");
    xds_validation_error(&f.errors, XDS_GO, XDS_AT_I(NULL, "a", 9), "x");
    xds_validation_error(&f.errors, XDS_CORE, XDS_AT(NULL, "b"), "1");
    xds_validation_error(&f.errors, XDS_CORE, XDS_AT(NULL, "b"), "2");
    xds_validation_error(&f.errors, XDS_CORE, XDS_AT_I(NULL, "a", 9), "x");
    cr_expect_str_eq(text(&f), "errors: [field:a[10] error:x; field:a[9] error:x; "
                               "field:b errors:[1; 2]]");
    cr_expect_eq(f.errors.refuse_it, XDS_GO | XDS_CORE);
    xds_arena_release(&f.arena);
}

Test(validation_errors, the_config_itself_has_an_empty_path)
{
    struct fixture f;

    start(&f);
    xds_validation_error(&f.errors, XDS_GO, NULL, "no object");
    cr_expect_str_eq(text(&f), "errors: [field: error:no object]");
    xds_arena_release(&f.arena);
}

/* limit: XDS_MAX_ERRORS_PER_MESSAGE */
Test(validation_errors, what_finds_no_room_is_counted)
{
    struct fixture f;

    start(&f);
    for (size_t i = 0; i < XDS_MAX_ERRORS_PER_MESSAGE + 2; i++)
        xds_validation_error(&f.errors,
                             i < XDS_MAX_ERRORS_PER_MESSAGE ? XDS_GO : XDS_CORE,
                             XDS_AT(NULL, "a"), "x");
    cr_expect_str_eq(text(&f), "errors: [field:a error:x; and 2 more]");
    cr_expect_eq(f.errors.refuse_it, XDS_GO | XDS_CORE);
    xds_arena_release(&f.arena);
}
