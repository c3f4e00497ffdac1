"""A reverse proxy in Python behind the middlewares of the package: `asgi_application` and `wsgi_application`, for the servers of
python_gateway.py. ASSAY_SETTINGS is a file, ASSAY_UPSTREAM a port."""
import asyncio
import os
import pathlib
import ssl
from urllib.parse import quote

from assay import Client, Gateway, asgi, wsgi
from exchange import Connection
from library_host import OF_THE_CONNECTION

UPSTREAM = int(os.environ["ASSAY_UPSTREAM"])
LOCAL = Client(addresses=["loopback", "plain_loopback"])


def answer(decision):
    status, fields, body = decision.answer()
    return status, [*fields, ("X-Assay-Code", decision.name)], body


def forwarded(method, target, fields, body):
    """The application's answer: status and body."""
    pairs = [(name, value) for name, value in fields if name.lower().encode("latin-1") not in OF_THE_CONNECTION]
    with Connection(UPSTREAM) as connection:
        answer = connection.ask(target, pairs, method, body)
    return answer.status, answer.body


async def asgi_proxy(scope, receive, send):
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
    query = scope["query_string"]
    target = (scope["raw_path"] + (b"?" + query if query else b"")).decode("latin-1")
    fields = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]]
    status, body = await asyncio.to_thread(forwarded, scope["method"], target, fields, body)
    await send({"type": "http.response.start", "status": status, "headers": [(b"content-length", str(len(body)).encode())]})
    await send({"type": "http.response.body", "body": body})


def wsgi_proxy(environ, start_response):
    path = (environ.get("SCRIPT_NAME", "") + environ["PATH_INFO"]).encode("latin-1")
    query = environ["QUERY_STRING"]
    fields = [(name[5:].replace("_", "-").title(), value) for name, value in environ.items() if name.startswith("HTTP_")]
    body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    status, body = forwarded(environ["REQUEST_METHOD"], quote(path) + (f"?{query}" if query else ""), fields, body)
    start_response(f"{status} said", [("Content-Length", str(len(body)))])
    return [body]


def certificate(environ):
    """The one of the connection, where it is one of TLS."""
    connection = environ["gunicorn.socket"]
    return connection.getpeercert(binary_form=True) if isinstance(connection, ssl.SSLSocket) else None


gateway = Gateway(pathlib.Path(os.environ["ASSAY_SETTINGS"]).read_text(), client=LOCAL)
# A worker that does not wait would refuse the first requests of a busy machine.
assert gateway.wait(60)
asgi_application = asgi.AssayMiddleware(asgi_proxy, gateway, wait=30, answer=answer)
wsgi_application = wsgi.AssayMiddleware(wsgi_proxy, gateway, wait=30, answer=answer, certificate=certificate)
