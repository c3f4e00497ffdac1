"""Checks that each block of Lua on the pages, and the lines for HAProxy, stand in a file of the module, letter by letter."""
import pathlib
import re
import sys
import textwrap

FOLDER = pathlib.Path(__file__).parent
PAGES = [FOLDER / "README.md", FOLDER / "nginx/README.md", FOLDER / "nginx/Plugins.md", FOLDER.parent.parent / "Docs/Lua.md"]
BLOCK = re.compile(r"^( *)```(?:lua|haproxy|nginx)\n(.*?)^ *```$", re.S | re.M)


def main():
    code = "\n".join(path.read_text() for kind in ("*.lua", "*.cfg", "*.conf") for path in sorted(FOLDER.rglob(kind)))
    # A block in a list has the spaces of its list.
    blocks = [
        (page.name, re.sub(f"^{indent}", "", block, flags=re.M)) for page in PAGES for indent, block in BLOCK.findall(page.read_text())]
    # Directives of nginx stand in a block of their file.
    missing = [(name, block) for name, block in blocks if block.rstrip() not in code and textwrap.indent(block, "    ") not in code]
    for name, block in missing:
        print(f"{name}: no file of the module has\n{block}")
    print(f"{len(blocks) - len(missing)} passed, {len(missing)} failed")
    return 1 if missing or not blocks else 0


if __name__ == "__main__":
    sys.exit(main())
