"""All paths that some gateway, framework or file system may read in a request's target."""
import re
from urllib.parse import unquote


def without_dots(path):
    kept = []
    for segment in path.split("/"):
        if segment == "..":
            kept = kept[:-1]
        elif segment != ".":
            kept.append(segment)
    return "/" + "/".join(kept).lstrip("/")


STEPS = [
    lambda path: unquote(path, errors="replace"),
    lambda path: path.replace("\\", "/"),
    lambda path: re.sub(r";[^/]*", "", path),
    lambda path: re.sub("/+", "/", path),
    lambda path: path.split("\0")[0],
    lambda path: re.sub(r"[\x00-\x20]", "", path),
    lambda path: re.sub("^//[^/]+", "", path),
    without_dots,
]


def readings(target):
    """The paths of a target under every sequence of decoding and normalisation."""
    path = re.sub(r"^[a-z]+://[^/]*", "", target, flags=re.I).split("?")[0]
    # Encoded characters are data: `%23` begins no fragment.
    found = {path, path.split("#")[0]}
    pending = list(found)
    while pending:
        path = pending.pop()
        for step in STEPS:
            if (other := step(path)) not in found and len(found) < 2_000:
                found.add(other)
                pending.append(other)
    return found


def below(path, prefix):
    """Whether any reading of a path is `prefix` or below it."""
    return any(reading == prefix or reading.startswith(prefix + "/") for reading in readings(path))


def only_below(path, prefix):
    """Whether every reading of a path is `prefix` or below it."""
    return all(reading == prefix or reading.startswith(prefix + "/") for reading in readings(path))
