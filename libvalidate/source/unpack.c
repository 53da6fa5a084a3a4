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

struct xds_unpack {
    int fd;
    char *room; /* of what was read of it, PIECE bytes; NULL: all is borrowed */
    struct xds_slice in;
    bool ended;  /* nothing is after `in` */
    bool closed; /* what was unpacked so far is whole */
    bool is_gzip;
    z_stream gzip;
    ZSTD_DStream *zstd;
    size_t made;
};

static const struct xds_slice gzip_magic = {"\x1f\x8b", 2};
static const struct xds_slice zstd_magic = {"\x28\xb5\x2f\xfd", 4};

bool xds_unpack_is_packed(struct xds_slice begin)
{
    return xds_slice_starts(begin, gzip_magic) || xds_slice_starts(begin, zstd_magic);
}

static bool start(struct xds_unpack *unpack)
{
    if (unpack->is_gzip)
        return inflateInit2(&unpack->gzip, GZIP_WINDOW) == Z_OK;
    unpack->zstd = ZSTD_createDStream();
    return unpack->zstd && !ZSTD_isError(ZSTD_initDStream(unpack->zstd));
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
    ZSTD_freeDStream(unpack->zstd);
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
    const size_t status = ZSTD_decompressStream(unpack->zstd, &to, &in);

    if (ZSTD_isError(status) && ZSTD_getErrorCode(status) == ZSTD_error_memory_allocation)
        errno = ENOMEM;
    *made = to.pos;
    unpack->in = xds_slice_from(unpack->in, in.pos);
    unpack->closed = status == 0;
    if (ZSTD_getErrorCode(status) == ZSTD_error_frameParameter_windowTooLarge)
        return "the input needs a zstd window of more than 128 MiB";
    return ZSTD_isError(status) ? "the input is damaged zstd data" : NULL;
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
        if (errno == ENOMEM)
            return -1;
        if (!*fault && made == 0 && was_empty && unpack->ended && !unpack->closed)
            *fault = "the input is packed and ends too early";
        if (*fault)
            break;
    }
    unpack->made += made;
    return (ssize_t)made;
}
