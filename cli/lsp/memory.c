/* memory.c - memory that may be missing: an answer is left out then, and the exit code
 * says so. */
#include "cli/lsp/lsp.h"

#include <stdlib.h>
#include <string.h>

static unsigned lacks;

void lsp_lack(void)
{
    lacks++;
}

unsigned lsp_lacks(void)
{
    return lacks;
}

void *lsp_alloc(size_t size)
{
    void *memory = malloc(size);

    if (!memory)
        lsp_lack();
    return memory;
}

char *lsp_copy(struct xds_slice text)
{
    char *copy = lsp_alloc(text.len + 1);

    if (!copy)
        return NULL;
    if (text.len > 0)
        memcpy(copy, text.data, text.len);
    copy[text.len] = '\0';
    return copy;
}
