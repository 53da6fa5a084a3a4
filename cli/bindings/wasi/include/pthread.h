/*
 * pthread.h - for WASI, which has no threads here: none can be started, and there is no
 * one to lock out. Only what libvalidate/ uses; the types are those of wasi-libc.
 */
#ifndef XDS_WASI_PTHREAD_H
#define XDS_WASI_PTHREAD_H

#include <errno.h>
#include <stddef.h>
#include <sys/types.h>

#define PTHREAD_ONCE_INIT 0

static inline int pthread_once(pthread_once_t *once, void (*run)(void))
{
    if (!*once)
        run();
    *once = 1;
    return 0;
}

#define pthread_create(thread, attributes, run, arg)                                     \
    ((void)(thread), (void)(attributes), (void)(run), (void)(arg), EAGAIN)
#define pthread_join(thread, result) ((void)(thread), (void)(result), 0)
#define pthread_attr_init(attributes) ((void)(attributes), 0)
#define pthread_attr_destroy(attributes) ((void)(attributes), 0)
#define pthread_attr_setstacksize(attributes, size) ((void)(attributes), (void)(size), 0)
#define pthread_mutex_init(mutex, attributes) ((void)(mutex), 0)
#define pthread_mutex_destroy(mutex) ((void)(mutex), 0)
#define pthread_mutex_lock(mutex) ((void)(mutex), 0)
#define pthread_mutex_unlock(mutex) ((void)(mutex), 0)
#define pthread_cond_init(cond, attributes) ((void)(cond), 0)
#define pthread_cond_destroy(cond) ((void)(cond), 0)
#define pthread_cond_wait(cond, mutex) ((void)(cond), (void)(mutex), 0)
#define pthread_cond_signal(cond) ((void)(cond), 0)
#define pthread_cond_broadcast(cond) ((void)(cond), 0)

#endif
