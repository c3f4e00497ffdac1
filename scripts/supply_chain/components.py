"""The parts of the command and of the libraries: Swift packages, code inside them, libraries of Debian, and the Swift runtime."""

import hashlib
import json
import re
import subprocess
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = Path(__file__).resolve().parent
LINKED = ("assay", "assay-gateway", "assay-idaas", "CAssayHTTP")


@dataclass
class Component:
    """A part with what the bill of materials says of it, and the faults of its licence."""

    name: str
    version: str
    licence: str | None
    purl: str
    sha256: str
    is_linked: bool = True
    source: str | None = None
    faults: list = field(default_factory=list)
    parts: list = field(default_factory=list)


def plan():
    return tomllib.loads((FOLDER / "licences.toml").read_text(encoding="utf-8"))


def output(*command):
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout


def linked_modules(build):
    """The modules whose objects are linked into the command or into libassay-http."""
    found = set()
    for product in LINKED:
        objects = (build / "release" / f"{product}.product" / "Objects.LinkFileList").read_text(encoding="utf-8")
        found.update(re.findall(r"/release/(\w+)\.build/", objects))
    return found


def licence_of(folder, texts):
    """The licence of a package, by the text of its licence file; None for a text that licences.toml does not have."""
    files = sorted(folder.glob("LICEN[CS]E*"))
    text = files[0].read_text(encoding="utf-8") if files else ""
    return next((name for name, sentence in texts.items() if sentence in text), None)


def vendored(package, folder, rules):
    for rule in rules:
        if rule["package"] != package.name:
            continue
        part = Component(rule["name"], package.version, rule["licence"], "", digest(folder, rule["folder"]))
        if not (folder / rule["folder"]).is_dir():
            part.faults.append(f"{package.name} has no {rule['folder']} any more")
        elif "file" in rule:
            match = re.search(rule["version"], (folder / rule["file"]).read_text(encoding="utf-8"))
            part.version = ".".join(match.groups()) if match else part.version
            if not match:
                part.faults.append(f"{rule['file']} names no version")
        part.purl = f"pkg:generic/{part.name.lower()}@{part.version}"
        yield part


def digest(checkout, *paths):
    """The hash of what git archives of a checkout: the same on every machine."""
    return hashlib.sha256(output("git", "-C", str(checkout), "archive", "--format=tar", "HEAD", *paths)).hexdigest()


def swift_packages(build, rules):
    modules = linked_modules(build)
    for entry in json.loads((build / "workspace-state.json").read_text(encoding="utf-8"))["object"]["dependencies"]:
        reference, state = entry["packageRef"], entry["state"]["checkoutState"]
        checkout = build / "checkouts" / entry["subpath"]
        location = reference["location"].removesuffix(".git")
        purl = f"pkg:swift/{location.removeprefix('https://')}@{state['version']}"
        component = Component(reference["identity"], state["version"], licence_of(checkout, rules["texts"]), purl, digest(checkout))
        component.source = f"{location}/tree/{state['revision']}"
        component.is_linked = any(path.name in modules for path in checkout.rglob("*") if path.is_dir() and ".git" not in path.parts)
        revision = output("git", "-C", str(checkout), "rev-parse", "HEAD").decode().strip()
        if revision != state["revision"]:
            component.faults.append(f"the checkout is at {revision}, not at {state['revision']}")
        component.parts = list(vendored(component, checkout, rules["vendored"]))
        yield component


def loaded_libraries(build):
    """The files of the system's libraries that the programs and the libraries name themselves, without those of the Swift runtime. What these
    load in turn, as libcurl does, is the distribution's choice, and in its own bills of materials."""
    programs = [*(build / "release" / name for name in LINKED[:3]), *sorted((ROOT / ".build-lib" / "assay").glob("*.so.0"))]
    for program in programs:
        named = set(re.findall(r"NEEDED +(\S+)", output("objdump", "-p", str(program)).decode()))
        for line in output("ldd", str(program)).decode().splitlines():
            match = re.search(r"(\S+) => (/\S+)", line)
            if match and match[1] in named and not re.search(r"/swift/|libassay", match[2]):
                yield Path(match[2]).resolve()


def owner(file):
    """The Debian package of a file. Merged /usr: dpkg may know the file below /lib."""
    for path in (file, Path(str(file).removeprefix("/usr"))):
        done = subprocess.run(["dpkg", "-S", str(path)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
        if done.returncode == 0:
            return done.stdout.split(":")[0]
    return None


def debian_packages(build, rules):
    seen = set()
    for file in sorted(set(loaded_libraries(build))):
        package = owner(file)
        name = package or file.name
        if name in seen:
            continue
        seen.add(name)
        if package is None:
            yield Component(name, "", None, f"pkg:generic/{name}", hashlib.sha256(file.read_bytes()).hexdigest(),
                            faults=["no Debian package owns this file"])
            continue
        version, machine = output("dpkg-query", "-W", "-f", "${Version} ${Architecture}", package).decode().split()
        rule = rules["debian"].get(package)
        component = Component(package, version, rule and rule["licence"], f"pkg:deb/debian/{package}@{version}?arch={machine}",
                              hashlib.sha256(file.read_bytes()).hexdigest())
        copyright_file = Path("/usr/share/doc") / package / "copyright"
        if rule and rule["text"] not in " ".join(copyright_file.read_text(encoding="utf-8", errors="replace").split()):
            component.faults.append(f"{copyright_file} does not say: {rule['text']}")
        yield component


def swift_runtime():
    """The runtime is linked statically into the released command and libraries."""
    version = re.search(r"Swift version (\S+)", output("swift", "--version").decode())[1]
    compiler = Path(output("bash", "-c", "readlink -f $(command -v swiftc)").decode().strip())
    core = compiler.parent.parent / "lib" / "swift_static" / "linux" / "libswiftCore.a"
    return Component("swift-runtime", version, "Apache-2.0 WITH Swift-exception", f"pkg:generic/swift@{version}",
                     hashlib.sha256(core.read_bytes()).hexdigest(), source="https://www.swift.org")


def components(build):
    rules = plan()
    found = [*swift_packages(build, rules), *debian_packages(build, rules), swift_runtime()]
    for component in [*found, *(part for each in found for part in each.parts)]:
        if component.licence not in rules["allowed"]:
            component.faults.append(f"licence {component.licence or 'unknown'} is not in licences.toml")
    return found
