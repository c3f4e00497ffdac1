"""Colours on a screenshot, and how far apart the eye sees them."""

# Draws the screenshot, and takes the most frequent colour of each box. The page itself decodes the picture.
MODES = """
const [source, boxes, done] = arguments, picture = new Image();
picture.onload = () => {
    const canvas = Object.assign(document.createElement('canvas'), {width: picture.width, height: picture.height});
    const context = canvas.getContext('2d');
    context.drawImage(picture, 0, 0);
    done(boxes.map(([left, top, width, height]) => {
        const {data} = context.getImageData(Math.round(left), Math.round(top), Math.round(width), Math.round(height)), counts = new Map();
        for (let i = 0; i < data.length; i += 4) {
            const colour = [...data.slice(i, i + 3)].join();
            counts.set(colour, (counts.get(colour) || 0) + 1);
        }
        return [...counts].sort((one, other) => other[1] - one[1])[0][0].split(',').map(Number);
    }));
};
picture.src = 'data:image/png;base64,' + source;
"""


def colours_of(page, boxes):
    """The most frequent colour in each box (left, top, width, height in CSS pixels) of the window."""
    return page.wait_for(MODES, page.driver.get_screenshot_as_base64(), boxes)


def distance(one, other):
    """The distance of two sRGB colours in CIELAB (CIE 1976): 2.3 is just noticeable."""
    return sum((a - b) ** 2 for a, b in zip(lab(one), lab(other))) ** 0.5


def lab(colour):
    red, green, blue = (linear(part / 255) for part in colour)
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def linear(part):
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
