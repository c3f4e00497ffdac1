"""Logs in at a terminal as a user does, through `assay login sms` on a pseudo-terminal.

The first login uses a terminal of 310 columns, where a column is a pixel: it reads the picture and the piece from the screen, moves the
piece with keys, and types the code. The second uses files, as without a suitable terminal. Between them: a wrong position brings a new
picture, r another, q gives up, and the terminal's settings are restored.
Usage: terminal.py ASSAY BASE_URL CLIENT_ID DEVELOPMENT_TOKEN
"""
import json
import os
import pty
import re
import sys
import tempfile
import termios
import urllib.request

import numpy
import pexpect

import slider

assay, base, client, development = sys.argv[1:5]
PIECE = 47
# Ten pictures in a row are never misread: one in a hundred is.
PICTURES = 10
CELL = re.compile("\x1b\\[38;2;(\\d+);(\\d+);(\\d+);48;2;(\\d+);(\\d+);(\\d+)m\u2580")
passed = 0


def fact(text, holds, screen=""):
    global passed
    if not holds:
        sys.exit(f"FAIL {text}\n{screen[-2000:]!r}")
    passed += 1


class Terminal(pexpect.spawn):
    """A program on a pseudo-terminal of a given size."""

    def __init__(self, arguments, columns, folder):
        environment = {name: value for name, value in os.environ.items() if name != "ASSAY_DEV_TOKEN"}
        environment |= {"COLORTERM": "truecolor", "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
        super().__init__(
            assay, arguments, cwd=folder, env=environment, dimensions=(100, columns), encoding="utf-8", timeout=300, maxread=65536
        )

    def is_as_new(self):
        """Whether the settings are those of a new terminal. The program may have changed them before anybody could read them here."""
        controller, terminal = pty.openpty()
        new = termios.tcgetattr(controller)[3]
        os.close(terminal)
        os.close(controller)
        return termios.tcgetattr(self.child_fd)[3] == new

    def until(self, text):
        """The output up to and including `text`."""
        self.expect_exact(text)
        return self.before + text

    def ended(self):
        """The exit code and the remaining output."""
        self.expect(pexpect.EOF)
        self.close()
        return self.exitstatus, self.before


def pixels(frame):
    """The picture of a screen: rows of (red, green, blue)."""
    rows = []
    for line in frame.split("\n"):
        cells = CELL.findall(line)
        if len(cells) == 310:
            rows.append([tuple(map(int, cell[:3])) for cell in cells])
            rows.append([tuple(map(int, cell[3:])) for cell in cells])
    return numpy.array(rows, dtype=float)


def place(first, second, moved):
    """The position of the piece, from a screen with the piece at the left edge and one with it `moved` pixels further."""
    scene = numpy.concatenate([second[:, :moved], first[:, moved:]], axis=1)
    piece = first[:, :PIECE]
    return slider.place(scene, piece, (piece != second[:, :PIECE]).any(axis=2))


def code(mobile):
    request = urllib.request.Request(f"{base}/__dev/outbox?mobile={mobile.replace('+', '%2B')}", headers={"X-Assay-Dev": development})
    return json.loads(urllib.request.urlopen(request, timeout=120).read())["messages"][0]["code"]


def arguments(folder, mobile, *more):
    return ["login", "sms", "--domain", base, "--client", client, "--mobile", mobile, "--store", f"{folder}/session.json", "--json", *more]


def by_screen(folder, mobile):
    terminal = Terminal(arguments(folder, mobile), 310, folder)
    for attempt in range(2 + PICTURES):
        first = terminal.until("r new picture")
        fact("the picture is drawn", len(pixels(first)) >= 150, first)
        if attempt == 0:
            terminal.send("\r")
            terminal.until("The server did not accept the position. A new picture:")
            continue
        if attempt == 1:
            terminal.send("r")
            fact("r brings another picture", "accept" not in terminal.until("Another picture:"))
            continue
        terminal.send("\x1b[C" * 15)
        second = terminal.until("x = 60 ") + terminal.until("r new picture")
        x = place(pixels(first), pixels(second)[-len(pixels(first)):], 60)
        terminal.send("\x1b[C" * ((x - 60) // 4) + "." * ((x - 60) % 4) + "\r")
        answer = terminal.until(":")
        while "Code of the SMS" not in answer and "A new picture:" not in answer:
            answer += terminal.until(":")
        if "Code of the SMS" in answer:
            break
    fact("the slider is solved off the screen", "Code of the SMS" in answer, answer)
    fact("the terminal is as it was", terminal.is_as_new())
    terminal.until(" ")
    terminal.send(code(mobile) + "\n")
    status, output = terminal.ended()
    fact("it logs in", status == 0 and f'"mobile":"{mobile}"' in output, output)


def giving_up(folder, mobile):
    terminal = Terminal(arguments(folder, mobile), 120, folder)
    terminal.until("r new picture")
    terminal.send("q")
    status, output = terminal.ended()
    fact("q gives up, as 105", status == 1 and "105" in output, output)


def by_files(folder, mobile):
    terminal = Terminal(arguments(folder, mobile), 40, folder)
    for _ in range(PICTURES):
        paths = re.findall(r"The picture is (\S+), the piece (\S+)\.\s", terminal.until("give up): "))[-1]
        with open(paths[0], "rb") as background, open(paths[1], "rb") as piece:
            x = slider.position(background.read(), piece.read())
        terminal.send(f"{x}\n")
        answer = terminal.until(": ")
        if "Code of the SMS" in answer:
            break
    fact("the slider is solved from the files", "Code of the SMS" in answer, answer)
    fact("the files are gone", not any(map(os.path.exists, paths)) and not [name for name in os.listdir(folder) if "slider" in name])
    terminal.send(code(mobile) + "\n")
    status, output = terminal.ended()
    fact("it logs in from 40 columns too", status == 0 and f'"mobile":"{mobile}"' in output, output)


with tempfile.TemporaryDirectory() as folder:
    by_screen(folder, "+86-13600000001")
    giving_up(folder, "+86-13600000002")
    by_files(folder, "+86-13600000003")
print(f"{passed} facts hold at the terminal")
