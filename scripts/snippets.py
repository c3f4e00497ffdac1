"""Checks that every Swift snippet of the documents is compiled: a file of Examples must contain each ```swift block of README.md, of Docs,
of the DocC pages and of documentation comments, line by line. Indentation and the number of spaces before a comment may differ. Imports at
the start of a block are at the head of that file.

The build compiles these files, except Examples/Client/Package.swift, which is evaluated here.

Also counts the lines that Docs/Tasks.md tells: no example has more than 25.
"""
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(__file__).parent.parent
PAGES = ["README.md", "Docs/**/*.md", "Sources/*/Docs.docc/*.md", "Sources/**/*.swift"]
BLOCK = re.compile(r"^( *(?:/// )?)```swift\n(.*?)^ *(?:/// )?```$", re.DOTALL | re.MULTILINE)


def normalised(lines):
    """The lines without their common indentation, each with two spaces before its comment."""
    lines = [re.sub(r"(\S)\s+//", r"\1  //", line.rstrip()) for line in lines]
    indents = [len(line) - len(line.lstrip()) for line in lines if line]
    indent = min(indents, default=0)
    return [line[indent:] for line in lines]


def parts(lines):
    """The imports at the start of a block, and the rest of the block."""
    imports = []
    while lines and (not lines[0] or lines[0].startswith("import ")):
        imports += [lines[0]] if lines[0] else []
        lines = lines[1:]
    return imports, lines


def is_quoted(block, lines):
    imports, code = parts(normalised(block))
    if not set(imports) <= {line.strip() for line in lines}:
        return False
    return any(normalised(lines[start : start + len(code)]) == code for start in range(len(lines) - len(code) + 1))


files = {path: path.read_text().split("\n") for path in sorted((root / "Examples").rglob("*.swift"))}
passed, failed = 0, 0
for page in sorted(path for pattern in PAGES for path in root.glob(pattern)):
    text = page.read_text()
    for block in BLOCK.finditer(text):
        quoted = ["" if line == block[1].rstrip() else line.removeprefix(block[1]) for line in block[2].rstrip("\n").split("\n")]
        if any(is_quoted(quoted, lines) for lines in files.values()):
            passed += 1
            continue
        failed += 1
        line = text.count("\n", 0, block.start()) + 1
        print(f"FAIL {page.relative_to(root)}:{line}: no file of Examples has this snippet:\n{block[2]}")

def lines_of_code(block):
    """The lines that are neither blank nor a comment nor an import."""
    return sum(bool(line.strip()) and not line.strip().startswith(("//", "import ")) for line in block.split("\n"))


def sections(page):
    """The lines of code in each section of a page, and the language of its block."""
    parts = re.findall(r"^## (.+)\n((?:(?!## ).*\n)*)", (root / page).read_text(), re.MULTILINE)
    blocks = {title: re.search(r"^```(\w+)\n(.*?)^```", part, re.DOTALL | re.MULTILINE) for title, part in parts}
    return {title: (block[1], lines_of_code(block[2])) for title, block in blocks.items() if block}


examples = sections("Docs/Tasks.md")
rows = re.findall(r"^\| \[(.+?)\]\(.+?\) \| (\d+) \|$", (root / "Docs/Tasks.md").read_text(), re.MULTILINE)
for title, lines in rows:
    right = examples.get(title) == ("swift", int(lines)) and int(lines) <= 25
    passed, failed = passed + right, failed + (not right)
    if not right:
        print(f"FAIL Docs/Tasks.md: {title}: {examples.get(title)}, or more than 25 lines")
if sorted(title for title, _ in rows) != sorted(examples):
    failed += 1
    print("FAIL Docs/Tasks.md: the table has other tasks than the page")

for manifest in (path for path in files if path.name == "Package.swift"):
    evaluated = subprocess.run(["swift", "package", "dump-package", "--package-path", manifest.parent], capture_output=True, text=True)
    passed, failed = passed + (evaluated.returncode == 0), failed + (evaluated.returncode != 0)
    if evaluated.returncode:
        print(f"FAIL {manifest.relative_to(root)}:\n{evaluated.stderr}")
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
