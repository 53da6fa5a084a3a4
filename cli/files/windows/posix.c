/*
 * posix.c - of POSIX what this program uses, for Windows; the headers in include/ lead
 * here.
 *
 * Paths are UTF-8, with slashes as Windows takes them, too.
 */
#define XDS_WINDOWS_ITSELF
#include <sys/socket.h>

#include <windows.h>

#include <direct.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <locale.h>
#include <shellapi.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fnmatch.h>

/* Of the C library, not ours. */
#undef open
#undef fclose
#undef rename
#undef isatty
#undef access
#undef raise
#undef signal
#undef sigaction
#undef inet_pton
#undef inet_ntop

int xds_program_main(int argc, char **argv);
const char *posix_inet_ntop(int family, const void *address, char *text, unsigned size);
int posix_inet_pton(int family, const char *text, void *address);
void *posix_memmem(const void *in, size_t n, const void *what, size_t len);

/* ---- errors and names ---- */

static int fail(DWORD why)
{
    switch (why) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_NETPATH:
        errno = ENOENT;
        break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
        errno = EACCES;
        break;
    case ERROR_ALREADY_EXISTS:
    case ERROR_FILE_EXISTS:
        errno = EEXIST;
        break;
    case ERROR_DIR_NOT_EMPTY:
        errno = ENOTEMPTY;
        break;
    case ERROR_DISK_FULL:
        errno = ENOSPC;
        break;
    default:
        errno = EIO;
    }
    return -1;
}

static wchar_t *wide(const char *path)
{
    const int n = MultiByteToWideChar(CP_UTF8, 0, path, -1, NULL, 0);
    wchar_t *text = malloc(((size_t)n + 1) * sizeof *text);

    if (text)
        (void)MultiByteToWideChar(CP_UTF8, 0, path, -1, text, n);
    return text;
}

static char *narrow(const wchar_t *path)
{
    const int n = WideCharToMultiByte(CP_UTF8, 0, path, -1, NULL, 0, NULL, NULL);
    char *text = malloc((size_t)n + 1);

    if (text)
        (void)WideCharToMultiByte(CP_UTF8, 0, path, -1, text, n, NULL, NULL);
    return text;
}

static void use_slashes(char *path)
{
    for (; *path; path++)
        if (*path == '\\')
            *path = '/';
}

/* ---- files ---- */

