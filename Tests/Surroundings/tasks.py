"""What our programs are asked that ends by itself, with the code of the answer in whole surroundings."""
import contextlib
import functools
import http.server
import itertools
import os
import re
import subprocess
import threading

from programs import ASSAY, BUILD, FOLDER, ROOT, run
from surroundings import ALONE, ERRORS, INPUT, LOADER, OTHER, OUTPUTS, RESOURCE, USAGE, user_of

from serving import Server

# Everyone may make files here.
OPEN = FOLDER / "open"
OPEN.mkdir()
OPEN.chmod(0o1777)
NUMBERS = itertools.count()
# What most of our programs need.
BASIC = ("engine", "libcrypto")


class Task:
    """A question to a program.

    needs: what a fault of the surroundings can take from the program: see `Fault.part`.
    variables: those that the question sets; surroundings may replace one.
    varying: an expression for what differs between two answers, such as a signature.
    without_input: the code of a program that cannot read its standard input.
    at_false_clock: words of an error, where others tell the time.
    impossible: surroundings in which the host of a library does not start.

    In the arguments NEW stands for the path of a new file, and NUMBER for eight digits that no other run has.
    """

    is_ours, streams, limits, refusals, impossible = True, (*OUTPUTS, *ERRORS, INPUT), {}, (RESOURCE, LOADER, USAGE), ()

    def __init__(self, name, arguments, code=0, given=b"", program=ASSAY, needs=BASIC, variables=None, varying=None, without_input=USAGE,
                 at_false_clock=None):
        self.name, self.words, self.code, self.given = name, [program, *map(str, arguments)], code, given
        self.needs, self.variables, self.varying = needs, variables or {}, varying
        self.without_input, self.at_false_clock = without_input, at_false_clock
        self.whole = None

    def learn(self):
        """Asks in whole surroundings."""
        self.whole = self.asked()
        assert self.whole and self.whole.code == self.code, (self.name, self.whole)

    def asked(self, prefix=(), environment=None):
        """The outcome in surroundings; None if the program does not end. Of the variables that the question sets, the surroundings replace
        some, and an empty environment takes none away."""
        own = [f"{name}={(environment or {}).get(name, value)}" for name, value in self.variables.items()]
        number = next(NUMBERS)
        words = [word.replace("NEW", f"{OPEN}/{number}").replace("NUMBER", f"{number:08}") for word in self.words]
        with ALONE if user_of(prefix) == OTHER else contextlib.nullcontext():
            outcome = run([*prefix, *(["env", *own] if own else []), *words], environment, self.given)
        if outcome and self.varying:
            outcome.output = re.sub(self.varying, b"...", outcome.output)
        return outcome


class Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


def serve(folder):
    """The URL of a folder's files, for as long as this program runs."""
    server = Server(("127.0.0.1", 0), functools.partial(Files, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def forged(token):
    """The token with another character in the middle of its signature."""
    head, _, signature = token.rpartition(".")
    return f"{head}.{signature[:40]}{'B' if signature[40] == 'A' else 'A'}{signature[41:]}"


class Issuer:
    """A key, and tokens under it. They are valid from 2000 on, so at a false clock too."""

    name = "https://idp.example"

    def __init__(self):
        self.key, self.keys = FOLDER / "key.jwk", FOLDER / "keys.json"
        self.keys.write_bytes(self.assay("keys", "new", "--algorithm", "ES256", self.key))
        # Its signature of a text is always the same.
        self.steady_key = FOLDER / "steady.jwk"
        self.assay("keys", "new", "--algorithm", "EdDSA", self.steady_key)
        if os.geteuid() == 0:
            # Some checks are another user's.
            os.chown(self.steady_key, OTHER, OTHER)
        self.token = self.signed("2096-01-01")
        # Valid where a false clock counts.
        self.early = self.signed("2010-01-01")
        self.forged = forged(self.token.decode()).encode()

    def assay(self, *arguments):
        return subprocess.run([ASSAY, *arguments], check=True, capture_output=True).stdout

    def claims(self, end):
        seconds = {"2010-01-01": 1_262_304_000, "2096-01-01": 3_976_214_400}[end]
        return '{"iss":"%s","sub":"jane","aud":"web","iat":946684800,"exp":%d}' % (self.name, seconds)

    def signed(self, end):
        return self.assay("sign", "--key", self.key, self.claims(end))


def of_tokens(issuer):
    keys, token, forged = issuer.keys, issuer.token, issuer.forged
    verify = ["verify", "--keys", keys, "--at", "1700000000"]
    return [
        Task("verify", verify, 0, token),
        Task("verify refuses", verify, 1, forged),
        Task("verify without keys", ["verify", "--keys", FOLDER / "none", "x.y.z"], 2),
        Task("batch", [*verify, "--batch", "-", "--jobs", "4", "--quiet"], 1, token + forged),
        Task("inspect", ["inspect", "--at", "1700000000"], 0, token, needs=("engine",)),
        Task("keys", ["keys", keys]),
        Task("keys over HTTP", ["keys", serve(FOLDER) + "/keys.json"]),
        Task("keys new", ["keys", "new", "--kid", "a", "NEW"], varying=rb'"[xy]": ?"[^"]*"'),
        Task("sign", ["sign", "--key", issuer.steady_key, issuer.claims("2096-01-01")]),
        Task("provider", ["provider", "--for-tests"], 0, b"requests\ntoken\nno command\n", varying=rb":[0-9]+|[\w-]+\.[\w-]+\.[\w-]+"),
        Task("conformance", ["conformance", ROOT / "vectors/issuer.json", ROOT / "vectors/cache/rotations.json"]),
        Task("config check", ["config", "check", FOLDER / "gateway.yaml"]),
    ]


def of_bench():
    """A measurement takes too long for every surrounding, so most show an earlier one."""
    earlier, program = FOLDER / "bench.json", str(BUILD / "bench")
    subprocess.run([program, "--quick", "--only", "refuse.junk", "--json", earlier], check=True, capture_output=True)
    return [Task("bench", ["--from", earlier, "--html", "NEW"], program=program, needs=("engine",))]
