"""Restarts of the service under load, with sockets that a manager holds as systemd does. Each check is a function of the lab."""
import contextlib
import fcntl
import os
import resource
import signal
import socket
import time

import gateways
import resources_checks
from exchange import Connection
from lab import PORTS, Service, ServiceLab
from listener_checks import question
from program import Program
from running_checks import Load

# A gateway's name is that of its listener in integrations/assay.yaml.
NAMES = {
    "9191": "nginx", "9192": "caddy", "9193": "haproxy", "9194": "traefik", "9195": "envoy-http", "9196": "envoy-grpc", "9197": "apisix",
    "9198": "metadata",
}


class HeldProgram(Program):
    """A service that gets its sockets from this process (sd_listen_fds(3)), which keeps them while it restarts."""

    def __init__(self, sockets, *arguments):
        self.sockets = sockets
        super().__init__(*arguments)

    def inheritance(self):
        descriptors = [held.fileno() for held in self.sockets.values()]

        def hand_over():
            # The protocol wants the numbers from 3 on. The copies get free numbers behind them, so none replaces a socket.
            end = 3 + len(descriptors)
            for place, copy in enumerate([fcntl.fcntl(descriptor, fcntl.F_DUPFD, end) for descriptor in descriptors]):
                os.dup2(copy, 3 + place)
            os.closerange(end, resource.getrlimit(resource.RLIMIT_NOFILE)[0])

        return {"preexec_fn": hand_over, "close_fds": False}


class HeldService(Service):
    def adapted(self, text):
        self.sockets = {}
        for port in PORTS[1:]:
            held = socket.create_server(("127.0.0.1", self.lab.listener_ports[port]), backlog=1024)
            self.sockets[NAMES[port]] = held
            text = text.replace(f'tcp: "127.0.0.1:{self.lab.listener_ports[port]}"', f"activation: {NAMES[port]}")
        assert text.count("activation:") == len(self.sockets), text
        return text

    def started(self):
        # The shell's number is that of the service, which replaces it.
        command = ["/bin/sh", "-c", 'LISTEN_PID=$$ exec "$0" "$@"', self.lab.assay, "serve", "--config", self.file]
        environment = {"LISTEN_FDS": str(len(self.sockets)), "LISTEN_FDNAMES": ":".join(self.sockets)}
        administration = [self.lab.listener_ports["9190"]]
        return HeldProgram(self.sockets, command, self.lab.folder / "assay.log", administration, None, environment)

    def restart(self):
        """As systemd does: the next process begins when the one before it has ended."""
        self.program.stop()
        assert self.program.process.returncode == 0, self.program.process.returncode
        self.program.start()
        self.wait_until_ready()


def restarts_lose_no_request(lab, long):
    names = [kind.name for kind in gateways.ALL if kind.is_real and kind.name in {gateway.name for gateway in lab.gateways}]
    if not names:
        return "skipped"
    own = ServiceLab(names, HeldService)
    try:
        with contextlib.ExitStack() as loads:
            running = [loads.enter_context(Load(own, pause=0.02)) for _ in range(4)]
            for _ in range(12 if long else 6):
                for load in running:
                    load.starts += 1
                own.service.restart()
                for load in running:
                    load.starts += 1
                before = [sum(load.counts.values()) for load in running]
                while any(sum(load.counts.values()) < count + 50 for load, count in zip(running, before)):
                    assert not any(load.failures for load in running), [load.failures[:5] for load in running]
                    time.sleep(0.02)
        return {name: sum(load.counts[name] for load in running) for name in names}
    finally:
        own.stop()


PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
# What peers have sent on a listener of HTTP/1.1, and on that of gRPC, before they fall silent.
SILENT_PEERS = [(b"", b""), (b"", PREFACE), (b"GET / HTTP/1.1\r\nHost: x\r\n", PREFACE[:10])]


def silent_peers_do_not_hold_the_end_up(lab, long):
    """The service closes connections that nobody uses 1.1 s after the signal, and one of gRPC a second later (decision 0047).

    The rest is for a busy machine. `drainSeconds` is 15, and whatever waits for it is found."""
    took = []
    for over_http1, over_http2 in SILENT_PEERS:
        own = ServiceLab(["nginx"], HeldService)
        try:
            with contextlib.ExitStack() as connections:
                token = own.provider.token()
                for port, name in NAMES.items():
                    for text in (over_http2 if name == "envoy-grpc" else over_http1, b""):
                        peer = connections.enter_context(socket.create_connection(("127.0.0.1", own.listener_ports[port]), 60))
                        peer.sendall(text)
                asked = connections.enter_context(Connection(own.listener_ports["9191"]))
                assert asked.ask("/", question("nginx", token)).status == 200
                start = time.monotonic()
                own.service.program.process.send_signal(signal.SIGTERM)
                own.service.program.process.wait(60)
                took.append(round(time.monotonic() - start, 1))
                assert own.service.program.process.returncode == 0 and took[-1] < 12, (over_http1, over_http2, took)
        finally:
            own.stop()
    return took


def the_last_answer_says_so(lab, long):
    """From the signal on, each answer of HTTP/1.1 ends its connection, also one whose request was under way."""
    own = ServiceLab(["nginx"], HeldService)
    try:
        with contextlib.ExitStack() as connections:
            token = own.provider.token()
            peers = {name: connections.enter_context(Connection(own.listener_ports[port])) for port, name in NAMES.items() if name != "envoy-grpc"}
            ask = {name: (("/orders" if name == "envoy-http" else "/"), question(name, token)) for name in peers}
            ask["metadata"] = (resources_checks.PATH, [])
            for name, peer in peers.items():
                answer = peer.ask(*ask[name])
                assert answer and answer.status == 200, (name, answer)
            own.service.program.process.send_signal(signal.SIGTERM)
            while own.service.administration("/readyz")[0] == 200:
                time.sleep(0.01)
            for name, peer in peers.items():
                answer = peer.ask(*ask[name])
                assert answer and answer.status == 200 and answer.field("connection") == "close", (name, answer)
    finally:
        own.stop()


# Half of the descriptors are for connections. An event loop has three, and each core has one.
POOR = 64 + 6 * max(0, os.cpu_count() - 2)


class PoorService(Service):
    """A service with few descriptors."""

    def started(self):
        command = ["prlimit", f"--nofile={POOR}:{POOR}", self.lab.assay, "serve", "--config", self.file]
        return Program(command, self.lab.folder / "assay.log", self.lab.listener_ports.values())


def idle_connections_leave_descriptors_for_operators(lab, long):
    own = ServiceLab(["nginx"], PoorService)
    token = own.provider.token()
    ask = ("/", question("nginx", token))
    try:
        with contextlib.ExitStack() as connections:
            for number in range(POOR + 56):
                port = PORTS[1:][number % len(PORTS[1:])]
                connections.enter_context(socket.create_connection(("127.0.0.1", own.listener_ports[port]), 60))
            for path in ("/healthz", "/readyz", "/metrics"):
                assert own.service.administration(path)[0] == 200, path
            own.service.reload("succeeded")
            # Two are free at least, also while keys are fetched.
            used = int(own.service.metric("process_open_fds"))
            assert used <= POOR - 2, used
        with Connection(own.listener_ports["9191"]) as connection:
            assert connection.ask(*ask).status == 200
    finally:
        own.stop()


ALL = [
    idle_connections_leave_descriptors_for_operators, restarts_lose_no_request, silent_peers_do_not_hold_the_end_up,
    the_last_answer_says_so,
]
