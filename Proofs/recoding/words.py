"""Words of numbers that are not known."""
import z3


def unknown(name, count, bits=64):
    return [z3.BitVec('%s%d' % (name, i), bits) for i in range(count)]


def vector(x, bits=64):
    return z3.BitVecVal(x, bits) if isinstance(x, int) else x


def joined(words, bits=64):
    """The number with these words, the lowest first."""
    return z3.Concat(*reversed([vector(word, bits) for word in words])) if len(words) > 1 else vector(words[0], bits)


def window(number, low, count, bits):
    """Bits of a number, as a word of `bits`."""
    return z3.ZeroExt(bits - count, z3.Extract(low + count - 1, low, number))
