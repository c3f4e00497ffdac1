"""What the runner runs.

A module below `fields/`, `points/`, `constants/` and so on has a function `proofs()` that yields Proof objects. The runner imports every
such module.
"""


class Proof:
    """`prove()` returns a short text about the work done, and raises Unproven where a claim could not be shown.

    `covers` names the routines that it proves, as 'file name' with the file's path below CJWTKernels. A quick proof is part of --quick.
    """

    def __init__(self, name, prove, covers=(), quick=False):
        self.name, self.prove, self.covers, self.quick = name, prove, tuple(covers), quick
