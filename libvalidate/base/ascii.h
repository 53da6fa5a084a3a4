/* ascii.h - character classes without a locale. */
#ifndef XDS_BASE_ASCII_H
#define XDS_BASE_ASCII_H

#include <stdbool.h>

static inline bool xds_ascii_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool xds_ascii_alpha(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline bool xds_ascii_word(char c)
{
    return xds_ascii_alpha(c) || xds_ascii_digit(c) || c == '_';
}

static inline bool xds_ascii_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

static inline char xds_ascii_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static inline char xds_ascii_upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - ('a' - 'A')) : c;
}

/* The value of a hexadecimal digit, -1 for any other character. */
static inline int xds_ascii_hex(char c)
{
    const char lower = xds_ascii_lower(c);

    if (xds_ascii_digit(c))
        return c - '0';
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

#endif
