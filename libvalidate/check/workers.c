/*
 * workers.c - threads that work on tasks, whose results come back in order.
 *
 * Fails:  with fewer threads, or none, when the system has no more.
 *
 * The tasks on their way are in a ring. This is the one place of the library where
 * threads meet: a task goes from one to another under the lock, and nothing else does.
 */
#include "check/workers.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

/* Of a worker's stack, whatever the system's default is: as much as programs have. Only
 * what is used of it takes memory. */
#define STACK_BYTES ((size_t)8 << 20)

struct slot {
    void *task;
    bool done;
};

struct thread {
    struct xds_worker_pool *pool;
    void *worker;
    pthread_t id;
};

struct xds_worker_pool {
    xds_worker_pool_work work;
    struct thread *threads;
    size_t n_threads;
    size_t collected; /* by the caller, who alone reads it */
    struct slot *slots;
    size_t n_slots;
    pthread_mutex_t lock;   /* of all that follows, and of the slots */
    pthread_cond_t to_do;   /* a task was submitted, or it is over */
    pthread_cond_t is_done; /* the caller may wait for this one */
    size_t submitted, taken;
    bool over;
};

static struct slot *slot_of(const struct xds_worker_pool *pool, size_t number)
{
    return &pool->slots[number % pool->n_slots];
}

/* Waits for a task; NULL when there will be none. */
static struct slot *take(struct xds_worker_pool *pool)
{
    struct slot *slot = NULL;

    pthread_mutex_lock(&pool->lock);
    while (pool->taken == pool->submitted && !pool->over)
        pthread_cond_wait(&pool->to_do, &pool->lock);
    if (pool->taken < pool->submitted)
        slot = slot_of(pool, pool->taken++);
    pthread_mutex_unlock(&pool->lock);
    return slot;
}

static void *run_thread(void *arg)
{
    const struct thread *self = arg;
    struct slot *slot;

    while ((slot = take(self->pool))) {
        self->pool->work(self->worker, slot->task);

        struct xds_worker_pool *pool = self->pool;

        pthread_mutex_lock(&pool->lock);
        slot->done = true;
        pthread_cond_signal(&pool->is_done);
        pthread_mutex_unlock(&pool->lock);
    }
    return NULL;
}

/* Signals go to the threads of the program, not to ours. */
static bool start(struct thread *thread, const pthread_attr_t *attributes)
{
    sigset_t all, before;

    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    const int error = pthread_create(&thread->id, attributes, run_thread, thread);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error == 0;
}

static void start_all(struct xds_worker_pool *pool, void *const *workers, size_t n)
{
    pthread_attr_t attributes;

    if (pthread_attr_init(&attributes) != 0)
        return;
    (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
    for (size_t i = 0; i < n; i++) {
        pool->threads[i] = (struct thread){.pool = pool, .worker = workers[i]};
        if (!start(&pool->threads[i], &attributes))
            break;
        pool->n_threads++;
    }
    (void)pthread_attr_destroy(&attributes);
}

struct xds_worker_pool *xds_worker_pool_new(void *const *workers, size_t n, size_t most,
                                            xds_worker_pool_work work)
{
    struct xds_worker_pool *pool = calloc(1, sizeof *pool);

    if (!pool)
        return NULL;
    pool->work = work;
    pool->n_slots = most;
    pool->slots = calloc(most, sizeof *pool->slots);
    pool->threads = calloc(n, sizeof *pool->threads);
    (void)pthread_mutex_init(&pool->lock, NULL);
    (void)pthread_cond_init(&pool->to_do, NULL);
    (void)pthread_cond_init(&pool->is_done, NULL);
    if (pool->slots && pool->threads)
        start_all(pool, workers, n);
    if (pool->n_threads > 0)
        return pool;
    xds_worker_pool_free(pool);
    return NULL;
}

void xds_worker_pool_free(struct xds_worker_pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->over = true;
    pthread_cond_broadcast(&pool->to_do);
    pthread_mutex_unlock(&pool->lock);
    for (size_t i = 0; i < pool->n_threads; i++)
        (void)pthread_join(pool->threads[i].id, NULL);
    (void)pthread_cond_destroy(&pool->is_done);
    (void)pthread_cond_destroy(&pool->to_do);
    (void)pthread_mutex_destroy(&pool->lock);
    free(pool->threads);
    free(pool->slots);
    free(pool);
}

void xds_worker_pool_submit(struct xds_worker_pool *pool, void *task)
{
    pthread_mutex_lock(&pool->lock);
    *slot_of(pool, pool->submitted++) = (struct slot){.task = task};
    pthread_cond_signal(&pool->to_do);
    pthread_mutex_unlock(&pool->lock);
}

void *xds_worker_pool_collect(struct xds_worker_pool *pool)
{
    if (xds_worker_pool_load(pool) == 0)
        return NULL;
    struct slot *slot = slot_of(pool, pool->collected++);

    pthread_mutex_lock(&pool->lock);
    while (!slot->done)
        pthread_cond_wait(&pool->is_done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
    return slot->task;
}

size_t xds_worker_pool_load(const struct xds_worker_pool *pool)
{
    return pool->submitted - pool->collected;
}
