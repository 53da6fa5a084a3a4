/* conf_test.c - which configuration file counts in folders below each other. */
#define _XOPEN_SOURCE 700
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/options/conf.h"

/* A test is a process of its own, so its working folder is too. */
static void enter_new_folder(void)
{
    static char folder[] = "/tmp/xdscope-conf-XXXXXX";

    cr_assert_not_null(mkdtemp(folder));
    cr_assert_eq(chdir(folder), 0);
    cr_assert_eq(mkdir("a", 0777), 0);
    cr_assert_eq(mkdir("a/b", 0777), 0);
    cr_assert_eq(setenv("XDG_CONFIG_HOME", "/nonexistent", 1), 0);
}

static void make(const char *path)
{
    FILE *file = fopen(path, "w");

    cr_assert_not_null(file);
    cr_assert_eq(fclose(file), 0);
}

static void expect(const char *path)
{
    char *found = conf_find();

    cr_expect_str_eq(found ? found : "(none)", path);
    free(found);
}

Test(conf, the_nearest_folder_above_counts)
{
    enter_new_folder();
    make("xdscope.conf");
    cr_assert_eq(chdir("a/b"), 0);
    expect("../../xdscope.conf");
    make("../xdscope.conf");
    expect("../xdscope.conf");
    make("xdscope.conf");
    expect("xdscope.conf");
    cr_assert_eq(chdir("../.."), 0);
    cr_assert_eq(system("rm -rf \"$PWD\""), 0);
}

Test(conf, a_folder_of_that_name_is_no_file)
{
    enter_new_folder();
    make("xdscope.conf");
    cr_assert_eq(chdir("a"), 0);
    cr_assert_eq(mkdir("xdscope.conf", 0777), 0);
    expect("../xdscope.conf");
    cr_assert_eq(chdir(".."), 0);
    cr_assert_eq(system("rm -rf \"$PWD\""), 0);
}

Test(conf, the_search_ends_at_the_root)
{
    cr_assert_eq(chdir("/"), 0);
    cr_assert_eq(setenv("XDG_CONFIG_HOME", "/nonexistent", 1), 0);
    if (access("/xdscope.conf", F_OK) != 0)
        expect("(none)");
}
