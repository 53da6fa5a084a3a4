/* signal.h - for WASI, which has no signals: only what libvalidate/ uses. */
#ifndef XDS_WASI_SIGNAL_H
#define XDS_WASI_SIGNAL_H

#include <sys/types.h>

#define SIG_SETMASK 0
#define sigfillset(set) (*(set) = 0)
#define pthread_sigmask(how, set, before) ((void)(how), (void)(set), (void)(before), 0)

#endif
