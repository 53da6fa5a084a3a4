/* json_member.c - members of JSON objects, and the object that is a whole document. */
#include "print/json_member.h"

void xds_json_begin_document(struct xds_out *out)
{
    xds_json_begin_object(out);
    xds_json_key_u64(out, "version", 1);
}

void xds_json_end_document(struct xds_out *out)
{
    xds_json_end_object(out);
    xds_out_char(out, '\n');
}

/* ---- formats ---- */

enum { LONGEST_KEY = 64 };

/* A list that can be handed on by address, whatever va_list is. */
struct args {
    va_list list;
};

static void put_text(struct xds_out *out, const char *text, int len)
{
    if (!text || len < 0)
        xds_json_null(out);
    else
        xds_json_string(out, xds_slice_make(text, (size_t)len));
}

/* The value of one conversion, after its '%'; gives what follows. */
static const char *put_value(struct xds_out *out, const char *at, struct args *args)
{
    const char *text;
    int len;

    switch (*at) { /* the letters that the header names */
    case 's':
        text = va_arg(args->list, const char *);
        put_text(out, text, text ? (int)strlen(text) : -1);
        break;
    case '.':
        len = va_arg(args->list, int);
        put_text(out, va_arg(args->list, const char *), len);
        return at + strlen(".*s");
    case 'd':
        xds_json_bool(out, va_arg(args->list, int));
        break;
    case 'g':
        xds_json_double(out, va_arg(args->list, double));
        break;
    case 'u':
        xds_json_u64(out, va_arg(args->list, unsigned));
        break;
    case 'z':
        xds_json_u64(out, va_arg(args->list, size_t));
        return at + strlen("zu");
    default: /* PRIu64, which is "lu" or "llu" */
        xds_json_u64(out, va_arg(args->list, uint64_t));
        return strchr(at, 'u') + 1;
    }
    return at + 1;
}

static void put_members(struct xds_out *out, const char *format, va_list list)
{
    struct args args;

    va_copy(args.list, list);
    while (*format != '\0') {
        char *to = xds_json_separate(out, LONGEST_KEY + 3);

        *to++ = '"';
        while (*format != ':')
            *to++ = *format++;
        *to++ = '"';
        *to++ = ':';
        out->n = (size_t)(to - out->buffer);
        out->comma = false;
        format = put_value(out, format + strlen(": %"), &args);
        format += *format == ',' ? strlen(", ") : 0;
    }
    va_end(args.list);
}

void xds_json_members(struct xds_out *out, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    put_members(out, format, args);
    va_end(args);
}

void xds_json_object(struct xds_out *out, const char *format, ...)
{
    va_list args;

    xds_json_begin_object(out);
    va_start(args, format);
    put_members(out, format, args);
    va_end(args);
    xds_json_end_object(out);
}
