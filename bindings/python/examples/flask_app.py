"""A service with Flask. Start it with `ISSUER=… AUDIENCE=… gunicorn 'flask_app:production()'`."""

import os

from flask import Flask, jsonify, request

from assay import Gateway
from assay.wsgi import AssayMiddleware


def application(gateway: Gateway) -> Flask:
    app = Flask(__name__)
    app.wsgi_app = AssayMiddleware(app.wsgi_app, gateway)

    @app.get("/me")
    def me():
        return jsonify(subject=request.environ["assay"].claims()["sub"])

    return app


def production() -> Flask:
    return application(Gateway.of_issuer(os.environ["ISSUER"], os.environ["AUDIENCE"]))
