"""Surroundings that lack something, and what a program must make of each."""
import functools
import itertools
import os
import subprocess
import threading

from programs import FOLDER

# The exit codes of our programs (Docs/CommandLine.md), and of the system's loader for a program that it cannot start.
FAILED, USAGE, NO_KEYS, NO_ADDRESS, RESOURCE, LOADER = 1, 2, 3, 4, 5, 127

# What stands before a command.

WITHOUT_PROC = ["unshare", "--map-root-user", "--mount", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]
WITHOUT_DEV = ["unshare", "--map-root-user", "--mount", "sh", "-c", 'mount -t tmpfs none /dev && exec "$@"', "sh"]


def redirected(redirection):
    return ["sh", "-c", f'exec "$@" {redirection}', "sh"]


OUTPUTS, ERRORS, INPUT = (">/dev/full", ">&-"), ("2>&-", "2>/dev/full"), "<&-"


# Where the result is the same.

@functools.cache
def faketime():
    listed = subprocess.run(["dpkg", "-L", "libfaketime"], capture_output=True, text=True).stdout.split()
    return next((path for path in listed if path.endswith("libfaketime.so.1")), None)


@functools.cache
def turkish():
    """A folder with the locale of Turkey, where `I` is not the capital of `i`; None if the system has no sources of locales."""
    folder = FOLDER / "locales"
    folder.mkdir(exist_ok=True)
    command = ["localedef", "--no-archive", "-i", "tr_TR", "-f", "UTF-8", folder / "tr_TR.UTF-8"]
    try:
        subprocess.run(command, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return str(folder)


FALSE_CLOCK, NO_KEYS_LEFT = "a false clock", "no algorithms of libcrypto"
DEAD = "http://127.0.0.1:1"
UNREADABLE = FOLDER / "unreadable.cnf"
UNREADABLE.write_text("[i\n=\n")
# What a program reads only where it has a use for it: a mistyped value then takes nothing away.
MISTYPED = {
    "NO_COLOR": "", "TERM": "no-such-terminal", "COLORTERM": "??", "HOME": "home", "TMPDIR": "/nonexistent",
    "LISTEN_FDS": "three", "LISTEN_PID": "one", "LISTEN_FDNAMES": ":::", "NOTIFY_SOCKET": "no such socket",
    "http_proxy": DEAD, "https_proxy": DEAD, "ALL_PROXY": DEAD, "HTTPS_PROXY": DEAD, "SSLKEYLOGFILE": "/nonexistent/keys",
    "SSL_CERT_FILE": "/nonexistent/authorities", "SSL_CERT_DIR": "/nonexistent", "OPENSSL_MODULES": "/nonexistent",
    "OPENSSL_CONF": str(UNREADABLE),
}


def same():
    """Name, words before the command, and variables."""
    if library := faketime():
        yield FALSE_CLOCK, [], {"LD_PRELOAD": library, "FAKETIME": "@2001-01-01 00:00:00"}
    if folder := turkish():
        yield "a Turkish locale", [], {"LOCPATH": folder, "LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8", "TZ": "Europe/Istanbul"}
    yield "another time zone", [], {"TZ": "Asia/Kathmandu"}
    yield "no such locale and time zone", [], {"LC_ALL": "xx_YY.nothing", "LC_MESSAGES": "/", "LANG": "e", "TZ": ":/nonexistent"}
    yield "an empty environment", ["env", "-i"], {}
    # A relative path counts as none (XDG Base Directory Specification).
    yield "a mistyped folder of state", [], {"XDG_STATE_HOME": "elsewhere/state"}


def same_for(needs):
    """The same for a program with these needs, and mistyped variables that it has no use for."""
    yield from same()
    unread = [fault.variables for fault in faults() if fault.part not in needs]
    yield "mistyped variables", [], {name: value for variables in (MISTYPED, *unread) for name, value in variables.items()}


# Where it is an error of its own.

NO_PROVIDER = "openssl_conf=i\n[i]\nproviders=p\n[p]\nnowhere=d\nnull=d\n[d]\nactivate=1\n"
NO_FIPS = "openssl_conf=i\n[i]\nproviders=p\nalg_section=a\n[p]\ndefault=d\n[d]\nactivate=1\n[a]\ndefault_properties=fips=yes\n"


class Fault:
    """Variables that stop a program which reads them, with its exit codes and a word of its sentence. `part` is what they take from it: the
    engine, libcrypto, the key of the server, or the outbox of a server in development."""

    def __init__(self, name, variables, part, codes, word):
        self.name, self.variables, self.part, self.codes, self.word = name, variables, part, codes, word


@functools.cache
def faults():
    files = [FOLDER / "no-provider.cnf", FOLDER / "no-fips-provider.cnf"]
    for file, text in zip(files, (NO_PROVIDER, NO_FIPS)):
        file.write_text(text)
    return [
        *(Fault(file.stem, {"OPENSSL_CONF": str(file)}, "libcrypto", [NO_KEYS], b"libcrypto") for file in files),
        *(Fault(f"ASSAY_ENGINE={word!r}", {"ASSAY_ENGINE": word}, "engine", [USAGE], b"ASSAY_ENGINE")
          for word in ("openssI", "IFMA", " tables")),
        Fault("a key of the server with a digit less", {"ASSAY_IDAAS_KEY": "0" * 63}, "server key", [USAGE], b"ASSAY_IDAAS_KEY"),
        Fault("another key of the server", {"ASSAY_IDAAS_KEY": "0" * 64}, "server key", [FAILED, USAGE], b"another server key"),
        Fault("a mistyped token of development", {"ASSAY_DEV_TOKEN": "mistyped"}, "outbox", [FAILED], b"outbox"),
    ]


# Where there is too little of something. The largest number of each is enough. A server has more threads and descriptors on more cores.

DESCRIPTORS = (3, 4, 5, 6, 8, 10, 12, 16, 24, 40)
MEBIBYTES = (100, 120, 140, 160, 180, 200, 240, 280, 300, 320, 350, 380, 400, 500, 700, 1_000)
THREADS = (1, 2, 4, 5, 8, 16, 64)
# Mebibytes of data (RLIMIT_DATA), which are the heap and the stacks of threads. With fewer the loader ends by a signal.
DATA = (20, 30, 40, 44, 46, 48, 52, 56, 60, 64, 68, 80, 120, 1_000)
CORES = os.cpu_count() or 1
# Root is exempt from the limit of processes, so these checks are another user's, whose session is in a folder of its own. The limit counts
# all processes of a user, such as workers of a gateway that are nobody's. So this user has no others, and one check at a time.
OTHER, STATE_OF_OTHER = 60_999, FOLDER / "state-of-other"
ALONE = threading.Lock()
# A user for each check of a server.
USERS = itertools.count(61_000)


def user_of(words):
    """The user as whom the words before a command have it run; None: this one."""
    return next((int(word.partition("=")[2]) for word in words if str(word).startswith("--reuid=")), None)


def limits(descriptors=DESCRIPTORS, mebibytes=MEBIBYTES, threads=THREADS, data=(), user=lambda: OTHER):
    """Name, words before the command, variables, and whether there is enough."""
    for number in descriptors:
        yield f"{number} descriptors", ["prlimit", f"--nofile={number}"], {}, number == max(descriptors)
    for number in mebibytes:
        yield f"{number} MB", ["prlimit", f"--as={number << 20}"], {}, number == max(mebibytes)
    for number in data:
        yield f"{number} MB of data", ["prlimit", f"--data={number << 20}"], {}, number == max(data)
    if os.geteuid() == 0:
        for number in threads:
            words = ["setpriv", f"--reuid={user()}", "--clear-groups", "prlimit", f"--nproc={number}"]
            yield f"{number} threads", words, {"XDG_STATE_HOME": str(STATE_OF_OTHER)}, number == max(threads)
