"""Memory, descriptors and threads of a process, and how they change."""
import os
import threading
import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Use:
    seconds: float
    kilobytes: int
    descriptors: int
    threads: int

    def is_within(self, most):
        return self.kilobytes <= most.kilobytes and self.descriptors <= most.descriptors and self.threads <= most.threads


def use(process, start=0.0):
    with open(f"/proc/{process}/status") as status:
        fields = dict(line.split(":", 1) for line in status)
    return Use(
        time.monotonic() - start, int(fields["VmRSS"].split()[0]), len(os.listdir(f"/proc/{process}/fd")), int(fields["Threads"]))


def slope(points):
    """Of the line with the least squares through pairs of x and y."""
    count = len(points)
    middle_x, middle_y = sum(x for x, _ in points) / count, sum(y for _, y in points) / count
    across = sum((x - middle_x) ** 2 for x, _ in points)
    return sum((x - middle_x) * (y - middle_y) for x, y in points) / across if across else 0.0


class Record:
    """Looks at a process each second, until the block ends."""

    def __init__(self, process):
        self.process, self.uses, self.ended = process, [], threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def __enter__(self):
        self.start = time.monotonic()
        self.thread.start()
        return self

    def run(self):
        while not self.ended.is_set():
            self.uses.append(use(self.process, self.start))
            self.ended.wait(1)

    def __exit__(self, *failure):
        self.ended.set()
        self.thread.join()

    def halves(self):
        middle = len(self.uses) // 2
        return self.uses[:middle], self.uses[middle:]

    def growth(self):
        """Kilobytes by which memory grows in the second half, by its slope: single moments vary."""
        second = self.halves()[1]
        return slope([(one.seconds, one.kilobytes) for one in second]) * (second[-1].seconds - second[0].seconds)
