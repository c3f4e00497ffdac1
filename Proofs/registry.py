"""What the runner runs.

A module below `fields/`, `points/`, `constants/` and so on has a function `proofs()` that yields Proof objects. The runner imports every
such module.
"""
from ir.compilation import is_portable
from machine import entered
from machine.values import Unproven


class Proof:
    """`check()` returns a short text about the work done, and raises Unproven where a claim could not be shown.

    `covers` names the routines that it proves, as 'file name' with the file's path below CJWTKernels; it must run each. A quick proof is
    part of --quick. A portable proof is one for every machine: by default where all that it covers is portable C.
    """

    def __init__(self, name, check, covers=(), quick=False, portable=None):
        self.name, self.check, self.covers, self.quick, self.portable = name, check, tuple(covers), quick, portable

    def is_portable(self):
        if self.portable is not None:
            return self.portable
        return bool(self.covers) and all(is_portable(id.split()[0]) for id in self.covers)

    def prove(self):
        entered.clear()
        work = self.check()
        idle = [id for id in self.covers if not entered.ran(id)]
        if idle:
            raise Unproven('covers what it never runs: %s' % ', '.join(idle))
        return work


def together(name, parts, covers=(), quick=False, portable=None):
    """One proof of several parts, pairs of a name and a function; they share a process, and so the compiled units."""
    def prove():
        work = []
        for part, check in parts:
            try:
                work.append(check())
            except Unproven as fault:
                raise Unproven('%s: %s' % (part, fault)) from None
        return '%d parts %s' % (len(parts), '; '.join(text for text in work if text))
    return Proof(name, prove, covers, quick, portable)
