/* signal.h - for Windows: Ctrl-C and the end; the others never come. */
#ifndef XDS_WINDOWS_SIGNAL_H
#define XDS_WINDOWS_SIGNAL_H

#include_next <signal.h>

#include <stddef.h>

#define SIGHUP 1
#define SIGQUIT 3
#define SIGBUS 7
#define SIGUSR1 10
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGXCPU 24
#define SIGXFSZ 25
#define SIGVTALRM 26
#define SIGPROF 27
#define SIGSYS 31

#define SA_RESTART 1
#define SA_ONSTACK 2
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2

typedef unsigned posix_sigset;
#define sigset_t posix_sigset
struct sigaction {
    void (*sa_handler)(int number);
    posix_sigset sa_mask;
    int sa_flags;
};
typedef struct {
    void *ss_sp;
    size_t ss_size;
} stack_t;

int posix_sigaction(int number, const struct sigaction *action, struct sigaction *old);
int posix_raise(int number);

#define sigaction(number, action, old) posix_sigaction(number, action, old)
#define signal(number, handler)                                                          \
    posix_sigaction(number, &(struct sigaction){.sa_handler = (handler)}, NULL)
#define raise posix_raise
#define sigemptyset(set) (*(set) = 0)
#define sigfillset(set) (*(set) = ~0u)
#define sigaddset(set, number) (*(set) |= 1u << (number))
#define sigprocmask(how, set, before) ((void)(set), (void)(before), 0)
#undef pthread_sigmask
#define pthread_sigmask(how, set, before) ((void)(set), (void)(before), 0)
#define sigaltstack(stack, before) ((void)(stack), 0)

#endif
