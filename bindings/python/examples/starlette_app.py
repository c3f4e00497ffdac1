"""A service with Starlette, also for WebSockets. Start it with `ISSUER=… AUDIENCE=… uvicorn --factory starlette_app:production`."""

import os

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from assay import Gateway
from assay.asgi import AssayMiddleware


async def me(request: Request) -> JSONResponse:
    return JSONResponse({"subject": request.scope["assay"].claims()["sub"]})


async def greet(socket: WebSocket) -> None:
    await socket.accept()
    await socket.send_text(socket.scope["assay"].claims()["sub"])
    await socket.close()


def application(gateway: Gateway) -> Starlette:
    return Starlette(routes=[Route("/me", me), WebSocketRoute("/socket", greet)], middleware=[Middleware(AssayMiddleware, gateway=gateway)])


def production() -> Starlette:
    return application(Gateway.of_issuer(os.environ["ISSUER"], os.environ["AUDIENCE"]))
