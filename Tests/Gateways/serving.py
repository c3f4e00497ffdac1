"""The server of the test's own programs: a thread for each connection, and every method, known or not, goes to `answer`."""
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class AnyMethod(BaseHTTPRequestHandler):
    """A connection. A subclass has `answer`."""
    protocol_version = "HTTP/1.1"
    # One write for each answer.
    wbufsize = -1

    def __getattr__(self, name):
        if name.startswith("do_"):
            return self.answer
        raise AttributeError(name)

    def log_message(self, *arguments):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 1024

    def handle_error(self, request, address):
        """The other side may cut connections off."""
