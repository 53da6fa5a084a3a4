/*
 * log_path.c - the paths of log lines as steps that can be compared.
 *
 * Source: spec listener 0.3, spec cluster 0.3.
 */
#include "catalogue/log_path.h"

/* Where the subscript that begins s ends: at the bracket after which the path continues,
 * since a map key may hold brackets itself. */
static size_t subscript_len(struct xds_slice s)
{
    for (size_t i = 1; i < s.len; i++)
        if (s.data[i] == ']' &&
            (i + 1 == s.len || s.data[i + 1] == '.' || s.data[i + 1] == '['))
            return i + 1;
    return s.len;
}

static struct xds_slice last_part(struct xds_slice type)
{
    size_t from = type.len;

    while (from > 0 && type.data[from - 1] != '.' && type.data[from - 1] != '/')
        from--;
    return xds_slice_from(type, from);
}

/* The first step of *rest, which moves after it and after its dot. */
static struct xds_log_step take_step(struct xds_slice *rest)
{
    struct xds_log_step step = {.name = *rest};
    size_t len = 0;

    while (len < rest->len && rest->data[len] != '.' && rest->data[len] != '[')
        len++;
    step.name.len = len;
    *rest = xds_slice_from(*rest, len);
    if (rest->len > 0 && rest->data[0] == '[') {
        const size_t n = subscript_len(*rest);

        step.subscript = true;
        if (xds_slice_is(step.name, "value") && n > 2)
            step.type = last_part(xds_slice_make(rest->data + 1, n - 2));
        *rest = xds_slice_from(*rest, n);
    }
    if (rest->len > 0 && rest->data[0] == '.')
        *rest = xds_slice_from(*rest, 1);
    return step;
}

/* "value[TypedStruct].value[T]" is where T came as JSON: the same place as "value[T]". */
static void add_step(struct xds_log_path *out, struct xds_log_step step)
{
    if (step.type.data && out->n > 0 &&
        xds_slice_is(out->step[out->n - 1].type, "TypedStruct"))
        out->n--;
    out->step[out->n++] = step;
}

void xds_log_path_read(struct xds_log_path *out, const char *root, struct xds_slice text)
{
    out->n = 0;
    if (*root != '\0')
        out->step[out->n++] = (struct xds_log_step){.name = xds_slice_of(root)};
    while (text.len > 0 && out->n < XDS_LOG_STEPS)
        add_step(out, take_step(&text));
    if (text.len > 0)
        out->n = 0;
}

static bool same_step(const struct xds_log_step *step, const struct xds_log_step *pattern)
{
    return xds_slice_eq(step->name, pattern->name) &&
           step->subscript == pattern->subscript &&
           (xds_slice_is(pattern->type, "*") || xds_slice_eq(step->type, pattern->type));
}

bool xds_log_path_ends(const struct xds_log_path *path, const char *pattern)
{
    struct xds_log_path wanted;

    xds_log_path_read(&wanted, "", xds_slice_of(pattern));
    for (size_t i = 1; i <= wanted.n && i <= path->n; i++)
        if (!same_step(&path->step[path->n - i], &wanted.step[wanted.n - i]))
            return false;
    return wanted.n == 0 || path->n > 0;
}
