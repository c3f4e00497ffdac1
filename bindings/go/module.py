"""Writes the Go package as a module into a folder that GOPROXY takes: module.py FOLDER

A program then gets it by
    GOPROXY=file://FOLDER GONOSUMDB=assay.local go get assay.local/assay
"""
import json
import pathlib
import re
import sys
import zipfile

MODULE = "assay.local/assay"
HERE = pathlib.Path(__file__).parent
EPOCH = (1980, 1, 1, 0, 0, 0)  # the same bytes from the same files


def version():
    header = (HERE.parent.parent / "include/assay.h").read_text()
    return "v" + ".".join(re.search(rf"ASSAY_VERSION_{part} (\d+)", header)[1] for part in ("MAJOR", "MINOR", "PATCH"))


def files():
    """The package without its tests, which need the vectors of the repository, and without the host for them."""
    kept = [path for path in HERE.rglob("*") if path.suffix in (".go", ".c", ".h", ".mod", ".md")]
    return sorted(path for path in kept if not path.name.endswith("_test.go") and "internal" not in path.parts)


def main(folder):
    name = version()
    place = pathlib.Path(folder) / MODULE / "@v"
    place.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(place / f"{name}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in files() + [HERE.parent.parent / "LICENSE"]:
            inside = path.relative_to(HERE) if path.is_relative_to(HERE) else path.name
            archive.writestr(zipfile.ZipInfo(f"{MODULE}@{name}/{inside}", EPOCH), path.read_bytes())
    (place / f"{name}.mod").write_bytes((HERE / "go.mod").read_bytes())
    (place / f"{name}.info").write_text(json.dumps({"Version": name, "Time": "1980-01-01T00:00:00Z"}))
    (place / "list").write_text(name + "\n")
    print(f"wrote {place / name}.zip")


if __name__ == "__main__":
    main(*sys.argv[1:])
