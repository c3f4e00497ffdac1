"""Checks that the declarations for LuaJIT's FFI are those of the headers, and that the rockspec has every module. Usage: declarations.py"""
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).parent.parent
INCLUDE = FOLDER.parent.parent / "include"
PAIRS = {"assay/ffi/library.lua": "assay.h", "assay/nginx/client.lua": "assay_http.h"}


def plain(text):
    return " ".join(re.sub(r"/\*.*?\*/", "", text, flags=re.S).split())


def declarations(text):
    """Structures and functions, each with its white space made equal."""
    return [plain(one) for one in re.findall(r"typedef struct \w+ \{.*?\} \w+;|[^;{}]+;", text, re.S)]


def main():
    wrong, right = [], 0
    for file, header in PAIRS.items():
        lines = [line for line in (INCLUDE / header).read_text().splitlines() if not line.startswith(("#", 'extern "C" {'))]
        known = set(declarations(plain("\n".join(lines))))
        for one in declarations(re.search(r"ffi\.cdef \[\[\n(.*?)\]\]", (FOLDER / file).read_text(), re.S)[1]):
            right += one in known
            wrong += [f"{file}: {header} has not: {one}"] if one not in known else []
    listed = set(re.findall(r'= "(assay[\w/]*\.lua)"', next(FOLDER.glob("*.rockspec")).read_text()))
    found = {str(path.relative_to(FOLDER)) for path in [FOLDER / "assay.lua", *(FOLDER / "assay").rglob("*.lua")]}
    wrong += [f"the rockspec and the folder differ: {name}" for name in sorted(listed ^ found)]
    for line in wrong:
        print(line)
    print(f"{right + len(listed & found)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
