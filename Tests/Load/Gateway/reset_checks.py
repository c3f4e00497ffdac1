"""Thousands of calls that are reset, by raw frames: faster than an HTTP/2 library could send them. Each check is a
function of the lab."""
import os
import select
import socket
import struct
import time

import grpc_checks
import resources
from deadlines import OPENED, call_head, frame
from program import eventually

CANCEL = struct.pack(">I", 8)
CALLS = 1_000
# Seconds without an answer after which a connection is taken to say no more.
SILENCE = 0.3


def rounds(long):
    return range(5 if long else 2)


def connected(lab):
    one = socket.create_connection(("127.0.0.1", lab.listener_ports["9196"]), 10)
    one.sendall(OPENED)
    return one


def call(stream, body):
    """A whole call, and its reset."""
    return call_head(stream) + frame(0, 1, stream, body) + frame(3, 0, stream, CANCEL)


def head_only(stream, body):
    return call_head(stream) + frame(3, 0, stream, CANCEL)


def streams(start, count):
    return range(2 * start + 1, 2 * (start + count) + 1, 2)


def flood(connection, parts):
    """Sends everything in one piece, and reads what comes back until nothing does. True if the connection is still open."""
    rest = memoryview(b"".join(parts))
    connection.setblocking(False)
    while True:
        # A busy service may pause before it has read everything.
        readable, writable, _ = select.select([connection], [connection] if rest else [], [], 60 if rest else SILENCE)
        if not readable and not writable:
            return True
        try:
            if writable:
                rest = rest[connection.send(rest):]
            if readable and not connection.recv(65_536):
                return False
        except BlockingIOError:
            pass
        except OSError:
            return False


def other_calls_pass(lab, what):
    """On a connection that was open before, and on a new one."""
    token = lab.provider.token()
    start = time.monotonic()
    assert grpc_checks.is_allowed(lab.kept.call(grpc_checks.request(token))), f"{what}: another connection suffers"
    with grpc_checks.Client(lab) as fresh:
        assert grpc_checks.is_allowed(fresh.call(grpc_checks.request(token))), f"{what}: a new connection suffers"
    assert time.monotonic() - start < 20, f"{what}: others had to wait {time.monotonic() - start:.1f} s"


def a_thousand_calls_reset_at_once(lab, long):
    """Each call and its reset arrive together; within the permitted rate the connection lasts."""
    body = grpc_checks.request(lab.provider.token())
    with grpc_checks.Client(lab) as lab.kept:
        lab.kept.call(body)
        for name, one in [("heads", head_only), ("whole calls", call)]:
            with connected(lab) as connection:
                for number in rounds(long):
                    is_open = flood(connection, [one(stream, body) for stream in streams(number * CALLS, CALLS)])
                    assert is_open, f"{name}: the connection ended in round {number + 1}"
                    other_calls_pass(lab, name)


def a_thousand_calls_open_and_then_reset(lab, long):
    """More calls than a connection may have: the connection may end, nothing else."""
    with grpc_checks.Client(lab) as lab.kept:
        lab.kept.call(grpc_checks.request())
        for _ in rounds(long):
            with connected(lab) as connection:
                all_streams = streams(0, CALLS)
                flood(connection, [*map(call_head, all_streams), *(frame(3, 0, stream, CANCEL) for stream in all_streams)])
            other_calls_pass(lab, "too many calls")


def resets_without_end_cost_their_connection_only(lab, long):
    """More resets than a connection may send in ten seconds."""
    with grpc_checks.Client(lab) as lab.kept:
        lab.kept.call(grpc_checks.request())
        with connected(lab) as connection:
            is_open = all(
                flood(connection, [head_only(stream, b"") for stream in streams(number * CALLS, CALLS)]) for number in range(15))
            assert not is_open, "15,000 resets were taken"
        other_calls_pass(lab, "resets without end")


def memory_returns(lab, long):
    """Many connections with 200 resets each leave nothing behind."""
    lab.renew()
    body = grpc_checks.request(lab.provider.token())
    uses = []
    for _ in range(60 if long else 12):
        with connected(lab) as connection:
            connection.sendall(b"".join(call(stream, body) for stream in streams(0, 200)))
        uses.append(resources.use(lab.process))
        time.sleep(0.05)
    first_half = uses[: len(uses) // 2]
    # The pool of threads grows up to the number of cores when it finds work.
    most = resources.Use(
        0, first_half[-1].kilobytes + 8_192, uses[0].descriptors + 2, max(one.threads for one in first_half) + os.cpu_count())
    eventually(lambda: resources.use(lab.process).is_within(most), 60, f"the return to {most}")


SHORT = [a_thousand_calls_reset_at_once, a_thousand_calls_open_and_then_reset]
LONG = [*SHORT, resets_without_end_cost_their_connection_only, memory_returns]
