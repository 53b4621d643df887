/** Top-level modules of the standard library, 3.8 to 3.13; private ones (`_thread`) aside. */
export const STANDARD_MODULES: ReadonlySet<string> = words(`
  abc aifc antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii binhex
  bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys
  compileall concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses
  datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl
  filecmp fileinput fnmatch formatter fractions ftplib functools gc genericpath getopt getpass gettext glob
  graphlib grp gzip hashlib heapq hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress
  itertools json keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap
  modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator
  optparse os ossaudiodev parser pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix
  posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re
  readline reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site
  smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics
  string stringprep struct subprocess sunau symbol symtable sys sysconfig syslog tabnanny tarfile telnetlib
  tempfile termios textwrap this threading time timeit tkinter token tokenize tomllib trace traceback
  tracemalloc tty turtle turtledemo types typing unicodedata unittest urllib uu uuid venv warnings wave weakref
  webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo
`);

/** Names that every module sees. */
export const BUILTINS: ReadonlySet<string> = words(`
  ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError
  BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError
  ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning EnvironmentError Exception
  ExceptionGroup FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError
  ImportError ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError
  KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError NotADirectoryError NotImplemented
  NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError
  RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration
  SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError TypeError UnboundLocalError
  UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError
  Warning ZeroDivisionError abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr
  classmethod compile complex copyright credits delattr dict dir divmod enumerate eval exec exit filter float
  format frozenset getattr globals hasattr hash help hex id input int isinstance issubclass iter len license
  list locals map max memoryview min next object oct open ord pow print property quit range repr reversed round
  set setattr slice sorted staticmethod str sum super tuple type vars zip __import__ __build_class__ reveal_type
  WindowsError
  __name__ __file__ __doc__ __package__ __spec__ __loader__ __path__ __annotations__ __builtins__ __class__ __debug__
`);

/** Methods of strings, containers, files and paths: the object is likely one of these, not the only class with the name. */
export const COMMON_MEMBERS: readonly string[] = [
  ...words(`
  abspath acquire add append as_integer_ratio basename bit_count bit_length buffer capitalize casefold center
  clear close closed communicate conjugate copy count decode denominator detach difference difference_update
  dirname discard encode encoding endswith errors exists expandtabs extend fileno find findall flush format
  format_map from_bytes fromhex fromkeys get getsize group groups hex imag index insert intersection
  intersection_update is_integer isalnum isalpha isascii isatty isdecimal isdigit isdir isdisjoint isfile
  isidentifier islower isnumeric isprintable isspace issubset issuperset istitle isupper items join keys
  line_buffering ljust lower lstrip maketrans match name newlines numerator partition poll pop popitem read
  readable readline readlines real reconfigure recv release remove removeprefix removesuffix replace reverse
  rfind rindex rjust rpartition rsplit rstrip search seek seekable send setdefault sort split splitext
  splitlines startswith strip sub swapcase symmetric_difference symmetric_difference_update tell title to_bytes
  translate truncate union update upper utime values writable write write_through writelines zfill
`),
];

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ''));
}
