/* uri_test.c - targets and URIs as each client splits them. */
#include <criterion/criterion.h>

#include "rules/inner.h"

typedef bool (*reader)(struct xds_arena *arena, struct xds_slice text,
                       struct xds_uri *uri);

/* NULL: it is none. */
static void expect(reader read, const char *text, const char *scheme,
                   const char *authority, const char *path)
{
    struct xds_arena arena;
    struct xds_uri uri;

    xds_arena_init(&arena, 0);
    const bool good = read(&arena, xds_slice_of(text), &uri);

    cr_expect_eq(good, scheme != NULL, "%s", text);
    if (good && scheme) {
        cr_expect(xds_slice_is(uri.scheme, scheme), "%s: %.*s", text,
                  XDS_FMT(uri.scheme));
        cr_expect(xds_slice_is(uri.authority, authority), "%s: %.*s", text,
                  XDS_FMT(uri.authority));
        cr_expect(xds_slice_is(uri.path, path), "%s: %.*s", text, XDS_FMT(uri.path));
    }
    xds_arena_release(&arena);
}

Test(uri, java_has_the_grammar_of_java_net_uri)
{
    expect(xds_uri_java, "dns:///a", "dns", "", "/a");
    expect(xds_uri_java, "dns://h:53/a?q#f", "dns", "h:53", "/a");
    expect(xds_uri_java, "dns://u@[::1]:53/a", "dns", "u@[::1]:53", "/a");
    expect(xds_uri_java, "dns://[::1%25e]/a", "dns", "[::1%25e]", "/a");
    expect(xds_uri_java, "mailto:a@b", "mailto", "", "");
    expect(xds_uri_java, "mailto:a@b#f", "mailto", "", "");
    expect(xds_uri_java, "mailto:", NULL, "", "");
    expect(xds_uri_java, "mailto:a b", NULL, "", "");
    expect(xds_uri_java, "mailto:a#f g", NULL, "", "");
    expect(xds_uri_java, "1a:b", NULL, "", "");
    expect(xds_uri_java, "dns://", NULL, "", "");
    expect(xds_uri_java, "dns://[::1/a", NULL, "", "");
    expect(xds_uri_java, "dns://[::1]x/a", NULL, "", "");
    expect(xds_uri_java, "dns://[::1]:x/a", "dns", "[::1]:x", "/a");
    expect(xds_uri_java, "dns://[host]/a", NULL, "", "");
    expect(xds_uri_java, "dns://a b/c", NULL, "", "");
    expect(xds_uri_java, "dns:///a%2", NULL, "", "");
    expect(xds_uri_java, "dns:///a%2f", "dns", "", "/a/");
    expect(xds_uri_java, "dns:///a?b c", NULL, "", "");
    expect(xds_uri_java, "/a/b", "", "", "/a/b");
    expect(xds_uri_java, "//h/b", "", "h", "/b");
    expect(xds_uri_java, "", "", "", "");
}

Test(uri, go_has_that_of_net_url)
{
    expect(xds_uri_go, "dns:///a", "dns", "", "/a");
    expect(xds_uri_go, "dns://h:53/a?q#f", "dns", "h:53", "/a");
    expect(xds_uri_go, "dns://u@h/a", "dns", "u@h", "/a");
    expect(xds_uri_go, "dns://[::1]:53/a", "dns", "[::1]:53", "/a");
    expect(xds_uri_go, "dns://[::1%25e]/a", "dns", "[::1%25e]", "/a");
    expect(xds_uri_go, "dns://h%c3%a9/a", "dns", "h%c3%a9", "/a");
    expect(xds_uri_go, "dns://h%41/a", NULL, "", "");
    expect(xds_uri_go, "dns://[::1/a", NULL, "", "");
    expect(xds_uri_go, "dns://h:x/a", NULL, "", "");
    expect(xds_uri_go, "dns://h%zz/a", NULL, "", "");
    expect(xds_uri_go, "dns://a b/c", NULL, "", "");
    expect(xds_uri_go, "dns:///a#%zz", NULL, "", "");
    expect(xds_uri_go, "dns:///a%zz", NULL, "", "");
    expect(xds_uri_go, "1a:b", NULL, "", "");
    expect(xds_uri_go, ":b", NULL, "", "");
    expect(xds_uri_go, "a/b:c", "", "", "a/b:c");
    expect(xds_uri_go, "//h/b", "", "h", "/b");
    expect(xds_uri_go, "a%zz", NULL, "", "");
}

Test(uri, the_loose_grammar_takes_any_authority)
{
    expect(xds_uri_lax, "dns://h/a%20b?q#f", "dns", "h", "/a b");
    expect(xds_uri_lax, "dns:a", "dns", "", "a");
    expect(xds_uri_lax, "dns", NULL, "", "");
    expect(xds_uri_lax, "1:a", NULL, "", "");
    expect(xds_uri_lax, "dns:a?", NULL, "", "");
    expect(xds_uri_lax, "dns:a?b c", NULL, "", "");
    expect(xds_uri_lax, "dns:a#b c", NULL, "", "");
    expect(xds_uri_lax, "dns:a#b", "dns", "", "a");
}

static bool read_vscode(struct xds_arena *arena, struct xds_slice text,
                        struct xds_uri *uri)
{
    xds_uri_vscode(arena, text, uri);
    return true;
}

Test(uri, vscode_takes_every_text)
{
    expect(read_vscode, "dns://h/a?q", "dns", "h", "/a");
    expect(read_vscode, "a b", "", "", "a b");
    expect(read_vscode, "/a:b", "", "", "/a:b");
    expect(read_vscode, "//h/%zz", "", "h", "/%zz");
    expect(read_vscode, "//%68/a", "", "h", "/a");
}
