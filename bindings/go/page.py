"""Checks that each block of Go on the pages stands in a file of the package, letter by letter, and that a test compiles it."""
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).parent
PAGES = [FOLDER / "README.md", FOLDER.parent.parent / "Docs/Go.md"]


def main():
    code = "\n".join(path.read_text() for path in sorted(FOLDER.rglob("*.go")))
    found = [(page.name, block) for page in PAGES for block in re.findall(r"^ *```go\n(.*?)```", page.read_text(), re.S | re.M)]
    # A block in a list is indented by three spaces.
    blocks = [(name, re.sub("^   ", "", block, flags=re.M)) for name, block in found]
    missing = [(name, block) for name, block in blocks if block.strip() not in code]
    for name, block in missing:
        print(f"{name}: no file of the package has\n{block}")
    print(f"{len(blocks) - len(missing)} passed, {len(missing)} failed")
    return 1 if missing or not blocks else 0


if __name__ == "__main__":
    sys.exit(main())
