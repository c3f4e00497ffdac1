"""The parts of the command and of the libraries: Swift packages, code inside them, libraries of Debian, and the Swift runtime."""

import hashlib
import json
import re
import subprocess
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from products import output, output_bytes, products, weight

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = Path(__file__).resolve().parent
# What a program is linked with beside its objects: the standard library, and its concurrency.
RUNTIME = ("libswiftCore.a", "libswift_Concurrency.a")


@dataclass
class Component:
    """A part with what the bill of materials says of it, the bytes of it in each product, and the faults of its licence."""

    name: str
    version: str
    licence: str | None
    purl: str
    sha256: str
    source: str | None = None
    products: dict = field(default_factory=dict)
    faults: list = field(default_factory=list)
    parts: list = field(default_factory=list)

    @property
    def is_linked(self):
        return bool(self.products)


def plan():
    return tomllib.loads((FOLDER / "licences.toml").read_text(encoding="utf-8"))


def licence_of(folder, texts):
    """The licence of a package, by the text of its licence file; None for a text that licences.toml does not have."""
    files = sorted(folder.glob("LICEN[CS]E*"))
    text = files[0].read_text(encoding="utf-8") if files else ""
    return next((name for name, sentence in texts.items() if sentence in text), None)


def vendored(package, folder, rules):
    for rule in rules:
        if rule["package"] != package.name:
            continue
        part = Component(rule["name"], package.version, rule["licence"], "", digest(folder, rule["folder"]), products=package.products)
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
    return hashlib.sha256(output_bytes("git", "-C", str(checkout), "archive", "--format=tar", "HEAD", *paths)).hexdigest()


def swift_packages(build, made, rules):
    for entry in json.loads((build / "workspace-state.json").read_text(encoding="utf-8"))["object"]["dependencies"]:
        reference, state = entry["packageRef"], entry["state"]["checkoutState"]
        checkout = build / "checkouts" / entry["subpath"]
        location = reference["location"].removesuffix(".git")
        purl = f"pkg:swift/{location.removeprefix('https://')}@{state['version']}"
        component = Component(reference["identity"], state["version"], licence_of(checkout, rules["texts"]), purl, digest(checkout))
        component.source = f"{location}/tree/{state['revision']}"
        component.products = used(made, {path.name for path in checkout.rglob("*") if path.is_dir() and ".git" not in path.parts})
        revision = output("git", "-C", str(checkout), "rev-parse", "HEAD").strip()
        if revision != state["revision"]:
            component.faults.append(f"the checkout is at {revision}, not at {state['revision']}")
        component.parts = list(vendored(component, checkout, rules["vendored"]))
        yield component


def used(made, folders):
    """The bytes of a package's modules in each product that has any of them. A module has the name of its folder."""
    foreign = folders - {path.name for path in (ROOT / "Sources").iterdir()}
    weights = {product.name: [size for module, size in product.modules.items() if module in foreign] for product in made}
    return {name: sum(sizes) for name, sizes in weights.items() if sizes}


def owner(file):
    """The Debian package of a file. Merged /usr: dpkg may know the file below /lib."""
    for path in (file, Path(str(file).removeprefix("/usr"))):
        done = subprocess.run(["dpkg", "-S", str(path)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
        if done.returncode == 0:
            return done.stdout.split(":")[0]
    return None


def debian_packages(made, rules):
    users = {}
    for product in made:
        for file in product.libraries:
            users.setdefault(owner(file) or file.name, {}).setdefault(file, []).append(product.name)
    for name, files in sorted(users.items()):
        yield debian_package(name, files, rules["debian"].get(name))


def debian_package(name, files, rule):
    """The component of a package, from the products that load each of its files."""
    file = min(files)
    using = {product for names in files.values() for product in names}
    if owner(file) is None:
        return Component(name, "", None, f"pkg:generic/{name}", digest_of(file), products=dict.fromkeys(using, file.stat().st_size),
                         faults=["no Debian package owns this file"])
    version, machine, kibibytes = query(name).split()
    component = Component(name, version, rule and rule["licence"], f"pkg:deb/debian/{name}@{version}?arch={machine}", digest_of(file),
                          products=dict.fromkeys(using, int(kibibytes) * 1024))
    copyright_file = Path("/usr/share/doc") / name / "copyright"
    if rule and rule["text"] not in " ".join(copyright_file.read_text(encoding="utf-8", errors="replace").split()):
        component.faults.append(f"{copyright_file} does not say: {rule['text']}")
    return component


def query(package):
    return output("dpkg-query", "-W", "-f", "${Version} ${Architecture} ${Installed-Size}", package)


def digest_of(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


def swift_runtime(made):
    """The runtime is linked statically into the released programs and into libassay."""
    version = re.search(r"Swift version (\S+)", output("swift", "--version"))[1]
    compiler = Path(output("bash", "-c", "readlink -f $(command -v swiftc)").strip())
    folder = compiler.parent.parent / "lib" / "swift_static" / "linux"
    size = weight([str(folder / name) for name in RUNTIME])
    using = {product.name: size for product in made if product.name != "libassay-http"}
    return Component("swift-runtime", version, "Apache-2.0 WITH Swift-exception", f"pkg:generic/swift@{version}",
                     digest_of(folder / RUNTIME[0]), source="https://www.swift.org", products=using)


def components(build):
    """The parts of a build's products, and of what was resolved without being linked."""
    rules = plan()
    made = list(products(build))
    found = [*swift_packages(build, made, rules), *debian_packages(made, rules), swift_runtime(made)]
    for component in [*found, *(part for each in found for part in each.parts)]:
        if component.licence not in rules["allowed"]:
            component.faults.append(f"licence {component.licence or 'unknown'} is not in licences.toml")
    return found
