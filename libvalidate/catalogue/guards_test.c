/* guards_test.c - variables by the rows that a source cites. */
#include <criterion/criterion.h>

#include "catalogue/rule.h"

/* The variables of a source, each followed by a blank. */
static const char *guards_of(const char *source)
{
    static char text[1024];
    const struct xds_rule rule = {.source = source};
    enum xds_env env;
    size_t i = 0;

    text[0] = '\0';
    while (xds_rule_guard(&rule, &i, &env)) {
        strcat(text, xds_env_name(env));
        strcat(text, " ");
    }
    return text;
}

Test(guards, a_variable_belongs_to_the_rows_that_a_source_cites)
{
    static const struct row {
        const char *source, *guards;
    } rows[] = {
        {"gRFC A28, spec G42, G55", ""},
        {"gRFC A47, spec G8", "GRPC_EXPERIMENTAL_XDS_FEDERATION "},
        {"spec G80", "GRPC_EXPERIMENTAL_XDS_COMPOSITE_FILTER "},
        {"spec H4b, 12.3", "GRPC_XDS_EXPERIMENTAL_ENABLE_RING_HASH "},
        {"spec H-1", ""},
        {"spec FM10", ""},
        {"spec F1, F2", "GRPC_XDS_EXPERIMENTAL_FAULT_INJECTION "},
        {"spec F1, FI3", "GRPC_XDS_EXPERIMENTAL_FAULT_INJECTION "},
        {"gRFC A101, spec cluster 1.14/5", "GRPC_EXPERIMENTAL_XDS_SNI "},
        {"spec cluster 1.14/1", ""},
        {"spec cluster 1.1/4", ""},
        {"spec cluster 1.6.1/1", ""},
        {"spec cluster 1.3/2, 1.16/2", "GRPC_EXPERIMENTAL_XDS_SYSTEM_ROOT_CERTS "},
        {"RFC 8259 2", ""},
        {"", ""},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++)
        cr_expect_str_eq(guards_of(rows[i].source), rows[i].guards, "%s", rows[i].source);
}
