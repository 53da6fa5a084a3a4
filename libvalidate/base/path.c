/*
 * path.c - render the frames of a reader's position, and keep them.
 *
 * Both are written backwards, since the frames lead from the inside out.
 */
#include "base/path.h"

enum { USUAL = 512 }; /* longer ones are written in the arena at once */

/* Text goes in front of `at` as long as there is room; all of it is counted. */
struct pen {
    char *at;
    size_t room, len;
};

static void put(struct pen *pen, const char *text, size_t len)
{
    pen->len += len;
    if (!pen->at || len == 0 || pen->len > pen->room)
        return;
    pen->at -= len;
    memcpy(pen->at, text, len);
}

static void put_number(struct pen *pen, size_t number)
{
    do {
        const char digit = (char)('0' + number % 10);

        put(pen, &digit, 1);
        number /= 10;
    } while (number);
}

static void put_subscript(struct pen *pen, const struct xds_path *step)
{
    switch (step->kind) {
    case XDS_STEP_FIELD:
        return;
    case XDS_STEP_INDEX:
        put(pen, "]", 1);
        put_number(pen, step->index);
        break;
    case XDS_STEP_KEY:
    case XDS_STEP_VALUE:
        put(pen, "]", 1);
        put(pen, step->key.data, step->key.len);
        break;
    }
    put(pen, "[", 1);
}

static void put_path(struct pen *pen, const struct xds_path *path)
{
    for (; path; path = path->up) {
        if (path->seen == XDS_STEP_UNSAID)
            continue;
        put_subscript(pen, path);
        put(pen, path->field, strlen(path->field));
        if (path->up)
            put(pen, ".", 1);
    }
}

typedef void (*write_fn)(struct pen *pen, const struct xds_path *path);

static struct xds_slice in_arena(struct xds_arena *arena, write_fn write,
                                 const struct xds_path *path)
{
    struct pen counted = {NULL, 0, 0};

    write(&counted, path);

    const size_t len = counted.len;
    char *text = xds_arena_alloc(arena, len + 1);
    struct pen pen = {.at = text + len, .room = len};

    write(&pen, path);
    text[len] = '\0';
    return xds_slice_make(text, len);
}

/* Written from the end of the room on, which mostly suffices: nothing is counted first.
 */
static struct xds_slice in_pool(struct xds_pool *pool, write_fn write,
                                const struct xds_path *path)
{
    char text[USUAL];
    struct pen pen = {.at = text + sizeof text, .room = sizeof text};

    write(&pen, path);
    if (pen.len > pen.room)
        return in_arena(pool->arena, write, path);
    return xds_pool_text(pool, xds_slice_make(pen.at, pen.len));
}

struct xds_slice xds_path_render(struct xds_arena *arena, const struct xds_path *path)
{
    return in_arena(arena, put_path, path);
}

struct xds_slice xds_pool_path(struct xds_pool *pool, const struct xds_path *path)
{
    return in_pool(pool, put_path, path);
}

/* ---- packing: per frame a byte for kind and seen, the field's address, and the index or
 * the length of the key, whose text follows; a zero byte ends them ---------------------
 */

enum { SEEN_SHIFT = 2, KIND_MASK = 3, IS_STEP = 0x80 };

/* Seven bits per byte, the low ones first; all but the last have the high bit. */
static void pack_number(struct pen *pen, size_t number)
{
    char bytes[(sizeof number * 8 + 6) / 7];
    size_t n = 0;

    do {
        bytes[n++] = (char)((number & 0x7f) | 0x80);
        number >>= 7;
    } while (number);
    bytes[n - 1] &= 0x7f;
    put(pen, bytes, n);
}

static void pack_path(struct pen *pen, const struct xds_path *path)
{
    for (; path; path = path->up) {
        const char head =
            (char)(IS_STEP | (unsigned)path->seen << SEEN_SHIFT | (unsigned)path->kind);

        switch (path->kind) {
        case XDS_STEP_FIELD:
            break;
        case XDS_STEP_INDEX:
            pack_number(pen, path->index);
            break;
        case XDS_STEP_KEY:
        case XDS_STEP_VALUE:
            put(pen, path->key.data, path->key.len);
            pack_number(pen, path->key.len);
            break;
        }
        put(pen, (const char *)&path->field, sizeof path->field);
        put(pen, &head, 1);
    }
}

struct xds_steps xds_path_copy(struct xds_arena *arena, const struct xds_path *path)
{
    if (!path)
        return (struct xds_steps){NULL};
    return (struct xds_steps){in_arena(arena, pack_path, path).data};
}

struct xds_steps xds_pool_steps(struct xds_pool *pool, const struct xds_path *path)
{
    if (!path)
        return (struct xds_steps){NULL};
    return (struct xds_steps){in_pool(pool, pack_path, path).data};
}

static size_t unpack_number(const char **at)
{
    size_t number = 0;
    unsigned shift = 0;

    for (;; shift += 7) {
        const unsigned char byte = (unsigned char)*(*at)++;

        number |= (size_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return number;
    }
}

bool xds_steps_next(struct xds_steps *steps, struct xds_path *out)
{
    const char *at = steps->packed;

    if (!at || *at == '\0')
        return false;
    const unsigned head = (unsigned char)*at++;

    *out =
        (struct xds_path){.kind = (enum xds_step_kind)(head & KIND_MASK),
                          .seen = (enum xds_step_seen)(head >> SEEN_SHIFT & KIND_MASK)};
    memcpy(&out->field, at, sizeof out->field);
    at += sizeof out->field;
    if (out->kind != XDS_STEP_FIELD)
        out->index = unpack_number(&at);
    if (out->kind == XDS_STEP_KEY || out->kind == XDS_STEP_VALUE) {
        out->key = xds_slice_make(at, out->index);
        at += out->index;
        out->index = 0;
    }
    steps->packed = at;
    return true;
}

const struct xds_path *xds_path_of(struct xds_arena *arena, struct xds_steps steps)
{
    const struct xds_path *up = NULL;
    struct xds_path step;

    while (xds_steps_next(&steps, &step)) {
        struct xds_path *copy = XDS_NEW(arena, struct xds_path);

        *copy = step;
        copy->up = up;
        up = copy;
    }
    return up;
}
