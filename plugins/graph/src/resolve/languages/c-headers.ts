/** Headers of the standard libraries of C and C++, and of POSIX, without `.h`. A project may have files of these names. */
const NAMES = `
assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic stdbit
stdbool stdckdint stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype
aio cpio dirent dlfcn endian fcntl fmtmsg fnmatch ftw glob grp iconv langinfo libgen libintl monetary mqueue ndbm netdb
nl_types poll pthread pwd regex sched search semaphore spawn strings stropts syslog tar termios trace ulimit unistd utime
utmpx wordexp alloca byteswap getopt malloc memory values`;

/** Without an extension they are of C++. */
const LIBRARY = new Set(
  NAMES.trim()
    .split(/\s+/)
    .map((name) => `${name}.h`),
);

/** True for a header in angle brackets that is the library's, whatever files the project has. */
export function isLibraryHeader(path: string): boolean {
  return LIBRARY.has(path) || /^[a-z_]+$/.test(path);
}
