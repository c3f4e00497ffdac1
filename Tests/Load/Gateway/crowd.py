"""Many connections at once, each with its opening bytes, and what becomes of them."""
import contextlib
import resource
import select
import socket
import time


def raise_descriptor_limit():
    """Raises this process's limit as far as it may, for its children too. Returns how many connections a crowd can have: the service divides
    its descriptors among ten listeners, and two crowds are at one of them."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return (hard - 1_000) // 24


class Crowd:
    """Connections to one listener. `address` is a port of 127.0.0.1, or the path of a Unix socket."""

    def __init__(self, address, count, opening=b"", sources=("127.0.0.1",), receive_bytes=None):
        self.opening, self.sockets, self.refused = opening, {}, 0
        self.poll = select.epoll()
        for number in range(count):
            self.connect(address, sources[number % len(sources)], receive_bytes)
            if number % 100 == 99:
                # A full queue of the kernel would cost a second: it drops the packet that opens a connection.
                time.sleep(0.02)
        self.opened = time.monotonic()

    def connect(self, address, source, receive_bytes):
        one = socket.socket(socket.AF_INET if isinstance(address, int) else socket.AF_UNIX)
        one.settimeout(10)
        try:
            if receive_bytes:
                one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
            if isinstance(address, int):
                one.bind((source, 0))
            one.connect(("127.0.0.1", address) if isinstance(address, int) else str(address))
            one.sendall(self.opening)
        except OSError:
            self.refused += 1
            one.close()
            return
        one.setblocking(False)
        self.sockets[one.fileno()] = one
        self.poll.register(one.fileno(), select.EPOLLIN | select.EPOLLRDHUP)

    def say(self, text):
        """Sends the same bytes on every connection that is left, as far as it takes them."""
        for one in list(self.sockets.values()):
            with contextlib.suppress(OSError):
                one.send(text)

    def read(self, seconds=0.0):
        """Reads what has arrived and drops connections that have ended. Returns how many are left."""
        for descriptor, _ in self.poll.poll(seconds, 4_096):
            one = self.sockets[descriptor]
            try:
                while one.recv(65_536):
                    pass
            except BlockingIOError:
                continue
            except OSError:
                pass
            self.drop(descriptor)
        return len(self.sockets)

    def drop(self, descriptor):
        self.poll.unregister(descriptor)
        self.sockets.pop(descriptor).close()

    def seconds_until_cut_off(self, limit, text=None, pause=0.2):
        """Waits until the server has ended every connection, and says `text` meanwhile. None if that takes longer than `limit`."""
        while self.read(pause):
            if time.monotonic() - self.opened > limit:
                return None
            if text:
                self.say(text)
                time.sleep(pause)
        return time.monotonic() - self.opened

    def close(self):
        for descriptor in list(self.sockets):
            self.drop(descriptor)
        self.poll.close()

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.close()

    def __len__(self):
        return len(self.sockets)
