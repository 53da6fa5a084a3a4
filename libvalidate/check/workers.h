/*
 * workers.h - threads that work on tasks, whose results come back in order.
 *
 * One thread, the caller, hands out tasks and collects them; N others work. A task is
 * somebody's at any time: the caller's until it is submitted, a worker's until it is
 * done, and the caller's again when it is collected.
 */
#ifndef XDS_CHECK_WORKERS_H
#define XDS_CHECK_WORKERS_H

#include "base/arena.h"

struct xds_worker_pool;

/* What a worker does: with what is its own, and a task. */
typedef void (*xds_worker_pool_work)(void *worker, void *task);

/* Threads for workers[0..n); as many as can be started. most: tasks that are on their way
 * at a time. NULL when there is no memory, or no thread. */
struct xds_worker_pool *xds_worker_pool_new(void *const *workers, size_t n, size_t most,
                                            xds_worker_pool_work work);
/* May be called when less than `most` are on their way. */
void xds_worker_pool_submit(struct xds_worker_pool *pool, void *task);
/* The task that was submitted first of those on their way, once it is done; NULL when
 * there is none. */
void *xds_worker_pool_collect(struct xds_worker_pool *pool);
/* How many are on their way. */
size_t xds_worker_pool_load(const struct xds_worker_pool *pool);
/* Once all tasks are collected: the threads end. */
void xds_worker_pool_free(struct xds_worker_pool *pool);

#endif
