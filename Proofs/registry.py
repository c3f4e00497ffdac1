"""What the runner runs.

A module below `fields/`, `points/`, `constants/` and so on has a function `proofs()` that yields Proof objects. The runner imports every
such module.
"""
from machine.values import Unproven


class Proof:
    """`prove()` returns a short text about the work done, and raises Unproven where a claim could not be shown.

    `covers` names the routines that it proves, as 'file name' with the file's path below CJWTKernels. A quick proof is part of --quick.
    """

    def __init__(self, name, prove, covers=(), quick=False):
        self.name, self.prove, self.covers, self.quick = name, prove, tuple(covers), quick


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