static int stat_of(HANDLE file, struct posix_stat *info)
{
    BY_HANDLE_FILE_INFORMATION found;

    *info = (struct posix_stat){.st_nlink = 1};
    switch (GetFileType(file)) {
    case FILE_TYPE_CHAR:
        info->st_mode = S_IFCHR | 0666;
        info->st_ino = (uint64_t)(uintptr_t)file;
        return 0;
    case FILE_TYPE_PIPE:
        info->st_mode = S_IFIFO | 0666;
        info->st_ino = (uint64_t)(uintptr_t)file;
        return 0;
    default:
        break;
    }
    if (!GetFileInformationByHandle(file, &found))
        return fail(GetLastError());
    const bool folder = (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
    /* In units of 100 ns, from 1601 on. */
    const uint64_t time = ((uint64_t)found.ftLastWriteTime.dwHighDateTime << 32 |
                           found.ftLastWriteTime.dwLowDateTime) -
                          116444736000000000u;

    info->st_dev = found.dwVolumeSerialNumber;
    info->st_ino = (uint64_t)found.nFileIndexHigh << 32 | found.nFileIndexLow;
    info->st_mode = folder ? S_IFDIR | 0777 : S_IFREG | 0666;
    info->st_nlink = found.nNumberOfLinks;
    info->st_size = (int64_t)((uint64_t)found.nFileSizeHigh << 32 | found.nFileSizeLow);
    info->st_mtim.tv_sec = (time_t)(time / 10000000u);
    info->st_mtim.tv_nsec = (long)(time % 10000000u) * 100;
    return 0;
}

int posix_stat(const char *path, struct posix_stat *info)
{
    wchar_t *name = wide(path);
    HANDLE file =
        name
            ? CreateFileW(name, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                          NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL)
            : INVALID_HANDLE_VALUE;

    free(name);
    if (file == INVALID_HANDLE_VALUE)
        return fail(GetLastError());
    const int result = stat_of(file, info);

    (void)CloseHandle(file);
    return result;
}

int posix_fstat(int fd, struct posix_stat *info)
{
    const intptr_t file = _get_osfhandle(fd);

    return file < 0 ? -1 : stat_of((HANDLE)file, info);
}

/* Folders cannot be opened. */
int posix_open(const char *path, int flags, ...)
{
    wchar_t *name = wide(path);
    struct posix_stat info;

    if (!name)
        return -1;
    const int fd = flags & O_DIRECTORY
                       ? -1
                       : _wopen(name, (flags & ~(O_NONBLOCK | O_DIRECTORY)) | _O_BINARY,
                                _S_IREAD | _S_IWRITE);

    free(name);
    if (fd < 0 && posix_stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        errno = EISDIR;
    return fd;
}

int posix_fcntl(int fd, int command, ...)
{
    u_long on = 1;

    switch (command) {
    case F_GETFD:
        return _get_osfhandle(fd) == -1 ? -1 : 0;
    case F_DUPFD_CLOEXEC:
        return _dup(fd);
    case F_SETFL: /* only sockets, and only so */
        return ioctlsocket((SOCKET)fd, FIONBIO, &on) == 0 ? 0 : -1;
    default:
        return 0;
    }
}

int posix_access(const char *path, int mode)
{
    wchar_t *name = wide(path);
    const int result = name ? _waccess(name, mode & (R_OK | W_OK)) : -1;

    free(name);
    return result;
}

int posix_isatty(int fd)
{
    DWORD mode;

    return _isatty(fd) && GetConsoleMode((HANDLE)_get_osfhandle(fd), &mode) ? 1 : 0;
}

int posix_fsync(int fd)
{
    return _commit(fd);
}

ssize_t posix_pread(int fd, void *to, size_t size, int64_t offset)
{
    OVERLAPPED at = {.Offset = (DWORD)offset,
                     .OffsetHigh = (DWORD)((uint64_t)offset >> 32)};
    const DWORD most = size > 1u << 30 ? 1u << 30 : (DWORD)size;
    DWORD n = 0;

    if (ReadFile((HANDLE)_get_osfhandle(fd), to, most, &n, &at))
        return (ssize_t)n;
    return GetLastError() == ERROR_HANDLE_EOF ? 0 : fail(GetLastError());
}

/* A folder takes the place of an empty one only once that is gone. */
static bool move(const wchar_t *from, const wchar_t *to)
{
    const DWORD is = GetFileAttributesW(to);

    if (is != INVALID_FILE_ATTRIBUTES && (is & FILE_ATTRIBUTE_DIRECTORY) &&
        !RemoveDirectoryW(to))
        return false;
    return MoveFileExW(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH);
}

int posix_rename(const char *from, const char *to)
{
    wchar_t *a = wide(from), *b = wide(to);
    const bool good = a && b && move(a, b);
    const DWORD why = GetLastError();

    free(a);
    free(b);
    return good ? 0 : fail(why);
}

char *posix_realpath(const char *path, char *none)
{
    struct posix_stat info;
    wchar_t *name = wide(path), *whole = NULL;
    char *result = NULL;

    (void)none;
    if (name && posix_stat(path, &info) == 0)
        whole = _wfullpath(NULL, name, 0);
    if (whole)
        result = narrow(whole);
    if (result)
        use_slashes(result);
    free(whole);
    free(name);
    return result;
}

/* Random letters in place of the six X before the suffix. */
static bool fill_in(char *path, int suffix)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    char *to = path + strlen(path) - suffix - 6;

    for (int i = 0; i < 6; i++) {
        LARGE_INTEGER ticks;
        static uint64_t state;

        (void)QueryPerformanceCounter(&ticks);
        state = (state ^ (uint64_t)ticks.QuadPart ^ GetCurrentProcessId()) *
                    6364136223846793005u +
                1442695040888963407u;
        to[i] = letters[(state >> 33) % (sizeof letters - 1)];
    }
    return true;
}

int posix_mkostemps(char *path, int suffix, int flags)
{
    for (int i = 0; i < 100; i++) {
        (void)fill_in(path, suffix);
        const int fd = posix_open(path, _O_RDWR | _O_CREAT | _O_EXCL | flags);

        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

char *posix_mkdtemp(char *path)
{
    for (int i = 0; i < 100; i++) {
        (void)fill_in(path, 0);
        if (_mkdir(path) == 0)
            return path;
        if (errno != EEXIST)
            return NULL;
    }
    return NULL;
}

/* ---- files in memory: a temporary one, read when it is closed ---- */

static struct in_memory {
    FILE *file;
    char **text;
    size_t *len;
} in_memory[8];

FILE *posix_open_memstream(char **text, size_t *len)
{
    for (size_t i = 0; i < sizeof in_memory / sizeof *in_memory; i++)
        if (!in_memory[i].file) {
            in_memory[i] = (struct in_memory){tmpfile(), text, len};
            return in_memory[i].file;
        }
    return NULL;
}

static int take(struct in_memory *from)
{
    FILE *file = from->file;
    const long n = fflush(file) == 0 ? ftell(file) : -1;
    char *text = n < 0 ? NULL : malloc((size_t)n + 1);

    from->file = NULL;
    rewind(file);
    const bool good = text && fread(text, 1, (size_t)n, file) == (size_t)n;

    if (good)
        text[n] = '\0';
    else
        free(text);
    *from->text = good ? text : NULL;
    *from->len = good ? (size_t)n : 0;
    return fclose(file) == 0 && good ? 0 : EOF;
}

int posix_fclose(FILE *file)
{
    for (size_t i = 0; i < sizeof in_memory / sizeof *in_memory; i++)
        if (in_memory[i].file == file)
            return take(&in_memory[i]);
    return fclose(file);
}

/* ---- texts ---- */

void *posix_memmem(const void *in, size_t n, const void *what, size_t len)
{
    for (const char *at = in; n >= len; at++, n--)
        if (memcmp(at, what, len) == 0)
            return (void *)(uintptr_t)at;
    return NULL;
}

const char *posix_strerror(int why)
{
    switch (why) {
    case ECONNREFUSED:
        return "Connection refused";
    case ECONNRESET:
        return "Connection reset by peer";
    case ETIMEDOUT:
        return "Connection timed out";
    case EHOSTUNREACH:
        return "No route to host";
    case EAFNOSUPPORT:
        return "Address family not supported";
    default:
        return (strerror)(why);
    }
}

/* The end of a set of characters after its "[", or NULL; *has: c is in it. */
static const char *match_set(const char *set, char c, bool *has)
{
    const bool negated = *set == '!' || *set == '^';
    bool found = false;

    set += negated;
    for (const char *first = set; *set && (*set != ']' || set == first); set++) {
        if (set[1] == '-' && set[2] && set[2] != ']') {
            found = found || (c >= set[0] && c <= set[2]);
            set += 2;
        } else {
            found = found || c == *set;
        }
    }
    *has = found != negated;
    return *set ? set + 1 : NULL;
}

int posix_fnmatch(const char *pattern, const char *text)
{
    for (; *pattern; text++) {
        const char *after = NULL;
        bool has = false;

        if (*pattern == '*') {
            while (*pattern == '*')
                pattern++;
            for (; *text; text++)
                if (posix_fnmatch(pattern, text) == 0)
                    return 0;
            return *pattern ? 1 : 0;
        }
        if (!*text)
            return 1;
        if (*pattern == '[')
            after = match_set(pattern + 1, *text, &has);
        if (after) {
            pattern = after;
        } else {
            pattern += *pattern == '\\' && pattern[1];
            has = *pattern == '?' || *pattern == *text;
            pattern++;
        }
        if (!has)
            return 1;
    }
    return *text ? 1 : 0;
}

/* ---- the machine ---- */

long posix_processors(void)
{
    SYSTEM_INFO info;

    GetSystemInfo(&info);
    return (long)info.dwNumberOfProcessors;
}

int posix_winsize(int fd, struct winsize *size)
{
    CONSOLE_SCREEN_BUFFER_INFO info;

    if (!GetConsoleScreenBufferInfo((HANDLE)_get_osfhandle(fd), &info))
        return -1;
    size->ws_col = (unsigned short)(info.srWindow.Right - info.srWindow.Left + 1);
    size->ws_row = (unsigned short)(info.srWindow.Bottom - info.srWindow.Top + 1);
    return 0;
}

/* ---- signals ---- */

static struct sigaction actions[32];

static void on_signal(int number)
{
    (void)signal(number, on_signal); /* it was reset */
    actions[number].sa_handler(number);
}

int posix_sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    if (old)
        *old = actions[number];
    if (!action)
        return 0;
    actions[number] = *action;
    if (number == SIGINT || number == SIGTERM)
        (void)signal(number,
                     action->sa_handler == SIG_DFL || action->sa_handler == SIG_IGN
                         ? action->sa_handler
                         : on_signal);
    return 0;
}

int posix_raise(int number)
{
    if (actions[number].sa_handler == SIG_IGN)
        return 0;
    if (actions[number].sa_handler == SIG_DFL)
        _exit(128 + number);
    actions[number].sa_handler(number);
    return 0;
}

/* ---- sockets ---- */

static int socket_failed(void)
{
    switch (WSAGetLastError()) {
    case WSAEWOULDBLOCK:
        errno = EAGAIN;
        break;
    case WSAECONNREFUSED:
        errno = ECONNREFUSED;
        break;
    case WSAECONNRESET:
        errno = ECONNRESET;
        break;
    case WSAETIMEDOUT:
        errno = ETIMEDOUT;
        break;
    case WSAENETUNREACH:
    case WSAEHOSTUNREACH:
        errno = EHOSTUNREACH;
        break;
    case WSAEAFNOSUPPORT:
        errno = EAFNOSUPPORT;
        break;
    default:
        errno = EIO;
    }
    return -1;
}

int posix_socket(int family, int type, int protocol)
{
    const SOCKET made = socket(family, type, protocol);

    return made == INVALID_SOCKET ? socket_failed() : (int)made;
}

int posix_connect(int fd, const struct sockaddr *to, int size)
{
    if (connect((SOCKET)fd, to, size) == 0)
        return 0;
    (void)socket_failed();
    errno = errno == EAGAIN ? EINPROGRESS : errno;
    return -1;
}

int posix_close_socket(int fd)
{
    return closesocket((SOCKET)fd) == 0 ? 0 : socket_failed();
}

int posix_getsockopt(int fd, int level, int name, void *value, int *size)
{
    if (getsockopt((SOCKET)fd, level, name, value, size) != 0)
        return socket_failed();
    if (level == SOL_SOCKET && name == SO_ERROR && *(int *)value != 0) {
        WSASetLastError(*(int *)value);
        (void)socket_failed();
        *(int *)value = errno;
    }
    return 0;
}

int posix_setsockopt(int fd, int level, int name, const void *value, int size)
{
    return setsockopt((SOCKET)fd, level, name, value, size) == 0 ? 0 : socket_failed();
}

ssize_t posix_recv(int fd, void *to, size_t size, int flags)
{
    const int n = recv((SOCKET)fd, to, size > 1u << 30 ? 1 << 30 : (int)size, flags);

    return n < 0 ? socket_failed() : n;
}

ssize_t posix_send(int fd, const void *from, size_t size, int flags)
{
    const int n = send((SOCKET)fd, from, size > 1u << 30 ? 1 << 30 : (int)size, flags);

    return n < 0 ? socket_failed() : n;
}

/* Standard input is a pipe or a file, and no socket. */
static int input_has_more(void)
{
    DWORD n = 0;

    if (GetFileType(GetStdHandle(STD_INPUT_HANDLE)) != FILE_TYPE_PIPE)
        return 1;
    return !PeekNamedPipe(GetStdHandle(STD_INPUT_HANDLE), NULL, 0, NULL, &n, NULL) ||
           n > 0;
}

int posix_poll(struct pollfd *polled, unsigned long n, int ms)
{
    if (n == 1 && polled->fd == 0) {
        polled->revents = input_has_more() ? POLLIN : 0;
        return polled->revents != 0;
    }
    if (n == 0) {
        Sleep((DWORD)ms);
        return 0;
    }
    const int ready = WSAPoll(polled, n, ms);

    return ready < 0 ? socket_failed() : ready;
}

int posix_inet_pton(int family, const char *text, void *address)
{
    return inet_pton(family, text, address);
}

const char *posix_inet_ntop(int family, const void *address, char *text, unsigned size)
{
    return inet_ntop(family, address, text, size);
}

/* ---- the beginning ---- */

static void use_colors(DWORD stream)
{
    HANDLE console = GetStdHandle(stream);
    DWORD mode;

    if (GetConsoleMode(console, &mode))
        (void)SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

/* A path that is there has slashes from here on; what else has backslashes keeps them. */
static char *argument(const wchar_t *word)
{
    char *text = narrow(word);

    if (text && strchr(text, '\\') && GetFileAttributesW(word) != INVALID_FILE_ATTRIBUTES)
        use_slashes(text);
    return text;
}

int main(void)
{
    int argc = 0;
    wchar_t **words = CommandLineToArgvW(GetCommandLineW(), &argc);
    char **argv = words ? calloc((size_t)argc + 1, sizeof *argv) : NULL;
    WSADATA data;

    for (int i = 0; argv && i < argc; i++)
        if ((argv[i] = argument(words[i])) == NULL)
            argv = NULL;
    if (!argv)
        return 3;
    (void)_wsetlocale(LC_CTYPE, L".UTF8");
    _set_fmode(_O_BINARY);
    for (int fd = 0; fd < 3; fd++)
        (void)_setmode(fd, _O_BINARY);
    (void)SetConsoleOutputCP(CP_UTF8);
    use_colors(STD_OUTPUT_HANDLE);
    use_colors(STD_ERROR_HANDLE);
    (void)WSAStartup(MAKEWORD(2, 2), &data);
    return xds_program_main(argc, argv);
}
