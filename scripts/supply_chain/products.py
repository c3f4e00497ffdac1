"""What each product is made of: the modules whose objects are linked into it, and the libraries of the system that it loads."""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAMS = ("assay", "assay-gateway", "assay-idaas")
# The module that libassay-http holds. The other modules of the C interface are in libassay.
HELD_BY_HTTP = "CCurl"


@dataclass
class Product:
    """A program or a library, the bytes of code and data in the objects of each of its modules, and the libraries that it loads."""

    name: str
    modules: dict
    libraries: list


def output(*command):
    return output_bytes(*command).decode()


def output_bytes(*command):
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout


def objects(folder):
    """The objects that SwiftPM links into a product, by module."""
    found = {}
    for line in (folder / "Objects.LinkFileList").read_text(encoding="utf-8").splitlines():
        path = line.strip("'\"")
        if module := re.search(r"/release/(\w+)\.build/", path):
            found.setdefault(module[1], []).append(path)
    return found


def weights(folder):
    """The bytes of code and data in the objects of each module, before the linker leaves out what nothing calls."""
    return {module: weight(files) for module, files in objects(folder).items()}


def weight(files):
    rows = output("size", *files).splitlines()[1:]
    return sum(int(row.split()[0]) + int(row.split()[1]) for row in rows)


def loaded(file):
    """The libraries that a program or a library names itself, without the Swift runtime. What these load in turn, as libcurl does, is the
    distribution's choice, and in its own bills of materials."""
    named = set(re.findall(r"NEEDED +(\S+)", output("objdump", "-p", str(file))))
    resolved = re.findall(r"(\S+) => (/\S+)", output("ldd", str(file)))
    return [Path(path).resolve() for name, path in resolved if name in named and not re.search(r"/swift/|libassay", path)]


def products(build):
    """The three programs of a build, and the two libraries of the C interface."""
    for name in PROGRAMS:
        release = build / "release"
        yield Product(name, weights(release / f"{name}.product"), loaded(release / name))
    modules = weights(ROOT / ".build-lib" / "release" / "CAssayHTTP.product")
    http = {HELD_BY_HTTP: modules.pop(HELD_BY_HTTP)}
    for name, held in (("libassay", modules), ("libassay-http", http)):
        yield Product(name, held, loaded(ROOT / ".build-lib" / "assay" / f"{name}.so.0"))
