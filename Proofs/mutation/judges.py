"""What refuses a mutant: a proof of what it touches, or kernel-differential. One with the same output of the compiler is equivalent."""
import shutil

from mutation import trials, tree
from mutation.record import SAME, Verdict

CHECKS = {'nist': ['ecdsa-tables'], 'p256ifma': ['p256-ifma'], 'ed25519': ['ed25519'], 'rsa': ['rsa-ifma', 'rsa-padding']}
FEW = 20000
PROOF_SECONDS = 60


class Wrong(Exception):
    """A judge refuses the unchanged kernels."""


class Judges:
    """Works in the copy of the sources below `folder`. Whoever refuses a mutant must also have accepted the unchanged kernels."""

    def __init__(self, base, folder, cases):
        self.base, self.folder, self.cases = base, folder, cases
        self.sound = base.folder / ('sound-' + tree.digest_of_proofs())
        self.sound.mkdir(exist_ok=True)

    def judge(self, mutant):
        path = self.folder / tree.KERNELS / mutant.file
        path.write_text(mutant.text())
        try:
            verdict = self.verdict(mutant)
        finally:
            path.write_text(mutant.original)
        if verdict.by.startswith('proof '):
            self.must_hold(verdict.by[len('proof '):])
        return verdict

    def verdict(self, mutant):
        """The compiler first, then what is near, then a short run of the test, then all other proofs, and a long run."""
        same = self.compare(mutant)
        if same is not None:
            return same
        nearest, others = trials.proofs_of(mutant)
        return (self.proofs(nearest) or self.link(mutant) or self.differential(mutant, FEW) or self.proofs(others) or
                self.differential(mutant, self.cases) or Verdict('survived'))

    def compare(self, mutant):
        self.outputs, self.units = {}, self.base.affected(mutant.file)
        for unit in self.units:
            if unit.startswith(tree.KERNELS):
                self.outputs[unit] = tree.ir(self.folder, unit)
                if self.outputs[unit] is None:
                    return Verdict('broken')
                if self.outputs[unit] != self.base.file(unit, '.ll').read_text():
                    return None
        return Verdict('equivalent', SAME)

    def proofs(self, names):
        found = trials.refusal(names, PROOF_SECONDS)
        if found is None:
            return None
        name, fault = found
        return Verdict('broken') if 'clang refuses the unit' in fault else Verdict('refused', 'proof ' + name, fault[:240])

    def must_hold(self, name):
        """A proof that also fails without a change judges nothing."""
        mark = self.sound / name.replace('/', '_')
        if not mark.exists():
            fault = trials.refusal([name], 10 * PROOF_SECONDS)
            if fault:
                raise Wrong('the proof %s refuses the unchanged kernels: %s' % fault)
            mark.touch()

    # The differential test.

    def link(self, mutant):
        """None, with a program of the changed kernels; a verdict where there is none."""
        shutil.rmtree(self.folder / 'objects', ignore_errors=True)
        (self.folder / 'objects').mkdir()
        objects = {unit: self.base.object(unit) for unit in self.base.units}
        for unit in self.units:
            objects[unit] = self.folder / 'objects' / self.base.object(unit).name
            if not self.compiled(unit, objects[unit]):
                return Verdict('broken')
        return None if tree.link(self.program, objects.values()) else Verdict('broken')

    @property
    def program(self):
        return self.folder / 'kernel-differential'

    def compiled(self, unit, path):
        if not unit.startswith(tree.KERNELS):
            return tree.compile(self.folder, unit, path)
        output = self.outputs.get(unit) or tree.ir(self.folder, unit)
        if output is not None:
            tree.assemble(output, path)
        return output is not None

    def differential(self, mutant, cases):
        folders = {unit[len(tree.KERNELS):].split('/')[0] for unit in self.units if unit.startswith(tree.KERNELS)}
        for check in (check for folder in CHECKS if folder in folders for check in CHECKS[folder]):
            accepted, _ = tree.run(self.program, [str(cases), '1', check], 10 + int(10 * self.seconds(cases, check)))
            if not accepted:
                return Verdict('refused', 'kernel-differential ' + check, 'it does not end' if accepted is None else '')
        return None

    def seconds(self, cases, check):
        """How long the check takes for the unchanged kernels, which it must accept."""
        mark = self.base.folder / ('%s-%d' % (check, cases))
        if not mark.exists():
            accepted, seconds = tree.run(self.base.program, [str(cases), '1', check], 3600)
            if not accepted:
                raise Wrong('kernel-differential %s refuses the unchanged kernels' % check)
            mark.write_text('%.1f' % seconds)
        return float(mark.read_text())
