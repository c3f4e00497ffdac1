"""Finds the position of the piece of a slider captcha, using only the two PNG pictures."""
import io

import numpy
from PIL import Image

# The piece never belongs further left: there it lies at the start.
LEAST = 100


def pixels(png):
    """The picture as rows of (red, green, blue, alpha)."""
    return numpy.asarray(Image.open(io.BytesIO(png), formats=["PNG"]).convert("RGBA"), dtype=float)


def position(background, piece):
    """The x at which the background shows the darkened piece."""
    scene, shape = pixels(background), pixels(piece)
    return place(scene[..., :3], shape[..., :3], shape[..., 3] == 255)


def place(scene, piece, opaque):
    """The x at which the colours of the scene and of the opaque part of the piece correlate best."""
    height, width, _ = piece.shape
    # Only pixels at least two from the edge of the piece, which has a decorative rim.
    near = [(0, d) for d in (-2, -1, 0, 1, 2)] + [(d, 0) for d in (-2, -1, 1, 2)]
    padded = numpy.pad(opaque, 2)
    inner = numpy.logical_and.reduce([padded[2 + y : 2 + y + height, 2 + x : 2 + x + width] for y, x in near])

    def likeness(offset):
        return correlation(piece[inner], scene[:, offset : offset + width][inner])

    return max(range(LEAST, scene.shape[1] - width + 1), key=likeness)


def correlation(a, b):
    """The correlation of two lists of colours. Each channel has its own mean: a hole is darker and tinted."""
    a, b = a - a.mean(axis=0), b - b.mean(axis=0)
    spread = (a * a).sum() * (b * b).sum()
    return (a * b).sum() / spread**0.5 if spread else -1
