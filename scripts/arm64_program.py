#!/usr/bin/env python3
"""Compiles a program of the package for arm64 Linux, with the compiler and the libraries of scripts/arm64_swift.sh: arm64_program.py PROGRAM

PROGRAM is `assay`, without the commands that need HTTP, `tokens` of Benchmarks/arm64, or `JWTCoreTests`. Prints the command that runs it,
in the emulator on any other machine; the program's arguments follow it. Compiles again what changed since the last time."""
import os
import re
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / ".build/arm64"
TARGET = "aarch64-unknown-linux-gnu"
PARSER = ".build/checkouts/swift-argument-parser/Sources"

# The modules of a program, in the order of their imports.
CORE = ["Locks", "JWTCore", "JWTSigning"]
PROGRAMS = {
    "tokens": CORE,
    "JWTCoreTests": CORE + ["JWTTestSupport"],
    "assay": CORE + [
        "JWKSCache", "ReplayMemory", "DPoP", "JWTDecryption", "TokenStatus", "SelectiveDisclosure", "JWSDocuments", "SharedSignals",
        "Program", "AssayTesting", "ArgumentParserToolInfo", "ArgumentParser", "CommandProgram",
    ],
}
FOLDERS = {
    "ArgumentParserToolInfo": f"{PARSER}/ArgumentParserToolInfo", "ArgumentParser": f"{PARSER}/ArgumentParser",
    "JWTTestSupport": "Tests/Support/JWTTestSupport", "CKernelAgreement": "Tests/Kernels/CKernelAgreement",
    "CForkCheck": "Tests/Support/CForkCheck", "CErrorQueue": "Tests/Support/CErrorQueue", "TestRun": "Tests/ARM64",
}
# A program's own files: folders, and files of others.
OWN = {
    "assay": ["Sources/assay"],
    "JWTCoreTests": ["Tests/Unit/JWTCoreTests", "Tests/ARM64/TestRun.swift"],
    "tokens": ["Benchmarks/arm64/Tokens"] + [
        f"Sources/bench/{name}.swift"
        for name in ["BenchTokens", "ByteStrings", "Effort", "PinnedThreads", "RawOpenSSL", "TokenKind", "TokenShare"]
    ],
}
C_MODULES = ["CJWTKernels", "COpenSSL", "CReadCopyUpdate", "CAffinity", "CProgram"]
C_OF_TESTS = ["CKernelAgreement", "CForkCheck", "CErrorQueue"]
MODULE_MAPS = ["Sources/CJansson", "Sources/CZlib", "Benchmarks/arm64/CMark"]
LIBRARIES = ["swiftCore", "swiftGlibc", "swift_Concurrency", "swift_StringProcessing", "swiftSynchronization", "swift_Builtin_float", "swiftDispatch", "dispatch",
             "BlocksRuntime", "FoundationEssentials", "Foundation"]


def main(program):
    toolchain = Path(output("scripts/arm64_swift.sh"))
    libcrypto = Path(output("scripts/arm64_libcrypto.sh"))
    BUILD.mkdir(parents=True, exist_ok=True)
    tools = Tools(toolchain, libcrypto)
    objects = tools.c_objects(C_MODULES + ([*C_OF_TESTS, "TestRun"] if is_tests(program) else []))
    objects += [tools.swift(module, [folder(module)]) for module in PROGRAMS[program]]
    objects.append(tools.swift(program, OWN[program], is_program=True))
    print(shlex.join(tools.link(program, objects)))


def folder(module):
    return ROOT / FOLDERS.get(module, f"Sources/{module}")


def is_tests(module):
    return module.endswith("Tests")


def output(*command):
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


