"""Thousands of idle connections. Each is a function of the lab."""
import socket
import time

import resources
from crowd import Crowd
from deadlines import LATE, OPENED, QUESTION
from program import eventually

# Kilobytes of memory that an idle connection may cost. The kernel's buffers are not among them.
KILOBYTES = {"HTTP": 48, "gRPC": 48}


class Kind:
    def __init__(self, name, port, opening, deadline, sources=("127.0.0.1",)):
        self.name, self.port, self.opening, self.deadline, self.sources = name, port, opening, deadline, sources


def kinds(lab):
    """What idle connections there are, and when the service ends them at the latest."""
    limits, count = lab.deadlines, lab.count
    # The administrative listener takes 256 connections of an address.
    many = tuple(f"127.0.1.{number}" for number in range(1, count // 250 + 2))
    yield Kind("HTTP, silent", "9191", b"", limits.head)
    yield Kind("HTTP, after a request", "9191", QUESTION, limits.idle)
    yield Kind("gRPC, silent", "9196", b"", limits.idle + limits.drain)
    yield Kind("gRPC, after its preface", "9196", OPENED, limits.idle + limits.drain)
    yield Kind("HTTP, administration, of many addresses", "9190", b"", limits.head, many)


def opened(lab, kind):
    """A crowd whose answers are read: otherwise the service would keep them."""
    crowd = Crowd(lab.listener_ports[kind.port], lab.count, kind.opening, kind.sources)
    end = time.monotonic() + lab.count / 10_000
    while time.monotonic() < end:
        crowd.read(0.05)
    assert len(crowd) == lab.count, f"{kind.name}: {len(crowd)} of {lab.count} connections are left"
    return crowd


def each_crowd_disturbs_nobody_and_is_cut_off(lab, long):
    """One kind after another, each with a new process."""
    said = [f"{lab.count} connections"]
    for kind in kinds(lab):
        lab.renew()
        before = resources.use(lab.process)
        with opened(lab, kind) as crowd:
            during = resources.use(lab.process)
            slowest = lab.slowest_answer()
            each = (during.kilobytes - before.kilobytes) / lab.count
            assert each <= KILOBYTES[kind.name[:4]], f"{kind.name}: {each:.1f} KB for each connection"
            assert during.descriptors >= lab.count, (kind.name, during)
            seconds = crowd.seconds_until_cut_off(kind.deadline + LATE)
            assert seconds is not None, f"{kind.name}: {len(crowd)} connections are open after {kind.deadline + LATE} s"
        descriptors_return(lab, before)
        memory_returns(lab, before)
        said.append(f"{kind.name}: {each:.1f} KB each, slowest answer {slowest * 1e3:.0f} ms, cut off after {seconds:.1f} s")
    return "; ".join(said)


def all_crowds_together(lab, long):
    """All kinds at once, for a short run."""
    before = resources.use(lab.process)
    crowds = [(kind, opened(lab, kind)) for kind in kinds(lab)]
    try:
        slowest = lab.slowest_answer()
        for kind, crowd in crowds:
            assert crowd.seconds_until_cut_off(kind.deadline + LATE) is not None, f"{kind.name}: {len(crowd)} connections are still open"
    finally:
        for _, crowd in crowds:
            crowd.close()
    descriptors_return(lab, before)
    memory_returns(lab, before)
    return f"{lab.count * len(crowds)} connections, slowest answer {slowest * 1e3:.0f} ms"


def an_address_has_256_connections_to_the_administration(lab, long):
    with Crowd(lab.listener_ports["9190"], 400) as crowd:
        eventually(lambda: crowd.read(0.2) <= 256, 20, "the end of the connections above the limit")
        with socket.create_connection(("127.0.0.1", lab.listener_ports["9190"]), 20, ("127.0.0.9", 0)) as other:
            other.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert other.recv(64).startswith(b"HTTP/1.1 200"), "another address is kept out"
        assert crowd.read(0.2) == 256, len(crowd)
    eventually(lambda: is_served(lab), 20, "the administration's return for this address")


def is_served(lab):
    try:
        return lab.service.administration("/healthz")[0] == 200
    except OSError:
        return False


def descriptors_return(lab, before):
    """Those of the gateways' own connections may stay."""
    end = time.monotonic() + 20
    while (now := resources.use(lab.process)).descriptors > before.descriptors + 40 and time.monotonic() < end:
        time.sleep(0.1)
    assert now.descriptors <= before.descriptors + 40, (before, now)


def memory_returns(lab, before):
    """The service looks each ten seconds. What its pools and caches keep is not a crowd's."""
    most = before.kilobytes + 24_576
    eventually(lambda: resources.use(lab.process).kilobytes <= most, 40, f"the return to {most} KB")


SHORT = [all_crowds_together, an_address_has_256_connections_to_the_administration]
LONG = [each_crowd_disturbs_nobody_and_is_cut_off, an_address_has_256_connections_to_the_administration]
