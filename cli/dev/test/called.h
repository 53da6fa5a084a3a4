/*
 * called.h - what a call of the program in this process changes and a process of its own
 *            would not: handlers of signals, and what was read of a stream in advance.
 */
#ifndef XDS_TEST_CALLED_H
#define XDS_TEST_CALLED_H

#include <signal.h>
#include <stdio.h>

static const int called_signals[] = {SIGALRM, SIGHUP,  SIGINT, SIGPIPE,
                                     SIGQUIT, SIGTERM, SIGXFSZ};

struct called {
    struct sigaction actions[sizeof called_signals / sizeof *called_signals];
};

static inline void called_streams(void)
{
    (void)fflush(stdin);
    clearerr(stdin);
    clearerr(stdout);
}

static inline void called_keep(struct called *called)
{
    for (size_t i = 0; i < sizeof called_signals / sizeof *called_signals; i++)
        (void)sigaction(called_signals[i], NULL, &called->actions[i]);
}

static inline void called_put_back(const struct called *called)
{
    for (size_t i = 0; i < sizeof called_signals / sizeof *called_signals; i++)
        (void)sigaction(called_signals[i], &called->actions[i], NULL);
}

#endif
