/*
 * fetch_folder.c - a dump as a folder: what is in use of each type, in a file as
 * `convert` writes it.
 *
 * The folder is made under another name and takes its place once it is whole; only an
 * empty one is replaced.
 */
#include "cli/fetch/fetch.h"
#include "cli/files/output.h"
#include "cli/files/signals.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One of each type, another one where the format cannot hold all, the versions, and the
 * bootstrap. */
enum { MOST_FILES = 2 * XDS_TYPE_ENDPOINT + 2 };
/* Of the folder while it is made: its own name may be as long as a name can be. */
enum { MOST_NAME = 240 };

struct folder {
    const struct command *command;
    const char *name; /* as given */
    struct xds_slice dump, versions;
    enum xds_format format;
    bool may_choose; /* binary, where the format cannot hold all */
    char path[4000]; /* of the folder while it is made */
    bool has_path;
    char *files[MOST_FILES]; /* in it */
    size_t n_files;
};

static const char *const stems[] = {
    [XDS_TYPE_LISTENER] = "listeners",
    [XDS_TYPE_ROUTE] = "routes",
    [XDS_TYPE_CLUSTER] = "clusters",
    [XDS_TYPE_ENDPOINT] = "endpoints",
};

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

/* What has no place in the format, with its path. */
static void tell_lost(const struct folder *f, const struct part *part,
                      enum xds_format format)
{
    struct xds_place at;
    struct xds_slice words;

    for (size_t i = 0; xds_convert_lost_part(part->convert, i, &at, &words); i++)
        warning(f->command, "%s.%s cannot hold all: %.*s", stems[part->type],
                endings[format], (int)words.len, words.data);
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
        tell_lost(f, part, format);
    }
    xds_convert_free(part->convert);
    xds_source_free(part->source);
    xds_report_free(part->report);
    return status;
}

/* The path of a file, which goes with the folder unless that is finished. */
static const char *add_file(struct folder *f, const char *stem, const char *ending)
{
    const size_t size = strlen(f->path) + strlen(stem) + strlen(ending) + sizeof "/.";
    char *path = f->n_files < MOST_FILES ? malloc(size) : NULL;
    sigset_t before;

    if (!path)
        return NULL;
    (void)snprintf(path, size, "%s/%s.%s", f->path, stem, ending);
    f->files[f->n_files++] = path;
    signals_block(&before);
    signals_note_unfinished(path);
    signals_restore(&before);
    return path;
}

static int put_file(struct folder *f, enum xds_resource_type type, enum xds_format format,
                    size_t *lost)
{
    struct part part = {.type = type};
    FILE *spool = replace_spool(f->command);

    if (!spool)
        return EXIT_TROUBLE;
    const enum xds_status filled = fill(f, &part, format, spool);
    int status = EXIT_CLEAN;

    if (filled != XDS_OK)
        status = filled == XDS_ERR_IO ? trouble_errno(f->command, "temporary file")
                                      : trouble(f->command, "out of memory");
    else if (part.lost > 0 && f->may_choose && format != XDS_FORMAT_BINARY)
        status = put_file(f, type, XDS_FORMAT_BINARY, lost);
    else if (part.n > 0) {
        const struct common settings = {.output =
                                            add_file(f, stems[type], endings[format])};

        status = settings.output ? output_put(f->command, &settings, spool)
                                 : trouble(f->command, "out of memory");
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
    size_t len = strlen(f->name), base;
    sigset_t before;

    (void)umask(mask);
    while (len > 1 && f->name[len - 1] == '/')
        len--;
    for (base = len; base > 0 && f->name[base - 1] != '/';)
        base--;
    if (len - base > MOST_NAME)
        len = base + MOST_NAME;
    errno = ENAMETOOLONG;
    if (len + sizeof ".XXXXXX" > sizeof f->path)
        return false;
    (void)snprintf(f->path, sizeof f->path, "%.*s.XXXXXX", (int)len, f->name);

    signals_block(&before);
    f->has_path = mkdtemp(f->path) != NULL;
    if (f->has_path)
        signals_note_unfinished(f->path);
    signals_restore(&before);
    return f->has_path && chmod(f->path, 0777 & ~mask) == 0;
}

/* In its place, or gone. */
static int finish(struct folder *f, int status)
{
    sigset_t before;

    signals_block(&before);
    if (status == EXIT_CLEAN && rename(f->path, f->name) != 0)
        status = trouble_errno(f->command, f->name);
    for (size_t i = 0; i < f->n_files; i++) {
        if (status != EXIT_CLEAN)
            (void)unlink(f->files[i]);
        signals_forget_unfinished(f->files[i]);
        free(f->files[i]);
    }
    if (status == EXIT_CLEAN)
        replace_sync_folder(f->path);
    else if (f->has_path)
        (void)rmdir(f->path);
    signals_forget_unfinished(f->path);
    signals_restore(&before);
    return status;
}

static int put_json(struct folder *f, const char *stem, struct xds_slice text)
{
    struct output out;

    if (text.len == 0)
        return EXIT_CLEAN;
    const struct common settings = {.output = add_file(f, stem, "json")};

    if (!settings.output)
        return trouble(f->command, "out of memory");
    const int status = output_open(&out, f->command, &settings, false);

    if (status != EXIT_CLEAN)
        return status;
    return output_close(&out,
                        write_file(out.file, text.data, text.len) ? XDS_OK : XDS_ERR_IO);
}

/* What a dump has in its node, a folder has as a file: what is read of a bootstrap. */
static int put_bootstrap(struct folder *f)
{
    struct xds_options all;
    int status = EXIT_TROUBLE;

    xds_options_init(&all);
    struct xds_report *report = xds_report_new(&all);
    struct xds_source *source = report ? xds_source_new(report, XDS_TYPE_UNKNOWN) : NULL;

    if (source && xds_source_add_bytes(source, f->name, f->dump) == XDS_OK)
        status = put_json(f, "bootstrap", xds_source_bootstrap(source));
    xds_source_free(source);
    xds_report_free(report);
    return status;
}

static int put_all(struct folder *f, size_t *lost)
{
    int status = EXIT_CLEAN;

    for (unsigned type = XDS_TYPE_LISTENER;
         type <= XDS_TYPE_ENDPOINT && status == EXIT_CLEAN; type++)
        status = put_file(f, (enum xds_resource_type)type, f->format, lost);
    if (status == EXIT_CLEAN)
        status = put_json(f, "versions", f->versions);
    if (status == EXIT_CLEAN)
        status = put_bootstrap(f);
    return finish(f, status);
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
    const int status = begin(&folder) ? put_all(&folder, &lost)
                                      : finish(&folder, trouble_errno(command, name));

    if (status != EXIT_CLEAN || lost == 0)
        return status;
    (void)trouble(command, "%zu part%s of what came left out; -f binary keeps all", lost,
                  lost == 1 ? "" : "s");
    return EXIT_FINDINGS;
}
