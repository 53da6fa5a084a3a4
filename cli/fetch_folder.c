/*
 * fetch_folder.c - a dump as a folder: what is in use of each type, in a file as
 * `convert` writes it.
 *
 * The folder is made under another name and takes its place once it is whole; only an
 * empty one is replaced.
 */
#include "cli/fetch.h"
#include "cli/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct folder {
    const struct command *command;
    const char *name; /* as given */
    struct xds_slice dump, versions;
    enum xds_format format;
    bool may_choose; /* binary, where the format cannot hold all */
    char path[4000]; /* of the folder while it is made */
    bool has_path;
};

static const char *const stems[] = {
    [XDS_TYPE_LISTENER] = "listeners",
    [XDS_TYPE_ROUTE] = "routes",
    [XDS_TYPE_CLUSTER] = "clusters",
    [XDS_TYPE_ENDPOINT] = "endpoints",
};

/* Which no other file of the folder is called. */
static const char VERSIONS[] = "versions.json";

static const char *const endings[] = {
    [XDS_FORMAT_JSON] = "json",
    [XDS_FORMAT_YAML] = "yaml",
    [XDS_FORMAT_BINARY] = "binpb",
    [XDS_FORMAT_TEXT_PROTO] = "textproto",
};

/* ---- one file ---- */

struct part {
    enum xds_resource_type type;
    struct xds_report *report;
    struct xds_source *source;
    struct xds_convert *convert;
    size_t n, lost;
};

static enum xds_status convert_each(struct part *part)
{
    struct xds_resource resource;
    enum xds_status status;

    while ((status = xds_source_next(part->source, &resource)) == XDS_OK) {
        const struct xds_held *held = resource.held;

        if (resource.type != part->type ||
            (held && (held->is_rejected || held->is_absent)))
            continue;
        status = xds_convert_resource(part->convert, &resource);
        if (status != XDS_OK)
            return status;
        part->n++;
    }
    return status == XDS_END ? xds_convert_finish(part->convert) : status;
}

/* All of one type into the spool. */
static enum xds_status fill(const struct folder *f, struct part *part,
                            enum xds_format format, FILE *spool)
{
    const struct xds_convert_options options = {.format = format};
    const struct xds_printer printer = {.write = write_file, .user = spool};
    struct xds_options all;
    enum xds_status status = XDS_ERR_NO_MEMORY;

    xds_options_init(&all);
    part->n = 0;
    part->report = xds_report_new(&all);
    part->source = part->report ? xds_source_new(part->report, XDS_TYPE_UNKNOWN) : NULL;
    part->convert =
        part->source ? xds_convert_new(part->report, &options, &printer) : NULL;
    if (part->convert)
        status = xds_source_add_bytes(part->source, f->name, f->dump);
    if (status == XDS_OK)
        status = convert_each(part);
    if (status == XDS_OK) {
        struct xds_place first;

        part->lost =
            xds_convert_lost(part->convert, &first) + xds_report_findings(part->report);
    }
    xds_convert_free(part->convert);
    xds_source_free(part->source);
    xds_report_free(part->report);
    return status;
}

static int put_file(const struct folder *f, enum xds_resource_type type,
                    enum xds_format format, size_t *lost)
{
    struct part part = {.type = type};
    FILE *spool = tmpfile();
    char path[sizeof f->path + 40];

    if (!spool)
        return trouble_errno(f->command, "temporary file");
    const enum xds_status filled = fill(f, &part, format, spool);
    int status = EXIT_CLEAN;

    if (filled != XDS_OK)
        status = filled == XDS_ERR_IO ? trouble_errno(f->command, "temporary file")
                                      : trouble(f->command, "out of memory");
    else if (part.lost > 0 && f->may_choose && format != XDS_FORMAT_BINARY)
        status = put_file(f, type, XDS_FORMAT_BINARY, lost);
    else if (part.n > 0) {
        const struct common settings = {.output = path};

        (void)snprintf(path, sizeof path, "%s/%s.%s", f->path, stems[type],
                       endings[format]);
        status = output_put(f->command, &settings, spool);
        *lost += part.lost;
    }
    (void)fclose(spool);
    return status;
}

/* ---- the folder ---- */

/* Beside its place. False: errno says why. */
static bool begin(struct folder *f)
{
    const mode_t mask = umask(0);
    size_t len = strlen(f->name);

    (void)umask(mask);
    while (len > 1 && f->name[len - 1] == '/')
        len--;
    errno = ENAMETOOLONG;
    if (len + sizeof ".XXXXXX" > sizeof f->path)
        return false;
    (void)snprintf(f->path, sizeof f->path, "%.*s.XXXXXX", (int)len, f->name);
    f->has_path = mkdtemp(f->path) != NULL;
    return f->has_path && chmod(f->path, 0777 & ~mask) == 0;
}

static void drop(const struct folder *f)
{
    char path[sizeof f->path + 40];

    for (unsigned type = XDS_TYPE_LISTENER; type <= XDS_TYPE_ENDPOINT; type++)
        for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
            (void)snprintf(path, sizeof path, "%s/%s.%s", f->path, stems[type],
                           endings[i]);
            (void)unlink(path);
        }
    (void)snprintf(path, sizeof path, "%s/%s", f->path, VERSIONS);
    (void)unlink(path);
    (void)rmdir(f->path);
}

static int put_versions(const struct folder *f)
{
    char path[sizeof f->path + 40];
    const struct common settings = {.output = path};
    struct output out;

    if (f->versions.len == 0)
        return EXIT_CLEAN;
    (void)snprintf(path, sizeof path, "%s/%s", f->path, VERSIONS);
    const int status = output_open(&out, f->command, &settings, false);

    if (status != EXIT_CLEAN)
        return status;
    return output_close(&out, write_file(out.file, f->versions.data, f->versions.len)
                                  ? XDS_OK
                                  : XDS_ERR_IO);
}

static int put_all(const struct folder *f, size_t *lost)
{
    int status = EXIT_CLEAN;

    for (unsigned type = XDS_TYPE_LISTENER;
         type <= XDS_TYPE_ENDPOINT && status == EXIT_CLEAN; type++)
        status = put_file(f, (enum xds_resource_type)type, f->format, lost);
    if (status == EXIT_CLEAN)
        status = put_versions(f);
    if (status == EXIT_CLEAN && rename(f->path, f->name) != 0)
        status = trouble_errno(f->command, f->name);
    return status;
}

int fetch_put_folder(const struct command *command, const char *name,
                     struct xds_slice dump, struct xds_slice versions,
                     enum xds_format format, bool may_choose)
{
    struct folder folder = {.command = command,
                            .name = name,
                            .dump = dump,
                            .versions = versions,
                            .format = format,
                            .may_choose = may_choose};
    size_t lost = 0;
    const int status =
        begin(&folder) ? put_all(&folder, &lost) : trouble_errno(command, name);

    if (status != EXIT_CLEAN && folder.has_path)
        drop(&folder);
    if (status != EXIT_CLEAN || lost == 0)
        return status;
    (void)trouble(command, "%zu part%s of what came left out; -f binary keeps all", lost,
                  lost == 1 ? "" : "s");
    return EXIT_FINDINGS;
}
