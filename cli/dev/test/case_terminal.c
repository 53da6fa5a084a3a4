/*
 * case_terminal.c - a terminal of so many columns, for a case that asks for one.
 *
 * Lines end as the program writes them: the terminal adds no carriage return.
 */
#include "cli/dev/test/case_terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static bool set_up(int fd, unsigned short columns)
{
    const struct winsize size = {.ws_row = 24, .ws_col = columns};
    struct termios modes;

    if (tcgetattr(fd, &modes) != 0)
        return false;
    modes.c_oflag &= ~(tcflag_t)OPOST;
    return tcsetattr(fd, TCSANOW, &modes) == 0 && ioctl(fd, TIOCSWINSZ, &size) == 0;
}

static void shut(int *fd)
{
    if (*fd >= 0)
        (void)close(*fd);
    *fd = -1;
}

bool case_terminal_open(struct case_terminal *terminal, unsigned short columns)
{
    const char *name;

    *terminal = (struct case_terminal){posix_openpt(O_RDWR | O_NOCTTY), -1};
    if (terminal->ours >= 0 && grantpt(terminal->ours) == 0 &&
        unlockpt(terminal->ours) == 0 && (name = ptsname(terminal->ours)))
        terminal->theirs = open(name, O_RDWR | O_NOCTTY);
    if (terminal->theirs >= 0 && set_up(terminal->theirs, columns))
        return true;
    shut(&terminal->ours);
    shut(&terminal->theirs);
    return false;
}

bool case_terminal_read(struct case_terminal *terminal, const char *path)
{
    FILE *file = fopen(path, "wb");
    char buffer[4096];
    ssize_t n = 0;
    bool ok = file != NULL;

    /* The program alone has it open now: when it ends, reading does. */
    shut(&terminal->theirs);
    while (ok && ((n = read(terminal->ours, buffer, sizeof buffer)) > 0 ||
                  (n < 0 && errno == EINTR)))
        ok = n < 0 || fwrite(buffer, 1, (size_t)n, file) == (size_t)n;
    shut(&terminal->ours);
    return file && fclose(file) == 0 && ok && (n == 0 || errno == EIO);
}
