/* main.c - unpack a text case: its input files in a folder, to run the program by hand.
 */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/dev/test/case.h"

static int unpack(const char *path, const char *folder)
{
    struct case_file c;

    if (!case_read(path, &c))
        return 1;
    (void)mkdir(folder, 0777); /* chdir() reports what is wrong */
    const bool ok = chdir(folder) == 0 && case_write_files(&c);

    if (ok)
        fputs(case_find(&c, "args")->text, stdout);
    else
        perror(folder);
    case_release(&c);
    return !ok;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: unpack CASE FOLDER\n");
        return 2;
    }
    return unpack(argv[1], argv[2]);
}
