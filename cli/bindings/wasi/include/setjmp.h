/*
 * setjmp.h - for WASI, which has no way back out of functions: a jump ends the call.
 *
 * The host sees the instance trap, and makes another for its next call.
 */
#ifndef XDS_WASI_SETJMP_H
#define XDS_WASI_SETJMP_H

typedef int jmp_buf[1];

#define setjmp(buffer) ((void)(buffer), 0)
#define longjmp(buffer, value) ((void)(buffer), (void)(value), __builtin_trap())

#endif
