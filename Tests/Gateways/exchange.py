"""An HTTP/1.1 client that sends exactly the bytes that it is given, and reads answers."""
import contextlib
import json
import re
import socket
from concurrent.futures import ThreadPoolExecutor


class Answer:
    def __init__(self, status, fields, body):
        self.status, self.fields, self.body = status, fields, body

    def field(self, name):
        values = [value for key, value in self.fields if key.lower() == name]
        return ", ".join(values) if values else None

    def arrived(self):
        """The request as the application got it."""
        return json.loads(self.body)

    def __repr__(self):
        return f"{self.status} {self.fields} {self.body[:200]!r}"


# How long an answer may take, in seconds.
PATIENCE = 60


class Connection:
    def __init__(self, port, timeout=None):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout or PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.reader = self.socket.makefile("rb")

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.reader.close()
        self.socket.close()

    def send(self, target, fields=(), method="GET", body=b""):
        """Sends a request. `fields` are pairs, and are sent as they are."""
        lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in fields)]
        if not any(name.lower() == "host" for name, _ in fields):
            lines.insert(1, "Host: app.example")
        if body:
            lines.append(f"Content-Length: {len(body)}")
        self.socket.sendall("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body)

    def receive(self, method="GET"):
        """Reads an answer; None if the connection ends before one."""
        try:
            line = self.reader.readline()
        except ConnectionError:
            return None
        if not line:
            return None
        status = int(line.split()[1])
        fields = []
        while (line := self.reader.readline().strip()):
            name, _, value = line.decode("latin-1").partition(":")
            fields.append((name, value.strip()))
        if status == 100:
            return self.receive(method)
        answer = Answer(status, fields, b"")
        if method == "HEAD" or status in (204, 304):
            return answer
        if (answer.field("transfer-encoding") or "").lower() == "chunked":
            answer.body = self.chunks()
        elif (length := answer.field("content-length")) is not None:
            answer.body = self.reader.read(int(length))
        elif status != 101:
            answer.body = self.reader.read()
        return answer

    def chunks(self):
        body = b""
        while (size := int(self.reader.readline().split(b";")[0], 16)):
            body += self.reader.read(size)
            self.reader.readline()
        while self.reader.readline().strip():
            pass
        return body

    def ask(self, target, fields=(), method="GET", body=b""):
        self.send(target, fields, method, body)
        return self.receive(method)


def ask(port, target, fields=(), method="GET", body=b"", timeout=None):
    """One request on a connection of its own; None if the gateway closes it without an answer."""
    try:
        with Connection(port, timeout) as connection:
            return connection.ask(target, fields, method, body)
    except ConnectionError:
        return None


LAST = b"GET /public/last HTTP/1.1\r\nHost: app.example\r\nConnection: close\r\n\r\n"


def converse(port, text):
    """Sends bytes and then a plain request that ends the connection; returns the statuses of all answers.

    It lasts until the gateway ends the connection: what a slow gateway makes of the bytes is not taken for a part of the next conversation.
    """
    received = b""
    with Connection(port) as connection, contextlib.suppress(OSError):
        connection.socket.sendall(text + LAST)
        while part := connection.socket.recv(65_536):
            received += part
    return [int(status) for status in re.findall(rb"HTTP/1\.[01] (\d{3})", received)]


def converse_all(port, texts):
    """Conversations at the same time: a gateway may wait for more, or for the end of its connection, in each of them."""
    with ThreadPoolExecutor(32) as pool:
        return list(pool.map(lambda text: converse(port, text), texts))


def bearer(token):
    return ("Authorization", f"Bearer {token}")
