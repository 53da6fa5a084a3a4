/* fnmatch.h - for Windows: patterns. */
#ifndef XDS_WINDOWS_FNMATCH_H
#define XDS_WINDOWS_FNMATCH_H

int posix_fnmatch(const char *pattern, const char *text);
#define fnmatch(pattern, text, flags) posix_fnmatch(pattern, text)

#endif
