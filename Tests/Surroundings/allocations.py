"""Commands whose code in C gets no memory, at one call or from one on, and commands that get no thread. A good token must not look like a
bad one."""
import functools
import subprocess
import threading

from modules import Missing
from programs import ASSAY, FOLDER, ROOT, run
from surroundings import RESOURCE

# Calls that are tried, from the first to the last.
POINTS = 16
# More threads than a batch with two jobs makes, with those that are tried at its start.
THREADS = 16


@functools.cache
def library():
    """The path of the library to preload."""
    found = subprocess.run([ROOT / "scripts/clang.sh"], capture_output=True, text=True)
    if found.returncode != 0:
        raise Missing("there is no clang for the library that lets calls fail")
    path = FOLDER / "failing_calls.so"
    subprocess.run([found.stdout.strip(), "-O1", "-shared", "-fPIC", "-o", path, ROOT / "Tests/Surroundings/failing_calls.c"], check=True)
    return path


def whole(words, given):
    """The outcome with all memory, and the number of calls."""
    count = FOLDER / f"calls-{threading.get_ident()}"
    outcome = run(words, {"LD_PRELOAD": str(library()), "MALLOC_COUNT": str(count)}, given)
    assert outcome.code == 0, outcome
    return outcome, int(count.read_text())


def says_so(words, given):
    """Ends with 5 and a sentence, or as with memory."""
    for outcome, calls in without_answer(words, given):
        assert outcome.code == RESOURCE and b"this program needs more memory" in outcome.errors, (calls, outcome)


def never_blames_another(words, given):
    """The same; or the program ends by a signal, as the code of the server does where it cannot authenticate what it stores."""
    for outcome, calls in without_answer(words, given):
        assert outcome.code < 0 or outcome.code == RESOURCE and b"this program needs more memory" in outcome.errors, (calls, outcome)


def needs_threads(words, given):
    """The same where the system gives threads up to a number."""
    expected, _ = whole(words, given)
    for number in range(1, THREADS + 1):
        outcome = run(words, {"LD_PRELOAD": str(library()), "THREADS_FAIL": str(number)}, given)
        if outcome != expected:
            assert outcome.code == RESOURCE and b"this program needs" in outcome.errors, (number, outcome)
    assert outcome == expected, outcome


def without_answer(words, given):
    """The outcomes that differ from the one with all memory, and the calls that failed."""
    expected, last = whole(words, given)
    for point in range(POINTS):
        number = 1 + (last - 1) * point // (POINTS - 1)
        for end in (number, last):
            variables = {"MALLOC_FAILS": str(number), "MALLOC_FAILS_LAST": str(end), "SWIFT_BACKTRACE": "enable=no"}
            outcome = run(words, {"LD_PRELOAD": str(library()), **variables}, given)
            if outcome != expected:
                yield outcome, (number, end)


def checks(issuer, identity):
    """Name, function and arguments of each check, in a list."""
    verify = [ASSAY, "verify", "--keys", issuer.keys, "--at", "1700000000"]
    batch = [*verify, "--batch", "-", "--jobs", "2", "--quiet"]
    library()
    asked = [
        ("verify", verify, issuer.token),
        ("batch", batch, 100 * issuer.token),
        ("inspect", [ASSAY, "inspect", "--at", "1700000000"], issuer.token),
        ("sign", [ASSAY, "sign", "--key", issuer.steady_key, issuer.claims("2096-01-01")], b""),
        ("keys", [ASSAY, "keys", issuer.keys], b""),
        ("conformance", [ASSAY, "conformance", ROOT / "vectors/issuer.json", ROOT / "vectors/encrypted/rfc-examples.json"], b""),
    ]
    found = [(f"{name} whose code in C gets no memory", says_so, ([*map(str, words)], given)) for name, words, given in asked]
    administration = [ASSAY, "idaas", "client", "list", "--dev", "--db", str(identity.database)]
    found.append(("batch without threads", needs_threads, ([*map(str, batch)], 100 * issuer.token)))
    return [*found, ("client list whose code in C gets no memory", never_blames_another, (administration, b""))]
