/*
 * re2_writer.h - PCRE2 text for what RE2 would match, byte by byte.
 *
 * PCRE2 is used without its UTF mode, because RE2 matches bytes too: a rune is spelled as
 * its UTF-8 bytes. A text for ASCII subjects leaves out what can not occur in them.
 */
#ifndef XDS_REGEX_RE2_WRITER_H
#define XDS_REGEX_RE2_WRITER_H

#include "regex/re2_runes.h"

enum xds_re2_subjects {
    XDS_RE2_ASCII_SUBJECTS, /* no byte above 0x7f */
    XDS_RE2_ALL_SUBJECTS,
};

/* More means a pattern made to keep us busy: the text is then of no use. */
#define XDS_RE2_MOST_MOVED ((size_t)64 << 20)

struct xds_re2_writer {
    struct xds_arena *arena;
    enum xds_re2_subjects subjects;
    char *text;
    size_t len, cap;
    size_t moved;               /* bytes moved by xds_re2_wrap() */
    struct xds_re2_writer *end; /* what xds_re2_write_end() adds; may be NULL */
    int large_sets;             /* that are there */
};

struct xds_re2_mark {
    size_t len, end_len;
    int large_sets;
};

/* A writer that is NULL writes nothing. */
void xds_re2_write(struct xds_re2_writer *out, const char *text);
void xds_re2_write_number(struct xds_re2_writer *out, int n);
/* One rune; more than one byte takes a group before it can be repeated. */
void xds_re2_write_rune(struct xds_re2_writer *out, uint32_t rune);
/* Any one rune of a normalized set, ready to be repeated. */
void xds_re2_write_set(struct xds_re2_writer *out, const struct xds_rune_set *set);
/* Put all from start on into a group that begins with `open`. */
void xds_re2_wrap(struct xds_re2_writer *out, size_t start, const char *open);

/* Where the text ends now, and a way back. */
struct xds_re2_mark xds_re2_mark(const struct xds_re2_writer *out);
void xds_re2_rewind(struct xds_re2_writer *out, struct xds_re2_mark mark);

/* To be called once, after all of the pattern. */
void xds_re2_write_end(struct xds_re2_writer *out);

#endif
