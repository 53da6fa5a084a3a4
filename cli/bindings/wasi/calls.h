/* calls.h - what xdscope.wasm exports, see cli/bindings/README.md. */
#ifndef XDS_BINDINGS_CALLS_H
#define XDS_BINDINGS_CALLS_H

#include <stddef.h>

/* Memory for a request; NULL: there is none. */
void *xdscope_alloc(size_t size);
void xdscope_free(void *memory);
/* The exit status of the program. */
int xdscope_lint(const char *request, size_t size);
int xdscope_explain(const char *request, size_t size);
int xdscope_diff(const char *request, size_t size);
/* What the latest call printed; valid until the next one. */
const char *xdscope_output(void);
size_t xdscope_output_size(void);

#endif
