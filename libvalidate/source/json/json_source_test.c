/* json_source_test.c - tokens of JSON in a window that moves. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "source/json/json_source.h"

/* A member so long that the window has moved before the next one, a list in front of the
 * end of what is read at once, and some more after it. */
enum { LONG = 300000, LIST = 100000 };

static int write_document(void)
{
    FILE *file = tmpfile();

    cr_assert_not_null(file);
    fprintf(file, "{\"a\": \"%*s\", \"list\": [", LONG, "");
    for (int i = 0; i < LIST; i++)
        fputs("[1], ", file);
    fputs("2], \"behind\": 3}", file);
    fflush(file);
    const int fd = dup(fileno(file));
    fclose(file);
    cr_assert_eq(lseek(fd, 0, SEEK_SET), 0);
    return fd;
}

static void read_up_to_list(struct xds_reader *reader, struct xds_token *list)
{
    cr_assert(reader->ops->begin(reader));
    do
        reader->ops->next(reader, list);
    while (list->kind != XDS_TOKEN_ARRAY && list->kind != XDS_TOKEN_END);
    cr_assert_eq(list->kind, XDS_TOKEN_ARRAY);
}

static void look_ahead_and_skip(void *arg)
{
    struct xds_json *json = arg;
    struct xds_reader *reader = &json->reader;
    struct xds_token list, token;

    read_up_to_list(reader, &list);
    cr_expect(reader->ops->near_end(reader));
    reader->ops->mark(reader);
    cr_assert(reader->ops->skip(reader, &list));
    reader->ops->next(reader, &token);
    cr_expect(xds_slice_is(token.text, "behind"));
    reader->ops->rewind(reader);
    reader->ops->next(reader, &token);
    cr_expect_eq(token.kind, XDS_TOKEN_ARRAY);
    cr_expect_eq(token.begin, list.begin + 1);
}

Test(json_source, a_bracket_stays_in_the_window_while_what_follows_is_read)
{
    struct xds_arena scratch;
    struct xds_arena *const arenas[] = {&scratch};
    struct xds_buffer buffer = {.fd = -1};
    struct xds_json json;
    const int fd = write_document();

    xds_arena_init(&scratch, 0);
    xds_buffer_open(&buffer, fd, 0);
    xds_json_open(&json, &buffer, &scratch, false);
    cr_expect_eq(xds_arena_guard(arenas, 1, look_ahead_and_skip, &json), XDS_OK);
    xds_buffer_release(&buffer);
    xds_arena_release(&scratch);
    close(fd);
}