class Tools:
    def __init__(self, toolchain, libcrypto):
        self.root, self.libcrypto, self.clang = toolchain / "arm64", libcrypto, output("scripts/clang.sh")
        self.resources = self.root / "usr/libexec/swift/lib/swift"
        host = toolchain / "host"
        libraries, swift = host / "usr/lib/x86_64-linux-gnu", host / "usr/libexec/swift"
        plugins = swift / "lib/swift/host"
        paths = [libraries, swift / "lib/swift/linux", plugins / "compiler", plugins]
        self.compiler = [libraries / "ld-linux-x86-64.so.2", "--library-path", ":".join(map(str, paths)), swift / "bin/swift-frontend"]
        self.macros = ["-in-process-plugin-server-path", plugins / "libSwiftInProcPluginServer.so", "-load-plugin-library",
                       plugins / "plugins/libTestingMacros.so"]
        headers = [libcrypto / "usr/include", libcrypto / "usr/include/aarch64-linux-gnu"]
        self.headers = [word for header in headers for word in ["-isystem", str(header)]]
        # Debian's cross compiler has the parts that begin and end a program.
        self.gcc = Path(output("aarch64-linux-gnu-gcc", "-print-libgcc-file-name")).parent
        self.headers += [f"-I{folder(module)}/include" for module in C_MODULES + C_OF_TESTS]
        # What every Swift module is compiled again after: a change here, in a C header, or of a module before it, most of which it imports.
        self.before = [Path(__file__), *(path for module in C_MODULES + C_OF_TESTS for path in folder(module).rglob("*.h"))]

    def c_objects(self, modules):
        """The C modules, by the toolchain's clang, as SwiftPM compiles them."""
        sources = [path for module in modules for path in sorted(folder(module).rglob("*.c"))]
        headers = [path for module in modules for path in folder(module).rglob("*.h")]
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            return list(threads.map(lambda source: self.c_object(source, headers), sources))

    def c_object(self, source, headers):
        made = BUILD / (str(source.relative_to(ROOT)).replace("/", "_") + ".o")
        if is_older(made, [Path(__file__), source, *headers]):
            run([self.clang, "-target", TARGET, f"--sysroot={self.root}", *self.headers, "-DOPENSSL_NO_FILENAMES", "-O2", "-fPIC",
                 "-fno-omit-frame-pointer", "-w", "-c", source, "-o", made])
        return made

    def swift(self, module, places, is_program=False):
        sources = [file for place in places for file in (sorted((ROOT / place).rglob("*.swift")) or [ROOT / place])]
        made = BUILD / f"{module}.o"
        is_current = not is_older(made, [*sources, *self.before]) and is_of(made, sources)
        self.before.append(made)
        if is_current:
            return made
        theirs = module.startswith("ArgumentParser")
        command = [*self.compiler, "-frontend", "-c", "-target", TARGET, "-sdk", self.root, "-resource-dir", self.resources, "-O", "-gnone",
                   "-parse-as-library", "-module-name", module, "-module-cache-path", BUILD / "cache", "-I", BUILD, "-num-threads", "0",
                   "-package-name", "swift-argument-parser" if theirs else "assay", "-swift-version", "5" if theirs else "6"]
        command += [] if is_program else ["-emit-module-path", BUILD / f"{module}.swiftmodule"]
        command += [] if theirs else self.package_flags()
        command += self.macros if is_tests(module) else []
        compile_for_older(module, [*command, "-o", made], sources)
        list_of(made).write_text(names(sources))
        return made

    def package_flags(self):
        """The settings of Package.swift. Swift 6.2 with assertions stops at valid code of ours, in the two checks that are off."""
        flags = ["-DCommandLine", "-strict-memory-safety", "-enable-experimental-feature", "Lifetimes", "-sil-verify-none", "-Xllvm",
                 "-sil-disable-pass=copy-propagation"]
        for feature in ["MemberImportVisibility", "InternalImportsByDefault", "ExistentialAny"]:
            flags += ["-enable-upcoming-feature", feature]
        maps = [self.module_map(module) for module in C_MODULES + C_OF_TESTS] + [ROOT / place / "module.modulemap" for place in MODULE_MAPS]
        for word in [*self.headers, "-fPIC", "-fno-omit-frame-pointer", *(f"-fmodule-map-file={place}" for place in maps)]:
            flags += ["-Xcc", word]
        return flags

    @staticmethod
    def module_map(module):
        """What SwiftPM writes for a C target that has no map of its own."""
        own = folder(module) / "include/module.modulemap"
        if own.exists():
            return own
        made = BUILD / f"{module}.modulemap"
        header = folder(module) / "include" / f"{module}.h"
        text = f'module {module} {{ umbrella header "{header}" export * }}\n'
        if not made.exists() or made.read_text() != text:
            made.write_text(text)
        return made

    def link(self, program, objects):
        libraries, made = self.resources / "linux", BUILD / program
        linked = LIBRARIES + (["Testing"] if is_tests(program) else [])
        run([self.clang, "-target", TARGET, f"--sysroot={self.root}", f"--gcc-install-dir={self.gcc}", "-fuse-ld=lld",
             libraries / "aarch64/swiftrt.o", *objects, "-L", libraries, *(f"-l{library}" for library in linked),
             self.root / "usr/lib/aarch64-linux-gnu/libjansson.a", self.libcrypto / "usr/lib/aarch64-linux-gnu/libcrypto.a",
             "-lz", "-lm", "-pthread", "-o", made])
        emulator = shutil.which("qemu-aarch64") or shutil.which("qemu-aarch64-static") or sys.exit("qemu-aarch64 is not installed")
        paths = f"{libraries}:{self.root}/usr/lib/aarch64-linux-gnu"
        return [emulator, "-L", str(self.root), "-E", f"LD_LIBRARY_PATH={paths}", str(made)]


