"""The unchanged kernels and their differential test as objects, and a copy of the sources for each job that changes them."""
import hashlib
import multiprocessing.pool
import pathlib
import re
import resource
import shutil
import subprocess

from ir.compilation import FLAGS, ROOT, clang

TESTS = ('Tests/Kernels/Differential', 'Tests/Kernels/Cases')
PARTS = ('Sources/CJWTKernels', 'Sources/COpenSSL', *TESTS)
KERNELS = PARTS[0] + '/'


def digest(*parts, pattern='*.[ch]', without=()):
    """What identifies the sources below the folders."""
    whole = hashlib.sha256()
    for path in sorted(path for part in parts for path in (ROOT / part).rglob(pattern)):
        name = str(path.relative_to(ROOT))
        if not name.startswith(without):
            whole.update(name.encode() + b'\0' + path.read_bytes() + b'\0')
    return whole.hexdigest()[:16]


def digest_of_proofs():
    return digest('Proofs', pattern='*.py', without=('Proofs/mutants.py', 'Proofs/mutation/', 'Proofs/models/'))


def includes(root):
    return ['-I', root / KERNELS / 'include', '-I', root / 'Sources' / 'COpenSSL' / 'include']


def ir(root, unit, *more):
    """The compiler's output for a unit, or None where it refuses it."""
    run = subprocess.run([clang(), *FLAGS, '-g0', '-w', *includes(root), *more, '-S', '-emit-llvm', '-o', '-', root / unit],
                         capture_output=True, text=True)
    return re.sub(r'(?m)^(source_filename|; ModuleID).*\n', '', run.stdout) if run.returncode == 0 else None


def assemble(output, path):
    """The optimised output becomes an object as it is."""
    subprocess.run([clang(), *FLAGS, '-g0', '-w', '-Xclang', '-disable-llvm-passes', '-x', 'ir', '-c', '-o', path, '-'], input=output,
                   check=True, capture_output=True, text=True)


def compile(root, unit, path, *more):
    run = subprocess.run([clang(), '-O1', '-w', *includes(root), *more, '-c', '-o', path, root / unit], capture_output=True)
    return run.returncode == 0


def link(program, objects, options=()):
    return subprocess.run([clang(), *options, '-o', program, *objects, '-lcrypto', '-lpthread'], capture_output=True).returncode == 0


def emptied(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


class Base:
    """The unchanged sources, compiled once below a folder, and again when one changes."""

    def __init__(self, folder, jobs=1):
        self.folder = folder / 'base'
        self.units = [str(path.relative_to(ROOT)) for part in PARTS for path in sorted((ROOT / part).rglob('*.c'))]
        stamp, key = self.folder / 'digest', digest(*PARTS)
        if not stamp.exists() or stamp.read_text() != key:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir(parents=True)
            with multiprocessing.pool.ThreadPool(jobs) as pool:
                pool.map(self.build, self.units)
            if not link(self.program, [self.object(unit) for unit in self.units]):
                raise SystemExit('mutants: kernel-differential does not link')
            stamp.write_text(key)
        self.depends = {unit: self.file(unit, '.d').read_text() for unit in self.units}

    @property
    def program(self):
        return self.folder / 'kernel-differential'

    def file(self, unit, ending):
        return self.folder / (unit.replace('/', '_') + ending)

    def object(self, unit):
        return self.file(unit, '.o')

    def build(self, unit):
        dependencies = ('-MMD', '-MT', 'unit', '-MF', self.file(unit, '.d'))
        if unit.startswith(KERNELS):
            output = ir(ROOT, unit, *dependencies)
            self.file(unit, '.ll').write_text(output)
            assemble(output, self.object(unit))
        elif not compile(ROOT, unit, self.object(unit), *dependencies):
            raise SystemExit('mutants: clang refuses %s' % unit)

    def affected(self, file):
        """The units that a file below CJWTKernels is part of, those with short output first."""
        path = re.compile(r'[/ ]%s(?:\s|$)' % re.escape(file))
        units = [unit for unit in self.units if path.search(re.sub(r'/[^/]+/\.\./', '/', self.depends[unit]))]
        return sorted(units, key=lambda unit: self.object(unit).stat().st_size)


def copy(folder):
    """The sources again, to be changed."""
    shutil.rmtree(folder, ignore_errors=True)
    for part in PARTS:
        shutil.copytree(ROOT / part, folder / part)
    return pathlib.Path(folder)


def run(program, arguments, seconds):
    """(whether it succeeds, seconds it computed), or (None, seconds) where it does not end within so many seconds of computing."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    code = subprocess.run([program, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=limit).returncode
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return None if code in (-24, -9) else code == 0, used
