/* re2_parser.h - what the parts of the reader of RE2's grammar share. */
#ifndef XDS_REGEX_RE2_PARSER_H
#define XDS_REGEX_RE2_PARSER_H

#include "base/limits.h"
#include "regex/re2_literal.h"
#include "regex/re2_size.h"
#include "regex/re2_syntax.h"
#include "base/strmap.h"

enum xds_re2_flag {
    XDS_RE2_FOLD = 1 << 0,       /* (?i) */
    XDS_RE2_MULTILINE = 1 << 1,  /* (?m) */
    XDS_RE2_DOT_ALL = 1 << 2,    /* (?s) */
    XDS_RE2_NON_GREEDY = 1 << 3, /* (?U) */
};

enum xds_re2_error {
    XDS_RE2_BAD_ESCAPE,
    XDS_RE2_BAD_RANGE,
    XDS_RE2_MISSING_BRACKET,
    XDS_RE2_MISSING_PAREN,
    XDS_RE2_UNEXPECTED_PAREN,
    XDS_RE2_TRAILING_BACKSLASH,
    XDS_RE2_REPEAT_ARGUMENT,
    XDS_RE2_REPEAT_SIZE,
    XDS_RE2_REPEAT_OP,
    XDS_RE2_BAD_PERL_OP,
    XDS_RE2_BAD_UTF8,
    XDS_RE2_BAD_GROUP_NAME,
};

/* Something that a repetition operator can follow. */
struct xds_re2_atom {
    size_t start;    /* of its text in the writer */
    unsigned repeat; /* largest product of nested repetition counts */
    bool loose;      /* its text takes a group before it can be repeated */
    bool nullable;   /* it can match "" */
    struct xds_re2_size size;
    struct xds_re2_shape shape;
};

struct xds_re2_group {
    struct xds_re2_group *outer, *inner; /* inner: room for a group inside, reused */
    bool has_last;                       /* an atom is right before */
    struct xds_re2_atom last;            /* not yet counted in what follows */
    struct xds_re2_branch branch;        /* that is being read */
    struct xds_re2_branches branches;    /* those before it */
    struct xds_re2_mark branch_start;    /* where the text of the branch begins, and */
    struct xds_re2_mark run_start;       /* that of the first one in a class with it */
    size_t depth;
    size_t captured; /* groups around it that capture, itself included */
    unsigned repeat;
    size_t start;         /* of "(" in the writer */
    unsigned flags_after; /* valid again after ")" */
    bool captures;        /* "(" and not "(?:" */
    bool nullable;        /* one of the branches read can match "" */
    bool branch_nullable; /* so can the atoms of this branch that are counted */
};

struct xds_re2_parser {
    struct xds_arena *arena;
    struct xds_slice whole, rest;
    struct xds_re2_writer *out; /* NULL: only check */
    unsigned flags;
    struct xds_re2_group *group;    /* the innermost */
    struct xds_slice last_repeat;   /* operator right before rest, or absent */
    struct xds_rune_set set;        /* of the class being read */
    struct xds_rune_set name_runes; /* of group names, once one is not ASCII */
    struct xds_strmap names;        /* of groups */
    struct xds_re2_layout *layout;
    uint64_t spent; /* instructions written and ranges added so far, before repeating */
    uint64_t
        head; /* of these, in the anchors and literals that the pattern begins with */
    bool in_head;
    bool anchored;    /* it may begin with "^" */
    bool has_nothing; /* a class without runes: what it is in is left out */
    bool gave_up;     /* too deep in groups */
    struct xds_re2_literals literals;
    struct xds_re2_pattern *result;
};

/* What has been read since `from`. */
struct xds_slice xds_re2_since(const struct xds_re2_parser *p, const char *from);
/* Note the error, with the part of the pattern it is about; false. */
bool xds_re2_fail(struct xds_re2_parser *p, enum xds_re2_error error,
                  struct xds_slice about);
/* Next byte but `skip`, or 0 at the end. */
char xds_re2_peek(const struct xds_re2_parser *p, size_t skip);
/* Read one rune off the front of a pattern, where XDS_NUL is U+0000; else as
 * xds_utf8_next(). */
bool xds_re2_next(struct xds_slice *pattern, uint32_t *rune);
/* Read one rune; fails at the end as RE2 does. */
bool xds_re2_rune(struct xds_re2_parser *p, uint32_t *rune);
bool xds_re2_check_utf8(struct xds_re2_parser *p, struct xds_slice text);

/* Go on by n bytes, which are there. */
void xds_re2_skip(struct xds_re2_parser *p, size_t n);
/* True when the pattern is too large to continue building sets for it. */
bool xds_re2_is_exhausted(const struct xds_re2_parser *p);

/* An atom begins here; to be called before it is written. It has no size yet. */
struct xds_re2_atom *xds_re2_new_atom(struct xds_re2_parser *p);
void xds_re2_push_rune(struct xds_re2_parser *p, uint32_t rune);
/* The last atom of a group can no longer be repeated: count it. */
void xds_re2_settle(struct xds_re2_group *group);
/* So can the last branch no longer grow. */
void xds_re2_end_branch(struct xds_re2_parser *p);
void xds_re2_begin_branch(struct xds_re2_parser *p);
/* An atom of known runes has begun. */
void xds_re2_keep_runes(struct xds_re2_parser *p, const struct xds_rune_set *runes);
size_t xds_re2_text_length(const struct xds_re2_parser *p);

/* re2_repeat.c: `before` is the operator right before this one, or absent. A "{" that
 * begins no counts is a literal. */
bool xds_re2_operator(struct xds_re2_parser *p, struct xds_slice before);
bool xds_re2_brace(struct xds_re2_parser *p, struct xds_slice before);

/* re2_group.c: "(", ")" and "|". */
void xds_re2_group_init(const struct xds_re2_parser *p, struct xds_re2_group *group);
bool xds_re2_paren(struct xds_re2_parser *p);
bool xds_re2_close(struct xds_re2_parser *p);
void xds_re2_bar(struct xds_re2_parser *p);

/* re2_escape.c: "\n", "\x{10ffff}"; rest begins with the backslash. */
bool xds_re2_escape(struct xds_re2_parser *p, uint32_t *rune);

/* re2_class.c: what stands for a set of runes goes into p->set. */
bool xds_re2_bracket(struct xds_re2_parser *p);
/* "\d" or "\pN"; *is_set false when something else follows, which is no error. */
bool xds_re2_set_escape(struct xds_re2_parser *p, bool *is_set);

#endif
