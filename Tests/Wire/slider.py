"""Finds where the piece of a slider captcha belongs, from the two PNG pictures alone."""
import struct
import zlib


def pixels(png):
    """Decodes a PNG of 8 bits a sample (colour types 2, 3, 6): width, height, rows of (red, green, blue, alpha)."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n", "not a PNG"
    chunks, at = {}, 8
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        body = png[at + 8 : at + 8 + length]
        assert zlib.crc32(kind + body) == struct.unpack(">I", png[at + 8 + length : at + 12 + length])[0], "bad CRC"
        chunks[kind] = chunks.get(kind, b"") + body
        at += 12 + length
    width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert depth == 8 and interlace == 0
    samples = {2: 3, 3: 1, 6: 4}[colour]
    raw, stride = zlib.decompress(chunks[b"IDAT"]), width * samples
    colours = palette(chunks) if colour == 3 else None
    rows, previous = [], bytes(stride)
    for y in range(height):
        start = y * (stride + 1)
        line = unfiltered(raw[start], bytearray(raw[start + 1 : start + 1 + stride]), previous, samples)
        rows.append([colours[index] for index in line] if colours else [colour_of(line, x, colour) for x in range(width)])
        previous = line
    return width, height, rows


def unfiltered(kind, line, above, step):
    """Undoes a row's filter (PNG specification, section 9)."""
    if kind == 0:
        return line
    for i in range(len(line)):
        left = line[i - step] if i >= step else 0
        corner = above[i - step] if i >= step else 0
        if kind == 1:
            guess = left
        elif kind == 2:
            guess = above[i]
        elif kind == 3:
            guess = (left + above[i]) // 2
        else:
            estimate = left + above[i] - corner
            guess = min((abs(estimate - v), n, v) for n, v in enumerate((left, above[i], corner)))[2]
        line[i] = (line[i] + guess) & 255
    return line


def palette(chunks):
    entries, alpha = chunks[b"PLTE"], chunks.get(b"tRNS", b"")
    return [(*entries[3 * index : 3 * index + 3], alpha[index] if index < len(alpha) else 255) for index in range(len(entries) // 3)]


def colour_of(line, x, colour):
    if colour == 2:
        return (*line[3 * x : 3 * x + 3], 255)
    return tuple(line[4 * x : 4 * x + 4])


def position(background, piece):
    """The x at which the piece, darkened, is what the background shows: where the two correlate best."""
    width, _, scene = pixels(background)
    piece_width, _, shape = pixels(piece)

    def likeness(step):
        """How well the piece fits at an offset, judged by a pixel in `step` both ways."""
        inside = [
            (x, y, shape[y][x])
            for y in range(0, len(shape), step)
            for x in range(0, piece_width, step)
            if shape[y][x][3] == 255
        ]
        wanted = [channel for _, _, colour in inside for channel in colour[:3]]
        return lambda offset: correlation(wanted, [channel for x, y, _ in inside for channel in scene[y][x + offset][:3]])

    # A glance at all offsets, then a look at those where the piece may belong.
    likely = sorted(range(width - piece_width + 1), key=likeness(4), reverse=True)[:40]
    return max(likely, key=likeness(2))


def correlation(a, b):
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    covariance = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b))
    spread = sum((x - mean_a) ** 2 for x in a) * sum((y - mean_b) ** 2 for y in b)
    return covariance / spread**0.5 if spread else -1
