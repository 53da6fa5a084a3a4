/*
 * signals.c - a signal ends the program, and removes what is half-made.
 *
 * The handler does only what POSIX allows in one: unlink(), rmdir(), sigaction(),
 * raise(), _exit(). Threads of the library block all signals, so it runs on the one
 * thread that writes files.
 */
#include "cli/files/signals.h"

#include <stdbool.h>
#include <unistd.h>

enum { MOST_UNFINISHED = 32, NOTHING_LEFT = 128, STACK_BYTES = 64 << 10 };

static const char *volatile unfinished[MOST_UNFINISHED];

/* Whose default is the end, and that do not come of a fault of ours. */
static const int ending[] = {
    SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE, SIGALRM,   SIGTERM,
    SIGUSR1, SIGUSR2, SIGXCPU, SIGPROF, SIGVTALRM,
};

/* Faults; a sanitizer has handlers of its own for them. */
static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS};

/* Folders after what is in them. */
static void remove_unfinished(void)
{
    for (size_t i = 0; i < MOST_UNFINISHED; i++)
        if (unfinished[i])
            (void)unlink(unfinished[i]);
    for (size_t i = 0; i < MOST_UNFINISHED; i++)
        if (unfinished[i])
            (void)rmdir(unfinished[i]);
}

void signals_end(int number)
{
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigset_t this;

    remove_unfinished();
    (void)sigemptyset(&this);
    (void)sigaddset(&this, number);
    (void)sigaction(number, &usual, NULL);
    (void)sigprocmask(SIG_UNBLOCK, &this, NULL);
    (void)raise(number);
    _exit(NOTHING_LEFT + number); /* process 1: the kernel has dropped it */
}

static void handle(int number, int flags)
{
    struct sigaction action = {.sa_handler = signals_end, .sa_flags = flags}, old;

    (void)sigfillset(&action.sa_mask);
    if (sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
        (void)sigaction(number, &action, NULL);
}

static void handle_all(void)
{
    /* For the handler of a stack that is used up. */
    static char stack[STACK_BYTES];
    static bool handled;
    const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};

    if (handled)
        return;
    handled = true;
    (void)sigaltstack(&other, NULL);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        handle(ending[i], SA_RESTART);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        handle(faults[i], SA_ONSTACK);
}

void signals_begin(void)
{
    if (getpid() == 1)
        handle_all();
}

void signals_block(sigset_t *before)
{
    sigset_t all;

    (void)sigfillset(&all);
    (void)sigprocmask(SIG_SETMASK, &all, before);
}

void signals_restore(const sigset_t *before)
{
    (void)sigprocmask(SIG_SETMASK, before, NULL);
}

static void change(const char *from, const char *to)
{
    for (size_t i = 0; i < MOST_UNFINISHED; i++)
        if (unfinished[i] == from) {
            unfinished[i] = to;
            return;
        }
}

void signals_note_unfinished(const char *path)
{
    handle_all();
    change(NULL, path);
}

void signals_forget_unfinished(const char *path)
{
    change(path, NULL);
}
