/* atoms.h - paths as the steps that a text shows. */
#ifndef XDS_DECODE_ATOMS_H
#define XDS_DECODE_ATOMS_H

#include "base/path.h"

/* One step of a path as JSON spells it: a member, or an item of a list. Steps into an
 * Any (".value[T]") do not show in JSON and are left out, and so are steps that are only
 * said. */
struct xds_atom {
    struct xds_slice name; /* snake_case, or a map key; absent: a list item */
    size_t index;          /* of a name, in text proto: how many of them were met */
    bool is_key;           /* of a map */
};

/* The steps of a path, in arena; *n of them. Map keys are borrowed from it. */
struct xds_atom *xds_atoms_of(struct xds_arena *arena, struct xds_steps steps, size_t *n);
/* Items of lists come before names; negative, 0 or positive. */
int xds_atoms_cmp(const struct xds_atom *a, const struct xds_atom *b);

#endif
