"""What registers and memory hold: words, pointers and undefined values. A vector or an aggregate is a list of these."""


class Word:
    """`value` belongs to the domain: a polynomial that is congruent to the word modulo 2^width, or a bit vector. machine/lanes.py says what
    `lane` is.
    """
    __slots__ = ('value', 'width', 'lane')

    def __init__(self, value, width, lane=None):
        self.value, self.width, self.lane = value, width, lane


class Pointer:
    __slots__ = ('region', 'offset')

    def __init__(self, region, offset=0):
        self.region, self.offset = region, offset


class Undefined:
    pass


class Unproven(Exception):
    """A claim that could not be shown. The text names the bound."""
