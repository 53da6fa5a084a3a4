/*
 * unpack.c - the bytes of gzip and zstd.
 *
 * Source: RFC 1952, RFC 8878.
 */
#include "source/unpack.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/limits.h"

#define PIECE ((size_t)64 << 10) /* of the packed bytes, at a time */
#define GZIP_WINDOW (15 + 16)    /* zlib: the largest, and gzip's header */
#define TEXT_OF(value) #value
#define LIBRARY_OF(version) "libzstd.so." TEXT_OF(version)
#define ZSTD_LIBRARY LIBRARY_OF(ZSTD_VERSION_MAJOR)

struct zstd_calls {
    void *library; /* what was loaded, or NULL */
    __typeof__(ZSTD_createDStream) *create;
    __typeof__(ZSTD_decompressStream) *decompress;
    __typeof__(ZSTD_getErrorCode) *error_code;
    __typeof__(ZSTD_freeDStream) *free;
};

struct xds_unpack {
    int fd;
    char *room; /* of what was read of it, PIECE bytes; NULL: all is borrowed */
    struct xds_slice in;
    bool ended;  /* nothing is after `in` */
    bool closed; /* what was unpacked so far is whole */
    bool is_gzip;
    z_stream gzip;
    ZSTD_DStream *zstd;
    struct zstd_calls calls;
    size_t made;
};

static const struct xds_slice gzip_magic = {"\x1f\x8b", 2};
static const struct xds_slice zstd_magic = {"\x28\xb5\x2f\xfd", 4};

bool xds_unpack_is_packed(struct xds_slice begin)
{
    return xds_slice_starts(begin, gzip_magic) || xds_slice_starts(begin, zstd_magic);
}

#ifdef XDS_LOADS_ZSTD

#include <dlfcn.h>

/* Linked, it would take a sixth of the time in which every command starts. */
static bool find_zstd(struct zstd_calls *calls)
{
    const struct {
        const char *name;
        void **found; /* The form of the pointer is POSIX's, see dlsym(3p). */
    } names[] = {
        {"ZSTD_createDStream", (void **)&calls->create},
        {"ZSTD_decompressStream", (void **)&calls->decompress},
        {"ZSTD_getErrorCode", (void **)&calls->error_code},
        {"ZSTD_freeDStream", (void **)&calls->free},
    };

    calls->library = dlopen(ZSTD_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; calls->library && i < XDS_ARRAY_LEN(names); i++) {
        *names[i].found = dlsym(calls->library, names[i].name);
        if (!*names[i].found)
            return false;
    }
    return calls->library;
}

static void leave_zstd(const struct zstd_calls *calls)
{
    if (calls->library)
        (void)dlclose(calls->library);
}

#else

static bool find_zstd(struct zstd_calls *calls)
{
    *calls = (struct zstd_calls){NULL, ZSTD_createDStream, ZSTD_decompressStream,
                                 ZSTD_getErrorCode, ZSTD_freeDStream};
    return true;
}

static void leave_zstd(const struct zstd_calls *calls)
{
    (void)calls;
}

#endif

/* False when there is no memory; without libzstd the first read fails. */
static bool start(struct xds_unpack *unpack)
{
    if (unpack->is_gzip)
        return inflateInit2(&unpack->gzip, GZIP_WINDOW) == Z_OK;
    if (!find_zstd(&unpack->calls))
        return true;
    unpack->zstd = unpack->calls.create();
    return unpack->zstd;
}

struct xds_unpack *xds_unpack_new(int fd, struct xds_slice begin)
{
    struct xds_unpack *unpack = calloc(1, sizeof *unpack);
    const size_t size = begin.len > PIECE ? begin.len : PIECE;

    if (!unpack)
        return NULL;
    *unpack = (struct xds_unpack){.fd = fd,
                                  .in = begin,
                                  .ended = fd < 0,
                                  .is_gzip = xds_slice_starts(begin, gzip_magic)};
    if (fd >= 0) {
        unpack->room = malloc(size);
        unpack->in.data = unpack->room;
        if (unpack->room && begin.len > 0)
            memcpy(unpack->room, begin.data, begin.len);
    }
    if ((fd < 0 || unpack->room) && start(unpack))
        return unpack;
    xds_unpack_free(unpack);
    return NULL;
}

