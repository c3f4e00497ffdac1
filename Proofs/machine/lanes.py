"""Which lane a word belongs to.

Where one lane stands for all, every lane holds the same number, and a value does not say which lane it came from. So a word remembers the
lane whose numbers it depends on: None where it depends on none, MIXED where on several. EACH is a mask whose bit i belongs to lane i.
"""
from machine.values import Unproven, Word

EACH, MIXED = 'each', 'mixed'
BITWISE = ('and', 'or', 'xor')


def spread(word, count):
    """The word in so many lanes; a number without lanes is a plain word."""
    return [tagged(word, lane) for lane in range(count)] if count > 1 else word


def one(lanes, name):
    """The word that is in all lanes, and in each by its own numbers alone. A single word may not depend on a lane."""
    if any(x.value is not lanes[0].value for x in lanes):
        raise Unproven('the lanes of %s differ' % name)
    if any(x.lane not in (None, i if len(lanes) > 1 else None) for i, x in enumerate(lanes)):
        raise Unproven('%s: an instruction crosses lanes' % name)
    return lanes[0]


def plain(word):
    """What the run's way, an address or a size may depend on: no lane."""
    if word.lane is not None:
        raise Unproven('a branch, an address or a size depends on a lane')
    return word


def of(words, op=None):
    """The lane of what is computed from the words. Only what works bit by bit keeps the bits of a mask in their lanes."""
    found = {x.lane for x in words if isinstance(x, Word)} - {None}
    if not found:
        return None
    return found.pop() if len(found) == 1 and (op in BITWISE or EACH not in found) else MIXED


def tagged(x, lane):
    return x if not isinstance(x, Word) or x.lane == lane else Word(x.value, x.width, lane)


def part(domain, x, low, width):
    found = domain.part(x, low, width)
    if x.lane == EACH and width < x.width:
        return tagged(found, low if width == 1 else MIXED)
    return tagged(found, x.lane)


def join(domain, words):
    is_mask = all(x.width == 1 and x.lane in (None, i) for i, x in enumerate(words))
    return tagged(domain.join(words), EACH if is_mask and of(words) is not None else of(words))
