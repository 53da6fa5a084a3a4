/*
 * fetch_session.c - what is known of the resources that a control plane is asked for:
 * whether they have come, why not, and all of them as a dump.
 */
#include "cli/fetch/fetch_ads.h"
#include "cli/files/output.h"

#include <stdlib.h>
#include <string.h>

enum { LARGE = 8 << 20 }; /* more is not held twice */

/* ---- resources ---- */

/* "Listener"; type URLs are of the schema. */
static struct xds_slice kind_of(const struct xds_ads_resource *r)
{
    size_t at = r->type_url.len;

    while (at > 0 && r->type_url.data[at - 1] != '.')
        at--;
    return (struct xds_slice){r->type_url.data + at, r->type_url.len - at};
}

void session_kind(const struct xds_ads_resource *r, char *out, size_t size)
{
    const struct xds_slice kind = kind_of(r);

    (void)snprintf(out, size, "%.*s", shown(kind.len), kind.data);
}

void session_name(const struct xds_ads_resource *r, char *out, size_t size)
{
    const struct xds_slice kind = kind_of(r);

    (void)snprintf(out, size, "%.*s \"%.*s\"", shown(kind.len), kind.data,
                   shown(r->name.len), r->name.len > 0 ? r->name.data : "");
}

static bool is_awaited(const struct xds_ads_resource *r, size_t stream)
{
    return r->status == XDS_HELD_REQUESTED &&
           (stream == XDS_ADS_NO_STREAM || r->stream == stream);
}

/* Most of what is before the one that was found last has come by now. */
bool session_awaits(struct session *s, size_t stream, struct xds_ads_resource *r)
{
    const size_t from = s->at;

    for (size_t i = from; xds_ads_resource_at(s->ads, i, r); i++)
        if (is_awaited(r, stream)) {
            s->at = i;
            return true;
        }
    for (size_t i = 0; i < from && xds_ads_resource_at(s->ads, i, r); i++)
        if (is_awaited(r, stream)) {
            s->at = i;
            return true;
        }
    return false;
}

bool session_absence(const struct session *s, const struct xds_ads_resource *r, char *out,
                     size_t size)
{
    char what[480];

    session_name(r, what, sizeof what);
    if (r->is_late && !r->bytes.data)
        (void)snprintf(out, size,
                       "%s: no answer within %u s: the client would report it as %s",
                       what, s->resource_ms / 1000,
                       r->status == XDS_HELD_TIMEOUT ? "timed out" : "not existing");
    else if (r->status == XDS_HELD_DOES_NOT_EXIST && r->error.len == 0)
        (void)snprintf(out, size, "%s: the control plane does not have it", what);
    else if (r->error.len > 0)
        (void)snprintf(out, size, "%s: %.*s", what, (int)r->error.len, r->error.data);
    else if (r->status == XDS_HELD_REQUESTED)
        (void)snprintf(out, size, "%s: it has not come", what);
    else
        return false;
    return true;
}

/* ---- what is held ---- */

static bool count(void *user, const char *data, size_t len)
{
    struct live_message *m = user;

    (void)data;
    m->len += len;
    return true;
}

static bool append(void *user, const char *data, size_t len)
{
    struct live_message *m = user;

    if (len > 0)
        memcpy(m->data + m->len, data, len);
    m->len += len;
    return true;
}

typedef enum xds_status write_fn(const struct xds_ads *ads, const struct xds_printer *to);

static int write_all(const struct session *s, write_fn *write, struct xds_slice *out)
{
    struct live_message text = {NULL, 0};
    struct xds_printer printer = {.write = count, .user = &text};

    if (write(s->ads, &printer) == XDS_OK)
        text.data = malloc(text.len + 1);
    text.len = 0;
    printer.write = append;
    if (!text.data || write(s->ads, &printer) != XDS_OK) {
        free(text.data);
        return trouble(s->f->command, "out of memory");
    }
    out->data = text.data;
    out->len = text.len;
    return EXIT_CLEAN;
}

int session_dump(const struct session *s, struct xds_slice *out)
{
    return write_all(s, xds_ads_write_dump, out);
}

int session_versions(const struct session *s, struct xds_slice *out)
{
    return write_all(s, xds_ads_write_versions, out);
}

/* A large one is written to a file before, so that it takes the place of what it is made
 * of. */
static int move_dump(struct session *s, FILE *spool, size_t len, struct xds_slice *out)
{
    const struct xds_printer printer = {.write = write_file, .user = spool};
    char *data = NULL;

    if (xds_ads_write_dump(s->ads, &printer) != XDS_OK || fflush(spool) != 0)
        return trouble_errno(s->f->command, "temporary file");
    xds_ads_free(s->ads);
    s->ads = NULL;
    rewind(spool);
    data = malloc(len + 1);
    if (data && fread(data, 1, len, spool) == len) {
        out->data = data;
        out->len = len;
        return EXIT_CLEAN;
    }
    free(data);
    return data ? trouble_errno(s->f->command, "temporary file")
                : trouble(s->f->command, "out of memory");
}

int session_take_dump(struct session *s, struct xds_slice *out)
{
    struct live_message size = {NULL, 0};
    const struct xds_printer printer = {.write = count, .user = &size};

    if (xds_ads_write_dump(s->ads, &printer) == XDS_OK && size.len <= LARGE)
        return session_dump(s, out);
    FILE *spool = replace_spool(s->f->command);

    if (!spool)
        return EXIT_TROUBLE;
    const int status = move_dump(s, spool, size.len, out);

    (void)fclose(spool);
    return status;
}
