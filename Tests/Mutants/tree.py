"""The copy of the package in which mutants live: the same files, a narrower manifest, and sources with switches."""
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / '.build-mutants'
TREE = BUILD / 'tree'
JUDGED = pathlib.Path(__file__).resolve().parent / 'Judged'
READERS = ('VectorFile', 'VectorKind', 'VectorPolicy', 'KeyDocumentFile', 'CacheScenario', 'CacheScenarioRun')
# A mutant leaves code that never runs, and the compiler warns of it.
STRICT = '    .treatAllWarnings(as: .error),\n'


def write(path, data):
    """Writes a file unless it has this content: the build compiles again what is newer."""
    if path.exists() and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def files():
    """The repository's files, from its root."""
    listed = subprocess.run(['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'], cwd=ROOT, check=True,
                            capture_output=True).stdout.decode().split('\0')
    return [name for name in listed if name and (ROOT / name).is_file()]


def manifest():
    text = (ROOT / 'Package.swift').read_text()
    if text.count(STRICT) != 1:
        raise SystemExit('Package.swift no longer has the line that makes warnings errors: Tests/Mutants/tree.py must know it')
    return text.replace(STRICT, '') + '\n' + (JUDGED / 'manifest.swift').read_text()


def copy(mutated=()):
    """Writes the tree, except the files in `mutated`, which another writes."""
    wanted = {'Package.swift': manifest().encode()}
    for name in files():
        if name not in mutated and name not in wanted:
            wanted[name] = (ROOT / name).read_bytes()
    for reader in READERS:
        source = ROOT / 'Sources/assay/Conformance' / (reader + '.swift')
        wanted['Tests/Mutants/Judged/VectorJudge/' + source.name] = source.read_bytes()
    for path in TREE.rglob('*'):
        name = str(path.relative_to(TREE))
        if path.is_file() and not name.startswith(('.build/', 'Package.resolved')) and name not in wanted and name not in mutated:
            path.unlink()
    for name, data in wanted.items():
        write(TREE / name, data)
    return TREE
