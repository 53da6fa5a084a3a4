/*
 * replace.h - a file that is written whole or not at all, in the place of an older one.
 *
 * The new text goes into a file beside it, which takes its place by rename(). What the
 * older one is stays: owner, mode, access control list, extended attributes of users;
 * what symbolic links lead to is replaced, not they. A file that rename() would cut off
 * - with hard links, a mount of its own, an owner whom we cannot give files to - is
 * written over once the new text is safe on the disk, and that is kept if this fails.
 */
#ifndef XDS_CLI_REPLACE_H
#define XDS_CLI_REPLACE_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

struct command;

struct replacement {
    FILE *file; /* to write to; NULL: errno says why not */
    /* The rest is for replace.c. Devices, pipes and our own standard streams are written
     * directly: they have no temporary file. */
    char *path, *temporary;
    bool has_old, writes_over;
    struct stat old;
};

/* Begins; replace_end() frees in any case. */
void replace_begin(struct replacement *r, const char *name);
/* Puts the new file in its place if it is complete and every write went well, and drops
 * it otherwise. False: errno says why not; *kept is then the file that has the new text,
 * for the caller to free, or NULL: it is gone, and the older one is as it was. */
bool replace_end(struct replacement *r, bool complete, char **kept);

/* What is in the folder of a file lasts, also its new name. */
void replace_sync_folder(const char *path);

/* A file without a name, to read and write, in TMPDIR or /tmp; NULL after a message of
 * trouble_errno(). */
FILE *replace_spool(const struct command *command);

#endif
