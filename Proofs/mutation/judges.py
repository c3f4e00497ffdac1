"""What refuses a mutant: a proof of what it touches, or kernel-differential. One with the same output of the compiler is equivalent."""
from mutation import trials, tree
from mutation.differential import Differential, Wrong
from mutation.record import SAME, Verdict

FEW = 20000
PROOF_SECONDS = 60


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
        """The compiler first, then what is near, then a short run of the test, then all other proofs, and long runs."""
        units, outputs = self.base.affected(mutant.file), {}
        same = self.compare(units, outputs)
        if same is not None:
            return same
        nearest, others = trials.proofs_of(mutant)
        test = Differential(self.base, self.folder, tree.emptied(self.folder / 'built'), units, outputs)
        return (self.proofs(nearest) or test.refusal(FEW) or self.proofs(others) or test.refusal(self.cases) or
                test.refusal_by_sanitizers(FEW) or Verdict('survived'))

    def compare(self, units, outputs):
        """The verdict where no unit's output differs, or where clang refuses one."""
        for unit in units:
            if unit.startswith(tree.KERNELS):
                outputs[unit] = tree.ir(self.folder, unit)
                if outputs[unit] is None:
                    return Verdict('broken')
                if outputs[unit] != self.base.file(unit, '.ll').read_text():
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
