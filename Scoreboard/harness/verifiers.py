"""The verifiers: their names, their versions, the Debian packages they need, and how their adapters are started."""

from dataclasses import dataclass
from typing import Callable, Optional

import building
import clock
from building import Unavailable, debian, gehirn, go, node, python, rust, script, shared, wheel


@dataclass(frozen=True)
class Verifier:
    name: str
    language: str
    build: Callable  # takes the folder for what is built, returns a command
    version: Callable[[], Optional[str]]
    packages: tuple = ()  # of Debian
    clock: str = "system"  # own: the adapter hands the time over; threads: the system's, in a program with threads

    def command(self, work):
        lacking = [package for package in self.packages if debian(package) is None]
        if lacking:
            raise Unavailable(f"not installed: {' '.join(lacking)}")
        if self.clock != "own" and clock.library() is None:
            raise Unavailable("not installed: libfaketime")
        return [str(part) for part in self.build(work)]

    def environment(self, now):
        return {} if self.clock == "own" else clock.stopped(now, threads=self.clock == "threads")


def of_pypi(name, source, module=None):
    return Verifier(name, "Python", python(source), lambda: wheel(module or name))


def of_debian(name, language, source, *packages):
    """A library in C, which Python calls."""
    return Verifier(name, language, python(source), lambda: debian(packages[0]), packages)


VERIFIERS = [
    of_pypi("PyJWT", "pyjwt"),
    of_pypi("joserfc", "joserfc"),
    of_pypi("Authlib", "authlib"),
    of_pypi("python-jose", "python_jose"),
    of_pypi("jwcrypto", "jwcrypto"),
    of_pypi("oxyjwt", "oxyjwt"),
    of_pypi("cryptojwt", "cryptojwt"),
    of_pypi("google-auth", "google_auth"),
    of_pypi("jwskate", "jwskate"),
    of_pypi("josepy", "josepy"),
    of_pypi("python-jwt", "python_jwt"),
    Verifier("jwt of Gehirn", "Python", gehirn("gehirn_jwt"), building.of_gehirn),
    of_debian("libjwt", "C", "libjwt", "libjwt0"),
    of_debian("cjose", "C", "cjose", "libcjose0"),
    of_debian("José", "C", "jose", "libjose0", "libjansson4"),
    of_debian("Rhonabwy", "C", "rhonabwy", "librhonabwy1.1"),
]

# Well-known verifiers that are not judged, with the reasons.
ABSENT = {
}