void xds_unpack_free(struct xds_unpack *unpack)
{
    if (!unpack)
        return;
    if (unpack->is_gzip)
        (void)inflateEnd(&unpack->gzip);
    if (unpack->zstd)
        (void)unpack->calls.free(unpack->zstd);
    leave_zstd(&unpack->calls);
    free(unpack->room);
    free(unpack);
}

/* More packed bytes; false with errno when they cannot be read. */
static bool refill(struct xds_unpack *unpack)
{
    ssize_t n;

    do {
        n = read(unpack->fd, unpack->room, PIECE);
    } while (n < 0 && errno == EINTR);
    unpack->ended = n <= 0;
    unpack->in = xds_slice_make(unpack->room, n > 0 ? (size_t)n : 0);
    return n >= 0;
}

/* A file may be several of them, one after the other. Anything else after one is
 * ignored, as gzip(1) does. */
static const char *step_gzip(struct xds_unpack *unpack, char *out, size_t size,
                             size_t *made)
{
    z_stream *z = &unpack->gzip;

    if (unpack->closed && unpack->in.data[0] != gzip_magic.data[0]) {
        unpack->in.len = 0;
        unpack->ended = true;
        return NULL;
    }
    if (unpack->closed && inflateReset(z) != Z_OK)
        return "the input is damaged gzip data";
    z->next_in = (z_const Bytef *)(uintptr_t)unpack->in.data;
    z->avail_in = unpack->in.len > UINT_MAX ? UINT_MAX : (uInt)unpack->in.len;
    z->next_out = (Bytef *)out;
    z->avail_out = size > UINT_MAX ? UINT_MAX : (uInt)size;

    const int status = inflate(z, Z_NO_FLUSH);

    *made = (size_t)((char *)z->next_out - out);
    unpack->in =
        xds_slice_from(unpack->in, (size_t)((const char *)z->next_in - unpack->in.data));
    unpack->closed = status == Z_STREAM_END;
    if (status == Z_MEM_ERROR)
        errno = ENOMEM;
    return status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR
               ? NULL
               : "the input is damaged gzip data";
}

static const char *step_zstd(struct xds_unpack *unpack, char *out, size_t size,
                             size_t *made)
{
    ZSTD_inBuffer in = {unpack->in.data, unpack->in.len, 0};
    ZSTD_outBuffer to = {out, size, 0};

    if (!unpack->zstd) {
        errno = ELIBACC;
        return "the input is packed with zstd, and " ZSTD_LIBRARY " cannot be loaded";
    }
    const size_t status = unpack->calls.decompress(unpack->zstd, &to, &in);
    const ZSTD_ErrorCode error = unpack->calls.error_code(status);

    if (error == ZSTD_error_memory_allocation)
        errno = ENOMEM;
    *made = to.pos;
    unpack->in = xds_slice_from(unpack->in, in.pos);
    unpack->closed = status == 0;
    if (error == ZSTD_error_frameParameter_windowTooLarge)
        return "the input needs a zstd window of more than 128 MiB";
    return error ? "the input is damaged zstd data" : NULL;
}

ssize_t xds_unpack_read(struct xds_unpack *unpack, char *out, size_t size,
                        const char **fault)
{
    size_t made = 0;

    if (unpack->made >= XDS_MAX_UNPACKED_BYTES &&
        !(unpack->closed && unpack->ended && unpack->in.len == 0)) {
        *fault = "the input unpacks to more than 256 MiB, the rest is not read";
        return 0;
    }
    while (made == 0) {
        /* What was unpacked may still be on its way out when there is no more input. */
        const bool was_empty = unpack->in.len == 0;

        if (was_empty && !unpack->ended && !refill(unpack))
            return -1;
        if (unpack->in.len == 0 && unpack->closed)
            return 0;
        errno = 0;
        *fault = unpack->is_gzip ? step_gzip(unpack, out, size, &made)
                                 : step_zstd(unpack, out, size, &made);
        if (errno == ENOMEM || errno == ELIBACC)
            return -1;
        if (!*fault && made == 0 && was_empty && unpack->ended && !unpack->closed)
            *fault = "the input is packed and ends too early";
        if (*fault)
            break;
    }
    unpack->made += made;
    return (ssize_t)made;
}
