/* runtime.c - what Debian's compiler-rt for WebAssembly expects of a libc, and wasi-libc
 * does not have. */
#include <stdint.h>

extern uintptr_t __stack_chk_guard;
_Noreturn void __stack_chk_fail(void);

uintptr_t __stack_chk_guard = 0x5ca1ab1e;

void __stack_chk_fail(void)
{
    __builtin_trap();
}
