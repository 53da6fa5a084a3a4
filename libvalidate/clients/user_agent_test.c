/* user_agent_test.c - which client and release a node says it is. */
#include <criterion/criterion.h>

#include "base/slice.h"
#include "clients/readers.h"

static void expect(const char *name, const char *version, const char *label)
{
    const struct xds_client_label got =
        xds_user_agent_label(xds_slice_of(name), xds_slice_of(version));

    cr_expect_str_eq(got.text, label, "%s, %s: %s", name, version, got.text);
}

Test(user_agent, each_client_names_its_release)
{
    expect("gRPC C-core linux Python", "C-core 58.0.0 Python 1.85.1", "core@1.85.1");
    expect("gRPC C-core linux", "C-core 44.1.1", "core@1.68.0");
    expect("gRPC Go", "1.64.1", "go@1.64.1");
    expect("gRPC Java", "1.52.1", "java@1.52.1");
    expect("gRPC Node Pure JS", "1.14.1", "node@1.14.1");
}

Test(user_agent, a_version_that_says_no_release_leaves_the_client)
{
    expect("gRPC C-core linux", "C-core 57.0.0", "core");
    expect("gRPC Go", "", "go");
    expect("gRPC Go", "devel", "go");
    expect("gRPC Go", "1", "go");
    expect("gRPC Go", "1.99999.0", "go");
    expect("gRPC Go", "1.64-dev", "go");
}

Test(user_agent, others_are_no_client)
{
    expect("envoy", "1.30.0", "");
    expect("", "", "");
}
