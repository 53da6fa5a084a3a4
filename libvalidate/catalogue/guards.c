/* guards.c - the environment variables that switch a rule, by the rows that it cites. */
#include "catalogue/guards.h"

#include "base/ascii.h"
#include "clients/environment.h"

#include <limits.h>

/* Rows from..to of a section: "RB" has RB1, RB2, ...; "1.9" has 1.9/1, 1.9/2, ... */
struct guard {
    struct xds_slice section;
    unsigned from, to;
};

/* The number that ends a row: "RB12", "1.9/3", "H4b". 0 when it has none. */
static unsigned number_of(struct xds_slice row)
{
    unsigned number = 0;

    for (size_t i = 0; i < row.len && xds_ascii_digit(row.data[i]) && i < 4; i++)
        number = number * 10 + (unsigned)(row.data[i] - '0');
    return number;
}

/* What is left of "1.14/4-7" or "G62" after its section: "4-7", "62"; all rows: "". */
static struct xds_slice numbers_of(struct xds_slice rows, struct xds_slice *section)
{
    size_t end = 0;

    if (rows.len > 0 && xds_ascii_digit(rows.data[0]))
        return xds_slice_cut(rows, '/', section);
    while (end < rows.len && !xds_ascii_digit(rows.data[end]))
        end++;
    *section = (struct xds_slice){rows.data, end};
    return xds_slice_from(rows, end);
}

static struct guard guard_of(struct xds_slice rows)
{
    struct guard guard = {.from = 1, .to = UINT_MAX};
    struct xds_slice first;
    const struct xds_slice numbers = numbers_of(rows, &guard.section);

    if (numbers.len == 0)
        return guard;
    const struct xds_slice last = xds_slice_cut(numbers, '-', &first);

    guard.from = number_of(first);
    guard.to = last.data ? number_of(last) : guard.from;
    return guard;
}

static bool is_row_of(struct xds_slice row, const struct guard *guard)
{
    if (!xds_slice_starts(row, guard->section))
        return false;
    row = xds_slice_from(row, guard->section.len);
    if (row.len > 0 && row.data[0] == '/')
        row = xds_slice_from(row, 1);
    else if (xds_ascii_digit(guard->section.data[0]))
        return false;
    const unsigned number = number_of(row);

    return number >= guard->from && number <= guard->to;
}

/* The rows are the last words of the parts of a source: "gRFC A50, spec cluster 1.9/2".
 */
static bool cites_row_of(const char *source, const struct guard *guard)
{
    struct xds_slice rest = xds_slice_of(source), part;

    while (rest.data) {
        rest = xds_slice_cut(rest, ',', &part);
        for (size_t i = part.len; i-- > 0;) {
            if (part.data[i] != ' ')
                continue;
            part = xds_slice_from(part, i + 1);
            break;
        }
        if (is_row_of(part, guard))
            return true;
    }
    return false;
}

static bool cites_row_guarded(const char *source, enum xds_env env)
{
    struct xds_slice rest = xds_slice_of(xds_env_row(env)->guards), rows;

    while (rest.len > 0) {
        rest = xds_slice_cut(rest, ',', &rows);
        const struct guard guard = guard_of(xds_slice_trim(rows));

        if (cites_row_of(source, &guard))
            return true;
    }
    return false;
}

bool xds_rule_guard(const struct xds_rule *rule, size_t *i, enum xds_env *env)
{
    while (*i < XDS_ENVS) {
        *env = (enum xds_env)(*i)++;
        if (cites_row_guarded(rule->source, *env))
            return true;
    }
    return false;
}
