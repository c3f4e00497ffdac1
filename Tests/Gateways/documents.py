"""A web server with documents of a test's own."""
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Documents:
    """`documents` are texts by their paths; `answers` are functions of a request's handler, which come first."""

    def __init__(self):
        documents, answers, asked = {}, {}, []
        self.documents, self.answers, self.asked = documents, answers, asked

        class Answering(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                asked.append((self.path, dict(self.headers.items())))
                path = self.path.split("?")[0]
                if path in answers:
                    return answers[path](self)
                self.reply(200 if path in documents else 404, documents.get(path, ""))

            def reply(self, status, text="", **fields):
                self.send_response(status)
                for name, value in fields.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *arguments):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
        self.server.daemon_threads = True
        self.port = self.server.server_port
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.server.shutdown()
        self.server.server_close()
