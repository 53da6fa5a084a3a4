/*
 * crew.c - threads that work on tasks, whose results come back in order.
 *
 * Takes:  tasks, as pointers; what is done with one.
 * Gives:  the same pointers, in the order in which they came.
 * Fails:  with fewer threads, or none, when the system has no more.
 *
 * The tasks on their way stand in a ring. This is the one place of the library where
 * threads meet: a task goes from one to another under the lock, and nothing else does.
 */
#include "check/crew.h"

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
    struct xds_crew *crew;
    void *worker;
    pthread_t id;
};

struct xds_crew {
    xds_crew_work work;
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

static struct slot *slot_of(const struct xds_crew *crew, size_t number)
{
    return &crew->slots[number % crew->n_slots];
}

/* ---- a worker -----------------------------------------------------------------------
 */

/* Waits for a task; NULL when there will be none. */
static struct slot *take(struct xds_crew *crew)
{
    struct slot *slot = NULL;

    pthread_mutex_lock(&crew->lock);
    while (crew->taken == crew->submitted && !crew->over)
        pthread_cond_wait(&crew->to_do, &crew->lock);
    if (crew->taken < crew->submitted)
        slot = slot_of(crew, crew->taken++);
    pthread_mutex_unlock(&crew->lock);
    return slot;
}

static void finish(struct xds_crew *crew, struct slot *slot)
{
    pthread_mutex_lock(&crew->lock);
    slot->done = true;
    pthread_cond_signal(&crew->is_done);
    pthread_mutex_unlock(&crew->lock);
}

static void *run_thread(void *arg)
{
    const struct thread *self = arg;
    struct slot *slot;

    while ((slot = take(self->crew))) {
        self->crew->work(self->worker, slot->task);
        finish(self->crew, slot);
    }
    return NULL;
}

/* ---- starting and ending ------------------------------------------------------------
 */

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

static void start_all(struct xds_crew *crew, void *const *workers, size_t n)
{
    pthread_attr_t attributes;

    if (pthread_attr_init(&attributes) != 0)
        return;
    (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
    for (size_t i = 0; i < n; i++) {
        crew->threads[i] = (struct thread){.crew = crew, .worker = workers[i]};
        if (!start(&crew->threads[i], &attributes))
            break;
        crew->n_threads++;
    }
    (void)pthread_attr_destroy(&attributes);
}

struct xds_crew *xds_crew_new(void *const *workers, size_t n, size_t most,
                              xds_crew_work work)
{
    struct xds_crew *crew = calloc(1, sizeof *crew);

    if (!crew)
        return NULL;
    crew->work = work;
    crew->n_slots = most;
    crew->slots = calloc(most, sizeof *crew->slots);
    crew->threads = calloc(n, sizeof *crew->threads);
    (void)pthread_mutex_init(&crew->lock, NULL);
    (void)pthread_cond_init(&crew->to_do, NULL);
    (void)pthread_cond_init(&crew->is_done, NULL);
    if (crew->slots && crew->threads)
        start_all(crew, workers, n);
    if (crew->n_threads > 0)
        return crew;
    xds_crew_free(crew);
    return NULL;
}

void xds_crew_free(struct xds_crew *crew)
{
    if (!crew)
        return;
    pthread_mutex_lock(&crew->lock);
    crew->over = true;
    pthread_cond_broadcast(&crew->to_do);
    pthread_mutex_unlock(&crew->lock);
    for (size_t i = 0; i < crew->n_threads; i++)
        (void)pthread_join(crew->threads[i].id, NULL);
    (void)pthread_cond_destroy(&crew->is_done);
    (void)pthread_cond_destroy(&crew->to_do);
    (void)pthread_mutex_destroy(&crew->lock);
    free(crew->threads);
    free(crew->slots);
    free(crew);
}

/* ---- the caller ---------------------------------------------------------------------
 */

void xds_crew_submit(struct xds_crew *crew, void *task)
{
    pthread_mutex_lock(&crew->lock);
    *slot_of(crew, crew->submitted++) = (struct slot){.task = task};
    pthread_cond_signal(&crew->to_do);
    pthread_mutex_unlock(&crew->lock);
}

void *xds_crew_collect(struct xds_crew *crew)
{
    if (xds_crew_load(crew) == 0)
        return NULL;
    struct slot *slot = slot_of(crew, crew->collected++);

    pthread_mutex_lock(&crew->lock);
    while (!slot->done)
        pthread_cond_wait(&crew->is_done, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
    return slot->task;
}

size_t xds_crew_load(const struct xds_crew *crew)
{
    return crew->submitted - crew->collected;
}
