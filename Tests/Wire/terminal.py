"""Logs in at a terminal as a person does, through `assay login sms` on a pseudo-terminal.

First in a terminal that is 310 columns wide, where a column is a pixel: the picture and the piece are read off the screen, the piece is moved
by keys to where it belongs, the code is typed. Then through files, as where no terminal can show a slider. Between them: a wrong place
brings a new picture, r another, q gives up, and the terminal is left as it was found.
Usage: terminal.py ASSAY BASE_URL CLIENT_ID DEVELOPMENT_TOKEN
"""
import fcntl
import json
import os
import pty
import re
import struct
import sys
import tempfile
import termios
import urllib.request

import slider

assay, base, client, development = sys.argv[1:5]
CELL = re.compile("\x1b\\[38;2;(\\d+);(\\d+);(\\d+);48;2;(\\d+);(\\d+);(\\d+)m\u2580")
passed = 0


def fact(text, holds, screen=""):
    global passed
    if not holds:
        sys.exit(f"FAIL {text}\n{screen[-2000:]!r}")
    passed += 1


class Terminal:
    """A program on a pseudo-terminal of a size."""

    def __init__(self, arguments, columns, folder):
        self.process, self.master = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.environ.update(COLORTERM="truecolor", TERM="xterm-256color", LC_ALL="C.UTF-8")
            os.environ.pop("ASSAY_DEV_TOKEN", None)
            os.execv(assay, [assay, *arguments])
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", 100, columns, 0, 0))
        self.mode = termios.tcgetattr(self.master)[3]
        self.screen = ""

    def until(self, text):
        """What is written up to and with `text`."""
        raw = self.screen.encode("utf-8", "surrogateescape")
        while text.encode() not in raw:
            try:
                raw += os.read(self.master, 65536)
            except OSError:
                sys.exit(f"FAIL it ended before {text!r}: {raw[-500:].decode(errors='replace')!r}")
        before, found, after = raw.partition(text.encode())
        self.screen = after.decode("utf-8", "surrogateescape")
        return (before + found).decode(errors="replace")

    def type(self, keys):
        os.write(self.master, keys.encode())

    def ended(self):
        """The exit code, and what was still written."""
        raw = self.screen
        while True:
            try:
                part = os.read(self.master, 65536)
            except OSError:
                break
            if not part:
                break
            raw += part.decode(errors="replace")
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1]), raw


def pixels(frame):
    """The picture of a screen: rows of (red, green, blue)."""
    rows = []
    for line in frame.split("\n"):
        cells = CELL.findall(line)
        if len(cells) == 310:
            rows.append([tuple(map(int, cell[:3])) for cell in cells])
            rows.append([tuple(map(int, cell[3:])) for cell in cells])
    return rows


def place(first, second, moved):
    """Where the piece belongs, from a screen with it at the left edge and one with it `moved` pixels further."""
    height = len(first)
    piece = [(x, y) for y in range(0, height, 2) for x in range(47) if first[y][x] != second[y][x]]
    wanted = [channel for x, y in piece for channel in first[y][x]]
    scene = [[second[y][x] if x < moved else first[y][x] for x in range(310)] for y in range(height)]

    def likeness(offset):
        return slider.correlation(wanted, [channel for x, y in piece for channel in scene[y][x + offset]])

    return max(range(100, 263), key=likeness)


def code(mobile):
    request = urllib.request.Request(f"{base}/__dev/outbox?mobile={mobile.replace('+', '%2B')}", headers={"X-Assay-Dev": development})
    return json.loads(urllib.request.urlopen(request).read())["messages"][0]["code"]


def arguments(folder, mobile, *more):
    return ["login", "sms", "--domain", base, "--client", client, "--mobile", mobile, "--store", f"{folder}/session.json", "--json", *more]


def by_screen(folder, mobile):
    terminal = Terminal(arguments(folder, mobile), 310, folder)
    for attempt in range(4):
        first = terminal.until("r new picture")
        fact("the picture is drawn", len(pixels(first)) >= 150, first)
        if attempt == 0:
            terminal.type("\r")
            terminal.until("That was not it. A new picture:")
            continue
        if attempt == 1:
            terminal.type("r")
            continue
        terminal.type("\x1b[C" * 15)
        second = terminal.until("x = 60 ") + terminal.until("r new picture")
        x = place(pixels(first), pixels(second)[-len(pixels(first)):], 60)
        terminal.type("\x1b[C" * ((x - 60) // 4) + "." * ((x - 60) % 4) + "\r")
        answer = terminal.until(":")
        while "Code of the SMS" not in answer and "That was not it" not in answer:
            answer += terminal.until(":")
        if "Code of the SMS" in answer:
            break
    fact("the slider is solved off the screen", "Code of the SMS" in answer, answer)
    fact("the terminal is as it was", termios.tcgetattr(terminal.master)[3] == terminal.mode)
    terminal.until(" ")
    terminal.type(code(mobile) + "\n")
    status, output = terminal.ended()
    fact("it logs in", status == 0 and f'"mobile":"{mobile}"' in output, output)


def giving_up(folder, mobile):
    terminal = Terminal(arguments(folder, mobile), 120, folder)
    terminal.until("r new picture")
    terminal.type("q")
    status, output = terminal.ended()
    fact("q gives up, as 105", status == 1 and "105" in output, output)


def by_files(folder, mobile):
    terminal = Terminal(arguments(folder, mobile), 40, folder)
    for _ in range(3):
        terminal.until("give up): ")
        with open(f"{folder}/slider.png", "rb") as background, open(f"{folder}/slider.piece.png", "rb") as piece:
            x = slider.position(background.read(), piece.read())
        terminal.type(f"{x}\n")
        answer = terminal.until(": ")
        if "Code of the SMS" in answer:
            break
    fact("the slider is solved from the files", "Code of the SMS" in answer, answer)
    terminal.type(code(mobile) + "\n")
    status, output = terminal.ended()
    fact("it logs in from 40 columns too", status == 0 and f'"mobile":"{mobile}"' in output, output)


with tempfile.TemporaryDirectory() as folder:
    by_screen(folder, "+86-13600000001")
    giving_up(folder, "+86-13600000002")
    by_files(folder, "+86-13600000003")
print(f"{passed} facts hold at the terminal")
