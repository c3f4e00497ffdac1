"""The types of LLVM IR and their layout in memory (x86-64).

A type is ('i', bits), ('ptr',), ('void',), ('vec', count, type), ('arr', count, type), ('struct', [types]) or
('struct', [types], 'packed').
"""


def size_of(kind):
    name = kind[0]
    if name == 'i':
        return 1 << ((kind[1] + 7) // 8 - 1).bit_length() if kind[1] > 8 else 1
    if name == 'ptr':
        return 8
    if name == 'vec':
        return kind[1] if kind[2] == ('i', 1) else kind[1] * size_of(kind[2])
    if name == 'arr':
        return kind[1] * size_of(kind[2])
    if name == 'struct':
        return struct_layout(kind)[1]
    raise NotImplementedError('the size of %s' % (kind,))


def alignment_of(kind):
    if kind[0] in ('i', 'ptr', 'vec'):
        return size_of(kind)
    if kind[0] == 'arr':
        return alignment_of(kind[2])
    return max([alignment_of(part) for part in kind[1] if not is_packed(kind)] + [1])


def is_packed(kind):
    return kind[0] == 'struct' and len(kind) == 3


def struct_layout(kind):
    """The offset of each part, and the size of all."""
    at, offsets = 0, []
    for part in kind[1]:
        step = 1 if is_packed(kind) else alignment_of(part)
        at = (at + step - 1) // step * step
        offsets.append(at)
        at += size_of(part)
    step = alignment_of(kind)
    return offsets, (at + step - 1) // step * step


def element_offset(kind, indices):
    """The offset in bytes that getelementptr computes from constant indices."""
    offset = indices[0] * size_of(kind)
    for index in indices[1:]:
        if kind[0] == 'struct':
            offset += struct_layout(kind)[0][index]
            kind = kind[1][index]
        else:
            kind = kind[2]
            offset += index * size_of(kind)
    return offset
