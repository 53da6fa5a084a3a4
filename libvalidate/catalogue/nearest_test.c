/* nearest_test.c - the nearest rule of a text that is not known: right, or none. */
#include <criterion/criterion.h>
#include <string.h>

#include "catalogue/log.h"

static const struct row {
    const char *id, *text;
} rows[] = {
#define XDS_LOG(id, clients, path, message) {#id, message},
#include "catalogue/log_rows.def"
};

static const char *const statuses[] = {
#define XDS_STATUS_TEXT(id, code, a, b, c, d, how, text) text,
#define XDS_STATUS_LINE(id, client, text) text,
#include "catalogue/status_rows.def"
};

/* A wording may be that of several rules. */
static bool is_of(const char *text, const struct xds_rule *rule)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++)
        if (strcmp(rows[i].text, text) == 0 && strcmp(rows[i].id, rule->id) == 0)
            return true;
    return false;
}

/* A wording that a log has cut off after part of it, in eighths. */
static struct xds_slice cut(const char *text, size_t eighths, char *out, size_t size)
{
    size_t n = 0;

    for (; *text != '\0' && n + 1 < size; text += *text == '\0' ? 0 : 1)
        out[n++] = *text == '*' ? 'x' : *text;
    return xds_slice_make(out, n * eighths / 8);
}

Test(nearest, nine_of_ten_are_right)
{
    size_t named = 0, right = 0;
    char text[1024];

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++)
        for (size_t eighths = 4; eighths < 8; eighths++) {
            const struct xds_rule *rule =
                xds_log_nearest(cut(rows[i].text, eighths, text, sizeof text));

            named += rule != NULL;
            right += rule && is_of(rows[i].text, rule);
        }
    for (size_t i = 0; i < XDS_ARRAY_LEN(statuses); i++)
        named += xds_log_nearest(xds_slice_of(statuses[i])) != NULL;
    cr_expect_geq(10 * right, 9 * named, "%zu of %zu", right, named);
    cr_expect_gt(right, 400, "%zu of %zu", right, named);
}
