/* resources_test.c - updates of resources: what comes into force and what does not. */
#include <criterion/criterion.h>

#include "scenario/resources.h"

static struct xds_resources *resources;

static void open_resources(void)
{
    struct xds_options options;

    xds_options_init(&options);
    resources = xds_resources_new(&options, XDS_CLIENT_CORE);
    cr_assert_not_null(resources);
}

static void close_resources(void)
{
    xds_resources_free(resources);
}

TestSuite(resources, .init = open_resources, .fini = close_resources);

static struct xds_resource_changes add(const char *text)
{
    return xds_resources_add_text(resources, "update", xds_slice_of(text));
}

static const struct xds_cluster *cluster(const char *name)
{
    const struct xds_snapshot_entry *entry = xds_snapshot_find(
        xds_resources_snapshot(resources), XDS_TYPE_CLUSTER, xds_slice_of(name));

    return entry ? entry->model : NULL;
}

static void expect_service(const char *name, const char *service)
{
    const struct xds_cluster *c = cluster(name);

    cr_assert_not_null(c);
    if (c)
        cr_expect(xds_slice_is(c->eds_name, service), "%.*s", XDS_FMT(c->eds_name));
}

#define EDS(name, service)                                                               \
    "{\"clusters\":[{\"name\":\"" name "\",\"type\":\"EDS\",\"eds_cluster_config\":{"    \
    "\"service_name\":\"" service "\",\"eds_config\":{\"ads\":{}}}}]}"

Test(resources, an_update_replaces_what_has_the_same_name)
{
    cr_expect_not(add(EDS("a", "one")).list[0].replaced);
    cr_expect(add(EDS("a", "two")).list[0].replaced);
    expect_service("a", "two");
}

Test(resources, what_the_client_rejects_leaves_the_old_one_in_force)
{
    (void)add(EDS("a", "one"));
    const struct xds_resource_changes changes =
        add("{\"clusters\":[{\"name\":\"a\",\"type\":\"STATIC\"}]}");

    cr_assert_eq(changes.n, 1);
    cr_expect(changes.list[0].rejected);
    cr_expect_gt(changes.list[0].message.len, 0);
    expect_service("a", "one");
}

Test(resources, a_rejected_newcomer_is_known_as_such)
{
    (void)add("{\"clusters\":[{\"name\":\"a\",\"type\":\"STATIC\"}]}");
    const struct xds_snapshot_entry *entry = xds_snapshot_find(
        xds_resources_snapshot(resources), XDS_TYPE_CLUSTER, XDS_S("a"));

    cr_expect(entry && (entry->nacked_by & XDS_CORE));
}

Test(resources, text_that_cannot_be_read_changes_nothing)
{
    (void)add(EDS("a", "one"));
    cr_expect(add("{\"clusters\":[").error.data != NULL);
    cr_expect(xds_resources_add_path(resources, "/nowhere/at/all").error.data != NULL);
    cr_expect_not_null(cluster("a"));
}

Test(resources, what_is_removed_is_gone)
{
    (void)add(EDS("a", "one"));
    cr_expect(xds_resources_remove(resources, XDS_TYPE_CLUSTER, XDS_S("a")));
    cr_expect_null(cluster("a"));
    cr_expect_not(xds_resources_remove(resources, XDS_TYPE_CLUSTER, XDS_S("a")));
}
