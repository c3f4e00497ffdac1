"""An API with FastAPI. Start it with `ISSUER=… AUDIENCE=… uvicorn --factory fastapi_app:production`."""

import os
from typing import Annotated, Any, Dict

from fastapi import Depends, FastAPI, HTTPException, Request

from assay import Gateway
from assay.asgi import AssayMiddleware


def claims(request: Request) -> Dict[str, Any]:
    """The claims of the caller's token, which the middleware has verified."""
    return request.scope["assay"].claims()


Claims = Annotated[Dict[str, Any], Depends(claims)]


def application(gateway: Gateway) -> FastAPI:
    app = FastAPI()
    app.add_middleware(AssayMiddleware, gateway=gateway)

    @app.get("/me")
    def me(claims: Claims) -> Dict[str, Any]:
        return {"subject": claims["sub"]}

    @app.get("/orders")
    def orders(claims: Claims) -> Dict[str, Any]:
        if "orders" not in claims.get("scope", "").split():
            raise HTTPException(403, "the scope orders is needed")
        return {"orders": []}

    return app


def production() -> FastAPI:
    return application(Gateway.of_issuer(os.environ["ISSUER"], os.environ["AUDIENCE"]))
