/* atoms.c - paths as the steps that a text shows. */
#include "decode/atoms.h"

static bool is_written(const struct xds_path *step)
{
    return step->kind != XDS_STEP_VALUE && step->seen != XDS_STEP_SAID;
}

static size_t count_atoms(struct xds_steps steps)
{
    struct xds_path step;
    size_t n = 0;

    while (xds_steps_next(&steps, &step)) {
        if (!is_written(&step))
            continue;
        for (const char *c = step.field; *c; c++)
            n += *c == '.';
        n += step.kind == XDS_STEP_FIELD ? 1 : 2;
    }
    return n;
}

/* An item of the outermost list has no field. */
static struct xds_atom *split_field(struct xds_atom *out, const char *field)
{
    struct xds_slice rest = xds_slice_of(field);

    while (rest.data && rest.len > 0) {
        struct xds_slice name;

        rest = xds_slice_cut(rest, '.', &name);
        *out++ = (struct xds_atom){.name = name};
    }
    return out;
}

struct xds_atom *xds_atoms_of(struct xds_arena *arena, struct xds_steps steps, size_t *n)
{
    struct xds_atom *atoms =
        XDS_NEW_ARRAY(arena, struct xds_atom, count_atoms(steps) + 1);
    struct xds_atom *end = atoms;
    struct xds_path step;

    while (xds_steps_next(&steps, &step)) {
        if (!is_written(&step))
            continue;
        end = split_field(end, step.field);
        if (step.kind == XDS_STEP_INDEX)
            *end++ = (struct xds_atom){.index = step.index};
        else if (step.kind == XDS_STEP_KEY)
            *end++ = (struct xds_atom){.name = step.key, .is_key = true};
    }
    *n = (size_t)(end - atoms);
    return atoms;
}

int xds_atoms_cmp(const struct xds_atom *a, const struct xds_atom *b)
{
    if (!a->name.data != !b->name.data)
        return a->name.data ? 1 : -1;
    if (!a->name.data)
        return (a->index > b->index) - (a->index < b->index);
    if (a->name.data == b->name.data && a->name.len == b->name.len)
        return 0; /* mostly, of paths: both are of one literal */
    return xds_slice_cmp(a->name, b->name);
}
