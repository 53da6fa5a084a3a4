/*
 * shim.c - an allocator that fails when it is told to; to be preloaded.
 *
 * .alloc-failed in the working folder says that an Nth allocation was asked for.
 */
#define _GNU_SOURCE /* RTLD_NEXT */

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MOST_SECONDS = 20, MOST_WAITED = 60 };

static atomic_ulong asked;
/* Of a model that needs no memory of its own. */
static _Thread_local bool spared __attribute__((tls_model("initial-exec")));
static unsigned long fail_at; /* 0: never */
static bool fail_on;

struct allocator {
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void *(*aligned_alloc)(size_t, size_t);
    int (*posix_memalign)(void **, size_t, size_t);
    int (*getattr)(pthread_t, pthread_attr_t *);
};

static void find(void *function, const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);

    if (!found)
        _exit(125);
    memcpy(function, &found, sizeof found);
}

static const struct allocator *behind(void)
{
    static struct allocator a;

    if (!a.posix_memalign) {
        find(&a.malloc, "malloc");
        find(&a.calloc, "calloc");
        find(&a.realloc, "realloc");
        find(&a.aligned_alloc, "aligned_alloc");
        find(&a.getattr, "pthread_getattr_np");
        find(&a.posix_memalign, "posix_memalign");
    }
    return &a;
}

/* What was asked for before is the loader's. No run takes long, and none waits for what
 * will not come. */
__attribute__((constructor)) static void arm(void)
{
    const struct rlimit limit = {MOST_SECONDS, MOST_SECONDS};
    const char *at = getenv("FAIL_ALLOC_AT"), *on = getenv("FAIL_ALLOC_ON");

    fail_on = on && *on == '1';
    fail_at = at ? strtoul(at, NULL, 10) : 0;
    (void)setrlimit(RLIMIT_CPU, &limit);
    (void)alarm(MOST_WAITED);
}

static void leave_mark(void)
{
    const int fd = open(".alloc-failed", O_WRONLY | O_CREAT | O_CLOEXEC, 0666);

    if (fd >= 0)
        (void)close(fd);
}

static bool fails(void)
{
    if (fail_at == 0 || spared)
        return false;
    const unsigned long n = atomic_fetch_add(&asked, 1) + 1;

    if (n == fail_at)
        leave_mark();
    if (n < fail_at || (n > fail_at && !fail_on))
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return fails() ? NULL : behind()->malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return fails() ? NULL : behind()->calloc(n, size);
}

void *realloc(void *memory, size_t size)
{
    return fails() ? NULL : behind()->realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : behind()->aligned_alloc(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    return fails() ? ENOMEM : behind()->posix_memalign(memory, alignment, size);
}

int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes)
{
    spared = true;
    const int error = behind()->getattr(thread, attributes);

    spared = false;
    return error;
}
