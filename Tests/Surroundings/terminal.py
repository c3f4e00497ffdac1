"""`assay login sms` at a terminal, with mistyped variables of the terminal."""
import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time

from programs import ASSAY, FOLDER, PLAIN, TIME, killed
from tasks import NUMBERS, OPEN

SIZE = struct.pack("HHHH", 100, 120, 0, 0)
WHOLE = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "TMPDIR": str(OPEN)}
DRAWN, ASKED = b"r new picture", b"give up): "
GIVES_UP = {DRAWN: b"q", ASKED: b"\n"}
# What is on the screen when the command waits for a key: a mistyped terminal draws too, one without pictures has files.
MISTYPED = [{"TERM": "no-such-terminal"}, {"TERM": ""}, {"COLORTERM": "truecolour"}, {"NO_COLOR": "no"}]
SCREENS = [({}, DRAWN), *((variables, DRAWN) for variables in MISTYPED), ({"TERM": "dumb"}, ASKED),
           ({"TERM": "dumb", "TMPDIR": "/nonexistent"}, b"Error: cannot make a folder in /nonexistent")]


def gives_up_at(tenant, environment, screen):
    """The user gives up at the slider, which is 105 of the documents."""
    controller, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, SIZE)
    store = OPEN / f"terminal-{next(NUMBERS)}.json"
    command = [ASSAY, "login", "sms", *tenant, "--mobile", "+86-13800000001", "--store", store]
    process = subprocess.Popen(
        command, stdin=terminal, stdout=subprocess.DEVNULL, stderr=terminal, env={**PLAIN, **WHOLE, **environment}, cwd=FOLDER,
        start_new_session=True)
    os.close(terminal)
    try:
        seen, end, has_answered = b"", time.monotonic() + TIME, False
        while part := some(controller, end):
            seen += part
            if screen in seen and not has_answered:
                os.write(controller, GIVES_UP.get(screen, b""))
                has_answered = True
        assert has_answered, f"not on the screen: {screen!r}; {seen[-300:]!r}"
        code = process.wait(TIME)
        assert code == 1 and b"105" in seen, (code, seen[-300:])
    finally:
        killed(process)
        process.wait()
        os.close(controller)


def some(controller, end):
    """Some bytes of the screen; none when the program has ended."""
    ready, _, _ = select.select([controller], [], [], max(0, end - time.monotonic()))
    assert ready, f"does not end within {TIME} s"
    try:
        return os.read(controller, 65_536)
    except OSError:
        # Linux reports the end of the other side as an error.
        return b""


def checks(tenant):
    """Name, function and arguments of each check."""
    for environment, screen in SCREENS:
        yield f"login at a terminal, {environment}", gives_up_at, (tenant, environment, screen)
