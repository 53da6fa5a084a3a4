/* snapshot_test.c - a snapshot over updates: what is replaced, what goes. */
#include <criterion/criterion.h>

#include "model/snapshot.h"

struct fixture {
    struct xds_arena arena;
    struct xds_snapshot snapshot;
};

static void prepare(struct fixture *w)
{
    xds_arena_init(&w->arena, 0);
    xds_snapshot_init(&w->snapshot, &w->arena);
}

static void put(struct fixture *w, const char *name, const void *model)
{
    xds_snapshot_put(&w->snapshot,
                     &(struct xds_snapshot_entry){.name = xds_slice_of(name),
                                                  .type = XDS_TYPE_CLUSTER,
                                                  .model = model});
}

/* "a,b,": the names in order. */
static const char *names(struct fixture *w)
{
    struct xds_slice out = XDS_S("");

    for (const struct xds_snapshot_entry *e = w->snapshot.first[XDS_TYPE_CLUSTER]; e;
         e = e->next)
        out = xds_arena_printf(&w->arena, "%.*s%.*s,", XDS_FMT(out), XDS_FMT(e->name));
    return out.data;
}

Test(snapshot, a_resource_that_comes_again_takes_its_old_place)
{
    static const int first, second;
    struct fixture w;

    prepare(&w);
    put(&w, "a", &first);
    put(&w, "b", &first);
    put(&w, "a", &second);
    cr_expect_str_eq(names(&w), "a,b,");
    cr_expect_eq(xds_snapshot_find(&w.snapshot, XDS_TYPE_CLUSTER, XDS_S("a"))->model,
                 &second);
    xds_arena_release(&w.arena);
}

Test(snapshot, a_resource_that_goes_leaves_no_hole)
{
    static const char *const expected[] = {"b,c,d,", "a,c,d,", "a,b,c,"};
    static const char *const gone[] = {"a", "b", "d"};

    for (size_t i = 0; i < XDS_ARRAY_LEN(gone); i++) {
        struct fixture w;

        prepare(&w);
        put(&w, "a", NULL);
        put(&w, "b", NULL);
        put(&w, "c", NULL);
        put(&w, "d", NULL);
        cr_expect(
            xds_snapshot_remove(&w.snapshot, XDS_TYPE_CLUSTER, xds_slice_of(gone[i])));
        cr_expect_str_eq(names(&w), expected[i]);
        cr_expect_not(
            xds_snapshot_remove(&w.snapshot, XDS_TYPE_CLUSTER, xds_slice_of(gone[i])));
        put(&w, "e", NULL);
        cr_expect_eq(w.snapshot.last[XDS_TYPE_CLUSTER]->name.data[0], 'e');
        xds_arena_release(&w.arena);
    }
}
