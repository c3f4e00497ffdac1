"""Peers that send or read slowly, on every listener. Each check is a function of the lab."""
import threading
import time

import grpc_checks
import resources
from crowd import Crowd
from deadlines import LATE, OPENED, PING, QUESTION, call_head, frame

POST = b"POST / HTTP/1.1\r\nHost: localhost\r\nX-Original-Method: POST\r\nX-Original-URI: /public\r\n"
EXPLAIN = b"POST /explain HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
EACH = 30
# The kernel keeps some megabytes of answers for each before the service notices.
READERS = 3


class Sender:
    """Connections that say `opening`, and then `drip` again and again, until the service ends them."""

    def __init__(self, name, address, opening, drip, deadline):
        self.name, self.deadline, self.drip = name, deadline, drip
        self.crowd = Crowd(address, EACH, opening)
        self.thread = threading.Thread(target=self.run)

    def run(self):
        self.seconds = self.crowd.seconds_until_cut_off(self.deadline + LATE, self.drip)
        self.crowd.close()


def senders(lab, long):
    limits, ports, unix = lab.deadlines, lab.listener_ports, lab.service.socket
    calls = limits.idle + limits.drain
    head = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
    everywhere = {"nginx": ports["9191"], "Envoy, HTTP": ports["9195"], "Unix socket": unix, "administration": ports["9190"]}
    for name, address in everywhere.items():
        yield Sender(f"{name}: a field by bytes", address, head + b"X-Slow: ", b"x", limits.head)
        yield Sender(f"{name}: fields without an end", address, head, b"X-Slow: x\r\n", limits.head)
    for name, address, start in [("nginx", ports["9191"], POST), ("Unix socket", unix, POST), ("administration", ports["9190"], EXPLAIN)]:
        yield Sender(f"{name}: a body by bytes", address, start + b"Content-Length: 60000\r\n\r\n", b"x", limits.body)
        yield Sender(f"{name}: a body by chunks", address, start + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n", limits.body)
    gRPC = ports["9196"]
    yield Sender("gRPC: half a preface", gRPC, grpc_checks.PREFACE[:10], None, calls)
    yield Sender("gRPC: half a frame", gRPC, OPENED + b"\0\1\0\1", None, calls)
    yield Sender("gRPC: pings only", gRPC, OPENED, PING, calls)
    yield Sender("gRPC: fields without an end", gRPC, OPENED + call_head(1, flags=0), frame(9, 0, 1), calls)
    if long:
        yield Sender("gRPC: a message by bytes", gRPC, OPENED + call_head(1), frame(0, 0, 1, b"\0"), limits.message + calls)
        yield Sender("gRPC: a call without a message", gRPC, OPENED + call_head(1), None, limits.message + calls)


def slow_senders_are_cut_off_and_disturb_nobody(lab, long):
    all_senders = list(senders(lab, long))
    for sender in all_senders:
        sender.thread.start()
    slowest = lab.slowest_answer()
    for sender in all_senders:
        sender.thread.join()
    late = [f"{sender.name} ({sender.deadline} s)" for sender in all_senders if sender.seconds is None]
    assert not late, f"still open: {late}"
    return f"{len(all_senders) * EACH} senders, slowest answer {slowest * 1e3:.0f} ms"


def who_does_not_read_is_cut_off(lab, long):
    """Requests one after another, whose answers are not taken: the service must neither collect them nor wait for ever."""
    before = resources.use(lab.process)
    crowd = Crowd(lab.listener_ports["9191"], READERS, receive_bytes=4_096)
    left, slowest, end = dict(crowd.sockets), 0.0, time.monotonic() + 60
    try:
        while left and time.monotonic() < end:
            for _ in range(200):
                send_to_all(left)
            slowest = max(slowest, lab.slowest_answer(1))
        assert not left, f"{len(left)} connections that read nothing are still open"
    finally:
        crowd.close()
    growth = resources.use(lab.process).kilobytes - before.kilobytes
    assert growth < READERS * 1_024, f"{growth} KB for {READERS} connections"
    return f"slowest answer {slowest * 1e3:.0f} ms, {growth} KB"


def send_to_all(left):
    """Sends requests as far as the kernel takes them, and drops connections that have ended."""
    for descriptor, one in list(left.items()):
        try:
            one.send(QUESTION * 100)
        except BlockingIOError:
            time.sleep(0.001)
        except OSError:
            del left[descriptor]


SHORT = [slow_senders_are_cut_off_and_disturb_nobody]
LONG = [slow_senders_are_cut_off_and_disturb_nobody, who_does_not_read_is_cut_off]
