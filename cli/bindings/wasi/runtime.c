/* runtime.c - what Debian's compiler-rt for WebAssembly expects of a libc, and wasi-libc
 * does not have, or has slower. */
#include <stdint.h>
#include <string.h>

extern uintptr_t __stack_chk_guard;
_Noreturn void __stack_chk_fail(void);

uintptr_t __stack_chk_guard = 0x5ca1ab1e;

void __stack_chk_fail(void)
{
    __builtin_trap();
}

#ifdef __wasm__
/* wasi-libc's is a loop over words; this one is an instruction. A call clears some 200
 * kB.
 */
__attribute__((target("bulk-memory"))) void *memset(void *to, int byte, size_t n)
{
    return __builtin_memset(to, byte, n);
}
#endif
