"""kernel-differential of changed kernels: built from the changed units and the unchanged objects, plainly or with sanitizers."""
import shutil

from ir.compilation import ROOT
from mutation import tree
from mutation.record import Verdict

CHECKS = {
    'nist': ['ecdsa-tables'], 'nistifma': ['nist-ifma'], 'p256ifma': ['p256-ifma'], 'ed25519': ['ed25519'],
    'rsa': ['rsa-ifma', 'rsa-lanes', 'rsa-scalar', 'rsa-padding'],
}
SANITIZERS = ('-fsanitize=address,undefined', '-fno-sanitize-recover=undefined')


class Wrong(Exception):
    """A judge refuses the unchanged kernels."""


class Differential:
    """`units` are those that the change is part of; `outputs` has the compiler's output of some. Below `root` are the changed sources."""

    def __init__(self, base, root, folder, units, outputs):
        self.base, self.root, self.folder, self.units, self.outputs = base, root, folder, units, outputs

    def refusal(self, cases):
        program = self.built('objects', self.compiled)
        if program is None:
            return Verdict('broken')
        for check in self.checks():
            accepted, _ = tree.run(program, [str(cases), '1', check], limit(self.accepts(lambda: self.base.program, cases, check, 'plain')))
            if not accepted:
                return Verdict('refused', 'kernel-differential ' + check, '' if accepted is False else 'it does not end')
        return None

    def refusal_by_sanitizers(self, cases):
        """A write past an array's end may change no result of this build."""
        name = self.units[0].replace('/', '_')
        def unchanged():
            return self.built('unchanged', self.sanitized(ROOT), SANITIZERS)
        program = self.built('sanitized', self.sanitized(self.root), SANITIZERS)
        for check in self.checks():
            seconds = self.accepts(unchanged, cases, check, 'sanitized-%d-%s' % (len(self.units), name))
            accepted, _ = tree.run(program, [str(cases), '1', check], limit(seconds))
            if not accepted:
                return Verdict('refused', 'kernel-differential %s with sanitizers' % check, '' if accepted is False else 'it does not end')
        return None

    def checks(self):
        folders = {unit[len(tree.KERNELS):].split('/')[0] for unit in self.units if unit.startswith(tree.KERNELS)}
        return [check for folder in CHECKS if folder in folders for check in CHECKS[folder]]

    def accepts(self, program, cases, check, name):
        """How long the check takes for the unchanged kernels, which it must accept."""
        mark = self.base.folder / ('%s-%s-%d' % (name, check, cases))
        if not mark.exists():
            accepted, seconds = tree.run(program(), [str(cases), '1', check], 3600)
            if not accepted:
                raise Wrong('kernel-differential %s refuses the unchanged kernels (%s)' % (check, name))
            mark.write_text('%.1f' % seconds)
        return float(mark.read_text())

    # The program.

    def built(self, name, compiled, options=()):
        """The program, made once; None where clang refuses a changed kernel."""
        program, objects = self.folder / ('differential-' + name), self.folder / name
        if not program.exists():
            shutil.rmtree(objects, ignore_errors=True)
            objects.mkdir()
            paths = {unit: self.base.object(unit) for unit in self.base.units}
            for unit in self.units:
                paths[unit] = objects / self.base.object(unit).name
                if not compiled(unit, paths[unit]):
                    if unit.startswith(tree.KERNELS):
                        return None
                    raise Wrong('clang refuses %s with kernels that it accepts' % unit)
            if not tree.link(program, paths.values(), options):
                raise Wrong('kernel-differential does not link')
        return program

    def compiled(self, unit, path):
        if not unit.startswith(tree.KERNELS):
            return tree.compile(self.root, unit, path)
        output = self.outputs.get(unit) or tree.ir(self.root, unit)
        if output is not None:
            tree.assemble(output, path)
        return output is not None

    @staticmethod
    def sanitized(root):
        return lambda unit, path: tree.compile(root, unit, path, *SANITIZERS)


def limit(seconds):
    return 10 + int(10 * seconds)
