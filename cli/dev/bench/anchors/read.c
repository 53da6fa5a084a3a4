/*
 * read.c - read a file and forget it: the anchor below all others.
 */
#include <fcntl.h>
#include <unistd.h>

enum { READ_SIZE = 1 << 20 };

int main(int argc, char **argv)
{
    static char room[READ_SIZE];
    const int file = argc == 2 ? open(argv[1], O_RDONLY) : -1;
    ssize_t n;

    do {
        n = read(file, room, sizeof room);
    } while (n > 0);
    return n < 0 ? 3 : 0;
}
