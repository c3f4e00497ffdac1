"""What the runner runs.

A module below `fields/`, `points/`, `constants/` and so on has a function `proofs()` that yields Proof objects. The runner imports every
such module.
"""
from machine import entered
from machine.values import Unproven


class Proof:
    """`check()` returns a short text about the work done, and raises Unproven where a claim could not be shown.

    `covers` names the routines that it proves, as 'file name' with the file's path below CJWTKernels; it must run each. A quick proof is
    part of --quick.
    """

    def __init__(self, name, check, covers=(), quick=False):
        self.name, self.check, self.covers, self.quick = name, check, tuple(covers), quick

    def prove(self):
        entered.clear()
        work = self.check()
        idle = [id for id in self.covers if not entered.ran(id)]
        if idle:
            raise Unproven('covers what it never runs: %s' % ', '.join(idle))
        return work


def together(name, parts, covers=(), quick=False):
    """One proof of several parts, pairs of a name and a function; they share a process, and so the compiled units."""
    def prove():
        work = []
        for part, check in parts:
            try:
                work.append(check())
            except Unproven as fault:
                raise Unproven('%s: %s' % (part, fault)) from None
        return '%d parts %s' % (len(parts), '; '.join(text for text in work if text))
    return Proof(name, prove, covers, quick)
