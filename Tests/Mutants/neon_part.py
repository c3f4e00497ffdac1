"""Mutants of the kernels for NEON, compiled for AArch64 one at a time, and judged by the checks of CKernelAgreement in the emulator."""
import pathlib
import shutil
import subprocess

import judging
from c_sites import KERNELS
from tree import ROOT, TREE

FILES = [KERNELS + name for name in ('base64url_neon.c', 'text_neon.c')]
CHECKS = {FILES[0]: ['base64url/neon'], FILES[1]: ['span/neon', 'utf8/neon', 'json_issuer/neon']}
COMPILER, EMULATOR = 'aarch64-linux-gnu-gcc', ('qemu-aarch64', 'qemu-aarch64-static')
# A write past an array's end may change no result. It then is a trap.
BOUNDS = ('-fsanitize=bounds', '-fsanitize-undefined-trap-on-error')
INCLUDES = ['-I', ROOT / KERNELS / 'include', '-I', ROOT / 'Tests/Kernels/CKernelAgreement/include']


def emulator():
    """The emulator's path; None where it or the compiler is not installed."""
    found = next(filter(None, map(shutil.which, EMULATOR)), None)
    return found if shutil.which(COMPILER) else None


def compile(source, output, *options):
    """Whether the compiler takes a source. Only what a processor executes is in the output."""
    command = [COMPILER, '-std=gnu17', '-O2', '-w', *options, *INCLUDES, '-iquote', (ROOT / KERNELS), '-c', source, '-o', output]
    return subprocess.run(command, capture_output=True).returncode == 0


class Program:
    """The program that runs the checks, without mutants."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        # The judge starts its programs there.
        TREE.mkdir(parents=True, exist_ok=True)
        main = ROOT / 'Tests/Mutants/Judged/AgreementJudge/main.c'
        sources = [*sorted((ROOT / KERNELS).glob('*.c')), *sorted((ROOT / 'Tests/Kernels/CKernelAgreement').glob('*.c')), main]
        self.objects = {source: self.object(source) for source in sources}
        self.seconds = {}
        for file in FILES:
            bounded = folder / 'bounded.o'
            compile(ROOT / file, bounded, *BOUNDS)
            for changed in ({}, {ROOT / file: bounded}):
                judge = self.judge(file, folder / 'agreement', changed)
                refused = judge.calibrate({})
                if refused:
                    raise SystemExit('%s refuses the original: %s' % (judge.command, refused))
            self.seconds[file] = judge.seconds

    def judge(self, file, output, changed):
        """What judges a file, in a program with other objects for the sources in `changed`."""
        judge = judging.Judge('tests', [emulator(), self.linked(output, changed), *CHECKS[file]])
        judge.seconds = self.seconds.get(file, 0.0)
        return judge

    def object(self, source):
        output = self.folder / (source.parent.name + '-' + source.stem + '.o')
        if not compile(source, output):
            raise SystemExit('%s does not compile for AArch64' % source)
        return output

    def linked(self, output, changed):
        objects = [changed.get(source, path) for source, path in self.objects.items()]
        subprocess.run([COMPILER, '-static', '-pthread', '-o', output, *objects], check=True, capture_output=True)
        return output


class NeonJudge:
    """Judges mutants in a folder of its own."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)

    def judge(self, mutant):
        """(judge, what it says), ('compiler', …) for the same output, None where nothing refuses it, or 'broken'."""
        original, source, output = ROOT / mutant.file, self.folder / pathlib.Path(mutant.file).name, self.folder / 'mutant.o'
        source.write_text(mutant.changed())
        if not compile(source, output):
            return 'broken'
        if output.read_bytes() == self.unchanged(source, original.read_text()):
            return 'compiler', 'the compiler writes the same output'
        said = self.refused(mutant, output)
        if not said:
            source.write_text(mutant.changed())
            compile(source, output, *BOUNDS)
            said = self.refused(mutant, output)
        return ('tests', said) if said else None

    def refused(self, mutant, output):
        return self.program.judge(mutant.file, self.folder / 'agreement', {ROOT / mutant.file: output}).refuses({})

    def unchanged(self, source, text):
        """The original's object, compiled in the place of the mutant."""
        source.write_text(text)
        output = self.folder / 'original.o'
        compile(source, output)
        return output.read_bytes()
