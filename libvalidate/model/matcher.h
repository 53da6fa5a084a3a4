/* matcher.h - string, header, path and fraction matchers as the model keeps them. */
#ifndef XDS_MODEL_MATCHER_H
#define XDS_MODEL_MATCHER_H

#include "regex/regex.h"

enum xds_match_kind {
    XDS_MATCH_EXACT,
    XDS_MATCH_PREFIX,
    XDS_MATCH_SUFFIX,
    XDS_MATCH_CONTAINS,
    XDS_MATCH_REGEX,
};

struct xds_string_matcher {
    enum xds_match_kind kind;
    struct xds_slice text; /* for REGEX: the pattern */
    const struct xds_regex
        *regex;      /* REGEX only; NULL: node keeps what does not compile */
    bool fold_case;  /* never with REGEX */
    bool fold_regex; /* REGEX with ignore_case, see REGEX_LOWERED */
};

enum xds_header_match_kind {
    XDS_HEADER_STRING,
    XDS_HEADER_RANGE,
    XDS_HEADER_PRESENT,
    XDS_HEADER_NEVER, /* no usable specifier: what node makes of it */
};

struct xds_header_matcher {
    struct xds_slice name; /* verbatim */
    enum xds_header_match_kind kind;
    const char *specifier; /* proto name of the field, for reasons: "prefix_match" */
    bool invert;
    bool present;                     /* PRESENT: the bool of present_match */
    int64_t start, end;               /* RANGE, half open */
    struct xds_string_matcher string; /* STRING */
};

/* numerator of denominator; denominator is 100, 10000 or 1000000. */
struct xds_fraction {
    uint32_t numerator, denominator;
};

struct xds_path_matcher {
    enum xds_match_kind kind; /* PREFIX, EXACT or REGEX */
    struct xds_slice text;
    const struct xds_regex *regex;
    bool case_sensitive; /* absent = true */
    bool case_set;       /* java reads an absent case_sensitive as false */
};

struct xds_route_match {
    struct xds_path_matcher path;
    const struct xds_header_matcher *headers;
    size_t n_headers;
    bool has_fraction;    /* runtime_fraction is set */
    bool fraction_is_set; /* ... and has a default_value */
    struct xds_fraction fraction;
};

#endif