def is_older(made, sources):
    return not made.exists() or any(source.stat().st_mtime > made.stat().st_mtime for source in sources)


def is_of(made, sources):
    """Whether it was compiled from these files: one that is gone leaves no newer time."""
    return list_of(made).exists() and list_of(made).read_text() == names(sources)


def list_of(made):
    return made.with_suffix(".sources")


def names(sources):
    return "".join(f"{source}\n" for source in sources)


def run(command):
    ended = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if ended.returncode != 0:
        sys.exit(f"{ended.stdout}{ended.stderr}"[-4000:])


LIFETIME = re.compile(r"^(\S+):(\d+):\d+: error: .*requires '@_lifetime\((\w+): \.\.\.\)'", re.M)


def compile_for_older(module, command, sources):
    """Compiles as Swift 6.2 can. Files get what it lacks in copies: it does not know `@specialized`, and wants lifetimes written that 6.3
    infers. It names those lifetimes, so the second compilation has them."""
    copies = BUILD / "sources" / module
    shutil.rmtree(copies, ignore_errors=True)
    texts = {Path(file): Path(file).read_text() for file in sources}
    places = {file: copies / f"{number}_{file.name}" for number, file in enumerate(texts)}
    for _ in range(4):
        lines = {file: re.sub(r"@specialized\(.*\)", "", text) for file, text in texts.items()}
        chosen = [written(places[file], lines[file]) if lines[file] != file.read_text() else file for file in texts]
        ended = subprocess.run([str(word) for word in [*command, *chosen]], capture_output=True, text=True)
        if ended.returncode == 0:
            return
        originals = {str(chosen[number]): file for number, file in enumerate(texts)}
        missing = {(originals[place], int(line), name) for place, line, name in LIFETIME.findall(ended.stderr)}
        if not missing:
            break
        for file, line, name in sorted(missing, key=lambda one: (one[0], -one[1], one[2])):
            texts[file] = with_lifetime(texts[file], line, name)
    # A compiler that stops names the function first, and prints its own stack last.
    said = [line[:400] for line in ended.stderr.splitlines() if not re.match(r" *#?\d+ +(0x|swift-frontend)", line)]
    sys.exit("\n".join([f"{module}:", *said[-60:]]))


def written(place, text):
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)
    return place


def with_lifetime(text, line, name):
    """Writes the lifetime before the declaration, which starts on the line of the error or above it."""
    lines = text.split("\n")
    at = next(place for place in range(line - 1, -1, -1) if re.search(r"\b(func|init|subscript)\b", lines[place]))
    return "\n".join([*lines[:at], f"@_lifetime({name}: copy {name})", *lines[at:]])


if __name__ == "__main__":
    main(*sys.argv[1:])
